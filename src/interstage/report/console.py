"""Print tables on a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..drawing.words import holds_unit, words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

LONGEST_WORD = 22
"""Maximum number of characters of a word that is not divided in a narrow table."""
OFF_TERMINAL = 160
"""Line width in characters if the output is a file or another program.

The environment variable COLUMNS overrides it.
"""
JOINTS = re.compile(r".+?[._-]+(?=[A-Za-z])|.+")
"""Pattern of the pieces of a name. A line break is allowed after each piece."""
NUMBER = re.compile(r"[(\[]?[-+]?\d[\d.]*(e[-+]?\d+)?[,;:)\]]*")
"""Pattern of a number in a text, including signs and brackets at its ends."""
COLUMN_GAP = 2
"""Number of spaces between two columns."""


def make_console() -> Console:
    """Return the console that prints tables. If the output is not a terminal, its lines are wide."""
    from rich.console import Console

    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=OFF_TERMINAL if wide else None)


def show_with_notes(console: Console, found: Iterable[Any]) -> None:
    """Print tables, each followed by its note."""
    from rich.text import Text

    for table in found:
        show_tables(console, [table])
        if table.note:
            console.print(Text(table.note), style="dim")
            console.print()


def show_tables(console: Console, found: list[Any]) -> None:
    """Print tables, each followed by an empty line.

    If a line is too narrow, texts are wrapped, but numbers are not divided. A table that is still too wide is
    printed in several blocks of columns. Each block begins with the first column.
    """
    from rich.text import Text

    for table in found:
        columns = [
            _Column(heading, right, [row[k] for row in table.rows])
            for k, (heading, right) in enumerate(zip(table.columns, table.right))
        ]
        for number, block in enumerate(_blocks(columns, console.width)):
            title = f"{table.title} (continued)" if number else table.title
            console.print(Text(title, style="bold"))
            console.print(_grid(table, [columns[k] for k in block], console.width))
            console.print()


class _Column(NamedTuple):
    """A column of a table: its heading, whether it is aligned to the right, and its cells."""

    heading: str
    right: bool
    cells: list[str]


def _grid(table: Any, columns: Sequence[_Column], width: int) -> RichTable:
    """Return a block of columns for a line width."""
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(box=None, pad_edge=False)
    widths = _widths(columns, width)
    for (heading, right, _), own in zip(columns, widths):
        justify = "right" if right else "left"
        text = Text(_fold(heading, own))
        grid.add_column(text, justify=justify, header_style="dim", overflow="fold", width=own)
    for row in range(len(table.rows)):
        texts = [Text(_fold(one.cells[row], own)) for one, own in zip(columns, widths, strict=True)]
        grid.add_row(*texts, style="bold red" if row in table.bad else None)
    return grid


def _blocks(columns: Sequence[_Column], width: int) -> list[list[int]]:
    """Return the columns of each block of a table: as many as fit in a line without a broken word."""
    least = [_least_width(one, LONGEST_WORD, True) for one in columns]
    blocks = [[0]]
    for k in range(1, len(columns)):
        block = [*blocks[-1], k]
        if len(block) > 2 and sum(least[j] for j in block) > _room(len(block), width):
            blocks.append([0, k])
        else:
            blocks[-1] = block
    return blocks


def _room(columns: int, width: int) -> int:
    """Return the characters of a line for the cells of some columns."""
    return width - COLUMN_GAP * (columns - 1)


def _widths(columns: Sequence[_Column], width: int) -> list[int]:
    """Return the width of each column for a line width.

    Numbers are never broken. Headings are broken before texts, and units only if necessary."""
    room = _room(len(columns), width)
    filled = [max(map(len, one.cells), default=0) for one in columns]
    wanted = [max(len(one.heading), size) for one, size in zip(columns, filled, strict=True)]
    tries = [(most, whole) for whole in (True, False) for most in range(LONGEST_WORD, 0, -1)]
    for most, whole in tries:
        least = [_least_width(one, most, whole) for one in columns]
        if sum(least) <= room:
            break
    while sum(wanted) > max(room, sum(least)):
        wide = [k for k in range(len(wanted)) if wanted[k] > least[k]]
        by_heading = [k for k in wide if wanted[k] > filled[k]]
        wanted[max(by_heading or wide, key=lambda k: wanted[k])] -= 1
    return wanted


def _least_width(column: _Column, most: int, whole: bool) -> int:
    """Return the smallest width of a column. Pieces of its texts may be broken after `most` characters."""
    cells = column.cells
    if not column.right:
        cells = [piece for cell in cells for piece in _pieces(cell, most, whole)]
    return max(map(len, [*cells, *_pieces(column.heading, most, whole)]), default=0)


def _pieces(text: str, most: int, whole: bool) -> list[str]:
    """Return the pieces of a text that stay complete if `most` characters fit; numbers always do. whole: also
    keep units complete."""
    return [
        piece if (whole and holds_unit(word)) or NUMBER.fullmatch(piece) else piece[:most]
        for word in words(text)
        for piece in _parts(word)
    ]


def _parts(word: str) -> list[str]:
    return [word] if holds_unit(word) else JOINTS.findall(word)


def _fold(text: str, width: int) -> str:
    """Return a text in lines of at most a width; lines break between words, in long words between pieces."""
    if len(text) <= width:
        return text
    lines, end = [""], 0
    for word in words(text):
        start = text.index(word, end)
        gap, end = text[end:start], start + len(word)
        for piece in _parts(word) if len(word) > width else [word]:
            if lines[-1] and len(lines[-1]) + len(gap) + len(piece) > width:
                lines.append("")
            lines[-1] += gap + piece if lines[-1] else piece
            gap = ""
    return "\n".join(lines)
