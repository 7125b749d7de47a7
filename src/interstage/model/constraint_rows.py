"""Constraint rows of joints: the constraint g, its rate gdot, the Jacobian A, and gamma in A udot + gamma =
0.

Source: TP-2016 (NASA/TP-2016-219326) eqs 6-22 and 41-61. The terms d x e with the position error d of a joint
are included. The rows are therefore also valid for a joint that has drifted. The force on body A acts at the
point of A that coincides with B's joint point. The velocities are u = [v_A, w_A (body axes), v_B, w_B (body
axes)]. A rod is the distance row g = (d.d - L^2)/(2 L). Rows that restrict velocities only (nonholonomic)
have no position constraint; their g is zero by definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import is_jax, jax, jnp
from ..maths.vectors import cross, dot, norm, product, rotate
from .attachments import Pairs, column, lever, pick, select, twist


@dataclass(frozen=True)
class RowTable:
    """All constraint rows that the joints of a scenario can have, in the order of these fields. The table is
    constant.

    - parent, child: index of the body at each end of each joint
    - translations: (joint, axis of the parent's joint frame)
    - rods: joint
    - rotations: (joint, axis b of the child's frame, axis a of the parent's frame), with eB.eA = cos(angle)
    - contacts: joint of a rolling disk, constrained along x, y and z of the parent's frame; ordered by axis
    - speeds, spins: (joint, axis, whether the axis is fixed in the child), for the velocity along the axis
      and the angular velocity about the axis
    - modes: for each row, the joint mode that declares its length, angle or radius; 0 if the row has no such
      number
    """

    parent: tuple[int, ...]
    child: tuple[int, ...]
    translations: tuple[tuple[int, int], ...]
    rods: tuple[int, ...]
    rotations: tuple[tuple[int, int, int], ...]
    contacts: tuple[int, ...] = ()
    speeds: tuple[tuple[int, int, bool], ...] = ()
    spins: tuple[tuple[int, int, bool], ...] = ()
    modes: tuple[int, ...] = ()

    @property
    def _groups(self) -> tuple[tuple[list[int], bool, bool], ...]:
        """(joints, whether multipliers are forces, whether holonomic) of each group of consecutive rows."""
        return (
            ([j for j, _ in self.translations], True, True),
            (list(self.rods), True, True),
            ([j for j, _, _ in self.rotations], False, True),
            (list(self.contacts) * 2, True, False),
            (list(self.contacts), True, True),
            ([j for j, _, _ in self.speeds], True, False),
            ([j for j, _, _ in self.spins], False, False),
        )

    @property
    def holds(self) -> list[tuple[Any, ...]]:
        """Tuple that describes the constraint of each row, without the indices of row and joint. Rows with
        the same constraint have equal tuples.
        """
        found = [("along", axis) for _, axis in self.translations] + [("rod",) for _ in self.rods]
        found += [("turn", *axes) for _, *axes in self.rotations]
        found += [("contact", axis) for axis in range(3) for _ in self.contacts]
        found += [("speed", *axis) for _, *axis in self.speeds]
        return found + [("spin", *axis) for _, *axis in self.spins]

    @cached_property
    def joint(self) -> np.ndarray:
        """Index of the joint of each row."""
        return np.array([j for joints, _, _ in self._groups for j in joints], int)

    @cached_property
    def _rows(self) -> tuple[list[int], ...]:
        rows: tuple[list[int], ...] = tuple([] for _ in self.parent)
        for k, j in enumerate(self.joint.tolist()):
            rows[j].append(k)
        return rows

    def of_joint(self, joint: int) -> list[int]:
        """Return the indices of the rows of a joint."""
        return self._rows[joint]

    @property
    def count(self) -> int:
        """Number of rows in the table."""
        return len(self.joint)

    @cached_property
    def forces(self) -> np.ndarray:
        """True for rows whose multiplier is a force, false for rows whose multiplier is a torque."""
        return np.array([force for joints, force, _ in self._groups for _ in joints], bool)

    @cached_property
    def holonomic(self) -> np.ndarray:
        """True for rows that constrain positions; false for rows that constrain only velocities."""
        return np.array([whole for joints, _, whole in self._groups for _ in joints], bool)

    @property
    def first_rotation(self) -> int:
        """Index of the first rotation row."""
        return len(self.translations) + len(self.rods)

    @property
    def contact_rows(self) -> range:
        """Indices of the rows of all contact points: first all rows along x, then along y, then along z."""
        first = self.first_rotation + len(self.rotations)
        return range(first, first + 3 * len(self.contacts))


AXES_PICKED_SINGLY = 12
"""Maximum number of axes that are selected one by one. If a kind has more axes, one operation selects them,
so that the size of a program does not depend on their number.
"""


class Drive(NamedTuple):
    """Prescribed motion of locked axes. Vectors are (3, joint, *cases), matrices (3, 3, joint, *cases).

    - shift [m], shift_rate [m/s], shift_acceleration [m/s^2]: displacement of the child's point along the
      axes of the parent's joint frame
    - turn: matrix of the prescribed rotation of the parent's joint frame, in that frame
    - turn_rate [rad/s], turn_acceleration [rad/s^2]: angular velocity and angular acceleration of this
      rotation, with components in the frame before the rotation
    """

    shift: jax.Array
    shift_rate: jax.Array
    shift_acceleration: jax.Array
    turn: jax.Array
    turn_rate: jax.Array
    turn_acceleration: jax.Array


class Rates(NamedTuple):
    """Prescribed velocities of velocity joints and their time derivatives, (3, joint, *cases), along the axes
    of these joints.

    The fields are speed [m/s], speed_rate [m/s^2], spin [rad/s] and spin_rate [rad/s^2].
    """

    speed: jax.Array
    speed_rate: jax.Array
    spin: jax.Array
    spin_rate: jax.Array


class Sizes(NamedTuple):
    """Numeric parameters of constraint rows, each (row of the kind, *cases).

    - length [m]: lengths of the rods.
    - cosine: cosines of the constrained angles of rotation rows; None if all angles are right angles.
    - radius [m]: radii of the rolling disks.
    """

    length: jax.Array | None
    cosine: jax.Array | None = None
    radius: jax.Array | None = None


class Rows(NamedTuple):
    """Constraint rows at one time.

    - g, gdot, gamma (row, *cases): constraint, its rate, and the term gamma in A udot + gamma = 0
    - on_a, on_b (6, row, *cases): Jacobians on parent and child
    - direction (3, row, *cases): force (or torque) on the child for a unit multiplier, inertial axes
    - arm (3, row, *cases) [m]: vector from the child's joint point to the point of application; None if all
      forces act at the joint point
    """

    g: jax.Array
    gdot: jax.Array
    gamma: jax.Array
    on_a: jax.Array
    on_b: jax.Array
    direction: jax.Array
    arm: jax.Array | None = None


def rows(
    table: RowTable,
    pairs: Pairs,
    frame_a,
    frame_b,
    sizes: Sizes,
    offset=None,
    drive: Drive | None = None,
    rates: Rates | None = None,
) -> Rows:
    """Return all rows of a table at one time.

    - pairs: kinematics of the joints
    - frame_a, frame_b (3, 3, joint, *cases): matrices whose columns are the axes of the joint frames on
      parent and child, inertial components
    - sizes: lengths, cosines and radii of rows
    - offset (row, *cases): value of g at which a row is satisfied, after latching; None for zero
    - drive, rates: prescribed motions and velocities; None if there are none
    """
    parts = []
    if table.translations:
        parts.append(_translations(table, pairs, frame_a, drive))
    if table.rods:
        parts.append(_rods(table, pairs, sizes.length))
    if table.rotations:
        parts.append(_rotations(table, pairs, frame_a, frame_b, sizes.cosine, drive))
    if table.contacts:
        parts.append(_contacts(table, pairs, frame_a, frame_b, sizes.radius))
    if table.speeds:
        parts.append(_speeds(table, pairs, frame_a, frame_b, rates))
    if table.spins:
        parts.append(_spins(table, pairs, frame_a, frame_b, rates))
    lanes = pairs.gap.ndim - 2
    if table.contacts:
        none = [jnp.zeros_like(part.direction) if part.arm is None else part.arm for part in parts]
        parts = [part._replace(arm=arm) for part, arm in zip(parts, none, strict=True)]
    whole = Rows(*(_join(field, lanes) for field in zip(*parts, strict=True)))
    return whole if offset is None else whole._replace(g=whole.g - offset)


def _join(fields, lanes: int) -> Any:
    """One field of all rows; the row axis is the last before the cases."""
    if len(fields) == 1 or fields[0] is None:
        return fields[0]
    return jnp.concatenate(fields, fields[0].ndim - 1 - lanes)


def _of_joints(pairs: Pairs, index, names: Sequence[str] = Pairs._fields) -> Pairs:
    """The pairs of the joints `index`; a single shared column stays one column. `names` lists the fields that
    are read."""
    names = Pairs._fields if is_jax(pairs.gap) else names
    found = {name: getattr(pairs, name) for name in names}
    axis = 1 - pairs.gap.ndim
    return pairs._replace(**{name: _one(field, index, field.ndim + axis) for name, field in found.items()})


TURNED = "rotation_a", "rotation_b"


def _one(field, index, axis=1):
    return field if field.shape[axis] == 1 else select(field, index, axis)


def _axes(frame, joints, axes):
    """Column `axes` of the frame of each joint: (3, row, *cases)."""
    count = frame.shape[2]
    if len(joints) <= AXES_PICKED_SINGLY:
        return jnp.stack([column(frame, j, 2)[:, a] for j, a in zip(joints, axes, strict=True)], 1)
    columns = frame.reshape(3, 3 * count, *frame.shape[3:])
    return pick(columns, np.asarray(axes) * count + np.minimum(joints, count - 1), 1)


def _entries(prescribed, joints, axes):
    """Entries `axes` of (3, joint, *cases), one for each row: (row, *cases)."""
    count = prescribed.shape[1]
    flat = prescribed.reshape(3 * count, *prescribed.shape[2:])
    return pick(flat, np.asarray(axes) * count + np.asarray(joints), 0)


def _translations(table, pairs, frame_a, drive):
    """Translation rows (TP-2016 eqs 6, 10, 17 and 41-45): g = d . e with e fixed in A.

    The identity a . (w x e) = -(w x a) . e turns the terms with w x e into vectors of the joint. These are
    computed once for all rows of a joint.
    """
    joints, axes = zip(*table.translations, strict=True)
    carried = cross(pairs.spin_a, pairs.gap)
    rate = pairs.gap_rate - carried
    bias = pairs.bias() - cross(pairs.spin_a, pairs.gap_rate + rate)
    gap, rate, bias = (_one(vector, joints) for vector in (pairs.gap, rate, bias))
    pairs = _of_joints(pairs, joints, ("arm_a", "arm_b", "gap", *TURNED))
    e = _axes(frame_a, joints, axes)
    g, gdot, gamma = dot(gap, e), dot(rate, e), dot(bias, e)
    if drive is not None:
        g, gdot, gamma = (
            field - _entries(prescribed, joints, axes)
            for field, prescribed in zip((g, gdot, gamma), drive[:3], strict=True)
        )
    on_a, on_b = lever(pairs, e)
    return Rows(g, gdot, gamma, on_a, on_b, e)


def _rods(table, pairs, length):
    """Distance rows g = (d.d - L^2)/(2 L). The force acts along d/L."""
    bias = _one(pairs.bias(), table.rods)
    pairs = _of_joints(pairs, table.rods)
    e = pairs.gap / length
    g = 0.5 * (dot(pairs.gap, e) - length)
    gdot = dot(pairs.gap_rate, e)
    gamma = dot(pairs.gap_rate, pairs.gap_rate) / length + dot(bias, e)
    on_a, on_b = lever(pairs, e)
    return Rows(g, gdot, gamma, on_a, on_b, e)


def _rotations(table, pairs, frame_a, frame_b, cosine, drive):
    """Rotation rows (TP-2016 eqs 7, 18-22 and 46-50): g = eB . eA - cos(angle), c = eB x eA. For a driven
    rotation, eA rotates in A as prescribed. Angles other than 90 deg: the generalized perpendicular
    constraint of Thompson (AIAA 2011-6277)."""
    joints, b_axes, a_axes = zip(*table.rotations, strict=True)
    joint_pairs = _of_joints(pairs, joints, ("spin_a", "spin_b", *TURNED))
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
    g = dot(e_b, e_a) - (0.0 if cosine is None else cosine)
    gdot = dot(relative, c)
    gamma = dot(relative, cross(cross(spin_b, e_b), e_a) + cross(e_b, cross(spin_a, e_a)))
    gamma = gamma - (dot(prescribed, c) if drive is not None else 0.0)
    on_a, on_b = twist(joint_pairs, c)
    return Rows(g, gdot, gamma, on_a, on_b, c)


# --- velocities -----------------------------------------------------------------------------------------


FLAT = 1e-5
"""Limit of 1 - |cos(angle)| for the angle between the axle of a disk and the normal of its plane.

Below this limit (0.26 deg), the disk counts as flat on its plane.
"""
LEAST_TILT = 1e-9
"""Minimum sine of the tilt of a disk in the computation. Below this limit, the disk lies flat on its plane
and its contact point is undefined.
"""


def rim(axle, normal):
    """Return two results: the unit vector (3, ...) from the hub of a disk to the lowest point of its rim, and
    the sine of the tilt.

    `axle`, `normal` (3, ...): unit vectors of the axle and of the normal of the plane. If axle and normal are
    perpendicular, the disk is upright.
    """
    across = normal - dot(normal, axle) * axle
    sine = jnp.maximum(norm(across), LEAST_TILT)
    return -across / sine, sine


def _contacts(table, pairs, frame_a, frame_b, radius):
    """Rows of a rolling disk: zero velocity of the disk's material point at the contact, relative to the
    plane, along x, y and z of the plane's frame.

    With a the axle, n the normal (z), c = n.a, s = |n x a| and m = (c a - n)/s from the hub to the lowest
    point of the rim, the velocity of the disk's material point there is V = ddot - wA x d + R (wB - wA) x m.
    Along n it is the rate of the height d.n - R s, because (wB - wA).(m x n) = (wB - wA).(a x n) c/s = -sdot.
    The row along n is therefore holonomic; the rows of no slip along x and y are not. The value of gamma
    follows from mdot, with ndot = wA x n, adot = wB x a and sdot = -c cdot/s. The force acts at the contact,
    on both bodies. Source: the rolling disk of Neimark and Fufaev, Dynamics of Nonholonomic Systems,
    rewritten in vectors.
    """
    pairs = _of_joints(pairs, table.contacts)
    frames = [_one(frame, table.contacts, 2) for frame in (frame_a, frame_b)]
    normal, axle = frames[0][:, 2], frames[1][:, 2]
    spin = pairs.spin_b - pairs.spin_a
    out, sine = rim(axle, normal)
    cosine = dot(normal, axle)
    cosine_rate = dot(spin, cross(axle, normal))
    axle_rate, normal_rate = cross(pairs.spin_b, axle), cross(pairs.spin_a, normal)
    turning = (cosine_rate * axle + cosine * axle_rate - normal_rate) / sine
    out_rate = turning + out * cosine * cosine_rate / sine**2
    velocity = pairs.gap_rate - cross(pairs.spin_a, pairs.gap) + radius * cross(spin, out)
    bias = pairs.bias() - cross(pairs.spin_a, pairs.gap_rate + velocity)
    bias = bias + radius * cross(spin, out_rate)
    arm = radius * out
    there = pairs._replace(arm_b=pairs.arm_b + arm, gap=pairs.gap + arm)
    height = dot(pairs.gap, normal) - radius * sine
    parts = []
    for axis in range(3):
        e = jnp.broadcast_to(frames[0][:, axis], arm.shape)
        g = height if axis == 2 else jnp.zeros_like(height)
        parts.append(Rows(g, dot(velocity, e), dot(bias, e), *lever(there, e), e, arm))
    return Rows(*(_join(field, arm.ndim - 2) for field in zip(*parts, strict=True)))


def _held_axes(frame_a, frame_b, held):
    """Unit vectors (3, row, *cases) of the axes of velocity rows."""
    joints, axes, on_child = zip(*held, strict=True)
    return _of_either(_axes(frame_a, joints, axes), _axes(frame_b, joints, axes), on_child)


def _carrying_spin(pairs, held):
    """Angular velocity (3, row, *cases) of the body in which each row's axis is fixed."""
    joints, _, on_child = zip(*held, strict=True)
    return _of_either(_one(pairs.spin_a, joints), _one(pairs.spin_b, joints), on_child)


def _of_either(on_a, on_b, on_child):
    """Vectors (3, row, *cases): for each row the vector of the child if `on_child`, otherwise of the
    parent."""
    chosen = np.asarray(on_child, bool).reshape((1, -1) + (1,) * (on_a.ndim - 2))
    return jnp.where(chosen, on_b, on_a)


def _speeds(table, pairs, frame_a, frame_b, rates):
    """Velocity along e of the child's joint point relative to the parent's coincident point: gdot = (ddot -
    wA x d) . e - prescribed. The axis e is fixed in one of the bodies, and edot = w x e with the angular
    velocity w of that body."""
    joints = [j for j, _, _ in table.speeds]
    e, carried = _held_axes(frame_a, frame_b, table.speeds), _carrying_spin(pairs, table.speeds)
    own = _of_joints(pairs, joints)
    velocity = own.gap_rate - cross(own.spin_a, own.gap)
    bias = own.bias() - cross(own.spin_a, own.gap_rate) - cross(carried, velocity)
    gdot, gamma = dot(velocity, e), dot(bias, e)
    if rates is not None:
        axes = [axis for _, axis, _ in table.speeds]
        gdot = gdot - _entries(rates.speed, joints, axes)
        gamma = gamma - _entries(rates.speed_rate, joints, axes)
    on_a, on_b = lever(own, e)
    return Rows(jnp.zeros_like(gdot), gdot, gamma, on_a, on_b, e)


def _spins(table, pairs, frame_a, frame_b, rates):
    """Angular velocity of the child relative to the parent about e: gdot = (wB - wA) . e - prescribed."""
    joints = [j for j, _, _ in table.spins]
    e, carried = _held_axes(frame_a, frame_b, table.spins), _carrying_spin(pairs, table.spins)
    own = _of_joints(pairs, joints)
    relative = own.spin_b - own.spin_a
    gdot, gamma = dot(relative, e), dot(relative, cross(carried, e))
    if rates is not None:
        axes = [axis for _, axis, _ in table.spins]
        gdot = gdot - _entries(rates.spin, joints, axes)
        gamma = gamma - _entries(rates.spin_rate, joints, axes)
    on_a, on_b = twist(own, e)
    return Rows(jnp.zeros_like(gdot), gdot, gamma, on_a, on_b, e)
