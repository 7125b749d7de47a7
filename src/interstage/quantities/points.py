"""Quantities of a declared pair: position and motion of a point and an axis of one body relative to another
body.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..engine.here import Here
from ..engine.quantity import Quantity, scalar_quantity, vector_quantity
from ..environment.flight_path import angles_of
from ..environment.planet import safe_angle
from ..maths.arrays import jax, jnp
from ..maths.vectors import add_axes, cross, dot, norm, product, rotate, rotate_back, transpose
from ..model.pair import Pair
from ..record.record import QuantityMeta

ANGLES = ("yaw", "pitch", "roll")


class Sight(NamedTuple):
    """Geometry of one declared pair at one time, in inertial components (3, *cases).

    - gap: vector from the parent's point to the child's point [m].
    - rate: rate of `gap` [m/s].
    - spins: angular velocities of parent and child [rad/s].
    - turns: rotation matrices (3, 3, *cases) of parent and child.
    - axes: unit vectors of the declared axes of parent and child.
    """

    gap: jax.Array
    rate: jax.Array
    spins: tuple[Any, Any]
    turns: tuple[Any, Any]
    axes: tuple[Any, Any]

    @property
    def spin(self):
        """Return the angular velocity of the child relative to the parent [rad/s]."""
        return self.spins[1] - self.spins[0]

    @property
    def relative_velocity(self):
        """Return the velocity of the child's point relative to the rotating parent [m/s]."""
        return self.rate - cross(self.spins[0], self.gap)

    @property
    def distance_rate(self):
        """Return the range rate of the child's point relative to the parent's point [m/s]; 0 at zero
        distance.
        """
        distance = norm(self.gap)
        return dot(self.gap, self.rate) / jnp.where(distance > 0, distance, 1.0)

    def along(self, end: int, vector):
        """Return the components of a vector in the structural axes of the parent (`end` = 0) or the child
        (`end` = 1).
        """
        return rotate_back(self.turns[end], vector)

    @property
    def axial_and_radial(self):
        """Return (component of `gap` along the parent's axis, distance of the child's point from this axis)
        [m].
        """
        along = dot(self.gap, self.axes[0])
        return along, norm(self.gap - along * self.axes[0])


def point_quantities(n: int, pair: Pair, i: int, k: int) -> dict[str, Quantity]:
    """Return the quantities of declared pair number n, by name. i, k: indices of its bodies."""
    a, b = pair.parent, pair.child
    axes = {end: f"{body} structural axes" for end, body in enumerate((a, b))}

    def sight_at(m: Here):
        return m.compute_once(f"pair {n}", lambda: sight(m, n, i, k))

    def vector(unit, text, end, value, at="points"):
        return vector_quantity(unit, text, axes[end], at, lambda m: value(sight_at(m)))

    def scalar(unit, text, value, at="points"):
        return scalar_quantity(unit, text, lambda m: value(sight_at(m)), at)

    found = {
        "distance": scalar("m", f"distance from {a} to {b}", lambda s: norm(s.gap)),
        "axial_distance": scalar("m", f"distance along the axis of {a}", lambda s: s.axial_and_radial[0]),
        "radial_distance": scalar("m", f"distance from the axis of {a}", lambda s: s.axial_and_radial[1]),
        "separation": vector("m", f"position of {b} relative to {a}", 0, lambda s: s.along(0, s.gap)),
        "separation_child": vector("m", f"position of {b} relative to {a}", 1, lambda s: s.along(1, s.gap)),
        "separation_speed": scalar("m/s", "range rate", lambda s: s.distance_rate),
        "closing_speed": scalar("m/s", "closing speed", lambda s: -s.distance_rate),
        "relative_speed": scalar("m/s", "inertial relative speed", lambda s: norm(s.rate)),
        "relative_velocity": vector(
            "m/s",
            f"velocity of {b} in the rotating frame of {a}",
            0,
            lambda s: s.along(0, s.relative_velocity),
        ),
        "relative_velocity_child": vector(
            "m/s",
            f"velocity of {b} in the rotating frame of {a}",
            1,
            lambda s: s.along(1, s.relative_velocity),
        ),
        "relative_rate": vector(
            "rad/s", f"angular velocity of {b} relative to {a}", 1, lambda s: s.along(1, s.spin), ""
        ),
        "relative_rate_parent": vector(
            "rad/s", f"angular velocity of {b} relative to {a}", 0, lambda s: s.along(0, s.spin), ""
        ),
        "tip_off_rate": scalar("rad/s", f"angular speed of {b} relative to {a}", lambda s: norm(s.spin), ""),
        "transverse_rate": scalar(
            "rad/s",
            f"angular speed of {b} relative to {a}, transverse to the axis of {b}",
            lambda s: norm(cross(s.axes[1], s.spin)),
            "",
        ),
        "axis_angle": scalar("rad", "angle between the axes of the pair", _axis_angle, ""),
        "relative_attitude": Quantity(
            QuantityMeta("rad", f"3-2-1 angles of {b} relative to {a}", axes[0], ANGLES),
            lambda m: _attitude(sight_at(m)),
            2 * math.pi,
        ),
    }
    if pair.reference_length is not None:
        found["distance_in_lengths"] = scalar_quantity(
            "1",
            "distance divided by the reference length",
            lambda m: _in_lengths(m, n, sight_at(m)),
            "points",
        )
    return found


