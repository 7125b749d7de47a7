"""What was found, and optima, in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drawing.table import Table, number
from ...tree.units import PURE_UNITS, display

if TYPE_CHECKING:
    from .find import Solved
    from .variables import Unknown

DIGITS = 7
FEW = 3
"""Digits of what says how something changes."""


def solved_tables(solved: Solved, units: str) -> list[Table]:
    """The inputs that were found, and what they do."""
    rows = [
        [one.name, *_pair(one, (one.own, value), units), _unit(one.display(units)[1])]
        for one, value in zip(solved.unknowns, solved.values)
    ]
    found = Table("Found", ["input", "was", "is", "unit"], rows, [False, True, True, False], key="found")
    rows = []
    for met, slopes in zip(solved.met, solved.slopes):
        factor, unit = display(met.unit, units)
        values = [number(value * factor, DIGITS) for value in (met.before, met.now)]
        off = number((met.now - met.wanted) * factor, FEW)
        slope = [
            f"{number(slope * factor / one.display(units)[0], FEW)} {per(unit, one.display(units)[1])}"
            for slope, one in zip(slopes, solved.unknowns)
        ]
        rows.append([met.asked.quantity, met.asked.where, *values, _unit(unit), off, ", ".join(slope)])
    columns = ["quantity", "when", "was", "is", "unit", "off by", "changes by"]
    right = [False, False, True, True, False, True, False]
    return [found, Table("So that", columns, rows, right, key="so that")]


def _pair(one: Unknown, values: tuple[float, ...], units: str) -> list[str]:
    factor = one.display(units)[0]
    return [number(value * factor, DIGITS) for value in values]


def _unit(unit: str) -> str:
    return "" if unit in PURE_UNITS else unit


def per(unit: str, other: str) -> str:
    """The unit of a change of one thing with another: "m/s per N/m"."""
    return f"{_unit(unit)} per {_unit(other) or '1'}".strip()
