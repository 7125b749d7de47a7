"""Clearances in the cases of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ...flight.batch import Chunk, Lot, together
from ...flight.lane_records import lane_track
from ...flight.program import program_for
from ...flight.simulate import recorded
from ...parts import clearance
from ...parts.clearance.checks import is_clearance
from ...parts.clearance.declared import GROUP, metas
from ...record.record import Record

OF_MEETING = ("recontacts", "recontact_speed", "recontact_energy")
"""Quantities that are zero where bodies do not meet again."""


def add(lot: Lot, chunk: Chunk, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Put what is wanted of clearances into the records of a chunk.

    Least distances are found for all lanes together, and so is whether bodies meet again at all. The whole
    course of a clearance is found for lanes in which they may, and where something else of it is wanted."""
    asked = [w for w in wanted if is_clearance(w.quantity)]
    finite = np.all(np.isfinite(chunk.cursor.x), axis=0)
    lanes = [lane for lane, record in enumerate(records) if record is not None and finite[lane]]
    whole: dict[int, list[str]] = {lane: [] for lane in lanes}
    for declared in lot.scenario.clearance:
        mine = [w for w in asked if w.quantity.split(".")[1] == declared.name]
        if not mine:
            continue
        settled: set[int] = set()
        if all(_is_least(w) or _is_of_meeting(w) for w in mine):
            settled = _add_least(lot, chunk, records, declared, any(map(_is_of_meeting, mine)))
        for lane in lanes:
            if lane not in settled:
                whole[lane].append(declared.name)

    def searched(lane: int) -> None:
        if whole[lane]:
            case, record = _case(lot, chunk, lane), records[lane]
            start, cursor, track = lane_track(chunk, lane)
            program = program_for(case, (), recorded(case))
            clearance.add(program, case, start.reference, cursor, track, record, whole[lane])

    with ThreadPoolExecutor(clearance.THREADS) as pool:
        list(pool.map(searched, lanes))


def _is_least(wanted: Any) -> bool:
    """Whether a requirement or a response is about the least distance alone."""
    extreme = getattr(wanted, "take", None) == "min" or (
        getattr(wanted, "min", None) is not None and wanted.max is None
    )
    return extreme and wanted.quantity.endswith(".distance") and wanted.at is None and wanted.during is None


def _is_of_meeting(wanted: Any) -> bool:
    return wanted.quantity.rpartition(".")[2] in OF_MEETING


def _add_least(
    lot: Lot, chunk: Chunk, records: Sequence[Record | None], declared: Any, meeting: bool
) -> set[int]:
    """Put least distances into the records of a chunk; with `meeting` also that bodies do not meet again,
    where they do not. Returns the lanes of which all is known then."""
    own = clearance.shapes_differ(lot.dispersed)
    case = (lambda lane: _case(lot, chunk, lane)) if own else None
    found = clearance.of_chunk(lot.program, declared, chunk, lot.scenario, case)
    path, known = f"{GROUP}.{declared.name}", metas(declared)
    settled = set()
    for lane, record in enumerate(records):
        if record is None or (meeting and not found.apart[lane]):
            continue
        settled.add(lane)
        begun = np.isfinite(found.distance[[lane]])
        course = {"distance": found.distance[[lane]][begun]}
        if meeting:
            course |= {name: np.zeros(1) for name in OF_MEETING}
        record.courses[path] = found.time[[lane]][begun], course
        for name in course:
            place = f"{path}.{name}"
            rest = np.nan if name == "distance" else 0.0
            record.meta[place] = known[name]
            record.series[place] = np.full(len(record.time), rest)
            record.before[place] = record.after[place] = np.full(len(record.events), rest)
    return settled


def _case(lot: Lot, chunk: Chunk, lane: int) -> Any:
    """The scenario of a lane."""
    return together(lot.scenario, {path: v[chunk.first + lane] for path, v in lot.dispersed.items()})
