"""Clearances in the cases of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import clearance
from ..batch import Chunk, Lot, together
from ..check_clearance import is_clearance
from ..lane_records import lane_track
from ..model.clearance import GROUP, metas
from ..program import program_for
from ..record import Record
from ..simulate import recorded


def add(lot: Lot, chunk: Chunk, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Put what is wanted of clearances into the records of a chunk: their least distances, found for all
    lanes together, if nothing else is asked for, else all of each flight's own."""
    asked = [w for w in wanted if is_clearance(w.quantity)]
    if all(map(_is_least, asked)):
        names = {w.quantity.split(".")[1] for w in asked}
        for declared in lot.scenario.clearance:
            if declared.name in names:
                _add_least(lot, chunk, records, declared)
        return
    for lane, record in enumerate(records):
        if record is not None:
            case = _case(lot, chunk, lane)
            start, cursor, track = lane_track(chunk, lane)
            clearance.add(program_for(case, (), recorded(case)), case, start.reference, cursor, track, record)


def _is_least(wanted: Any) -> bool:
    """Whether a requirement or a response is about the least distance alone."""
    extreme = getattr(wanted, "take", None) == "min" or (
        getattr(wanted, "min", None) is not None and wanted.max is None
    )
    return extreme and wanted.quantity.endswith(".distance") and wanted.at is None and wanted.during is None


def _add_least(lot: Lot, chunk: Chunk, records: Sequence[Record | None], declared: Any) -> None:
    own = clearance.shapes_differ(lot.dispersed)
    case = (lambda lane: _case(lot, chunk, lane)) if own else None
    distance, when = clearance.of_chunk(lot.program, declared, chunk, lot.scenario, case)
    path = f"{GROUP}.{declared.name}.distance"
    for record, least, at in zip(records, distance, when, strict=True):
        if record is not None:
            begun = np.isfinite([least])
            course = np.array([at])[begun], {"distance": np.array([least])[begun]}
            record.meta[path] = metas(declared)["distance"]
            record.courses[path.rpartition(".")[0]] = course
            record.series[path] = np.full(len(record.time), np.nan)
            record.before[path] = record.after[path] = np.full(len(record.events), np.nan)


def _case(lot: Lot, chunk: Chunk, lane: int) -> Any:
    """The scenario of a lane."""
    return together(lot.scenario, {path: v[chunk.first + lane] for path, v in lot.dispersed.items()})
