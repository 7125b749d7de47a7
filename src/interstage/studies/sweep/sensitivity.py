"""Effects of the varied inputs on the requirements and responses of a sweep.

For the designs "grid" and "corners", the mean over all cases with a level is computed. The range of these
means is the main effect of an input. The first-order effect is the fraction of the variance that the means
explain. The total effect is the fraction of the variance among cases that differ in this input only. The
total effect includes interactions, and is zero if the input has no effect. Both effects are one-way analyses
of variance. For a full factorial design, the shares are Sobol' indices of equally likely levels.

For the design "one_at_a_time", the effect is the change from the nominal case, without interactions.

Source: D. C. Montgomery, "Design and Analysis of Experiments", chapters 5 (factorial designs), 6 (centre
points) and 10 (regression); I. M. Sobol', "Global sensitivity indices for nonlinear mathematical models and
their Monte Carlo estimates", Mathematics and Computers in Simulation 55, 2001, section 5 (total effects).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...maths.ranking import SAME, ranks
from .designs import OWN

if TYPE_CHECKING:
    from .levels import Varied
    from .result import Measure, Sweep

SMALL = 1e-12
"""A range of values counts as zero (rounding) if it is below this fraction of the largest value."""
CURVATURE_LIMIT = 0.1
"""Largest difference between the nominal case and the mean of the corners, relative to the range of the
values, for which no note is printed.
"""


@dataclass(frozen=True)
class Effect:
    """Effect of one varied input on one response or requirement. Undefined numbers are NaN.

    - variation: the varied input.
    - levels (levels,): values of the input in increasing order.
    - means, lows, highs (levels,): mean, smallest and largest value of the response over the cases with each
      level.
    - reference: mean value of the response over all cases. With the design "one_at_a_time", the value is the
      value in the nominal case.
    - range: largest mean minus smallest mean.
    - share: first-order effect, as a fraction of the variance, 0 to 1.
    - total: total effect with all interactions, as a fraction of the variance.
    - coefficient: standardized coefficient of the linear regression on all varied inputs, -1 to 1.
    - slope: change of the response per unit of the input, between the lowest and the highest level.
    """

    variation: Varied
    levels: np.ndarray
    means: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    reference: float
    range: float
    share: float
    total: float
    coefficient: float
    slope: float

    @property
    def turns(self) -> bool:
        """Return whether the response has an extreme inside the range: the largest or smallest mean is at
        neither end.
        """
        inner = self.means[1:-1]
        if not len(inner):
            return False
        noise = SMALL * float(np.max(np.abs(self.means)))
        return bool(inner.min() < min(self.ends) - noise or inner.max() > max(self.ends) + noise)

    @property
    def ends(self) -> tuple[float, float]:
        """Return the mean values of the response at the lowest and at the highest level."""
        return float(self.means[0]), float(self.means[-1])


def effects(sweep: Sweep, measure: Measure) -> list[Effect]:
    """Return the effects of all varied inputs on one response or requirement, the largest total effect
    first.

    With the design "one_at_a_time", the largest range is first. The list is empty if fewer than two cases
    have a value.
    """
    known = np.isfinite(measure.values) & sweep.flown
    if known.sum() < 2:
        return []
    weights = coefficients(sweep, measure.values, known)
    alone = sweep.design == "one_at_a_time"
    found = [
        _effect(sweep, k, measure.values, known, alone, weights[k]) for k in range(len(sweep.variations))
    ]
    shown = [effect for effect in found if effect is not None]
    # Totals are fractions of 1; a design of one at a time has none.
    totals = ranks([0.0 if np.isnan(effect.total) else -effect.total for effect in shown], SAME)
    rounding = SMALL * float(np.max(np.abs(measure.values[known])))
    order = np.lexsort((ranks([-effect.range for effect in shown], rounding), totals))
    return [shown[k] for k in order]


def _effect(
    sweep: Sweep, k: int, values: np.ndarray, known: np.ndarray, alone: bool, weight: float
) -> Effect | None:
    one, mine = sweep.variations[k], sweep.levels[:, k]
    if alone:
        # The cases in which no other input is changed.
        nominal = np.array([v.nominal_level for v in sweep.variations])
        others = np.delete(sweep.levels == nominal, k, axis=1)
        known = known & others.all(axis=1)
    elif sweep.design == "corners":
        known = known & ~_centre(sweep)
    places = np.unique(mine[known])
    at = np.array([one.nominal if level == OWN else one.coordinate[level] for level in places], float)
    order = np.argsort(at, kind="stable")
    places, at = places[order], at[order]
    if len(places) < 2:
        return None
    groups = [values[known & (mine == level)] for level in places]
    means = np.array([group.mean() for group in groups])
    whole = values[known]
    reference = float(values[0] if alone else whole.mean())
    total = float(np.sum((whole - whole.mean()) ** 2))
    between = float(sum(len(g) * (m - whole.mean()) ** 2 for g, m in zip(groups, means)))
    size = float(np.ptp(means))
    noise = SMALL * float(np.max(np.abs(whole)))
    return Effect(
        variation=one,
        levels=at,
        means=means,
        lows=np.array([group.min() for group in groups]),
        highs=np.array([group.max() for group in groups]),
        reference=reference,
        range=size if size > noise else 0.0,
        share=np.nan if alone or np.ptp(whole) <= noise else between / total,
        total=np.nan if alone or np.ptp(whole) <= noise else _along(sweep, k, values, known) / total,
        coefficient=np.nan if alone else weight,
        slope=float((means[-1] - means[0]) / (at[-1] - at[0])) if one.numeric else np.nan,
    )


def _along(sweep: Sweep, k: int, values: np.ndarray, known: np.ndarray) -> float:
    """Sum of squares about the means of the lines of cases that differ in one variation only."""
    others = np.delete(sweep.levels, k, axis=1)[known]
    _, line = np.unique(others, axis=0, return_inverse=True)
    line, whole = line.ravel(), values[known]
    means = np.bincount(line, whole) / np.bincount(line)
    return float(np.sum((whole - means[line]) ** 2))


def _centre(sweep: Sweep) -> np.ndarray:
    """Mask of the nominal case among corners, if it is not a corner itself."""
    nominal = [one.nominal_level for one in sweep.variations]
    ends = [
        {0, one.count - 1} | {int(np.argmin(one.coordinate)), int(np.argmax(one.coordinate))}
        for one in sweep.variations
    ]
    corner = np.array([[level in ends[k] for k, level in enumerate(case)] for case in sweep.levels])
    return np.all(sweep.levels == nominal, axis=1) & ~corner.all(axis=1)


def coefficients(sweep: Sweep, values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the standardized coefficients (variations,) of the linear regression on all numeric inputs.

    values (cases,): values of the response. known (cases,): whether a case is used. Coefficients that the
    cases do not determine are NaN.
    """
    found = np.full(len(sweep.variations), np.nan)
    table = np.stack([sweep.coordinate(one) for one in sweep.variations], axis=1)
    usable = [k for k, one in enumerate(sweep.variations) if one.numeric]
    known = known & np.all(np.isfinite(table[:, usable]), axis=1)
    y, x = values[known], table[known][:, usable]
    deviation = x.std(axis=0) if len(x) else np.zeros(len(usable))
    moving = deviation > 0
    if len(y) <= moving.sum() + 1 or y.std() <= SMALL * np.max(np.abs(y), initial=0.0):
        return found
    scaled = (x[:, moving] - x[:, moving].mean(axis=0)) / deviation[moving]
    weights, _, rank, _ = np.linalg.lstsq(scaled, (y - y.mean()) / y.std(), rcond=None)
    if rank == moving.sum():
        found[np.array(usable, int)[moving]] = weights
    return found


