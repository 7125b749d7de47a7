"""Positions at which a hollow solid is nearest to another, from all sectors of its wall at once.

From the middle of every sector the nearest point of the other solid is found. This point gives a lower bound
of the distance of the sector. A few alternating projections on the true surfaces follow. Sectors that cannot
be the nearest are excluded. The search for nearest points then begins at the local minima among neighbouring
sectors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bounds import rounding
from .solids import Solid

ROUNDS = 2
"""The number of alternating projections from a sector."""
STARTING_PLACES = 3
"""The number of positions around a wall at which the search for nearest points begins."""
AT_ONCE = 30_000
"""The number of points that are projected together. These points fit into the processor's cache."""


class Looked(NamedTuple):
    """Results in poses (n): lower and upper bounds of the distance (n) [m], and nearly nearest points on one
    and on the other (3, MOST, n), axes of the first. Missing points are NaN."""

    low: np.ndarray
    high: np.ndarray
    on_one: np.ndarray
    on_other: np.ndarray


def looked_for(one: Solid, other: Solid, turn: np.ndarray, place: np.ndarray, below: np.ndarray) -> Looked:
    """Return bounds and nearly nearest points of two solids, one of them hollow. turn (3, 3, n), place (3,
    n): poses. below (n): poses with larger distances are not searched."""
    if one.wall is None or (other.wall is not None and other.wall.reach.max() < one.wall.reach.max()):
        back = np.swapaxes(turn, 0, 1)
        found = looked_for(other, one, back, -np.einsum("ijn,jn->in", back, place), below)
        on_one, on_other = (
            np.einsum("ijn,jmn->imn", turn, points) + place[:, None]
            for points in (found.on_other, found.on_one)
        )
        return Looked(found.low, found.high, on_one, on_other)
    some = max(1, AT_ONCE // len(one.wall.corners))
    parts = [
        _looked_for(one, other, turn[..., k : k + some], place[:, k : k + some], below[k : k + some])
        for k in range(0, place.shape[1], some)
    ]
    return Looked(*(np.concatenate(fields, -1) for fields in zip(*parts, strict=True)))


def _looked_for(one: Solid, other: Solid, turn, place, below) -> Looked:
    wall = one.wall
    assert wall is not None
    middle, count = wall.middle, place.shape[1]
    swell, reach = one.swell + other.swell, one.reach_from_origin + other.reach_from_origin
    sure = rounding(max(one.size, other.size), reach, place)

    def from_other(points):
        return np.einsum("ijn,jmn->imn", turn, points.reshape(3, -1, count)) + place[:, None]

    start = np.einsum("jin,jm->imn", turn, middle) - np.einsum("jin,jn->in", turn, place)[:, None]
    nearest, _ = other.project(start.reshape(3, -1), slope=False)
    on_other = from_other(nearest)
    low = _bounds(one, other, on_other) - swell
    on_one = one.project(on_other.reshape(3, -1), slope=False)[0].reshape(on_other.shape)
    value = _length(on_other - on_one) - swell
    least = np.minimum(below, value.min(0))
    for _ in range(ROUNDS):
        piece, pose = np.nonzero(low <= least + sure)
        ways = turn[..., pose]
        own = np.einsum("jin,jn->in", ways, on_one[:, piece, pose] - place[:, pose])
        there = np.einsum("ijn,jn->in", ways, other.project(own, slope=False)[0]) + place[:, pose]
        back = one.project(there, slope=False)[0]
        on_other[:, piece, pose], on_one[:, piece, pose] = there, back
        value[piece, pose] = _length(there - back) - swell
        least = np.minimum(least, value.min(0))
    value = np.where(low <= least + sure, value, np.inf)
    chosen = _places(value, wall.count, one.flat)
    points = [np.where(chosen >= 0, p[:, chosen, np.arange(count)], np.nan) for p in (on_one, on_other)]
    return Looked(low.min(0), np.maximum(least, 0.0), *points)


def _bounds(one: Solid, other: Solid, on_other: np.ndarray) -> np.ndarray:
    """Return lower bounds (piece, n) of the distances of the pieces of a wall from the core of another solid.
    They follow from its nearest points to the middles (3, piece, n): by perpendicular planes, or by the
    length of the way."""
    wall = one.wall
    assert wall is not None
    way = on_other - wall.middle[:, :, None]
    far = _length(way)
    by_way = far - wall.reach[:, None]
    if other.support is None:
        return by_way - one.flat
    way = np.moveaxis(way / np.where(far > 0, far, 1.0), 0, 1)
    beyond = (way * np.moveaxis(on_other, 0, 1)).sum(1) - np.matmul(wall.corners, way).max(1)
    return np.where(far > 0, np.maximum(by_way, beyond), -np.inf) - one.flat


def _places(value: np.ndarray, count: int, flat: float) -> np.ndarray:
    """Return pieces (MOST, n) at which distances (piece, n) are local minima among their neighbours around
    the wall, in increasing order, and within the bulge of a sector; -1 for missing ones."""
    around = value.reshape(count, -1, value.shape[-1])
    station = around.argmin(1)
    around = around.min(1)
    worth = (around <= np.roll(around, 1, 0)) & (around <= np.roll(around, -1, 0))
    worth &= (around <= around.min(0) + flat) & np.isfinite(around)
    first = np.argsort(np.where(worth, around, np.inf), axis=0, kind="stable")[:STARTING_PLACES]
    rows = np.arange(value.shape[-1])
    piece = first * (len(value) // count) + station[first, rows]
    return np.where(worth[first, rows], piece, -1)


def _length(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt((vectors * vectors).sum(0))
