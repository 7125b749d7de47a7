"""Quantities of one joint: loads, displacement, rotation and constraint violation."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from ..engine.here import Here
from ..engine.numbers import in_frame
from ..engine.quantity import Items, Quantity, scalar_quantity, vector_quantity
from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.vectors import add_axes, cross, norm, product, rotate_back, transpose
from ..model.attachments import column, pick, select
from ..model.constraint_rows import Rows
from ..model.joint import Joint
from ..model.joint_rows import JointRows
from ..tree.names import GROUND

End = Literal["parent", "child"]
ENDS: tuple[End, ...] = ("parent", "child")
VIOLATION = "position error [m] or direction-cosine error [-]"
"""Description of a constraint violation, with the unit of each kind."""


def joint_quantities(
    j: int, joint: Joint, modes: tuple[JointRows, ...], jolting: bool
) -> dict[str, Quantity]:
    """Return the quantities of joint j, by name.

    - joint: declaration of the joint.
    - modes: constraints of each mode of the joint.
    - jolting: true if joints of the scenario can transmit impulses.
    """
    about_y = _turns_about_y(modes)
    frame = _frame_name(joint, "parent")
    of = partial(Items, numbers=(j,))
    found = _loads(j, joint) | {
        "displacement": vector_quantity(
            "m", "displacement of the joint since the start", frame, "joint point", of(_displacement)
        ),
        "rotation": vector_quantity(
            "rad",
            f"rotation of the joint since the start ({'2-3-1' if about_y else '1-2-3'} angles)",
            frame,
            "",
            of(_rotation_231 if about_y else _rotation_123),
            2 * math.pi,
        ),
        "violation": scalar_quantity("1", f"constraint violation ({VIOLATION})", of(_violation)),
        "gap": scalar_quantity("m", "constraint violation as a distance", of(_gap)),
        "misalignment": scalar_quantity("rad", "constraint violation as an angle", of(_misalignment)),
        "violation_rate": scalar_quantity("1/s", "rate of the constraint violation", of(_violation_rate)),
        "active": scalar_quantity("1", "joint mode (0 free, 1 as declared)", of(_mode)),
    }
    if any(rows.rod for rows in modes):
        found["length"] = scalar_quantity("m", "distance between the joint points", of(_length))
    if any(rows.rolls for rows in modes):
        contact = "contact point of the disk, from the parent's joint point"
        found["contact"] = vector_quantity("m", contact, frame, "rim", partial(_contact, j=j))
    if joint.driven is not None or joint.rates is not None:
        found["power"] = scalar_quantity("W", "power of the prescribed motion", of(_power))
    return found | (_impulses(j, joint) if jolting else {}) | _reactions(j, joint)


def _frame_name(joint: Joint, end: End) -> str:
    return f"{getattr(joint, end)}'s joint frame"


# --- loads


def _loads(j: int, joint: Joint) -> dict[str, Quantity]:
    """Force and torque on the child, in both joint frames."""
    found = {}
    for end, suffix in zip(ENDS, ("", "_child"), strict=True):
        frame = _frame_name(joint, end)
        for name, unit in LOADS.items():
            load = Items(LOAD_IN[name, end], (j,))
            found[name + suffix] = vector_quantity(
                unit, f"joint {name} on {joint.child}", frame, "joint point", load
            )
    return found


def _impulses(j: int, joint: Joint) -> dict[str, Quantity]:
    """Impulses on the child from captures and releases at the last event."""
    found = {}
    for name, unit, load in (("impulse", "N s", _impulse), ("angular_impulse", "N m s", _angular_impulse)):
        found[name] = vector_quantity(
            unit,
            f"joint {name.replace('_', ' ')} on {joint.child}",
            _frame_name(joint, "parent"),
            "joint point",
            Items(load, (j,)),
        )
    return found


def _reactions(j: int, joint: Joint) -> dict[str, Quantity]:
    """The load on each body, moved to its centre of mass. The ground has no such quantity."""
    found = {}
    for end in ENDS:
        body = getattr(joint, end)
        if body == GROUND:
            continue
        for name, unit in LOADS.items():
            found[f"reaction_{end}_{name}"] = vector_quantity(
                unit,
                f"joint {name} on {body}",
                f"{body} structural axes",
                f"centre of mass of {body}",
                Items(REACTION[name, end], (j,)),
            )
    return found


class _Own(NamedTuple):
    """Constraint rows of some joints in columns: row indices (joint, place), and a mask of valid places.

    Both are static.
    """

    rows: np.ndarray
    there: np.ndarray

    def of(self, field, axis: int = 0):
        """Return the entries of a field in these rows, (..., joint, place, *cases)."""
        return pick(field, self.rows, axis)

    def aligned_marks(self, marks, like):
        """Return a mask (joint, place) with the axes of a field (..., joint, place, *cases). The mask is zero
        at places without a row."""
        return add_axes(jnp.asarray(marks * self.there), 2 + like.ndim)


def _own(m: Here, joints) -> _Own:
    rows = [m.equations.table.of_joint(j) for j in joints]
    width = max(map(len, rows))
    there = np.array([[k < len(own) for k in range(width)] for own in rows], float)
    return _Own(np.array([own + [0] * (width - len(own)) for own in rows]), there)


def _sum_of_loads(m: Here, joints, multipliers, forces: bool):
    """Sum of the loads of the multipliers over each joint's force rows or torque rows, (3, joint).

    The loads are on the child at its joint point, inertial axes (TP-2016 eqs 89, 90). A force at another
    point has a torque about the joint point."""
    own, marks = _own(m, joints), m.equations.table.forces
    load = own.of(_rows(m).direction, 1) * own.of(multipliers)
    chosen = marks[own.rows] == forces
    total = jnp.sum(load * own.aligned_marks(chosen, m.t), 2)
    arm = _rows(m).arm
    if forces or arm is None:
        return total
    return total + jnp.sum(cross(own.of(arm, 1), load) * own.aligned_marks(~chosen, m.t), 2)


def _load(m: Here, joints, name: str):
    return _sum_of_loads(m, joints, m.multipliers, name == "force")


def joint_load(m: Here, j: int, name: str):
    """Return the force [N] or torque [N m] of joint j on its child (3, *cases), inertial axes.

    The load acts at the joint point. name: "force" or "torque".
    """
    return column(_load(m, np.array([j]), name), 0, 1)


def _load_in(m: Here, joints, name: str, end: End):
    """Load on the child at the joint point, in the joint frame of one end."""
    return in_frame(_some(m.frame_a if end == "parent" else m.frame_b, joints, 2), _load(m, joints, name))


def _reaction(m: Here, joints, name: str, end: End):
    """Joint load on one body as force or torque about its centre of mass, axes of this body."""
    pairs, table = m.pairs, m.equations.table
    assert pairs is not None
    force = _load(m, joints, "force")
    inertial = force
    if name == "torque":
        arm = _some(pairs.arm_b, joints, 1)
        if end == "parent":
            arm = _some(pairs.arm_a, joints, 1) + _some(pairs.gap, joints, 1)
        inertial = _load(m, joints, "torque") + cross(*jnp.broadcast_arrays(arm, force))
    ends = np.array(table.child if end == "child" else table.parent)[joints]
    bodies, sign = m.equations.layout.columns.bodies_of(ends), 1.0 if end == "child" else -1.0
    if name == "torque" and np.any(bodies != ends):
        place = m.motion.position
        inertial = inertial + cross(select(place, ends, 1) - select(place, bodies, 1), force)
    return rotate_back(select(m.motion.rotation, bodies, 2), sign * inertial)


LOADS = {"force": "N", "torque": "N m"}
LOAD_IN = {(name, end): partial(_load_in, name=name, end=end) for name in LOADS for end in ENDS}
REACTION = {(name, end): partial(_reaction, name=name, end=end) for name in LOADS for end in ENDS}


def _impulse(m: Here, joints):
    """Impulse on the child at the last event, parent's joint frame."""
    return in_frame(_some(m.frame_a, joints, 2), _sum_of_loads(m, joints, m.discrete.impulse, True))


