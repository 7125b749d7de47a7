"""Acceleration and potential of any gravity field (see `gravity`), and differences between near points. The
differences are computed without cancellation of digits.

Positions are inertial (3, ..., *cases) [m]; times [s] have the case axes. Only a field that rotates with the
planet uses the planet and the time.
"""

from __future__ import annotations

from typing import Any

from ..maths.arrays import jnp
from ..maths.vectors import cube, dot
from . import harmonics, zonal
from .gravity import HarmonicGravity, InverseSquareGravity, UniformGravity, ZonalGravity
from .planet import broadcast_vector


def acceleration(gravity: Any, planet: Any, time: Any, position: Any) -> Any:
    """Return the acceleration of gravity [m/s^2] (3, ...), inertial axes, at inertial positions [m] (3,
    ...).
    """
    if isinstance(gravity, UniformGravity):
        return jnp.broadcast_to(broadcast_vector(gravity.acceleration, position), position.shape)
    if isinstance(gravity, InverseSquareGravity):
        arm = position - broadcast_vector(gravity.centre, position)
        return -gravity.mu * arm / cube(dot(arm, arm))
    if isinstance(gravity, ZonalGravity):
        return zonal.acceleration(gravity, position)
    if isinstance(gravity, HarmonicGravity):
        return harmonics.acceleration(gravity, planet, time, position)
    return jnp.zeros_like(position)


def difference(gravity: Any, planet: Any, time: Any, origin: Any, offset: Any) -> Any:
    """Return the difference of gravity g(origin + offset) - g(origin) [m/s^2] (3, ...), inertial axes,
    without cancellation of digits.

    `origin` (3, *cases) [m]: one inertial point. `offset` (3, ..., *cases) [m]. For the inverse-square field,
    with q = offset.(offset + 2 origin)/origin^2, the difference is

        -mu/origin^3 [offset + f(q) (origin + offset)], f(q) = (1 + q)^(-3/2) - 1.

    In the form f = -q (3 + 3 q + q^2) / (s (1 + s)), s = (1 + q)^(3/2), no digits cancel. Source: R. H.
    Battin, An Introduction to the Mathematics and Methods of Astrodynamics, section 8.6 (Encke's method).
    """
    there = broadcast_vector(origin, offset)
    if isinstance(gravity, InverseSquareGravity):
        return _central_difference(gravity, there - broadcast_vector(gravity.centre, offset), offset)
    if isinstance(gravity, ZonalGravity):
        return zonal.difference(gravity, there, offset)
    if isinstance(gravity, HarmonicGravity):
        return harmonics.difference(gravity, planet, time, there, offset)
    return jnp.zeros_like(offset)


def _central_difference(gravity, arm, offset):
    square = dot(arm, arm)
    q = dot(offset, offset + 2 * arm) / square
    s = cube(1 + q)
    f = -q * (3 + q * (3 + q)) / (s * (1 + s))
    return -gravity.mu / cube(square) * (offset + f * (arm + offset))


def potential(gravity: Any, planet: Any, time: Any, position: Any) -> Any:
    """Return the gravitational potential energy per mass [J/kg] (...) at inertial positions [m] (3, ...)."""
    if isinstance(gravity, UniformGravity):
        return -dot(broadcast_vector(gravity.acceleration, position), position)
    if isinstance(gravity, InverseSquareGravity):
        arm = position - broadcast_vector(gravity.centre, position)
        return -gravity.mu / jnp.sqrt(dot(arm, arm))
    if isinstance(gravity, ZonalGravity):
        return zonal.potential(gravity, position)
    if isinstance(gravity, HarmonicGravity):
        return harmonics.potential(gravity, planet, time, position)
    return jnp.zeros_like(position[0])
