"""Confidence intervals and estimates: the result types of the statistical functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import special


class Interval(NamedTuple):
    """Confidence interval in the unit of the estimate: lower and upper end, scalars or arrays of the same
    shape.
    """

    lower: Any
    upper: Any

    def contains(self, value: Any) -> Any:
        """Return whether a value is in the interval. Both ends of an interval belong to the interval."""
        return (self.lower <= value) & (value <= self.upper)


class Estimate(NamedTuple):
    """Estimated value with the ends of its confidence interval: scalars or arrays of the same shape and
    unit.
    """

    value: Any
    lower: Any
    upper: Any

    @property
    def interval(self) -> Interval:
        """Return the confidence interval of the estimate."""
        return Interval(self.lower, self.upper)


def two_sided(confidence: float) -> float:
    """Return the half width of a two-sided confidence interval of a normal estimate, in standard errors.

    Example: 1.645 for a confidence of 0.9.
    """
    return float(special.ndtri(0.5 + 0.5 * confidence))


def one_sided(confidence: float) -> float:
    """Return the distance of a one-sided bound of a normal estimate from the estimate, in standard errors.

    Example: 1.282 for a confidence of 0.9.
    """
    return float(special.ndtri(confidence))


def student(confidence: float, degrees: Any) -> Any:
    """Return the half width of a two-sided confidence interval by Student's t distribution, in standard
    errors.

    degrees: number of degrees of freedom.
    """
    return special.stdtrit(degrees, 0.5 + 0.5 * confidence)


def around(value: Any, error: Any, factor: Any) -> Estimate:
    """Return an estimate whose confidence interval is value -/+ factor * error.

    error: standard error of the value. factor: half width of the interval in standard errors.
    """
    half = factor * np.asarray(error)
    return Estimate(value, value - half, value + half)
