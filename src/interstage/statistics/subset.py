"""Subset simulation: a small probability is computed as a product of larger conditional probabilities.

The conditional samples are Markov chains that move towards failure. Source: Au and Beck, Probab. Eng. Mech.
16 (2001) 263, with the proposals of Papaioannou et al., Probab. Eng. Mech. 41 (2015) 89. For standard normal
inputs, these are preconditioned Crank-Nicolson proposals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from .inputs import check_count, check_probability
from .intervals import Interval, student, two_sided
from .rare import CountedLimit, LimitState, RareEvent, log_interval

Kernel = Literal["crank_nicolson", "metropolis"]
ACCEPTANCE = 0.44
"""Acceptance rate to which the scale of the proposals is adapted (Papaioannou et al. 2015)."""
FIRST_SCALE = 0.6
"""Initial scale of the proposals, as a fraction of the standard deviation of the seeds."""
MOST_LEVELS = 30
SUSPICIOUS = 2.0
"""Difference between the extreme runs, divided by their errors, from which on the result has a note."""
ROUNDING = 1e-6
"""Fraction of a level that is neglected in an expected number of levels. It is smaller than one case."""
LARGEST_STALL = 0.9
"""Fraction of the cases of a level that reach the next threshold, from which on the run ends.

This many cases reach the level only if their margins are equal. The limit state then has a plateau, and the
levels make no progress.
"""


@dataclass(frozen=True)
class SubsetRuns:
    """Results of independent runs of subset simulation.

    - probability, variation: (runs,), estimate of each run, and its coefficient of variation.
    - levels: (runs,), number of levels.
    - stalled: (runs,), whether the run ended on a plateau of the limit state.
    - evaluations: number of cases of all runs together.
    """

    probability: np.ndarray
    variation: np.ndarray
    levels: np.ndarray
    stalled: np.ndarray
    evaluations: int
    notes: tuple[str, ...] = ()


def subset_runs(
    limit: LimitState,
    inputs: int,
    cases: int = 1000,
    runs: int = 1,
    *,
    fraction: float = 0.1,
    kernel: Kernel = "crank_nicolson",
    seed: int | np.random.Generator = 0,
    expected: Callable[[int], None] | None = None,
) -> SubsetRuns:
    """Compute independent runs of subset simulation, and return their results.

    - limit: limit state, a function of (inputs, cases) that returns (cases,).
    - inputs: number of inputs.
    - cases: number of cases in each level of a run. Default: 1000.
    - runs: number of runs, which are computed together. Default: 1.
    - fraction: fraction of the cases of a level that start the chains of the next level; 1 / fraction
      is an integer. Default: 0.1.
    - kernel: "crank_nicolson" changes all inputs at once, v = sqrt(1 - b^2) u + b xi. "metropolis" is
      the modified Metropolis algorithm, which changes one input after another. Default:
      "crank_nicolson".
    - seed: seed of the random numbers, or a generator. Default: 0.
    - expected: function that is called with the expected final number of cases after each level, for a
      report of progress. It has no effect on the result. Default: none.

    Raises ValueError if an argument is outside its range, or if the limit state does not return the shape
    (cases,). The coefficient of variation follows from the correlation along the chains (Au and Beck). The
    levels are assumed fully dependent, which gives an upper bound, because the chains of a level start from
    the cases of the preceding level.

    >>> subset_runs(lambda u: 4.0 - u[0], 2, runs=3).levels.tolist()
    [6, 5, 5]
    """
    length, seeds = _chains(cases, fraction)
    counted, draw = CountedLimit(limit, inputs), np.random.default_rng(seed)
    points = draw.standard_normal((inputs, check_count("runs", runs, 1), seeds * length))
    margins = counted(points.reshape(inputs, -1)).reshape(runs, -1)
    found, forecast = _Progress(runs), _Forecast(runs)
    active, first = np.arange(runs), True
    for _ in range(MOST_LEVELS):
        threshold = np.maximum(np.partition(margins, seeds - 1, axis=-1)[:, seeds - 1], 0.0)
        inside = margins <= threshold[:, None]
        goes_on = found.add_level(active, inside, threshold, None if first else length)
        if expected is not None:
            levels = forecast.levels(active, margins, threshold, found.probability[active], fraction)
            expected(counted.evaluations + (cases - seeds) * int(levels[goes_on].sum()))
        active, points, margins = active[goes_on], points[:, goes_on], margins[goes_on]
        if not active.size:
            break
        start = _seeds(draw, margins, inside[goes_on], seeds)
        states = np.take_along_axis(points, start[None], -1), np.take_along_axis(margins, start, -1)
        points, margins = _advance(counted, draw, states, threshold[goes_on], length, kernel)
        first = False
    found.stalled[active] = True
    return SubsetRuns(
        found.probability, found.variation, found.levels, found.stalled, counted.evaluations, counted.notes
    )


def _chains(cases: int, fraction: float) -> tuple[int, int]:
    """Length and number of the chains of a level."""
    length = 1.0 / check_probability("fraction", fraction)
    if abs(length - round(length)) > 1e-9 or check_count("cases", cases, 20) % round(length):
        raise ValueError(
            f"fraction: {fraction:g} does not divide {cases} cases into equal groups. Give a fraction whose "
            "inverse divides the number of cases, "
            "for example 0.1 for 1000 cases."
        )
    return round(length), cases // round(length)


def _seeds(draw: np.random.Generator, margins: Any, inside: Any, seeds: int) -> np.ndarray:
    """Indices (runs, seeds) of the first states of the chains, from the cases inside (runs, cases).

    Equal margins can put more cases than seeds inside. The seeds are then a random choice: the cases with the
    smallest margins would make further levels too likely."""
    order = np.where(inside, margins, np.inf)
    tied = inside.sum(-1) > seeds
    if tied.any():
        order[tied] = np.where(inside[tied], draw.uniform(size=inside[tied].shape), np.inf)
    return np.argsort(order, axis=-1, kind="stable")[:, :seeds]


class _Progress:
    """Probabilities and coefficients of variation of runs, level by level."""

    def __init__(self, runs: int):
        self.probability, self.variation = np.ones(runs), np.zeros(runs)
        self.levels, self.stalled = np.zeros(runs, int), np.zeros(runs, bool)

    def add_level(self, active: Any, inside: Any, threshold: Any, length: int | None) -> np.ndarray:
        """Multiply the fractions of a level; return which of the active runs have a further one.

        - inside: (active, cases), cases below the threshold (active,). length: of chains; None for random
          cases."""
        reached = inside.mean(-1)
        self.probability[active] *= reached
        self.variation[active] += _variation(inside, reached, length)
        self.levels[active] += 1
        self.stalled[active] = (threshold > 0.0) & (reached >= LARGEST_STALL)
        return (threshold > 0.0) & ~self.stalled[active]


class _Forecast:
    """Expected number of further levels of runs.

    The threshold of a level is taken as linear in the reliability index of its probability, as for a linear
    limit state. At the index zero, it is the median margin of random cases."""

    def __init__(self, runs: int):
        self._index, self._threshold = np.zeros(runs), np.full(runs, np.nan)

    def levels(
        self, active: Any, margins: Any, threshold: Any, probability: Any, fraction: float
    ) -> np.ndarray:
        """Further levels (active,), at least 1, after a level with thresholds (active,).

        - margins: (active, cases). probability: of the level and all levels before it, (active,)."""
        before = self._threshold[active]
        before = np.where(np.isnan(before), np.median(margins, axis=-1), before)
        index = -special.ndtri(probability)
        with np.errstate(all="ignore"):
            last = index + threshold * (index - self._index[active]) / (before - threshold)
            count = np.ceil(np.log(special.ndtr(-last) / probability) / np.log(fraction) - ROUNDING)
        self._index[active], self._threshold[active] = index, threshold
        return np.clip(np.nan_to_num(count, nan=1.0, posinf=MOST_LEVELS), 1, MOST_LEVELS).astype(int)


def _variation(inside: np.ndarray, reached: np.ndarray, length: int | None) -> np.ndarray:
    """Coefficient of variation of the fraction of a level, from the correlation along its chains."""
    cases, p = inside.shape[-1], np.maximum(reached, 1.0 / inside.shape[-1])
    variance = np.maximum((1 - p) / (p * cases), 0.0)
    if length is None:
        return np.sqrt(variance)
    chains = inside.reshape(len(inside), length, -1).astype(float)
    excess = np.zeros(len(inside))
    for lag in range(1, length):
        both = (chains[:, :-lag] * chains[:, lag:]).mean((1, 2)) - p**2
        excess += 2 * (1 - lag / length) * both / np.maximum(p * (1 - p), 1e-300)
    return np.sqrt(variance * np.maximum(1 + excess, 0.0))


def _advance(
    limit: CountedLimit, draw: Any, states: Any, threshold: Any, length: int, kernel: Kernel
) -> tuple[np.ndarray, np.ndarray]:
    """All states of chains that stay below a threshold (runs,): points (inputs, runs, cases), margins
    (runs, cases).

    The first states are the seeds (inputs, runs, chains). The scale of the proposals is adapted to their
    acceptance, run by run, in steps that become smaller."""
    point, margin = states
    spread = point.std(axis=-1, keepdims=True) if kernel == "crank_nicolson" else np.ones((1, 1, 1))
    scale = np.full(len(threshold), FIRST_SCALE)
    points, margins = [point], [margin]
    for step in range(1, length):
        width = np.minimum(scale[None, :, None] * spread, 1.0)
        tried = _propose(draw, point, width, kernel)
        found = limit(tried.reshape(len(tried), -1)).reshape(margin.shape)
        accept = found <= threshold[:, None]
        point, margin = np.where(accept, tried, point), np.where(accept, found, margin)
        scale = scale * np.exp((accept.mean(-1) - ACCEPTANCE) / np.sqrt(step))
        points.append(point)
        margins.append(margin)
    return np.concatenate(points, axis=-1), np.concatenate(margins, axis=-1)


def _propose(draw: Any, point: np.ndarray, width: np.ndarray, kernel: Kernel) -> np.ndarray:
    """Proposals that keep the standard normal distribution."""
    if kernel == "crank_nicolson":
        return np.sqrt(1.0 - width**2) * point + width * draw.standard_normal(point.shape)
    if kernel != "metropolis":
        raise ValueError(f'kernel: "{kernel}" is unknown. Choose "crank_nicolson" or "metropolis".')
    tried = point + draw.uniform(-2.0, 2.0, point.shape) * width
    accept = draw.uniform(size=point.shape) < np.exp(0.5 * (point**2 - tried**2))
    return np.where(accept, tried, point)


def subset_simulation(
    limit: LimitState,
    inputs: int,
    cases: int = 1000,
    runs: int = 4,
    *,
    confidence: float = 0.9,
    fraction: float = 0.1,
    kernel: Kernel = "crank_nicolson",
    seed: int | np.random.Generator = 0,
    expected: Callable[[int], None] | None = None,
) -> RareEvent:
    """Return the probability of a rare event from independent runs of subset simulation.

    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.
    - Other arguments: see `subset_runs`. Default: 4 runs with 1000 cases in each level.

    The result is a `RareEvent`: the mean of the runs, with the interval p exp(-/+ z v). The coefficient of
    variation v is the larger of two values: the spread of the runs, multiplied by the factor of Student's t
    distribution, and the estimate along the chains with fully dependent levels. For most limit states, this
    interval is wider than needed. With the assumption of independent levels (Au and Beck), the interval would
    contain the true value less often than stated.

    The result has a note if the runs differ by far more than their own errors, or if a run ended on a plateau
    of the limit state.

    Raises ValueError if an argument is outside its range, or if the limit state does not return the shape
    (cases,).

    >>> found = subset_simulation(lambda u: 4.0 - u[0], 2)
    >>> found.interval.contains(3.167e-5)
    True
    """
    level = check_probability("confidence", confidence)
    how: dict[str, Any] = {"fraction": fraction, "kernel": kernel, "seed": seed, "expected": expected}
    found = subset_runs(limit, inputs, cases, runs, **how)
    mean = float(found.probability.mean())
    variation = float(np.sqrt((found.variation**2).mean() / runs))
    if runs > 1:
        spread = float(found.probability.std(ddof=1) / np.sqrt(runs) / mean)
        variation = max(variation, spread * float(student(level, runs - 1)) / two_sided(level))
    interval = log_interval(mean, variation, level)
    if found.stalled.any():
        interval = Interval(0.0, interval.upper)
    effective = 1.0 / variation**2 if variation else np.inf
    return RareEvent(
        "subset simulation",
        mean,
        interval,
        level,
        variation,
        effective,
        found.evaluations,
        found.notes + _notes(found),
    )


def _notes(found: SubsetRuns) -> tuple[str, ...]:
    """Reasons to doubt the runs: the runs differ, or a run ended on a plateau."""
    notes: tuple[str, ...] = ()
    low, high = int(np.argmin(found.probability)), int(np.argmax(found.probability))
    error = np.hypot(found.variation[low], found.variation[high])
    if np.log(found.probability[high] / found.probability[low]) > SUSPICIOUS * error:
        ends = f"{found.probability[low]:.2g} to {found.probability[high]:.2g}"
        notes += (
            f"The probabilities of the runs differ by more than the estimated errors ({ends}). Some runs may "
            "have missed a region of failures.",
        )
    if found.stalled.any():
        notes += (
            f"{int(found.stalled.sum())} of {found.stalled.size} runs ended on a plateau of the limit state. "
            "The probability of these runs is an upper bound only. Use a limit state that decreases towards "
            "failure.",
        )
    return notes
