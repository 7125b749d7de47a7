"""Bushings and beam springs in the scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Link, each
from ...record.record import Record
from .declared import BeamSpring, Bushing


def links(record: Record) -> Iterator[Link]:
    """Yield the line of each bushing and each beam between its two points."""
    for one in each(record, "forces", Bushing, BeamSpring):
        yield Link(one.name, (one.parent, one.child), (one.parent_at, one.child_at), "line")


ITEMS = (links,)
