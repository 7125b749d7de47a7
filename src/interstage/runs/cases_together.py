"""Give models access to the cases of a group, so that they evaluate all cases in one call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..diagnosis import excursions
from ..engine.minimal_coordinates import has_own_state
from ..maths.arrays import jax
from ..observation.after import Flown
from ..observation.between import Between
from ..observation.knots_of_cases import Knots, Sides, knots_of, phase_span, sides_of
from ..observation.observation import completion, is_plain_end, outcome
from ..observation.records_of_cases import Chunk, after_events, lane_track, rows_of
from ..observation.states_of_cases import CaseStates
from ..programs.program import Program, program_for
from ..record.record import Record
from .run import recorded_steps


class FlownLanes:
    """Group of cases that were simulated together.

    - program, chunk: program and results of these cases.
    - scenario: scenario with the nominal values of the dispersed inputs.
    - dispersed: paths of the inputs that differ between the cases.
    - count: number of valid cases.
    - refused: indices of the cases that were not flown.

    In the methods, `lane` is the index of a case in the group.
    """

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
        """Return the flight of one case. record: record of this case, which may be incomplete."""
        case = self.case(lane)
        start, cursor, track = lane_track(self.chunk, lane)
        program = program_for(case, (), recorded_steps(case))
        return Flown(Between(program, case, start.reference, cursor, track), record)

    def outcomes(self, some: Sequence[int]) -> list[tuple[str, bool]]:
        """Return the outcome as one sentence, and whether the flight reached its end, for some cases.

        some: indices of the cases.
        """
        return [self.all_outcomes[lane] for lane in some]

    @cached_property
    def all_outcomes(self) -> list[tuple[str, bool]]:
        """Return the outcome as one sentence, and whether the flight reached its end, for each case."""
        why = excursions.blamed_in(self, range(self.count))
        phases, table = [phase.name for phase in self.scenario.phases], self.program.table
        whole = jax.tree.map(np.asarray, self.chunk.cursor)
        plain = is_plain_end(whole, table)[: self.count].tolist()
        found = []
        for lane, time in enumerate(np.asarray(whole.t)[: self.count].tolist()):
            if plain[lane]:
                found.append((completion(time), True))
                continue
            cursor = jax.tree.map(lambda a, lane=lane: a[..., lane], whole)
            told, reached = outcome(cursor, False, table, phases)
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
        """Return the time of each event in each case (case,) [s], by name of the event.

        The time is infinity if the event did not occur, and the first time if the event occurred more than
        once.
        """
        table_events = self.program.table.events
        times = np.asarray(self.chunk.cursor.discrete.event_time)[:, : self.count]
        found = dict(zip((h.name for h in table_events), times, strict=True))
        for name in (h.name for h in table_events if h.repeats):
            row, last = self.rows_after(name), len(self.rows.t) - 1
            when = np.take_along_axis(self.rows.t[:, : self.count], np.minimum(row, last)[None], 0)[0]
            found[name] = np.where(row <= last, when, np.inf)
        return found

    def first_since(self, event: str, start: np.ndarray) -> np.ndarray:
        """Return the time of the first occurrence of an event or phase at or after a time, in each case
        (case,) [s]; infinite without one.

        start: time from which occurrences count (case,) [s].
        """
        first = self.events.get(event, np.full(self.count, np.inf))
        names = [h.name for h in self.program.table.events]
        found = np.where(first >= start, first, np.inf)
        if event not in names:
            return found
        times = np.asarray(self.rows.discrete.event_time)[:, names.index(event), : self.count]
        return np.fmin(found, np.where(times >= start, times, np.inf).min(0))

    def rows_after(self, event: str) -> np.ndarray:
        """Return the index of the integration step that begins just after an event, in each case (case,).

        If the event did not occur, the index exceeds the index of the last step.
        """
        names = [h.name for h in self.program.table.events]
        if event not in names:  # as the first phase, which begins with the flight
            return np.full(self.count, len(self.rows.t))
        return after_events(self.rows)[names.index(event), : self.count]

    @cached_property
    def rows(self) -> Any:
        """Return the integration steps of all cases: t, x, discrete, t_end, x_end, moved, each (row, ...,
        case).

        The group is filled up to its fixed size: cases with an index of `count` or more are copies.
        """
        return rows_of(self.chunk)

    @cached_property
    def has_hidden_motion(self) -> bool:
        """Return whether bodies can move inside a step without any change of the integrated state.

        This is true if joints prescribe motions and the state contains the free coordinates only. The step
        size control does not see such a motion.
        """
        scenario = self.scenario
        replaced = (one for item in (*scenario.phases, *scenario.events) for one in item.replace)
        driven = any(getattr(one, "driven", None) is not None for one in (*scenario.joints, *replaced))
        return driven and has_own_state(self.program.layout)

    def at(
        self, lane: np.ndarray, row: np.ndarray, step: np.ndarray | None, function: Callable[..., Any]
    ) -> Any:
        """Compute function(mechanism, t, x, discrete) for some states of some cases.

        - `lane`: index of the case of each state (state,).
        - row: integration step of each state (state,).
        - step: time from the start of this step (state,) [s]; None for the start of the step.

        The result is a tree of arrays (..., state).
        """
        spots = self.states.spots(lane, row)
        return self.states.at(spots if step is None else self.states.later(spots, step), function)

    def at_ends(self, lane: np.ndarray, row: np.ndarray, function: Callable[..., Any]) -> Any:
        """Return the same for the states in which steps end, just before any jump."""
        return self.states.at(self.states.spots(lane, row, ends=True), function)

    @cached_property
    def states(self) -> CaseStates:
        """Return an object that evaluates states between the integration steps of these cases."""
        return CaseStates(self.program, self.chunk, self.rows)

    @cached_property
    def knots(self) -> Knots:
        """Return the integration steps with a duration above zero."""
        return knots_of(self.chunk, self.rows)

    @cached_property
    def sides(self) -> Sides:
        """Return the states just before and just after each event."""
        return sides_of(self.rows)

    def span(self, phase: str | None) -> tuple[np.ndarray, np.ndarray]:
        """Return start and end (case,) [s] of a phase in each case. If `phase` is None, of the flight."""
        start, end = phase_span(self.scenario, self.program.table, self.rows, self.sides, phase)
        return start[: self.count], end[: self.count]
