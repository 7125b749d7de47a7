"""Engines in the scene of a flight: exhaust jets and thrust."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Arrow, Plume, each
from ...record.record import Record
from .engines import Nozzle


def plumes(record: Record) -> Iterator[Plume | Arrow]:
    """Yield the exhaust jet and the thrust of each engine and motor."""
    for one in each(record, "engines", Nozzle):
        path = f"engines.{one.name}."
        yield Plume(one.name, one.body, one.at, one.direction, f"{path}thrust", f"{path}force")
        yield Arrow(one.name, "thrust", one.body, f"{path}force", one.at)


ITEMS = (plumes,)
