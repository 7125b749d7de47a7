"""Distances of bodies by their shapes, after a flight: how near they came, where, and whether they met again.

coal and trimesh are loaded where a flight has clearances."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import BadInput, near

THREADS = 2
"""Chunks of a batch that are searched at once."""


class Least(NamedTuple):
    """Of lanes (lane): least distances [m] and their times [s], not numbers where a clearance did not begin;
    apart: whether the bodies do not touch from the first state that counts on, so that they do not meet."""

    distance: np.ndarray
    time: np.ndarray
    apart: np.ndarray


def add(
    program: Any,
    scenario: Any,
    reference: Any,
    cursor: Any,
    track: Any,
    record: Any,
    names: Collection[str] | None = None,
) -> None:
    """Put the clearances that the scenario declares, or some of them, into the record of its flight; see
    `clearance.record`."""
    if scenario.clearance:
        from .record import add as into_record

        into_record(program, scenario, reference, cursor, track, record, names)


def of_chunk(program: Any, declared: Any, chunk: Any, scenario: Any, case: Any = None) -> Least:
    """What is known of a clearance in every lane of a chunk that counts. case: lane of the chunk -> its
    scenario, where shapes differ among lanes."""
    from .course import TOUCHING, Watch
    from .lanes import Lanes
    from .search import least

    count, cursor = chunk.count, chunk.cursor
    events = [happening.name for happening in program.table.happenings]
    times = dict(zip(events, np.asarray(cursor.discrete.event_time)[:, :count], strict=True))
    finish = np.asarray(cursor.t)[:count]
    # A phase that is no event is the first one.
    begin = times.get(declared.after, np.zeros(count)).copy()
    begin[list(chunk.refused)] = np.inf
    end = times.get(declared.until, finish)
    end = np.where(end < begin, finish, np.minimum(end, finish))
    watches = [
        Watch(declared, each, None) for each in ([scenario] if case is None else map(case, range(count)))
    ]
    lanes = Lanes(program, chunk, watches)
    distance, when = least(lanes, begin, end, float(declared.interval), parted=declared.after is None)
    size = np.array([watch.size for watch in watches])
    return Least(distance, when, distance > TOUCHING * size)


def shapes_differ(dispersed: Any) -> bool:
    """Whether dispersed inputs are among those of shapes."""
    return any(".shapes." in path for path in dispersed)


def of_batch(batch: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """(least distance [m], its time [s]) of a clearance in every case of a batch; see `Batch.clearance`."""
    scenario = batch.scenario
    declared = next((c for c in scenario.clearance if c.name == name), None)
    if declared is None:
        known = [c.name for c in scenario.clearance]
        raise BadInput(f"there is no clearance '{name}'; {near(name, known, 'clearances')}")
    if not batch.sampled:
        raise BadInput("this batch was flown without samples; fly it with samples = True")
    own = shapes_differ(batch.dispersed)

    def one(chunk: Any) -> Least:
        case = (lambda lane: batch.case(chunk.first + lane)) if own else None
        return of_chunk(batch.program, declared, chunk, scenario, case)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(one, batch.chunks))
    return np.concatenate([f.distance for f in found]), np.concatenate([f.time for f in found])
