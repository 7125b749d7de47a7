"""The planet: an ellipsoid of revolution that turns about the inertial z axis, or flat ground that does not.

The planet's centre is the inertial origin and its pole is inertial z. The planet-fixed axes have the same
z; their x axis goes through the meridian of zero longitude and stands `angle` east of inertial x at time
zero. Vectors are component first, lanes last; times may carry the lanes too."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import jax.numpy as jnp
import numpy as np
from pydantic import model_validator

from ..errors import Refused
from ..tree import Declaration, OneOf
from ..units import si
from ..vectors import cross, dot, norm

WGS84_RADIUS = 6378137.0
"""Semi-major axis of the Earth's ellipsoid [m] (WGS 84, NIMA TR8350.2, third edition, Table 3.1)."""
WGS84_FLATTENING = 1 / 298.257223563
"""Flattening of the Earth's ellipsoid (WGS 84, NIMA TR8350.2, Table 3.1)."""
WGS84_ROTATION_RATE = 7.292115e-5
"""Angular velocity of the Earth [rad/s] (WGS 84, NIMA TR8350.2, Table 3.1)."""
WGS84_MU = 3.986004418e14
"""Geocentric gravitational constant, atmosphere included [m^3/s^2] (WGS 84, NIMA TR8350.2, Table 3.1)."""
LARGEST_FLATTENING = 0.5
"""Flattening up to which the geodetic coordinates were tested."""


class _Ellipsoid(Declaration):
    @model_validator(mode="after")
    def _oblate(self) -> _Ellipsoid:
        flattening = getattr(self, "flattening", 0.0)
        if isinstance(flattening, np.ndarray) and (flattening > LARGEST_FLATTENING).any():
            raise Refused(("flattening", f"must be from 0 (a sphere) to {LARGEST_FLATTENING}"))
        return self


