"""Exhaust jets and thrust arrows of engines in the 3D scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Arrow, Plume, each
from ...record.record import Record
from .engines import Nozzle


def plumes(record: Record) -> Iterator[Plume | Arrow]:
    """Yield an exhaust jet and a thrust arrow for each engine and motor of the record."""
    for one in each(record, "engines", Nozzle):
        path = f"engines.{one.name}."
        yield Plume(one.name, one.body, one.at, one.direction, f"{path}thrust", f"{path}force")
        yield Arrow(one.name, "thrust", one.body, f"{path}force", one.at)


ITEMS = (plumes,)
