"""One flight, or one leg of a mission, of many cases: its programs, and its cases flown together or one by
one."""

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
from ..programs.program import Program, program_for
from ..stepper.problem import RUNNING
from ..tree.errors import Problem
from .one_by_one import OneByOne
from .run import recorded_steps

ROWS_AT_ONCE = 128
ROWS_UNSAMPLED = 64


class ChunkStart(NamedTuple):
    """Cases where they begin; see `Chunk`. time [s], of all or (case,)."""

    scenario: Any
    start: Any
    time: Any
    cursor: Any
    count: int
    refused: dict[int, tuple[Problem, ...]]


class LaneLeg:
    """What flies the cases of one scenario without legs. width: cases in a chunk; samples: whether steps are
    kept; compiled: see `Chunk`."""

    def __init__(self, scenario: Any, width: int, samples: bool, compiled: bool | None = None):
        self.scenario, self.samples, self.compiled = scenario, samples, compiled
        kept, rows = (recorded_steps(scenario), ROWS_AT_ONCE) if samples else ("events", ROWS_UNSAMPLED)
        if not scenario.solver.fixed_step:
            kept = "steps"
        self.program: Program = program_for(scenario, (width,), kept, rows)
        self.layout = Layout(scenario)

    @cached_property
    def alone(self) -> OneByOne:
        """What flies them one by one."""
        return OneByOne(self.scenario)

    def fly(
        self,
        first: int,
        placed: ChunkStart,
        apart: bool,
        stop: threading.Event,
        advanced: Callable[[int], None],
    ) -> Chunk | None:
        """Fly a chunk of cases, the first of which is case `first`, and report how many are there already.
        apart: one by one. None where it was stopped."""
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
            cursor, part, taken = self.program.advance(scenario, start.reference, time, cursor)
            cursor = pace.judge(cursor)
            advanced(int(np.sum(np.asarray(cursor.status)[: placed.count] != RUNNING)))
            if self.samples:
                rows.append((jax.device_get(part), int(taken)))
        return cursor, rows
