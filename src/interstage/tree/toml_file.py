"""Scenario files: reading of TOML with the line of each key, rejection of other files, and writing of
TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .addresses import label
from .declaration import Declaration
from .errors import BadInput, Problem
from .guarded_reader import SCENARIO, Missing, Unreadable, read_bytes
from .names import fault_of_text
from .sentences import list_text
from .similar_names import like_files

MAX_DEPTH = 64
KINDS = "A scenario is a .toml file with text in TOML. A saved flight is a .nc file"
"""Hint for a file that is neither TOML nor a saved flight."""
Lines = dict[str, int]
"""Type of a mapping from the path of each key or table header, ``bodies.stage.mass``, to its line (from
1).
"""


def read_text(path: Path) -> str:
    """Return the text of a scenario file. Raises `BadInput` for files that are not scenarios or cannot be
    read.
    """
    source = str(path)
    if path.is_dir():
        raise BadInput(
            "the path is a folder. Name a scenario file in this folder, for example "
            f"{path / 'scenario.toml'}",
            source,
        )
    try:
        content = read_bytes(path, SCENARIO)
    except Missing:
        raise BadInput(f"there is no such file{files_beside(path)}", source) from None
    except Unreadable as error:
        raise BadInput(str(error), source) from None
    if content.startswith(b"CDF"):
        raise BadInput(
            f"the file is a NetCDF file in the classic format, which saved flights do not use. {KINDS}",
            source,
        )
    if content.startswith(b"\x89HDF"):
        raise BadInput(
            "the file is a saved flight, not a scenario. Open the flight with interstage.open_flight", source
        )
    if b"\x00" in content[:4096] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"the file is a binary file, not a scenario. {KINDS}", source)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"the file is not UTF-8 text (byte {error.start}). Save the file as UTF-8", source
        ) from None


def files_beside(path: Path) -> str:
    """Return a hint for a missing scenario file: similar scenario files in its folder. If the folder has no
    similar files, the message lists the first scenario files in the folder.
    """
    try:
        found = sorted(p.name for p in path.parent.glob("*.toml"))
    except OSError:
        found = []
    if close := like_files(path.name, found):
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f"; scenario files in this folder: {list_text(found, 5)}" if found else ""


def parse(text: str, source: str | None = None) -> dict[str, Any]:
    """Return the tables of a TOML text. `source`: name of the file for messages. Raises `BadInput` for
    invalid TOML.
    """
    if not text.strip():
        raise BadInput("the file is empty. A scenario needs at least one body and one phase", source)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        ending = Path(source or "").suffix
        if ending.lower() not in ("", ".toml"):
            text = (
                f"the file is not a scenario: its name ends in {ending}, and the text is not valid TOML "
                f"({error})"
            )
            raise BadInput(f"{text}. {KINDS}", source) from None
        raise BadInput(f"the file is not valid TOML: {error}. {_remedy(str(error))}", source) from None
    except RecursionError:
        raise BadInput(f"the tables are nested too deeply; allowed: {MAX_DEPTH} levels", source) from None
    except (ValueError, OverflowError) as error:  # a number with thousands of digits
        raise BadInput(f"is not valid TOML: {error}", source) from None
    if _depth(data) > MAX_DEPTH:
        raise BadInput(f"the tables are nested {_depth(data)} levels deep; allowed: {MAX_DEPTH}", source)
    if found := [*unprintable(data)]:
        raise BadInput(with_lines(found, lines_of(text, data)), source)
    return data


def unprintable(data: Any, path: str = "") -> Iterator[Problem]:
    """Yield a problem for each text and each key with control characters, which files and terminals
    cannot show.
    """
    if isinstance(data, str):
        if fault := fault_of_text(data):
            yield Problem(path, fault)
    elif isinstance(data, dict):
        for key, value in data.items():
            if fault := fault_of_text(key):
                yield Problem(path, f"a key of this table {fault}")
            else:
                yield from unprintable(value, f"{path}.{key}".lstrip("."))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            if isinstance(value, str | dict | list):
                yield from unprintable(value, f"{path}.{label(value, index)}")


_TWICE = (
    "Cannot overwrite a value",
    "Cannot declare",
    "Duplicate inline",
)
"""First words of the messages for a duplicate key or table, from Python's TOML reader."""


def _remedy(error: str) -> str:
    if error.startswith("Cannot mutate immutable namespace"):
        return (
            "A table in braces { } cannot get more keys later. Add the key inside the braces,"
            " or write the table without braces"
        )
    if error.startswith(_TWICE):
        return "This key or table is set twice. Remove one of the two entries"
    return (
        'Texts and numbers with a unit need quotes ("2 deg", "[0, 0, 1] m"). Names of tables need [brackets]'
    )