def sight(m: Here, n: int, i: int, k: int) -> Sight:
    """Return the geometry of declared pair number n at one time. i, k: indices of its bodies."""
    pair = m.equations.scenario.pairs[n]
    arms = [_arm(m, pair, end, body) for end, body in (("parent", i), ("child", k))]
    motion, both = m.motion, (i, k)
    turns = motion.rotation[:, :, i], motion.rotation[:, :, k]
    spins = motion.spin[:, i], motion.spin[:, k]
    arms = [rotate(turn, arm) for turn, arm in zip(turns, arms, strict=True)]
    carried = [cross(spin, arm) for spin, arm in zip(spins, arms, strict=True)]
    speeds = [motion.velocity[:, body] + own for body, own in zip(both, carried, strict=True)]
    axes = [
        rotate(turn, _unit(m, axis))
        for turn, axis in zip(turns, (pair.parent_axis, pair.child_axis), strict=True)
    ]
    gap = (motion.position[:, k] - motion.position[:, i]) + (arms[1] - arms[0])
    return Sight(gap, speeds[1] - speeds[0], spins, turns, (axes[0], axes[1]))


def _arm(m: Here, pair: Pair, end: str, body: int):
    """Arm from the centre of mass to the point (3, *cases) [m], structural axes."""
    point, sensor = getattr(pair, f"{end}_at"), getattr(pair, f"{end}_sensor")
    if sensor is not None:
        point = next(s.at for s in m.equations.scenario.sensors if s.name == sensor)
    if point is None:
        return jnp.zeros((3, *m.t.shape))
    return jnp.broadcast_to(m.mechanism.numbers.arm(point, body), (3, *m.t.shape))


def _unit(m: Here, axis):
    axis = jnp.broadcast_to(add_axes(jnp.asarray(axis), 1 + m.t.ndim), (3, *m.t.shape))
    return axis / norm(axis)


def _axis_angle(s: Sight):
    """Angle between the axes by the arctangent. It is exact for small angles, at which the cosine loses all
    digits."""
    return safe_angle(norm(cross(*s.axes)), dot(*s.axes))


def _attitude(s: Sight):
    return angles_of("3-2-1", product(transpose(s.turns[0]), s.turns[1]))


def _in_lengths(m: Here, n: int, s: Sight):
    return norm(s.gap) / m.equations.scenario.pairs[n].reference_length
