"""Distances of bodies by their shapes, after a flight: how near they came, where, and whether they met again.

coal and trimesh are loaded where a flight has clearances."""

from __future__ import annotations

from typing import Any


def add(program: Any, scenario: Any, reference: Any, cursor: Any, track: Any, record: Any) -> None:
    """Put the clearances that the scenario declares into the record of its flight; see `clearance.record`."""
    if scenario.clearance:
        from .record import add as into_record

        into_record(program, scenario, reference, cursor, track, record)