def _angular_impulse(m: Here, joints):
    return in_frame(_some(m.frame_a, joints, 2), _sum_of_loads(m, joints, m.discrete.impulse, False))


def _power(m: Here, joints):
    """Power of a joint's forces on both bodies [W]: lam^T A u of the joint's rows.

    This is the power of the prescribed motions. Without prescribed motions A u = 0.
    """
    own, table, rows = _own(m, joints), m.equations.table, _rows(m)
    motion = m.moving_at(*(np.array(ends)[joints] for ends in (table.parent, table.child)))
    speed = jnp.concatenate([motion.velocity, motion.spin_body])
    of_a, of_b = (
        select(speed, np.array(ends)[joints], 1)[:, :, None] for ends in (table.parent, table.child)
    )
    rates = jnp.sum(own.of(rows.on_a, 1) * of_a + own.of(rows.on_b, 1) * of_b, 0)
    return jnp.sum(rates * own.of(m.multipliers) * own.aligned_marks(1.0, m.t), 1)


# --- pose


def joint_pose(mechanism, now, joints):
    """Return the displacements [m] (3, joint) and rotations (3, 3, joint) of joints, in the parents' joint
    frames.

    The displacements and rotations are those of the child's joint point and joint frame relative to the
    parent. joints: indices of the joints.

    now: state at which the joints are evaluated.
    """
    frame_a = _some(now.frame_a, joints, 2)
    frame_b = _some(now.pairs.rotation_b, joints, 2)
    if mechanism.numbers.frame_b is not None:
        frame_b = product(frame_b, _some(mechanism.numbers.frame_b, joints, 2))
    gap, turn = in_frame(frame_a, _some(now.pairs.gap, joints, 1)), product(transpose(frame_a), frame_b)
    shape = (3, len(joints), *now.pairs.gap.shape[2:])
    return jnp.broadcast_to(gap, shape), jnp.broadcast_to(turn, (3, *shape))


