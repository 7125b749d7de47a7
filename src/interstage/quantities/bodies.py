"""Quantities of one body: where it is, how it moves and turns."""

from __future__ import annotations

from ..model.attachments import select
from ..record import QuantityMeta
from ..stacks import stacked
from ..vectors import norm, rotate
from .quantity import Items, Moment, Quantity, scalar_quantity, vector_quantity


def body_quantities(k: int, name: str) -> dict[str, Quantity]:
    """Quantities of body k."""
    axes, at = f"{name} structure axes", "mass centre"
    attitude = QuantityMeta(
        "1", "attitude quaternion", "body to inertial, scalar first", ("0", "1", "2", "3")
    )
    of = lambda function: Items(function, (k,))  # noqa: E731
    return {
        "position": vector_quantity("m", "position", "inertial", at, of(_position)),
        "velocity": vector_quantity("m/s", "velocity", "inertial", at, of(_velocity)),
        "acceleration": vector_quantity("m/s^2", "acceleration", "inertial", at, of(_acceleration)),
        "attitude": Quantity(attitude, of(_attitude)),
        "angular_velocity": vector_quantity("rad/s", "angular velocity", axes, "", of(_angular_velocity)),
        "angular_acceleration": vector_quantity(
            "rad/s^2", "angular acceleration", axes, "", of(_angular_acceleration)
        ),
        "speed": scalar_quantity("m/s", "inertial speed", of(_speed), at),
        "origin_position": vector_quantity(
            "m", "position of the origin", "inertial", "body origin", of(_origin_position)
        ),
        "mass": scalar_quantity("kg", "mass", of(_mass)),
    }


def _position(m: Moment, k):
    return m.now.origin[:, None] + select(m.now.motion.position, k, 1)


def _velocity(m: Moment, k):
    return m.now.origin_velocity[:, None] + select(m.now.motion.velocity, k, 1)


def _acceleration(m: Moment, k):
    return m.mechanism.fall(m.t, m.now.origin)[:, None] + select(m.now.acceleration[:3], k, 1)


def _attitude(m: Moment, k):
    return select(m.now.motion.quaternion, k, 1)


def _angular_velocity(m: Moment, k):
    return select(m.now.motion.spin_body, k, 1)


def _angular_acceleration(m: Moment, k):
    return select(m.now.acceleration[3:], k, 1)


def _speed(m: Moment, k):
    return norm(_velocity(m, k))


def _origin_position(m: Moment, k):
    """The arm from the mass centre to the body's origin turns with the body."""
    bodies = m.mechanism.scenario.bodies
    origin = stacked([bodies[n].origin for n in k], m.t.ndim, (3,))
    arm = origin - select(m.mechanism.numbers.centre, k, 1)
    return _position(m, k) + rotate(select(m.now.motion.rotation, k, 2), arm)


def _mass(m: Moment, k):
    return select(m.mechanism.numbers.mass, k, 0)