def missing(sweep: Sweep, measure: Measure) -> int:
    """Return the number of cases without a value of a response. These cases are not used for the effects."""
    return int(np.sum(~(np.isfinite(measure.values) & sweep.flown)))


def explained_variance(sweep: Sweep, measure: Measure) -> float:
    """Return the fraction of the variance that all first-order effects together explain.

    The result is NaN with the design "one_at_a_time", and if cases have no value.
    """
    whole = sweep.design != "one_at_a_time" and bool(np.all(np.isfinite(measure.values) & sweep.flown))
    shares = [effect.share for effect in effects(sweep, measure)]
    return float(np.sum(shares)) if whole and shares and np.all(np.isfinite(shares)) else np.nan


def straight(sweep: Sweep, measure: Measure) -> float:
    """Return the fraction of the variance that the linear regression explains, or NaN without a
    regression.
    """
    known = np.isfinite(measure.values) & sweep.flown
    weights = coefficients(sweep, measure.values, known)
    numeric = [one for one in sweep.variations if one.numeric]
    used = np.isfinite(weights)
    if not used.any():
        return np.nan
    table = np.stack([sweep.coordinate(one) for one in sweep.variations], axis=1)
    known = known & np.all(np.isfinite(np.stack([sweep.coordinate(one) for one in numeric])), axis=0)
    y, x = measure.values[known], table[known][:, used]
    fitted = ((x - x.mean(axis=0)) / x.std(axis=0)) @ weights[used]
    return 1 - float(np.var((y - y.mean()) / y.std() - fitted))


def bend(sweep: Sweep, measure: Measure) -> tuple[float, float] | None:
    """If a response is curved, return its nominal value and its mean over the corners. If the response is not
    curved, return None.

    A response is curved if both numbers differ by more than `CURVATURE_LIMIT` times the range of the values.
    The design must be "corners".
    """
    known = np.isfinite(measure.values) & sweep.flown
    centre = _centre(sweep)
    if sweep.design != "corners" or not known[centre].any() or not known[~centre].any():
        return None
    own, others = float(measure.values[known & centre][0]), measure.values[known & ~centre]
    apart = abs(own - float(others.mean()))
    return (
        (own, float(others.mean()))
        if apart > CURVATURE_LIMIT * float(np.ptp(measure.values[known]))
        else None
    )
