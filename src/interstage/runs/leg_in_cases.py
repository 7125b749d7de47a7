"""Simulate one flight, or one leg of a mission, in many cases: together or one after another."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..diagnosis.pace import Pace
from ..engine.layout import Layout
from ..maths.arrays import jax
from ..observation.records_of_cases import Chunk
from ..programs.compiled import meant_for
from ..programs.program import Program, program_for
from ..stepper.problem import RUNNING
from ..tree.errors import Problem
from .one_by_one import OneByOne
from .run import recorded_steps

ROWS_AT_ONCE = 128
ROWS_UNSAMPLED = 64


class ChunkStart(NamedTuple):
    """Initial states of a group of cases. time: [s], one time for all cases or (case,). Other fields: see
    `Chunk`.
    """

    scenario: Any
    start: Any
    time: Any
    cursor: Any
    count: int
    refused: dict[int, tuple[Problem, ...]]


class LaneLeg:
    """Simulation of the cases of one scenario without legs.

    - width: number of cases in a group.
    - samples: whether the integration steps are stored.
    - compiled: see `Chunk`.
    """

    def __init__(self, scenario: Any, width: int, samples: bool, compiled: bool | None = None):
        self.scenario, self.samples, self.compiled = scenario, samples, compiled
        kept, rows = (recorded_steps(scenario), ROWS_AT_ONCE) if samples else ("events", ROWS_UNSAMPLED)
        if not scenario.solver.fixed_step:
            kept = "steps"
        self.program: Program = program_for(scenario, (width,), kept, rows)
        self.layout = Layout(scenario)

    @cached_property
    def alone(self) -> OneByOne:
        """Return the simulation that computes these cases one after another."""
        return OneByOne(self.scenario)

    def fly(
        self,
        first: int,
        placed: ChunkStart,
        apart: bool,
        stop: threading.Event,
        advanced: Callable[[int], None],
    ) -> Chunk | None:
        """Simulate a group of cases and return the results; None if the run was interrupted.

        - first: index of the first case.
        - placed: initial states of the group.
        - apart: if true, the cases are simulated one after another.
        - stop: event that interrupts the run when it is set.
        - advanced: function that is called with the number of finished cases.
        """
        scenario, start, _, cursor, count, refused = placed
        if len(refused) == count:
            found = cursor, []
        elif apart:
            found = self._one_by_one(placed, stop, advanced)
        else:
            found = self._as_lanes(placed, stop, advanced)
        if found is None:
            return None
        cursor, rows = found
        cursor = jax.device_get(self.program.end_cursor(scenario, start.reference, cursor))
        return Chunk(first, count, scenario, start, cursor, rows, refused, self.compiled)

    def _one_by_one(self, placed: ChunkStart, stop: threading.Event, advanced: Any) -> Any:
        found = self.alone.flown(*placed[:4], range(placed.count), stop, advanced)
        if found is None:
            return None
        cursor, rows = found
        return cursor, [(rows, len(rows.t))] if self.samples else []

    def _as_lanes(self, placed: ChunkStart, stop: threading.Event, advanced: Any) -> Any:
        scenario, start, time, cursor = placed[:4]
        rows, pace = [], Pace(scenario)
        while np.any(np.asarray(cursor.status) == RUNNING):
            if stop.is_set():
                return None
            with meant_for(f"program for {len(cursor.status)} cases at once"):
                cursor, part, taken = self.program.advance(scenario, start.reference, time, cursor)
            cursor = pace.judge(cursor)
            advanced(int(np.sum(np.asarray(cursor.status)[: placed.count] != RUNNING)))
            if self.samples:
                rows.append((jax.device_get(part), int(taken)))
        return cursor, rows
