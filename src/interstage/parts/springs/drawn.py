"""Springs in the scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Link, each
from ...record.record import Record
from .declared import Spring


def links(record: Record) -> Iterator[Link]:
    """Yield the line of each spring between its two points."""
    for one in each(record, "forces", Spring):
        ends = (one.parent, one.child), (one.parent_at, one.child_at)
        yield Link(one.name, *ends, "coil", f"forces.{one.name}.force")


ITEMS = (links,)
