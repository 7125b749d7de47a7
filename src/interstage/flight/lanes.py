"""Lanes that were flown together, as parts see them that look for something in all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

import numpy as np

from ..engine.mechanism import Mechanism
from ..engine.stacks import stacks
from ..maths.arrays import jax
from ..record.record import Record
from .after import Flown
from .lane_records import Chunk, lane_track, picked, rows_of, stepped
from .program import Program, program_for
from .simulate import recorded


class FlownLanes:
    """A chunk of lanes.

    scenario: of all lanes, without what they differ in; dispersed: paths of the inputs that they differ in;
    count: lanes that count; refused: those of them that were not flown."""

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
        self._program, self._chunk, self._case = program, chunk, case

    def case(self, lane: int) -> Any:
        """The scenario of a lane."""
        return self._case(self._chunk.first + lane)

    def flown(self, lane: int, record: Record) -> Flown:
        """The flight of a lane, with its record as far as it is known."""
        case = self.case(lane)
        start, cursor, track = lane_track(self._chunk, lane)
        return Flown(program_for(case, (), recorded(case)), case, start.reference, cursor, track, record)

    @cached_property
    def finite(self) -> np.ndarray:
        """Whether the state in which each lane ended is a number, (lane,)."""
        return np.all(np.isfinite(self._chunk.cursor.x), axis=0)[: self.count]

    @cached_property
    def end(self) -> np.ndarray:
        """When each lane ended (lane,) [s]."""
        return np.asarray(self._chunk.cursor.t)[: self.count]

    @cached_property
    def events(self) -> dict[str, np.ndarray]:
        """When each event came (lane,) [s], inf where it did not, by its name."""
        times = np.asarray(self._chunk.cursor.discrete.event_time)[:, : self.count]
        return dict(zip((h.name for h in self._program.table.happenings), times, strict=True))

    @cached_property
    def rows(self) -> Any:
        """Steps, and where they lead at last: t, x, discrete, t_end, x_end, moved, (row, ..., lane); lanes
        behind those that count are copies."""
        return rows_of(self._chunk)

    def begun(self, rows: np.ndarray) -> Any:
        """The states (t, x, discrete, h) in which rows (state, lane) begin, h being zero."""
        return picked(self.rows, rows, ends=False)

    def stepped(self, states: Any) -> np.ndarray:
        """States x (state, n, lane) a step h after states (t, x, discrete, h)."""
        return stepped(self._program, self._chunk.scenario, self._chunk.start.reference, states)

    @cached_property
    def mechanism(self) -> Mechanism:
        """The equations with the numbers of all lanes."""
        scenario, reference = self._chunk.scenario, jax.device_get(self._chunk.start.reference)
        numbers = jax.device_get(stacks(self._program.layout, scenario, 1))
        return self._program.mechanism(scenario, 1, reference, numbers)
