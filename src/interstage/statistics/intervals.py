"""Intervals and estimates, as all functions of this room return them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import special


class Interval(NamedTuple):
    """Confidence interval in the unit of the estimate. Both ends are scalars or arrays of one shape."""

    lower: Any
    upper: Any

    def contains(self, value: Any) -> Any:
        """Return whether the interval contains a value, ends included."""
        return (self.lower <= value) & (value <= self.upper)


class Estimate(NamedTuple):
    """Estimate with its confidence interval: scalars or arrays of one shape, in one unit."""

    value: Any
    lower: Any
    upper: Any

    @property
    def interval(self) -> Interval:
        """Return the confidence interval."""
        return Interval(self.lower, self.upper)


def two_sided(confidence: float) -> float:
    """Return the half width of a two-sided normal interval in standard errors, for example 1.645 for 0.9."""
    return float(special.ndtri(0.5 + 0.5 * confidence))


def student(confidence: float, degrees: Any) -> Any:
    """Return the factor of a two-sided interval by Student's t with some degrees of freedom."""
    return special.stdtrit(degrees, 0.5 + 0.5 * confidence)


def around(value: Any, error: Any, factor: Any) -> Estimate:
    """Return an estimate with the interval value -/+ factor times its standard error."""
    half = factor * np.asarray(error)
    return Estimate(value, value - half, value + half)
