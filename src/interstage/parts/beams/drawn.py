"""Beams in the playback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...maths.rotations import quaternion_of
from ...playback.items import FlexibleBeam, each, scalar
from ...record.record import Record
from .declared import Beam, Rectangle, Tube

SLENDER = 0.01
"""Half of the drawn width of a section without dimensions, relative to the length of the beam."""


def beams(record: Record) -> Iterator[FlexibleBeam]:
    """Yield the curve of each beam through its segments."""
    for one in each(record, "forces", Beam):
        path, length = f"forces.{one.name}", scalar(one.length)
        names = [f"{path}.segment_{k + 1}" for k in range(one.elements)]
        positions, rotations = (
            tuple(f"{name}.{word}" for name in names) for word in ("position", "rotation")
        )
        rest = None
        if one.curvature is None:
            stations = length * (np.arange(one.elements) + 0.5) / one.elements
            rest = np.stack([np.append(stations, length), *np.zeros((2, one.elements + 1))], axis=1)
        ends, shape = (one.parent, one.child), _section(one, length)
        frame = _quaternion(one.parent_frame)
        nodes = positions, rotations, f"{path}.end", rest
        yield FlexibleBeam(one.name, ends, one.parent_at, frame, length, *nodes, *shape)


def _section(one: Any, length: float) -> tuple[tuple[float, float], bool]:
    match one.section:
        case Rectangle():
            return (scalar(one.section.width) / 2, scalar(one.section.height) / 2), False
        case Tube():
            radius = scalar(one.section.radius)
            return (radius, radius), True
    return (SLENDER * length, SLENDER * length), True


def _quaternion(attitude: Any) -> list[float]:
    if attitude is None:
        return [1.0, 0.0, 0.0, 0.0]
    return [float(x) for x in np.asarray(quaternion_of(attitude), float).reshape(4)]


ITEMS = (beams,)
