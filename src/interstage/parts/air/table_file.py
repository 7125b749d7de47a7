"""Coefficient tables in CSV files: in long form, a row for each point of the grid, or as a matrix over two
variables."""

from __future__ import annotations

import csv
import math
import re
from typing import Any, NamedTuple

import numpy as np

from ...tree.bare_angles import states_si
from ...tree.errors import Refused, counted, near
from ...tree.guarded_reader import TABLE, Unreadable, read_text
from ...tree.unit_names import UnitError, parse_unit

Row = tuple[int, list[str]]
"""A line's number, from 1, and its cells."""


class Column(NamedTuple):
    """A variable, its points, and their unit if the header has one."""

    variable: str
    unit: str | None
    points: Any


class Read(NamedTuple):
    """Contents of a file: axes, points as written, and values of the grid (n1, ..., nd)."""

    axes: list[Column]
    values: Any
    in_si: bool = False
    """Whether its first line declares numbers without a unit as SI."""


def read(path: str, column: str | None = None, stated: tuple[str, ...] = ()) -> Read:
    """Read a CSV file. column: the column of the values, if there are several. stated: variables known from
    the scenario. Raises `Refused` at ``file`` or ``column``, with the line."""
    source = Source(path)
    rows = source.rows()
    if "\\" in rows[0][1][0]:
        if column is not None:
            raise Refused(("column", f"{path} has one matrix and no columns of values. Remove column"))
        return _matrix(source, rows)._replace(in_si=source.in_si)
    return _long(source, rows, column, stated)._replace(in_si=source.in_si)


class Source:
    """A file with its rows of cells, and its errors. example: a possible header."""

    def __init__(self, path: str, example: str = "mach, alpha [deg], CD"):
        self.path, self.example, self.in_si = path, example, False

    def refuse(self, text: str, line: int | None = None) -> Refused:
        at = f", line {line}" if line else ""
        return Refused(("file", f"{self.path}{at}: {text}"))

    def rows(self) -> list[Row]:
        """Lines without comments and blanks, each with as many cells as the header."""
        try:
            text = read_text(self.path, TABLE)
        except Unreadable as error:
            raise self.refuse(str(error)) from None
        self.in_si = states_si(text)
        lines = ((n, line.split("#", 1)[0]) for n, line in enumerate(text.splitlines(), start=1))
        rows = [(n, self.cells(line, n)) for n, line in lines if line.strip()]
        if len(rows) < 2:
            raise self.refuse(f"has no table. Give a header, like '{self.example}', and rows below it")
        line, header = rows[0]
        if len(header) < 2:
            raise self.refuse("the header has one cell. Separate cells by commas", line)
        if any(map(_is_number, header)) and "\\" not in header[0]:
            text = f"the first line, '{', '.join(header)[:40]}', has numbers in place of column names"
            raise self.refuse(f"{text}. Put a header above it, like '{self.example}'", line)
        for n, cells in rows[1:]:
            if len(cells) != len(header):
                many = counted(len(cells), "cells")
                text = f"has {many}, but the header has {len(header)}. Give one number for each"
                raise self.refuse(text, n)
        return rows

    def cells(self, text: str, line: int) -> list[str]:
        """The cells of a line."""
        try:
            return [cell.strip() for cell in next(csv.reader([text], skipinitialspace=True))]
        except csv.Error:
            most = csv.field_size_limit()
            raise self.refuse(f"a cell has more than {most} characters. Give a number", line) from None

    def number(self, cell: str, line: int, column: str) -> float:
        try:
            number = float(cell)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            shown = f"'{cell}' is not a finite number" if cell else "is empty"
            raise self.refuse(f"column {column}: {shown}. Give a number like -1.5 or 2e-3", line)
        return number

    def numbers(self, rows: list[Row], names: list[str]) -> Any:
        """All cells of rows, in columns of these names, as numbers (row, column)."""
        return np.array(
            [[self.number(c, n, name) for c, name in zip(cells, names, strict=True)] for n, cells in rows]
        )

    def name(self, cell: str, line: int) -> tuple[str, str | None]:
        """Name and unit of a header cell, like "alpha [deg]"."""
        match = re.fullmatch(r"\s*([^\[\]]+?)\s*(?:\[([^\[\]]*)\])?\s*", cell)
        if match is None:
            raise self.refuse(
                f"'{cell}' is not the name of a column. Write it like mach, or alpha [deg]", line
            )
        name, unit = match[1], match[2]
        try:
            parse_unit(unit) if unit is not None else None
        except UnitError as error:
            raise self.refuse(f"column {name}: {error}", line) from None
        return name, unit


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _increasing(source: Source, column: Column, lines: list[int]) -> None:
    """Reject points of a matrix that do not increase."""
    for k in range(1, len(column.points)):
        if not column.points[k] > column.points[k - 1]:
            low, high = column.points[k - 1], column.points[k]
            text = f"{column.variable} must increase; {high:g} follows {low:g}"
            raise source.refuse(text, lines[k])


