"""Quantities of two bodies: distance, relative motion and relative rotation."""

from __future__ import annotations

from functools import partial

from ..engine.here import Here
from ..engine.quantity import Items, Quantity, scalar_quantity, vector_quantity
from ..maths.arrays import jnp
from ..maths.vectors import cross, dot, norm, rotate_back
from ..model.attachments import select


def pair_quantities(i: int, k: int, a: str, b: str) -> dict[str, Quantity]:
    """Return the quantities of body k (named b) relative to body i (named a), by name."""
    axes, at = f"{a} structural axes", "centres of mass"
    of = partial(Items, numbers=(i, k))
    return {
        "distance": scalar_quantity("m", f"distance from {a} to {b}", of(_distance), at),
        "separation": vector_quantity("m", f"position of {b} relative to {a}", axes, at, of(_separation)),
        "relative_velocity": vector_quantity(
            "m/s", f"velocity of {b} in the rotating frame of {a}", axes, at, of(_relative_velocity)
        ),
        "separation_speed": scalar_quantity("m/s", "range rate", of(_rate_of_distance), at),
        "closing_speed": scalar_quantity("m/s", "closing speed", of(_closing_speed), at),
        "relative_speed": scalar_quantity("m/s", "inertial relative speed", of(_relative_speed), at),
        "relative_rate": vector_quantity(
            "rad/s",
            f"angular velocity of {b} relative to {a}",
            f"{b} structural axes",
            "",
            of(_relative_rate),
        ),
        "tip_off_rate": scalar_quantity("rad/s", f"angular speed of {b} relative to {a}", of(_tip_off_rate)),
    }


def _difference(field, i, k):
    return select(field, k, 1) - select(field, i, 1)


def _between(m: Here, i, k):
    return _difference(m.motion.position, i, k)


def _rate_between(m: Here, i, k):
    return _difference(m.motion.velocity, i, k)


def _distance(m: Here, i, k):
    return norm(_between(m, i, k))


def _separation(m: Here, i, k):
    return rotate_back(select(m.motion.rotation, i, 2), _between(m, i, k))


def _rate_of_distance(m: Here, i, k):
    """Range rate [m/s]; negative if the centres of mass approach each other."""
    gap = _between(m, i, k)
    distance = norm(gap)
    return dot(gap, _rate_between(m, i, k)) / jnp.where(distance > 0, distance, 1.0)


def _closing_speed(m: Here, i, k):
    return -_rate_of_distance(m, i, k)


def _relative_speed(m: Here, i, k):
    return norm(_rate_between(m, i, k))


def _relative_velocity(m: Here, i, k):
    """Velocity of B's centre of mass relative to the rotating axes of A, A's axes."""
    rate = _rate_between(m, i, k) - cross(select(m.motion.spin, i, 1), _between(m, i, k))
    return rotate_back(select(m.motion.rotation, i, 2), rate)


def _relative_rate(m: Here, i, k):
    return rotate_back(select(m.motion.rotation, k, 2), _difference(m.motion.spin, i, k))


def _tip_off_rate(m: Here, i, k):
    return norm(_relative_rate(m, i, k))
