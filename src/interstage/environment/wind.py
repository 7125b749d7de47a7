"""Wind: none, steady, sheared, or a profile by altitude, with optional discrete gusts.

The wind is the velocity of the atmosphere relative to the rotating planet, with components north, east and
up. A wind direction is the direction from which the wind blows, as in meteorology.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import model_validator

from ..maths.arrays import jnp
from ..maths.rotations import wrap_angle
from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si
from .columns import check_columns
from .gusts import AltitudeGust, Gusts, bounds, strength


class Gusty(Declaration):
    """Base class of wind models. All wind models can have gusts."""

    gusts: Gusts = ()
    """Discrete gusts, added to the wind."""


class NoWind(Gusty):
    """No wind relative to the ground, except for gusts."""

    kind: Literal["none"] = "none"
    """No wind."""


class SteadyWind(Gusty):
    """A steady wind, the same at every altitude."""

    kind: Literal["steady"] = "steady"
    """Wind with the same velocity at every altitude."""
    velocity: Annotated[Any, si("m/s", (3,))]
    """Velocity of the atmosphere [m/s], components north, east and up."""


class ShearedWind(Gusty):
    """A wind that varies linearly between two altitudes: velocity + shear (altitude - bottom)."""

    kind: Literal["shear"] = "shear"
    """A wind that varies linearly with altitude."""
    velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Velocity of the atmosphere at the altitude `bottom` and below [m/s], components north, east and up."""
    shear: Annotated[Any, si("1/s", (3,))]
    """Change of the velocity with altitude [1/s], components north, east and up."""
    bottom: Annotated[Any, si("m")] = 0.0
    """Altitude at which the shear begins [m]."""
    top: Annotated[Any, si("m")]
    """Altitude at which the shear ends [m]. Above it the wind is constant."""

    @model_validator(mode="after")
    def _check(self) -> ShearedWind:
        concrete = isinstance(self.top, np.ndarray) and isinstance(self.bottom, np.ndarray)
        if concrete and not (self.top > self.bottom).all():
            raise Refused(("top", "'top' must be above 'bottom'. Give a higher altitude for 'top'"))
        return self


class WindTable(Gusty):
    """A wind profile by altitude, given as velocity, or as speed and direction."""

    kind: Literal["table"] = "table"
    """A profile by altitude."""
    altitude: Annotated[Any, si("m", ("n",))]
    """Geometric altitudes [m], increasing."""
    velocity: Annotated[Any, si("m/s", ("n", 3))] | None = None
    """Velocity of the atmosphere at each altitude [m/s], components north, east and up."""
    speed: Annotated[Any, si("m/s", ("n",), nonnegative=True)] | None = None
    """Speed of a horizontal wind at each altitude [m/s]."""
    direction: Annotated[Any, si("rad", ("n",))] | None = None
    """Direction from which the wind blows [rad], clockwise from north: 90 deg is an east wind. Between levels
    the direction changes by the smaller angle, for example from 359 deg through north to 1 deg. For a change
    of 180 deg give a level in between."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Interpolation of the components, or of speed and direction. "smooth": continuous second derivatives,
    and values between the two nearest levels. "cubic": cubic splines, which can overshoot the levels.
    "linear": straight lines."""
    outside: Literal["hold", "zero"] = "hold"
    """Wind outside the profile. "hold": the nearest value. "zero": no wind."""
    factor: Annotated[Any, si("1")] = 1.0
    """Factor on all speeds of the profile, for dispersions."""

    @model_validator(mode="after")
    def _check(self) -> WindTable:
        columns = {name: getattr(self, name) for name in ("velocity", "speed", "direction")}
        check_columns(self.altitude, columns)
        polar = self.speed is not None, self.direction is not None
        if polar != ((self.velocity is None),) * 2:
            raise Refused(
                (
                    "",
                    "the wind table needs either 'velocity', or 'speed' and 'direction'. Set "
                    "one of the two forms",
                )
            )
        return self

    def interpolation_columns(self) -> dict[str, Any]:
        """Return the columns that are interpolated, by name: velocity, or speed and unwrapped direction."""
        if self.velocity is not None:
            return {"velocity": self.velocity}
        return {"speed": self.speed, "direction": unwrap(self.direction)}


Wind = Annotated[NoWind | SteadyWind | ShearedWind | WindTable, OneOf(short=True)]


class Ready(NamedTuple):
    """Prepared wind: the declaration, and the interpolation knots of its table. The knots are None
    without a table.
    """

    model: Any
    table: Any


def prepare(model: Any, table: Any = None) -> Ready:
    """Return the wind with its table prepared for interpolation. The numeric fields can be JAX tracers and
    can have case axes.

    `table`: result of `table_of` for this wind, if already computed.
    """
    return Ready(model, table_of(model) if table is None else table)


