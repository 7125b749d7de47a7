"""Force laws of springs with dampers, and of separation springs (Thompson, AIAA 2011-6277, section V; DLR,
section 2.2).

A law returns the force (or torque) on the child. The parent gets the opposite force on the same line, or the
opposite torque.
"""

from __future__ import annotations

from typing import NamedTuple

from ...maths.arrays import jax, jnp
from ...maths.rotations import matrix_of, of_sequence
from ...maths.vectors import cross, dot, norm, rotate, transpose
from ...model.attachments import Pairs

TINY = 1e-300


class LineState(NamedTuple):
    """State of a line of action between two points.

    - direction (3, ...): unit vector from parent to child, inertial axes.
    - length [m], rate [m/s]: distance between the points along the line, and its time derivative.
    """

    direction: jax.Array
    length: jax.Array
    rate: jax.Array


def along_points(pairs: Pairs) -> LineState:
    """Return the line of action from the parent's point to the child's point."""
    length = norm(pairs.gap)
    direction = pairs.gap / jnp.maximum(length, TINY)
    return LineState(direction, length, dot(pairs.gap_rate, direction))


def along_axis(pairs: Pairs, axis) -> LineState:
    """Return a line of action whose direction is fixed in the parent. The length is measured along this
    direction.

    `axis` (3, ...): direction in the parent's structural axes.
    """
    direction = rotate(pairs.rotation_a, axis / norm(axis))
    turning = cross(pairs.spin_a, direction)
    return LineState(
        direction, dot(pairs.gap, direction), dot(pairs.gap_rate, direction) + dot(pairs.gap, turning)
    )


def spring_force(line: LineState, stiffness, damping, free_length):
    """Return the spring and damper force on the child along the line [N], positive away from the parent.

    A compressed spring has a positive force. `stiffness` [N/m], `damping` [N s/m], `free_length` [m].
    """
    return -stiffness * (line.length - free_length) - damping * line.rate


def spring_pull(pairs: Pairs, line: LineState, stiffness, damping, free_length):
    """Return the spring and damper force on the child as a vector (3, ...) [N], inertial axes. See
    `spring_force`.

    With zero free length, the elastic force is smooth at zero length and needs no direction.
    """
    return (stiffness * free_length - damping * line.rate) * line.direction - stiffness * pairs.gap


def push(preload, stiffness, damping, extension, rate):
    """Return the force of a separation spring [N] after an extension [m] that begins at the preload.

    `preload` [N], `stiffness` [N/m], `damping` [N s/m], `rate` [m/s]. The spring never pulls, because the
    stroke ends before the spring force is zero. With damping, a negative force is replaced by zero. Without
    damping, the law is smooth across the end of the stroke, because integration steps evaluate it beyond the
    end.
    """
    force = preload - stiffness * extension - damping * rate
    return jnp.where(damping > 0, jnp.maximum(force, 0.0), force)


class Angles(NamedTuple):
    """Angles of a rotation sequence [rad], their rates [rad/s], and the rotation axes (3, n, ...) in the
    child's spring frame.

    If three angles or a joint describe the whole relative rotation, the sum of axis times rate is the
    relative angular velocity. Otherwise, the sum is the smallest angular velocity that has these rates.
    """

    angle: jax.Array
    rate: jax.Array
    axes: jax.Array


def sequence_angles(sequence: str, relative, spin) -> Angles:
    """Return the angles of the child's frame relative to the parent's frame, with rates and axes.

    - sequence: rotation axes from 1 to 3, for example "1-2-3".
    - relative (3, 3, ...): matrix from the child's to the parent's components.
    - spin (3, ...) [rad/s]: angular velocity of the child relative to the parent, child's components.

    With one axis, the relative rotation is split into two rotations. The first rotation is the smallest
    rotation that aligns the axis on both bodies. The returned angle is the remaining rotation about the axis.

    With two axes, the angles are the angles of a universal joint. The first angle is the rotation of the
    child's second axis about the parent's first axis. The second angle is the rotation of the parent's first
    axis about the child's second axis. Any angle between the two axes is allowed.

    With three axes, the angles are the angles of the sequence. Except at a gimbal lock (`between_axes`), the
    rates are exact, and the torques of `torsion` do consistent work.
    """
    digits = [int(d) - 1 for d in sequence.split("-")]
    if len(digits) == 1:
        return _of_one(digits[0], relative, spin)
    angle = _of_two(digits, relative) if len(digits) == 2 else _of_three(digits, relative)
    axes = _own_axes(digits, relative, spin) if len(digits) == 2 else _turn_axes(digits, angle, spin)
    return Angles(angle, _solve_rates(axes, spin), axes)


