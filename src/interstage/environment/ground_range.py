"""Distances over the ground: great circles of a sphere, geodesics of the ellipsoid, downrange and crossrange.

A location is a pair (geodetic latitude, longitude) [rad]; altitude is ignored. A ground vector is (north,
east) [m]. The length of a ground vector is the distance along the curve. The direction of the vector is the
initial direction of the curve.
"""

from __future__ import annotations

from typing import Any, Literal

from ..maths.arrays import jnp, lax
from ..maths.vectors import dot, norm
from .geodesy import axes_at, curvature_radii, shape

Curve = Literal["geodesic", "great_circle"]
ITERATIONS = 20
"""Number of iterations for the longitude on the auxiliary sphere.

Each iteration reduces the error by a factor of about 1/flattening (300 for the Earth). Within a few degrees
of the antipode of the start, the reduction is smaller.
"""
NEAR = 1e-8
"""Arc [rad] below which the ground is treated as flat, because the effect of its curvature is below
rounding error.
"""


def mean_radius(planet: Any) -> Any:
    """Return the mean of the three semi-axes of a planet [m] (R_1 of H. Moritz, Geodetic Reference System
    1980).
    """
    radius, flattening = shape(planet)
    return radius * (1 - flattening / 3)


def great_circle(planet: Any, start: Any, place: Any) -> Any:
    """Return the ground vector [m] (2, ...) from `start` to `place` along the great circle of a sphere of the
    mean radius.

    Geodetic latitudes are used as latitudes on the sphere.
    """
    axes = axes_at(start[0], start[1])
    up = -axes_at(place[0], place[1])[:, 2]
    north, east, down = dot(axes[:, 0], up), dot(axes[:, 1], up), dot(axes[:, 2], up)
    sine = norm(jnp.stack([north, east]))
    return mean_radius(planet) * _over_sine(jnp.arctan2(sine, -down), sine) * jnp.stack([north, east])


def geodesic(planet: Any, start: Any, place: Any) -> Any:
    """Return the ground vector [m] (2, ...) from `start` to `place` along the shortest line on the ellipsoid.

    Source: T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid with application of nested
    equations, Survey Review 23 (1975), eqs 13-19. A and B are in Helmert's parameter: his letter in Survey
    Review 23, p. 294 replaces eqs 3 and 4. Error: 0.1 mm for the Earth. For locations within about half a
    degree of the antipode of the start, there is no result: see `opposite`.
    """
    radius, flattening = shape(planet)
    u1, u2 = _reduced_latitude(flattening, start[0]), _reduced_latitude(flattening, place[0])
    east_by = jnp.asarray(place[1]) - jnp.asarray(start[1])

    def closer(_, longitude):
        return east_by + _twist(flattening, _arc(u1, u2, longitude))

    begin = east_by + 0.0 * (u1[0] + u2[0])
    arc = _arc(u1, u2, lax.fori_loop(0, ITERATIONS, closer, begin))
    sine, cosine, _, cos2_azimuth, middle, towards = arc
    third = jnp.sqrt(1 + cos2_azimuth * flattening * (2 - flattening) / (1 - flattening) ** 2)
    k = (third - 1) / (third + 1)
    a, b = (1 + k * k / 4) / (1 - k), k * (1 - 3 * k * k / 8)
    least = 2 * middle**2 - 1
    bend = b * (middle + b / 4 * (cosine * least - b / 6 * middle * (4 * sine**2 - 3) * (4 * middle**2 - 3)))
    scale = radius * (1 - flattening) * a * (_over_sine(jnp.arctan2(sine, cosine), sine) - bend)
    near = sine < NEAR  # where the azimuth, and with it the scale, loses its derivative
    return jnp.where(near, _nearby(planet, start, place, east_by), scale * jnp.stack(towards))


def _nearby(planet, start, place, east_by):
    """Ground vector of a near location, for flat ground."""
    middle = (jnp.asarray(start[0]) + jnp.asarray(place[0])) / 2
    meridian, prime = curvature_radii(planet, middle)
    north = meridian * (jnp.asarray(place[0]) - jnp.asarray(start[0]))
    return jnp.stack(jnp.broadcast_arrays(north, prime * jnp.cos(middle) * jnp.sin(east_by)))


