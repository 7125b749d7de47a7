"""Two bodies in the cases of a batch: how they stand against each other in any states, with bounds of their
distance found inside the compiled program, and their distance where it is asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..lane_records import COMPILED, picked, rows_of, stepper
from ..maths.arrays import jax, jnp, lax
from ..program import Program
from .bounds import lower_bounds
from .course import Watch
from .motion import Relative, fastest, poses_of, rate_of, relative

STATES_AT_ONCE = {False: 64, True: 8}
"""States of each lane in one call: passed through, and stepped to."""
SEARCHED_AT_ONCE = 1000
"""States whose distances are searched in one go; walls of many pieces take much memory for each."""
FAR = 1e30
"""[m]"""


class Seen(NamedTuple):
    """States of lanes (n), as the compiled program sees them: how the bodies stand and move against each
    other, a lower bound of their distance [m] and the greatest speed at which it may change [m/s]."""

    between: Relative
    bound: Any
    limit: Any


class Lanes:
    """A chunk of lanes whose least distances are looked for.

    watches: of each lane, or one of all."""

    def __init__(self, program: Program, chunk: Any, watches: list[Watch]):
        self.program, self.chunk, self.watches = program, chunk, watches
        self.shared = len(watches) == 1

    @cached_property
    def rows(self) -> Any:
        """Its steps, and where they lead at last, (row, ..., lane)."""
        return rows_of(self.chunk)

    @cached_property
    def counts(self) -> np.ndarray:
        """Which rows (row, lane) took time, or are the last."""
        counts = self.rows.moved & (self.rows.t_end > self.rows.t)
        counts[-1] = True
        return counts

    def watch(self, lane: int) -> Watch:
        """What watches a lane."""
        return self.watches[0 if self.shared else lane]

    def nearest(self, lane: np.ndarray, between: Relative):
        """(exact distances, rates at which they grow) of states (n) of lanes."""
        distance, rate = np.zeros((2, len(lane)))
        for mine in self._alike(lane):
            some = Relative(*(field[..., mine] for field in between))
            found = self.watch(int(lane[mine[0]])).pair.nearest(some.turn, some.place)
            distance[mine] = found.distance
            rate[mine] = rate_of(some, found.on_a, found.direction)
        return distance, rate

    def bracket(self, lane: np.ndarray, between: Relative, below: np.ndarray):
        """(lower, upper bounds) of distances of states (n) of lanes, close where they are below some (n)."""
        low, high = np.zeros((2, len(lane)))
        for mine in self._alike(lane):
            pair = self.watch(int(lane[mine[0]])).pair
            low[mine], high[mine] = pair.bracket(between.turn[..., mine], between.place[:, mine], below[mine])
        return low, high

    def _alike(self, lane: np.ndarray) -> list[np.ndarray]:
        """Numbers of states that have the same shapes, some at a time."""
        if self.shared:
            alike = [np.arange(len(lane))]
        else:
            alike = [np.flatnonzero(lane == one) for one in np.unique(lane)]
        return [
            some[k : k + SEARCHED_AT_ONCE] for some in alike for k in range(0, len(some), SEARCHED_AT_ONCE)
        ]

    def seen(self, row: np.ndarray, lane: np.ndarray, step: np.ndarray | None = None) -> Seen:
        """States of lanes (n) at rows, or a step after them [s]."""
        place = places(lane)
        most, width = place.max() + 1, self.rows.t.shape[1]
        rows, steps = np.zeros((most, width), int), np.zeros((most, width))
        rows[place, lane] = row
        if step is not None:
            steps[place, lane] = step
        found = self._seen(step is not None, picked(self.rows, rows, ends=False)._replace(h=steps))
        return jax.tree.map(lambda f: np.moveaxis(f[place, ..., lane], 0, -1), found)

    def _seen(self, stepped: bool, states: Any) -> Seen:
        scenario, reference = self.chunk.scenario, self.chunk.start.reference
        look, total, at_once = self._looking, len(states.t), STATES_AT_ONCE[stepped]
        parts = []
        for first in range(0, total, at_once):
            index = np.minimum(np.arange(first, first + at_once), total - 1)
            t, x, discrete, h = jax.tree.map(lambda a, index=index: a[index], states)
            if stepped:
                x = stepper(self.program)(scenario, reference, (t, x, discrete, h))
            found = jax.device_get(look(scenario, reference, (t + h, x, discrete), *self._shapes))
            count = min(at_once, total - first)
            parts.append(jax.tree.map(lambda f, count=count: f[:count], found))
        return jax.tree.map(lambda *fields: np.concatenate(fields), *parts)

    @cached_property
    def _shapes(self) -> tuple[Any, np.ndarray]:
        """(capsules of each body, (..., piece, lane), what pairs of pieces that are left out are further
        apart)."""
        each = [watch.pair.capsules for watch in self.watches]
        each += [each[-1]] * (0 if self.shared else self.rows.t.shape[1] - len(each))
        left_out = np.where(self.watches[0].pair.skipped, FAR, 0.0)
        return jax.tree.map(lambda *lanes: np.stack(lanes, -1), *each), left_out

    @property
    def _looking(self) -> Any:
        """The program (scenario, reference, states, capsules, what pairs left out are further apart) ->
        `Seen`, (state, ..., lane)."""
        program, watch = self.program, self.watches[0]
        kind = ("clearance", str(watch.a), str(watch.b))
        if kind not in program.observers:

            def function(scenario, found, reference, states, capsules, left_out):
                mechanism, (a, b) = program.mechanism(scenario, 1, reference, found), capsules

                def one(state):
                    between = relative(poses_of(mechanism, *state), watch.a, watch.b, jnp)
                    bound = lower_bounds(a, b, between.turn, between.place, jnp) + left_out[..., None]
                    return Seen(between, jnp.min(bound, (0, 1)), fastest(between, a, b, jnp))

                return lax.map(one, states)

            program.observers[kind] = program.program(function, COMPILED, " ".join(kind))
        return program.observers[kind]


def places(lane: np.ndarray) -> np.ndarray:
    """Which of its lane each state is, lanes in order."""
    first = np.r_[True, lane[1:] != lane[:-1]]
    start = np.flatnonzero(first)
    return np.arange(len(lane)) - start[np.cumsum(first) - 1]
