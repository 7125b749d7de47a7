"""Many cases of one scenario at once: lanes of one compiled program, chunks of them on several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import numpy as np

from .consistency import examine_lanes
from .errors import BadInput, Problem
from .layout import Layout
from .observation import Track, kept_rows, outcome, track_record
from .program import Program, in_table, lift, program_for
from .record import Record
from .simulate import recorded, resolved
from .stepper.problem import RUNNING
from .tree import get, replaced
from .tree import set as put

LANES_AT_ONCE = {"cpu": 64}
"""Lanes in a chunk by backend: on a CPU enough to fill the vector unit, few enough to stay in the cache."""
MANY_LANES = 131072
"""Lanes in a chunk on an accelerator."""
ROWS_AT_ONCE = 128
ROWS_UNSAMPLED = 64


@dataclass(repr=False)
class Batch:
    """Flights of all lanes.

    dispersed: path -> values (lanes, ...). status (lanes,): see `stepper.problem`. time (lanes,) [s]: where
    each flight ended. x (n, lanes): states there. event_time (event, lanes) [s], inf for events that never
    came, with the names in `events`."""

    scenario: Any
    dispersed: dict[str, np.ndarray]
    status: np.ndarray
    time: np.ndarray
    x: np.ndarray
    events: tuple[str, ...]
    event_time: np.ndarray
    sampled: bool
    _chunks: list[tuple[Any, Any, list[Any]]]

    def __repr__(self) -> str:
        return f"<Batch of {self.lanes} cases: {', '.join(self.dispersed)}>"

    @property
    def lanes(self) -> int:
        """Number of cases."""
        return len(self.time)

    def case(self, lane: int) -> Any:
        """The scenario of one lane."""
        return _together(self.scenario, {path: v[lane] for path, v in self.dispersed.items()})

    def record(self, lane: int) -> Record:
        """The record of one lane, observed now. Raises ValueError for a batch flown without samples."""
        if not self.sampled:
            raise ValueError("this batch was flown without samples; fly it with samples = True")
        chunk, place = divmod(lane, self._chunks[0][1].t.shape[0])
        start, cursor, rows = self._chunks[chunk]

        def one(tree):
            return jax.tree.map(lambda a: np.asarray(a)[..., place], tree)

        parts = [kept_rows(one(part), count) for part, count in rows]
        track: Track = jax.tree.map(lambda *p: np.concatenate(p), *parts)
        scenario = self.case(lane)
        program = program_for(scenario, (), recorded(scenario))
        record = track_record(program, scenario, one(start.reference), one(cursor), track)
        record.outcome, record.completed = outcome(one(cursor), False)
        return record


def fly_batch(scenario: Any, dispersed: dict[str, Any], threads: int = 2, samples: bool = True) -> Batch:
    """Fly one case for each row of the dispersed inputs.

    dispersed: input path -> values (lanes, ...) in SI, all with the same number of lanes. Without samples
    only the ends and the events are kept, which takes far less memory. Raises BadInput where the inputs
    differ in length, or where a start is not consistent."""
    dispersed = {path: _plain(path, values) for path, values in dispersed.items()}
    lanes = _lane_count(dispersed)
    scenario = resolved(scenario)
    wide = spread(scenario, dispersed)
    backend = jax.default_backend()
    width = LANES_AT_ONCE.get(backend, min(lanes, MANY_LANES))
    kept, rows = (recorded(scenario), ROWS_AT_ONCE) if samples else ("events", ROWS_UNSAMPLED)
    if not scenario.solver.fixed_step:
        kept = "steps"
    program = program_for(scenario, (width,), kept, rows)
    layout, firsts = Layout(scenario), range(0, lanes, width)
    fly = partial(_fly_chunk, program, layout, wide, dispersed, lanes=lanes, samples=samples)
    with ThreadPoolExecutor(threads) as pool:
        chunks = list(pool.map(fly, firsts))

    def join(pick):
        return np.concatenate([np.asarray(pick(cursor)) for _, cursor, _ in chunks], -1)[..., :lanes]

    return Batch(
        scenario,
        dispersed,
        status=join(lambda c: c.status),
        time=join(lambda c: c.t),
        x=join(lambda c: c.x),
        events=tuple(h.name for h in program.table.happenings),
        event_time=join(lambda c: c.discrete.event_time),
        sampled=samples,
        _chunks=chunks,
    )


def _plain(path: str, values: Any) -> np.ndarray:
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        text = "values of a batch are numbers in SI, (cases, ...); convert texts with units first"
        raise BadInput(Problem(path, text)) from None


def _lane_count(dispersed) -> int:
    lengths = {path: len(values) if values.ndim else 0 for path, values in dispersed.items()}
    if not lengths or len(set(lengths.values())) != 1 or 0 in lengths.values():
        listed = ", ".join(f"{path}: {n}" for path, n in lengths.items()) or "none given"
        raise BadInput(
            Problem(
                "dispersed", f"inputs need one value for each case, the same number for all; here {listed}"
            )
        )
    return next(iter(lengths.values()))


def spread(scenario: Any, dispersed: dict[str, np.ndarray]) -> Any:
    """The scenario with a lane axis on every leaf: of size one, or of the dispersed values (lanes, ...).

    Raises BadInput where a value is not allowed.
    """
    wide = jax.tree.map(np.asarray, lift(scenario))
    for path, values in dispersed.items():
        wanted = np.shape(get(scenario, path))
        if wanted != values.shape[1:]:
            raise BadInput(
                Problem(path, f"the value of one case has shape {wanted}, given was {values.shape[1:]}")
            )
        if in_table(path.split(".")):
            raise BadInput(
                Problem(path, "the points of a table are shared by all cases; disperse another input")
            )
    checked = _together(scenario, {path: np.moveaxis(v, 0, -1) for path, v in dispersed.items()})
    for path in dispersed:
        wide = replaced(wide, path, get(checked, path))
    return wide


def _together(scenario: Any, values: dict[str, np.ndarray]) -> Any:
    """The scenario with all values put in before any is checked: some are allowed together only. Raises
    BadInput."""
    for path, value in values.items():
        scenario = replaced(scenario, path, np.asarray(value))
    for path, value in values.items():
        scenario = put(scenario, path, np.asarray(value))
    return scenario


def _fly_chunk(program: Program, layout: Layout, wide: Any, paths, first: int, lanes: int, samples: bool):
    """Fly one chunk of lanes, which differ in the leaves at `paths`; the last chunk is filled up with copies
    of the last lane."""
    width = program.lanes[0]
    index = np.minimum(np.arange(first, first + width), lanes - 1)
    scenario = wide
    for path in paths:
        scenario = replaced(scenario, path, get(wide, path)[..., index])
    start = jax.device_get(program.begin(scenario, 0.0))
    examine_lanes(layout, start, min(width, lanes - first))
    cursor = program.cursor(scenario, start.reference, 0.0, start.x, start.discrete)
    rows = []
    while np.any(np.asarray(cursor.status) == RUNNING):
        cursor, part, count = program.advance(scenario, start.reference, 0.0, cursor)
        if samples:
            rows.append((jax.device_get(part), int(count)))
    return start, jax.device_get(program.ended(scenario, start.reference, cursor)), rows
