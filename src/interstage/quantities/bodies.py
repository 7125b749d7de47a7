"""Quantities of one body: where it is, how it moves and turns."""

from __future__ import annotations

import jax.numpy as jnp

from ..record import QuantityMeta
from ..vectors import norm, rotate, widened
from .quantity import Moment, Quantity, scalar_quantity, vector_quantity


def body_quantities(k: int, name: str) -> dict[str, Quantity]:
    """Quantities of body k."""
    axes, at = f"{name} structure axes", "mass centre"
    attitude = QuantityMeta(
        "1", "attitude quaternion", "body to inertial, scalar first", ("0", "1", "2", "3")
    )
    return {
        "position": vector_quantity("m", "position", "inertial", at, lambda m: _position(m, k)),
        "velocity": vector_quantity("m/s", "velocity", "inertial", at, lambda m: _velocity(m, k)),
        "acceleration": vector_quantity(
            "m/s^2", "acceleration", "inertial", at, lambda m: _acceleration(m, k)
        ),
        "attitude": Quantity(attitude, lambda m: m.now.motion.quaternion[:, k]),
        "angular_velocity": vector_quantity(
            "rad/s", "angular velocity", axes, "", lambda m: m.now.motion.spin_body[:, k]
        ),
        "angular_acceleration": vector_quantity(
            "rad/s^2", "angular acceleration", axes, "", lambda m: m.now.acceleration[3:, k]
        ),
        "speed": scalar_quantity("m/s", "inertial speed", lambda m: norm(_velocity(m, k)), at),
        "origin_position": vector_quantity(
            "m",
            "position of the origin",
            "inertial",
            "body origin",
            lambda m: _position(m, k) + _origin_arm(m, k),
        ),
        "mass": scalar_quantity(
            "kg", "mass", lambda m: jnp.broadcast_to(m.mechanism.numbers.mass[k], m.t.shape)
        ),
    }


def _position(m: Moment, k: int):
    return m.now.origin + m.now.motion.position[:, k]


def _velocity(m: Moment, k: int):
    return m.now.origin_velocity + m.now.motion.velocity[:, k]


def _acceleration(m: Moment, k: int):
    return m.mechanism.fall(m.now.origin) + m.now.acceleration[:3, k]


def _origin_arm(m: Moment, k: int):
    """From the mass centre to the body's origin [m], inertial axes."""
    origin = widened(m.mechanism.scenario.bodies[k].origin, m.now.origin.ndim)
    arm = jnp.broadcast_to(origin - m.mechanism.numbers.centre[:, k], m.now.origin.shape)
    return rotate(m.now.motion.rotation[:, :, k], arm)
