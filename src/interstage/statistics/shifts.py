"""Shifts of the inputs for importance sampling, from two searches for regions in which a rare event is
likely.

Both search methods use standard normal inputs. The search for design points follows gradients from finite
differences. The search needs a limit state without jumps. The cross-entropy search needs only samples, but it
finds only one region.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .inputs import check_count
from .rare import CountedLimit, LimitState

DIFFERENCE = 1e-3
"""Step of the central differences, in standard deviations."""
ITERATIONS = 40
USUAL_ITERATIONS, USUAL_LEVELS = 10, 5
"""Usual numbers of iterations and levels of the searches, for reports of progress."""
STARTS = 9
LENGTHS = 0.5 ** np.arange(8.0)
"""Step lengths that the line search tries, as fractions of the full step."""
RADII = np.linspace(0.02, 1.0, 50)
"""Distances from the origin that are tried on the line to a failing point, as fractions of the distance of
this point.
"""
START_RADIUS = 3.0
"""Distance of the start points from the origin, in standard deviations. The first start point is the origin.
"""
NEAR_LIMIT, ALIGNED = 1e-3, 1e-2
"""Tolerances of a design point.

NEAR_LIMIT is the accepted margin relative to the margin at the origin. ALIGNED is the accepted distance from
the line through the origin along the gradient of the limit state, in standard deviations.
"""
SAME_POINT = 0.5
"""Two design points count as the same point if their distance is below this number of standard deviations."""
FURTHEST = 2.0
"""Maximum additional distance from the origin, compared with the nearest design point, in standard
deviations.

Design points that are farther away are omitted, because they contribute little to the probability.
"""
REACH, TINY = 12.0, 1e-100
"""Maximum distance of a search point from the origin, in standard deviations, and minimum slope of the limit
state.
"""
LARGEST = 1e100
"""Margin that replaces an infinite margin, for example of a case without a finite result."""
MOST_LEVELS, ELITE = 30, 0.1
PATIENCE = 5
"""Number of successive levels without a smaller threshold after which the cross-entropy search ends."""


class Shifts(NamedTuple):
    """Shifts of the mean of the inputs, as found by a search.

    - points: (regions, inputs), shifted means; the point nearest to the origin comes first.
    - evaluations: number of cases that the search computed.
    - converged: whether the search found failures.
    """

    points: np.ndarray
    evaluations: int
    converged: bool


def design_points(
    limit: LimitState, inputs: int, starts: int = STARTS, seed: int | np.random.Generator = 0
) -> Shifts:
    """Return the failure points nearest to the origin, one for each region of failures that the search finds.

    - limit: limit state, a function of (inputs, cases) that returns (cases,).
    - The first search starts at the origin.
    - starts: number of searches. One search starts at the origin. The other searches start at opposite points
      in random directions. Default: 9.
    - seed: seed of the random directions, or a generator. Default: 0.

    The result is a `Shifts`. The search method is by Hasofer, Lind, Rackwitz and Fiessler. The merit function
    of the search `|u|^2 / 2 + c |g|` is by Zhang and Der Kiureghian (IFIP Reliability and Optimization of
    Structural Systems, 1995). At a corner or a jump of the limit state, the search does not converge. At such
    a point, the nearest failing point of the search path is used.

    Raises ValueError for impossible values, or if the limit state returns another shape.

    >>> design_points(lambda u: 3.0 - np.abs(u[0]), 1).points.round(3).tolist()
    [[3.0], [-3.0]]
    """
    counted, draw = CountedLimit(limit, inputs), np.random.default_rng(seed)
    points = _starts(draw, inputs, check_count("starts", starts, 1))
    scale = max(abs(float(counted(points[:, :1])[0])), np.finfo(float).tiny)
    done, failing = np.zeros(starts, bool), np.full_like(points, np.inf)
    for _ in range(ITERATIONS):
        margins, slopes = _slopes(counted, points)
        size = np.maximum(np.linalg.norm(slopes, axis=0), TINY)
        foot = slopes * ((slopes * points).sum(0) - margins) / size**2
        foot *= np.minimum(1.0, REACH / np.maximum(np.linalg.norm(foot, axis=0), TINY))
        off = np.linalg.norm(points - slopes * (slopes * points).sum(0) / size**2, axis=0)
        done = (np.abs(margins) <= NEAR_LIMIT * scale) & (off <= ALIGNED)
        if done.all():
            break
        tried = points[:, None] + LENGTHS[:, None] * (foot - points)[:, None]
        found = counted(tried.reshape(inputs, -1)).reshape(len(LENGTHS), -1)
        failing = _nearest(np.concatenate([failing[:, None], np.where(found <= 0.0, tried, np.inf)], axis=1))
        points = np.where(done, points, _least_merit(tried, found, points, size))
    others = failing[:, ~done & np.isfinite(failing).all(0)]
    found = _distinct(np.concatenate([points[:, done], _towards_origin(counted, others)], axis=1).T)
    return Shifts(found, counted.evaluations, len(found) > 0)


def usual_design_cases(inputs: int) -> int:
    """Return the usual number of cases of `design_points`, for a report of progress."""
    return USUAL_ITERATIONS * STARTS * (2 * inputs + 1 + len(LENGTHS))


def _starts(draw: np.random.Generator, inputs: int, starts: int) -> np.ndarray:
    """Starts (inputs, starts) of searches: the origin, and points in random orthogonal directions."""
    points = [np.zeros((inputs, 1))]
    for _ in range(0, starts, 2 * inputs):
        frame = START_RADIUS * np.linalg.qr(draw.standard_normal((inputs, inputs)))[0]
        points += [np.stack([frame, -frame], axis=2).reshape(inputs, -1)]
    return np.concatenate(points, axis=1)[:, :starts]


def _slopes(limit: CountedLimit, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Margins (starts,) and their derivatives (inputs, starts) by central differences, in one batch."""
    inputs, starts = points.shape
    step = DIFFERENCE * np.eye(inputs)[:, :, None]
    batch = np.concatenate([points[:, None], points[:, None] + step, points[:, None] - step], axis=1)
    margins = np.clip(limit(batch.reshape(inputs, -1)), -LARGEST, LARGEST).reshape(-1, starts)
    return margins[0], (margins[1 : inputs + 1] - margins[inputs + 1 :]) / (2 * DIFFERENCE)


