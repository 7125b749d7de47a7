"""Tables of the documentation pages that the package contains: quantities, and kinds of joints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from ..bundled import folder
from .keys import slug

QUANTITIES, KINDS = "quantities.md", "conventions.md"
"""Pages with tables of quantities and of kinds of joints."""
COMPONENTS = ("x", "y", "z", "magnitude", "xx", "yy", "zz", "xy", "xz", "yz", "yaw", "pitch", "roll")


@dataclass(frozen=True)
class Row:
    """A row of a reference table: path pattern, cells and heading. `prefix`: paths before the names, or
    ""."""

    names: tuple[str, ...]
    cells: tuple[str, ...]
    header: tuple[str, ...]
    page: str
    heading: str
    prefix: str = ""

    @property
    def address(self) -> str:
        """Page and anchor of the table."""
        return f"docs/{self.page}#{slug(self.heading)}"


@dataclass(frozen=True)
class QuantityText:
    """A quantity of the page of quantities: path with <name> for names, unit, meaning and page."""

    path: str
    unit: str
    meaning: str
    address: str

    def matches(self, topic: str) -> bool:
        """Return whether a topic is this path, with or without names and a component, or its last part."""
        return any(re.fullmatch(one, topic) for one in _patterns(self.path))


def rows(page: str) -> Iterator[Row]:
    """Yield the rows of all tables of a page with names in their first cell."""
    file = folder("docs") / page
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    heading, prefix, header = "", "", ()
    for line in text.splitlines():
        if title := re.match(r"(#+) (.*)", line):
            heading = title[2]
            if len(title[1]) <= 2:
                prefix = next(iter(re.findall(r"`([^`]+)`", heading)), "")
        elif line.startswith("|"):
            cells = tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            names = tuple(re.findall(r"`([^`]+)`", cells[0]))
            if names and header:
                yield Row(names, cells, header, page, heading, prefix)
            header = header or cells
        else:
            header = ()


def quantities() -> list[QuantityText]:
    """Return all quantities of the page of quantities."""
    found = []
    for row in rows(QUANTITIES):
        if row.header[1] != "unit" or not row.prefix:
            continue
        units = [unit.strip() for unit in row.cells[1].split(",")]
        for name, unit in zip_longest(row.names, units[: len(row.names)], fillvalue=units[-1]):
            path = name if "." in name and row.prefix.startswith(name.split(".")[0]) else row.prefix + name
            found.append(
                QuantityText(path.replace(">name", ">.name"), unit, plain(row.cells[2]), row.address)
            )
    return found


def kind_rows(kind: str) -> list[Row]:
    """Return the rows of the tables of kinds on the page of conventions for a kind."""
    return [row for row in rows(KINDS) if row.header[0] == "kind" and kind in row.names]


def plain(text: str) -> str:
    """Return a text of a page without links and emphasis."""
    return re.sub(r"\*\*", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text))


def _patterns(path: str) -> Iterator[str]:
    """Yield expressions for topics: the path with its names, without them, and its last part."""
    steps = path.split(".")
    end = rf"(?:\.(?:{'|'.join(COMPONENTS)}))?"
    yield r"\.".join(r"[\w<>-]+" if "<" in step else re.escape(step) for step in steps) + end
    yield r"\.".join(re.escape(step) for step in steps if "<" not in step) + end
    yield re.escape(steps[-1])
