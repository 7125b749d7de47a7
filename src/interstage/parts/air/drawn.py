"""Arrows for aerodynamic forces in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Arrow, each
from ...record.record import Record
from .declared import Aerodynamics


def arrows(record: Record) -> Iterator[Arrow]:
    """Yield an arrow for the force of each aerodynamics entry, at the centre of mass of its body."""
    for one in each(record, "aerodynamics", Aerodynamics):
        yield Arrow(one.name, "aerodynamic force", one.body, f"aerodynamics.{one.name}.force")


ITEMS = (arrows,)
