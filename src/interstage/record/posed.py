"""Where bodies stand at the first sample of a flight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..maths.rotations import matrix_of
from .record import Record


class Posed(NamedTuple):
    """Where a body stands: place [m] of its centre of mass, from the inertial origin or a local one; turn,
    the matrix from its structural axes to inertial ones; centre [m], its centre of mass in drawing
    coordinates."""

    place: np.ndarray
    turn: np.ndarray
    centre: np.ndarray

    def at(self, point: np.ndarray) -> np.ndarray:
        """The place [m] of a point in drawing coordinates."""
        return self.place + self.turn @ (np.asarray(point) - self.centre)


def flown_pose(record: Record, name: str) -> Posed | None:
    """Where a body stands at the first sample; None where that was not recorded."""
    names = "position", "attitude", "mass_centre"
    place, attitude, centre = (record.series.get(f"bodies.{name}.{what}") for what in names)
    if place is None or attitude is None or not len(place):
        return None
    body = next(body for body in record.scenario.bodies if body.name == name)
    if centre is None and body.elements:  # which move it
        return None
    own = np.asarray(body.mass_centre if centre is None else centre[0])
    return Posed(place[0], np.asarray(matrix_of(attitude[0])), own)
