"""The nearest points of two solids, by alternating projections.

The nearest points a, b of two solids fulfil a = P_A(b), b = P_B(a), where P is the nearest point of
`projection`. Alternating projections never increase the distance. For convex solids they converge to the
minimum. Newton steps on a - P_A(P_B(a)) = 0 replace them if these decrease the distance more."""

from __future__ import annotations

from functools import partial

import numpy as np

from .solids import Solid, both_sides

STEPS = 40
"""The maximum number of steps of the second search."""
NEWTON = (0.3, 0.1, 0.03)
"""The fractions of a Newton step, and the numbers of alternating projections, that are tried if the whole
step increases the distance."""
WORTHWHILE = 1e-6
"""The fraction of the distance by which a trial step of `NEWTON` must decrease the distance."""
ROUNDING = 1e-15
"""The largest allowed increase of the distance by a whole step, relative to the size, or to a larger
distance. Rounding causes such an increase."""
STALLED = 3
"""The number of steps without gain after which a search ends. Near the end, one step is sufficient."""
NEAR = 1e-12
"""The residual, relative to the size, below which no parts of steps are tried: the distance changes by its
square."""
FURTHER = (4.0, 30.0, 300.0)
GAPS = (*(0.25**k for k in range(1, 14)), 0.0)
"""The distances, relative to the size, by which nearly touching bodies are separated and brought back, if the
second search needs it."""
TINY = 1e-300
ANGLE = 1e-9
"""The angle between the directions of both projections above which the nearest points are not yet found."""
MEETING = 1e-10
"""The distance, relative to the size, below which bodies touch, and no direction is computed."""
CLOSED = 2e-15
"""The residual at which the second search ends, relative to the size, or to a larger distance."""
SINGULAR = 1e-12
"""The fraction of the greatest singular value below which a direction is free, as for parallel faces."""

REGULAR = 1e-4
"""Determinant above which a matrix is inverted by cofactors: with elements up to 2 these lose less than half
of the digits."""


def exchange(one: Solid, other: Solid, turn, place, start):
    """Return `two_projections` that start from the other solid. start (3, n): on the first solid."""
    back = np.swapaxes(turn, 0, 1)
    origin = -np.einsum("ijn,jn->in", back, place)
    begun = np.einsum("ijn,jn->in", back, start) + origin
    distance, on_b, on_a, direction, slack = two_projections(other, one, back, origin, start=begun)
    on_a, on_b = (np.einsum("ijn,jn->in", turn, points) + place for points in (on_a, on_b))
    return distance, on_a, on_b, -np.einsum("ijn,jn->in", turn, direction), slack


def two_projections(one: Solid, other: Solid, turn, place, start, steps: int = STEPS):
    """Return (distances (n), points on one, on other (3, n), directions (3, n), slack (n)) of two separated
    solids, in axes of the first. The iteration begins at points `start` (3, n) near the nearest points of the
    other.
    With fewer `steps` than `STEPS`, solids that need more are not moved apart.

    slack: the largest possible excess of the distance over the distance of two convex solids."""
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
    """Return the lengths (n) of vectors (3, n)."""
    return np.sqrt((vectors * vectors).sum(0))
