"""Points of contact in the playback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...playback.items import ContactPoint
from ...record.record import Record
from .law import around

READINGS = (("normal force", "normal_force", "N"), ("depth", "depth", "m"), ("gap", "gap", "m"))
"""Word, name of the quantity and unit of each value in the text of a contact."""


def contacts(record: Record) -> Iterator[ContactPoint]:
    """Yield a mark with a force arrow for each contact, which is shown while a point touches."""
    for one in record.scenario.contacts:
        path = f"contacts.{one.name}."
        readings = tuple((word, f"{path}{name}", unit) for word, name, unit in READINGS)
        paths = f"{path}force", f"{path}torque", f"{path}touching"
        yield ContactPoint(one.name, one.body, _points(one), *paths, readings)


def _points(one: Any) -> np.ndarray:
    """Points (n, 3) [m] of the first case, in structural coordinates of the body."""
    points = np.swapaxes(one.points, 0, 1) if one.ring is None else np.asarray(around(one.ring))
    return points.reshape(*points.shape[:2], -1)[..., 0].T


ITEMS = (contacts,)