def _depth(data: Any) -> int:
    """Return the number of nested levels of tables and lists, without recursion."""
    level, depth = [data], 0
    while level := [
        v
        for node in level
        for v in (node.values() if isinstance(node, dict) else node)
        if isinstance(v, (dict, list))
    ]:
        depth += 1
    return depth


_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_PATH = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_LINE = re.compile(rf"\s*(?:\[(?P<list>\[)?\s*(?P<table>{_PATH})\s*\]|(?P<key>{_PATH})\s*=)")


def lines_of(text: str, data: dict[str, Any]) -> Lines:
    """Return the line of each key of a TOML text, by its path. Paths name list entries by name.

    The function scans the text line by line. In texts and lists with several lines, the function can also
    find paths that do not exist. Paths that do not exist have no effect.
    """
    lines: Lines = {}
    counts: dict[tuple[str, ...], int] = {}
    head: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.match(line)
        if match is None:
            continue
        keys = tuple(k.strip("\"'") for k in re.findall(_KEY, match["table"] or match["key"]))
        if match["table"]:
            if match["list"]:
                counts[keys] = counts.get(keys, -1) + 1
            head = _path_with_names(keys, data, counts)
            keys = ()
            for size in range(1, len(head)):
                lines.setdefault(".".join(head[:size]), number)
        for size in range(len(keys) + 1):
            lines.setdefault(".".join((*head, *keys[:size])), number)
    return lines


def _path_with_names(keys: tuple[str, ...], data: Any, counts: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    """Return the path of a table header. The latest entry of each list is addressed by its name."""
    node, path = data, []
    for size, key in enumerate(keys, start=1):
        path.append(key)
        node = node.get(key) if isinstance(node, dict) else None
        if isinstance(node, list):
            index = counts.get(keys[:size], 0)
            node = node[index] if index < len(node) else None
            path.append(label(node, index))
    return tuple(path)


def with_lines(problems: list[Problem], lines: Lines) -> list[Problem]:
    """Return the problems with their line numbers, sorted by line.

    The line of a problem is the line of the innermost key in its path that the file contains.
    """
    placed = []
    for problem in problems:
        steps = problem.place.split(".")
        above = (".".join(steps[:size]) for size in range(len(steps), 0, -1))
        line = next((lines[path] for path in above if path in lines), None) if not problem.setting else None
        placed.append(Problem(problem.place, problem.message, line, problem.setting))
    return sorted(placed, key=lambda p: p.line or 0)


# --- writing ------------------------------------------------------------------------------------------------


def dumps(tree: Declaration) -> str:
    """Return a declaration as TOML text in a fixed form: SI units, all values that are set, and numbers that
    are read back exactly.
    """
    return "\n".join(_table(plain(tree), "")) + "\n"


def plain(node: Any) -> Any:
    """Return a declaration as tables, lists, texts and numbers, without values that are not set. The name is
    the first key of a table.
    """
    if isinstance(node, Declaration):
        if (short := node.written()) is not None:
            return short
        fields = {f.alias or name: getattr(node, name) for name, f in type(node).model_fields.items()}
        values = {k: fields[k] for k in ("name", *fields) if k in fields} | (node.__pydantic_extra__ or {})
        return {
            k: plain(v) for k, v in values.items() if v is not None and not (isinstance(v, tuple) and not v)
        }
    if isinstance(node, tuple):
        return [plain(item) for item in node]
    return node if isinstance(node, (str, bool, int)) else np.asarray(node, dtype=float).tolist()


def _table(table: dict[str, Any], path: str) -> list[str]:
    """Yield the lines of a table: its values, then its lists of tables.

    At the top level its tables follow, each with a header.
    """
    below = {k: v for k, v in table.items() if _is_tables(v) or (isinstance(v, dict) and not path)}
    lines = [f"{_key(k)} = {inline(v)}" for k, v in table.items() if k not in below]
    for key, entries in below.items():
        here = path + _key(key)
        if isinstance(entries, dict):
            lines += ["", f"[{here}]", *_table(entries, here + ".")]
            continue
        for entry in entries:
            lines += ["", f"[[{here}]]", *_table(entry, here + ".")]
    return lines


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else inline(key)


def inline(value: Any) -> str:
    """Return a value in TOML in one line, for example an inline table."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {inline(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\u{ord(m[0]):04x}", escaped) + '"'
    return str(value).lower() if isinstance(value, bool) else repr(value)
