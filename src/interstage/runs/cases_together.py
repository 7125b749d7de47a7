"""Access to cases that were flown together, for parts that examine all cases at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..diagnosis import excursions
from ..maths.arrays import jax
from ..observation.after import Flown
from ..observation.between import Between
from ..observation.observation import near, outcome
from ..observation.records_of_cases import (
    SIDE_BY_SIDE,
    Chunk,
    after_events,
    all_stepped,
    lane_track,
    rows_of,
    step_state,
    steps_by_numpy,
)
from ..programs.program import Program, program_for
from ..record.record import Record
from .run import recorded_steps


class FlownLanes:
    """A group of cases that were flown together.

    - program, chunk: program and results of these cases.
    - scenario: scenario without the differences of the cases.
    - dispersed: paths of the inputs that differ.
    - count: number of valid cases.
    - refused: reasons for cases that were not flown."""

    def __init__(
        self,
        program: Program,
        chunk: Chunk,
        scenario: Any,
        dispersed: Collection[str],
        case: Callable[[int], Any],
    ):
        self.scenario, self.dispersed, self.count = scenario, dispersed, chunk.count
        self.refused: Collection[int] = chunk.refused
        self.program, self.chunk, self._case = program, chunk, case

    def case(self, lane: int) -> Any:
        """Return the scenario of one case."""
        return self._case(self.chunk.first + lane)

    def flown(self, lane: int, record: Record) -> Flown:
        """Return the flight of one case, with its record as far as it is known."""
        case = self.case(lane)
        start, cursor, track = lane_track(self.chunk, lane)
        program = program_for(case, (), recorded_steps(case))
        return Flown(Between(program, case, start.reference, cursor, track), record)

    def outcomes(self, some: Sequence[int]) -> list[tuple[str, bool]]:
        """Return for some cases the outcome as one sentence, and whether the flight reached its end."""
        why = excursions.blamed_in(self, some)
        found = []
        for lane in some:
            cursor = jax.tree.map(lambda a, lane=lane: np.asarray(a)[..., lane], self.chunk.cursor)
            phases = [phase.name for phase in self.scenario.phases]
            told, reached = outcome(cursor, False, self.program.table, phases)
            found.append((why.get(lane, told), reached))
        return found

    @cached_property
    def finite(self) -> np.ndarray:
        """Return whether the final state of each case is finite (case,)."""
        return np.all(np.isfinite(self.chunk.cursor.x), axis=0)[: self.count]

    @cached_property
    def begin(self) -> np.ndarray:
        """Return the start time of each case (case,) [s]."""
        return self.rows.t[0, : self.count]

    @cached_property
    def end(self) -> np.ndarray:
        """Return the end time of each case (case,) [s]."""
        return np.asarray(self.chunk.cursor.t)[: self.count]

    @cached_property
    def events(self) -> dict[str, np.ndarray]:
        """Return the first time of each event in each case (case,) [s] by name; infinity if the event did not
        occur."""
        table_events = self.program.table.events
        times = np.asarray(self.chunk.cursor.discrete.event_time)[:, : self.count]
        found = dict(zip((h.name for h in table_events), times, strict=True))
        for name in (h.name for h in table_events if h.repeats):
            row, last = self.rows_after(name), len(self.rows.t) - 1
            when = np.take_along_axis(self.rows.t[:, : self.count], np.minimum(row, last)[None], 0)[0]
            found[name] = np.where(row <= last, when, np.inf)
        return found

    def rows_after(self, event: str) -> np.ndarray:
        """Return the index of the step that begins just after an event in each case (case,).

        The index is beyond the last step if the event did not occur."""
        names = [h.name for h in self.program.table.events]
        if event not in names:  # as the first phase, which begins with the flight
            return np.full(self.count, len(self.rows.t))
        return after_events(self.rows)[names.index(event), : self.count]

    @cached_property
    def rows(self) -> Any:
        """Return the steps of all cases: t, x, discrete, t_end, x_end, moved, each (row, ..., case).

        Cases beyond `count` are copies."""
        return rows_of(self.chunk)

    def at(
        self, lane: np.ndarray, row: np.ndarray, step: np.ndarray | None, function: Callable[..., Any]
    ) -> Any:
        """Return function(mechanism, t, x, discrete) for some states of some cases, as a tree of arrays with
        the states last.

        - `lane`: case of each state.
        - row: step in which the state is.
        - step: time from the start of this step [s]."""
        most = max(1, SIDE_BY_SIDE // self.program.layout.count)
        found = []
        for first in range(0, len(lane), most):
            some = slice(first, first + most)
            found.append(self._at(lane[some], row[some], None if step is None else step[some], function))
        return jax.tree.map(lambda *parts: np.concatenate(parts, -1), *found)

    def _at(self, lane: np.ndarray, row: np.ndarray, step: np.ndarray | None, function: Any) -> Any:
        program, width = self.program, np.shape(self.rows.t)[1]

        def of_lanes(leaf: Any) -> Any:
            return leaf[..., lane] if width > 1 and np.shape(leaf)[-1:] == (width,) else leaf

        def of_rows(array: Any) -> Any:
            return np.moveaxis(np.asarray(array)[row, ..., lane], 0, -1)

        t, x, discrete = jax.tree.map(of_rows, (self.rows.t, self.rows.x, self.rows.discrete))
        given = jax.tree.map(of_lanes, (self.chunk.scenario, self._reference))

        def later(states: Any) -> np.ndarray:
            """The states x (component, n) a step later."""
            if not steps_by_numpy(program, self.chunk, len(lane)):
                return self._step_by_program(lane, states)
            return program.at_once(by_numpy)(*given, *states)

        def by_numpy(scenario: Any, found: Any, reference: Any, *states: Any) -> Any:
            return step_state(program, program.mechanism(scenario, 1, reference, found), *states)

        def whole(scenario: Any, found: Any, reference: Any, t: Any, x: Any, discrete: Any) -> Any:
            return function(program.mechanism(scenario, 1, reference, found), t, x, discrete)

        if step is not None:
            states: Any = (t, x, discrete, step)
            solver = self.chunk.scenario.solver
            if solver.fixed_step:
                states = near(states, of_lanes(np.asarray(solver.step)), later)
            t, x = states[0] + states[3], later(states)
        return program.at_once(whole)(*given, t, x, discrete)

    def _step_by_program(self, lane: np.ndarray, states: Any) -> np.ndarray:
        """The states x (component, n) a step after states (t, x, discrete, h) of cases by the compiled
        program, which takes as many of each case."""
        some = np.flatnonzero(states[3])
        if some.size < len(lane):
            # Most of the states between two rows are already near their times.
            x = np.array(states[1])
            if some.size:
                x[..., some] = self._step_by_program(
                    lane[some], jax.tree.map(lambda a: a[..., some], tuple(states))
                )
            return x
        order = np.argsort(lane, kind="stable")
        sorted_ = lane[order]
        place = np.empty(len(lane), int)
        place[order] = np.arange(len(lane)) - np.searchsorted(sorted_, sorted_)
        shape = place.max() + 1, np.shape(self.rows.t)[1]
        number = np.zeros(shape, int)  # where a case has fewer, the first, whose step is not read
        number[place, lane] = np.arange(len(lane))
        wide = jax.tree.map(lambda a: np.moveaxis(np.asarray(a)[..., number], -2, 0), tuple(states))
        found = all_stepped(self.program, self.chunk.scenario, self._reference, wide)
        return np.moveaxis(found[place, :, lane], 0, -1)

    @cached_property
    def _reference(self) -> Any:
        return jax.device_get(self.chunk.start.reference)
