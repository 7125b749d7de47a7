"""Empirical distribution function with its confidence band, and convergence of estimates with the number of
cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .binomial import clopper_pearson
from .inputs import check_count, check_probability, check_values
from .intervals import Estimate
from .normal import mean_interval
from .percentiles import percentile_interval

Band = Literal["simultaneous", "pointwise"]


@dataclass(frozen=True)
class EmpiricalDistribution:
    """Empirical distribution function, which is constant between the values.

    - values: (..., cases), in ascending order.
    - fraction: (cases,), fraction of cases that are equal to each value or below it.
    - lower, upper: (cases,), bounds of the distribution function from each value up to the next
      value.
    """

    values: np.ndarray
    fraction: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


def empirical_distribution(
    values: Any, confidence: float = 0.9, band: Band = "simultaneous"
) -> EmpiricalDistribution:
    """Return the empirical distribution function of values, with a confidence band that is valid for any
    distribution.

    - values: (..., cases), in any unit; infinity is allowed.
    - confidence: confidence level of the band, between 0 and 1. Default: 0.9.
    - band: "simultaneous" contains the whole function with this confidence; its half width is
      sqrt(ln(2 / risk) / (2 cases)), with risk = 1 - confidence. "pointwise" contains the function at
      only one value, which must be chosen before the campaign. Default: "simultaneous".

    Raises ValueError for values that are not numbers.

    >>> found = empirical_distribution([3.0, 1.0, 2.0, 4.0])
    >>> found.values.tolist(), found.fraction.tolist()
    ([1.0, 2.0, 3.0, 4.0], [0.25, 0.5, 0.75, 1.0])

    Source: Dvoretzky, Kiefer and Wolfowitz with Massart's constant, Ann. Probab. 18 (1990) 1269; pointwise:
    Clopper and Pearson.
    """
    level = check_probability("confidence", confidence)
    ordered = np.sort(check_values("values", values, finite=False), axis=-1)
    n = ordered.shape[-1]
    fraction = np.arange(1, n + 1) / n
    if band == "pointwise":
        ends = clopper_pearson(np.arange(1, n + 1), n, level)
        return EmpiricalDistribution(ordered, fraction, ends.lower, ends.upper)
    if band != "simultaneous":
        raise ValueError(f'band: "{band}" is unknown. Choose "simultaneous" or "pointwise".')
    half = np.sqrt(np.log(2.0 / (1.0 - level)) / (2 * n))
    return EmpiricalDistribution(
        ordered, fraction, np.maximum(fraction - half, 0.0), np.minimum(fraction + half, 1.0)
    )


@dataclass(frozen=True)
class Convergence:
    """Estimates of one quantity from an increasing number of cases.

    - cases: number of cases (points,).
    - estimate: estimate from these cases with its interval (points,).
    """

    cases: np.ndarray
    estimate: Estimate


def convergence(
    values: Any,
    of: Literal["mean", "failures", "percentile"] = "mean",
    confidence: float = 0.9,
    *,
    fraction: float = 0.5,
    points: int = 50,
) -> Convergence:
    """Return estimates from an increasing number of cases, for example for a plot.

    - values: (cases,), in the order of the cases. For "failures": whether each case failed.
    - of: estimated quantity: "mean", "failures" (the fraction of failed cases) or "percentile".
      Default: "mean".
    - confidence: confidence level of each interval, between 0 and 1. Default: 0.9.
    - fraction: fraction of the percentile. Default: 0.5.
    - points: number of estimates, at equal intervals of the logarithm of the number of cases.
      Default: 50.

    Each interval is valid only for its own number of cases. If a campaign stops as soon as an interval looks
    good, the stated confidence is lost. For repeated evaluations, declare looks before the campaign
    (`interstage.statistics.looks`). Raises ValueError for values that are not numbers.

    >>> convergence([0, 0, 1, 0], "failures", points=2).estimate.value.tolist()
    [0.0, 0.25]
    """
    array = check_values("values", values, 4, finite=of != "percentile")
    counts = np.unique(np.geomspace(2, array.size, check_count("points", points, 2)).round().astype(int))
    if of == "failures":
        failed = np.cumsum(array != 0.0)[counts - 1]
        return Convergence(counts, Estimate(failed / counts, *clopper_pearson(failed, counts, confidence)))
    if of == "mean":
        found = [mean_interval(array[:n], confidence) for n in counts]
    elif of == "percentile":
        found = [percentile_interval(array[:n], fraction, confidence) for n in counts]
    else:
        raise ValueError(f'of: "{of}" is unknown. Choose "mean", "failures" or "percentile".')
    return Convergence(counts, Estimate(*map(np.array, zip(*found))))
