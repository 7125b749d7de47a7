"""Values of a record that are rounding: figures draw them as zero, and tables print them as zero."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .record import Record, timeline

NOISE = 1e-12
"""Part of the largest value of a unit, or of one in SI, up to which values are rounding: what thousands of
steps leave of sums that are zero."""
WITHOUT_SUMS = ("kg/m^3",)
"""Units of quantities that are no sums: small values of them are no rounding."""


def noise(record: Record, paths: Iterable[str]) -> dict[str, float]:
    """Size [SI] up to which each of some quantities is rounding, next to the others in its unit."""
    paths, largest = [*paths], dict[str, float]()
    for path in paths:
        unit = record.meta[path].unit
        least = 0.0 if unit in WITHOUT_SUMS else 1.0
        largest[unit] = max(largest.get(unit, least), largest_of(record, path))
    # Torques come of forces on arms of a metre or so.
    largest["N m"] = max(largest.get("N m", 1.0), largest.get("N", 1.0))
    return {path: NOISE * largest[record.meta[path].unit] for path in paths}


def largest_of(record: Record, path: str) -> float:
    """The largest size of a quantity, or of a component of it, over time [SI]."""
    values = timeline(record, path)[1]
    return float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))


def without_rounding(value: float, least: float) -> float:
    """A value, or zero if it is rounding: not above a size in the same unit."""
    return 0.0 if abs(value) <= least else value
