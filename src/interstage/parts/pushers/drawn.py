"""Pushers in the scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Link, each
from ...record.record import Record
from .declared import KickoffSpring, Pusher


def links(record: Record) -> Iterator[Link]:
    """Yield the line of each pusher, until the end of its stroke."""
    for one in each(record, "devices", Pusher):
        style = "coil" if isinstance(one, KickoffSpring) else "rod"
        path, at = f"devices.{one.name}.", (one.parent_at, one.child_at)
        yield Link(one.name, (one.parent, one.child), at, style, f"{path}force", f"{path}state")


ITEMS = (links,)
