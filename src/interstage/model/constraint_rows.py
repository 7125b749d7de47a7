"""Constraint rows of joints: g, gdot, the Jacobian A and gamma of A udot + gamma = 0.

TP-2016 (NASA/TP-2016-219326) eqs 6-22 and 41-61; the off-constraint terms d x e are kept, so the rows hold
while a joint has drifted, and the force on A acts at the point of A that coincides with B's joint point.
Written over u = [v_A, w_A (body), v_B, w_B (body)]. A rod is the distance row g = (d.d - L^2)/(2 L).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..vectors import cross, dot, product, rotate
from .attachments import Pairs, column, lever, select, twist


@dataclass(frozen=True)
class RowTable:
    """Which rows the joints of a scenario can have; static.

    translations: (joint, axis of the parent's joint frame); rods: joint; rotations: (joint, axis b of the
    child's frame, axis a of the parent's frame) for eB.eA = 0. parent, child: bodies of each joint.
    The rows are numbered in this order.
    """

    parent: tuple[int, ...]
    child: tuple[int, ...]
    translations: tuple[tuple[int, int], ...]
    rods: tuple[int, ...]
    rotations: tuple[tuple[int, int, int], ...]

    @property
    def joint(self) -> np.ndarray:
        """The joint of each row."""
        joints = [j for j, _ in self.translations] + list(self.rods) + [j for j, _, _ in self.rotations]
        return np.array(joints, int)

    def of_joint(self, joint: int) -> list[int]:
        """The rows of a joint."""
        return np.flatnonzero(self.joint == joint).tolist()

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.translations) + len(self.rods) + len(self.rotations)

    @property
    def forces(self) -> np.ndarray:
        """True for rows whose multiplier is a force, false where it is a torque."""
        return np.arange(self.count) < len(self.translations) + len(self.rods)


class Drive(NamedTuple):
    """Prescribed motion of locked axes, (3, joint, *lanes) and (3, 3, joint, *lanes).

    shift [m], with two rates: of the child's point along the axes of the parent's joint frame. turn: matrix
    of the prescribed rotation of the parent's joint frame, seen in that frame; turn_rate [rad/s] and
    turn_acceleration [rad/s^2] in the axes of the unturned frame.
    """

    shift: jax.Array
    shift_rate: jax.Array
    shift_acceleration: jax.Array
    turn: jax.Array
    turn_rate: jax.Array
    turn_acceleration: jax.Array


class Rows(NamedTuple):
    """Constraint rows, (row, *lanes): g, gdot, gamma; Jacobians on_a, on_b (6, row, *lanes) on parent and
    child.

    direction (3, row, *lanes): the force (or torque) on the child at its joint point for a unit multiplier,
    inertial axes.
    """

    g: jax.Array
    gdot: jax.Array
    gamma: jax.Array
    on_a: jax.Array
    on_b: jax.Array
    direction: jax.Array


def rows(
    table: RowTable, pairs: Pairs, frame_a, frame_b, length, offset=None, drive: Drive | None = None
) -> Rows:
    """All rows of the table.

    pairs: kinematics of the joints. frame_a, frame_b (3, 3, joint, *lanes): axes of the joint frames on
    parent and child as columns, inertial components. length [m], (rod, *lanes). offset (row, *lanes): value
    of g at which a row is satisfied (left by a capture), None for zero."""
    parts = []
    if table.translations:
        parts.append(_translations(table, pairs, frame_a, drive))
    if table.rods:
        parts.append(_rods(table, pairs, length))
    if table.rotations:
        parts.append(_rotations(table, pairs, frame_a, frame_b, drive))
    shape = (1, *pairs.gap.shape[2:])
    whole = Rows(*(_joined(field, shape) for field in zip(*parts, strict=True)))
    return whole if offset is None else whole._replace(g=whole.g - offset)


def _joined(fields, lanes):
    axis = fields[0].ndim - len(lanes)
    return fields[0] if len(fields) == 1 else jnp.concatenate(fields, axis)


def _of_joints(pairs: Pairs, index) -> Pairs:
    """The pairs of the joints `index`; a single shared column stays one column."""
    return Pairs(*(_one(field, index, field.ndim - pairs.gap.ndim + 1) for field in pairs))


def _one(field, index, axis=1):
    return field if field.shape[axis] == 1 else select(field, index, axis)


def _axes(frame, joints, axes):
    """Column `axes` of the frame of each joint: (3, row, *lanes)."""
    return jnp.stack([column(frame, j, 2)[:, a] for j, a in zip(joints, axes, strict=True)], 1)


def _translations(table, pairs, frame_a, drive):
    """TP-2016 eqs 6, 10, 17 and 41-45: g = d . e with e fixed in A.

    The terms with w x e are written as vectors of the joint, by a . (w x e) = -(w x a) . e, so that they
    are worked out once for all rows of a joint."""
    joints, axes = zip(*table.translations, strict=True)
    carried = cross(pairs.spin_a, pairs.gap)
    rate = pairs.gap_rate - carried
    bias = pairs.bias() - cross(pairs.spin_a, pairs.gap_rate + rate)
    gap, rate, bias = (_one(vector, joints) for vector in (pairs.gap, rate, bias))
    pairs = _of_joints(pairs, joints)
    e = _axes(frame_a, joints, axes)
    g, gdot, gamma = dot(gap, e), dot(rate, e), dot(bias, e)
    if drive is not None:
        g, gdot, gamma = (
            field - jnp.stack([prescribed[a, j] for j, a in table.translations])
            for field, prescribed in zip((g, gdot, gamma), drive[:3], strict=True)
        )
    on_a, on_b = lever(pairs, e)
    return Rows(g, gdot, gamma, on_a, on_b, e)


def _rods(table, pairs, length):
    """g = (d.d - L^2)/(2 L): the direction of the force is d/L."""
    bias = _one(pairs.bias(), table.rods)
    pairs = _of_joints(pairs, table.rods)
    e = pairs.gap / length
    g = 0.5 * (dot(pairs.gap, e) - length)
    gdot = dot(pairs.gap_rate, e)
    gamma = dot(pairs.gap_rate, pairs.gap_rate) / length + dot(bias, e)
    on_a, on_b = lever(pairs, e)
    return Rows(g, gdot, gamma, on_a, on_b, e)


def _rotations(table, pairs, frame_a, frame_b, drive):
    """TP-2016 eqs 7, 18-22 and 46-50: g = eB . eA, c = eB x eA. Where driven, eA turns in A as prescribed."""
    joints, b_axes, a_axes = zip(*table.rotations, strict=True)
    joint_pairs = _of_joints(pairs, joints)
    spin_a, spin_b = joint_pairs.spin_a, joint_pairs.spin_b
    e_b = _axes(frame_b, joints, b_axes)
    prescribed = 0.0
    if drive is None:
        e_a = _axes(frame_a, joints, a_axes)
    else:
        e_a = _axes(product(frame_a, drive.turn), joints, a_axes)
        own = _one(rotate(frame_a, drive.turn_rate), joints)
        prescribed = _one(rotate(frame_a, drive.turn_acceleration), joints) + cross(spin_a, own)
        spin_a = spin_a + own
    c = cross(e_b, e_a)
    relative = spin_b - spin_a
    g = dot(e_b, e_a)
    gdot = dot(relative, c)
    gamma = dot(relative, cross(cross(spin_b, e_b), e_a) + cross(e_b, cross(spin_a, e_a)))
    gamma = gamma - (dot(prescribed, c) if drive is not None else 0.0)
    on_a, on_b = twist(joint_pairs, c)
    return Rows(g, gdot, gamma, on_a, on_b, c)
