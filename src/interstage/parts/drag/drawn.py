"""Parachutes and streamers in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Canopy, each, scalar
from ...record.record import Record
from .declared import DragDevice


def canopies(record: Record) -> Iterator[Canopy]:
    """Yield each drag device behind its body, while it is deployed."""
    for one in each(record, "devices", DragDevice):
        yield Canopy(one.name, one.body, one.at, scalar(one.full), f"devices.{one.name}.state")


ITEMS = (canopies,)
