"""Flight directions and attitudes relative to local axes: north-east-down, LVLH, wind and stability axes.

Local axes are defined by a matrix (3, 3, ...). The columns of the matrix are the local axes in inertial
components, so that inertial components = matrix x local components. A velocity is (3, ...) [m/s]. The
velocity may be inertial, relative to the rotating planet, or relative to the atmosphere. Attitudes are
quaternions, scalar first, body to inertial. Body axes: x forward, y to the right, z down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import jnp
from ..maths.rotations import conjugate, matrix_of, multiply, of_sequence, quaternion_of_matrix
from ..maths.vectors import cross, dot, norm, rotate, rotate_back
from .planet import along_z, safe_angle


class FlightPath(NamedTuple):
    """Speed and direction of a velocity.

    - speed [m/s].
    - angle [rad]: flight-path angle above the local horizontal, -pi/2 to pi/2.
    - azimuth [rad]: clockwise from north, 0 to 2 pi.
    """

    speed: Any
    angle: Any
    azimuth: Any


def flight_path(north_east_down: Any, velocity: Any) -> FlightPath:
    """Return speed, flight-path angle and azimuth of a velocity (3, ...) [m/s], inertial components.

    `north_east_down`: local axes. At zero speed both angles are zero. In vertical flight the azimuth is zero.
    """
    north, east, down = rotate_back(north_east_down, velocity)
    level = norm(jnp.stack([north, east]))
    azimuth = safe_angle(east, north)
    return FlightPath(
        norm(velocity), safe_angle(-down, level), jnp.where(azimuth < 0, azimuth + 2 * jnp.pi, azimuth)
    )


def velocity_along(north_east_down: Any, path: FlightPath) -> Any:
    """Return the velocity [m/s] (3, ...), inertial components, from speed, flight-path angle and azimuth."""
    level = path.speed * jnp.cos(path.angle)
    local = jnp.broadcast_arrays(
        level * jnp.cos(path.azimuth), level * jnp.sin(path.azimuth), -path.speed * jnp.sin(path.angle)
    )
    return rotate(north_east_down, jnp.stack(local))


# --- LVLH --------------------------------------------------------------------------------------------------


def lvlh(position: Any, velocity: Any) -> Any:
    """Return the local-vertical local-horizontal axes (3, 3, ...) for an inertial position [m] and velocity
    [m/s].

    The position is relative to the planet's centre. The z axis points to the centre, the y axis is opposite
    to the orbital angular momentum, and the x axis completes the right-handed axes (forward). Vertical flight
    has no orbital plane. In vertical flight, x points east. On the polar axis, x points along inertial y.
    """
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
    """Return the angular velocity of the LVLH axes in free fall about a spherical planet [rad/s] (3, ...),
    inertial axes: r x v / r^2.
    """
    return cross(position, velocity) / dot(position, position)


# --- attitude relative to local axes -----------------------------------------------------------------------


def attitude_in(axes: Any, sequence: str, angles: Any) -> Any:
    """Return the quaternion (4, ...) of a body that is rotated from local axes (3, 3, ...) by body-fixed
    rotations.

    `angles` (3, ...) [rad]: rotation angles in the order of the sequence. Examples: sequence "3-2-1" with
    (yaw, pitch, roll), or relative to north-east-down with (heading, pitch, bank).
    """
    return multiply(quaternion_of_matrix(axes), of_sequence(sequence, angles))


def angles_in(axes: Any, sequence: str, attitude: Any) -> Any:
    """Return the rotation angles (3, ...) [rad] of an attitude relative to local axes (3, 3, ...).

    The angles are in the order of `sequence`, which must have three different axes. If the second angle is 90
    deg, the third angle is set to zero, and the first angle contains the whole rotation. Raises ValueError
    for another sequence.
    """
    return angles_of(sequence, matrix_of(multiply(conjugate(quaternion_of_matrix(axes)), attitude)))


def angles_of(sequence: str, matrix: Any) -> Any:
    """Return the body-fixed rotation angles (3, ...) [rad] of a rotation matrix (3, 3, ...).

    The angles are in the order of `sequence`, for example "3-2-1", which must have three different axes.
    Raises ValueError for another sequence.
    """
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
    """Angle of attack `alpha`, sideslip angle `beta`, and bank angle about the velocity [rad]."""

    alpha: Any
    beta: Any
    bank: Any


def incidence(attitude: Any, velocity: Any) -> tuple[Any, Any]:
    """Return the angle of attack, -pi to pi, and the sideslip angle, -pi/2 to pi/2 [rad].

    `velocity` (3, ...) [m/s]: velocity relative to the atmosphere, inertial components. With its body
    components u, v, w and the airspeed V: alpha = atan2(w, u), sin beta = v/V (ISO 1151-1). At zero speed
    both angles are zero.
    """
    u, v, w = rotate_back(matrix_of(attitude), velocity)
    return safe_angle(w, u), safe_angle(v, norm(jnp.stack([u, w])))


def total_incidence(attitude: Any, velocity: Any) -> tuple[Any, Any]:
    """Return the total angle of attack [rad], 0 to pi, and the aerodynamic roll angle atan2(v, w) [rad].

    The total angle of attack is the angle between the body x axis and the velocity relative to the
    atmosphere. The velocity has the body components u, v, w.
    """
    u, v, w = rotate_back(matrix_of(attitude), velocity)
    return safe_angle(norm(jnp.stack([v, w])), u), safe_angle(v, w)


def wind_to_body(alpha: Any, beta: Any) -> Any:
    """Return the quaternion (4, ...) of the rotation from wind axes to body axes.

    Wind axes: x along the velocity, z in the plane of symmetry of the body. The rotation is -beta about z,
    then alpha about y. For beta = 0, the matrix is the rotation from stability axes. `alpha`, `beta` [rad].
    """
    return of_sequence("3-2", jnp.stack(jnp.broadcast_arrays(-jnp.asarray(beta), jnp.asarray(alpha))))


def attitude_to_wind(north_east_down: Any, velocity: Any, at: Incidence) -> Any:
    """Return the attitude quaternion (4, ...) of a body with given angle of attack, sideslip and bank.

    `velocity` (3, ...) [m/s]: velocity relative to the atmosphere, inertial components. Bank is the rotation
    of the wind axes about the velocity, to the right. At zero bank, the z axis of the wind axes lies in the
    vertical plane of the velocity.
    """
    path = flight_path(north_east_down, velocity)
    wind = jnp.stack(jnp.broadcast_arrays(path.azimuth, path.angle, at.bank))
    return multiply(attitude_in(north_east_down, "3-2-1", wind), wind_to_body(at.alpha, at.beta))


def incidence_and_bank(north_east_down: Any, velocity: Any, attitude: Any) -> Incidence:
    """Return angle of attack, sideslip and bank [rad] of an attitude. This function is the inverse of
    `attitude_to_wind`.

    In vertical flight bank is measured from north, because the azimuth is zero.
    """
    alpha, beta = incidence(attitude, velocity)
    wind = multiply(attitude, conjugate(wind_to_body(alpha, beta)))
    path = flight_path(north_east_down, velocity)
    level = jnp.stack([path.azimuth, path.angle, jnp.zeros_like(path.angle)])
    over = matrix_of(multiply(conjugate(attitude_in(north_east_down, "3-2-1", level)), wind))
    return Incidence(alpha, beta, safe_angle(over[2, 1], over[1, 1]))


def _or_one(size):
    return jnp.where(size > 0, size, 1.0)
