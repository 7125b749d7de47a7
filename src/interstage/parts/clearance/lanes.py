"""Distances of two bodies in the cases of a batch: relative poses, bounds of the distance, and exact
distances.

Each value is computed only for the requested states. The cost therefore does not depend on the number of
cases in the batch.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...maths.arrays import jax
from .bounds import lower_bounds, wide
from .course import Watch
from .motion import Relative, fastest, motions, motions_between, poses_of, rate_of, relative
from .paces import Motions, bounds, paces, paces_inside
from .polynomials import StepPolynomials

if TYPE_CHECKING:
    from ...runs.cases_together import FlownLanes

SEARCHED_AT_ONCE = 1000
"""The maximum number of states in one distance search. The limit exists because hollow solids with many
pieces need much memory for each state.
"""
SPEEDS_AT_ONCE = 8192
"""The number of states for which speeds are computed together. The arrays of these states fit into the
processor's cache.
"""
CENTRES = 16
"""The number of intervals of a flight at whose ends the centres of mass are computed."""
SMALL = 1e-10
"""Largest accepted error [m] of a polynomial. For bodies smaller than 1 m, the error is relative to the size
of the body. The reported minimum is an exact distance, and exceeds the true minimum by less than twice this
error."""
OF_POSITIONS = 16 * float(np.finfo(float).eps)
"""Difference of two distances by rounding of the positions of the bodies, relative to the positions."""


class Seen(NamedTuple):
    """Data of n states of any cases.

    - between: relative pose and motion of the two bodies.
    - bound: lower bound of the distance [m] (n,).
    - limit: upper bound of the range rate [m/s] (n,).
    - polynomial: true if the state is from a polynomial, not from an integration step (n,).
    """

    between: Relative
    bound: Any
    limit: Any
    polynomial: np.ndarray


class Lanes:
    """The two bodies of a clearance in a chunk of cases, for the search of minimum distances.

    - flown: the chunk, with its recorded states.
    - watches: one `Watch` for each case, or a single one that is valid for all cases.
    """

    def __init__(self, flown: FlownLanes, watches: list[Watch]):
        self.flown, self.rows, self.watches = flown, flown.rows, watches
        self.shared = len(watches) == 1

    @cached_property
    def counts(self) -> np.ndarray:
        """Whether each recorded state is evaluated (row, case), bool. A state is evaluated if a time step
        begins at this state, or if it is the last state. States that are not finite are not evaluated.
        """
        counts = (self.rows.moved & (self.rows.t_end > self.rows.t))[:, : self.flown.count]
        counts[-1] = True
        return counts & np.isfinite(self._speeds)

    @property
    def paces(self) -> np.ndarray:
        """Upper bounds of the range rate between each recorded state and the next one [m/s] (row, case)."""
        return self._paces[0]

    @property
    def steady(self) -> np.ndarray:
        """Whether the range rate between each recorded state and the next one has upper bounds from any two
        states in between (row, case)."""
        return self._paces[1]

    @cached_property
    def ways(self) -> np.ndarray:
        """Upper bounds of the change of the distance since the first recorded state [m] (row, case)."""
        return np.concatenate([np.zeros((1, self.flown.count)), np.cumsum(self.paces * self._gaps, axis=0)])

    @cached_property
    def _gaps(self) -> np.ndarray:
        return np.diff(self.rows.t[:, : self.flown.count], axis=0)

    @cached_property
    def _paces(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the range rate, and whether it is smooth, between rows (row, case)."""
        found, smooth = self._paces_of_ends
        row, lane = np.nonzero((~smooth | self.flown.has_hidden_motion) & (self._gaps > 0))
        if row.size:
            found = found.copy()
            found[row, lane] = paces_inside(
                self._exact_motions, lane, row, self._gaps[row, lane], self.reach[:, lane], self.size
            )
            found[~np.isfinite(found)] = 0.0
        return found, smooth

    def _exact_motions(self, lane: np.ndarray, row: np.ndarray, step: np.ndarray) -> Motions:
        watch = self.watches[0]

        def look(*state: Any) -> Motions:
            poses = poses_of(*state)
            return motions_between(poses.position, poses.velocity, poses.spin, watch.a, watch.b)

        return self.flown.at(lane, row, step, look)

    @cached_property
    def _paces_of_ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the range rate, and whether it is smooth, from the ends of steps (row, case)."""
        some = max(1, SPEEDS_AT_ONCE // self.flown.count)
        paced, smooth = np.zeros(self._gaps.shape), np.ones(self._gaps.shape, bool)
        with np.errstate(invalid="ignore", over="ignore"):
            for first in range(0, len(self._gaps), some):
                part = slice(first, min(first + some, len(self._gaps)))
                begin, end = self._motions(part), self._motions(slice(first + 1, part.stop + 1))
                self._set_ends_before_jumps(part, end)
                found = paces(begin, end, self._gaps[part], self.reach[:, None], self.size)
                paced[part], smooth[part] = found
        known = np.isfinite(paced)
        return np.where(known, paced, 0.0), smooth | ~known

    def _motions(self, rows: slice) -> Motions:
        """Motions (3, row, case) of recorded states."""
        watch = self.watches[0]
        x = np.moveaxis(self.rows.x[rows, :, : self.flown.count], 0, 1)
        return motions(self.flown.program.layout, x, watch.a, watch.b)

    def _set_ends_before_jumps(self, part: slice, end: Motions) -> None:
        """Replace motions after jumps, at the ends of some steps, by the motions before the jumps."""
        watch, after = self.watches[0], self.rows.x[part.start + 1 : part.stop + 1, :, : self.flown.count]
        last = self.rows.x_end[part, :, : self.flown.count]
        row, lane = np.nonzero((last != after).any(1) & (self._gaps[part] > 0))
        if row.size:
            there = motions(self.flown.program.layout, last[row, :, lane].T, watch.a, watch.b)
            for whole, part in zip(end, there, strict=True):
                whole[:, row, lane] = part

    @cached_property
    def _speeds(self) -> np.ndarray:
        """Upper bounds (row, case) [m/s] of the range rate at the rows."""
        some = max(1, SPEEDS_AT_ONCE // self.flown.count)
        found = []
        with np.errstate(invalid="ignore", over="ignore"):
            for first in range(0, len(self.rows.t), some):
                found.append(bounds(self._motions(slice(first, first + some)), self.reach[:, None]).min(0))
        return np.concatenate(found)

    @cached_property
    def size(self) -> float:
        """Size of the larger body [m], the largest of all cases."""
        return max(watch.size for watch in self.watches)

    @cached_property
    def reach(self) -> np.ndarray:
        """Largest distances (2, case) [m] of the points of each body from its centre of mass."""
        rows = np.unique(np.linspace(0, len(self.rows.t) - 1, CENTRES + 1).astype(int))
        row, lane = (field.ravel() for field in np.meshgrid(rows, np.arange(self.flown.count)))
        watch = self.watches[0]

        def centres(*state: Any) -> Any:
            return poses_of(*state).centre[:, [watch.a, watch.b]]

        centre = self.flown.at(lane, row, None, centres)
        found = []
        for k, (axis, girth) in enumerate(self._covers_of(lane)):
            ends = [wide(axis[0] + side * axis[1], 2, 1) - centre[:, k, None] for side in (-1.0, 1.0)]
            away = np.sqrt(np.max([(end * end).sum(0) for end in ends], 0)) + wide(girth, 1, 1)
            found.append(np.fmax.reduce(away.max(0).reshape(-1, len(rows)), axis=1))
        return np.array(found)

    def watch(self, lane: int) -> Watch:
        """Return the `Watch` of a case. `lane`: index of the case."""
        return self.watches[0 if self.shared else lane]

    def nearest(self, lane: np.ndarray, between: Relative):
        """Return (exact distances [m], their rates of change [m/s]) of n states, each (n,).

        - `lane`: index of the case of each state (n,).
        - between: relative pose and motion of the bodies in each state.
        """
        distance, rate = np.zeros((2, len(lane)))
        for mine in self._alike(lane):
            some = Relative(*(field[..., mine] for field in between))
            found = self.watch(int(lane[mine[0]])).pair.nearest(some.turn, some.place)
            distance[mine] = found.distance
            rate[mine] = rate_of(some, found.on_a, found.direction)
        return distance, rate

    def bracket(self, lane: np.ndarray, between: Relative, below: np.ndarray):
        """Return (lower bounds, upper bounds) of the distance in n states [m], each (n,).

        - `lane`: index of the case of each state (n,).
        - between: relative pose and motion of the bodies in each state.
        - below: distances of interest [m] (n,). The two bounds are close to each other only below these
          distances.
        """
        low, high = np.zeros((2, len(lane)))
        for mine in self._alike(lane):
            pair = self.watch(int(lane[mine[0]])).pair
            low[mine], high[mine] = pair.bracket(between.turn[..., mine], between.place[:, mine], below[mine])
        return low, high

    def _alike(self, lane: np.ndarray) -> list[np.ndarray]:
        """Indices of states with the same shapes, in groups."""
        if self.shared:
            alike = [np.arange(len(lane))]
        else:
            alike = [np.flatnonzero(lane == one) for one in np.unique(lane)]
        return [
            some[k : k + SEARCHED_AT_ONCE] for some in alike for k in range(0, len(some), SEARCHED_AT_ONCE)
        ]

    def states_at(
        self, row: np.ndarray, lane: np.ndarray, step: np.ndarray | None = None, exact: bool = False
    ) -> Seen:
        """Return the data of n states.

        - row: index of the recorded state (n,).
        - `lane`: index of the case (n,).
        - step: time after the recorded state [s] (n,). Default: None, the recorded state itself.
        - exact: if true, polynomials are not used.
        """
        none = np.zeros(len(lane), bool)
        smooth = none if exact or step is None else self.polynomials.known(lane, row)
        if step is None or not smooth.any():
            between = self._exact_states(lane, row, step)
        else:
            between = self.polynomials.at(lane[smooth], row[smooth], step[smooth])
            if not smooth.all():
                rest = self._exact_states(lane[~smooth], row[~smooth], step[~smooth])
                between = _merge(smooth, between, rest)
        a, b = self._covers_of(lane)
        bound = lower_bounds(a, b, between.turn, between.place)
        bound = np.where(self.watches[0].pair.skipped[:, :, None], np.inf, bound).min((0, 1))
        return Seen(between, bound, fastest(between, a, b), smooth)

    def _exact_states(self, lane: np.ndarray, row: np.ndarray, step: np.ndarray | None = None) -> Relative:
        return self.flown.at(lane, row, step, self._look)

    def _end_states(self, lane: np.ndarray, row: np.ndarray) -> Relative:
        return self.flown.at_ends(lane, row, self._look)

    def _look(self, *state: Any) -> Relative:
        watch = self.watches[0]
        return relative(poses_of(*state), watch.a, watch.b)

    @cached_property
    def polynomials(self) -> StepPolynomials:
        """Relative poses inside the time steps."""
        count = self.flown.count
        length = (self.rows.t_end - self.rows.t)[:, :count]
        reach = np.broadcast_to([watch.pair.reach for watch in self.watches], (count,))
        ends = self._exact_states, self._end_states
        return StepPolynomials(length, self._exact_states, ends, self.tolerance, reach)

    def tolerance(self, lane: np.ndarray, row: np.ndarray, between: Relative) -> np.ndarray:
        """Return the largest allowed errors of polynomials after recorded states [m] (n,): `SMALL`, plus the
        rounding of distances."""
        watch, found = self.watches[0], np.zeros(len(lane))
        for mine in self._alike(lane):
            pair = self.watch(int(lane[mine[0]])).pair
            found[mine] = pair.rounding(between.place[:, mine]) + SMALL * min(1.0, pair.size)

        def far(*state: Any) -> Any:
            position = poses_of(*state).position[:, [watch.a, watch.b]]
            return np.sqrt((position * position).sum(0)).max(0)

        return found + OF_POSITIONS * self.flown.at(lane, row, None, far)

    def _covers_of(self, lane: np.ndarray) -> Any:
        """Capsules of each body in states (n) of cases."""
        return self._covers if self.shared else jax.tree.map(lambda f: f[..., lane], self._covers)

    @cached_property
    def _covers(self) -> Any:
        """Capsules of each body, (..., solid[, case])."""
        each = [watch.pair.capsules for watch in self.watches]
        if self.shared:
            return each[0]
        return jax.tree.map(lambda *lanes: np.stack(lanes, -1), *each)


def _merge(which: np.ndarray, one: Relative, other: Relative) -> Relative:
    """Return n states: `one` where `which` (n,) is true, and `other` at the remaining indices."""
    order = np.empty(len(which), int)
    order[np.r_[np.flatnonzero(which), np.flatnonzero(~which)]] = np.arange(len(which))
    both = zip(one, other, strict=True)
    return Relative(*(np.concatenate(fields, -1)[..., order] for fields in both))


def places(lane: np.ndarray) -> np.ndarray:
    """Return for each state its index among the states of the same case (n,).

    `lane`: index of the case of each state (n,), in increasing order.
    """
    first = np.r_[True, lane[1:] != lane[:-1]]
    start = np.flatnonzero(first)
    return np.arange(len(lane)) - start[np.cumsum(first) - 1]
