"""Where a site is from a body, and the course that leads there, or around it.

The course to a circle about the site is that of a vector field: at a distance d it is turned away from the
direction to the site by pi/2 - atan((d - radius)/radius), which aims far away beside the site by the radius
and goes along the circle on it. D. R. Nelson, D. B. Barber, T. W. McLain and R. W. Beard, Vector field path
following for miniature air vehicles, IEEE Transactions on Robotics 23 (2007); changed: distances are in
radii. On the circle d - radius falls as exp(-V t / radius).

With the lift L at a bank b, m V cos(gamma) w = L sin(b) turns the course at the rate w, and L cos(b) = m (g -
V^2/r) cos(gamma) keeps the flight-path angle: tan(b) = V w / (g - V^2/r)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...environment import geodesy, ground_range, planet
from ...environment.planet import relative_velocity, safe_angle
from ...environment.us76 import G0
from ...environment.world import is_flat
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.vectors import dot, norm, rotate_back

if TYPE_CHECKING:
    from .stance import View

LEAST_WEIGHT = 0.05 * G0
"""Weight [m/s^2] below which a bank is that for this weight: near orbital speed no bank holds the height."""
AT_SITE = 1.0
"""Distance [m] from the site below which the direction to it turns no faster than at this one."""


class Sight(NamedTuple):
    """A site seen from a body (*cases): distance over the ground [m]; azimuth of the direction to it [rad],
    and its rate [rad/s]; speed over the ground, level [m/s]; azimuth of the course over the ground [rad];
    range rate [m/s]."""

    distance: Any
    azimuth: Any
    turning: Any
    speed: Any
    course: Any
    closing: Any


def sight(site: Any, view: View) -> Sight:
    """A site as the body of a law sees it. Rates are relative to the great circle under the body."""
    north, east, cotangent = _direction(site, view)
    distance, azimuth = north[1], safe_angle(east, north[0])
    level = rotate_back(view.level, view.ground_velocity)
    speed = norm(level[:2])
    course = safe_angle(level[1], level[0])
    off = course - azimuth
    return Sight(distance, azimuth, -speed * jnp.sin(off) * cotangent, speed, course, -speed * jnp.cos(off))


def _direction(site: Any, view: View) -> tuple[tuple[Any, Any], Any, Any]:
    """(component to the north of the direction to a site, distance), component to the east, and by how much
    the direction turns for each metre across it [1/m]."""
    if is_flat(view.planet):
        here = planet.flat_coordinates(view.planet, view.position)
        north, east = site.north - here[0], site.east - here[1]
        distance = norm(jnp.stack([north, east]))
        return (north, distance), east, 1 / jnp.maximum(distance, AT_SITE)
    fixed = geodesy.position_of(view.planet, site.latitude, site.longitude, 0.0)
    there = planet.from_fixed(view.planet, view.time, _beside(fixed, view.time))
    north, east, down = rotate_back(view.level, there - view.position)
    radius = ground_range.mean_radius(view.planet)
    across = norm(jnp.stack([north, east]))
    # The angle between the two verticals, by a sphere that touches the ground under the body.
    angle = jnp.arctan2(across, radius + view.altitude - down)
    distance = radius * angle
    return (north, distance), east, jnp.cos(angle) / (radius * jnp.maximum(jnp.sin(angle), AT_SITE / radius))


def _beside(vector: Any, time: Any) -> Any:
    """A vector (3,) or (3, cases) beside a time (*cases)."""
    vector = jnp.asarray(vector)
    return jnp.broadcast_to(
        vector.reshape(*vector.shape, *(1,) * (1 + jnp.ndim(time) - vector.ndim)), (3, *time.shape)
    )


def wrapped(angle: Any) -> Any:
    """An angle the shortest way, within half a turn."""
    return angle - 2 * jnp.pi * jnp.round(angle / (2 * jnp.pi))


def field(seen: Sight, radius: Any, left: bool) -> tuple[Any, Any]:
    """The course [rad] to a circle about a site and along it, and its rate [rad/s] on that course field.

    left: whether the circle is flown in turns to the left."""
    side = 1.0 if left else -1.0
    x = (seen.distance - radius) / radius
    course = seen.azimuth + side * jnp.arctan2(1.0, x)
    return course, seen.turning - side * seen.closing / (radius * (1 + x * x))


def turn_rate(seen: Sight, wanted: Any, moving: Any, time_constant: Any) -> Any:
    """The rate [rad/s] at which the course is to turn so that it comes to the one wanted with a time
    constant."""
    return moving + wrapped(wanted - seen.course) / time_constant


def weight(view: View, least: Any = LEAST_WEIGHT) -> Any:
    """What lift must take up in steady flight [m/s^2] (*cases), at least `least`: -h'' of a free fall that is
    level, -up . (g - w x (v + u)) - u^2/r with the velocity v, and u = v - w x r relative to the ground."""
    up = -view.level[:, 2]
    pull = relative_velocity(view.planet, view.velocity + view.ground_velocity, view.gravity)
    along = 0.0
    if not is_flat(view.planet):
        along = dot(view.ground_velocity, view.ground_velocity) / (
            ground_range.mean_radius(view.planet) + view.altitude
        )
    return jnp.maximum(-dot(pull, up) - along, least)


def bank(view: View, rate: Any, limit: Any) -> Any:
    """The bank [rad], to the right, that turns the course at a rate [rad/s] in steady flight, within a
    limit."""
    wanted = jnp.arctan2(norm(view.ground_velocity) * rate, weight(view))
    return interpolation.clamped(wanted, -limit, limit)
