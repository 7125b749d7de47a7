"""Planet-fixed axes, and velocity relative to the rotating planet. Module `world` has the declarations of
planets.

The first axis of a vector is the component, and the last axes are the cases. Times may have case axes too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import cross, dot, norm
from .world import FlatGround, is_flat


def broadcast_vector(vector: Any, like: Any) -> Any:
    """Return a declared vector (3, *cases) with additional axes, so that it broadcasts with positions `like`
    (3, ..., *cases).
    """
    extra = like.ndim - np.ndim(vector)
    return jnp.reshape(vector, (3,) + (1,) * extra + np.shape(vector)[1:])


def along_z(like: Any) -> Any:
    """Return the unit vector of the inertial z axis in the shape of `like` (3, ...)."""
    return jnp.stack([jnp.zeros_like(like[0]), jnp.zeros_like(like[0]), jnp.ones_like(like[0])])


def safe_angle(y: Any, x: Any) -> Any:
    """Return atan2(y, x) [rad]. If x and y are both zero, the angle and its derivatives are zero, not
    NaN.
    """
    nothing = (x == 0) & (y == 0)
    return jnp.arctan2(jnp.where(nothing, 0.0, y), jnp.where(nothing, 1.0, x))


def turn(planet: Any, time: Any) -> Any:
    """Return the rotation angle [rad] from the inertial axes to the planet-fixed axes at a time [s]. The
    angle is zero for flat ground.
    """
    if is_flat(planet):
        return jnp.zeros_like(jnp.asarray(time, float))
    return planet.angle + planet.rotation_rate * jnp.asarray(time)


def to_fixed(planet: Any, time: Any, vector: Any) -> Any:
    """Return the planet-fixed components (3, ...) of a vector from its inertial components, at a time
    [s].
    """
    return vector if is_flat(planet) else _about_z(-turn(planet, time), vector)


def from_fixed(planet: Any, time: Any, vector: Any) -> Any:
    """Return the inertial components (3, ...) of a vector from its planet-fixed components, at a time
    [s].
    """
    return vector if is_flat(planet) else _about_z(turn(planet, time), vector)


def _about_z(angle: Any, vector: Any) -> Any:
    c, s = jnp.cos(angle), jnp.sin(angle)
    x, y, z = vector[0], vector[1], vector[2]
    return jnp.stack(jnp.broadcast_arrays(c * x - s * y, s * x + c * y, z))


def relative_velocity(planet: Any, position: Any, velocity: Any) -> Any:
    """Return the velocity relative to the rotating planet [m/s] (3, ...), inertial axes: v - omega x r.

    Position r [m] and velocity v [m/s] are inertial; omega is the angular velocity of the planet. The
    planet-fixed components of the result (`to_fixed`) are the time derivatives of the planet-fixed position.
    """
    return velocity - _ground_point_velocity(planet, position)


def inertial_velocity(planet: Any, position: Any, relative: Any) -> Any:
    """Return the inertial velocity [m/s] (3, ...) from the velocity relative to the rotating planet. Both
    velocities have inertial components.
    """
    return relative + _ground_point_velocity(planet, position)


def _ground_point_velocity(planet: Any, position: Any) -> Any:
    """Inertial velocity of points that are fixed to the planet."""
    if is_flat(planet):
        return jnp.zeros_like(position)
    rate = planet.rotation_rate
    return jnp.stack([-rate * position[1], rate * position[0], jnp.zeros_like(position[2])])


def flat_axes(planet: FlatGround, like: Any) -> Any:
    """Return the north-east-down axes of flat ground. The columns of the matrix (3, 3, ...) are the axes in
    inertial components.

    The trailing axes of the result are the trailing axes of `like` (3, ...).
    """
    up = jnp.asarray(planet.up) / norm(jnp.asarray(planet.up))
    north = jnp.asarray(planet.north) - dot(jnp.asarray(planet.north), up) * up
    north = north / norm(north)
    columns = [broadcast_vector(c, like) + jnp.zeros_like(like) for c in (north, cross(north, up), -up)]
    return jnp.stack(columns, 1)


def flat_coordinates(planet: FlatGround, position: Any) -> Any:
    """Return the distances north and east from the reference point of flat ground, and the altitude [m], as
    an array (3, ...).

    `position` (3, ...) [m]: inertial position.
    """
    north_east_down = flat_axes(planet, position)
    arm = (position - broadcast_vector(planet.ground, position))[:, None]
    found = jnp.sum(north_east_down * arm, 0)
    return jnp.stack([found[0], found[1], -found[2]])
