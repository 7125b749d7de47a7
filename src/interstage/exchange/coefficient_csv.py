"""Read coefficient tables from CSV files.

In the long form, each row has one point of the grid. In the matrix form, the table has two variables: one for
the rows, and one for the columns.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..tree.errors import Refused
from ..tree.similar_names import near
from ..tree.unit_names import parse_unit
from .csv_file import CsvFile, Row


class Column(NamedTuple):
    """Independent variable of a coefficient table: its name, its unit (None without a unit), and its
    points.
    """

    variable: str
    unit: str | None
    points: Any


class Read(NamedTuple):
    """Contents of a coefficient file: axes, points as written in the file, and values on the grid (n1, ...,
    nd).
    """

    axes: list[Column]
    values: Any
    in_si: bool = False
    """True if the first line of the file declares that values without a unit are in SI units."""


def read(path: str, column: str | None = None, stated: tuple[str, ...] = ()) -> Read:
    """Read a coefficient table from a CSV file.

    - column: name of the column with the values, if the file has several columns of values.
    - stated: names of the variables in the scenario.

    Raises `Refused` at ``file`` or ``column``, with the line.
    """
    source = CsvFile(path)
    rows = source.rows()
    if "\\" in rows[0][1][0]:
        if column is not None:
            raise Refused(
                ("column", f"{path} has one matrix and no columns of values. Remove the key column")
            )
        return _matrix(source, rows)._replace(in_si=source.in_si)
    return _long(source, rows, column, stated)._replace(in_si=source.in_si)


def _increasing(source: CsvFile, column: Column, lines: list[int]) -> None:
    """Reject points of a matrix that do not increase."""
    for k in range(1, len(column.points)):
        if not column.points[k] > column.points[k - 1]:
            low, high = column.points[k - 1], column.points[k]
            text = (
                f"the values of {column.variable} must increase, but {high:g} follows {low:g}."
                " Sort the points"
            )
            raise source.refuse(text, lines[k])


def _matrix(source: CsvFile, rows: list[Row]) -> Read:
    line, header = rows[0]
    corner = header[0].split("\\")
    if len(corner) != 2:
        raise source.refuse(
            "the first cell does not have the names of two variables. Write, for example, 'mach \\"
            " alpha [deg]'",
            line,
        )
    (down, down_unit), (right, right_unit) = (source.name(cell, line) for cell in corner)
    across = Column(right, right_unit, np.array([source.number(c, line, right) for c in header[1:]]))
    body = source.numbers(rows[1:], [down, *(f"{right} {c}" for c in header[1:])])
    along = Column(down, down_unit, body[:, 0])
    _increasing(source, across, [line] * len(across.points))
    _increasing(source, along, [n for n, _ in rows[1:]])
    return Read([along, across], body[:, 1:])


def _long(source: CsvFile, rows: list[Row], column: str | None, stated: tuple[str, ...]) -> Read:
    line, header = rows[0]
    columns = [source.name(cell, line) for cell in header]
    names = [name for name, _ in columns]
    for k, name in enumerate(names):
        if name in names[:k]:
            raise source.refuse(f"column {name} is repeated. Give each column a different name", line)
    body = source.numbers(rows[1:], names)
    axes = _axis_columns(source, names, body, column, stated)
    value = names.index(column) if column is not None else axes[-1] + 1
    written = [Column(*columns[k], body[:, k]) for k in axes]
    points, order = _grid_order(source, written, [n for n, _ in rows[1:]])
    grid = [c._replace(points=p) for c, p in zip(written, points, strict=True)]
    scale = _value_factor(source, *columns[value], line)
    return Read(grid, (body[order, value] * scale).reshape([len(p) for p in points]))


def _value_factor(source: CsvFile, name: str, unit: str | None, line: int) -> float:
    """Return the factor from the unit of the values to SI. A coefficient has no unit except a power of an
    angle."""
    factor, dimension = parse_unit(unit) if unit is not None else (1.0, parse_unit("1")[1])
    if any(dimension[:3] + dimension[4:]):
        text = (
            f"column {name} is in {unit}. Give the column without a unit, or with a unit per angle like "
            "[1/deg]"
        )
        raise source.refuse(text, line)
    return factor


def _axis_columns(source: CsvFile, names: list[str], body: Any, column: str | None, stated: Any) -> list[int]:
    """Return the indices of the variable columns. Default: all columns except the last. If a column of values
    is named: the leading columns that form a complete grid, or, if none do, the columns that the scenario
    names."""
    if column is not None and column not in names:
        raise Refused(("column", f"'{column}' is not a column of {source.path}; {near(column, names)}"))
    last = len(names) - 1 if column is None else names.index(column)
    if column is None:
        return list(range(last))
    known = [k for k, name in enumerate(names) if name in stated]
    for count in range(1, last + 1):
        sizes = [len(np.unique(body[:, k])) for k in range(count)]
        complete = math.prod(sizes) == len(body) == len(np.unique(body[:, :count], axis=0))
        if complete and all(k < count for k in known):
            return list(range(count))
    if known and last not in known:
        return known
    first = ", ".join(names[:last])
    text = f"the first columns ({first}) do not form a grid with one row for each combination of their points"
    raise source.refuse(
        f'{text}. Give the variables by axes, for example axes = [{{ variable = "{names[0]}" }}]'
    )


def _grid_order(source: CsvFile, axes: list[Column], lines: list[int]) -> tuple[list[Any], Any]:
    """Return (points of each axis, indices of the rows in the order of the grid)."""
    unique = [np.unique(c.points, return_inverse=True) for c in axes]
    points = [p for p, _ in unique]
    cell = np.ravel_multi_index([i.reshape(-1) for _, i in unique], [len(p) for p in points])
    total = math.prod(len(p) for p in points)
    order = np.argsort(cell, kind="stable")
    again = np.flatnonzero(np.diff(cell[order]) == 0)
    if again.size:
        k = again[np.argmin(order[again + 1])]
        first, second = (lines[order[j]] for j in (k, k + 1))
        text = f"the row of {_point(axes, points, cell[order[k]])} repeats line {first}"
        raise source.refuse(f"{text}. Keep one of the two rows, or list all variables in axes", second)
    if len(cell) != total:
        missing = np.setdiff1d(np.arange(total), cell)[0]
        text = f"there is no row for {_point(axes, points, missing)}"
        raise source.refuse(f"{text}. Add one row for each combination of the points")
    return points, order


def _point(axes: list[Column], points: list[Any], cell: Any) -> str:
    index = np.unravel_index(int(cell), [len(p) for p in points])
    named = zip(axes, points, index, strict=True)
    return ", ".join(f"{c.variable} = {p[i]:g}{f' {c.unit}' if c.unit else ''}" for c, p, i in named)