def _least_merit(tried: np.ndarray, margins: np.ndarray, points: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Of the tried points (inputs, lengths, starts) those with the least merit."""
    weight = 2 * np.maximum(np.linalg.norm(points, axis=0), 1.0) / size
    merit = 0.5 * (tried**2).sum(0) + weight * np.minimum(np.abs(margins), LARGEST)
    return _take(tried, np.argmin(merit, axis=0))


def _nearest(points: np.ndarray) -> np.ndarray:
    """Of points (inputs, candidates, starts) the nearest to the origin."""
    return _take(points, np.argmin((points**2).sum(0), axis=0))


def _take(points: np.ndarray, index: np.ndarray) -> np.ndarray:
    return np.take_along_axis(points, index[None, None], axis=1)[:, 0]


def _towards_origin(limit: CountedLimit, points: np.ndarray) -> np.ndarray:
    """Failing points (inputs, points), moved along their rays to the smallest radius of a grid that fails."""
    if not points.shape[1]:
        return points
    tried = points[:, None] * RADII[:, None]
    fails = limit(tried.reshape(len(points), -1)).reshape(len(RADII), -1) <= 0.0
    return points * RADII[np.argmax(fails, axis=0)]


def _distinct(points: np.ndarray) -> np.ndarray:
    """Points (regions, inputs) that differ, nearest to the origin first; far ones are left out."""
    kept: list[np.ndarray] = []
    for point in points[np.argsort(np.linalg.norm(points, axis=1))]:
        near = not kept or np.linalg.norm(point) <= np.linalg.norm(kept[0]) + FURTHEST
        if near and all(np.linalg.norm(point - other) > SAME_POINT for other in kept):
            kept.append(point)
    return np.array(kept).reshape(len(kept), points.shape[1])


def cross_entropy(
    limit: LimitState, inputs: int, cases: int = 1000, seed: int | np.random.Generator = 0
) -> Shifts:
    """Return the shift of the mean towards failures by the cross-entropy method.

    - limit: limit state, a function of (inputs, cases) that returns (cases,).
    - inputs: number of inputs.
    - cases: number of cases in each level. Default: 1000.
    - seed: seed of the random numbers, or a generator. Default: 0.

    The result is a `Shifts` with one point. Failures in opposite directions cancel each other in the mean,
    and the search then does not converge.

    Raises ValueError for impossible values, or if the limit state returns another shape.

    >>> float(cross_entropy(lambda u: 4.0 - u[0], 2).points[0, 0].round(0))
    4.0

    Source: Rubinstein and Kroese, The Cross-Entropy Method, 2004. The weighted mean of the elite cases is the
    next mean.
    """
    counted, draw = CountedLimit(limit, inputs), np.random.default_rng(seed)
    mean, converged = np.zeros(inputs), False
    least, waited = np.inf, 0
    elite = max(int(ELITE * check_count("cases", cases, 10)), 1)
    for _ in range(MOST_LEVELS):
        points = mean[:, None] + draw.standard_normal((inputs, cases))
        margins = counted(points)
        threshold = max(float(np.partition(margins, elite - 1)[elite - 1]), 0.0)
        inside = margins <= threshold
        log = -(mean @ points[:, inside])
        weight = np.exp(log - log.max())
        mean = points[:, inside] @ weight / weight.sum()
        waited = 0 if threshold < least else waited + 1
        if converged or waited == PATIENCE:
            break
        least = min(least, threshold)
        converged = threshold == 0.0
    return Shifts(mean[None], counted.evaluations, converged)
