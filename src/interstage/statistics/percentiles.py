"""Percentiles by order statistics: bounds with a confidence that is valid for any continuous distribution.

The order statistic of rank r is the r-th lowest of n values. This statistic is at or above the percentile of
fraction p with the confidence F(r - 1; n, p). F is the distribution function of the binomial distribution
(David and Nagaraja, Order Statistics, 2003, section 7.1). If several values can be equal, the confidence is
at least as high.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .binomial import _most_failures, allowed_failures, risk_of_passing, smallest_cases
from .inputs import Side, check_count, check_failures, check_probability, check_side, check_values
from .intervals import Estimate, Interval

Sides = Literal[1, 2]


def bound_cases(fraction: float, confidence: float = 0.9, rank: Any = 1, sides: Sides = 1) -> Any:
    """Return the smallest number of cases in which an order statistic bounds a fraction of all cases.

    - fraction: fraction of all cases that must be within the bound.
    - confidence: confidence level of the bound, between 0 and 1. Default: 0.9.
    - rank: rank of the bound from the end of the sample, of any shape. With 1 side, the bound is the
      rank-th highest value. With 2 sides, the bounds are the rank-th lowest and the rank-th highest
      value. Default: 1.
    - sides: 1 or 2. Default: 1.

    Raises ValueError for impossible values.

    >>> bound_cases(0.9973, 0.9, [1, 2, 3]).tolist(), int(bound_cases(0.9973, sides=2))
    ([852, 1440, 1970], 1440)

    Source: Wilks, Ann. Math. Stat. 12 (1941) 91. The fraction between two order statistics has a beta
    distribution.
    """
    ranks, _ = check_failures(rank, np.maximum(rank, 1))
    if (ranks < 1).any():
        raise ValueError("rank: 0 is not a rank. Give 1 for the highest value.")
    return smallest_cases(fraction, confidence, _check_sides(sides) * ranks - 1)


def bound_rank(cases: Any, fraction: float, confidence: float = 0.9, sides: Sides = 1) -> Any:
    """Return the largest rank whose order statistic bounds a fraction of all cases; 0 if the cases are too
    few.

    - cases: number of cases, of any shape.
    - fraction, confidence, sides: see `bound_cases`.

    Raises ValueError for impossible values.

    >>> bound_rank([851, 852, 2000], 0.9973).tolist()
    [0, 1, 3]
    """
    return ((allowed_failures(cases, fraction, confidence) + 1) // _check_sides(sides))[()]


def bound_confidence(cases: Any, fraction: float, rank: Any = 1, sides: Sides = 1) -> Any:
    """Return the confidence with which an order statistic bounds a fraction of all cases.

    - cases: number of cases, of any shape.
    - fraction, rank, sides: see `bound_cases`.

    Raises ValueError for impossible values.

    >>> f"{bound_confidence(2000, 0.9973, rank=3):.12f}"
    '0.905544508931'
    """
    p = check_probability("fraction", fraction)
    return 1.0 - risk_of_passing(np.asarray(rank) * _check_sides(sides) - 1, cases, p)


def _check_sides(sides: int) -> int:
    if sides not in (1, 2):
        raise ValueError(f"sides: {sides} is not 1 or 2.")
    return sides


def tolerance_interval(values: Any, fraction: float, confidence: float = 0.9) -> Interval:
    """Return an interval that contains at least a fraction of all cases, from order statistics.

    - values: (..., cases), in any unit.
    - fraction: fraction of all cases.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.

    The result is an `Interval` (...,) in the unit of the values, from the k-th lowest to the k-th highest
    value. The largest possible k is used. The interval is -inf to inf if the cases are too few. Raises
    ValueError for values that are not numbers.

    >>> tolerance_interval(np.arange(1, 1441), 0.9973)
    Interval(lower=np.float64(1.0), upper=np.float64(1440.0))
    """
    array = np.sort(check_values("values", values, finite=False), axis=-1)
    rank = int(bound_rank(array.shape[-1], fraction, confidence, sides=2))
    if rank == 0:
        ends = np.full(array.shape[:-1], np.inf)
        return Interval(-ends, ends)
    return Interval(array[..., rank - 1][()], array[..., -rank][()])


def percentile_ranks(
    cases: Any, fraction: float, confidence: float = 0.9, side: Side = "both"
) -> tuple[Any, Any]:
    """Return the ranks of the order statistics that bound a percentile. The lowest value has rank 1.

    - cases: number of cases n, of any shape.
    - fraction: fraction of the percentile; 0.5 is the median.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.
    - side: "both" divides the risk equally between both ends. "upper" and "lower" give one bound.
      Default: "both".

    The result is (lower rank, upper rank). The ranks 0 and n + 1 mean that the cases are too few for the
    bound. Raises ValueError for impossible values.

    >>> [int(rank) for rank in percentile_ranks(2000, 0.9973, side="upper")]
    [0, 1998]
    """
    p = check_probability("fraction", fraction)
    risk = 1.0 - check_probability("confidence", confidence)
    tail = risk / 2 if check_side(side) == "both" else risk
    _, n = check_failures(0, cases)
    lower, upper = np.zeros(n.shape), n + 1
    if side != "upper":
        lower = _most_failures(n, 1.0 - p, tail) + 1
    if side != "lower":
        upper = n - _most_failures(n, p, tail)
    return lower.astype(int)[()], upper.astype(int)[()]


def percentile_interval(
    values: Any, fraction: float, confidence: float = 0.9, side: Side = "both"
) -> Estimate:
    """Return a percentile with its confidence interval from order statistics.

    - values: (..., cases), in any unit.
    - fraction, confidence, side: see `percentile_ranks`.

    The result is an `Estimate` (...,) in the unit of the values. A bound is inf or -inf if the cases are too
    few. The estimate is median-unbiased (Hyndman and Fan, Am. Stat. 50 (1996) 361, definition 8). Raises
    ValueError for values that are not numbers.

    >>> percentile_interval(np.arange(1, 2001), 0.9973, side="upper").upper
    np.float64(1998.0)
    """
    array = np.sort(check_values("values", values, finite=False), axis=-1)
    lower, upper = percentile_ranks(array.shape[-1], fraction, confidence, side)
    ends = np.full((*array.shape[:-1], 1), np.inf)
    padded = np.concatenate([-ends, array, ends], axis=-1)
    return Estimate(
        _median_unbiased(array, fraction), padded[..., int(lower)][()], padded[..., int(upper)][()]
    )


def _median_unbiased(ordered: np.ndarray, fraction: float) -> Any:
    """Percentile by definition 8 of Hyndman and Fan; equal neighbours, inf too, are not interpolated."""
    n = ordered.shape[-1]
    place = np.clip(fraction * (n + 1 / 3) + 1 / 3, 1, n) - 1
    below = int(place)
    one, other = ordered[..., below], ordered[..., min(below + 1, n - 1)]
    with np.errstate(invalid="ignore"):
        between = one + (place - below) * (other - one)
    return np.where((one == other) | (place == below), one, between)[()]


@dataclass(frozen=True)
class Percentile:
    """Percentile of one response with its confidence bounds.

    - fraction, confidence, side, cases: arguments of `percentile`, and number of cases.
    - value, lower, upper: percentile and its bounds; see `percentile_interval`.
    - ranks: ranks of the bounds, from 1. The rank of a missing bound is 0 or cases + 1.
    - needed: smallest number of cases for which the bounds exist.
    - unit: unit in the sentence.
    - factor: factor from the unit of the values to the unit in the sentence.
    """

    fraction: float
    confidence: float
    side: Side
    cases: int
    value: float
    lower: float
    upper: float
    ranks: tuple[int, int]
    needed: int
    unit: str = ""
    factor: float = 1.0

    def _text(self, value: float) -> str:
        return f"{self.factor * value:.6g} {self.unit}".rstrip()

    @property
    def sentence(self) -> str:
        """Return the percentile with its bounds as a sentence."""
        name = f"{100 * self.fraction:.10g} % of cases"
        sure = f"with {100 * self.confidence:.10g} % confidence"
        if self.cases < self.needed:
            text = f"{self.cases} cases are too few for a bound of {name} {sure}"
            return f"{text}. The bound needs {self.needed} cases."
        if self.side == "upper":
            place = self.cases + 1 - self.ranks[1]
            bound = f"{_superlative(place, 'highest')} of {self.cases}"
            return f"At least {name} are at or below {self._text(self.upper)}, {sure} ({bound})."
        if self.side == "lower":
            name = f"{100 * (1 - self.fraction):.10g} % of cases"
            bound = f"{_superlative(self.ranks[0], 'lowest')} of {self.cases}"
            return f"At least {name} are at or above {self._text(self.lower)}, {sure} ({bound})."
        ends = f"{self._text(self.lower)} and {self._text(self.upper)}"
        return f"The percentile of {name} is between {ends}, {sure}."


def _superlative(rank: int, word: str) -> str:
    """A rank in words: "highest", "second highest", "21st highest"."""
    if rank <= 3:
        return ("", "second ", "third ")[rank - 1] + word
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending} {word}"


def percentile(values: Any, fraction: float, confidence: float = 0.9, side: Side = "upper") -> Percentile:
    """Return a percentile of one response with its bounds, their ranks, the necessary number of cases, and a
    sentence.

    - values: (cases,), in any unit.
    - fraction, confidence: see `percentile_ranks`.
    - side: see `percentile_ranks`. Default: "upper".

    Raises ValueError for values that are not numbers.

    >>> percentile(np.arange(1, 2001), 0.9973).sentence
    'At least 99.73 % of cases are at or below 1998, with 90 % confidence (third highest of 2000).'
    """
    array = check_values("values", values, finite=False)
    if array.ndim != 1:
        raise ValueError(
            f"values: shape {array.shape} has several axes. Give the values of one response, shape (cases,)."
        )
    found = percentile_interval(array, fraction, confidence, side)
    ranks = percentile_ranks(array.size, fraction, confidence, side)
    needed = _cases_for(fraction, confidence, side)
    value, lower, upper = (float(number) for number in found)
    return Percentile(
        fraction, confidence, side, array.size, value, lower, upper, (int(ranks[0]), int(ranks[1])), needed
    )


def _cases_for(fraction: float, confidence: float, side: Side) -> int:
    """Smallest number of cases with which both bounds of a side exist."""
    level = 0.5 + 0.5 * confidence if side == "both" else confidence
    least = []
    if side != "lower":
        least.append(smallest_cases(fraction, level))
    if side != "upper":
        least.append(smallest_cases(1.0 - fraction, level))
    return check_count("cases", max(least))
