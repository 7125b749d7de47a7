"""Convert initial states over the ground, in orbits and in local axes to inertial axes.

The conversion is part of the compiled program. Each value of these declarations can therefore be dispersed
and differentiated.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.stacks import quaternions, stacked_attitudes
from ..environment import flight_path, geodesy, orbit, planet, surroundings, wind
from ..environment.world import is_flat
from ..maths import rotations
from ..maths.arrays import jnp, lax
from ..maths.vectors import add_axes, cross, rotate
from ..model.initial import OrbitStart, OverGround

GEOCENTRIC_STEPS = 30
"""Number of iterations from geocentric to geodetic latitude.

Each iteration reduces the error at least by the factor f^2, where f is the flattening. For the Earth, the
error after one iteration is 1e-6. After 30 iterations, the error is at the level of rounding up to f = 0.5.
"""


class BodyMotion(NamedTuple):
    """Motion of one body during the placement of the bodies.

    The values are: position [m] and velocity [m/s] of the centre of mass relative to the base, inertial axes;
    quaternion from body to inertial axes; angular velocity [rad/s], inertial axes.
    """

    position: Any
    velocity: Any
    quaternion: Any
    spin: Any


class Point(NamedTuple):
    """Time and motion of a point: time [s], inertial position [m] and inertial velocity [m/s], each (3,
    *cases).
    """

    time: Any
    position: Any
    velocity: Any


def spread(vector, lanes: tuple[int, ...]):
    """Return a vector with case axes. The argument may have case axes or not. `lanes`: shape of the case
    axes.
    """
    vector = jnp.asarray(vector, float)
    return jnp.broadcast_to(add_axes(vector, 1 + len(lanes)), (len(vector), *lanes))


def place_body(mechanism, k: int, lanes: tuple[int, ...], t) -> BodyMotion:
    """Return the declared initial state of body k relative to the inertial origin, (component, *cases).

    `lanes`: shape of the case axes. t: start time [s].
    """
    body = mechanism.scenario.bodies[k]
    initial, world = body.initial, mechanism.scenario.planet
    at = _point(mechanism, initial, lanes, t)
    quaternion = _attitude(mechanism, initial, at, lanes)
    matrix = rotations.matrix_of(quaternion)
    spin = spread(initial.angular_velocity, lanes)
    if initial.angular_velocity_axes == "body":
        spin = rotate(matrix, spin)
    spin = spin + rate_of(world, initial.angular_velocity_relative_to, at)
    position, velocity = at.position, at.velocity
    if initial.of == "origin":
        centre = spread(mechanism.numbers.centre[:, k], lanes)
        arm = rotate(matrix, centre - spread(body.origin, lanes))
        position, velocity = position + arm, velocity + cross(spin, arm)
    return BodyMotion(position, velocity, quaternion, spin)


def _point(mechanism, initial, lanes, t) -> Point:
    """The point to which the position and velocity of a start refer."""
    world = mechanism.scenario.planet
    if isinstance(initial, OverGround):
        return _over_ground(mechanism.numbers.surroundings, world, initial, lanes, t)
    if isinstance(initial, OrbitStart):
        found = orbit.state(world.mu, _elements(world, initial))
    else:
        found = initial.position, initial.velocity
    return Point(t, *(spread(vector, lanes) for vector in found))


# --- over the ground ------------------------------------------------------------------------------------


def _over_ground(ready: surroundings.Ready, world, initial: OverGround, lanes, t) -> Point:
    if is_flat(world):
        level = geodesy.north_east_down(world, t, jnp.zeros((3, *lanes)))
        place = [0.0 if p is None else p for p in (initial.north, initial.east)]
        place = jnp.stack(jnp.broadcast_arrays(*place, -jnp.asarray(initial.altitude)))
        position = spread(world.ground, lanes) + rotate(level, spread(place, lanes))
    else:
        latitude = initial.latitude
        if initial.latitude_kind == "geocentric":
            latitude = geodetic_latitude(world, latitude, initial.altitude)
        place = geodesy.Geodetic(latitude, initial.longitude, initial.altitude)
        position = spread(geodesy.position_of(world, *place), lanes)
        position = planet.from_fixed(world, t, position)
        level = geodesy.axes_over(world, t, geodesy.Geodetic(*(spread_one(p, lanes) for p in place)))
    moving = _moving(initial, level, lanes)
    if initial.velocity_relative_to == "air":
        north, east, up = wind.velocity(ready.wind, spread_one(initial.altitude, lanes), t)
        moving = moving + rotate(level, jnp.stack([north, east, -up]))
    if initial.velocity_relative_to != "inertial":
        moving = planet.inertial_velocity(world, position, moving)
    return Point(t, position, moving)


def spread_one(value, lanes: tuple[int, ...]):
    """Return a scalar with case axes. The argument may have case axes or not. `lanes`: shape of the case
    axes.
    """
    return jnp.broadcast_to(jnp.asarray(value, float), lanes)


def _moving(initial: OverGround, level, lanes):
    """The velocity relative to its declared reference, in inertial axes."""
    if initial.velocity_ned is not None:
        return rotate(level, spread(initial.velocity_ned, lanes))
    given = initial.speed, initial.flight_path_angle, initial.azimuth
    path = flight_path.FlightPath(*(spread_one(0.0 if g is None else g, lanes) for g in given))
    return flight_path.velocity_along(level, path)


def geodetic_latitude(world, latitude, altitude):
    """Return the geodetic latitude [rad] of a point from its geocentric latitude [rad] and its altitude over
    the ellipsoid [m].

    The equation tan(geocentric)/tan(geodetic) = (N (1 - e^2) + h)/(N + h) is solved iteratively. For h = 0,
    the equation is solved directly.
    """
    radius, flattening = geodesy.shape(world)
    ratio = (1 - flattening) ** 2
    latitude, altitude = jnp.broadcast_arrays(latitude, jnp.asarray(altitude, float))
    s, c = jnp.sin(latitude), jnp.cos(latitude)

    def step(_, found):
        prime = radius / jnp.sqrt(1 - (1 - ratio) * jnp.sin(found) ** 2)
        return jnp.arctan2(s * (prime + altitude), c * (ratio * prime + altitude))

    return lax.fori_loop(0, GEOCENTRIC_STEPS, step, latitude + 0.0 * radius * ratio)


# --- orbits ---------------------------------------------------------------------------------------------


def _elements(world, initial: OrbitStart) -> orbit.Elements:
    e = jnp.asarray(0.0 if initial.eccentricity is None else initial.eccentricity)
    latus = initial.semi_latus_rectum
    if initial.semi_major_axis is not None:
        latus = initial.semi_major_axis * (1 - e) * (1 + e)
    if initial.perigee_altitude is not None:
        radii = world.radius + initial.perigee_altitude, world.radius + initial.apogee_altitude
        latus, e, *_ = orbit.from_radii(*radii, 0.0, 0.0, 0.0, 0.0)
    anomaly = 0.0 if initial.true_anomaly is None else initial.true_anomaly
    if initial.mean_anomaly is not None:
        anomaly = orbit.true_anomaly(e, jnp.asarray(initial.mean_anomaly, float))
    angles = initial.inclination, initial.node, initial.argument_of_periapsis
    return orbit.Elements(latus, e, *angles, anomaly)


# --- attitude and rate ----------------------------------------------------------------------------------


def _attitude(mechanism, initial, at: Point, lanes):
    world = mechanism.scenario.planet
    if initial.incidence is not None:
        around = surroundings.around(mechanism.numbers.surroundings, *at)
        given = initial.incidence.alpha, initial.incidence.beta, initial.incidence.bank
        angles = flight_path.Incidence(*(spread_one(g, lanes) for g in given))
        return flight_path.attitude_to_wind(around.level, around.air_velocity, angles)
    declared = [initial.attitude]
    own = quaternions(declared, stacked_attitudes(declared, len(lanes)), len(lanes))[:, 0]
    own = spread(own, lanes)
    if initial.attitude_axes == "inertial":
        return own
    axes = axes_of(world, initial.attitude_axes, at)
    return rotations.multiply(rotations.quaternion_of_matrix(axes), own)


def axes_of(world, name: str, at: Point):
    """Return the unit vectors of "planet", "level" or "lvlh" axes at a point, in inertial components.

    The vectors are the columns of a matrix (3, 3, *cases). world: planet. name: name of the axes. at: point.
    """
    if name == "planet":
        eye = jnp.broadcast_to(add_axes(jnp.eye(3), 1 + at.position.ndim), (3, *at.position.shape))
        return jnp.stack([planet.from_fixed(world, at.time, eye[:, i]) for i in range(3)], 1)
    if name == "level":
        return geodesy.north_east_down(world, at.time, at.position)
    return flight_path.lvlh(at.position, at.velocity)


def rate_of(world, name: str, at: Point):
    """Return the angular velocity [rad/s] of the axes of `axes_of`, in inertial components (3, *cases).

    For "inertial" axes, it is zero.

    world: planet. name: name of the axes. at: point.
    """
    if name == "level":
        return geodesy.level_rate(world, *at)
    if name == "lvlh":
        return flight_path.lvlh_rate(at.position, at.velocity)
    if name == "planet" and not is_flat(world):
        return planet.along_z(at.position) * world.rotation_rate
    return jnp.zeros_like(at.position)
