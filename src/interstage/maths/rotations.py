"""Attitudes: unit quaternions (scalar first, from body to outer axes), matrices and angle sequences.

The first axes are the components: a quaternion has shape (4, ...), a matrix (3, 3, ...). The quaternion of a
product of matrices is the product of the quaternions in the same order. Thompson (AIAA 2011-6277, appendix)
and Park (CU-CSSC-90-07, eq 49) use the transposed matrix and the reverse order.
"""

from __future__ import annotations

import numpy as np

from .arrays import jnp
from .vectors import cross, dot, rotate_back

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def matrix_of(q):
    """Return the rotation matrix (3, 3, ...) of a unit quaternion: outer components = matrix x body
    components."""
    a, b, c, d = q[0], q[1], q[2], q[3]
    return jnp.stack(
        [
            jnp.stack([1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)]),
            jnp.stack([2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)]),
            jnp.stack([2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]),
        ]
    )


def wrap_angle(angle):
    """Return an angle in the range from -pi to pi [rad]."""
    return angle - 2 * jnp.pi * jnp.round(angle / (2 * jnp.pi))


def multiply(p, q):
    """Return the quaternion product p q. The rotation matrix of the product is the product of the matrices of
    p and q."""
    p0, pv, q0, qv = p[0], p[1:], q[0], q[1:]
    return jnp.concatenate([(p0 * q0 - dot(pv, qv))[None], p0 * qv + q0 * pv + cross(pv, qv)])


def conjugate(q):
    """Return the conjugate of a quaternion, which is the inverse of a unit quaternion."""
    return jnp.concatenate([q[:1], -q[1:]])


def unit_quaternion(q):
    """Return a quaternion scaled to length 1."""
    return q / jnp.sqrt(jnp.sum(q * q, 0, keepdims=True))


def rate(q, w):
    """Return the rate q' of a quaternion q from the angular velocity w (3, ...) in body axes [rad/s]
    (Thompson, appendix, with the convention of this module).
    """
    q0, qv = q[:1], q[1:]
    return 0.5 * jnp.concatenate([-jnp.sum(qv * w, 0, keepdims=True), q0 * w + cross(qv, w)])


def rotate_slightly(q, angle):
    """Return the unit quaternion after a small rotation `angle` (3, ...) [rad, body axes] from the attitude
    q, accurate to second order.
    """
    return unit_quaternion(q + rate(q, angle))


def turned_midpoint(q, angle):
    """Return the quaternion after a rotation `angle` (3, ...) [rad, body axes] from the attitude q, by the
    implicit midpoint rule.

    The length of the quaternion is exact. The rotation is about the same axis by 4 atan(|angle|/4)
    (CU-CSSC-90-07, eqs 47 and 54 with the divisor of eq 55).
    """
    halfway = (q + 0.5 * rate(q, angle)) / (1 + dot(angle, angle) / 16)
    return unit_quaternion(2 * halfway - q)


def about(axis: int, angle):
    """Return the quaternion of a rotation by `angle` [rad] about body axis 0, 1 or 2."""
    half = 0.5 * jnp.asarray(angle)
    parts = [jnp.cos(half)] + [jnp.zeros_like(half)] * 3
    parts[1 + axis] = jnp.sin(half)
    return jnp.stack(parts)


def of_sequence(sequence: str, angles):
    """Return the quaternion of successive body-fixed rotations.

    sequence: axes, for example "3-2-1". angles: (n, ...) [rad], in the order of the sequence.
    """
    q = None
    for k, digit in enumerate(sequence.replace("-", "")):
        turn = about(int(digit) - 1, angles[k])
        q = turn if q is None else multiply(q, turn)
    return q


def spin_of_sequence(sequence: str, angles, rates):
    """Return angular velocity (3, ...) [rad/s] and quaternion of successive body-fixed rotations. The angular
    velocity is in the rotated axes.

    sequence: axes, for example "3-2-1". angles (3, ...) [rad] and rates (3, ...) [rad/s]: in the order of the
    sequence.
    """
    spin, whole = jnp.zeros_like(rates), None
    for k, digit in enumerate(sequence.split("-")):
        axis = int(digit) - 1
        turn = about(axis, angles[k])
        whole = turn if whole is None else multiply(whole, turn)
        along = [rates[k] if i == axis else jnp.zeros_like(rates[k]) for i in range(3)]
        spin = rotate_back(matrix_of(turn), spin) + jnp.stack(along)
    return spin, whole


def angles_123(matrix):
    """Return the body-fixed 1-2-3 angles (3, ...) [rad] of a rotation matrix; singular for a second angle of
    90 deg."""
    second = jnp.arcsin(jnp.clip(matrix[0, 2], -1.0, 1.0))
    first = jnp.arctan2(-matrix[1, 2], matrix[2, 2])
    third = jnp.arctan2(-matrix[0, 1], matrix[0, 0])
    return jnp.stack([first, second, third])


def angles_231(matrix):
    """Return the body-fixed 2-3-1 angles of a rotation matrix, in the order x, y, z (3, ...) [rad].

    A rotation about y may have any angle. The angles are singular for 90 deg about z."""
    about_z = jnp.arcsin(jnp.clip(matrix[1, 0], -1.0, 1.0))
    about_y = jnp.arctan2(-matrix[2, 0], matrix[0, 0])
    about_x = jnp.arctan2(-matrix[1, 2], matrix[1, 1])
    return jnp.stack([about_x, about_y, about_z])


def quaternion_of_matrix(matrix):
    """Return the unit quaternion (4, ...) of a rotation matrix by Shepperd's method, from the largest of its
    four components.
    """
    m = matrix
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    squares = jnp.stack([trace, m[0, 0], m[1, 1], m[2, 2]])
    largest = jnp.argmax(squares, 0)
    candidates = (
        jnp.stack([1 + trace, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]),
        jnp.stack([m[2, 1] - m[1, 2], 1 + 2 * m[0, 0] - trace, m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]]),
        jnp.stack([m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], 1 + 2 * m[1, 1] - trace, m[1, 2] + m[2, 1]]),
        jnp.stack([m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 + 2 * m[2, 2] - trace]),
    )
    q = candidates[3]
    for k in (2, 1, 0):
        q = jnp.where(largest == k, candidates[k], q)
    return unit_quaternion(q)


def quaternion_of(attitude):
    """Return the quaternion (4, ...) of a declared Attitude (quaternion, angle sequence or matrix); identity
    for None."""
    if attitude is None:
        return jnp.asarray(IDENTITY)
    if attitude.quaternion is not None:
        return unit_quaternion(jnp.asarray(attitude.quaternion))
    if attitude.euler is not None:
        return of_sequence(attitude.euler, jnp.asarray(attitude.angles))
    matrix = jnp.asarray(attitude.matrix)
    if attitude.inertial_to_body:
        matrix = jnp.swapaxes(matrix, 0, 1)
    return quaternion_of_matrix(matrix)
