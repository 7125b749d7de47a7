"""Chains and balanced binary trees of rods on ball joints, for every code that flies them; SI.

Rod 0 hangs on a ball joint at the inertial origin; every other one hangs, on a ball joint of its own, at the
lower end of the rod above it. A rod reaches from its upper end along its x axis. Attitudes and angular
velocities are drawn, so that nothing is plane; the rest follows from the joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .case import rotated

SIZES = (2, 10, 30, 100, 300, 1000)
KINDS = ("chain", "tree")
LENGTH = 1.0
"""Length of a rod [m]; its centre of mass is halfway."""
MASS = 1.0
"""[kg]"""
INERTIA = (0.01, 0.09, 0.09)
"""About the centre of mass, axes of the rod [kg m^2]."""
GRAVITY = (0.0, 0.0, -9.81)
"""[m/s^2]"""
STEP = 1e-3
"""Step of the fixed-step RK4 [s]."""
SAMPLED = 10
"""Steps after which the codes are compared, and between samples."""
TILT = 0.5
"""Largest angle of each of three turns by which rods differ from lying along x [rad]."""
SPIN = 1.0
"""Largest component of the angular velocities [rad/s]."""


@dataclass(frozen=True, eq=False)
class Rods:
    """Rods that hang on each other.

    above (rod,): number of the rod that each hangs on, -1 for the first. attitude (rod, 4): quaternions from
    body to inertial axes, scalar first. spin (rod, 3) [rad/s]: angular velocities, body axes."""

    above: NDArray[np.int64]
    attitude: NDArray[np.float64]
    spin: NDArray[np.float64]

    @property
    def count(self) -> int:
        """Number of rods."""
        return len(self.above)

    def states(self) -> NDArray[np.float64]:
        """The initial states (rod, 13): position and velocity of the centre of mass, attitude, angular
        velocity in body axes."""
        along = rotated(self.attitude, np.array([LENGTH, 0.0, 0.0]))
        rate = rotated_each(self.attitude, self.spin)
        swing = np.cross(rate, along)
        top, speed = np.zeros((2, self.count, 3))
        for k, upper in enumerate(self.above):
            if upper >= 0:
                top[k], speed[k] = top[upper] + along[upper], speed[upper] + swing[upper]
        return np.concatenate([top + along / 2, speed + swing / 2, self.attitude, self.spin], 1)


def rotated_each(attitude, vectors):
    """Vectors (rod, 3), each in the body axes of its rod, turned to inertial axes."""
    columns = [rotated(attitude, axis) for axis in np.eye(3)]
    return sum(vectors[:, k : k + 1] * column for k, column in enumerate(columns))


def rods(kind: str, count: int, seed: int = 0) -> Rods:
    """A chain or a balanced binary tree of so many rods."""
    k = np.arange(count)
    above = k - 1 if kind == "chain" else np.where(k > 0, (k - 1) // 2, -1)
    random = np.random.default_rng(seed)
    turns = random.uniform(-TILT, TILT, (count, 3))
    attitude = np.concatenate([np.ones((count, 1)), turns / 2], 1)
    attitude /= np.linalg.norm(attitude, axis=1, keepdims=True)
    return Rods(above, attitude, random.uniform(-SPIN, SPIN, (count, 3)))


def joint_gap(found: Rods, states: NDArray[np.float64]) -> float:
    """Largest distance between the two points of a joint [m], of states (rod, 13)."""
    half = rotated(states[:, 6:10], np.array([LENGTH / 2, 0.0, 0.0]))
    lower = np.concatenate([states[:, :3] + half, np.zeros((1, 3))])
    return float(np.max(np.linalg.norm(states[:, :3] - half - lower[found.above], axis=1)))


def difference(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Largest distance between the centres of mass of two sets of states (rod, 13) [m]."""
    return float(np.max(np.linalg.norm(one[:, :3] - other[:, :3], axis=1)))