def between_axes(sequence: str, relative):
    """Return the cosine of the angle between the first axis of a sequence, on the parent, and the last axis,
    on the child.

    For a sequence of two or three axes, the angles are undefined if these axes are parallel or opposite
    (gimbal lock). For one axis, the angle is undefined if the two directions are opposite. `relative` (3, 3,
    ...): matrix from the child's to the parent's components.
    """
    first, last = int(sequence[0]) - 1, int(sequence[-1]) - 1
    return relative[first, last]


def _of_one(k: int, m, spin) -> Angles:
    """Rotation about an axis k that remains after the smallest rotation that aligns the axis. If the axis is
    inclined, the rate of the angle includes components of the angular velocity perpendicular to the axis."""
    i, j = (k + 1) % 3, (k + 2) % 3
    sine, cosine = m[j, i] - m[i, j], m[i, i] + m[j, j]
    square = sine**2 + cosine**2
    across = {
        i: -(cosine * m[i, k] + sine * m[j, k]) / square,
        j: (sine * m[i, k] - cosine * m[j, k]) / square,
        k: jnp.ones_like(square),
    }
    slope = jnp.broadcast_to(jnp.stack([across[n] for n in range(3)]), spin.shape)
    axes = (slope / dot(slope, slope))[:, None]
    return Angles(jnp.arctan2(sine, cosine)[None], dot(slope, spin)[None], axes)


def _of_two(digits, m):
    """The two angles of an axis of the parent and another axis of the child, at any angle between the
    axes."""
    first, second = digits
    third = 3 - first - second
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    about_first = jnp.arctan2(sign * m[third, second], m[second, second])
    about_second = jnp.arctan2(sign * m[first, third], m[first, first])
    return jnp.stack([about_first, about_second])


def _own_axes(digits, relative, like):
    """The parent's first axis and the child's second, in the components of the child."""
    first, second = digits
    return jnp.stack([jnp.broadcast_to(relative[first], like.shape), _unit(second, like)], 1)


def _of_three(digits, m):
    """Angles of a sequence of three body-fixed rotations from the total rotation matrix."""
    first, second, third = digits
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    if third == first:
        other = 3 - first - second
        angle2 = jnp.arccos(jnp.clip(m[first, first], -1.0, 1.0))
        angle1 = jnp.arctan2(m[second, first], -sign * m[other, first])
        angle3 = jnp.arctan2(m[first, second], sign * m[first, other])
    else:
        angle2 = jnp.arcsin(jnp.clip(sign * m[first, third], -1.0, 1.0))
        angle1 = jnp.arctan2(-sign * m[second, third], m[third, third])
        angle3 = jnp.arctan2(-sign * m[first, second], m[first, first])
    return jnp.stack([angle1, angle2, angle3])


def _turn_axes(digits, angle, like):
    """Axis of each rotation in the components of the last frame."""
    axes = []
    for n, digit in enumerate(digits):
        axis = _unit(digit, like)
        if n + 1 < len(digits):
            later = "-".join(str(d + 1) for d in digits[n + 1 :])
            axis = rotate(transpose(matrix_of(of_sequence(later, angle[n + 1 :]))), axis)
        axes.append(axis)
    return jnp.stack(axes, 1)


def _unit(axis, like):
    return jnp.stack([jnp.full_like(like[0], float(k == axis)) for k in range(3)])


def _solve_rates(axes, spin):
    """Rates whose rotations sum to the relative angular velocity. For two rotations, the sum is a
    least-squares fit."""
    n = axes.shape[1]
    gram = jnp.stack([jnp.stack([dot(axes[:, i], axes[:, j]) for j in range(n)]) for i in range(n)])
    right = jnp.stack([dot(axes[:, i], spin) for i in range(n)])
    return _solve(gram, right, n)


def _solve(a, b, n):
    """Gaussian elimination of a small symmetric positive definite system (n, n, ...)."""
    rows, right = [[a[i, j] for j in range(n)] for i in range(n)], [b[i] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            f = rows[i][k] / rows[k][k]
            rows[i] = [rows[i][j] - f * rows[k][j] for j in range(n)]
            right[i] = right[i] - f * right[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            right[k] = right[k] - rows[k][j] * right[j]
        right[k] = right[k] / rows[k][k]
    return jnp.stack(right)


def torsion(angles: Angles, stiffness, damping, free):
    """Return the torque on the child in its spring frame [N m] (3, ...): (B^+)^T n.

    B is the matrix of the rotation axes, B^+ its pseudoinverse, and n the spring and damper torque about each
    axis. `stiffness` [N m/rad], `damping` [N m s/rad], `free` [rad]: angles without torque.
    """
    n = -stiffness * (angles.angle - free) - damping * angles.rate
    count = n.shape[0]
    gram = jnp.stack(
        [jnp.stack([dot(angles.axes[:, i], angles.axes[:, j]) for j in range(count)]) for i in range(count)]
    )
    weights = _solve(gram, n, count)
    return jnp.sum(angles.axes * weights[None], 1)
