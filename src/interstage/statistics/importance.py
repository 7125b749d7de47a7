"""Importance sampling: inputs are drawn from regions of likely failures, and each case has a weight that
corrects for this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from .binomial import clopper_pearson
from .inputs import check_count, check_probability, check_weights
from .intervals import Estimate, Interval
from .rare import LEAST_EFFECTIVE, CountedLimit, LimitState, RareEvent
from .shifts import USUAL_LEVELS, Shifts, cross_entropy, design_points, usual_design_cases
from .weighted import effective_cases, weighted_mean

Search = Literal["design_points", "cross_entropy", "both"]
UNSHIFTED = 0.1
"""Fraction of the cases that are drawn from the original distribution. This fraction limits all weights to 1
/ 0.1 = 10.
"""


def weighted_probability(
    failed: Any, weights: Any, confidence: float = 0.9, normalized: bool = False, single: bool = False
) -> Estimate:
    """Return a probability of failure from a weighted sample, with its confidence interval.

    - failed: (..., cases), whether each case failed.
    - weights: (..., cases), density of the inputs divided by the density from which they were drawn.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.
    - normalized: if true, the weighted number of failures is divided by the sum of the weights,
      otherwise by the number of cases. True is better for likely failures, and necessary for weights
      with an unknown factor. False is better for rare failures. Default: False.
    - single: if true, each end alone is a one-sided bound with this confidence. Default: False.

    The result is an `Estimate` (...,). The interval is p exp(-/+ z v), with the coefficient of variation v
    from the delta method. The interval is asymptotic: valid for about 30 effective failed cases or more.
    Without a failed case, the interval is 0 to 1.

    Raises ValueError for negative weights.

    >>> found = weighted_probability(np.arange(100) < 40, np.full(100, 0.01))
    >>> f"{found.value:.4f} {found.lower:.4f} {found.upper:.4f}"
    '0.0040 0.0033 0.0049'
    """
    fails = np.asarray(failed, float)
    weight = check_weights(weights, fails.shape)
    found = weighted_mean(fails, weight, confidence, normalized, single)
    positive = found.value > 0.0
    value = np.where(positive, found.value, 1.0)
    factor = np.exp((found.upper - found.value) / value)
    lower = np.where(positive, value / factor, 0.0)
    upper = np.where(positive, np.minimum(value * factor, 1.0), 1.0)
    return Estimate(found.value, lower[()], upper[()])


def mixture_weights(points: Any, shifts: Any, unshifted: float = UNSHIFTED) -> np.ndarray:
    """Return the weights (cases,) of points (inputs, cases) that were drawn from a mixture of shifted normal
    distributions.

    - shifts: (regions, inputs), means of the shifted distributions, which have equal fractions of the
      mixture.
    - unshifted: fraction of the distribution without a shift.

    The weight is the standard normal density divided by the density of the mixture (balance heuristic, Veach
    and Guibas 1995).
    """
    s = np.asarray(shifts, float)
    log = s @ np.asarray(points, float) - 0.5 * (s**2).sum(1, keepdims=True)
    log = np.concatenate([np.zeros((1, log.shape[1])), log])
    share = np.array([unshifted, *[(1.0 - unshifted) / len(s)] * len(s)])[:, None]
    largest = log.max(0)
    return np.exp(-largest) / (share * np.exp(log - largest)).sum(0)


def importance_sampling(
    limit: LimitState,
    inputs: int,
    cases: int = 2000,
    *,
    shifts: Any = None,
    search: Search = "both",
    level: int = 1000,
    confidence: float = 0.9,
    normalized: bool = False,
    seed: int | np.random.Generator = 0,
    expected: Callable[[int], None] | None = None,
) -> RareEvent:
    """Return the probability of a rare event by importance sampling.

    - limit: limit state, a function of (inputs, cases) that returns (cases,).
    - inputs: number of inputs.
    - cases: number of cases of the sampling, in addition to the cases of the search. Default: 2000.
    - shifts: (regions, inputs), means of the shifted distributions. Default: found by a search.
    - search: "design_points", "cross_entropy", or "both" to use the points of both searches. Default:
      "both".
    - level: number of cases in each level of the cross-entropy search. Default: 1000.
    - confidence, normalized: see `weighted_probability`.
    - seed: seed of the random numbers, or a generator. Default: 0.
    - expected: function that is called with the expected final number of cases during the search, for a
      report of progress. It has no effect on the result. Default: none.

    The result is a `RareEvent` with the effective number of failed cases. A tenth of the cases is drawn
    without a shift, so that no weight is above 10. If no case failed, the upper end of the interval is ten
    times the Clopper-Pearson bound for the drawn cases. If the search misses a region of failures, the
    sampling can miss this region too. Therefore compare the result with `subset_simulation`.

    Raises ValueError for impossible values, or if the limit state returns another shape.

    >>> found = importance_sampling(lambda u: 4.0 - u[0], 2)
    >>> found.interval.contains(3.167e-5)
    True

    Source: Owen, Monte Carlo theory, methods and examples, chapter 9 (defensive mixtures).
    """
    draw = np.random.default_rng(seed)
    counted = CountedLimit(limit, inputs)
    number = check_count("cases", cases, 2)

    def report(count: int) -> None:
        if expected is not None:
            expected(count + number)

    means, evaluations, notes = _shifts(limit, inputs, shifts, search, level, draw, report)
    report(evaluations)
    region = draw.integers(len(means), size=number)
    shifted = draw.uniform(size=number) >= UNSHIFTED
    points = draw.standard_normal((inputs, number)) + np.where(shifted, means[region].T, 0.0)
    weight = mixture_weights(points, means)
    failed = counted(points) <= 0.0
    found = weighted_probability(failed, weight, confidence, normalized)
    interval = Interval(float(found.lower), float(found.upper))
    effective = float(effective_cases(weight[failed])) if failed.any() else 0.0
    if not failed.any():
        bound = clopper_pearson(0, number, check_probability("confidence", confidence), "upper").upper
        interval = Interval(0.0, min(1.0, float(bound) / UNSHIFTED))
    if effective < LEAST_EFFECTIVE:
        notes += (
            f"The effective number of failed cases is only {effective:.2g}. The interval is not reliable.",
        )
    p = float(found.value)
    variation = float(np.std(failed * weight, ddof=1) / np.sqrt(number) / p) if p else np.inf
    return RareEvent(
        "importance sampling",
        p,
        interval,
        confidence,
        variation,
        effective,
        evaluations + number,
        notes + counted.notes,
    )


def _searches(search: Search) -> tuple[str, ...]:
    """Names of the searches. Raises ValueError for an unknown one."""
    names = "design_points", "cross_entropy"
    known = {**{name: (name,) for name in names}, "both": names}
    if search not in known:
        raise ValueError(f'search: "{search}" is unknown. Choose {", ".join(known)}.')
    return known[search]


def usual_cases(search: Search, inputs: int, level: int) -> int:
    """Return the usual number of cases of a search, for a report of progress.

    - search: see `importance_sampling`.
    - inputs: number of inputs.
    - level: number of cases in each level of the cross-entropy search.
    """
    return _usual_cases(_searches(search), inputs, level)


def _usual_cases(searches: Sequence[str], inputs: int, level: int) -> int:
    usual = {"design_points": usual_design_cases(inputs), "cross_entropy": USUAL_LEVELS * level}
    return sum(usual[name] for name in searches)


def _shifts(
    limit: LimitState,
    inputs: int,
    shifts: Any,
    search: Search,
    level: int,
    draw: np.random.Generator,
    expected: Callable[[int], None],
) -> tuple[np.ndarray, int, tuple[str, ...]]:
    """Shifts (regions, inputs), the cases of their search, and a note if it did not converge.

    expected: function of the expected number of cases of the search."""
    if shifts is not None:
        means = np.atleast_2d(np.asarray(shifts, float))
        if means.shape[1] != inputs:
            raise ValueError(
                f"shifts: the array has the shape {means.shape}, but there are {inputs} inputs. Give"
                f" the shape (regions, {inputs})."
            )
        return means, 0, ()
    methods = {"design_points": design_points, "cross_entropy": partial(cross_entropy, cases=level)}
    found: list[Shifts] = []
    left = [*_searches(search)]
    while left:
        expected(sum(one.evaluations for one in found) + _usual_cases(left, inputs, level))
        found.append(methods[left.pop(0)](limit, inputs, seed=draw))
    usable = [one for one in found if one.converged and len(one.points)]
    notes = (
        ()
        if usable
        else ("The search for failed cases did not converge. Set shifts, or use subset_simulation.",)
    )
    means = np.concatenate(
        [one.points for one in usable or found if len(one.points)] or [np.zeros((1, inputs))]
    )
    return means, sum(one.evaluations for one in found), notes
