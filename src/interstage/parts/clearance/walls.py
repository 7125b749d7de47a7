"""Find where a hollow solid is nearest to another solid, from all sectors of its wall at once.

For each piece of the wall, the nearest point of the other solid to the middle of the piece is computed. This
point gives a lower bound of the distance of the piece. A few alternating projections on the true surfaces
then give an upper bound. Pieces that cannot be the nearest are excluded. The search for the nearest points
later begins at the local minima among neighbouring sectors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bounds import rounding
from .solids import Solid

ROUNDS = 2
"""The number of alternating projections from each piece of a wall."""
STARTING_PLACES = 3
"""The maximum number of sectors at which the search for the nearest points begins."""
AT_ONCE = 30_000
"""The number of points that are projected together. The arrays of this many points fit into the processor's
cache."""


class Looked(NamedTuple):
    """Bounds and starting points in n poses.

    - low, high: lower and upper bounds of the distance [m] (n,).
    - on_one, on_other: points near the nearest points of both solids [m] (3, start, n), axes of the first
      solid. If there are fewer starting points, the remaining entries are NaN.
    """

    low: np.ndarray
    high: np.ndarray
    on_one: np.ndarray
    on_other: np.ndarray


def looked_for(one: Solid, other: Solid, turn: np.ndarray, place: np.ndarray, below: np.ndarray) -> Looked:
    """Return bounds of the distance and starting points of two solids. At least one of the solids is hollow.

    - `turn` (3, 3, n), `place` [m] (3, n): from the axes of the second solid to the axes of the first solid.
    - below: distances of interest [m] (n,). Pieces with larger distances are excluded.
    """
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
    chosen = _places(value, wall.count, wall.closed, one.flat)
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


def _places(value: np.ndarray, count: int, closed: bool, flat: float) -> np.ndarray:
    """Return pieces (MOST, n) at which distances (piece, n) are local minima among their neighbours around
    the wall, in increasing order, and within the bulge of a sector; -1 for missing ones."""
    around = value.reshape(count, -1, value.shape[-1])
    station = around.argmin(1)
    around = around.min(1)
    before, after = np.roll(around, 1, 0), np.roll(around, -1, 0)
    if not closed:
        before[0] = after[-1] = np.inf
    worth = (around <= before) & (around <= after)
    worth &= (around <= around.min(0) + flat) & np.isfinite(around)
    first = np.argsort(np.where(worth, around, np.inf), axis=0, kind="stable")[:STARTING_PLACES]
    rows = np.arange(value.shape[-1])
    piece = first * (len(value) // count) + station[first, rows]
    return np.where(worth[first, rows], piece, -1)


def _length(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt((vectors * vectors).sum(0))
