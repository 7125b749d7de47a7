"""Coordinates of a point mass at a node. The coordinates are relative to the position that the node had when
the mesh was created.

Near a planet, the coordinates of the position are the distance from the centre and two slopes of the
direction. The velocity has a radial and two horizontal components; its axes rotate with the position. With
linear steps in inertial coordinates, a horizontal step of 500 km would end 20 km too high, in a different
atmosphere. Without a planet, the coordinates are inertial.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....maths.arrays import jnp
from ....maths.vectors import cross, norm


class Chart(NamedTuple):
    """Reference directions at nodes, unit vectors (3, node) in inertial axes.

    up: radial direction. level: horizontal direction. Both results are None if there is no planet.
    """

    up: np.ndarray | None
    level: np.ndarray | None

    def repeat(self, count: int) -> Chart:
        """Return the chart with `count` copies of all nodes, one copy after the other."""
        if self.up is None or self.level is None:
            return self
        return Chart(np.repeat(self.up, count, 1), np.repeat(self.level, count, 1))

    def some(self, which: Any) -> Chart:
        """Return the chart of the nodes with the indices `which`."""
        if self.up is None or self.level is None:
            return self
        return Chart(self.up[:, which], self.level[:, which])

    def state(self, zeta: Any) -> Any:
        """Return states (n, node) from coordinates (n, node).

        A state has position [m] and velocity [m/s] in inertial axes, followed by states of models.
        """
        if self.up is None or self.level is None:
            return zeta
        third = cross(self.up, self.level)
        way = self.up + zeta[1] * self.level + zeta[2] * third
        up = way / norm(way)
        along = self.level - jnp.sum(self.level * up, 0) * up
        along = along / norm(along)
        across = cross(up, along)
        velocity = zeta[3] * up + zeta[4] * along + zeta[5] * across
        return jnp.concatenate([zeta[0] * up, velocity, zeta[6:]])

    def coordinates(self, state: np.ndarray) -> np.ndarray:
        """Return the coordinates (n, node) of states (n, node). The chart must have been created at these
        states, so that the slopes are zero.
        """
        if self.up is None or self.level is None:
            return state
        place, velocity = state[:3], state[3:6]
        third = np.cross(self.up, self.level, axis=0)
        none = np.zeros_like(place[:1])
        parts = [np.sum(velocity * way, 0)[None] for way in (self.up, self.level, third)]
        return np.concatenate([np.linalg.norm(place, axis=0)[None], none, none, *parts, state[6:]])


def chart_at(state: np.ndarray, round_planet: bool) -> Chart:
    """Return the chart at states (n, node). The horizontal reference direction is along the velocity, or any
    direction if there is no horizontal velocity.
    """
    if not round_planet:
        return Chart(None, None)
    place, velocity = state[:3], state[3:6]
    up = place / np.linalg.norm(place, axis=0)
    level = velocity - np.sum(velocity * up, 0) * up
    still = np.linalg.norm(level, axis=0) < 1e-3 * (1.0 + np.linalg.norm(velocity, axis=0))
    least = np.eye(3)[:, np.argmin(np.abs(up), axis=0)]
    other = np.cross(up, least, axis=0)
    level = np.where(still, other, level)
    return Chart(up, level / np.linalg.norm(level, axis=0))
