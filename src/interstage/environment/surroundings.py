"""Environment at points in flight: location above the planet, atmosphere, wind and relative velocities.

The results follow from inertial positions and velocities (3, ..., *cases) and the time (*cases), without
reference to bodies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths import interpolation
from ..maths.arrays import jnp
from ..maths.vectors import norm, rotate
from . import atmosphere, geodesy, wind
from .atmosphere import Air
from .planet import relative_velocity, to_fixed
from .world import is_flat


class Ready(NamedTuple):
    """Planet, prepared atmosphere and prepared wind of a flight."""

    planet: Any
    atmosphere: atmosphere.Ready
    wind: wind.Ready


def prepare(planet: Any, air: Any, winds: Any, wind_table: Any = None) -> Ready | None:
    """Return planet, atmosphere and wind with prepared tables, for use in the whole flight; None without a
    planet.

    `air`, `winds`: declarations of atmosphere and wind. `wind_table`: result of `wind.table_of`, if already
    computed.
    """
    if planet is None:
        return None
    return Ready(planet, atmosphere.prepare(air), wind.prepare(winds, wind_table))


class Surroundings(NamedTuple):
    """Environment at points in flight. Arrays are (component, ..., *cases), scalars (..., *cases).

    - altitude [m]; latitude, longitude [rad], geodetic, None above flat ground
    - level (3, 3, ...): matrix whose columns are north, east and down in inertial components
    - ground_velocity [m/s]: velocity of the point relative to the planet, inertial axes
    - wind [m/s]: velocity of the atmosphere relative to the planet, inertial axes
    - air_velocity [m/s]: velocity of the point relative to the atmosphere, inertial axes
    - air: state of the atmosphere
    """

    altitude: Any
    latitude: Any
    longitude: Any
    level: Any
    ground_velocity: Any
    wind: Any
    air_velocity: Any
    air: Air

    @property
    def airspeed(self) -> Any:
        """Speed relative to the atmosphere [m/s]."""
        return norm(self.air_velocity)

    @property
    def mach(self) -> Any:
        """Mach number."""
        return self.airspeed / self.air.speed_of_sound

    @property
    def dynamic_pressure(self) -> Any:
        """Dynamic pressure [Pa]."""
        return 0.5 * self.air.density * jnp.sum(self.air_velocity**2, 0)


def around(ready: Ready, time: Any, position: Any, velocity: Any) -> Surroundings:
    """Return the environment at points with inertial positions [m] and inertial velocities [m/s] (3, ...,
    *cases) at a time [s].
    """
    planet = ready.planet
    if is_flat(planet):
        altitude, latitude, longitude = geodesy.altitude(planet, time, position), None, None
        level = geodesy.north_east_down(planet, time, position)
    else:
        # Latitude and altitude do not depend on the planet's rotation; without it they cost half as much.
        turned = geodesy.geodetic(planet, to_fixed(planet, time, position))
        place = geodesy.geodetic(planet, position)._replace(longitude=turned.longitude)
        latitude, longitude, altitude = place
        level = geodesy.axes_over(planet, time, place)
    over_ground = relative_velocity(planet, position, velocity)
    if wind.is_still(ready.wind):
        # The local axes are not computed for it: their sines and cosines cost as much as the atmosphere.
        blowing = jnp.zeros_like(over_ground)
    else:
        north, east, up = wind.velocity(ready.wind, altitude, time)
        blowing = rotate(level, jnp.stack([north, east, -up]))
    air = atmosphere.air(ready.atmosphere, altitude)
    return Surroundings(
        altitude, latitude, longitude, level, over_ground, blowing, over_ground - blowing, air
    )


def level_rate(planet: Any, found: Surroundings, position: Any, k: int) -> Any:
    """Return the angular velocity [rad/s] (3, *cases) of the north-east-down axes at the point with index k,
    inertial axes.

    `found`: environment at all points. `position` (3, *cases) [m]: inertial position of this point. See
    `geodesy.level_rate`.
    """
    if found.latitude is None:
        return jnp.zeros_like(position)
    place = found.latitude[k], found.altitude[k]
    return geodesy.rate_over(planet, position, found.ground_velocity[:, k], found.level[:, :, k], *place)


def features(ready: Ready, altitude: Any) -> list[interpolation.Interval]:
    """Return, for each table of atmosphere and wind, the interval between table points that contains the
    altitude.

    `altitude` [m] (..., *cases). See `interpolation.interval`.
    """
    found = *atmosphere.points(ready.atmosphere.model), *wind.points(ready.wind.model)
    return [interpolation.interval(points, altitude) for points in found]


def layers(ready: Ready, altitude: Any) -> list[Any]:
    """Return the positions of altitudes [m] (..., *cases) among the kinks of atmosphere and wind, one array
    for each list of kinks.

    A position is a fractional index: k at kink k, and linear between two kinks. See `interpolation.place`.
    """
    found = *atmosphere.kinks(ready.atmosphere.model), *wind.kinks(ready.wind.model)
    return [interpolation.place(kinks, altitude) for kinks in found]
