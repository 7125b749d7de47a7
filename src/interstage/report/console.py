"""Print tables on a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..drawing.words import holds_unit, words

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_WORD = 22
"""Longest word of a table, in characters, that is not broken in a narrow line."""
OFF_TERMINAL = 160
"""Line width in characters for output to a file or another program, unless COLUMNS sets it."""
JOINTS = re.compile(r".+?[._-]+(?=[A-Za-z])|.+")
"""Pieces of a name; a line may break after each piece."""
COLUMN_GAP = 2
"""Characters between columns."""


def make_console() -> Console:
    """Return the console for tables: the terminal, or wide lines for other output."""
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

    In narrow lines, texts are wrapped and numbers stay complete."""
    from rich.table import Table as RichTable
    from rich.text import Text

    for table in found:
        grid = RichTable(
            title=table.title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        widths = _widths(table, console.width)
        for column, right, width in zip(table.columns, table.right, widths):
            justify = "right" if right else "left"
            heading = Text(_fold(column, width))
            grid.add_column(heading, justify=justify, header_style="dim", overflow="fold", width=width)
        for row, cells in enumerate(table.rows):
            texts = [Text(_fold(cell, width)) for cell, width in zip(cells, widths, strict=True)]
            grid.add_row(*texts, style="bold red" if row in table.bad else None)
        console.print(grid)
        console.print()


def _widths(table: Any, width: int) -> list[int]:
    """Return the width of each column for a line width.

    Numbers are never broken. Headings are broken before texts, and units only if necessary."""
    room = width - COLUMN_GAP * (len(table.columns) - 1)
    cells = [[row[k] for row in table.rows] for k in range(len(table.columns))]
    columns = list(zip(table.columns, table.right, cells, strict=True))
    filled = [max(map(len, cells), default=0) for _, _, cells in columns]
    wanted = [max(len(column), size) for (column, _, _), size in zip(columns, filled, strict=True)]
    tries = [(most, whole) for whole in (True, False) for most in range(LONGEST_WORD, 0, -1)]
    for most, whole in tries:
        least = []
        for column, right, cells in columns:
            texts = cells if right else [piece for cell in cells for piece in _pieces(cell, most, whole)]
            least.append(max(map(len, [*texts, *_pieces(column, most, whole)]), default=0))
        if sum(least) <= room:
            break
    while sum(wanted) > max(room, sum(least)):
        wide = [k for k in range(len(wanted)) if wanted[k] > least[k]]
        by_heading = [k for k in wide if wanted[k] > filled[k]]
        wanted[max(by_heading or wide, key=lambda k: wanted[k])] -= 1
    return wanted


def _pieces(text: str, most: int, whole: bool) -> list[str]:
    """Return the pieces of a text that stay complete if `most` characters fit. whole: also keep units
    complete."""
    return [
        piece if whole and holds_unit(word) else piece[:most]
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
