"""Statistics of a quantity over time in all cases of a campaign, at each time by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...statistics.percentiles import percentile_interval, tolerance_interval
from ...statistics.weighted import weighted_percentile, weights_of_known
from ...tree.errors import BadInput
from ...tree.similar_names import near
from .columns import ENVELOPE, EnvelopeColumn, Output

if TYPE_CHECKING:
    import xarray

    from .result import CampaignResult

FRACTION = 0.9973
"""Default fraction of percentiles and bands, used if the study has no required proportion."""
LEAST_WEIGHTED = 2
AT_ONCE = 4_000_000
"""Number of values that are sorted at the same time, so that the memory does not grow with the times."""
STATISTICS = {
    "smallest": "smallest value of all cases",
    "largest": "largest value of all cases",
    "median": "median of the sample",
    "median_low": "lower end of the confidence interval of the median",
    "median_high": "upper end of the confidence interval of the median",
    "percentile_low": "percentile of the sample for the fraction 1 - proportion",
    "percentile_high": "percentile of the sample for the fraction proportion",
    "bound_low": "one-sided lower bound of the proportion of cases, with confidence",
    "bound_high": "one-sided upper bound of the proportion of cases, with confidence",
    "band_low": "lower end of the two-sided band of the proportion of cases, with confidence",
    "band_high": "upper end of the two-sided band of the proportion of cases, with confidence",
}
"""Variables of the dataset of an envelope, with their meanings."""


class Goal(NamedTuple):
    """Proportion of cases and confidence of the bounds of an envelope."""

    proportion: float
    confidence: float


def envelope(result: CampaignResult, name: str) -> xarray.Dataset:
    """Return the statistics of an envelope with the dimension "time"; see `CampaignResult.envelope`."""
    import xarray

    one = column_of(result, name)
    goal = goal_of(result, one)
    values = values_of(result, one)
    row = worst_row(result, one)
    found = {key: ("time", own, _about(one, key)) for key, own in statistics(result, one).items()}
    worst = values[row] if row is not None else np.full(one.times, np.nan)
    variables = {
        "cases": ("time", np.sum(~np.isnan(values), axis=0), {"long_name": "number of cases with a value"}),
        **found,
        "worst": ("time", worst, {"units": one.unit, "long_name": "values of the worst case"}),
    }
    about = {"units": "s", "long_name": f"time since {since_text(one)}"}
    attrs = {
        "quantity": one.quantity,
        "units": one.unit,
        "since": one.since or "start",
        **({"leg": one.leg} if one.leg else {}),
        "proportion": goal.proportion,
        "confidence": goal.confidence,
        "worst_case": -1 if row is None else int(result.case_numbers[row]),
    }
    return xarray.Dataset(variables, coords={"time": ("time", one.offsets, about)}, attrs=attrs)


def _about(one: EnvelopeColumn, key: str) -> dict[str, str]:
    return {"units": one.unit, "long_name": STATISTICS[key]}


def column_of(result: CampaignResult, name: str) -> EnvelopeColumn:
    """Return the description of an envelope. Raises BadInput for an unknown name."""
    known = result.manifest.names.envelopes
    for one in known:
        if one.name == name:
            return one
    if not known:
        text = f"there is no envelope '{name}', because the study has none. Add envelopes.{name} to the study"
        raise BadInput(text)
    raise BadInput(f"there is no envelope '{name}'; {near(name, [one.name for one in known])}")


def values_of(result: CampaignResult, one: EnvelopeColumn) -> np.ndarray:
    """Return the values (cases, times) of an envelope in SI; NaN for cases without a value."""
    return result.columns[ENVELOPE + one.name]


def since_text(one: EnvelopeColumn) -> str:
    """Return the event of an envelope in words, for example "apart" or "the start"."""
    return one.since or (f"the start of leg {one.leg}" if one.leg else "the start")


def limits_on(result: CampaignResult, one: EnvelopeColumn) -> list[Output]:
    """Return the limits of requirements on the quantity of an envelope."""
    return [limit for limit in result.manifest.names.limits if limit.quantity == one.quantity]


def goal_of(result: CampaignResult, one: EnvelopeColumn) -> Goal:
    """Return the proportion and the confidence of an envelope. Both values are taken from the first
    requirement on its quantity, or from the study.
    """
    names = [limit.requirement for limit in limits_on(result, one)]
    proportion, confidence = result.manifest.campaign.goal(names[0] if names else "")
    return Goal(proportion or FRACTION, confidence)


def worst_row(result: CampaignResult, one: EnvelopeColumn) -> int | None:
    """Return the row index of the case with the largest value of an envelope; None without a value.

    If requirements limit the quantity only from below, the result is the case with the smallest value.
    """
    sides = {limit.side for limit in limits_on(result, one)}
    worst = np.full(len(result), -np.inf)
    some_finite = False
    for values in values_of(result, one).T:
        some_finite |= bool(np.isfinite(values).any())
        np.fmax(worst, -values if sides == {"min"} else values, out=worst)
    return int(np.argmax(worst)) if some_finite else None


def statistics(result: CampaignResult, one: EnvelopeColumn) -> dict[str, np.ndarray]:
    """Return the statistics (times,) of an envelope, by the names in `STATISTICS`.

    A case counts at all times at which the case has a value. Without a case that has a value, the statistics
    are NaN. A bound is infinite if the cases are too few.
    """
    values, goal = values_of(result, one), goal_of(result, one)
    weights = result.weights if result.is_weighted else None
    size = max(AT_ONCE // max(len(values), 1), 1)
    parts = [_statistics_at(values[:, k : k + size].T, weights, goal) for k in range(0, one.times, size)]
    return {key: np.concatenate([part[key] for part in parts]) for key in STATISTICS}


def _statistics_at(values: np.ndarray, weights: np.ndarray | None, goal: Goal) -> dict[str, np.ndarray]:
    """Statistics (times,) of values (times, cases). weights: None if all cases have the same weight."""
    found = {key: np.full(len(values), np.nan) for key in STATISTICS}
    known = ~np.isnan(values)
    if weights is not None:
        for k in np.flatnonzero(known.sum(1) >= LEAST_WEIGHTED):
            own = known[k]
            scaled = weights_of_known(weights, own)
            for key, value in _weighted_statistics(values[k, own], scaled, goal).items():
                found[key][k] = value
        return found
    counts, ordered = known.sum(1), np.sort(values, axis=1)  # NaN are last
    for count in np.unique(counts[counts > 0]):
        times = counts == count
        for key, own in _order_statistics(ordered[times, :count], goal).items():
            found[key][times] = own
    return found


def _order_statistics(values: np.ndarray, goal: Goal) -> dict[str, np.ndarray]:
    """Statistics (times,) of ordered values (times, cases)."""
    proportion, confidence = goal
    low = percentile_interval(values, 1 - proportion, confidence, "lower")
    high = percentile_interval(values, proportion, confidence, "upper")
    median = percentile_interval(values, 0.5, confidence)
    band = tolerance_interval(values, proportion, confidence)
    ends = [values[:, 0], values[:, -1]]
    bounds = [low.value, high.value, low.lower, high.upper, *band]
    return dict(zip(STATISTICS, [*ends, *median, *bounds], strict=True))


def _weighted_statistics(values: np.ndarray, weights: np.ndarray, goal: Goal) -> dict[str, float]:
    """The same of weighted values (cases,) at one time. The ends of the band share the risk."""
    proportion, confidence = goal
    low = weighted_percentile(values, weights, 1 - proportion, confidence, "lower", single=True)
    high = weighted_percentile(values, weights, proportion, confidence, "upper", single=True)
    median = weighted_percentile(values, weights, 0.5, confidence)
    tail = (1 - proportion) / 2
    ends = (
        weighted_percentile(values, weights, tail, confidence, "lower").lower,
        weighted_percentile(values, weights, 1 - tail, confidence, "upper").upper,
    )
    bounds = [low.value, high.value, low.lower, high.upper, *ends]
    found = [values.min(), values.max(), *median, *bounds]
    return dict(zip(STATISTICS, map(float, found), strict=True))
