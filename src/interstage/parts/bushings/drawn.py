"""Lines for bushings and beam springs in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Link, each
from ...record.record import Record
from .declared import BeamSpring, Bushing


def links(record: Record) -> Iterator[Link]:
    """Yield a line for each bushing and beam spring, between its two attachment points."""
    for one in each(record, "forces", Bushing, BeamSpring):
        yield Link(one.name, (one.parent, one.child), (one.parent_at, one.child_at), "line")


ITEMS = (links,)
