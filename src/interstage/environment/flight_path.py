"""Flight directions and attitudes relative to local axes: north-east-down, LVLH, wind and stability axes.

Local axes are matrices (3, 3, ...) whose columns are the local axes in inertial components: inertial
components = matrix x local components. A velocity is (3, ...) [m/s]. It may be inertial, relative to the
rotating planet, or relative to the atmosphere. Attitudes are quaternions, scalar first, body to inertial.
Body axes: x forward, y to the right, z down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import jnp
from ..maths.rotations import conjugate, matrix_of, multiply, of_sequence, quaternion_of_matrix
from ..maths.vectors import cross, dot, norm, rotate, rotate_back
from .planet import along_z, safe_angle


class FlightPath(NamedTuple):
    """Speed [m/s]; flight-path angle [rad] above the local level, -pi/2 to pi/2; azimuth [rad], clockwise
    from north, 0 to 2 pi."""

    speed: Any
    angle: Any
    azimuth: Any


def flight_path(north_east_down: Any, velocity: Any) -> FlightPath:
    """Speed, flight-path angle and azimuth of a velocity over local axes. At zero speed both angles are zero;
    in vertical flight the azimuth is zero."""
    north, east, down = rotate_back(north_east_down, velocity)
    level = norm(jnp.stack([north, east]))
    azimuth = safe_angle(east, north)
    return FlightPath(
        norm(velocity), safe_angle(-down, level), jnp.where(azimuth < 0, azimuth + 2 * jnp.pi, azimuth)
    )


def velocity_along(north_east_down: Any, path: FlightPath) -> Any:
    """The velocity [m/s] (3, ...), inertial components, from speed, flight-path angle and azimuth."""
    level = path.speed * jnp.cos(path.angle)
    local = jnp.broadcast_arrays(
        level * jnp.cos(path.azimuth), level * jnp.sin(path.azimuth), -path.speed * jnp.sin(path.angle)
    )
    return rotate(north_east_down, jnp.stack(local))


# --- LVLH --------------------------------------------------------------------------------------------------


def lvlh(position: Any, velocity: Any) -> Any:
    """Local vertical, local horizontal axes (3, 3, ...) of an inertial position [m] from the planet's centre
    and velocity [m/s]: z to the centre, y against the orbital angular momentum, x completes the axes
    (forward). Vertical flight has no orbital plane. Forward is then east, and on the polar axis inertial
    y."""
    radial = position / _or_one(norm(position))
    across = cross(position, velocity)
    size = norm(across)
    scale = norm(position) * norm(velocity)
    planar = size > 1e-14 * scale
    pole = along_z(position)
    beside = pole - dot(pole, radial) * radial
    level = norm(beside) > 1e-14
    axis = jnp.stack([-jnp.ones_like(size), jnp.zeros_like(size), jnp.zeros_like(size)])
    beside = jnp.where(level, beside / _or_one(norm(beside)), axis)
    normal = jnp.where(planar, across / jnp.where(planar, size, 1.0), beside)
    return jnp.stack([cross(normal, radial), -normal, -radial], 1)


def lvlh_rate(position: Any, velocity: Any) -> Any:
    """Angular velocity [rad/s] (3, ...) of the LVLH axes in free fall about a spherical planet, inertial
    axes: r x v / r^2."""
    return cross(position, velocity) / dot(position, position)


# --- attitude relative to local axes -----------------------------------------------------------------------


def attitude_in(axes: Any, sequence: str, angles: Any) -> Any:
    """Quaternion (4, ...) of a body rotated from local axes (3, 3, ...) by body-fixed rotations with angles
    (3, ...) [rad]. Examples: "3-2-1" with (yaw, pitch, roll), or over north-east-down with (heading, pitch,
    bank)."""
    return multiply(quaternion_of_matrix(axes), of_sequence(sequence, angles))


def angles_in(axes: Any, sequence: str, attitude: Any) -> Any:
    """Angles (3, ...) [rad] of an attitude over local axes (3, 3, ...), in the order of a sequence of three
    different axes. If the second angle is 90 deg, the third angle is zero and the first angle has the whole
    rotation."""
    return angles_of(sequence, matrix_of(multiply(conjugate(quaternion_of_matrix(axes)), attitude)))


def angles_of(sequence: str, matrix: Any) -> Any:
    """Body-fixed angles (3, ...) [rad] of a rotation matrix, in the order of a sequence of three different
    axes."""
    i, j, k = (int(digit) - 1 for digit in sequence.replace("-", ""))
    if {i, j, k} != {0, 1, 2}:
        raise ValueError(f"'{sequence}' does not rotate about three axes. Give a sequence like 3-2-1")
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = matrix
    level = norm(jnp.stack([m[i, i], m[i, j]]))
    locked = level < 1e-12
    first = jnp.where(locked, sign * m[k, j], -sign * m[j, k]), jnp.where(locked, m[j, j], m[k, k])
    third = jnp.where(locked, 0.0, -sign * m[i, j]), jnp.where(locked, 1.0, m[i, i])
    return jnp.stack([safe_angle(*first), safe_angle(sign * m[i, k], level), safe_angle(*third)])


# --- wind --------------------------------------------------------------------------------------------------


class Incidence(NamedTuple):
    """Angle of attack, sideslip and bank about the velocity [rad]."""

    alpha: Any
    beta: Any
    bank: Any


def incidence(attitude: Any, velocity: Any) -> tuple[Any, Any]:
    """Angle of attack, -pi to pi, and sideslip, -pi/2 to pi/2 [rad]. They follow from the attitude and the
    velocity relative to the atmosphere [m/s] (3, ...), inertial components: alpha = atan2(w, u), sin beta =
    v/V (ISO 1151-1). At zero speed both are zero."""
    u, v, w = rotate_back(matrix_of(attitude), velocity)
    return safe_angle(w, u), safe_angle(v, norm(jnp.stack([u, w])))


def total_incidence(attitude: Any, velocity: Any) -> tuple[Any, Any]:
    """Total angle of attack [rad], 0 to pi, between body x and the velocity relative to the atmosphere, and
    aerodynamic roll angle atan2(v, w) [rad]."""
    u, v, w = rotate_back(matrix_of(attitude), velocity)
    return safe_angle(norm(jnp.stack([v, w])), u), safe_angle(v, w)


def wind_to_body(alpha: Any, beta: Any) -> Any:
    """Quaternion (4, ...) of the rotation from wind axes (x along the velocity, z in the plane of symmetry)
    to body axes: -beta about z, then alpha about y. With beta = 0 it is the rotation from stability axes."""
    return of_sequence("3-2", jnp.stack(jnp.broadcast_arrays(-jnp.asarray(beta), jnp.asarray(alpha))))


def attitude_to_wind(north_east_down: Any, velocity: Any, at: Incidence) -> Any:
    """Quaternion (4, ...) of a body with the given angle of attack, sideslip and bank over the velocity.

    Bank is the rotation of the wind axes about the velocity, to the right. At zero bank, z lies in the
    vertical plane of the velocity.
    """
    path = flight_path(north_east_down, velocity)
    wind = jnp.stack(jnp.broadcast_arrays(path.azimuth, path.angle, at.bank))
    return multiply(attitude_in(north_east_down, "3-2-1", wind), wind_to_body(at.alpha, at.beta))


def incidence_and_bank(north_east_down: Any, velocity: Any, attitude: Any) -> Incidence:
    """Angle of attack, sideslip and bank [rad] of an attitude: the inverse of `attitude_to_wind`. In vertical
    flight bank is measured from north, because the azimuth is zero."""
    alpha, beta = incidence(attitude, velocity)
    wind = multiply(attitude, conjugate(wind_to_body(alpha, beta)))
    path = flight_path(north_east_down, velocity)
    level = jnp.stack([path.azimuth, path.angle, jnp.zeros_like(path.angle)])
    over = matrix_of(multiply(conjugate(attitude_in(north_east_down, "3-2-1", level)), wind))
    return Incidence(alpha, beta, safe_angle(over[2, 1], over[1, 1]))


def _or_one(size):
    return jnp.where(size > 0, size, 1.0)
