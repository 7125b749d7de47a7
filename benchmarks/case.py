"""The case that every code here flies: two boxes, a spherical joint between them, a follower force on Box 1.

NASA/TP-2016-219326, section 3.1.2 and Table 4: 10 s from rest with the force 5000 (5, 5, 1)/sqrt(51) lbf in
the axes of Box 1 at (-2.0, 0, 0.5) ft from its centre of mass, RK4 with 1 ms, Baumgarte factor 10. SI inside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FOOT = 0.3048
POUND = 0.45359237
LBF = POUND * 9.80665
SLUG = LBF / FOOT

MASS = np.array([622.0, 622.0]) * SLUG
"""Masses of Box 1 and Box 2 [kg]."""
INERTIA = (
    np.array([[220.2916667, 3524.666667, 3330.291667], [881.166667, 2695.33333, 1917.83333]]) * SLUG * FOOT**2
)
"""Principal moments of inertia about the centres of mass, body axes (body, axis) [kg m^2]."""
POSITION = np.array([[-4.854, -0.096, 0.0], [3.851, -0.096, 0.0]]) * FOOT
"""Centres of mass at the start, inertial axes with their origin at the joint (body, axis) [m]."""
JOINT_AT = -POSITION
"""The joint's point from each centre of mass, body axes (body, axis) [m]."""
FORCE = 5000.0 * np.array([5.0, 5.0, 1.0]) / np.sqrt(51.0) * LBF
"""Force on Box 1, in its axes [N]."""
FORCE_AT = np.array([-2.0, 0.0, 0.5]) * FOOT
"""Where the force acts, from the centre of mass of Box 1 in its axes [m]."""

STEP = 1e-3
"""Step of the fixed-step RK4 [s]."""
DURATION = 10.0
"""Time flown [s]."""
STEPS = 10_000
STEPS_PER_SAMPLE = 10
"""States are recorded at 100 Hz."""
ETA = 10.0
"""Baumgarte factor [1/s]."""
STAGES = 4
"""Right-hand sides per step."""

BOX_1_AT_END = np.array([47.1925, 15.4632, 29.8971]) * FOOT
"""Centre of mass of Box 1 at 10 s, converged [m]."""


def error_at_end(position: NDArray[np.float64]) -> float:
    """Distance of `position` (3) [m], the centre of mass of Box 1 at 10 s, from the converged one [ft]."""
    return float(np.linalg.norm(np.asarray(position) - BOX_1_AT_END)) / FOOT


def rotated(attitude: NDArray[np.float64], vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """`vector` (3), in body axes, turned to inertial axes by quaternions (..., 4), scalar first."""
    scalar, axis = attitude[..., :1], attitude[..., 1:]
    twice = 2.0 * np.cross(axis, vector)
    return vector + scalar * twice + np.cross(axis, twice)


def joint_gap(states: NDArray[np.float64]) -> float:
    """Largest distance between the joint's two points [ft].

    `states` (..., 2, 13): for each box the centre of mass's position and velocity, the quaternion from body
    to inertial axes (scalar first) and the angular velocity in body axes."""
    points = [states[..., i, :3] + rotated(states[..., i, 6:10], JOINT_AT[i]) for i in range(2)]
    return float(np.max(np.linalg.norm(points[1] - points[0], axis=-1))) / FOOT


def dispersed(count: int, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Initial motions that the joint allows: the stack moves as one piece, each time in another way.

    Returns velocities of the centres of mass (count, 2, 3) [m/s] and angular velocities (count, 3) [rad/s],
    inertial axes, which are the body axes at the start.
    """
    random = np.random.default_rng(seed)
    rate = random.normal(scale=0.1, size=(count, 3))
    velocity = random.normal(scale=1.0, size=(count, 1, 3)) + np.cross(rate[:, None], POSITION)
    return velocity, rate


def initial_states(count: int, seed: int = 0) -> NDArray[np.float64]:
    """States (count, 2, 13), in the order of `joint_gap`, of `count` dispersed cases."""
    velocity, rate = dispersed(count, seed)
    states = np.zeros((count, 2, 13))
    states[:, :, 0:3] = POSITION
    states[:, :, 3:6] = velocity
    states[:, :, 6] = 1.0
    states[:, :, 10:13] = rate[:, None]
    return states


def at_rest() -> NDArray[np.float64]:
    """The report's initial state (2, 13), in the order of `joint_gap`."""
    state = np.zeros((2, 13))
    state[:, 0:3] = POSITION
    state[:, 6] = 1.0
    return state