def _some(field, joints, axis: int):
    """The entries of some joints. A field may have one entry for all joints."""
    return field if field.shape[axis] == 1 else select(field, joints, axis)


def _displacement(m: Here, joints):
    settled = select(m.equations.reference.displacement, joints, 1)
    return joint_pose(m.mechanism, m, joints)[0] - settled


def _length(m: Here, joints):
    assert m.pairs is not None
    return norm(_some(m.pairs.gap, joints, 1))


def _contact(m: Here, j: int):
    """Lowest point of a rolling disk's rim. If the joint was replaced, the present disk counts."""
    table, rows = m.equations.table, _rows(m)
    assert m.pairs is not None
    assert rows.arm is not None
    mine = [k for k in table.of_joint(j) if k in table.contact_rows]
    arm = rows.arm[:, mine[0]]
    for k in mine[1:]:
        arm = jnp.where(m.discrete.active[k] > 0, rows.arm[:, k], arm)
    return in_frame(column(m.frame_a, j, 2), column(m.pairs.gap, j, 1) + arm)


def _turns_about_y(modes: tuple[JointRows, ...]) -> bool:
    """Whether the joint rotates about y only, in all modes with one axis of rotation.

    y is the middle angle of the 1-2-3 sequence. This angle is ambiguous beyond 90 deg.
    """
    free = {b for rows in modes if len(rows.rotations) == 2 for b, _ in rows.rotations}
    return free == {1}


def _turn(m: Here, joints):
    turn = joint_pose(m.mechanism, m, joints)[1]
    return product(turn, transpose(select(m.equations.reference.turn, joints, 2)))


def _rotation_123(m: Here, joints):
    return rotations.angles_123(_turn(m, joints))


def _rotation_231(m: Here, joints):
    return rotations.angles_231(_turn(m, joints))


# --- rows


def _rows(m: Here) -> Rows:
    """The constraint rows; a scenario with joints has at least one."""
    assert m.rows is not None
    return m.rows


def _mode(m: Here, joints):
    return select(m.discrete.mode, joints, 0).astype(float)


def _largest(m: Here, joints, field):
    """Largest absolute value over the active rows of each joint."""
    own = _own(m, joints)
    return jnp.max(jnp.abs(own.of(field)) * own.of(m.discrete.active) * own.aligned_marks(1.0, m.t), 1)


def _violation(m: Here, joints):
    return _largest(m, joints, _rows(m).g)


def _violation_rate(m: Here, joints):
    return _largest(m, joints, _rows(m).gdot)


def _gap(m: Here, joints):
    return _worst(m, joints, forces=True)


def _worst(m: Here, joints, forces: bool):
    """Largest |g| over each joint's active rows of distances (if `forces`) or angles; zero without rows."""
    marks = _column(m.equations.table.forces == forces, m.t)
    return _largest(m, joints, _rows(m).g / _sines(m) * marks)


def _sines(m: Here):
    """Sines of the angles that rotation rows constrain, and 1 for other rows: (row, *cases).

    The sine is the magnitude of the derivative of the constrained cosine with respect to the angle.
    """
    cosine, table = m.mechanism.numbers.cosine, m.equations.table
    if cosine is None:
        return 1.0
    before = jnp.ones((table.first_rotation, *cosine.shape[1:]))
    after = jnp.ones((table.count - table.first_rotation - cosine.shape[0], *cosine.shape[1:]))
    return jnp.concatenate([before, jnp.sqrt(1 - cosine**2), after])


def _column(marks, like):
    return add_axes(jnp.asarray(marks, float), 1 + like.ndim)


def _misalignment(m: Here, joints):
    """Misalignment angle of each joint. Its sine is the largest error of a direction cosine over the sine of
    the constrained angle.

    This is exact for rows at a right angle.
    """
    return jnp.arcsin(jnp.minimum(_worst(m, joints, forces=False), 1.0))
