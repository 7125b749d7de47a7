"""Read CSV files with a header: rows of cells, names and units of columns, and values. Errors state their
line.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..tree.bare_angles import states_si
from ..tree.errors import Refused
from ..tree.guarded_reader import TABLE, Unreadable, read_text
from ..tree.saving import write_file
from ..tree.sentences import count_text
from ..tree.unit_names import UnitError, parse_unit

Row = tuple[int, list[str]]
"""Number of a line, counted from 1, and the cells of this line."""


class CsvFile:
    """CSV file with a header. The methods return rows and values of the file, and create errors with line
    numbers.

    - path: path of the file.
    - example: valid header, which error messages show.
    - columns: minimum number of columns.
    - in_si: whether all values are in SI units.
    """

    def __init__(self, path: str, example: str = "mach, alpha [deg], CD", columns: int = 2):
        self.path, self.example, self.columns, self.in_si = path, example, columns, False

    def refuse(self, text: str, line: int | None = None) -> Refused:
        at = f", line {line}" if line else ""
        return Refused(("file", f"{self.path}{at}: {text}"))

    def rows(self) -> list[Row]:
        """Return the rows without comments and blank lines. Each row has one cell for each column of the
        header.
        """
        try:
            text = read_text(self.path, TABLE)
        except Unreadable as error:
            raise self.refuse(str(error)) from None
        self.in_si = states_si(text)
        lines = ((n, line.split("#", 1)[0]) for n, line in enumerate(text.splitlines(), start=1))
        rows = [(n, self.cells(line, n)) for n, line in lines if line.strip()]
        if len(rows) < 2:
            raise self.refuse(
                f"the file has no table. Write a header such as '{self.example}', and rows of"
                " numbers below the header"
            )
        line, header = rows[0]
        if len(header) < self.columns:
            raise self.refuse("the header has only one column. Separate the columns by commas", line)
        if any(map(_is_number, header)) and "\\" not in header[0]:
            text = f"the first line, '{', '.join(header)[:40]}', has numbers in place of column names"
            raise self.refuse(f"{text}. Write a header above this line, such as '{self.example}'", line)
        for n, cells in rows[1:]:
            if len(cells) != len(header):
                many = count_text(len(cells), "cells")
                text = (
                    f"the line has {many}, but the header has {len(header)}. Write one number for each column"
                )
                raise self.refuse(text, n)
        return rows

    def cells(self, text: str, line: int) -> list[str]:
        """Divide the text of a line into its cells. line: number of the line, for errors."""
        try:
            return [cell.strip() for cell in next(csv.reader([text], skipinitialspace=True))]
        except csv.Error:
            most = csv.field_size_limit()
            raise self.refuse(f"a cell has more than {most} characters. Write a number", line) from None

    def number(self, cell: str, line: int, column: str) -> float:
        try:
            number = float(cell)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            shown = f"'{cell}' is not a finite number" if cell else "the cell is empty"
            raise self.refuse(f"column {column}: {shown}. Write a number such as -1.5 or 2e-3", line)
        return number

    def numbers(self, rows: list[Row], names: list[str]) -> Any:
        """Convert the cells of rows to an array of values (row, column). names: names of the columns, for
        error messages.
        """
        return np.array(
            [[self.number(c, n, name) for c, name in zip(cells, names, strict=True)] for n, cells in rows]
        )

    def name(self, cell: str, line: int) -> tuple[str, str | None]:
        """Return the name and the unit of a header cell such as "alpha [deg]". line: number of the line, for
        errors.
        """
        match = re.fullmatch(r"\s*([^\[\]]+?)\s*(?:\[([^\[\]]*)\])?\s*", cell)
        if match is None:
            raise self.refuse(
                f"'{cell}' is not a valid column name. Write a name like mach, or a name with a unit"
                f" like alpha [deg]",
                line,
            )
        name, unit = match[1], match[2]
        try:
            parse_unit(unit) if unit is not None else None
        except UnitError as error:
            raise self.refuse(f"column {name}: {error}", line) from None
        return name, unit


def write_csv(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write rows to a CSV file. Raises BadInput if the file cannot be written."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_file(path, text.getvalue())


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
