"""Orders of numbers that do not hang on their rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

SAME = 1e-9
"""Part of the larger one by which numbers may differ that are one but for what rounding made of them on the
way, from machine to machine."""


def ranks(values: Any, floor: float = 0.0) -> np.ndarray:
    """Places (n,) of numbers (n,) in rising order, the same for those that differ by rounding, or by no more
    than `floor`; entries that are not numbers come last."""
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
