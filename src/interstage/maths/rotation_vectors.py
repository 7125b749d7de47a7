"""Rotation vectors: attitude, angular velocity and generalized torque, at any angle.

Let the rotation vector theta have the rate theta'. The angular velocity is nu = J(theta) theta', with the
left Jacobian

    J(theta) v = v + a theta x v + b theta x (theta x v),
    a = (1 - cos |theta|)/|theta|^2,   b = (|theta| - sin |theta|)/|theta|^3

A torque T has the generalized torque J^T T, because its power is (J^T T) . theta'."""

from __future__ import annotations

from typing import Any

from .arrays import jnp
from .vectors import cross, dot

SMALL = 1e-2
"""Rotation angle [rad] below which series are used. The omitted terms are below rounding."""


def attitude(turn: Any) -> Any:
    """Return the quaternions (4, ...) of rotation vectors `turn` (3, ...) [rad]."""
    square, near, angle = _angle(turn)
    half = jnp.where(near, 0.5 - square / 48 + square**2 / 3840, jnp.sin(0.5 * angle) / angle)
    cosine = jnp.where(near, 1 - square / 8 + square**2 / 384 - square**3 / 46080, jnp.cos(0.5 * angle))
    return jnp.concatenate([cosine[None], half * turn])


def turning(turn: Any, rate: Any) -> Any:
    """Return the angular velocity J(theta) theta' (3, ...) [rad/s].

    turn: rotation vectors theta (3, ...) [rad]. rate: theta' (3, ...) [rad/s].
    """
    first, second = _factors(turn)
    once = cross(turn, rate)
    return rate + first * once + second * cross(turn, once)


def work(turn: Any, torque: Any) -> Any:
    """Return the generalized torque J^T T (3, ...) [N m] of a torque T on the rotation vector theta.

    turn: theta (3, ...) [rad]. torque: T (3, ...) [N m].
    """
    first, second = _factors(turn)
    once = cross(turn, torque)
    return torque - first * once + second * cross(turn, once)


def _angle(turn: Any) -> tuple[Any, Any, Any]:
    """Square of the angle, whether it is small, and the angle (1 if small)."""
    square = dot(turn, turn)
    near = square < SMALL**2
    return square, near, jnp.sqrt(jnp.where(near, 1.0, square))


def _factors(turn: Any) -> tuple[Any, Any]:
    """a and b."""
    square, near, angle = _angle(turn)
    first = 2 * (jnp.sin(0.5 * angle) / angle) ** 2
    second = (angle - jnp.sin(angle)) / angle**3
    return (
        jnp.where(near, 0.5 - square / 24 + square**2 / 720, first),
        jnp.where(near, 1 / 6 - square / 120 + square**2 / 5040, second),
    )