def table_of(model: Any) -> Any:
    """Return the interpolation knots of a wind profile by altitude; None for other wind models."""
    if not isinstance(model, WindTable):
        return None
    from ..maths import interpolation

    values = model.velocity
    if values is None:
        values = jnp.stack([jnp.asarray(model.speed), unwrap(model.direction)], 1)
    return interpolation.knots(model.altitude, values, model.interpolation, components=1)


def unwrap(direction: Any) -> Any:
    """Return directions [rad] (n, *cases) unwrapped by full revolutions. The change between neighbouring
    levels is then at most pi.
    """
    direction = jnp.asarray(direction)
    change = wrap_angle(direction[1:] - direction[:-1])
    return jnp.concatenate([direction[:1], direction[:1] + jnp.cumsum(change, 0)])


def _towards(speed: Any, direction: Any) -> Any:
    """Velocities (3, ...) [m/s], components north, east and up, of horizontal winds from speed [m/s] and
    direction [rad]."""
    north, east = -speed * jnp.cos(direction), -speed * jnp.sin(direction)
    return jnp.stack([north, east, jnp.zeros_like(north)])


def is_still(ready: Ready) -> bool:
    """Return whether the declaration has neither wind nor gusts."""
    return isinstance(ready.model, NoWind) and not ready.model.gusts


def velocity(ready: Ready, altitude: Any, time: Any) -> Any:
    """Return the velocity of the atmosphere relative to the planet [m/s] (3, ..., *cases), components north,
    east and up.

    `altitude` [m]: geometric altitudes (..., *cases). `time` [s]: flight times of the same shape.
    """
    altitude, time = jnp.asarray(altitude, float), jnp.asarray(time, float)
    shape = jnp.broadcast_shapes(altitude.shape, time.shape)
    altitude, time = jnp.broadcast_to(altitude, shape), jnp.broadcast_to(time, shape)
    total = jnp.broadcast_to(_steady(ready, altitude), (3, *shape))
    for gust in ready.model.gusts:
        place = altitude if isinstance(gust, AltitudeGust) else time
        total = total + _like(gust.velocity, shape) * strength(gust, place)
    return total


def _steady(ready, altitude):
    """Wind without gusts, (3, ..., *cases)."""
    from ..maths import interpolation

    model = ready.model
    if isinstance(model, SteadyWind):
        return _like(model.velocity, altitude.shape)
    if isinstance(model, ShearedWind):
        rise = interpolation.clamp(altitude, model.bottom, model.top) - model.bottom
        return _like(model.velocity, altitude.shape) + _like(model.shear, altitude.shape) * rise
    if isinstance(model, WindTable):
        found = interpolation.look_up(ready.table, altitude, components=1)
        found = model.factor * (found if model.velocity is not None else _towards(*found))
        return found if model.outside == "hold" else jnp.where(outside(model, altitude), 0.0, found)
    return jnp.zeros((3, *altitude.shape))


def _like(vector, shape):
    """A vector (3, *cases), broadcast to points of a shape (..., *cases)."""
    vector = jnp.asarray(vector)
    return vector.reshape(vector.shape[:1] + (1,) * (len(shape) + 1 - vector.ndim) + vector.shape[1:])


def outside(model: Any, altitude: Any) -> Any:
    """Return whether altitudes [m] (..., *cases) are outside the profile of a wind. For wind models without a
    table, the result is false.
    """
    z = jnp.asarray(altitude, float)
    if not isinstance(model, WindTable):
        return jnp.zeros(z.shape, bool)
    table = jnp.asarray(model.altitude)
    return (z < table[0]) | (z > table[-1])


def kinks(model: Any) -> list[Any]:
    """Return the altitudes [m] at which the wind is not smooth.

    The slope of the wind jumps at kinks of the profile. At the edge of a gust, the slope or the second
    derivative jumps. Each array in the list is (n) or (n, *cases), increasing.
    """
    from ..maths import interpolation

    found: list[Any] = []
    if isinstance(model, ShearedWind):
        found.append(jnp.stack(jnp.broadcast_arrays(model.bottom, model.top)))
    if isinstance(model, WindTable):
        found.append(interpolation.kinks(model.altitude, model.interpolation == "linear"))
    gusts = [gust for gust in model.gusts if isinstance(gust, AltitudeGust)]
    return found + [jnp.stack(jnp.broadcast_arrays(*bounds(gust))) for gust in gusts]


def points(model: Any) -> list[Any]:
    """Return the altitudes [m] of the table points of the wind, and of the ends of shear and gusts.

    Each array in the list is (n) or (n, *cases), increasing.
    """
    found = [jnp.asarray(model.altitude)] if isinstance(model, WindTable) else []
    return found + kinks(model)[len(found) :]
