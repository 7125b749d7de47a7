"""Springs in the 3D scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Link, each
from ...record.record import Record
from .declared import Spring


def links(record: Record) -> Iterator[Link]:
    """Yield a line between the two end points of each spring of the record."""
    for one in each(record, "forces", Spring):
        ends = (one.parent, one.child), (one.parent_at, one.child_at)
        yield Link(one.name, *ends, "coil", f"forces.{one.name}.force")


ITEMS = (links,)
