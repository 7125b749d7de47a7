"""Canopies of parachutes and streamers in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Canopy, each, scalar
from ...record.record import Record
from .declared import DragDevice


def canopies(record: Record) -> Iterator[Canopy]:
    """Yield a canopy for each drag device. The playback shows the canopy behind its body while the device is
    deployed.
    """
    for one in each(record, "devices", DragDevice):
        yield Canopy(one.name, one.body, one.at, scalar(one.full), f"devices.{one.name}.state")


ITEMS = (canopies,)
