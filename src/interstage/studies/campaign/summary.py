"""Compute statistics of the responses of a campaign."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing.table import unit_text
from ...maths.ranking import SAME, ranks
from ...statistics.intervals import Estimate
from ...statistics.normal import mean_interval, sigma_interval
from ...statistics.percentiles import Percentile, percentile
from ...statistics.weighted import weighted_mean, weighted_percentile, weights_of_known
from ...tree.errors import BadInput
from ...tree.units import display
from .columns import COMPLETED, LIMIT, NOT_STARTED, RESPONSE, Output

if TYPE_CHECKING:
    from .result import CampaignResult

LEAST = 2


def values_of(result: CampaignResult, output: Output) -> np.ndarray:
    """Return the values (cases,) of a response or a limit in SI."""
    return result.columns[(LIMIT if output.side else RESPONSE) + output.name]


def finite_values(result: CampaignResult, output: Output) -> tuple[np.ndarray, np.ndarray]:
    """Return the finite values of a response or limit and their weights. Raises BadInput for fewer than two
    values.
    """
    values = values_of(result, output)
    fine = np.isfinite(values)
    if fine.sum() < LEAST:
        raise BadInput(
            f"{output.name} is a finite number in {int(fine.sum())} cases only. Statistics need at"
            " least two cases"
        )
    return values[fine], result.weights[fine]


def is_constant(values: np.ndarray) -> bool:
    """Return whether all values are equal, except for rounding."""
    return bool(np.ptp(values) <= SAME * np.abs(values).max())


def mean_of(result: CampaignResult, output: Output, confidence: float) -> Estimate:
    """Return the mean of a response or limit with its confidence interval."""
    values, weights = finite_values(result, output)
    return (
        weighted_mean(values, weights, confidence)
        if result.is_weighted
        else mean_interval(values, confidence)
    )


def sigma_of(result: CampaignResult, output: Output, confidence: float) -> Estimate:
    """Return the standard deviation of a response or limit with its confidence interval.

    With at least four cases, the interval does not assume a normal distribution.
    """
    values, weights = finite_values(result, output)
    if result.is_weighted:
        mean = np.average(values, weights=weights)
        square = weighted_mean((values - mean) ** 2, weights, confidence)
        return Estimate(*(np.sqrt(np.maximum(one, 0.0)) for one in square))
    return sigma_interval(values, confidence, "moments" if len(values) > 3 else "normal")


def percentile_of(
    result: CampaignResult, output: Output, fraction: float, confidence: float, side: Any
) -> Percentile:
    """Return a percentile of a response or limit with its confidence bounds.

    - fraction, confidence, side: see `statistics.percentile`.

    The study selects whether cases without a value count as worst or are omitted. The sentence of the result
    uses the units of the scenario. Raises BadInput for weighted cases.
    """
    if result.is_weighted:
        raise BadInput("percentiles by order statistics do not support weighted cases. Use weighted_bound")
    values = _complete(result, values_of(result, output), -np.inf if side == "lower" else np.inf)
    if not len(values):
        raise BadInput(f"{output.name} has no number in any case")
    factor, unit = display(output.unit, result.scenario.units)
    return replace(percentile(values, fraction, confidence, side), unit=unit_text(unit), factor=factor)


def _complete(result: CampaignResult, values: np.ndarray, worst: float) -> np.ndarray:
    """Values (cases,) with the worst value in place of NaN, or without these cases."""
    return values[~np.isnan(values)] if result.leaves_out else np.where(np.isnan(values), worst, values)


def with_worst(result: CampaignResult, output: Output, values: np.ndarray) -> np.ndarray:
    """Return the values (cases,) of a response or limit, completed for cases without a value.

    A case without a value gets an infinite value beyond the limit, or is omitted. The study selects which.
    The values can have any unit.
    """
    return _complete(result, values, -np.inf if output.side == "min" else np.inf)


def weighted_bound(
    result: CampaignResult, output: Output, fraction: float, confidence: float, tail: Any
) -> Estimate:
    """Return a percentile of weighted cases with its confidence interval. fraction, confidence, tail: see
    `weighted_percentile`.

    The study selects whether cases without a value count as worst or are omitted; see `with_worst`. Raises
    BadInput for fewer than two finite values.
    """
    finite_values(result, output)
    counted = ~np.isnan(values_of(result, output)) | (not result.leaves_out)
    values, weights = with_worst(result, output, values_of(result, output)), result.weights
    weights = weights_of_known(weights, counted)
    return weighted_percentile(values, weights, fraction, confidence, tail)


def margins(result: CampaignResult) -> np.ndarray:
    """Return the smallest relative margin of each case over all limits (cases,). Without requirements, the
    margin is NaN.

    A margin is divided by the magnitude of its limit. If the limit is zero, the margin is divided by the
    range of the values.
    """
    worst = np.full(len(result), np.nan)
    for limit in result.manifest.names.limits:
        values = values_of(result, limit)
        some = values[np.isfinite(values)]
        scale = abs(limit.limit) or (float(np.ptp(some)) if len(some) else 0.0) or 1.0
        margin = (values - limit.limit if limit.side == "min" else limit.limit - values) / scale
        worst = np.fmin(worst, margin)
    return worst


def worst_first(result: CampaignResult) -> np.ndarray:
    """Return the row indices of the cases, the worst case first.

    Cases that could not start come first, then other incomplete cases. The complete cases are ordered by
    their smallest margin or, without requirements, by the first response, the largest value first.
    """
    names = result.manifest.names
    worst = margins(result)
    if not names.limits and names.responses:
        worst = -values_of(result, names.responses[0])
    worst = np.where(np.isnan(worst), -np.inf, worst)
    state = np.where(result.outcomes == NOT_STARTED, 0, np.where(result.outcomes == COMPLETED, 2, 1))
    return np.lexsort((result.case_numbers, ranks(worst, SAME), state))
