"""Distances of two bodies by their solids, for many relative poses: a first search among convex pieces by
coal, and then the nearest points of the true surfaces.

coal's own search ends within about 1e-7 of the size on curved shapes, and its pieces of frusta, ogives and
shells are polyhedra. So its answer is where a second search begins: the nearest points a, b of two solids
are those with a = P_A(b), b = P_B(a), P being the nearest points of `projection`. Going to and fro never
lengthens the distance; Newton's steps on a - P_A(P_B(a)) = 0 are taken where they shorten it more."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..model.mesh_file import hull, load_coal
from .bounds import capsules, lower_bounds
from .solids import Piece, Solid

TOLERANCE = 1e-9
"""Relative tolerance of the first search. Smaller ones make coal's less exact, near contact by far."""
ITERATIONS = 300
STEPS = 40
"""Most steps of the second search."""
NEWTON = (0.3, 0.1, 0.03)
"""Parts of Newton's step, and how often the way to and fro, that are tried where the
whole step leads further away."""
WORTHWHILE = 1e-6
"""Part of the distance by which these must shorten it."""
ROUNDING = 1e-15
"""Part of the size by which a whole step may lengthen the distance: as much as rounding does."""
FURTHER = (4.0, 30.0, 300.0)
GAPS = (*(0.25**k for k in range(1, 14)), 0.0)
"""Distances, relative to the size, by which bodies that nearly touch are moved apart and brought back,
where the second search needs it."""
TINY = 1e-300
ANGLE = 1e-9
"""Angle between the directions there and back above which the nearest points are not yet found."""
MEETING = 1e-10
"""Distance, relative to the size, below which bodies touch, and no direction is looked for."""
CLOSED = 2e-15
"""Residual of the second search, relative to the size, at which it ends."""
SINGULAR = 1e-12
"""Part of the greatest singular value below which a direction is taken for free: faces that are parallel."""


class Nearest(NamedTuple):
    """Of many poses (n): signed distance (n) [m], nearest points on a and b (3, n) and the direction from a
    to b (3, n), all in the drawing coordinates of a; numbers of the two solids (2, n); and how much less
    the distance may be (n) [m]."""

    distance: np.ndarray
    on_a: np.ndarray
    on_b: np.ndarray
    direction: np.ndarray
    solids: np.ndarray
    slack: np.ndarray


def _made(piece: Piece) -> Any:
    """coal's shape of a piece."""
    coal, sizes = load_coal(), piece.sizes
    if piece.kind == "sphere":
        return coal.Sphere(sizes)
    if piece.kind == "box":
        return coal.Box(*map(float, sizes))
    if piece.kind == "points":
        return hull(sizes)
    return {"capsule": coal.Capsule, "cylinder": coal.Cylinder, "cone": coal.Cone}[piece.kind](
        sizes[0], 2 * sizes[1]
    )


@dataclass(frozen=True)
class _Request:
    """What coal is asked with."""

    request: Any
    result: Any

    @staticmethod
    def new() -> _Request:
        coal = load_coal()
        request = coal.DistanceRequest()
        request.gjk_tolerance = request.epa_tolerance = TOLERANCE
        request.gjk_max_iterations = request.epa_max_iterations = ITERATIONS
        request.enable_signed_distance = True
        return _Request(request, coal.DistanceResult())


