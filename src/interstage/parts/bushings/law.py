"""Equations of springs between two frames: bushings, and massless beams.

The displacement d is the vector from the parent's point to the child's point, in axes of the parent's frame.
The rotation vector theta is the rotation of the child's frame relative to the parent's frame. A spring with
the energy U(d, theta) applies the force -dU/dd to the child at its point. The spring also applies a torque to
the child, whose power is -dU/dtheta . dtheta/dt.
"""

from __future__ import annotations

from typing import NamedTuple

from ...maths.arrays import jax, jnp
from ...maths.vectors import add_axes, cross, dot
from .declared import BeamSpring, Bushing

SMALL = 1e-4
"""If an angle [rad] or its sine is below this number, functions of the angle are computed by series. The
neglected terms are smaller than rounding errors.
"""
SHORTEST = 1e-3
"""The smallest length of a sliding beam in the equations, divided by its declared length."""


class Deflection(NamedTuple):
    """Deflection of a spring. All arrays are (3, *cases), in axes of the parent's frame.

    - displacement [m]: vector from the parent's point to the child's point.
    - rate [m/s]: rate of the displacement, relative to the parent.
    - `turn` [rad]: rotation vector from the parent's frame to the child's frame.
    - spin [rad/s]: angular velocity of the child relative to the parent.
    """

    displacement: jax.Array
    rate: jax.Array
    turn: jax.Array
    spin: jax.Array


class FrameLoad(NamedTuple):
    """Load of a spring on the child, at the child's point.

    - force [N], torque [N m]: axes of the parent's frame (3, *cases).
    - energy: stored energy [J] (*cases).
    """

    force: jax.Array
    torque: jax.Array
    energy: jax.Array


def rotation_vector(quaternion):
    """Return the rotation vector [rad] (3, ...) of a unit quaternion (4, ...), scalar first. The length of
    the vector is at most pi.
    """
    scalar, vector = quaternion[0], quaternion[1:]
    sign = jnp.where(scalar < 0, -1.0, 1.0)
    scalar, vector = sign * scalar, sign * vector
    square = dot(vector, vector)
    near = square < SMALL**2
    sine = jnp.sqrt(jnp.where(near, 1.0, square))
    # asin(s)/s = 1 + s^2/6 + 3 s^4/40 for small sines.
    ratio = jnp.where(near, 1 + square / 6 + 0.075 * square**2, jnp.arctan2(sine, scalar) / sine)
    return 2 * ratio * vector


def torque_of(turn, work):
    """Return the torque on the child [N m] (3, *cases), in axes of the parent's frame.

    - `turn`: rotation vector theta of the child's frame [rad].
    - work: generalized torque of theta. The power of the torque is work . dtheta/dt.

    The angular velocity is J dtheta/dt, with the left Jacobian J of theta. The torque is therefore J^-T work
    = work + theta x work / 2 + c theta x (theta x work). The factor is c = (1 - |theta|/2
    cot(|theta|/2))/|theta|^2.
    """
    square = dot(turn, turn)
    near = square < SMALL**2
    angle = jnp.sqrt(jnp.where(near, 1.0, square))
    exact = (1 - 0.5 * angle * jnp.cos(0.5 * angle) / jnp.sin(0.5 * angle)) / angle**2
    factor = jnp.where(near, 1 / 12 + square / 720, exact)
    once = cross(turn, work)
    return work + 0.5 * once + factor * cross(turn, once)


def load(law: Bushing | BeamSpring, now: Deflection) -> FrameLoad:
    """Return the load of a bushing or beam spring with a given deflection, including damping."""
    ndim = now.turn.ndim
    found = _bushing(law, now) if isinstance(law, Bushing) else _beam(law, now)
    force = found.force - add_axes(jnp.asarray(law.damping), ndim) * now.rate
    torque = torque_of(now.turn, found.torque) - add_axes(jnp.asarray(law.torsional_damping), ndim) * now.spin
    return FrameLoad(force, torque, found.energy)


def _bushing(law: Bushing, now: Deflection) -> FrameLoad:
    ndim = now.turn.ndim

    def wide(number, shape):
        number = jnp.zeros(shape) if number is None else jnp.asarray(number)
        return add_axes(number, len(shape) - 1 + ndim)

    bent = jnp.concatenate([now.displacement, now.turn])
    if law.matrix is None:
        along, about = (
            wide(law.stiffness, (3,)) * now.displacement,
            wide(law.torsional_stiffness, (3,)) * now.turn,
        )
        spring = jnp.concatenate([along, about])
    else:
        matrix = wide(law.matrix, (6, 6))
        # Only the symmetric part: the antisymmetric part is rounding.
        spring = 0.5 * jnp.sum((matrix + jnp.swapaxes(matrix, 0, 1)) * bent[None], 1)
    lasting = jnp.concatenate(
        [jnp.broadcast_to(wide(part, (3,)), now.turn.shape) for part in (law.preload, law.preload_torque)]
    )
    whole = lasting - spring
    return FrameLoad(whole[:3], whole[3:], jnp.sum((0.5 * spring - lasting) * bent, 0))


def _beam(law: BeamSpring, now: Deflection) -> FrameLoad:
    """Load of a beam. For a beam that slides out of its guide, dU/dL is an axial force, which pushes a bent
    beam out."""
    lanes = now.turn.ndim - 1

    def wide(number):
        return add_axes(jnp.asarray(number), lanes)

    length, axial, twist = wide(law.length), wide(law.axial_stiffness), wide(law.torsional_stiffness)
    (x, y, z), (tx, ty, tz) = now.displacement, now.turn
    stretch = x - length
    free = jnp.maximum(x, SHORTEST * length) if law.slides else length
    across = wide(law.bending_stiffness) / free**3
    if law.tip == "pinned":
        fy, fz, my, mz = -3 * across * y, -3 * across * z, 0 * ty, 0 * tz
        bending = 1.5 * across * (y * y + z * z)
        lost = 3 * bending / free
    else:
        ly, lz = free * ty, free * tz
        fy, fz = -across * (12 * y - 6 * lz), -across * (12 * z + 6 * ly)
        my, mz = -across * free * (6 * z + 4 * ly), -across * free * (-6 * y + 4 * lz)
        stiff, mixed, turning = 6 * (y * y + z * z), 6 * (z * ly - y * lz), 2 * (ly * ly + lz * lz)
        bending = across * (stiff + mixed + turning)
        lost = across * (3 * stiff + 2 * mixed + turning) / free
    fx = -axial * stretch
    if law.slides:
        fx = fx + jnp.where(x > SHORTEST * length, lost, 0.0)
    energy = 0.5 * axial * stretch**2 + 0.5 * twist * tx**2 + bending
    return FrameLoad(
        jnp.stack(jnp.broadcast_arrays(fx, fy, fz)),
        jnp.stack(jnp.broadcast_arrays(-twist * tx, my, mz)),
        energy,
    )
