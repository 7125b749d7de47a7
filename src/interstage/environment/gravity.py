"""Gravity: none, uniform, or the inverse-square field of one centre."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from ..tree import Declaration, OneOf
from ..units import si

EARTH_MU = 3.986004418e14
"""Geocentric gravitational constant, atmosphere included [m^3/s^2] (WGS 84, NIMA TR8350.2, Table 3.1)."""


class NoGravity(Declaration):
    """No gravity at all: free space."""

    kind: Literal["none"] = "none"
    """No gravity."""


class UniformGravity(Declaration):
    """The same acceleration everywhere."""

    kind: Literal["uniform"] = "uniform"
    """The same acceleration everywhere."""
    acceleration: Annotated[Any, si("m/s^2", (3,))]
    """Acceleration of free fall [m/s^2], inertial axes."""


class InverseSquareGravity(Declaration):
    """The field of a point mass or of a sphere of spherically symmetric density."""

    kind: Literal["inverse_square"] = "inverse_square"
    """The field of one spherical centre."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] = EARTH_MU
    """Gravitational constant times mass of the centre [m^3/s^2]; the default is the Earth's (WGS 84)."""
    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where the centre is [m], inertial axes, from the inertial origin."""


Gravity = Annotated[NoGravity | UniformGravity | InverseSquareGravity, OneOf()]


def acceleration(gravity: Any, position: Any) -> Any:
    """Acceleration of free fall [m/s^2] at positions [m] (3, ...), inertial axes."""
    import jax.numpy as jnp

    if isinstance(gravity, UniformGravity):
        return jnp.broadcast_to(_like(gravity.acceleration, position), position.shape)
    if isinstance(gravity, InverseSquareGravity):
        arm = position - _like(gravity.centre, position)
        return -gravity.mu * arm / jnp.sum(arm * arm, 0) ** 1.5
    return jnp.zeros_like(position)


def difference(gravity: Any, origin: Any, offset: Any) -> Any:
    """g(origin + offset) - g(origin) [m/s^2], without cancellation; (3, ...), inertial axes.

    With q = offset.(offset + 2 origin)/origin^2 the inverse-square field gives -mu/origin^3 [offset + f(q)
    (origin + offset)], f(q) = (1 + q)^(-3/2) - 1, and f = -q (3 + 3 q + q^2) / (s (1 + s)), s = (1 +
    q)^(3/2). R. H. Battin, An Introduction to the Mathematics and Methods of Astrodynamics, section 8.6
    (Encke's method)."""
    import jax.numpy as jnp

    if not isinstance(gravity, InverseSquareGravity):
        return jnp.zeros_like(offset)
    arm = origin - _like(gravity.centre, origin)
    square = jnp.sum(arm * arm, 0)
    q = jnp.sum(offset * (offset + 2 * arm), 0) / square
    s = (1 + q) ** 1.5
    f = -q * (3 + q * (3 + q)) / (s * (1 + s))
    return -gravity.mu / square**1.5 * (offset + f * (arm + offset))


def potential(gravity: Any, position: Any) -> Any:
    """Potential energy per mass [J/kg] at positions [m] (3, ...), inertial axes."""
    import jax.numpy as jnp

    if isinstance(gravity, UniformGravity):
        return -jnp.sum(_like(gravity.acceleration, position) * position, 0)
    if isinstance(gravity, InverseSquareGravity):
        arm = position - _like(gravity.centre, position)
        return -gravity.mu / jnp.sqrt(jnp.sum(arm * arm, 0))
    return jnp.zeros_like(position[0])


def _like(vector: Any, position: Any) -> Any:
    """A vector (3, *lanes) beside positions (3, bodies..., *lanes)."""
    extra = position.ndim - np.ndim(vector)
    return vector.reshape(vector.shape[:1] + (1,) * extra + vector.shape[1:])
