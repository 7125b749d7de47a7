"""Distances of two bodies from their solids, for many relative poses at once. In this module, "size" is the
size of the larger solid.

If the solids are convex and separated, alternating projections find the nearest points (`to_and_fro`). The
projections begin at the nearest points of the capsules around the solids. A separating plane then proves the
distance (`support`). If a solid is hollow, the projections begin at all sectors of its wall that can be the
nearest (`walls`).

If solids touch or overlap, the library coal first searches among convex pieces, with an error of about 1e-7
of the size. Projections onto the true surfaces then improve the result.

Some poses differ only by rounding, for example the poses of connected bodies. Each distinct pose is searched
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...model.convex_pieces import Flat, hull, hull_of_any, load_coal
from ...tree.errors import InterstageError
from .bounds import capsules, lower_bounds, nearest_of_stretches, rounding
from .solids import Piece, Solid
from .to_and_fro import MEETING, exchange, length, two_projections
from .walls import looked_for

TOLERANCE = 1e-9
"""The relative tolerance of the first search by coal. With a smaller tolerance, the results of coal become
less accurate, especially near contact.
"""
COARSER = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
"""The tolerances of repeated searches of the penetration depth. With `TOLERANCE`, coal finds no depth for
some poses. For other poses, the depth is many times too large.
"""
TOO_DEEP = 1e-4
"""The largest accepted excess of a depth over the depth with a coarser tolerance, divided by the size of the
larger solid. The depth with a coarser tolerance is slightly smaller.
"""
FAILED = 1e300
"""The limit of depths [m]. If coal finds no depth, it returns a larger number."""
ITERATIONS = 300
ROUGH = 2
"""The number of alternating projections for a first estimate of the distance."""
SINKINGS = 3
"""The number of iterations for the depth of overlapping solids. Each iteration separates the solids along an
updated direction.
"""
FEW = 6
"""The maximum number of iterations from an estimated start. Three iterations are usually sufficient. If more
are necessary, coal computes a better start.
"""
PROVEN = 1e-10
"""A distance is proven if its excess over a lower bound, divided by the size of the larger solid, is at most
this number.
"""
CLOSED = 1e-6
"""If the uncertainty of a distance to a hollow solid, divided by the size of the larger solid, is at most
this number, no further search is made.
"""
SAME = 1e-11
"""Two poses count as equal if the largest displacement of a point, divided by the size of the larger solid,
is at most this number.
"""


HULLS = {"points": hull, "file": hull_of_any}
"""Functions that make the coal shape of a convex hull, by kind of the piece: from the points of a shape, or
from the points in a file.
"""


class Nearest(NamedTuple):
    """Nearest points of two bodies a and b in n poses.

    - distance [m]: signed distance (n,); negative for overlap.
    - on_a, on_b [m]: nearest points (3, n), structural coordinates of a.
    - direction: unit vectors from a to b (3, n), structural axes of a.
    - solids: indices of the nearest solids of a and b (2, n).
    - slack [m]: upper bound of the excess of `distance` over the true distance (n,).
    """

    distance: np.ndarray
    on_a: np.ndarray
    on_b: np.ndarray
    direction: np.ndarray
    solids: np.ndarray
    slack: np.ndarray


def _coal_shape(piece: Piece) -> Any:
    """Return the coal shape of a piece."""
    coal, sizes = load_coal(), piece.sizes
    if piece.kind == "sphere":
        return coal.Sphere(sizes)
    if piece.kind == "box":
        return coal.Box(*map(float, sizes))
    if piece.kind in HULLS:
        return HULLS[piece.kind](sizes)
    return {"capsule": coal.Capsule, "cylinder": coal.Cylinder, "cone": coal.Cone}[piece.kind](
        sizes[0], 2 * sizes[1]
    )


@dataclass(frozen=True)
class _Request:
    """The settings and buffers of a search by coal."""

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
    """The solids of two bodies a and b, for the search of distances. ignored: pairs of shape names that are
    excluded.

    In all methods, a pose is the rotation `turn` (3, 3, n) and the translation `place` [m] (3, n) from the
    structural coordinates of b to the structural coordinates of a.
    """

    def __init__(self, a: list[Solid], b: list[Solid], ignored: frozenset[tuple[str, str]] = frozenset()):
        self.a, self.b = a, b
        self.capsules = capsules(s.cover for s in a), capsules(s.cover for s in b)
        self.size = max(max(s.size for s in a), max(s.size for s in b))
        self.reach = sum(max(s.reach_from_origin for s in side) for side in (a, b))
        self.skipped = np.array([[(s.name, t.name) in ignored for t in b] for s in a])
        self._pieces = tuple([(k, p) for k, s in enumerate(side) for p in s.pieces] for side in (a, b))
        self._owner = [np.array([k for k, _ in pieces]) for pieces in self._pieces]
        self._around = [capsules((p.ends, p.girth) for _, p in pieces) for pieces in self._pieces]
        self._coal: dict[tuple[int, int], Any] = {}
        self._shapes: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        self._asked = _Request.new()

    def bound(self, turn: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return a fast lower bound of the distance in each pose [m] (n,)."""
        return self.bounds(turn, place).min((0, 1))

    def bracket(
        self, turn: np.ndarray, place: np.ndarray, below: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (lower bounds, upper bounds) of the distance in each pose [m], each (n,).

        below: distances of interest [m] (n,). The two bounds are close to each other only if the distance is
        below this value.
        """
        low = self.bounds(turn, place)
        high, _ = self._roughly(low, turn, place, below.copy())
        return low.min((0, 1)), high

    def bounds(self, turn, place) -> np.ndarray:
        """Return a lower bound of the distance for each pair of solids [m] (solid of a, solid of b, n). The
        bounds follow from capsules. For ignored pairs, the bound is infinite.
        """
        found = lower_bounds(*self.capsules, turn, place)
        return np.where(self.skipped[:, :, None], np.inf, found)

    def nearest(self, turn: np.ndarray, place: np.ndarray) -> Nearest:
        """Return the distances and the nearest points in each pose."""
        first, again = alike(turn, place, self.size)
        found = self._nearest(turn[..., first], place[:, first])
        return Nearest(*(field[..., again] for field in found))

    def _nearest(self, turn: np.ndarray, place: np.ndarray) -> Nearest:
        count = turn.shape[-1]
        on_a, on_b, direction = np.full((3, 3, count), np.nan)
        which = np.zeros((2, count), int)
        best = Nearest(np.full(count, np.inf), on_a, on_b, direction, which, np.zeros(count))
        low, rounded = self.bounds(turn, place), self.rounding(place)
        high, starts = self._roughly(low, turn, place, np.full(count, np.inf))
        settled, tried = np.ones(low.shape, bool), np.zeros(low.shape, bool)
        for (i, k), begun in starts.items():
            for on_a, on_b in begun:
                known = ~np.isnan(on_b[0])
                rows = np.flatnonzero((low[i, k] <= np.minimum(high, best.distance) + rounded) & known)
                if rows.size:
                    given = i, k, turn[..., rows], place[:, rows], on_a[:, rows], on_b[:, rows]
                    found = self._prove(*given) if self._convex(i, k) else self._close(*given)
                    sure = ~np.isnan(found.distance)
                    _store(best, rows, found, sure)
                    settled[i, k, rows] &= sure
                    tried[i, k, rows] = True
        low[settled & tried] = np.inf
        low[low > np.minimum(high, best.distance) + rounded] = np.inf
        rest = np.flatnonzero(np.isfinite(low).any((0, 1)))
        if rest.size:
            poses = turn[..., rest], place[:, rest]
            for (i, k), (rows, *start) in self._search(*poses, low[..., rest], best.distance[rest]).items():
                rows = rest[rows]
                found = self._refine(i, k, turn[..., rows], place[:, rows], *start)
                _store(best, rows, found, np.ones(len(rows), bool))
        # A pose that is not finite has no distance. Infinity would count as a large distance.
        best.distance[np.isinf(best.distance)] = np.nan
        return best

    def rounding(self, place: np.ndarray) -> np.ndarray:
        """Return the difference [m] (n) that rounding causes between two distances, for poses with places (3,
        n) [m]."""
        return rounding(self.size, self.reach, place)

    # --- separated solids

    def _convex(self, i: int, k: int) -> bool:
        return self.a[i].convex and self.b[k].convex

    def _roughly(self, low, turn, place, high) -> tuple[np.ndarray, dict[tuple[int, int], list[Any]]]:
        """Raise the lower bounds (in `low`), and lower the upper bounds (n), where they are still far apart.
        Return these and, by pairs of solids, the points of a and of b (3, n) from which the nearest points
        are found."""
        starts: dict[tuple[int, int], list[Any]] = {}
        pairs = [(i, k) for i in range(len(self.a)) for k in range(len(self.b))]
        for i, k in sorted(pairs, key=lambda pair: (not self._convex(*pair), low[pair].min(initial=np.inf))):
            rows = np.flatnonzero(low[i, k] < high)
            if rows.size:
                given = self.a[i], self.b[k], turn[..., rows], place[:, rows]
                if self._convex(i, k):
                    least, most, on_b = _rough(*given)
                    begun = [(on_b, on_b)]
                else:
                    least, most, on_a, on_b = looked_for(*given, high[rows])
                    begun = [(on_a[:, m], on_b[:, m]) for m in range(on_a.shape[1])]
                low[i, k, rows] = np.maximum(low[i, k, rows], least)
                high[rows] = np.minimum(high[rows], most)
                starts[i, k] = [[_spread(p, rows, len(high)) for p in both] for both in begun]
        return high, starts

    def _prove(self, i, k, turn, place, on_a, on_b) -> Nearest:
        """Return distances of two convex solids. They are NaN if no separating plane proves them."""
        del on_a
        one, other = self.a[i], self.b[k]
        distance, on_a, on_b, direction, slack = two_projections(one, other, turn, place, on_b, FEW)
        doubt = distance - parting(one, other, turn, place, direction)
        sure = (distance > MEETING * self.size) & (doubt <= PROVEN * self.size + self.rounding(place))
        which = np.repeat([[i], [k]], len(distance), axis=1)
        slack = np.clip(doubt, 0.0, slack)
        return Nearest(np.where(sure, distance, np.nan), on_a, on_b, direction, which, slack)

    def _close(self, i, k, turn, place, on_a, on_b) -> Nearest:
        """Return distances of two solids, one of them hollow. They are NaN for touching solids, and where
        projections in both directions disagree."""
        found = _project_pair(self.a[i], self.b[k], turn, place, on_a, on_b)
        distance, on_a, on_b, direction, slack = found
        sure = (distance > MEETING * self.size) & (slack <= CLOSED * self.size)
        which = np.repeat([[i], [k]], len(distance), axis=1)
        return Nearest(np.where(sure, distance, np.nan), on_a, on_b, direction, which, slack)

    # --- the first search

    def _search(self, turn, place, low, least) -> dict[tuple[int, int], tuple]:
        """Return the results of coal by pair of solids: (indices of the poses, distances, points on a, on b,
        normals). The pairs are all pairs of solids with a finite bound `low` that may be nearer than `least`
        (n)."""
        around_a, around_b = self._around
        bounds = lower_bounds(around_a, around_b, turn, place)
        owner_a, owner_b = self._owner
        rounded = self.rounding(place)
        left_out = ~np.isfinite(low[owner_a[:, None], owner_b[None]])
        bounds = np.where(left_out, np.inf, bounds)
        shape, bounds = bounds.shape[:2], bounds.reshape(-1, bounds.shape[-1])
        order = np.argsort(bounds, axis=0)
        placed = [self._placed_b(turn, place, n) for n in range(shape[1])]
        kept: dict[tuple[int, int], list] = {}
        for row in range(bounds.shape[1]):
            nearest, found = least[row], []
            for flat in order[:, row]:
                if bounds[flat, row] > nearest + rounded[row] or np.isinf(bounds[flat, row]):
                    break
                i, k = divmod(int(flat), shape[1])
                answer = self._ask(i, k, placed[k], row)
                found.append((i, k, answer))
                nearest = min(nearest, answer[0])
            for pair, answer in self._worth(found, nearest).items():
                kept.setdefault(pair, []).append((row, *answer))
        return {pair: _columns(rows) for pair, rows in kept.items()}

    def _placed_b(self, turn, place, k: int):
        """Return the rotations (n, 3, 3) and positions (n, 3) of one piece of b in the axes of a."""
        piece = self._pieces[1][k][1]
        turns = np.einsum("ijn,jk->nik", turn, piece.turn)
        places = np.einsum("ijn,j->ni", turn, piece.place) + place.T
        return np.ascontiguousarray(turns), np.ascontiguousarray(places)

    def _ask(self, i: int, k: int, placed, row: int):
        """Return (distance, point on a, point on b, normal) by coal, axes of a."""
        coal = load_coal()
        if (i, k) not in self._coal:
            shapes = []
            for side, number in ((0, i), (1, k)):
                if number not in self._shapes[side]:
                    self._shapes[side][number] = self._shape_of(side, number)
                shapes.append(self._shapes[side][number])
            one = self._pieces[0][i][1]
            self._coal[i, k] = coal.ComputeDistance(*shapes), coal.Transform3s(one.turn, one.place), shapes
        ask, still, _ = self._coal[i, k]
        moved = coal.Transform3s(placed[0][row], placed[1][row])
        pieces = self._pieces[0][i][1], self._pieces[1][k][1]
        deep = _sphere_in_cylinder(*pieces, placed[0][row], placed[1][row])
        if deep is not None:
            return deep

        def answer(tolerance: float):
            request, result = self._asked.request, self._asked.result
            result.clear()
            request.epa_tolerance = tolerance
            distance = ask(still, moved, request, result)
            return distance, result.getNearestPoint1(), result.getNearestPoint2(), np.array(result.normal)

        found = answer(TOLERANCE)
        if found[0] >= 0:
            return found
        rough = next((one for one in map(answer, COARSER) if one[0] > -FAILED), found)
        if rough[0] <= -FAILED:
            names = self.a[self._pieces[0][i][0]].name, self.b[self._pieces[1][k][0]].name
            text = (
                "the depth of overlap of shapes '{}' and '{}' cannot be computed. Change the size or position"
            )
            text += " of one shape slightly"
            raise InterstageError(text.format(*names))
        return found if found[0] >= rough[0] - TOO_DEEP * self.size else rough

    def _shape_of(self, side: int, number: int):
        solid, piece = self._pieces[side][number]
        try:
            return _coal_shape(piece)
        except Flat:
            name = (self.a, self.b)[side][solid].name
            text = (
                f"shape '{name}' has a flat piece, whose overlap cannot be computed. Give this piece a"
                " thickness"
            )
            raise InterstageError(text) from None

    def _worth(self, found, least: float) -> dict[tuple[int, int], tuple]:
        """Return the nearest pieces of each pair of solids whose true surfaces may be the nearest of all."""
        best: dict[tuple[int, int], tuple] = {}
        for i, k, answer in found:
            pair = self._pieces[0][i][0], self._pieces[1][k][0]
            if answer[0] - self._flat(*pair) <= least and (pair not in best or answer[0] < best[pair][0]):
                best[pair] = answer
        return best

    def _flat(self, i: int, k: int) -> float:
        """Return the largest excess of the distance of the pieces of two solids over the distance of the
        solids [m]."""
        return self.a[i].flat + self.b[k].flat + 1e-6 * self.size

    # --- the second search

    def _refine(self, i, k, turn, place, distance, on_a, on_b, normal) -> Nearest:
        """Return the distances of the true surfaces of two solids, from the results of the first search
        (rows)."""
        one, other = self.a[i], self.b[k]
        count = len(distance)
        found = Nearest(
            distance.copy(), on_a.copy(), on_b.copy(), normal.copy(),
            np.stack([np.full(count, i), np.full(count, k)]), np.full(count, one.flat + other.flat),
        )  # fmt: skip
        apart = np.flatnonzero(distance > 0)
        if apart.size:
            near = _project_pair(
                one, other, turn[..., apart], place[:, apart], on_a[:, apart], on_b[:, apart]
            )
            for whole, part in zip(found[:3], near[:3], strict=True):
                whole[..., apart] = part
            known = length(near[3]) > 0
            found.direction[:, apart[known]] = near[3][:, known]
            found.slack[apart] = near[4]
        sunk = np.flatnonzero((found.distance <= MEETING * self.size) & (one.flat + other.flat > 0))
        if sunk.size:
            starts = normal[:, sunk], on_a[:, sunk], on_b[:, sunk]
            deep = _sunk(one, other, turn[..., sunk], place[:, sunk], np.maximum(-distance[sunk], 0), *starts)
            for whole, part in zip((*found[:4], found.slack), deep, strict=True):
                whole[..., sunk] = part
        return found


def alike(turn: np.ndarray, place: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Find poses that differ from an earlier pose only by rounding. Return two arrays of indices: the poses
    that differ (m,), and for each pose the entry of the first array that replaces it (n,).

    - `turn` (3, 3, n), `place` [m] (3, n): the poses.
    - size: size of the bodies [m].
    """
    poses = np.concatenate([size * turn.reshape(9, -1), place])
    # A pose that is not finite is not equal to any other.
    with np.errstate(invalid="ignore"):
        moved = ~(np.abs(np.diff(poses, axis=1)).max(0, initial=0.0) <= SAME * size)
    begun = np.r_[True, moved]
    start = np.maximum.accumulate(np.where(begun, np.arange(len(begun)), 0))
    # A pose that slowly departed from the first of its group starts a group of its own.
    with np.errstate(invalid="ignore"):
        begun |= np.abs(poses - poses[:, start]).max(0, initial=0.0) > SAME * size
    own = np.where(begun, np.arange(len(begun)), start)
    return np.unique(own, return_inverse=True)


def _spread(points: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """Return points (3, rows) among all (3, count); the others are NaN."""
    found = np.full((3, count), np.nan)
    found[:, rows] = points
    return found


def _project_pair(one: Solid, other: Solid, turn, place, on_a, on_b):
    """Return `two_projections` from nearly nearest points, started on the side from which they converge."""
    if one.convex or not other.convex:
        return two_projections(one, other, turn, place, on_b)
    return exchange(one, other, turn, place, on_a)  # a step along a hollow wall would lead into it


def _sunk(one: Solid, other: Solid, turn, place, depth, normal, on_a, on_b):
    """Return (distances, points on one, on other, directions, slack) of solids that overlap by more than
    their pieces, by about `depth` (n). The solids are separated along a direction, and then brought back."""
    way = depth + 2 * (one.flat + other.flat)
    for _ in range(SINKINGS):
        away = way * normal
        free = _project_pair(one, other, turn, place + away, on_a, on_b + away)
        distance, on_a, on_b, direction, _ = free
        on_b, along = on_b - away, (normal * direction).sum(0)
        moved = length(direction) > 0
        slack = np.where(moved, way * (1 - along), way)
        distance = np.where(moved, distance - way * along, -depth)
        normal = np.where(moved, direction, normal)
    return distance, on_a, on_b, normal, slack


def _sphere_in_cylinder(one: Piece, other: Piece, turn: np.ndarray, place: np.ndarray) -> tuple | None:
    """Return (distance, point on one, point on other, normal) of a sphere whose centre is in a cylinder; None
    for other pieces and poses. turn (3, 3), place [m] (3,): pose of the other piece.

    The sphere leaves through the nearest face: the depth is its radius plus the distance of its centre from
    this face. The coal library, 3.0.3, can return the depth through the side if an end is nearer.
    """
    poses = (one.turn, one.place), (turn, place)
    kinds = one.kind, other.kind
    if sorted(kinds) != ["cylinder", "sphere"]:
        return None
    ball, tube = kinds.index("sphere"), kinds.index("cylinder")
    radius, (girth, half) = float((one, other)[ball].sizes), (one, other)[tube].sizes
    axes, middle = poses[tube]
    centre = axes.T @ (poses[ball][1] - middle)
    across = float(np.hypot(centre[0], centre[1]))
    side, end = girth - across, half - abs(centre[2])
    if min(side, end) <= 0:
        return None
    if side < end:
        way = np.array([*(centre[:2] / across), 0.0]) if across > 0 else np.array([1.0, 0.0, 0.0])
    else:
        way = np.array([0.0, 0.0, np.copysign(1.0, centre[2])])
    outward, depth = axes @ way, radius + min(side, end)
    on_tube, on_ball = poses[ball][1] + min(side, end) * outward, poses[ball][1] - radius * outward
    if ball == 0:
        return -depth, on_ball, on_tube, -outward
    return -depth, on_tube, on_ball, outward


def _columns(rows: list[tuple]) -> tuple:
    """Return (indices, distances, points and normals (3, n)) of rows."""
    numbers, distance, *vectors = zip(*rows, strict=True)
    return np.array(numbers), np.array(distance, float), *(np.array(v, float).T for v in vectors)


def _store(best: Nearest, rows: np.ndarray, found: Nearest, usable: np.ndarray) -> None:
    """Store results of some rows if they are valid and nearer."""
    nearer = usable & (found.distance < best.distance[rows])
    for whole, part in zip(best, found, strict=True):
        whole[..., rows[nearer]] = part[..., nearer]


def parting(one: Solid, other: Solid, turn, place, direction) -> np.ndarray:
    """Return the width of the gap between two parallel planes that touch two convex solids [m] (n,). The
    width is a lower bound of the distance of the solids.

    - `turn` (3, 3, n), `place` [m] (3, n): from the coordinates of the second solid to the coordinates of the
      first solid.
    - direction: normals of the planes (3, n), axes of the first solid.
    """
    back = -np.einsum("jin,jn->in", turn, direction)
    return np.einsum("in,in->n", place, direction) - other.reach(back) - one.reach(direction)


def _rough(one: Solid, other: Solid, turn, place) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (lower bounds (n), upper bounds (n), points of the other (3, n)) of distances of convex
    solids."""
    ends = [solid.cover[0] for solid in (one, other)]
    (p, u), (q, v) = ((0.5 * (e[:, 0] + e[:, 1]), 0.5 * (e[:, 1] - e[:, 0])) for e in ends)
    q, v = np.einsum("ijn,j->in", turn, q) + place, np.einsum("ijn,j->in", turn, v)
    _, _, t = nearest_of_stretches(p[:, None], u[:, None], q, v)
    on_b = q + t * v
    for _ in range(ROUGH):
        on_a, _ = one.project(on_b)
        own = np.einsum("jin,jn->in", turn, on_a - place)
        on_b = np.einsum("ijn,jn->in", turn, other.project(own)[0]) + place
    away = on_b - on_a
    core = length(away)
    apart = core > MEETING * max(one.size, other.size)
    direction = away / np.where(apart, core, 1.0)
    low = np.where(apart, parting(one, other, turn, place, direction), -np.inf)
    return low, np.maximum(core - one.swell - other.swell, 0.0), on_b
