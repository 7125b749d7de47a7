"""Ranges of the variables of aerodynamic tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.contract import Range
from ...tree.units import display
from .function_model import FunctionModel, looked_up_by

PURE = ("", "1", "nd")
"""The texts for a dimensionless unit. These units are not printed after a number."""


def ranges(scenario: Any) -> dict[tuple[str, str, str], Range]:
    """Return the range of each table variable, by (entry, table, variable).

    The keys (table, variable) are equal to the keys of `airloads.distances_beyond`.
    """
    return {
        (declared.name, table, variable): found
        for declared in scenario.aerodynamics
        for table, variable, found in _of(declared)
    }


def _of(declared: Any) -> Iterator[tuple[str, str, Range]]:
    for name, coefficient in declared.coefficients.by_name().items():
        for axis in getattr(coefficient, "axes", ()):
            yield name, axis.variable, _of_axis(_label(declared, name), axis)
    if declared.functions is not None:
        yield from _of_functions(declared, declared.functions)


def _label(declared: Any, table: str) -> str:
    return f"aerodynamics.{declared.name} on {declared.body}" + (f": {table}" if table else "")


def _of_axis(what: str, axis: Any) -> Range:
    """Return the axis of the table of a coefficient."""
    factor, unit = display(axis.unit or "1")
    ends = float(axis.points[0]) * factor, float(axis.points[-1]) * factor
    refuses = axis.outside == "refuse"
    return Range(what, _words(axis.variable), factor, _text(unit), ends, refuses, not refuses)


def _of_functions(declared: Any, functions: FunctionModel) -> Iterator[tuple[str, str, Range]]:
    """Return the bounded inputs of a model and of its tables. Values are limited to the bounds."""
    units = {part.name: _text(part.unit) for part in functions.inputs}
    for part in functions.inputs:
        if _range_of_bounds(part):
            what = _label(declared, "")
            yield "", part.name, Range(what, _words(part.name), 1.0, units[part.name], holds=True)
    for table in functions.tables:
        outside = {axis.outside for axis in table.table.axes}
        holds = bool(outside - {"refuse"}) or any(map(_range_of_bounds, table.limits))
        what = _label(declared, table.name)
        for name in looked_up_by(table):
            unit = units.get(name, "")
            yield table.name, name, Range(what, _words(name), 1.0, unit, None, "refuse" in outside, holds)


def _range_of_bounds(part: Any) -> bool:
    return (part.min, part.max) != (None, None)


def _words(variable: str) -> str:
    return variable.replace("_", " ")


def _text(unit: str) -> str:
    return "" if unit in PURE else unit
