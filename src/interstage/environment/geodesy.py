"""Latitude, longitude and altitude above an ellipsoid, and local axes.

Positions are planet-fixed [m] (3, ...), if not stated otherwise. A `shape` is a pair (equatorial radius [m],
flattening). Longitude is from -pi to pi. On the polar axis longitude is 0, and north and east are the
directions at the meridian of longitude 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import custom_jvp, jnp, jvp, lax
from ..maths.vectors import cube, dot, norm, rotate
from . import planet as worlds

EVOLUTE = 1.05
"""Safety factor on the radius of the evolute of the meridian ellipse.

At a position inside the evolute, normals of several points of the ellipsoid intersect, so that the latitude
is not unique.
"""

EASY_SQUARE, EASY_RADIUS = 0.012, 0.8
"""Limits within which two iteration steps give the latitude to rounding error.

The limits are the maximum square of the eccentricity, and the minimum distance from the centre in equatorial
radii. The square of the eccentricity of Mars is 0.0117. The error is at most 6e-8 rad after the first step.
The second step leaves at most 1.5 times the square of this error.
"""


class Geodetic(NamedTuple):
    """Geodetic latitude [rad], longitude [rad] and altitude above the ellipsoid [m] of a point."""

    latitude: Any
    longitude: Any
    altitude: Any


def shape(planet: Any) -> tuple[Any, Any]:
    """Return the equatorial radius [m] and the flattening of a planet.

    Raises TypeError for flat ground, which has no ellipsoid.
    """
    if worlds.is_flat(planet):
        raise TypeError("flat ground has no latitude and longitude. Declare the planet as Earth or Planet")
    return planet.radius, planet.flattening


def position_of(planet: Any, latitude: Any, longitude: Any, altitude: Any) -> Any:
    """Return the planet-fixed position [m] (3, ...) of a point with geodetic latitude [rad], longitude [rad]
    and altitude [m].
    """
    radius, z = _meridian(*shape(planet), latitude, altitude)
    longitude = jnp.asarray(longitude)
    x, y = radius * jnp.cos(longitude), radius * jnp.sin(longitude)
    return jnp.stack(jnp.broadcast_arrays(x, y, z))


def geodetic(planet: Any, position: Any) -> Geodetic:
    """Return the geodetic coordinates of a planet-fixed position [m] (3, ...). The latitude is exact to
    rounding error.

    Near the ellipsoid, two steps of B. R. Bowring suffice: Transformation from spatial to geographical
    coordinates, Survey Review 23 (1976), 323-327, from the reduced latitude of the surface. Elsewhere: H.
    Vermeille, An analytical method to transform geocentric into geodetic coordinates, J. Geodesy 85 (2011),
    105-117, in the order of evaluation of C. F. F. Karney (arXiv:1102.1215, appendix B). The altitude is
    projected on the normal, so that an error of the latitude does not affect it. Derivatives follow from the
    geometry (the normal, M + h and N + h), not from the formula. See `outside` for positions without a unique
    result.
    """
    radius, flattening = shape(planet)
    latitude, altitude = _foot(radius, flattening, *_off_axis(position), position[2])
    return Geodetic(latitude, worlds.safe_angle(position[1], position[0]), altitude)


def altitude(planet: Any, time: Any, position: Any) -> Any:
    """Return the altitude [m] of an inertial position [m] (3, ...) above the ellipsoid or above flat ground
    at a time [s].
    """
    del time  # an ellipsoid of revolution looks the same at all times
    if worlds.is_flat(planet):
        return worlds.flat_coordinates(planet, position)[2]
    return _foot(*shape(planet), *_off_axis(position), position[2])[1]


def outside(planet: Any, position: Any) -> Any:
    """Return whether a position [m] (3, ...) is so near to the centre that its geodetic latitude is not
    unique.

    The latitude is not unique in the region inside the evolute, within 43 km of the centre for the Earth.
    At such positions, derivatives of the latitude do not exist. They are limited to finite values. For flat
    ground, the result is false.
    """
    if worlds.is_flat(planet):
        return jnp.zeros(position.shape[1:], bool)
    radius, flattening = shape(planet)
    return norm(position) < EVOLUTE * radius * flattening * (2 - flattening) / (1 - flattening)


def geocentric_latitude(position: Any) -> Any:
    """Return the geocentric latitude [rad]: the angle at the planet's centre between a position [m] (3, ...)
    and the equator.
    """
    return worlds.safe_angle(position[2], norm(position[:2]))


def curvature_radii(planet: Any, latitude: Any) -> tuple[Any, Any]:
    """Return two radii of curvature [m] at a geodetic latitude [rad]. M is the radius along the meridian, and
    N is the radius perpendicular to the meridian.
    """
    radius, flattening = shape(planet)
    return _radii(radius, flattening, jnp.sin(latitude))


def _radii(radius, flattening, sine):
    ratio = (1 - flattening) ** 2
    root = jnp.sqrt(1 - (1 - ratio) * sine**2)
    return radius * ratio / root**3, radius / root


# --- local axes --------------------------------------------------------------------------------------------


def north_east_down(planet: Any, time: Any, position: Any, geocentric: bool = False) -> Any:
    """Return the north-east-down axes at an inertial position [m] (3, ...) at a time [s].

    The result is a matrix (3, 3, ...) whose columns are north, east and down in inertial components. Thus
    inertial components = matrix x local components. Down is the inner normal of the ellipsoid. If
    `geocentric`, down is the direction to the planet's centre.
    """
    if worlds.is_flat(planet):
        return worlds.flat_axes(planet, position)
    fixed = worlds.to_fixed(planet, time, position)
    place = geodetic(planet, fixed)
    latitude = geocentric_latitude(fixed) if geocentric else place.latitude
    return axes_at(latitude, place.longitude + worlds.turn(planet, time))


def axes_at(latitude: Any, longitude: Any) -> Any:
    """Return the north-east-down axes (3, 3, ...) at a latitude and longitude [rad].

    The columns of the matrix are north, east and down. The columns have components in the axes from which the
    longitude is measured.
    """
    sf, cf = jnp.sin(latitude), jnp.cos(latitude)
    sl, cl = jnp.sin(longitude), jnp.cos(longitude)
    nought = jnp.zeros_like(sf * sl)
    north = jnp.stack([-sf * cl, -sf * sl, cf + nought])
    east = jnp.stack([-sl + nought, cl + nought, nought])
    down = jnp.stack([-cf * cl, -cf * sl, -sf + nought])
    return jnp.stack([north, east, down], 1)


def axes_over(planet: Any, time: Any, place: Geodetic) -> Any:
    """Return the north-east-down axes (3, 3, ...) at a latitude and longitude of the rotating planet at a
    time [s].

    The columns of the matrix are north, east and down in inertial components.
    """
    return axes_at(place.latitude, place.longitude + worlds.turn(planet, time))


def level_rate(planet: Any, time: Any, position: Any, velocity: Any) -> Any:
    """Return the angular velocity [rad/s] (3, ...) of the geodetic north-east-down axes that move with a
    point, inertial axes.

    The angular velocity is relative to inertial space: the planet's rotation plus the transport rate.
    Position [m] and velocity [m/s] are inertial. Near the polar axis the result is singular, because the
    direction of east rotates fast there.
    """
    if worlds.is_flat(planet):
        return jnp.zeros_like(position)
    place = geodetic(planet, worlds.to_fixed(planet, time, position))
    axes, relative = axes_over(planet, time, place), worlds.relative_velocity(planet, position, velocity)
    return rate_over(planet, position, relative, axes, place.latitude, place.altitude)


def rate_over(planet: Any, position: Any, relative: Any, axes: Any, latitude: Any, altitude: Any) -> Any:
    """Return the result of `level_rate` from local axes (3, 3, ...) and coordinates that are already known.

    `relative` (3, ...) [m/s]: velocity relative to the planet, inertial axes. `latitude` [rad] and `altitude`
    [m] are geodetic.
    """
    north, east = jnp.sum(axes[:, :2] * relative[:, None], 0)
    meridian, _ = curvature_radii(planet, latitude)
    distance = norm(position[:2])
    about_pole = jnp.where(distance > 0, east / jnp.where(distance > 0, distance, 1.0), 0.0)
    about_east = -north / (meridian + altitude)
    pole = worlds.along_z(position) * (about_pole + planet.rotation_rate)
    return pole + axes[:, 1] * about_east


def state_at(
    planet: Any, time: Any, place: Geodetic, velocity: Any, relative: bool = True
) -> tuple[Any, Any]:
    """Return the inertial position [m] and velocity [m/s] (3, ...) of a point with given geodetic
    coordinates.

    `velocity` (3, ...) [m/s]: components along local north, east and down. If `relative`, this velocity is
    relative to the rotating planet; otherwise it is inertial.
    """
    position = worlds.from_fixed(planet, time, position_of(planet, *place))
    axes = axes_over(planet, time, place)
    moving = rotate(axes, velocity)
    return position, worlds.inertial_velocity(planet, position, moving) if relative else moving


# --- from Cartesian to geodetic -----------------------------------------------------------------------------


def _meridian(radius, flattening, latitude, altitude):
    """Distance from the axis and from the equator [m] of a point given in geodetic coordinates."""
    s, c = jnp.sin(latitude), jnp.cos(latitude)
    ratio = (1 - flattening) ** 2
    prime = radius / jnp.sqrt(1 - (1 - ratio) * s**2)
    return (prime + altitude) * c, (ratio * prime + altitude) * s


def _off_axis(position):
    """Distance from the axis [m], and its square. The square is computed first, the distance as its root."""
    return norm(position[:2]), dot(position[:2], position[:2])


@custom_jvp
def _foot(radius, flattening, p, pp, z):
    """Latitude [rad] and altitude [m] of a point at the distance `p` from the axis, with the square `pp`, and
    the distance `z` from the equator [m]."""
    square = flattening * (2 - flattening)
    s, c = _direction(square, p / radius, pp / (radius * radius), z / radius)
    # Along the normal; with both roots at once and one division, since what follows waits for it.
    whole = s * s + c * c
    height = (p * c + z * s - radius * jnp.sqrt(whole - square * (s * s))) / jnp.sqrt(whole)
    return jnp.arctan2(s, c), height


def _direction(square, p, pp, z):
    """Two lengths in the ratio of sine and cosine of the latitude; lengths are in equatorial radii."""
    around = pp + z * z
    sphere = (square == 0) & (around > 0)
    shape = jnp.broadcast_shapes(*map(jnp.shape, (square, p, z)))

    def along():
        return jnp.broadcast_to(z, shape), jnp.broadcast_to(p, shape)

    return lax.cond(jnp.all(sphere), along, lambda: _towards(square, p, pp, z, around))


def _towards(square, p, pp, z, around):
    """Two lengths in the ratio of sine and cosine of the latitude, for an ellipsoid."""
    easy = (jnp.abs(square) <= EASY_SQUARE) & (around >= EASY_RADIUS**2)
    near = _in_two_steps(square, p, pp, z)

    def elsewhere():
        return tuple(jnp.where(easy, a, b) for a, b in zip(near, _closed_form(square, p, z), strict=True))

    return lax.cond(jnp.all(easy), lambda: near, elsewhere)


def _in_two_steps(square, p, pp, z):
    """Newton's steps for the tangent of the reduced latitude, as a ratio of two lengths (Bowring 1976)."""
    ratio = jnp.sqrt(1 - square)  # of the axes
    up, s, c = ratio * z, z, ratio * p
    ss, cc = z * z, (1 - square) * pp
    for _ in range(2):
        size = cube(ss + cc)
        s, c = up * size + square * s * ss, p * size - square * c * cc
        ss, cc = s * s, c * c
    return s, ratio * c


