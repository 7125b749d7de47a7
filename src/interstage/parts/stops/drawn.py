"""Ends of the travel of joints in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import EndStop, each, scalar
from ...record.record import Record
from .declared import HingeStop, Stop


def stops(record: Record) -> Iterator[EndStop]:
    """Yield the limits of each stop, with its load."""
    for one in each(record, "forces", Stop, HingeStop):
        path, angular = f"forces.{one.name}.", isinstance(one, HingeStop)
        load, travel, unit = ("torque", "rotation", "N m") if angular else ("force", "displacement", "N")
        lower, upper = (None if end is None else scalar(end) for end in (one.lower, one.upper))
        readings = ((load, f"{path}{load}", unit), (travel, f"{path}{travel}", "rad" if angular else "m"))
        paths = f"{path}{travel}", f"{path}{load}"
        yield EndStop(one.name, one.joint, "xyz".index(one.axis), lower, upper, *paths, angular, readings)


ITEMS = (stops,)
