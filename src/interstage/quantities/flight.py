"""Quantities of one body over a planet: position, motion, attitude and atmosphere.

All quantities refer to the centre of mass. Angles are defined in `environment.flight_path`. In
`environment.flight_path`, body axes are x forward, y to the right, and z down.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..engine.here import Here
from ..engine.quantity import XYZ, Items, Quantity, scalar_quantity
from ..engine.stacks import stack_items
from ..environment import flight_path, geodesy, ground_range, planet
from ..environment.atmosphere import NoAtmosphere
from ..environment.world import is_flat
from ..maths.arrays import jnp
from ..maths.vectors import dot, norm, rotate_back
from ..model.attachments import select
from ..record.record import QuantityMeta
from .bodies import position, velocity

TURN = 2 * np.pi
NED = ("north", "east", "down")
YAW_PITCH_ROLL = ("yaw", "pitch", "roll")


def flight_quantities(k: int, scenario: Any) -> dict[str, Quantity]:
    """Return the quantities of body k over the planet of a scenario, by name; empty without a planet."""
    if scenario.planet is None:
        return {}
    of = partial(Items, numbers=(k,))
    found = _place(of) | _path(of) | _stance(of)
    found |= _over_flat_ground(of) if is_flat(scenario.planet) else _over_ellipsoid(of)
    return found if isinstance(scenario.atmosphere, NoAtmosphere) else found | _air(of)


def site_quantities(k: int, scenario: Any) -> dict[str, Quantity]:
    """Return the ground distance of body k to each site of a scenario, by name of the quantity."""
    sites = () if scenario.planet is None else scenario.sites
    return {
        site.name: _length(f"ground distance to {site.name}", Items(_range, (k, s)))
        for s, site in enumerate(sites)
    }


def _vector(unit, name, frame, components, compute, period=np.inf) -> Quantity:
    return Quantity(QuantityMeta(unit, name, frame, components, "centre of mass"), compute, period)


def _scalar(unit, name, compute) -> Quantity:
    return scalar_quantity(unit, name, compute, "centre of mass")


def _angle(name, compute, period=TURN) -> Quantity:
    return Quantity(QuantityMeta("rad", name, reference="centre of mass"), compute, period)


def _length(name, compute) -> Quantity:
    return scalar_quantity("m", name, compute, "centre of mass")


# --- list of quantities


def _place(of) -> dict[str, Quantity]:
    return {
        "altitude": _length("altitude", of(_altitude)),
        "downrange": _length("ground distance along the initial course", of(_downrange)),
        "crossrange": _length("ground distance right of the initial course", of(_crossrange)),
        "ground_range": _length("ground distance from the start", of(_ground_range)),
    }


def _over_ellipsoid(of) -> dict[str, Quantity]:
    return {
        "latitude": _angle("geodetic latitude", of(_latitude), np.inf),
        "longitude": _angle("longitude", of(_longitude)),
        "geocentric_latitude": _angle("geocentric latitude", of(_geocentric_latitude), np.inf),
        "planet_fixed_position": _vector(
            "m", "planet-fixed position", "planet-fixed", XYZ, of(_planet_fixed)
        ),
        "lvlh_angles": _vector(
            "rad", "attitude relative to LVLH", "3-2-1 from LVLH", YAW_PITCH_ROLL, of(_lvlh_angles), TURN
        ),
    }


def _over_flat_ground(of) -> dict[str, Quantity]:
    return {
        "north": _length("distance north of the origin", of(_north)),
        "east": _length("distance east of the origin", of(_east)),
    }


def _path(of) -> dict[str, Quantity]:
    speed = partial(_scalar, "m/s")
    return {
        "ground_velocity": _vector("m/s", "velocity over the ground", "level", NED, of(_ground_velocity)),
        "ground_speed": speed("speed over the ground", of(_ground_speed)),
        "altitude_rate": speed("altitude rate", of(_altitude_rate)),
        "flight_path_angle": _angle("flight-path angle", of(_path_angle), np.inf),
        "azimuth": _angle("azimuth of the ground velocity", of(_azimuth)),
        "inertial_flight_path_angle": _angle("inertial flight-path angle", of(_inertial_path_angle), np.inf),
        "inertial_azimuth": _angle("azimuth of the inertial velocity", of(_inertial_azimuth)),
        "wind": _vector("m/s", "wind velocity", "level", NED, of(_wind)),
        "airspeed": speed("airspeed", of(_airspeed)),
    }


def _stance(of) -> dict[str, Quantity]:
    return {
        "level_angles": _vector(
            "rad",
            "attitude relative to local level",
            "3-2-1 from level",
            YAW_PITCH_ROLL,
            of(_level_angles),
            TURN,
        ),
        "alpha": _angle("angle of attack", of(_alpha)),
        "beta": _angle("sideslip angle", of(_beta), np.inf),
        "total_alpha": _angle("total angle of attack", of(_total_alpha), np.inf),
        "bank": _angle("bank angle about the velocity", of(_bank)),
    }


def _air(of) -> dict[str, Quantity]:
    return {
        "mach": _scalar("1", "Mach number", of(_mach)),
        "dynamic_pressure": _scalar("Pa", "dynamic pressure", of(_dynamic_pressure)),
        "q_alpha": _scalar("Pa rad", "dynamic pressure times total angle of attack", of(_q_alpha)),
        "heat_rate_indicator": _scalar("W/m^2", "dynamic pressure times airspeed", of(_heat_rate)),
        "air_temperature": _scalar("K", "atmospheric temperature", of(_temperature)),
        "air_pressure": _scalar("Pa", "atmospheric pressure", of(_pressure)),
        "air_density": _scalar("kg/m^3", "atmospheric density", of(_density)),
        "speed_of_sound": _scalar("m/s", "speed of sound", of(_speed_of_sound)),
    }


# --- place


def _around(m: Here) -> Any:
    """Atmosphere at all bodies."""
    return m.surroundings


def _altitude(m: Here, k):
    return select(_around(m).altitude, k, 0)


def _latitude(m: Here, k):
    return select(_around(m).latitude, k, 0)


def _longitude(m: Here, k):
    return select(_around(m).longitude, k, 0)


def _planet_fixed(m: Here, k):
    return planet.to_fixed(m.equations.scenario.planet, m.t, position(m, k))


def _geocentric_latitude(m: Here, k):
    return geodesy.geocentric_latitude(position(m, k))


def _north(m: Here, k):
    return planet.flat_coordinates(m.equations.scenario.planet, position(m, k))[0]


def _east(m: Here, k):
    return planet.flat_coordinates(m.equations.scenario.planet, position(m, k))[1]


def _from_start(m: Here, k):
    """Downrange and crossrange [m] (2, body, *cases) from the start of the flight."""
    world, reference = m.equations.scenario.planet, m.equations.reference
    start, azimuth = select(reference.start_place, k, 1), select(reference.start_azimuth, k, 0)
    if is_flat(world):
        return ground_range.flat_downrange(azimuth, _over_flat(m, k))
    place = _latitude(m, k), _longitude(m, k)
    return ground_range.downrange_crossrange(world, start, azimuth, place)


def _over_flat(m: Here, k):
    """Distances to the north and east of the start [m] (2, body, *cases)."""
    here = planet.flat_coordinates(m.equations.scenario.planet, position(m, k))[:2]
    return here - select(m.equations.reference.start_place, k, 1)


def _downrange(m: Here, k):
    return _from_start(m, k)[0]


def _crossrange(m: Here, k):
    return _from_start(m, k)[1]


def _ground_range(m: Here, k):
    world = m.equations.scenario.planet
    if is_flat(world):
        return norm(_over_flat(m, k))
    start = select(m.equations.reference.start_place, k, 1)
    return norm(ground_range.geodesic(world, start, (_latitude(m, k), _longitude(m, k))))


def _range(m: Here, k, s):
    """Distance to the sites s: along the geodesic of the ellipsoid, or straight over flat ground."""
    world, lanes = m.equations.scenario.planet, m.t.ndim
    sites = [m.equations.scenario.sites[n] for n in s]
    if is_flat(world):
        here = planet.flat_coordinates(world, position(m, k))[:2]
        return norm(here - stack_items([jnp.stack([site.north, site.east]) for site in sites], lanes, (2,)))
    latitude, longitude = (
        stack_items([getattr(site, name) for site in sites], lanes) for name in ("latitude", "longitude")
    )
    return norm(ground_range.geodesic(world, (_latitude(m, k), _longitude(m, k)), (latitude, longitude)))


# --- motion


def _level(m: Here, k):
    return select(_around(m).level, k, 2)


def _over_ground(m: Here, k):
    return select(_around(m).ground_velocity, k, 1)


def _ground_velocity(m: Here, k):
    return rotate_back(_level(m, k), _over_ground(m, k))


def _ground_speed(m: Here, k):
    return norm(_over_ground(m, k))


def _altitude_rate(m: Here, k):
    return -dot(_level(m, k)[:, 2], _over_ground(m, k))


def _path_angle(m: Here, k):
    return flight_path.flight_path(_level(m, k), _over_ground(m, k)).angle


def _azimuth(m: Here, k):
    return flight_path.flight_path(_level(m, k), _over_ground(m, k)).azimuth


def _inertial_path_angle(m: Here, k):
    return flight_path.flight_path(_level(m, k), velocity(m, k)).angle


def _inertial_azimuth(m: Here, k):
    return flight_path.flight_path(_level(m, k), velocity(m, k)).azimuth


def _wind(m: Here, k):
    return rotate_back(_level(m, k), select(_around(m).wind, k, 1))


# --- attitude


def _quaternion(m: Here, k):
    return select(m.motion.quaternion, k, 1)


def _through_air(m: Here, k):
    return select(_around(m).air_velocity, k, 1)


def _level_angles(m: Here, k):
    return flight_path.angles_in(_level(m, k), "3-2-1", _quaternion(m, k))


def _lvlh_angles(m: Here, k):
    axes = flight_path.lvlh(position(m, k), velocity(m, k))
    return flight_path.angles_in(axes, "3-2-1", _quaternion(m, k))


def _alpha(m: Here, k):
    return flight_path.incidence(_quaternion(m, k), _through_air(m, k))[0]


def _beta(m: Here, k):
    return flight_path.incidence(_quaternion(m, k), _through_air(m, k))[1]


def _total_alpha(m: Here, k):
    return flight_path.total_incidence(_quaternion(m, k), _through_air(m, k))[0]


def _bank(m: Here, k):
    return flight_path.incidence_and_bank(_level(m, k), _through_air(m, k), _quaternion(m, k)).bank


# --- air


def _airspeed(m: Here, k):
    return norm(_through_air(m, k))


def _mach(m: Here, k):
    return _airspeed(m, k) / _speed_of_sound(m, k)


def _dynamic_pressure(m: Here, k):
    air = _through_air(m, k)
    return 0.5 * _density(m, k) * dot(air, air)


def _q_alpha(m: Here, k):
    """Dynamic pressure times total angle of attack [Pa rad]. It is proportional to the bending moment of a
    rocket in the wind."""
    return _dynamic_pressure(m, k) * _total_alpha(m, k)


def _heat_rate(m: Here, k):
    """Dynamic pressure times airspeed [W/m^2]. Trajectory programs often use it as an indicator of heating
    for bodies of the same shape."""
    return _dynamic_pressure(m, k) * _airspeed(m, k)


def _temperature(m: Here, k):
    return select(_around(m).air.temperature, k, 0)


def _pressure(m: Here, k):
    return select(_around(m).air.pressure, k, 0)


def _density(m: Here, k):
    return select(_around(m).air.density, k, 0)


def _speed_of_sound(m: Here, k):
    return select(_around(m).air.speed_of_sound, k, 0)
