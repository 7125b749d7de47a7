"""A ratchet for the language of the project: counts of unclear wording for each room, which may only fall.

    .venv/bin/python tests/words.py            # compare with tests/words.json; exit status 1 if a count rose
    .venv/bin/python tests/words.py --write    # store counts that fell; refuses counts that rose
    .venv/bin/python tests/words.py --list cli # print each place of a room

docs/language.md has the rules. A room is a folder of `src/interstage/`, or `docs`, or `pages` (the Markdown
files at the top and of `benchmarks/`, `examples/` and `changes/`). Kinds of counts:

- `words`: phrases that the rules replace (software that "says", "beside", clauses used as nouns);
- `terms`: private terms of which the glossary has a standard one;
- `long`: sentences over 35 words in prose, docstrings and comments;
- `names`: functions and methods named by a bare participle.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
STORE = Path(__file__).with_suffix(".json")
LONGEST = 35
"""Words of the longest sentence."""
WORDS = re.compile(
    r"\b(says?|said|tells?|told|beside|aslant|mend(s|ed|ing)?|remark(s|ed)?|unless (given|said|told)"
    r"|none means|what (is|are|has|it|they)|(?<!there )is no|the former|the latter)\b",
    re.IGNORECASE,
)
TERMS = re.compile(
    r"\b(mass cent(re|er)s?|structure axes|bodies that bend|holds? the same motion|lets? go|letting go"
    r"|of the air|the air|lanes?|flights? as a point|as a point(?! mass)|held against|guests?|in symbols"
    r"|works? out|worked out|made ready|stance|laden|untold|second rates|freedoms|a sky"
    r"|met again|rate of the distance|go(es)? by|optimis(e|es|er|ers|ation))\b",
    re.IGNORECASE,
)
IRREGULAR = "told|untold|kept|held|hung|made|given|found|seen|taken|drawn|shown|met|gone|begun|struck|shed"
IRREGULAR += "|felt|left|laid|bent|spent|said|put|sent|cut|built|beside|across|behind|apart"
PARTICIPLE = re.compile(rf"_*({IRREGULAR}|[a-z]{{2,}}ed)")
ALLOWED = ("need", "speed", "airspeed", "seed", "feed", "embed", "exceed", "proceed")
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`(\"'])|\n\s*\n|\n\s*[-*|]\s")
SKIPPED = ("history.md", "reference.md", "reference", "comparisons.md", "results.md", "language.md")
"""Pages and folders that are not counted: the archive, generated pages, and the glossary."""


class Place(NamedTuple):
    """One place that a rule concerns."""

    kind: str
    where: str
    text: str


def prose_of_markdown(text: str) -> str:
    """The text of a page without code, addresses and tables of numbers."""
    text = re.sub(r"```.*?```", "\n\n", text, flags=re.DOTALL)
    text = re.sub(r"(?m)^ {4}.*$", "", text)
    text = re.sub(r"`[^`\n]*`", "`code`", text)
    return re.sub(r"\]\([^)]*\)", "]", text)


def texts_of_python(source: str, nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Docstrings, messages and comments of a module with their lines; adjacent comment lines are one text."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 2:
            yield node.lineno, re.sub(r"`[^`\n]*`", "`code`", node.value)
    block, start, last = [], 0, -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            if line != last + 1 and block:
                yield start, " ".join(block)
                block = []
            start = start if block else line
            block.append(token.string.lstrip("# "))
            last = line
    if block:
        yield start, " ".join(block)


def wordings(text: str, where: str) -> Iterator[Place]:
    """The places of a text that break a rule of wording or length."""
    for kind, pattern in (("words", WORDS), ("terms", TERMS)):
        for found in pattern.finditer(text):
            around = text[max(found.start() - 30, 0) : found.end() + 30]
            yield Place(kind, where, " ".join(around.split()))
    for sentence in SENTENCE.split(text):
        if "|" not in sentence and len(sentence.split()) > LONGEST:
            yield Place("long", where, " ".join(sentence.split())[:90])


def participles(nodes: list[ast.AST], where: str) -> Iterator[Place]:
    """Functions and methods whose name is a bare participle."""
    for node in nodes:
        if not isinstance(node, ast.FunctionDef) or node.name.strip("_") in ALLOWED:
            continue
        if PARTICIPLE.fullmatch(node.name):
            yield Place("names", f"{where}:{node.lineno}", node.name)


def places_of(path: Path) -> Iterator[Place]:
    """All places of one file."""
    where, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from wordings(prose_of_markdown(text), where)
        return
    nodes = [*ast.walk(ast.parse(text))]
    for line, found in texts_of_python(text, nodes):
        yield from wordings(found, f"{where}:{line}")
    yield from participles(nodes, where)


def rooms() -> dict[str, list[Path]]:
    """The files of each room."""
    package = ROOT / "src" / "interstage"
    found = {
        folder.name: sorted(folder.rglob("*.py")) for folder in sorted(package.iterdir()) if folder.is_dir()
    }
    found = {name: files for name, files in found.items() if files}
    found["package"] = sorted(package.glob("*.py"))
    pages = sorted((ROOT / "docs").rglob("*.md"))
    found["docs"] = [p for p in pages if p.name not in SKIPPED and p.parent.name not in SKIPPED]
    pages = [*ROOT.glob("*.md")]
    for folder in ("benchmarks", "examples", "changes"):
        pages += (ROOT / folder).rglob("*.md")
    found["pages"] = sorted(pages)
    return found


def counts() -> dict[str, dict[str, int]]:
    """The number of places of each kind in each room."""
    table = {}
    for room, files in rooms().items():
        row: dict[str, int] = dict.fromkeys(("words", "terms", "long", "names"), 0)
        for path in files:
            for place in places_of(path):
                row[place.kind] += 1
        table[room] = row
    return table


def rises(now: dict[str, dict[str, int]], before: dict[str, dict[str, int]]) -> list[str]:
    """A line for each count that is above the stored one."""
    new: dict[str, int] = dict.fromkeys(("words", "terms", "long", "names"), 0)
    before = {room: before.get(room, new) for room in now}
    return [
        f"{room}: {kind} rose from {before[room][kind]} to {number}. "
        f"List the places by tests/words.py --list {room}."
        for room, row in now.items()
        for kind, number in row.items()
        if number > before[room][kind]
    ]


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="store counts that fell")
    parser.add_argument("--list", metavar="ROOM", help="print the places of a room")
    asked = parser.parse_args()
    if asked.list:
        for path in rooms()[asked.list]:
            for place in places_of(path):
                print(f"{place.where}: {place.kind}: {place.text}")
        return 0
    now = counts()
    before = json.loads(STORE.read_text()) if STORE.exists() else now
    risen = rises(now, before)
    for line in risen:
        print(line, file=sys.stderr)
    if asked.write and not risen:
        STORE.write_text(json.dumps(now, indent=1) + "\n")
    total = {kind: sum(row[kind] for row in now.values()) for kind in ("words", "terms", "long", "names")}
    print("language: " + ", ".join(f"{number} {kind}" for kind, number in total.items()))
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
