"""Find the nearest points of two solids by alternating projections.

The nearest points a, b of two solids A, B fulfil a = P_A(b) and b = P_B(a), where P is a projection of module
`projection`. Alternating projections never increase the distance. For convex solids, they converge to the
minimum. If a Newton step on a - P_A(P_B(a)) = 0 decreases the distance more, it replaces an alternating
projection.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .solids import Solid, both_sides

STEPS = 40
"""The maximum number of iterations."""
NEWTON = (0.3, 0.1, 0.03)
"""The fractions of a Newton step that are tried if the complete step increases the distance."""
WORTHWHILE = 1e-6
"""The smallest accepted decrease of the distance by a fraction of a step, relative to the distance."""
ROUNDING = 1e-15
"""The largest accepted increase of the distance by a complete step, which is a rounding error. This limit is
relative to the size of the larger solid, or to the distance if the distance is larger.
"""
STALLED = 3
"""The search ends after this number of iterations without a smaller distance. Near the minimum, the search
ends after one step.
"""
NEAR = 1e-12
"""If the residual, divided by the size of the larger solid, is below this number, no fractions of steps are
tried. The distance would change only by the square of the residual.
"""
FURTHER = (4.0, 30.0, 300.0)
GAPS = (*(0.25**k for k in range(1, 14)), 0.0)
"""Distances for solids that nearly touch, divided by the size of the larger solid. If the search does not
converge, the solids are separated by the first distance. The solids then return in these steps, and each step
begins at the last result.
"""
TINY = 1e-300
ANGLE = 1e-9
"""The search has not converged if the angle [rad] between the directions of both projections exceeds this
number.
"""
MEETING = 1e-10
"""Solids touch if their distance, divided by the size of the larger solid, is at most this number. The
direction between the two points is then not unique.
"""
CLOSED = 2e-15
"""The search ends if the residual is below this number. This limit is relative to the size of the larger
solid, or to the distance if the distance is larger.
"""
SINGULAR = 1e-12
"""If a singular value of the Newton matrix, relative to the largest one, is below this number, its direction
is ignored. Parallel faces cause singular directions.
"""

REGULAR = 1e-4
"""If the determinant of the Newton matrix exceeds this number, the matrix is inverted by cofactors. The
entries of this matrix are at most 2, so less than half of the digits are lost.
"""


def exchange(one: Solid, other: Solid, turn, place, start):
    """Return the result of `two_projections` with the roles of both solids exchanged. start: points near the
    nearest points (3, n), on the first solid.
    """
    back = np.swapaxes(turn, 0, 1)
    origin = -np.einsum("ijn,jn->in", back, place)
    begun = np.einsum("ijn,jn->in", back, start) + origin
    distance, on_b, on_a, direction, slack = two_projections(other, one, back, origin, start=begun)
    on_a, on_b = (np.einsum("ijn,jn->in", turn, points) + place for points in (on_a, on_b))
    return distance, on_a, on_b, -np.einsum("ijn,jn->in", turn, direction), slack


def two_projections(one: Solid, other: Solid, turn, place, start, steps: int = STEPS):
    """Return the nearest points of two separated solids, in the axes of the first solid.

    - `turn` (3, 3, n), `place` [m] (3, n): from the axes of the second solid to the axes of the first solid.
    - start: points near the nearest points of the second solid [m] (3, n).
    - steps: maximum number of iterations. With fewer than `STEPS`, a special search for nearly touching
      solids is omitted.

    The result contains the distances [m] (n,), the points on the first and on the second solid [m] (3, n),
    the directions (3, n), and the slack [m] (n,). The slack is the largest possible excess of the distance
    over the true distance of two convex solids.
    """
    size = max(one.size, other.size)

    def onto_other(place, x, rows):
        own = np.einsum("jin,jn->in", turn[..., rows], x - place[:, rows])
        nearest, slope = other.project(own)
        slope = both_sides(turn[..., rows], slope)
        return np.einsum("ijn,jn->in", turn[..., rows], nearest) + place[:, rows], slope

    here, every = partial(onto_other, place), np.arange(start.shape[1])
    a, open_ = _converge(one.project, here, one.project(start)[0], every, size, steps)
    if open_.size and steps == STEPS and one.convex and other.convex:
        # Bodies that nearly touch, with a start too far away: approach from a larger distance.
        away = np.zeros_like(place)
        away[:, open_] = here(a[:, open_], open_)[0] - a[:, open_]
        away = size * away / np.maximum(length(away), TINY)
        for gap in GAPS:
            further = partial(onto_other, place + gap * away)
            a[:, open_] = _converge(one.project, further, a[:, open_], open_, size)[0]
    b = here(a, every)[0]
    back, _ = one.project(b)
    there, again = b - a, b - back
    core = length(there)
    touching = core <= CLOSED * size
    direction = np.where(touching, 0.0, there / np.where(touching, 1.0, core))
    turned = again / np.where(length(again) > 0, length(again), 1.0) - direction
    slack = np.where(touching, 0.0, length(turned) * other.size)
    distance = np.maximum(core - one.swell - other.swell, 0.0)
    return distance, a + one.swell * direction, b - other.swell * direction, direction, slack


def _converge(onto_one, onto_other, a, rows, size, steps=STEPS):
    """Return (nearest points (3, n) of the first solid, indices of the rows that did not converge)."""
    a = a.copy()
    left = np.arange(a.shape[1])
    b, slope_b = onto_other(a, rows)
    size = np.maximum(size, length(b - a))

    def take(lanes: np.ndarray, trial: np.ndarray, less: float = 0.0) -> np.ndarray:
        """Accept trial points of some cases where they are nearer, by a fraction. Return the rows of cases
        without a nearer point."""
        there, slope = onto_other(trial, rows[lanes])
        have = length(b[:, lanes] - a[:, lanes])
        nearer = length(there - trial) <= have * (1 - less) + ROUNDING * size[lanes]
        at = lanes[nearer]
        a[:, at], b[:, at], slope_b[..., at] = trial[:, nearer], there[:, nearer], slope[..., nearer]
        return np.flatnonzero(~nearer)

    stalled = np.zeros(a.shape[1], int)
    for _ in range(steps):
        left = left[stalled[left] < STALLED]
        if not left.size:
            break
        back, slope_a = onto_one(b[:, left])
        off = back - a[:, left]
        still = length(off) > CLOSED * size[left]
        left, back, off, slope_a = left[still], back[:, still], off[:, still], slope_a[..., still]
        if not left.size:
            break
        start, step = a[:, left], _newton(slope_a, slope_b[..., left], off)
        before = length(b[:, left] - start)
        take(left, back)
        far = onto_one(start + step)[0]
        rest = take(left, far)
        if rest.size:
            # A step along a rim leaves it for the adjacent face; alternating projections lead back to it.
            there, _ = onto_other(far[:, rest], rows[left[rest]])
            rest = rest[take(left[rest], onto_one(there)[0])]
        near = length(off) <= NEAR * size[left]
        rest = rest[~near[rest]]
        for part, factor in zip(NEWTON, FURTHER, strict=True):
            if rest.size:
                take(left[rest], onto_one(start[:, rest] + part * step[:, rest])[0], WORTHWHILE)
                take(left[rest], onto_one(start[:, rest] + factor * off[:, rest])[0], WORTHWHILE)
        gained = before - length(b[:, left] - a[:, left]) > ROUNDING * size[left]
        stalled[left] = np.where(gained, 0, np.where(near, STALLED, stalled[left] + 1))
    off, core = onto_one(b)[0] - a, length(b - a)
    left = np.flatnonzero((length(off) > ANGLE * core) & (core > MEETING * size))
    return a, rows[left]


def _newton(slope_a, slope_b, off):
    """Return Newton steps (3, n) on a - P_A(P_B(a)) = 0. Directions without change are omitted."""
    matrix = np.eye(3)[:, :, None] - np.einsum("ijn,jkn->ikn", slope_a, slope_b)
    # Rows of the adjugate matrix: cross products of the columns.
    a, b, c = matrix[:, 0], matrix[:, 1], matrix[:, 2]
    rows = _cross(b, c), _cross(c, a), _cross(a, b)
    determinant = (a * rows[0]).sum(0)
    regular = np.abs(determinant) > REGULAR
    safe = np.where(regular, determinant, 1.0)
    step = np.stack([(row * off).sum(0) for row in rows]) / safe
    rest = np.flatnonzero(~regular)
    if rest.size:
        inverse = np.linalg.pinv(np.moveaxis(matrix[..., rest], -1, 0), rcond=SINGULAR)
        step[:, rest] = np.einsum("nij,jn->in", inverse, off[:, rest])
    return step


def _cross(a, b):
    return a[[1, 2, 0]] * b[[2, 0, 1]] - a[[2, 0, 1]] * b[[1, 2, 0]]


def length(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths (n,) of vectors (3, n)."""
    return np.sqrt((vectors * vectors).sum(0))
