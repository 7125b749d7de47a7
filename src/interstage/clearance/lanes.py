"""Least distances of two bodies in all cases of a batch, found exactly only where a cheap bound lets it
matter."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import jax
import numpy as np

from ..minimal import flow_of
from ..program import Program, quickly_compiled, sampled
from .course import WORTH, Watch
from .motion import Poses, fastest, poses_of, relative

STATES_AT_ONCE = 64
"""States of each lane in one call, so that one program serves all."""
FEWEST = 3
"""Fewest times that are looked at between two steps which may hold the least distance."""
ZOOMS = 3
ZOOM = 16
"""How often, and into how many parts, the time around the least distance is divided."""
POSES, STEPPED = ("poses of lanes",), ("poses of lanes, stepped")


class Rows(NamedTuple):
    """The steps of a chunk of lanes and where these stand at last, (row, ..., lane)."""

    t: np.ndarray
    x: np.ndarray
    discrete: Any
    counts: np.ndarray


class Found(NamedTuple):
    """Least distances (lane) [m] and their times (lane) [s]; not numbers where a clearance did not begin.
    exact: how many distances were found by searching, of how many states were looked at."""

    distance: np.ndarray
    time: np.ndarray
    searched: int
    states: int


class _Searched:
    """Exact distances of states of lanes; the shapes of a lane may be its own."""

    def __init__(self, watches: list[Watch]):
        self.watches, self.shared = watches, all(w is watches[0] for w in watches)
        self.count = 0

    def __call__(self, lanes: np.ndarray, turn: np.ndarray, place: np.ndarray) -> np.ndarray:
        self.count += len(lanes)
        if not len(lanes):
            return np.zeros(0)
        if self.shared:
            return self.watches[0].pair.nearest(turn, place).distance
        found = np.zeros(len(lanes))
        for lane in np.unique(lanes):
            mine = lanes == lane
            found[mine] = self.watches[lane].pair.nearest(turn[..., mine], place[:, mine]).distance
        return found


class Lanes:
    """A chunk of lanes whose least distances are looked for."""

    def __init__(self, program: Program, chunk: Any, watches: list[Watch]):
        self.program, self.chunk, self.watches = program, chunk, watches
        self.search = _Searched(watches)
        self.states = 0

    @cached_property
    def rows(self) -> Rows:
        """All its steps that took time."""
        cursor = self.chunk.cursor
        last = Rows(cursor.t, cursor.x, cursor.discrete, np.ones(np.shape(cursor.t), bool))
        parts = [
            jax.tree.map(
                lambda a, count=count: np.asarray(a)[:count],
                Rows(p.t, p.x, p.discrete, np.asarray(p.moved) & (np.asarray(p.t_end) > np.asarray(p.t))),
            )
            for p, count in self.chunk.rows
        ]
        last = jax.tree.map(lambda a: np.asarray(a)[None], last)
        return Rows(*jax.tree.map(lambda *rows: np.concatenate(rows), *parts, last))

    def least(self, start: np.ndarray, end: np.ndarray, interval: float) -> Found:
        """The least distances between times (lane) [s]."""
        rows, count = self.rows, self.chunk.count
        poses = self._poses(POSES, rows.t, rows.x, rows.discrete, np.zeros_like(rows.t))
        keep = rows.counts & (rows.t >= start - 1e-9) & (rows.t <= end + 1e-9)
        keep[:, count:] = False
        row, lane = np.nonzero(keep)
        order = np.lexsort((rows.t[row, lane], lane))
        row, lane = row[order], lane[order]
        state = _States(self, lane, rows.t[row, lane], _at(poses, row, lane))
        best = np.full(count, np.inf), np.full(count, np.nan)
        state.settle(best)
        state.settle(best)
        places, steps = _between(state, row, best[0], interval)
        if len(places[0]):
            self._stepped(*places, steps).settle(best, both=True)
        for zoom in range(ZOOMS):
            self._zoom(best, start, end, interval / (0.5 * ZOOM) ** zoom)
        found = np.isfinite(best[0])
        return Found(np.where(found, best[0], np.nan), best[1], self.search.count, self.states)

    def _zoom(self, best, start, end, width: float) -> None:
        lanes = np.flatnonzero(np.isfinite(best[0]))
        parts = np.linspace(-1, 1, ZOOM + 1)
        times = best[1][lanes][:, None] + width * parts
        times = np.clip(times, start[lanes][:, None], end[lanes][:, None])
        self._stepped(*self._before(np.repeat(lanes, len(parts)), times.ravel())).settle(best, both=True)

    def _before(self, lanes: np.ndarray, times: np.ndarray):
        """(rows, lanes, steps) from which the lanes come to the times."""
        rows = self.rows
        row = np.zeros(len(lanes), int)
        for lane in np.unique(lanes):
            usable = np.flatnonzero(rows.counts[:, lane])
            mine = lanes == lane
            place = np.searchsorted(rows.t[usable, lane], times[mine], side="right") - 1
            row[mine] = usable[np.clip(place, 0, None)]
        return row, lanes, times - rows.t[row, lanes]

    def _stepped(self, row, lane, step) -> _States:
        """States a step after rows of lanes."""
        place = np.zeros(len(lane), int)
        for one in np.unique(lane):
            place[lane == one] = np.arange(np.sum(lane == one))
        most, width = place.max() + 1, self.rows.t.shape[1]
        rows, steps = np.zeros((most, width), int), np.zeros((most, width))
        rows[place, lane], steps[place, lane] = row, step

        def pick(array):
            wide = rows.reshape(most, *[1] * (array.ndim - 2), width)
            return np.take_along_axis(array, wide, axis=0)

        states = jax.tree.map(pick, (self.rows.t, self.rows.x, self.rows.discrete))
        poses = self._poses(STEPPED, *states, steps)
        return _States(self, lane, self.rows.t[row, lane] + step, _at(poses, place, lane))

    def _poses(self, kind, *states) -> Poses:
        """Poses (state, ..., lane) of states of all lanes."""
        program, total, parts = self._program(kind), len(states[0]), []
        self.states += total * self.chunk.count
        for first in range(0, total, STATES_AT_ONCE):
            index = np.minimum(np.arange(first, first + STATES_AT_ONCE), total - 1)
            some = jax.tree.map(lambda a, index=index: a[index], states)
            found = jax.device_get(program(self.chunk.scenario, self.chunk.start.reference, some))
            parts.append([f[: min(STATES_AT_ONCE, total - first)] for f in found])
        return Poses(*(np.concatenate(field) for field in zip(*parts, strict=True)))

    def _program(self, kind) -> Any:
        program = self.program
        if kind not in program.observers:

            def function(scenario, found, reference, states):
                mechanism = program.mechanism(scenario, 1, reference, found)
                flow = flow_of(mechanism, program.table)

                def one(state):
                    t, x, discrete, h = state
                    if kind is STEPPED:
                        own = sampled(flow, program.method, t, flow.own(t, x, discrete), discrete, h)
                        x = flow.ordinary(t + h, own, discrete)
                    return poses_of(mechanism, t + h, x, discrete)

                return jax.lax.map(one, states)

            program.observers[kind] = program.program(function, quickly_compiled)
        return program.observers[kind]


class _States:
    """States of lanes (n) in the order of lanes and times, with a bound of each distance, and the distance
    where it was searched."""

    def __init__(self, whole: Lanes, lane: np.ndarray, time: np.ndarray, poses: Poses):
        watch = whole.watches[0]
        self.whole, self.lane, self.time = whole, lane, time
        self.turn, self.place = relative(poses, watch.a, watch.b)
        self.searched = np.zeros(len(lane), bool)
        self.distance = np.full(len(lane), np.inf)
        self.fastest = np.zeros(len(lane))
        for mine, one in _by_watch(whole.watches, lane):
            self.distance[mine] = one.pair.bound(self.turn[..., mine], self.place[:, mine])
            own = Poses(*(field[..., mine] for field in poses))
            self.fastest[mine] = fastest(own, one.a, one.b, *one.reaches(own))

    def settle(self, best: tuple[np.ndarray, np.ndarray], both: bool = False) -> None:
        """Search where the bound is the least of a lane, if nothing is known of it yet, else wherever it is
        below the least that is known, and put that down."""
        for _ in range(2 if both else 1):
            unknown = ~np.isfinite(best[0])
            wanted = ~self.searched & (self.distance < best[0][self.lane]) & ~unknown[self.lane]
            for lane in np.unique(self.lane[unknown[self.lane]]):
                mine = np.flatnonzero(self.lane == lane)
                wanted[mine[np.argmin(self.distance[mine])]] = True
            at = np.flatnonzero(wanted)
            self.distance[at] = self.whole.search(self.lane[at], self.turn[..., at], self.place[:, at])
            self.searched[at] = True
            for lane in np.unique(self.lane[at]):
                mine = at[self.lane[at] == lane]
                row = mine[np.argmin(self.distance[mine])]
                if self.distance[row] < best[0][lane]:
                    best[0][lane], best[1][lane] = self.distance[row], self.time[row]


def _by_watch(watches: list[Watch], lane: np.ndarray):
    """(which of the states, their watch) for each watch."""
    if all(w is watches[0] for w in watches):
        return [(np.ones(len(lane), bool), watches[0])]
    return [(lane == one, watches[one]) for one in np.unique(lane)]


def _at(poses: Poses, row: np.ndarray, lane: np.ndarray) -> Poses:
    """Poses of some rows of lanes, (..., n)."""
    return Poses(*(np.moveaxis(field[row, ..., lane], 0, -1) for field in poses))


def _between(state: _States, row: np.ndarray, least: np.ndarray, interval: float):
    """((rows, lanes), steps) of the times between steps at which the bodies may be nearer than is known."""
    same = state.lane[1:] == state.lane[:-1]
    gap = np.where(same, np.diff(state.time), 0.0)
    limit = 1.1 * np.maximum(state.fastest[1:], state.fastest[:-1]) + np.abs(np.diff(state.fastest))
    bound = 0.5 * (state.distance[1:] + state.distance[:-1] - limit * gap)
    size = state.whole.watches[0].size
    open_ = np.flatnonzero(same & (gap > 0) & (bound < least[state.lane[:-1]] - WORTH * size))
    counts = np.maximum(FEWEST, np.ceil(gap[open_] / interval).astype(int) - 1)
    rows, lanes = np.repeat(row[open_], counts), np.repeat(state.lane[open_], counts)
    parts = np.concatenate([np.arange(1, c + 1) / (c + 1) for c in counts]) if len(counts) else np.zeros(0)
    return (rows, lanes), np.repeat(gap[open_], counts) * parts