def _matrix(source: Source, rows: list[Row]) -> Read:
    line, header = rows[0]
    corner = header[0].split("\\")
    if len(corner) != 2:
        raise source.refuse(
            "the first cell does not name two variables. Write it like 'mach \\ alpha [deg]'", line
        )
    (down, down_unit), (right, right_unit) = (source.name(cell, line) for cell in corner)
    across = Column(right, right_unit, np.array([source.number(c, line, right) for c in header[1:]]))
    body = source.numbers(rows[1:], [down, *(f"{right} {c}" for c in header[1:])])
    along = Column(down, down_unit, body[:, 0])
    _increasing(source, across, [line] * len(across.points))
    _increasing(source, along, [n for n, _ in rows[1:]])
    return Read([along, across], body[:, 1:])


def _long(source: Source, rows: list[Row], column: str | None, stated: tuple[str, ...]) -> Read:
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


def _value_factor(source: Source, name: str, unit: str | None, line: int) -> float:
    """Factor from the unit of the values to SI: a coefficient has no unit except a power of an angle."""
    factor, dimension = parse_unit(unit) if unit is not None else (1.0, parse_unit("1")[1])
    if any(dimension[:3] + dimension[4:]):
        text = f"column {name} is in {unit}. Give pure numbers, or numbers per angle, like [1/deg]"
        raise source.refuse(text, line)
    return factor


def _axis_columns(source: Source, names: list[str], body: Any, column: str | None, stated: Any) -> list[int]:
    """Indices of the variable columns. Default: all but the last. If a column of values is named, the leading
    columns that form a complete grid; if none do, the columns named in the scenario."""
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
    text = f"no leading columns of {first} form a complete grid, with one row for each combination of points"
    raise source.refuse(f'{text}. Name the variables, like axes = [{{ variable = "{names[0]}" }}]')


def _grid_order(source: Source, axes: list[Column], lines: list[int]) -> tuple[list[Any], Any]:
    """(points of each axis, indices of the rows in the order of the grid)."""
    unique = [np.unique(c.points, return_inverse=True) for c in axes]
    points = [p for p, _ in unique]
    cell = np.ravel_multi_index([i.reshape(-1) for _, i in unique], [len(p) for p in points])
    total = math.prod(len(p) for p in points)
    order = np.argsort(cell, kind="stable")
    again = np.flatnonzero(np.diff(cell[order]) == 0)
    if again.size:
        k = again[np.argmin(order[again + 1])]
        first, second = (lines[order[j]] for j in (k, k + 1))
        text = f"{_point(axes, points, cell[order[k]])} is repeated; its first row is line {first}"
        raise source.refuse(f"{text}. Keep one of the two, or name all variables in axes", second)
    if len(cell) != total:
        missing = np.setdiff1d(np.arange(total), cell)[0]
        text = f"there is no row for {_point(axes, points, missing)}"
        raise source.refuse(f"{text}. Give one for each combination of the points")
    return points, order


def _point(axes: list[Column], points: list[Any], cell: Any) -> str:
    index = np.unravel_index(int(cell), [len(p) for p in points])
    named = zip(axes, points, index, strict=True)
    return ", ".join(f"{c.variable} = {p[i]:g}{f' {c.unit}' if c.unit else ''}" for c, p, i in named)
