"""Centre of the forces of a contact, from its force and torque."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import matrix_of
from ..record.record import Record
from .courses import course
from .items import ContactPoint
from .motion import attitudes_at, motion_of


def centre_of_contact(record: Record, item: ContactPoint) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return times (n,) [s], the centre of the contact forces (n, 3) [m] in structural coordinates of
    the body, and the force on the body (n, 3) [N] in inertial axes.

    The force F acts along the line whose torque about the centre of mass is T, through F x T / F^2. The
    centre is the point of this line with the smallest distance from one of the points that can touch. For one
    point that touches, this is the point of contact. The centre is NaN without a force. None if the
    record does not have the values.
    """
    force, torque = (course(record, path, peaks=False) for path in (item.force, item.torque))
    motion = motion_of(record, item.body)
    if force is None or torque is None or motion is None or not len(motion.time):
        return None
    times = force[0]
    if not np.array_equal(times, torque[0]):
        return None
    turn = np.moveaxis(np.asarray(matrix_of(attitudes_at(motion, times).T)), -1, 0)
    own = np.einsum("nji,nj->ni", turn, force[1])
    points = np.asarray(item.points, float).reshape(-1, 3)
    return times, _centres(own, torque[1], _mass_centre(record, item.body, times), points), force[1]


def _mass_centre(record: Record, name: str, times: np.ndarray) -> np.ndarray:
    """Centre of mass (n, 3) [m] of a body in its structural coordinates."""
    moving = course(record, f"bodies.{name}.mass_centre", peaks=False)
    if moving is not None:
        return np.stack([np.interp(times, moving[0], column) for column in moving[1].T], axis=1)
    body = next((one for one in record.scenario.bodies if one.name == name), None)
    fixed = np.asarray(getattr(body, "mass_centre", np.zeros(3)), float).reshape(3, -1)[:, 0]
    return np.broadcast_to(fixed, (len(times), 3))


def _centres(force: np.ndarray, torque: np.ndarray, middle: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points (n, 3) of the lines of action. force, torque, middle (n, 3); points (p, 3)."""
    size = np.linalg.norm(force, axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        along = force / size
        foot = middle + np.cross(along, torque) / size
    found = np.full_like(middle, np.nan)
    for row in np.flatnonzero(np.isfinite(foot).all(axis=1)):
        reach = (points - foot[row]) @ along[row]
        feet = foot[row] + reach[:, None] * along[row]
        found[row] = feet[np.argmin(np.linalg.norm(feet - points, axis=1))]
    return found
