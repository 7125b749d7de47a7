"""Aerodynamic forces in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Arrow, each
from ...record.record import Record
from .declared import Aerodynamics


def arrows(record: Record) -> Iterator[Arrow]:
    """Yield the aerodynamic force on each body, at its centre of mass."""
    for one in each(record, "aerodynamics", Aerodynamics):
        yield Arrow(one.name, "aerodynamic force", one.body, f"aerodynamics.{one.name}.force")


ITEMS = (arrows,)
