"""Rank numbers independently of rounding errors."""

from __future__ import annotations

from typing import Any

import numpy as np

SAME = 1e-9
"""Relative difference up to which two numbers count as equal."""


def ranks(values: Any, floor: float = 0.0) -> np.ndarray:
    """Return the ranks (n,) of numbers (n,) in increasing order.

    Numbers that differ by rounding, or by at most `floor`, have equal ranks. NaN has the last rank.
    """
    values = np.asarray(values, float)
    order = np.argsort(values, kind="stable")
    lower, upper = values[order][:-1], values[order][1:]
    both = np.isfinite(lower) & np.isfinite(upper)
    one, other = np.where(both, (lower, upper), 0.0)
    near = other - one <= np.maximum(SAME * np.maximum(np.abs(one), np.abs(other)), floor)
    same = np.where(both, near, (lower == upper) | np.isnan(lower))
    found = np.zeros(len(values), int)
    found[order[1:]] = np.cumsum(~same)
    return found