def opposite(start: Any, place: Any, within: float = 0.02) -> Any:
    """Return whether the location `place` is within an angle [rad] of the antipode of `start`. `geodesic` is
    not reliable there.
    """
    up = [axes_at(*at)[:, 2] for at in (start, place)]
    return -dot(*up) > jnp.cos(within)


def downrange_crossrange(planet: Any, start: Any, azimuth: Any, place: Any, curve: Curve = "geodesic") -> Any:
    """Return downrange and crossrange [m] (2, ...) of the location `place` relative to a reference great
    circle.

    The circle leaves the location `start` at an azimuth [rad]. Downrange is along the circle. Crossrange is
    perpendicular to the reference great circle, positive to the right.

    With curve = "geodesic", distance s and azimuth refer to the ellipsoid. The spherical triangle is then
    solved on a sphere of the mean radius R, which is the usual method. With the angle d between azimuth and
    circle, crossrange is R asin(sin(s/R) sin d), and downrange is R atan2(sin(s/R) cos d, cos(s/R)).
    """
    ground = (geodesic if curve == "geodesic" else great_circle)(planet, start, place)
    radius = mean_radius(planet)
    angle = norm(ground) / radius
    sine = jnp.sinc(angle / jnp.pi) / radius
    s, c = jnp.sin(azimuth), jnp.cos(azimuth)
    along, right = sine * (ground[0] * c + ground[1] * s), sine * (ground[1] * c - ground[0] * s)
    return radius * jnp.stack([jnp.arctan2(along, jnp.cos(angle)), jnp.arcsin(jnp.clip(right, -1.0, 1.0))])


def flat_downrange(azimuth: Any, ground: Any) -> Any:
    """Return downrange and crossrange [m] (2, ...) of a ground vector (2, ...) [m] over flat ground.

    Downrange is along an azimuth [rad]. Crossrange is perpendicular to the shortest line, positive to the
    right.
    """
    north, east = ground
    s, c = jnp.sin(azimuth), jnp.cos(azimuth)
    return jnp.stack([north * c + east * s, east * c - north * s])


def _over_sine(angle, sine):
    """angle/sin(angle), 1 at zero."""
    near = jnp.abs(sine) > 1e-8
    return jnp.where(near & (sine != 0), angle / jnp.where(near, sine, 1.0), 1.0)


def _reduced_latitude(flattening, latitude):
    """Sine and cosine of the reduced latitude."""
    s, c = (1 - flattening) * jnp.sin(latitude), jnp.cos(latitude)
    length = jnp.sqrt(s * s + c * c)
    return s / length, c / length


def _arc(u1, u2, longitude):
    """Values on the auxiliary sphere.

    Sine and cosine of the arc; sine and squared cosine of the azimuth at the equator; cosine of twice the arc
    to the middle; sin(arc) times (cosine, sine) of the first azimuth."""
    (s1, c1), (s2, c2) = u1, u2
    north, east = c1 * s2 - s1 * c2 * jnp.cos(longitude), c2 * jnp.sin(longitude)
    sine, cosine = norm(jnp.stack([north, east])), s1 * s2 + c1 * c2 * jnp.cos(longitude)
    sin_azimuth = c1 * east / jnp.where(sine > 0, sine, 1.0)
    cos2 = jnp.maximum(1 - sin_azimuth**2, 0.0)
    equator = cos2 < 1e-14
    middle = cosine - jnp.where(equator, 0.0, 2 * s1 * s2 / jnp.where(equator, 1.0, cos2))
    return sine, cosine, sin_azimuth, cos2, middle, (north, east)


def _twist(flattening, arc):
    """Longitude on the auxiliary sphere minus longitude on the ellipsoid (eqs 10, 11)."""
    sine, cosine, sin_azimuth, cos2, middle, _ = arc
    c = flattening / 16 * cos2 * (4 + flattening * (4 - 3 * cos2))
    bend = jnp.arctan2(sine, cosine) + c * sine * (middle + c * cosine * (2 * middle**2 - 1))
    return (1 - c) * flattening * sin_azimuth * bend