def _closed_form(square, p, z):
    """The sine and the cosine of the latitude in closed form (Vermeille 2011; Karney 2011)."""
    fourth = square * square
    pp, q = p * p, (1 - square) * z * z
    r = (pp + q - fourth) / 6
    disc_at = (square * p) ** 2 * q / 4  # S
    cube = r * r * r
    disc = disc_at * (2 * cube + disc_at)
    within = (q * square == 0) & (r <= 0) & (square > 0)  # on the equator, inside the evolute
    t3 = disc_at + cube
    # Only near the centre is there another than the real root.
    u = jnp.where(disc >= 0, _real_root(disc, t3, r), _cosine_root(disc, t3, r))
    v = jnp.sqrt(u * u + fourth * q)
    uv = jnp.where(u < 0, fourth * q / jnp.where(v - u > 0, v - u, 1.0), u + v)
    v, uv = jnp.where(within | (v == 0), 1.0, v), jnp.where(within | (uv == 0), 1.0, uv)
    w = jnp.maximum(0.0, square * (uv - q) / (2 * v))
    k = uv / (jnp.sqrt(uv + w * w) + w)
    d = k * p / (k + square)
    inner = jnp.sqrt(jnp.maximum(fourth - pp, 0.0) / (1 - square))
    south = jnp.where(z < 0, -1.0, 1.0)
    s, c = jnp.where(within, inner * south, z), jnp.where(within, p, d)
    length = jnp.sqrt(s * s + c * c)
    centre = length == 0
    length = jnp.where(centre, 1.0, length)
    return jnp.where(centre, south, s / length), jnp.where(centre, 0.0, c / length)


