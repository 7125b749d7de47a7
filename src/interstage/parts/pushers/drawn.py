"""Pushers in the 3D scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Link, each
from ...record.record import Record
from .declared import KickoffSpring, Pusher


def links(record: Record) -> Iterator[Link]:
    """Yield a line for each pusher of the record. The line is shown until the end of the stroke."""
    for one in each(record, "devices", Pusher):
        style = "coil" if isinstance(one, KickoffSpring) else "rod"
        path, at = f"devices.{one.name}.", (one.parent_at, one.child_at)
        yield Link(one.name, (one.parent, one.child), at, style, f"{path}force", f"{path}state")


ITEMS = (links,)
