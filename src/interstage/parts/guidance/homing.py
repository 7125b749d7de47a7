"""Direction from a body to a site, and the course to a circle around the site.

The course to the circle follows a vector field. At the distance d, the course is rotated from the direction
to the site by pi/2 - atan((d - radius)/radius). Far from the site, the path is offset from the site by the
radius. On the circle it is tangential. Near the circle, d - radius decays as exp(-V t / radius).

At a bank b with the lift L, the course turns at the rate w: m V cos(gamma) w = L sin(b). The flight-path
angle is constant if L cos(b) = m (g - V^2/r) cos(gamma). Therefore tan(b) = V w / (g - V^2/r).

Source: D. R. Nelson, D. B. Barber, T. W. McLain and R. W. Beard, Vector field path following for miniature
air vehicles, IEEE Transactions on Robotics 23 (2007). Here distances are in radii."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...environment import geodesy, ground_range, planet
from ...environment.planet import relative_velocity, safe_angle
from ...environment.us76 import G0
from ...environment.world import is_flat
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.rotations import wrap_angle
from ...maths.vectors import dot, norm, rotate_back

if TYPE_CHECKING:
    from .stance import View

LEAST_WEIGHT = 0.05 * G0
"""Minimum weight per mass [m/s^2] in the equation of the bank. Near orbital speed, no bank gives level
flight."""
AT_SITE = 1.0
"""Distance from the site [m] below which the direction to the site changes no faster than at this
distance."""


class Sight(NamedTuple):
    """Direction and distance of a site from a body (*cases).

    - Ground distance [m].
    - Azimuth of the direction to the site [rad], and its rate [rad/s].
    - Horizontal ground speed [m/s].
    - Azimuth of the ground course [rad].
    - Range rate [m/s]."""

    distance: Any
    azimuth: Any
    turning: Any
    speed: Any
    course: Any
    closing: Any


def sight(site: Any, view: View) -> Sight:
    """Return the direction and distance of a site from the body of a law. Rates are relative to the great
    circle under the body."""
    north, east, cotangent = _direction(site, view)
    distance, azimuth = north[1], safe_angle(east, north[0])
    level = rotate_back(view.level, view.ground_velocity)
    speed = norm(level[:2])
    course = safe_angle(level[1], level[0])
    off = course - azimuth
    return Sight(distance, azimuth, -speed * jnp.sin(off) * cotangent, speed, course, -speed * jnp.cos(off))


def _direction(site: Any, view: View) -> tuple[tuple[Any, Any], Any, Any]:
    """((north component of the direction to a site, distance), east component, change of the direction per
    metre of transverse motion [1/m])."""
    if is_flat(view.planet):
        here = planet.flat_coordinates(view.planet, view.position)
        north, east = site.north - here[0], site.east - here[1]
        distance = norm(jnp.stack([north, east]))
        return (north, distance), east, 1 / jnp.maximum(distance, AT_SITE)
    fixed = geodesy.position_of(view.planet, site.latitude, site.longitude, 0.0)
    there = planet.from_fixed(view.planet, view.time, _match_axes(fixed, view.time))
    north, east, down = rotate_back(view.level, there - view.position)
    radius = ground_range.mean_radius(view.planet)
    across = norm(jnp.stack([north, east]))
    # The angle between the two verticals, on a sphere tangential to the ground under the body.
    angle = jnp.arctan2(across, radius + view.altitude - down)
    distance = radius * angle
    return (north, distance), east, jnp.cos(angle) / (radius * jnp.maximum(jnp.sin(angle), AT_SITE / radius))


def _match_axes(vector: Any, time: Any) -> Any:
    """A vector (3,) or (3, cases) with the axes of a time (*cases)."""
    vector = jnp.asarray(vector)
    return jnp.broadcast_to(
        vector.reshape(*vector.shape, *(1,) * (1 + jnp.ndim(time) - vector.ndim)), (3, *time.shape)
    )


def field(seen: Sight, radius: Any, left: bool) -> tuple[Any, Any]:
    """Return the course [rad] to a circle about a site and along the circle, and its rate [rad/s] along the
    vector field.

    left: True for turns to the left."""
    side = 1.0 if left else -1.0
    x = (seen.distance - radius) / radius
    course = seen.azimuth + side * jnp.arctan2(1.0, x)
    return course, seen.turning - side * seen.closing / (radius * (1 + x * x))


def turn_rate(seen: Sight, wanted: Any, moving: Any, time_constant: Any) -> Any:
    """Return the commanded rate of the course [rad/s], with which the course error decays with a time
    constant."""
    return moving + wrap_angle(wanted - seen.course) / time_constant


def weight(view: View, least: Any = LEAST_WEIGHT) -> Any:
    """Return the acceleration that the lift must balance in steady flight [m/s^2] (*cases); at least `least`.

    The acceleration is -h'' of level free fall: -up . (g - w x (v + u)) - u^2/r. v is the velocity, and u = v
    - w x r is the velocity relative to the ground."""
    up = -view.level[:, 2]
    pull = relative_velocity(view.planet, view.velocity + view.ground_velocity, view.gravity)
    along = 0.0
    if not is_flat(view.planet):
        along = dot(view.ground_velocity, view.ground_velocity) / (
            ground_range.mean_radius(view.planet) + view.altitude
        )
    return jnp.maximum(-dot(pull, up) - along, least)


def bank(view: View, rate: Any, limit: Any) -> Any:
    """Return the bank to the right [rad] for a rate of the course [rad/s] in steady flight, within a
    limit."""
    wanted = jnp.arctan2(norm(view.ground_velocity) * rate, weight(view))
    return interpolation.clamp(wanted, -limit, limit)
