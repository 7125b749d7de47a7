"""Deformations of flexible bodies in the playback."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...playback.items import FlexibleBody, each, vector
from ...record.record import Record
from .declared import ModalBody


def flexible_bodies(record: Record) -> Iterator[FlexibleBody]:
    """Yield the deformation of each flexible body at its points."""
    for one in each(record, "forces", ModalBody):
        paths = [f"forces.{one.name}.point_{point.name}" for point in one.points]
        deflections, rotations = (
            tuple(f"{path}.{word}" for path in paths) for word in ("deflection", "rotation")
        )
        points = np.array([vector(point.at) for point in one.points]).reshape(-1, 3)
        yield FlexibleBody(one.name, one.body, points, deflections, rotations)


ITEMS = (flexible_bodies,)
