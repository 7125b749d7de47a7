"""The code blocks of a page of the documentation.

A comment before a block states its role:

- `<!-- file: first.toml -->`: the block is this file, in the folder in which the page's commands run;
- `<!-- extends: examples/first.toml -->`: the tables of the block are added to those of this file;
- `<!-- rejected -->`: the input has a fault that the page explains; it is not checked;
- `<!-- run -->`: the commands run although the page does not show their output;
- `<!-- message -->`: the output quotes messages, of which only the place and the first words are compared;
- `<!-- long -->`: the block needs seconds, and runs in long tests only.

A comment `<!-- from: four_springs.md -->` states that a page uses the files of the blocks of another page,
and `<!-- example: first.toml -->` that it uses a file of the folder examples/.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit

EXAMPLES = Path(__file__).parents[2] / "examples"
FENCE = re.compile(r"^(`{3,})([\w+-]*)(?:\{([\w-]+)\})?[^\n]*\n(.*?)^\1[ \t]*$", re.M | re.S)
SPACE = re.compile(r"\s*")
COMMENTS = re.compile(r"((?:<!--(?:(?!-->).)*-->\s*)+)\Z", re.S)
FOREIGN = (
    "pip",
    "python",
    "python3",
    "make",
    "git",
    "cd",
    "export",
    "sbatch",
    "ncdump",
    "xdg-open",
    "source",
)
"""Commands of other programs, which the tests do not run."""


class Block(NamedTuple):
    """A fenced block: its language, text, first line, the notes of the comments before it, and its output."""

    language: str
    text: str
    line: int
    notes: dict[str, str]
    shown: str | None
    """Text of the block of the language `text` that follows without words between."""


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page in their order; directives of Sphinx are left out."""
    found = []
    for fence in FENCE.finditer(text):
        comments = COMMENTS.search(text[: fence.start()])
        parts = re.findall(r"<!--\s*([\w ]+?)\s*(?::\s*(.*?))?\s*-->", comments[1]) if comments else []
        line = text.count("\n", 0, fence.start()) + 2
        shown = FENCE.match(text, SPACE.match(text, fence.end()).end())  # type: ignore[union-attr]
        if fence[3] is None:
            output = shown[4] if shown and shown[2] == "text" else None
            found.append(Block(fence[2], fence[4], line, dict(parts), output))
    return found


def files_of(page: Path) -> list[Block]:
    """Return the blocks that are input files of a page, with those of pages that it takes files from."""
    text = page.read_text(encoding="utf-8")
    others = [page.parent / name for name in re.findall(r"<!-- from: (\S+) -->", text)]
    examples = [
        Block("toml", (EXAMPLES / name).read_text(encoding="utf-8"), 0, {"file": name}, None)
        for name in re.findall(r"<!-- example: (\S+) -->", text)
    ]
    own = [block for block in blocks_of(text) if block.language == "toml" and "file" in block.notes]
    return [*(block for other in others for block in files_of(other)), *examples, *own]


def indented_commands(text: str) -> Iterator[str]:
    """Yield the commands of interstage in indented blocks, continued lines joined, comments removed."""
    plain = FENCE.sub("", text)
    for block in re.findall(r"(?:^ {4}.*\n?)+", plain, re.M):
        yield from commands_of(re.sub(r"(?m)^ {4}", "", block), strict=False)


def commands_of(text: str, strict: bool = True) -> Iterator[str]:
    """Yield the commands of interstage of a block. strict: fail on lines that are no known command."""
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        words = line.removeprefix("$ ").split(" #")[0].strip().split(" ", 1)
        name = words[0].rsplit("/", 1)[-1]
        if name == "interstage" and len(words) > 1 and not words[1][0].isdigit():
            yield re.split(r" [>|] ", words[1])[0].strip()
        elif strict and words[0] and not line.startswith("#"):
            assert name in FOREIGN, f"unknown command: {line}"


def merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return tables with the entries of others added, table by table."""
    found = dict(base)
    for key, value in more.items():
        inner = found.get(key)
        found[key] = merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return found


def written_toml(block: Block, folder: Path, number: int) -> Path:
    """Write a TOML block as a complete file of the folder, and return it."""
    path, text = folder / block.notes.get("file", f"block_{number}.toml"), block.text
    if base := block.notes.get("extends"):
        tables = merged(tomllib.loads((folder / base).read_text(encoding="utf-8")), tomllib.loads(text))
        text = tomlkit.dumps(tables)
    path.write_text(text, encoding="utf-8")
    return path
