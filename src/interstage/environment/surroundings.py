"""Surroundings of points in flight: location over the planet, atmosphere, wind and relative velocity.

They follow from inertial positions and velocities (3, ..., *cases) and the time (*cases), without reference
to bodies.
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
    """The planet, with prepared atmosphere and wind."""

    planet: Any
    atmosphere: atmosphere.Ready
    wind: wind.Ready


def prepare(planet: Any, air: Any, winds: Any, wind_table: Any = None) -> Ready | None:
    """The prepared tables, computed once for a flight; None without a planet. wind_table: as for
    `wind.prepare`."""
    if planet is None:
        return None
    return Ready(planet, atmosphere.prepare(air), wind.prepare(winds, wind_table))


class Surroundings(NamedTuple):
    """Surroundings of points, (component, ..., *cases).

    - altitude [m]; latitude, longitude [rad], geodetic, None over flat ground
    - level (3, 3, ...): north, east and down in inertial components
    - ground_velocity [m/s]: velocity relative to the planet, inertial axes
    - wind [m/s]: velocity of the atmosphere relative to the planet, inertial axes
    - air_velocity [m/s]: velocity relative to the atmosphere, inertial axes
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
    """Surroundings of points with inertial positions [m] and inertial velocities [m/s]."""
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
    """Angular velocity [rad/s] (3, *cases) of the axes north, east and down at point k of the surroundings.
    position: inertial position of the point [m] (3, *cases); see `geodesy.level_rate`."""
    if found.latitude is None:
        return jnp.zeros_like(position)
    place = found.latitude[k], found.altitude[k]
    return geodesy.rate_over(planet, position, found.ground_velocity[:, k], found.level[:, :, k], *place)


def features(ready: Ready, altitude: Any) -> list[interpolation.Interval]:
    """Intervals of altitudes [m] (..., *cases) between the table points of atmosphere and wind."""
    found = *atmosphere.points(ready.atmosphere.model), *wind.points(ready.wind.model)
    return [interpolation.interval(points, altitude) for points in found]


def layers(ready: Ready, altitude: Any) -> list[Any]:
    """Intervals of altitudes [m] (..., *cases) between the kinks of atmosphere and wind; see
    `interpolation.place`."""
    found = *atmosphere.kinks(ready.atmosphere.model), *wind.kinks(ready.wind.model)
    return [interpolation.place(kinks, altitude) for kinks in found]
