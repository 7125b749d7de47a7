"""Quantities of two bodies: how far apart they are, and how they move and turn against each other."""

from __future__ import annotations

import jax.numpy as jnp

from ..vectors import cross, dot, norm, rotate_back
from .quantity import Moment, Quantity, scalar_quantity, vector_quantity


def pair_quantities(i: int, k: int, a: str, b: str) -> dict[str, Quantity]:
    """Quantities of body k (named b) relative to body i (named a)."""
    axes, at = f"{a} structure axes", "mass centres"
    return {
        "distance": scalar_quantity("m", "distance", lambda m: norm(_between(m, i, k)), at),
        "separation": vector_quantity("m", f"{b} from {a}", axes, at, lambda m: _separation(m, i, k)),
        "relative_velocity": vector_quantity(
            "m/s", f"velocity of {b} seen from {a}", axes, at, lambda m: _relative_velocity(m, i, k)
        ),
        "separation_speed": scalar_quantity(
            "m/s", "rate of the distance", lambda m: _rate_of_distance(m, i, k), at
        ),
        "closing_speed": scalar_quantity("m/s", "closing speed", lambda m: -_rate_of_distance(m, i, k), at),
        "relative_speed": scalar_quantity(
            "m/s", "inertial relative speed", lambda m: norm(_rate_between(m, i, k)), at
        ),
        "relative_rate": vector_quantity(
            "rad/s",
            f"angular velocity of {b} relative to {a}",
            f"{b} structure axes",
            "",
            lambda m: _relative_rate(m, i, k),
        ),
        "tip_off_rate": scalar_quantity(
            "rad/s", f"angular speed of {b} relative to {a}", lambda m: norm(_relative_rate(m, i, k))
        ),
    }


def _between(m: Moment, i: int, k: int):
    return m.now.motion.position[:, k] - m.now.motion.position[:, i]


def _rate_between(m: Moment, i: int, k: int):
    return m.now.motion.velocity[:, k] - m.now.motion.velocity[:, i]


def _separation(m: Moment, i: int, k: int):
    return rotate_back(m.now.motion.rotation[:, :, i], _between(m, i, k))


def _rate_of_distance(m: Moment, i: int, k: int):
    """Negative when the mass centres come closer [m/s]."""
    gap = _between(m, i, k)
    distance = norm(gap)
    return dot(gap, _rate_between(m, i, k)) / jnp.where(distance > 0, distance, 1.0)


def _relative_velocity(m: Moment, i: int, k: int):
    """Velocity of B's mass centre as seen from A (its rotation taken out), A's axes."""
    rate = _rate_between(m, i, k) - cross(m.now.motion.spin[:, i], _between(m, i, k))
    return rotate_back(m.now.motion.rotation[:, :, i], rate)


def _relative_rate(m: Moment, i: int, k: int):
    return rotate_back(m.now.motion.rotation[:, :, k], m.now.motion.spin[:, k] - m.now.motion.spin[:, i])
