"""Declarations of the planet: an ellipsoid of revolution that rotates about the inertial z axis, or flat
ground without rotation.

The module `planet` has the functions. The planet's centre is the inertial origin and its pole is inertial z.
The planet-fixed axes have the same z axis. The x axis of the planet-fixed axes is in the meridian of zero
longitude. At time zero, the planet is rotated east from inertial x by `angle`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si

WGS84_RADIUS = 6378137.0
"""Semi-major axis of the Earth's ellipsoid [m] (WGS 84, NIMA TR8350.2, third edition, Table 3.1)."""
WGS84_FLATTENING = 1 / 298.257223563
"""Flattening of the Earth's ellipsoid (WGS 84, NIMA TR8350.2, Table 3.1)."""
WGS84_ROTATION_RATE = 7.292115e-5
"""Angular velocity of the Earth [rad/s] (WGS 84, NIMA TR8350.2, Table 3.1)."""
WGS84_MU = 3.986004418e14
"""Geocentric gravitational constant, atmosphere included [m^3/s^2] (WGS 84, NIMA TR8350.2, Table 3.1)."""
LARGEST_FLATTENING = 0.5
"""Maximum flattening. The geodetic coordinates were tested up to this flattening."""


class _Ellipsoid(Declaration):
    @model_validator(mode="after")
    def _oblate(self) -> _Ellipsoid:
        flattening = getattr(self, "flattening", 0.0)
        if isinstance(flattening, np.ndarray) and (flattening > LARGEST_FLATTENING).any():
            raise Refused(
                ("flattening", (f"the flattening is out of range. Give 0 (a sphere) to {LARGEST_FLATTENING}"))
            )
        return self


class Earth(_Ellipsoid):
    """The rotating Earth with the constants of WGS 84."""

    kind: Literal["earth"] = "earth"
    """The Earth of WGS 84."""
    radius: Annotated[Any, si("m", positive=True)] = WGS84_RADIUS
    """Equatorial radius [m]."""
    flattening: Annotated[Any, si("1", nonnegative=True)] = WGS84_FLATTENING
    """(Equatorial radius - polar radius) / equatorial radius."""
    rotation_rate: Annotated[Any, si("rad/s")] = WGS84_ROTATION_RATE
    """Angular velocity about inertial z [rad/s]; positive to the east."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] = WGS84_MU
    """Gravitational constant times mass [m^3/s^2], for orbital elements only. The gravity field has its own
    constant."""
    angle: Annotated[Any, si("rad")] = 0.0
    """Angle from inertial x to the meridian of zero longitude at time zero [rad], positive east. If bodies
    start from a saved flight, the angle is read from the saved flight and a value of 0 counts as omitted."""


class Planet(_Ellipsoid):
    """A planet or moon defined by the user."""

    kind: Literal["planet"] = "planet"
    """A planet defined by the user."""
    radius: Annotated[Any, si("m", positive=True)]
    """Equatorial radius [m]."""
    flattening: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Flattening: (equatorial radius - polar radius) / equatorial radius. The value 0 is a sphere."""
    rotation_rate: Annotated[Any, si("rad/s")] = 0.0
    """Angular velocity about inertial z [rad/s]; positive to the east."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)]
    """Gravitational constant times mass [m^3/s^2], for orbital elements only. The gravity field has its own
    constant."""
    angle: Annotated[Any, si("rad")] = 0.0
    """Angle from inertial x to the meridian of zero longitude at time zero [rad], positive east. If bodies
    start from a saved flight, the angle is read from the saved flight and a value of 0 counts as omitted."""


class FlatGround(Declaration):
    """Flat ground without rotation. This environment has altitude, north, east and down, but no latitude or
    longitude."""

    kind: Literal["flat"] = "flat"
    """Flat ground without rotation."""
    up: Annotated[Any, si("1", (3,))] = (0.0, 0.0, 1.0)
    """Vertical direction, inertial axes. Only the direction of the vector is used."""
    north: Annotated[Any, si("1", (3,))] = (0.0, 1.0, 0.0)
    """North direction, inertial axes. The vertical component of the direction is removed, and the result is
    normalized."""
    ground: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Reference point of the ground [m], inertial axes, for distances north and east."""

    @model_validator(mode="after")
    def _not_parallel(self) -> FlatGround:
        if isinstance(self.up, np.ndarray) and isinstance(self.north, np.ndarray):
            if (np.sum(self.up**2, 0) == 0).any():
                raise Refused(("up", "the vector is zero. Give a direction like [0, 0, 1]"))
            square = np.sum(np.cross(self.up, self.north, axis=0) ** 2, 0)
            if (square <= 1e-12 * np.sum(self.up**2, 0) * np.sum(self.north**2, 0)).any():
                raise Refused(("north", "the vector is zero or parallel to up. Give another direction"))
        return self


World = Annotated[Earth | Planet | FlatGround, OneOf(short=True)]
Ellipsoid = Earth | Planet


def is_flat(planet: Any) -> bool:
    """Return whether the ground is flat. Flat ground has no latitude, longitude or rotation."""
    return isinstance(planet, FlatGround)