def _real_root(disc, t3, r):
    t3 = t3 + jnp.where(t3 < 0, -1.0, 1.0) * jnp.sqrt(jnp.maximum(disc, 0.0))
    t = jnp.cbrt(t3)
    return r + t + jnp.where(t != 0, r * r / jnp.where(t != 0, t, 1.0), 0.0)


def _cosine_root(disc, t3, r):
    angle = jnp.arctan2(jnp.sqrt(jnp.maximum(-disc, 0.0)), -t3)
    return r + 2 * r * jnp.cos(angle / 3)


@_foot.defjvp
def _foot_slopes(primals, tangents):
    """Derivatives of latitude and altitude: the point moves by its tangent, and the ellipsoid changes below
    it by the tangents of its shape."""
    radius, flattening, *_ = primals
    latitude, altitude = _foot(*primals)
    _, beneath = jvp(lambda a, f: _meridian(a, f, latitude, altitude), primals[:2], tangents[:2])
    dp, dz = tangents[2] - beneath[0], tangents[4] - beneath[1]
    s, c = jnp.sin(latitude), jnp.cos(latitude)
    meridian = _radii(radius, flattening, s)[0] + altitude
    least = 1e-6 * radius
    meridian = jnp.where(meridian > least, meridian, least)
    return (latitude, altitude), ((dz * c - dp * s) / meridian, dp * c + dz * s)
