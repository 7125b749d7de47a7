"""Read CSV files of a campaign: rows of dispersed inputs, and correlation matrices."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...exchange.csv_file import CsvFile, Row
from ...programs.targets import Target
from ...tree.errors import BadInput, Problem, Refused
from ...tree.sentences import count_text, list_text, sentence
from ...tree.similar_names import near
from ...tree.unit_names import PURE, UnitError, base_unit, compatible, parse_unit
from ...tree.units import PURE_UNITS
from .declared import Correlation
from .dispersion import Dispersion
from .inputs import label_of, targets_at

EXAMPLE = "bodies.payload.mass [kg], bodies.payload.mass_centre.x [mm]"
HEAD = re.compile(r"\s*(.+?)\s*(?:\[([^\[\]]*[^\W\d][^\[\]]*)\])?\s*")
"""Pattern of a column heading: a name with an optional unit in brackets. A number in brackets, such as [3],
is an index and not a unit.
"""
MOST_GAPS = 3
MOST_COLUMNS = 8


class RowColumn(NamedTuple):
    """A column of a file: its name, its SI unit, and the scenario input that it sets, or None."""

    name: str
    unit: str
    target: Target | None


def _file_rows(place: str, file: str, folder: Path, example: str, columns: int) -> tuple[CsvFile, list[Row]]:
    source = CsvFile(str(folder / file), example, columns)
    try:
        return source, source.rows()
    except Refused as error:
        raise BadInput(Problem(f"{place}.{p.place}", p.message) for p in error.problems) from None


def _numbers(place: str, source: CsvFile, rows: list[Row], names: list[str]) -> np.ndarray:
    """All cells as numbers (rows, columns). Raises BadInput with the first gaps."""
    found, gaps = np.full((len(rows), len(names)), np.nan), []
    for k, (line, cells) in enumerate(rows):
        for j, cell in enumerate(cells):
            with suppress(ValueError):
                found[k, j] = float(cell)
            if not np.isfinite(found[k, j]):
                gaps.append(f"line {line}, column {names[j]} ({repr(cell) if cell else 'empty'})")
    if gaps:
        count = count_text(len(gaps), "cells")
        text = f"{source.path}: {count} have no number: {'; '.join(gaps[:MOST_GAPS])}"
        raise BadInput(Problem(f"{place}.file", f"{text}. Write the missing numbers, or remove the rows"))
    return found


def read_rows(scenario: Any, one: Dispersion, folder: Path) -> tuple[list[RowColumn], np.ndarray]:
    """Return the columns of a dispersion's file and its values (rows, columns) in SI. Raises BadInput."""
    assert one.file is not None
    source, rows = _file_rows(one.place, one.file, folder, EXAMPLE, 1)
    heads = [_head(one, source, cell, rows[0][0]) for cell in rows[0][1]]
    names = [name for name, _ in heads]
    problems = [*_column_problems(one, source, names)]
    columns: list[RowColumn] = []
    factors: list[float] = []
    for name, unit in heads:
        try:
            column, factor = _column(scenario, one, source, name, unit)
            columns.append(column)
            factors.append(factor)
        except BadInput as error:
            problems += error.problems
    try:
        table = _numbers(one.place, source, rows[1:], names)
    except BadInput as error:
        problems += error.problems
    if problems:
        raise BadInput(dict.fromkeys(problems))
    return columns, table * np.array(factors)


def _head(one: Dispersion, source: CsvFile, cell: str, line: int) -> tuple[str, str | None]:
    match = HEAD.fullmatch(cell)
    if match is None:
        text = f"{source.path}, line {line}: a column has no name. Write a header such as '{EXAMPLE}'"
        raise BadInput(Problem(f"{one.place}.file", text))
    return match[1], match[2]


def _column_problems(one: Dispersion, source: CsvFile, names: list[str]) -> list[Problem]:
    found = []
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        found.append(
            Problem(
                f"{one.place}.file", f"{source.path}: column {name} is repeated. Remove one of the columns"
            )
        )
    for name in one.columns or {}:
        if name not in names:
            text = f"{source.path} has no column '{name}'; {near(name, names, 'columns')}"
            found.append(Problem(f"{one.place}.columns", text))
    return found


def _column(
    scenario: Any, one: Dispersion, source: CsvFile, name: str, unit: str | None
) -> tuple[RowColumn, float]:
    """A column, and the factor from its unit to SI. Raises BadInput."""
    place = f"{one.place}.file"
    path = name if one.columns is None else one.columns.get(name)
    try:
        factor, dimension = parse_unit(unit) if unit is not None else (1.0, PURE)
    except UnitError as error:
        raise BadInput(Problem(place, f"{source.path}: column {name}: {error}")) from None
    if path is None:
        return RowColumn(name, base_unit(dimension), None), factor
    target = _single_target(scenario, one, path, f"{source.path}: column {name}")
    wanted = target.marker.unit
    if unit is None and wanted not in PURE_UNITS:
        text = f"{source.path}: column {name} has no unit. Write the header {name} [{wanted}]"
        raise BadInput(Problem(place, text))
    if not compatible(dimension, parse_unit(wanted or "1")[1]):
        text = f"{source.path}: column {name} is in {unit or '1'}, but the input is in {wanted or '1'}"
        raise BadInput(Problem(place, f"{text}. Correct the header or the path"))
    return RowColumn(name, wanted, target), factor


def _single_target(scenario: Any, one: Dispersion, path: str, column: str) -> Target:
    """The one number of a path. Raises BadInput."""
    place = f"{one.place}.{'file' if one.columns is None else 'columns'}"
    try:
        targets = targets_at(scenario, path, place)
    except BadInput as error:
        fix = "Name an input, or list the columns that are inputs in columns"
        raise BadInput(
            Problem(place, f"{sentence(f'{column}: ' + p.message.removeprefix(f'{path}: '))} {fix}")
            for p in error.problems
        ) from None
    if len(targets) != 1 or np.ndim(targets[0].nominal):
        names = [f"{targets[0].name}[0]"] if len(targets) == 1 else [label_of(target) for target in targets]
        text = (
            f"{column} sets several numbers. Use one column for each number, for example"
            f" {list_text(names, MOST_COLUMNS)}"
        )
        raise BadInput(Problem(place, text))
    return targets[0]


def read_matrix(one: Correlation, folder: Path) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the dispersion names and the correlation matrix from the file of a correlated group. Raises
    BadInput.
    """
    assert one.file is not None
    source, rows = _file_rows(one.place, one.file, folder, "mass, offset", 2)
    names = rows[0][1]
    if one.of and {*one.of} != {*names}:
        text = f"{source.path} has the columns {', '.join(names)}, but `of` has {', '.join(one.of)}"
        raise BadInput(Problem(f"{one.place}.file", f"{text}. Use the same names, or remove `of`"))
    return tuple(names), _numbers(one.place, source, rows[1:], names)
