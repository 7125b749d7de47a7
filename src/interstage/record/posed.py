"""Return the position and attitude of bodies at the first sample of a flight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..maths.rotations import matrix_of
from .record import Record


class Posed(NamedTuple):
    """Position and attitude of a body.

    - place: position of the centre of mass [m] from the inertial or local origin, inertial axes.
    - turn: rotation matrix (3, 3) from structural to inertial axes.
    - centre: centre of mass [m] in structural coordinates.
    """

    place: np.ndarray
    turn: np.ndarray
    centre: np.ndarray

    def at(self, point: np.ndarray) -> np.ndarray:
        """Return the position [m] of a point of the body in inertial axes. point: structural coordinates [m],
        (3,).
        """
        return self.place + self.turn @ (np.asarray(point) - self.centre)


def flown_pose(record: Record, name: str) -> Posed | None:
    """Return the pose of a body at the first sample; None if the record does not contain the pose."""
    names = "position", "attitude", "mass_centre"
    place, attitude, centre = (record.series.get(f"bodies.{name}.{what}") for what in names)
    if place is None or attitude is None or not len(place):
        return None
    body = next(body for body in record.scenario.bodies if body.name == name)
    if centre is None and body.elements:  # variable mass moves the centre of mass
        return None
    own = np.asarray(body.mass_centre if centre is None else centre[0])
    return Posed(place[0], np.asarray(matrix_of(attitude[0])), own)
