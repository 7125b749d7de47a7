"""Detect values of a record that are only rounding errors. Figures and tables show these values as zero."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .record import Record, timeline

NOISE = 1e-12
"""Rounding error relative to the largest value of all quantities with the same unit.

If this largest value is below one SI unit, the rounding error is relative to one. A sum that should be zero
has this error after thousands of steps.
"""
WITHOUT_SUMS = ("kg/m^3",)
"""Units of quantities that are not sums, so their small values are not rounding errors."""


def noise(record: Record, paths: Iterable[str]) -> dict[str, float]:
    """Return the magnitude of the rounding errors of each quantity [SI], by path.

    The magnitude follows from the largest value of all listed quantities with the same unit.
    """
    paths, largest = [*paths], dict[str, float]()
    for path in paths:
        unit = record.meta[path].unit
        least = 0.0 if unit in WITHOUT_SUMS else 1.0
        largest[unit] = max(largest.get(unit, least), largest_of(record, path))
    # Torques result from forces on arms of about a metre.
    largest["N m"] = max(largest.get("N m", 1.0), largest.get("N", 1.0))
    return {path: NOISE * largest[record.meta[path].unit] for path in paths}


def largest_of(record: Record, path: str) -> float:
    """Return the largest magnitude of a quantity or component over time [SI]."""
    values = timeline(record, path)[1]
    return float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))


def without_rounding(value: float, least: float) -> float:
    """Return `value`, or zero if its magnitude is at most `least`."""
    return 0.0 if abs(value) <= least else value
