"""Lines for clearances in the playback."""

from __future__ import annotations

from collections.abc import Iterator

from ...playback.items import Gap, scalar
from ...record.record import Record


def gaps(record: Record) -> Iterator[Gap]:
    """Yield a line between the nearest points of each clearance. If the distance is below `warn_below`, the
    line is red.
    """
    for one in record.scenario.clearance:
        path = f"clearance.{one.name}."
        limit = 0.0 if one.warn_below is None else scalar(one.warn_below)
        points = f"{path}point_on_a", f"{path}point_on_b"
        yield Gap(one.name, one.bodies, f"{path}distance", points, limit)


ITEMS = (gaps,)
