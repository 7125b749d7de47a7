"""Percentiles, means and probabilities of weighted samples, for example from importance sampling.

A weight is the density of the inputs divided by the density from which the sample was drawn.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .inputs import check_probability, check_values, check_weights
from .intervals import Estimate, around, one_sided, two_sided

Tail = Literal["upper", "lower", "none"]
LEAST_EFFECTIVE = 30.0
"""Effective number of cases below which no interval by the delta method is returned, because its coverage is
too low.
"""


def effective_cases(weights: Any) -> Any:
    """Return the effective number of cases (...,) of weights (..., cases): (sum w)^2 / sum w^2.

    The mean of this number of unweighted cases would have about the same variance. Raises ValueError for
    negative weights.

    >>> float(effective_cases([1.0, 1.0, 2.0]))
    2.6666666666666665

    Source: Kong, technical report 348, University of Chicago (1992).
    """
    array = check_weights(weights, np.shape(weights))
    return array.sum(-1) ** 2 / (array**2).sum(-1)


def weights_of_known(weights: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the weights of the cases that have a value, divided by their expected mean.

    - weights: (cases,), with an expected mean of 1 over all cases.
    - known: whether each case has a value (cases,).

    A sum of weights that is divided by the number of cases requires weights with mean 1. If the cases without
    a value depend on the inputs, the known weights have another mean.

    The probability of a value follows from the cases with a value, or from the other cases. The estimate
    with the smaller variance is used. Thus weights do not change if all cases have a value.

    >>> weights_of_known(np.array([0.5, 0.5, 2.0, 1.0]), np.array([True, True, False, False]))
    array([1., 1.])
    """
    of_known, of_others = np.where(known, weights, 0.0), np.where(known, 0.0, weights)
    share = of_known.mean()
    if of_others.var() <= of_known.var() and of_others.mean() < 1.0:
        share = 1.0 - of_others.mean()
    return weights[known] * (known.mean() / share) if share > 0 else weights[known]


def weighted_mean(
    values: Any, weights: Any, confidence: float = 0.9, normalized: bool = True, single: bool = False
) -> Estimate:
    """Return the mean of a weighted sample with its confidence interval.

    - values, weights: (..., cases).
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.
    - normalized: if true, the weighted sum is divided by the sum of the weights. If false, the sum is divided
      by the number of cases, which requires weights with mean 1. Default: True.
    - single: if true, each end alone is a one-sided bound with this confidence. Default: False.

    The result is an `Estimate` (...,) in the unit of the values. The interval follows from the delta method.
    The variance of the self-normalized mean is sum w^2 (y - mean)^2 / (sum w)^2 (Owen, Monte Carlo theory,
    methods and examples, chapter 9). The interval is asymptotic: see `effective_cases`.

    Raises ValueError for values that are not numbers and for negative weights.

    >>> round(float(weighted_mean([1.0, 3.0], [3.0, 1.0]).value), 6)
    1.5
    """
    z = _standard_errors(confidence, single)
    array = check_values("values", values, 2)
    weight = check_weights(weights, array.shape)
    if normalized:
        share = weight / weight.sum(-1, keepdims=True)
        mean = (share * array).sum(-1)
        error = np.sqrt((share**2 * (array - mean[..., None]) ** 2).sum(-1))
        return around(mean, error, z)
    n = array.shape[-1]
    return around((weight * array).mean(-1), (weight * array).std(-1, ddof=1) / np.sqrt(n), z)


def weighted_percentile(
    values: Any,
    weights: Any,
    fraction: float,
    confidence: float = 0.9,
    tail: Tail = "none",
    single: bool = False,
) -> Estimate:
    """Return a percentile of a weighted sample with its confidence interval.

    - values, weights: (..., cases).
    - fraction: fraction of the percentile.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.
    - tail: "upper" or "lower" adds the weights of the cases beyond the value and divides the sum by
      the number of cases. Use this tail if the draws of the inputs are shifted towards it. "none" divides by
      the sum of the weights. Default: "none".
    - single: if true, each end alone is a one-sided bound with this confidence. Default: False.

    The result is an `Estimate` (...,) in the unit of the values. An end is inf or -inf if it is beyond the
    sample. Both ends of the interval are infinite if the effective number of cases is below 30. With a tail,
    only the cases beyond the percentile count for this number.

    The interval follows from the delta method and is asymptotic. The ends of the interval are the values at
    the estimated fraction minus and plus z standard errors, moved outwards by one case.

    Raises ValueError for values that are not numbers and for negative weights.

    >>> weighted_percentile(np.arange(100.0), np.ones(100), 0.9)
    Estimate(value=np.float64(89.0), lower=np.float64(84.0), upper=np.float64(94.0))

    Source: Woodruff, JASA 47 (1952) 635. 151
    """
    p, z = check_probability("fraction", fraction), _standard_errors(confidence, single)
    array = check_values("values", values, 2, finite=False)
    weight = check_weights(weights, array.shape)
    if tail == "upper":
        found = weighted_percentile(-array, weight, 1.0 - p, confidence, "lower", single)
        return Estimate(-found.value, -found.upper, -found.lower)
    order = np.argsort(array, axis=-1, kind="stable")
    ordered, weight = np.take_along_axis(array, order, -1), np.take_along_axis(weight, order, -1)
    reached, error = (_below if tail == "lower" else _by_shares)(weight, p)
    at = np.minimum((reached < p).sum(-1, keepdims=True), array.shape[-1] - 1)
    half = z * np.take_along_axis(error, at, -1)
    lower, upper = (reached <= p - half).sum(-1), (reached < p + half).sum(-1) + 1
    counted = np.where(np.arange(array.shape[-1]) <= at, weight, 0.0) if tail == "lower" else weight
    few = effective_cases(counted) < LEAST_EFFECTIVE
    lower, upper = np.where(few, 0, lower), np.where(few, array.shape[-1] + 1, upper)
    ends = np.full((*array.shape[:-1], 1), np.inf)
    padded = np.concatenate([-ends, ordered, ends], axis=-1)
    return Estimate(
        *(np.take_along_axis(padded, k, -1)[..., 0][()] for k in (at + 1, lower[..., None], upper[..., None]))
    )


def _standard_errors(confidence: float, single: bool) -> float:
    """Distance of the ends of an interval from the estimate, in standard errors."""
    return (one_sided if single else two_sided)(check_probability("confidence", confidence))


def _by_shares(weight: np.ndarray, p: float) -> tuple[np.ndarray, np.ndarray]:
    """Fractions at each value by self-normalized weights, and their standard errors."""
    total = weight.sum(-1, keepdims=True)
    reached, square = np.cumsum(weight, -1), np.cumsum(weight**2, -1)
    all_square = square[..., -1:]
    variance = (1 - p) ** 2 * square + p**2 * (all_square - square)
    return reached / total, np.sqrt(variance) / total


def _below(weight: np.ndarray, p: float) -> tuple[np.ndarray, np.ndarray]:
    """Fractions at each value by the plain weights of a tail, and their standard errors."""
    n = weight.shape[-1]
    reached, square = np.cumsum(weight, -1) / n, np.cumsum(weight**2, -1) / n
    return reached, np.sqrt(np.maximum(square - reached**2, 0.0) / n)
