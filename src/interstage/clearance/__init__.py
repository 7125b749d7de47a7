"""Distances of bodies by their shapes, after a flight: how near they came, where, and whether they met again.

coal and trimesh are loaded where a flight has clearances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import BadInput, near


def add(program: Any, scenario: Any, reference: Any, cursor: Any, track: Any, record: Any) -> None:
    """Put the clearances that the scenario declares into the record of its flight; see `clearance.record`."""
    if scenario.clearance:
        from .record import add as into_record

        into_record(program, scenario, reference, cursor, track, record)


def of_batch(batch: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """(least distance [m], its time [s]) of a clearance in every case of a batch; see `Batch.clearance`."""
    from .course import Watch
    from .lanes import Lanes

    scenario = batch.scenario
    declared = next((c for c in scenario.clearance if c.name == name), None)
    if declared is None:
        known = [c.name for c in scenario.clearance]
        raise BadInput(f"there is no clearance '{name}'; {near(name, known, 'clearances')}")
    if not batch.sampled:
        raise BadInput("this batch was flown without samples; fly it with samples = True")
    times = dict(zip(batch.events, batch.event_time, strict=True))
    first = times.get(declared.after, np.zeros(batch.lanes)) if declared.after else np.zeros(batch.lanes)
    last = times.get(declared.until, batch.time) if declared.until else batch.time
    last = np.minimum(last, batch.time)
    own = any(".shapes." in path for path in batch.dispersed)
    shared = None if own else Watch(declared, scenario, None)
    distance, when = [], []
    for chunk in batch.chunks:
        lanes = range(chunk.first, chunk.first + chunk.count)
        watches = [shared or Watch(declared, batch.case(lane), None) for lane in lanes]
        width = np.shape(chunk.cursor.t)[0]
        begin, end = np.full(width, np.inf), np.full(width, -np.inf)
        these = slice(chunk.first, chunk.first + chunk.count)
        begin[: chunk.count], end[: chunk.count] = first[these], last[these]
        for lane in chunk.refused:
            begin[lane] = np.inf
        found = Lanes(batch.program, chunk, watches).least(begin, end, float(declared.interval))
        distance.append(found.distance)
        when.append(found.time)
    return np.concatenate(distance), np.concatenate(when)