class Pair:
    """Two bodies whose distance is to be found; `ignored` pairs of names of shapes are left out."""

    def __init__(self, a: list[Solid], b: list[Solid], ignored: frozenset[tuple[str, str]] = frozenset()):
        self.a, self.b = a, b
        self.capsules = capsules(a), capsules(b)
        self.size = max(max(s.size for s in a), max(s.size for s in b))
        self._pieces = tuple([(k, p) for k, s in enumerate(side) for p in s.pieces] for side in (a, b))
        skip = [[(s.name, t.name) in ignored for t in b] for s in a]
        owner = [np.array([k for k, _ in pieces]) for pieces in self._pieces]
        self._skipped = np.array(skip)[owner[0][:, None], owner[1][None]]
        self._coal: dict[tuple[int, int], Any] = {}
        self._shapes: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        self._asked = _Request.new()

    def bound(self, turn: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Lower bounds (n) of the distances in many poses."""
        return self._bounds(turn, place).min((0, 1))

    def _bounds(self, turn, place) -> np.ndarray:
        found = lower_bounds(*self.capsules, turn, place)
        return np.where(self._skipped[:, :, None], np.inf, found)

    def nearest(self, turn: np.ndarray, place: np.ndarray) -> Nearest:
        """Distances and nearest points in poses turn (3, 3, n), place (3, n): from the drawing coordinates
        of b to those of a."""
        found = self._searched(turn, place)
        count = turn.shape[-1]
        on_a, on_b, direction = np.full((3, 3, count), np.nan)
        which = np.zeros((2, count), int)
        best = Nearest(np.full(count, np.inf), on_a, on_b, direction, which, np.zeros(count))
        for (i, k), (rows, *start) in found.items():
            refined = self._refined(i, k, turn[..., rows], place[:, rows], *start)
            nearer = refined.distance < best.distance[rows]
            at = rows[nearer]
            for whole, part in zip(best, refined, strict=True):
                whole[..., at] = part[..., nearer]
        return best

    # --- the first search

    def _searched(self, turn, place) -> dict[tuple[int, int], tuple]:
        """What coal finds: pair of solids -> (numbers of the poses, distances, points on a, on b, normals),
        for all pairs of solids that may be the nearest."""
        bounds = self._bounds(turn, place)
        shape, bounds = bounds.shape[:2], bounds.reshape(-1, bounds.shape[-1])
        order = np.argsort(bounds, axis=0)
        placed = [self._placed_b(turn, place, n) for n in range(shape[1])]
        kept: dict[tuple[int, int], list] = {}
        for row in range(bounds.shape[1]):
            least, found = np.inf, []
            for flat in order[:, row]:
                if bounds[flat, row] > least + 1e-12 * self.size:
                    break
                i, k = divmod(int(flat), shape[1])
                answer = self._ask(i, k, placed[k], row)
                found.append((i, k, answer))
                least = min(least, answer[0])
            for pair, answer in self._worth(found, least).items():
                kept.setdefault(pair, []).append((row, *answer))
        return {pair: _columns(rows) for pair, rows in kept.items()}

    def _placed_b(self, turn, place, k: int):
        """Turns (n, 3, 3) and places (n, 3) of one piece of b in the axes of a."""
        piece = self._pieces[1][k][1]
        turns = np.einsum("ijn,jk->nik", turn, piece.turn)
        places = np.einsum("ijn,j->ni", turn, piece.place) + place.T
        return np.ascontiguousarray(turns), np.ascontiguousarray(places)

    def _ask(self, i: int, k: int, placed, row: int):
        """(distance, point on a, point on b, normal) by coal, axes of a."""
        coal = load_coal()
        if (i, k) not in self._coal:
            shapes = []
            for side, number in ((0, i), (1, k)):
                if number not in self._shapes[side]:
                    self._shapes[side][number] = _made(self._pieces[side][number][1])
                shapes.append(self._shapes[side][number])
            one = self._pieces[0][i][1]
            self._coal[i, k] = coal.ComputeDistance(*shapes), coal.Transform3s(one.turn, one.place), shapes
        ask, still, _ = self._coal[i, k]
        moved = coal.Transform3s(placed[0][row], placed[1][row])
        result = self._asked.result
        result.clear()
        distance = ask(still, moved, self._asked.request, result)
        return distance, result.getNearestPoint1(), result.getNearestPoint2(), np.array(result.normal)

    def _worth(self, found, least: float) -> dict[tuple[int, int], tuple]:
        """The nearest pieces of each pair of solids, where its true surfaces may be the nearest of all."""
        best: dict[tuple[int, int], tuple] = {}
        for i, k, answer in found:
            pair = self._pieces[0][i][0], self._pieces[1][k][0]
            if answer[0] - self._flat(*pair) <= least and (pair not in best or answer[0] < best[pair][0]):
                best[pair] = answer
        return best

    def _flat(self, i: int, k: int) -> float:
        """How much more the distance of the pieces of two solids may be than that of the solids [m]."""
        return self.a[i].flat + self.b[k].flat + 1e-6 * self.size

    # --- the second search

    def _refined(self, i, k, turn, place, distance, on_a, on_b, normal) -> Nearest:
        """The distances of the true surfaces of two solids, from what the first search found (rows)."""
        one, other = self.a[i], self.b[k]
        count = len(distance)
        found = Nearest(
            distance.copy(), on_a.copy(), on_b.copy(), normal.copy(),
            np.stack([np.full(count, i), np.full(count, k)]), np.full(count, one.flat + other.flat),
        )  # fmt: skip
        apart = np.flatnonzero(distance > 0)
        if apart.size:
            poses = turn[..., apart], place[:, apart]
            if one.convex or not other.convex:
                near = two_projections(one, other, *poses, on_b[:, apart])
            else:  # a step along a hollow wall would lead into it
                near = _exchanged(one, other, *poses, on_a[:, apart])
            for whole, part in zip(found[:3], near[:3], strict=True):
                whole[..., apart] = part
            known = _length(near[3]) > 0
            found.direction[:, apart[known]] = near[3][:, known]
            found.slack[apart] = near[4]
        return found


def _columns(rows: list[tuple]) -> tuple:
    """(numbers, distances, points and normals (3, n)) of rows."""
    numbers, distance, *vectors = zip(*rows, strict=True)
    return np.array(numbers), np.array(distance, float), *(np.array(v, float).T for v in vectors)


def _exchanged(one: Solid, other: Solid, turn, place, start):
    """`two_projections` begun from the other solid; start (3, n) on the one."""
    back = np.swapaxes(turn, 0, 1)
    origin = -np.einsum("ijn,jn->in", back, place)
    begun = np.einsum("ijn,jn->in", back, start) + origin
    distance, on_b, on_a, direction, slack = two_projections(other, one, back, origin, start=begun)
    on_a, on_b = (np.einsum("ijn,jn->in", turn, points) + place for points in (on_a, on_b))
    return distance, on_a, on_b, -np.einsum("ijn,jn->in", turn, direction), slack


def two_projections(one: Solid, other: Solid, turn, place, start):
    """(distances (n), points on one, on other (3, n), directions (3, n), slack (n)) of two solids that are
    apart, beginning from points `start` (3, n) near the nearest of the other; axes of the one.

    slack: by how much the distance may be more than that of two convex solids."""
    size = max(one.size, other.size)

    def onto_other(place, x, rows):
        own = np.einsum("jin,jn->in", turn[..., rows], x - place[:, rows])
        nearest, slope = other.project(own)
        slope = np.einsum("ijn,jkn,lkn->iln", turn[..., rows], slope, turn[..., rows])
        return np.einsum("ijn,jn->in", turn[..., rows], nearest) + place[:, rows], slope

    here, every = partial(onto_other, place), np.arange(start.shape[1])
    a, open_ = _converged(one.project, here, one.project(start)[0], every, size)
    if open_.size and one.convex and other.convex:
        # Nearly touching, and begun too far off: come from where they are further apart.
        away = np.zeros_like(place)
        away[:, open_] = here(a[:, open_], open_)[0] - a[:, open_]
        away = size * away / np.maximum(_length(away), TINY)
        for gap in GAPS:
            further = partial(onto_other, place + gap * away)
            a[:, open_] = _converged(one.project, further, a[:, open_], open_, size)[0]
    b = here(a, every)[0]
    back, _ = one.project(b)
    there, again = b - a, b - back
    core = _length(there)
    touching = core <= CLOSED * size
    direction = np.where(touching, 0.0, there / np.where(touching, 1.0, core))
    turned = again / np.where(_length(again) > 0, _length(again), 1.0) - direction
    slack = np.where(touching, 0.0, _length(turned) * other.size)
    distance = np.maximum(core - one.swell - other.swell, 0.0)
    return distance, a + one.swell * direction, b - other.swell * direction, direction, slack


def _converged(onto_one, onto_other, a, rows, size):
    """(nearest points (3, n) of the one, numbers of the rows that were not closed)."""
    a = a.copy()
    left = np.arange(a.shape[1])
    b, slope_b = onto_other(a, rows)

    def take(lanes: np.ndarray, trial: np.ndarray, less: float = 0.0) -> np.ndarray:
        """Take trial points of some lanes where they are nearer, by a part; return where they are not."""
        there, slope = onto_other(trial, rows[lanes])
        have = _length(b[:, lanes] - a[:, lanes])
        nearer = _length(there - trial) <= have * (1 - less) + ROUNDING * size
        at = lanes[nearer]
        a[:, at], b[:, at], slope_b[..., at] = trial[:, nearer], there[:, nearer], slope[..., nearer]
        return np.flatnonzero(~nearer)

    for _ in range(STEPS):
        back, slope_a = onto_one(b[:, left])
        off = back - a[:, left]
        still = _length(off) > CLOSED * size
        left, back, off, slope_a = left[still], back[:, still], off[:, still], slope_a[..., still]
        if not left.size:
            break
        start, step = a[:, left], _newton(slope_a, slope_b[..., left], off)
        take(left, back)
        rest = take(left, onto_one(start + step)[0])
        for part, factor in zip(NEWTON, FURTHER, strict=True):
            if rest.size:
                take(left[rest], onto_one(start[:, rest] + part * step[:, rest])[0], WORTHWHILE)
                take(left[rest], onto_one(start[:, rest] + factor * off[:, rest])[0], WORTHWHILE)
    off, core = onto_one(b)[0] - a, _length(b - a)
    left = np.flatnonzero((_length(off) > ANGLE * core) & (core > MEETING * size))
    return a, rows[left]


def _newton(slope_a, slope_b, off):
    """Newton's steps (3, n) on a - P_A(P_B(a)) = 0; directions in which nothing changes are left alone."""
    matrix = np.eye(3)[:, :, None] - np.einsum("ijn,jkn->ikn", slope_a, slope_b)
    inverse = np.linalg.pinv(np.moveaxis(matrix, -1, 0), rcond=SINGULAR)
    return np.einsum("nij,jn->in", inverse, off)


def _length(vectors):
    return np.sqrt((vectors * vectors).sum(0))
