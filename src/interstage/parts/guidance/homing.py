"""Direction from a body to a site, and the course to a circle around the site.

The course to the circle follows a vector field. Let d be the distance to the site. The course is rotated from
the direction to the site by pi/2 - atan((d - radius)/radius). Far from the site, the path passes the site at
the distance of the radius. On the circle, the course is tangential. Near the circle, d - radius decays as
exp(-V t / radius).

With the bank b and the lift L, the course changes at the rate w: m V cos(gamma) w = L sin(b). If the
flight-path angle is constant, L cos(b) = m (g - V^2/r) cos(gamma). Therefore tan(b) = V w / (g - V^2/r).

Source: D. R. Nelson, D. B. Barber, T. W. McLain and R. W. Beard, Vector field path following for miniature
air vehicles, IEEE Transactions on Robotics 23 (2007). In this module, distances are divided by the radius.
"""

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
"""The minimum of g - V^2/r [m/s^2] in the equation of the bank. Near orbital speed, g - V^2/r vanishes, and
no bank gives level flight.
"""
AT_SITE = 1.0
"""The distance from the site [m] below which the rate of the direction to the site is limited to its value at
this distance.
"""


class Sight(NamedTuple):
    """Direction and distance from a body to a site, each (*cases).

    - distance: ground distance [m].
    - azimuth: azimuth of the direction to the site [rad].
    - `turning`: rate of the azimuth [rad/s].
    - speed: horizontal ground speed [m/s].
    - course: azimuth of the ground velocity [rad].
    - closing: range rate [m/s]; negative if the body approaches the site.
    """

    distance: Any
    azimuth: Any
    turning: Any
    speed: Any
    course: Any
    closing: Any


def sight(site: Any, view: View) -> Sight:
    """Return the direction and distance from the body of a law to a site. Rates are relative to the great
    circle under the body.

    - site: declaration of the site in the scenario.
    - view: inputs of the law.
    """
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
    """Return the course of the vector field [rad] and its rate along the field [rad/s], each (*cases). The
    course leads to a circle around the site, and then along the circle.

    - seen: direction and distance to the site.
    - radius: radius of the circle [m].
    - left: whether the body turns to the left on the circle.
    """
    side = 1.0 if left else -1.0
    x = (seen.distance - radius) / radius
    course = seen.azimuth + side * jnp.arctan2(1.0, x)
    return course, seen.turning - side * seen.closing / (radius * (1 + x * x))


def turn_rate(seen: Sight, wanted: Any, moving: Any, time_constant: Any) -> Any:
    """Return the commanded rate of the course [rad/s] (*cases). With this rate, the course error decays with
    the time constant [s].

    - seen: direction and distance to the site.
    - wanted, moving: commanded course [rad] and its rate [rad/s].
    """
    return moving + wrap_angle(wanted - seen.course) / time_constant


def weight(view: View, least: Any = LEAST_WEIGHT) -> Any:
    """Return the acceleration that the lift must balance in steady flight [m/s^2] (*cases).

    In level flight without lift, the altitude would have the acceleration h''. The result is -h'' = -up . (g
    - w x (v + u)) - u^2/r, where v is the inertial velocity and u = v - w x r the velocity relative to the
    ground.

    - view: inputs of the law.
    - least: lower limit of the result [m/s^2].
    """
    up = -view.level[:, 2]
    pull = relative_velocity(view.planet, view.velocity + view.ground_velocity, view.gravity)
    along = 0.0
    if not is_flat(view.planet):
        along = dot(view.ground_velocity, view.ground_velocity) / (
            ground_range.mean_radius(view.planet) + view.altitude
        )
    return jnp.maximum(-dot(pull, up) - along, least)


def bank(view: View, rate: Any, limit: Any) -> Any:
    """Return the bank angle to the right [rad] (*cases) for a course rate in steady flight.

    - view: inputs of the law.
    - rate: course rate [rad/s] (*cases).
    - limit: largest magnitude of the bank [rad].
    """
    wanted = jnp.arctan2(norm(view.ground_velocity) * rate, weight(view))
    return interpolation.clamp(wanted, -limit, limit)
