"""Create the tables of a trim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drawing.table import Table, number, unit_text
from ...tree.units import PURE_UNITS, display

if TYPE_CHECKING:
    from .result import Trimmed

DIGITS = 7
FEW_DIGITS = 3
"""Significant digits of deviations."""
ROUNDING = 1e-14
"""A value is printed as zero if it is below this fraction of the scenario value. For angles and
dimensionless numbers, the reference is at least 1.
"""
ANGLES = ("rad", *PURE_UNITS)
"""Units of values with the natural magnitude 1."""


def tables(trimmed: Trimmed, units: str) -> list[Table]:
    """Return a table of the unknowns and a table of the conditions. units: "SI" or "US"."""
    rows = []
    for one, value in zip(trimmed.unknowns, trimmed.values, strict=True):
        factor, unit = one.display(units)
        size = max(abs(one.own), float(one.unit in ANGLES))
        value = 0.0 if abs(value) <= ROUNDING * size else value
        shown = [number(part * factor, DIGITS) for part in (one.own, value)]
        rows.append([one.name, *shown, unit_text(unit)])
    columns = ["unknown", "start value", "found value", "unit"]
    found = Table("Unknowns", columns, rows, [False, True, True, False], key="found")
    rows = []
    for held in trimmed.held:
        factor, unit = display(held.unit, units)
        shown = [number(part * factor, DIGITS) for part in (held.before, held.wanted)]
        off = number((held.now - held.wanted) * factor, FEW_DIGITS)
        rows.append([held.name, *shown, unit_text(unit), off])
    columns = ["condition", "start value", "required value", "unit", "deviation at trim"]
    right = [False, True, True, False, True]
    # Accelerations are in the notes: a title is one line.
    title = f"Conditions of the trim; the mechanism {trimmed.standing.partition(':')[0]}"
    holds = Table(title, columns, rows, right, key="holds")
    return [table for table in (found, holds) if table.rows]
