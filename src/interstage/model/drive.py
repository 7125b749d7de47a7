"""Prescribed motions of locked axes and prescribed velocities, with their time derivatives."""

from __future__ import annotations

from functools import partial

from ..maths import curves as tables
from ..maths.arrays import jnp, jvp
from ..maths.rotations import matrix_of, of_sequence
from .constraint_rows import Drive, Rates

LINEAR, ANGULAR = ("tx", "ty", "tz"), ("rx", "ry", "rz")


def position(motion, t):
    """Return the prescribed displacement [m] or angle [rad] of one driven axis at time t [s] (*cases).

    `motion`: declaration or prepared table of the axis. If `motion` is None, the result is zero.
    """
    if motion is None:
        return jnp.zeros_like(t)
    if isinstance(motion, tables.Curve):
        return tables.look_up(motion, t)
    if motion.kind == "constant":
        return motion.value + 0.0 * t
    if motion.kind == "ramp":
        return motion.value + motion.rate * t
    return motion.offset + motion.amplitude * jnp.sin(motion.frequency * t + motion.phase)


def velocity(motion, t):
    """Return the prescribed velocity [m/s] or angular velocity [rad/s] of one axis at time t [s] (*cases).

    At the first and last point of a table, the time derivative is the one-sided slope inside the table.
    """
    if not isinstance(motion, tables.Curve):
        return position(motion, t)
    first, last = motion.time[0], motion.time[-1]
    nearest = jnp.where(t < first, motion.value[0], motion.value[-1])
    return jnp.where((t >= first) & (t <= last), tables.look_up(motion, t), nearest)


def _twice(function, t):
    """A function of time with its first and second derivatives."""
    one = jnp.ones_like(t)

    def first(t):
        return jvp(function, (t,), (one,))

    (value, rate), (_, acceleration) = jvp(first, (t,), (one,))
    return value, rate, acceleration


def drive(motions, t) -> Drive:
    """Return the prescribed motion of all joints at time t [s] (*cases).

    `motions`: for each joint a mapping from axis, for example "tx", to the motion of the axis, or None. The
    rotation Q(t) of a joint follows from its 1-2-3 angles. The matrix W = dQ/dt Q^T is antisymmetric. The
    vector of W is the angular velocity of the rotated frame, in the axes of the unrotated frame.
    """

    def along(names, t):
        """Return the positions along the axes `names`, (axis, joint, *cases)."""
        return jnp.stack([jnp.stack([position((m or {}).get(name), t) for m in motions]) for name in names])

    def joint_rotation(t):
        return matrix_of(of_sequence("1-2-3", along(ANGULAR, t)))

    shift = _twice(partial(along, LINEAR), t)
    turn, rate, acceleration = _twice(joint_rotation, t)
    spin = _vector(_times_transposed(rate, turn))
    change = _vector(_times_transposed(acceleration, turn) + _times_transposed(rate, rate))
    return Drive(*shift, turn, spin, change)


def rates(motions, t) -> Rates:
    """Return the prescribed velocities of all joints at time t [s] (*cases). `motions` has the form that
    `drive` accepts.
    """

    def along(t):
        return jnp.stack(
            [jnp.stack([velocity((m or {}).get(axis), t) for m in motions]) for axis in (*LINEAR, *ANGULAR)]
        )

    value, rate = jvp(along, (t,), (jnp.ones_like(t),))
    return Rates(value[:3], rate[:3], value[3:], rate[3:])


def _times_transposed(a, b):
    return jnp.sum(a[:, None] * b[None], 2)


def _vector(matrix):
    """The vector of the antisymmetric part of a matrix."""
    m = 0.5 * (matrix - jnp.swapaxes(matrix, 0, 1))
    return jnp.stack([m[2, 1], m[0, 2], m[1, 0]])
