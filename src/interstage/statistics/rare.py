"""Rare events: probabilities that are too small for direct sampling, and the comparison of two methods.

A limit state is a function that returns margins (cases,) for inputs (inputs, cases). The inputs are
independent and have standard normal distributions. A case fails if its margin is 0 or below. An input x with
another distribution function F is computed from a standard normal input u as x = F^-1(Phi(u)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from .inputs import check_count
from .intervals import Interval, two_sided

LimitState = Callable[[np.ndarray], Any]
LEAST_EFFECTIVE = 30.0
"""Effective number of failed cases below which the interval of an estimate is doubtful."""


class CountedLimit:
    """Limit state that checks the shape of its results and counts cases.

    - evaluations: number of evaluated cases.
    - undefined: number of cases with a result that is not finite. These cases count as failures.
    """

    def __init__(self, limit: LimitState, inputs: int):
        self.limit, self.inputs = limit, check_count("inputs", inputs, 1)
        self.evaluations = self.undefined = 0

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Return the margins (cases,) at points (inputs, cases). A margin that is not a number becomes -inf.

        Raises ValueError if the limit state returns another shape.
        """
        cases = points.shape[1]
        margins = np.asarray(self.limit(points), float)
        if margins.shape != (cases,):
            raise ValueError(
                f"limit: the function returned shape {margins.shape} for inputs {points.shape}. Return one "
                "margin for each case, "
                f"shape ({cases},)."
            )
        self.evaluations += cases
        missing = np.isnan(margins)
        self.undefined += int(missing.sum())
        return np.where(missing, -np.inf, margins)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a note if some cases have no finite margin; otherwise an empty tuple."""
        if not self.undefined:
            return ()
        return (
            f"In {self.undefined} of {self.evaluations} cases, the limit-state function has no finite value. "
            "These cases count as failures.",
        )


@dataclass(frozen=True)
class RareEvent:
    """Estimated probability of a rare event.

    - method: "importance sampling" or "subset simulation".
    - probability: estimated probability.
    - interval, confidence: confidence interval of the probability, and its confidence.
    - variation: coefficient of variation of the estimate.
    - effective: effective number of failed cases.
    - evaluations: number of computed cases, including all searches.
    - notes: reasons to doubt the estimate; empty for none.
    """

    method: str
    probability: float
    interval: Interval
    confidence: float
    variation: float
    effective: float
    evaluations: int
    notes: tuple[str, ...] = ()

    @property
    def reliability_index(self) -> float:
        """Return the reliability index beta = -Phi^-1(probability)."""
        return float(-special.ndtri(self.probability))

    @property
    def sentence(self) -> str:
        """Return the probability with its interval as a sentence."""
        text = (
            f"The probability is {self.probability:.3g} by {self.method}, between"
            f" {self.interval.lower:.3g} and "
            f"{self.interval.upper:.3g} with {100 * self.confidence:.10g} % confidence, from "
            f"{self.evaluations} cases."
        )
        return " ".join((text, *self.notes))


def log_interval(probability: float, variation: float, confidence: float) -> Interval:
    """Return the confidence interval p exp(-/+ z v) of a probability p, limited to at most 1.

    variation: coefficient of variation v of the estimated probability.
    """
    if probability == 0.0 or not np.isfinite(variation):
        return Interval(0.0, 1.0)
    factor = float(np.exp(two_sided(confidence) * variation))
    return Interval(probability / factor, min(1.0, probability * factor))


@dataclass(frozen=True)
class Disagreement:
    """Two estimates of the same probability whose confidence intervals do not overlap."""

    first: RareEvent
    second: RareEvent

    @property
    def sentence(self) -> str:
        """Return the disagreement of the two methods as a sentence."""
        low, high = sorted((self.first, self.second), key=lambda event: event.probability)
        ratio = high.probability / low.probability if low.probability else np.inf
        return (
            f"The methods disagree: {high.method} gives {high.probability:.3g} ({_ends(high)}), but"
            f" {low.method} gives {low.probability:.3g} ({_ends(low)}). The results differ by the factor"
            f" {ratio:.3g}. One method may have missed a region of failures. Use the upper bound"
            f" {high.interval.upper:.3g}, and check the failed cases of {high.method}."
        )


def _ends(event: RareEvent) -> str:
    return f"{event.interval.lower:.3g} to {event.interval.upper:.3g}"


def compare_methods(first: RareEvent, second: RareEvent) -> Disagreement | None:
    """Compare two estimates of the same probability. Return a `Disagreement` if their intervals do not
    overlap, else None.

    Overlapping intervals do not prove the estimates, because both methods can miss the same region of
    failures.

    >>> low, high = (RareEvent("x", p, Interval(p / 2, 2 * p), 0.9, 0.1, 99.0, 999) for p in (1e-6, 1e-5))
    >>> compare_methods(low, low), compare_methods(low, high).second is high
    (None, True)
    """
    lower = max(first.interval.lower, second.interval.lower)
    upper = min(first.interval.upper, second.interval.upper)
    return Disagreement(first, second) if lower > upper else None
