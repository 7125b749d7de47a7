"""Tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_WORD, HEADING_WORD = 22, 6
"""Characters of a word in a table, and in its heading, that are not broken in a narrow line."""
COLUMN_GAP = 2
"""Characters between columns."""


def show_tables(console: Console, found: list[Any]) -> None:
    """Print tables, an empty line after each. Where a line is too narrow texts go on below, numbers stay
    whole."""
    from rich.table import Table as RichTable
    from rich.text import Text

    for table in found:
        grid = RichTable(
            title=table.title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        widths = _widths(table, console.width)
        for column, right, width in zip(table.columns, table.right, widths):
            justify = "right" if right else "left"
            grid.add_column(Text(column), justify=justify, header_style="dim", overflow="fold", width=width)
        for row, cells in enumerate(table.rows):
            grid.add_row(*(Text(cell) for cell in cells), style="bold red" if row in table.bad else None)
        console.print(grid)
        console.print()


def _widths(table: Any, width: int) -> list[int]:
    """Characters of each column on a line of so many: numbers are never broken, texts as little as there is
    room for."""
    room = width - COLUMN_GAP * (len(table.columns) - 1)
    cells = [[row[k] for row in table.rows] for k in range(len(table.columns))]
    columns = list(zip(table.columns, table.right, cells, strict=True))
    wanted = [max(map(len, [column, *cells])) for column, _, cells in columns]
    for most in range(LONGEST_WORD, 0, -1):
        least = []
        for column, right, cells in columns:
            words = cells if right else [word[:most] for cell in cells for word in cell.split()]
            heading = [word[: min(most, HEADING_WORD)] for word in column.split()]
            least.append(max(map(len, [*words, *heading]), default=0))
        if sum(least) <= room:
            break
    while sum(wanted) > max(room, sum(least)):
        spare = [one - other for one, other in zip(wanted, least, strict=True)]
        wanted[max(range(len(wanted)), key=lambda k: (spare[k] > 0) * wanted[k])] -= 1
    return wanted