class Earth(_Ellipsoid):
    """The rotating Earth of WGS 84."""

    kind: Literal["earth"] = "earth"
    """The Earth of WGS 84."""
    radius: Annotated[Any, si("m", positive=True)] = WGS84_RADIUS
    """Equatorial radius [m]."""
    flattening: Annotated[Any, si("1", nonnegative=True)] = WGS84_FLATTENING
    """(Equatorial radius - polar radius) / equatorial radius."""
    rotation_rate: Annotated[Any, si("rad/s")] = WGS84_ROTATION_RATE
    """Angular velocity about inertial z [rad/s]; positive to the east."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] = WGS84_MU
    """Gravitational constant times mass [m^3/s^2], for orbital elements; the gravity field has its own."""
    angle: Annotated[Any, si("rad")] = 0.0
    """Angle from inertial x to the meridian of zero longitude at time zero [rad], to the east."""


class Planet(_Ellipsoid):
    """A planet or moon of the user's own."""

    kind: Literal["planet"] = "planet"
    """A planet of the user's own."""
    radius: Annotated[Any, si("m", positive=True)]
    """Equatorial radius [m]."""
    flattening: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """(Equatorial radius - polar radius) / equatorial radius; 0 is a sphere."""
    rotation_rate: Annotated[Any, si("rad/s")] = 0.0
    """Angular velocity about inertial z [rad/s]; positive to the east."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)]
    """Gravitational constant times mass [m^3/s^2], for orbital elements; the gravity field has its own."""
    angle: Annotated[Any, si("rad")] = 0.0
    """Angle from inertial x to the meridian of zero longitude at time zero [rad], to the east."""


class FlatGround(Declaration):
    """Flat ground that does not turn. It has altitude, north, east and down, and no latitude or longitude."""

    kind: Literal["flat"] = "flat"
    """Flat ground that does not turn."""
    up: Annotated[Any, si("1", (3,))] = (0.0, 0.0, 1.0)
    """The vertical, inertial axes; of any length."""
    north: Annotated[Any, si("1", (3,))] = (0.0, 1.0, 0.0)
    """The direction that counts as north, inertial axes, made square to the vertical; of any length."""
    ground: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """A point of the ground [m], inertial axes; downrange counts from here too."""

    @model_validator(mode="after")
    def _not_parallel(self) -> FlatGround:
        if isinstance(self.up, np.ndarray) and isinstance(self.north, np.ndarray):
            if (np.sum(self.up**2, 0) == 0).any():
                raise Refused(("up", "has no direction; allowed: any vector but zero"))
            square = np.sum(np.cross(self.up, self.north, axis=0) ** 2, 0)
            if (square <= 1e-12 * np.sum(self.up**2, 0) * np.sum(self.north**2, 0)).any():
                raise Refused(("north", "must be neither zero nor along the vertical"))
        return self


World = Annotated[Earth | Planet | FlatGround, OneOf()]
Ellipsoid = Earth | Planet


def is_flat(planet: Any) -> bool:
    """Whether the ground is flat, so that there is no latitude, longitude or rotation."""
    return isinstance(planet, FlatGround)


def beside(vector: Any, like: Any) -> Any:
    """A declared vector (3, *lanes) beside positions (3, ..., *lanes)."""
    extra = like.ndim - np.ndim(vector)
    return jnp.reshape(vector, (3,) + (1,) * extra + np.shape(vector)[1:])


def along_z(like: Any) -> Any:
    """The unit vector of inertial z in the shape of `like` (3, ...)."""
    return jnp.stack([jnp.zeros_like(like[0]), jnp.zeros_like(like[0]), jnp.ones_like(like[0])])


def safe_angle(y: Any, x: Any) -> Any:
    """atan2(y, x) [rad], with zero derivative (not NaN) where both are zero."""
    nothing = (x == 0) & (y == 0)
    return jnp.arctan2(jnp.where(nothing, 0.0, y), jnp.where(nothing, 1.0, x))


def turn(planet: Any, time: Any) -> Any:
    """Angle [rad] from the inertial axes to the planet-fixed ones at a time [s]; zero for flat ground."""
    if is_flat(planet):
        return jnp.zeros_like(jnp.asarray(time, float))
    return planet.angle + planet.rotation_rate * jnp.asarray(time)


def to_fixed(planet: Any, time: Any, vector: Any) -> Any:
    """Planet-fixed components (3, ...) of a vector (a position, say) given in inertial axes."""
    return vector if is_flat(planet) else _about_z(-turn(planet, time), vector)


def from_fixed(planet: Any, time: Any, vector: Any) -> Any:
    """Inertial components (3, ...) of a vector given in planet-fixed axes."""
    return vector if is_flat(planet) else _about_z(turn(planet, time), vector)


def _about_z(angle: Any, vector: Any) -> Any:
    c, s = jnp.cos(angle), jnp.sin(angle)
    x, y, z = vector[0], vector[1], vector[2]
    return jnp.stack(jnp.broadcast_arrays(c * x - s * y, s * x + c * y, z))


def relative_velocity(planet: Any, position: Any, velocity: Any) -> Any:
    """Velocity relative to the rotating planet [m/s] (3, ...), inertial axes: v - omega x r, from the
    inertial position [m] and velocity [m/s]. Its planet-fixed components (`to_fixed`) are the rates of the
    planet-fixed position."""
    return velocity - _carried(planet, position)


def inertial_velocity(planet: Any, position: Any, relative: Any) -> Any:
    """Inertial velocity [m/s] (3, ...) from the one relative to the rotating planet, both inertial axes."""
    return relative + _carried(planet, position)


def _carried(planet: Any, position: Any) -> Any:
    """Velocity of the planet's own points."""
    if is_flat(planet):
        return jnp.zeros_like(position)
    rate = planet.rotation_rate
    return jnp.stack([-rate * position[1], rate * position[0], jnp.zeros_like(position[2])])


def flat_axes(planet: FlatGround, like: Any) -> Any:
    """North, east and down of flat ground, as the columns of a matrix (3, 3, ...), inertial axes, with the
    trailing axes of `like` (3, ...)."""
    up = jnp.asarray(planet.up) / norm(jnp.asarray(planet.up))
    north = jnp.asarray(planet.north) - dot(jnp.asarray(planet.north), up) * up
    north = north / norm(north)
    columns = [beside(c, like) + jnp.zeros_like(like) for c in (north, cross(north, up), -up)]
    return jnp.stack(columns, 1)


def flat_coordinates(planet: FlatGround, position: Any) -> Any:
    """Distance to the north and to the east of the declared point, and altitude [m] (3, ...)."""
    north_east_down = flat_axes(planet, position)
    arm = (position - beside(planet.ground, position))[:, None]
    found = jnp.sum(north_east_down * arm, 0)
    return jnp.stack([found[0], found[1], -found[2]])
