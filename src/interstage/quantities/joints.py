"""Quantities of one joint: its loads in several axes, its displacement and rotation, and how well it
holds."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import jax.numpy as jnp

from .. import rotations
from ..model.attachments import column
from ..model.constraint_rows import Rows
from ..model.joint import Joint
from ..model.joint_rows import JointRows
from ..model.names import GROUND
from ..numbers import in_frame, joint_frames
from ..vectors import cross, product, rotate_back, transposed
from .quantity import Moment, Quantity, scalar_quantity, vector_quantity

End = Literal["parent", "child"]
ENDS: tuple[End, ...] = ("parent", "child")


def joint_quantities(
    j: int, joint: Joint, modes: tuple[JointRows, ...], capturing: bool
) -> dict[str, Quantity]:
    """Quantities of joint j; capturing: whether joints of this scenario can catch a body."""
    about_y = _turns_about_y(modes)
    frame = _frame_name(joint, "parent")
    found = _loads(j, joint) | {
        "displacement": vector_quantity(
            "m", "joint displacement", frame, "joint point", lambda m: _displacement(m, j)
        ),
        "rotation": vector_quantity(
            "rad",
            f"joint rotation ({'2-3-1' if about_y else '1-2-3'} angles)",
            frame,
            "",
            partial(_rotation, j=j, about_y=about_y),
            2 * math.pi,
        ),
        "violation": scalar_quantity(
            "1", "constraint violation (m, or direction cosine)", lambda m: _violation(m, j, _rows(m).g)
        ),
        "gap": scalar_quantity("m", "distance from holding", partial(_worst, j=j, forces=True)),
        "misalignment": scalar_quantity("rad", "angle from holding", partial(_misalignment, j=j)),
        "violation_rate": scalar_quantity(
            "1/s", "rate of the constraint violation", lambda m: _violation(m, j, _rows(m).gdot)
        ),
        "active": scalar_quantity(
            "1", "mode (0 free, 1 as declared)", lambda m: m.discrete.mode[j].astype(float)
        ),
    }
    if any(rows.rolls for rows in modes):
        contact = "lowest point of the disk's rim, from the parent's joint point"
        found["contact"] = vector_quantity("m", contact, frame, "rim", partial(_contact, j=j))
    if joint.driven is not None or joint.rates is not None:
        found["power"] = scalar_quantity("W", "power fed in by the prescribed motion", partial(_power, j=j))
    return found | (_impulses(j, joint) if capturing else {}) | _reactions(j, joint)


def _frame_name(joint: Joint, end: End) -> str:
    return f"{getattr(joint, end)}'s joint frame"


# --- loads


def _loads(j: int, joint: Joint) -> dict[str, Quantity]:
    """Force and torque on the child, in both joint frames."""
    found = {}
    for end, suffix in zip(ENDS, ("", "_child"), strict=True):
        frame = _frame_name(joint, end)
        for which, (name, unit) in enumerate((("force", "N"), ("torque", "N m"))):
            load = partial(_load_in, j=j, end=end, which=which)
            found[name + suffix] = vector_quantity(
                unit, f"joint {name} on {joint.child}", frame, "joint point", load
            )
    return found


def _impulses(j: int, joint: Joint) -> dict[str, Quantity]:
    """Impulses of the last capture on the child."""
    found = {}
    for name, unit, forces in (("impulse", "N s", True), ("angular_impulse", "N m s", False)):
        found[name] = vector_quantity(
            unit,
            f"capture {name.replace('_', ' ')} on {joint.child}",
            _frame_name(joint, "parent"),
            "joint point",
            partial(_impulse, j=j, forces=forces),
        )
    return found


def _reactions(j: int, joint: Joint) -> dict[str, Quantity]:
    """The load on each body, moved to its mass centre; ground has none."""
    found = {}
    for end in ENDS:
        body = getattr(joint, end)
        if body == GROUND:
            continue
        for which, (name, unit) in enumerate((("force", "N"), ("torque", "N m"))):
            found[f"reaction_{end}_{name}"] = vector_quantity(
                unit,
                f"joint load on {body}",
                f"{body} structure axes",
                f"mass centre of {body}",
                partial(_reaction, j=j, end=end, which=which),
            )
    return found


def _summed(m: Moment, j: int, multipliers, forces: bool):
    """Sum over a joint's rows, those of forces or those of torques, of the loads that their multipliers stand
    for, on the child at its joint point, inertial axes (TP-2016 eqs 89, 90). A force that acts elsewhere has
    a torque about the joint point."""
    table, direction, arm = m.mechanism.table, _rows(m).direction, _rows(m).arm
    parts = []
    for k in table.of_joint(j):
        load = direction[:, k] * multipliers[k]
        if table.forces[k] == forces:
            parts.append(load)
        elif table.forces[k] and arm is not None:
            parts.append(cross(arm[:, k], load))
    return sum(parts, jnp.zeros_like(m.now.origin))


def joint_load(m: Moment, j: int):
    """Force and torque on the child at the joint point, inertial axes."""
    return [_summed(m, j, m.now.multipliers, forces) for forces in (True, False)]


def _load_in(m: Moment, j: int, end: End, which: int):
    frames = m.now.frame_a if end == "parent" else m.now.frame_b
    return in_frame(column(frames, j, 2), joint_load(m, j)[which])


def _reaction(m: Moment, j: int, end: End, which: int):
    """Joint load on one body as force or torque about its mass centre, that body's axes."""
    force, torque = joint_load(m, j)
    pairs, table = m.now.pairs, m.mechanism.table
    assert pairs is not None
    if end == "child":
        arm, body = column(pairs.arm_b, j, 1), table.child[j]
    else:
        arm, body = column(pairs.arm_a, j, 1) + column(pairs.gap, j, 1), table.parent[j]
        force, torque = -force, -torque
    inertial = force if which == 0 else torque + cross(arm, force)
    return rotate_back(m.now.motion.rotation[:, :, body], inertial)


def _impulse(m: Moment, j: int, forces: bool):
    """Impulse of the last capture on the child, parent's joint frame."""
    return in_frame(column(m.now.frame_a, j, 2), _summed(m, j, m.discrete.impulse, forces))


def _power(m: Moment, j: int):
    """Power of a joint's forces on both bodies [W]: lam^T A u of its rows. That is what prescribed motions
    feed in, since A u = 0 without them."""
    table, rows, motion = m.mechanism.table, _rows(m), m.now.motion
    speed = jnp.concatenate([motion.velocity, motion.spin_body])
    of_a, of_b = speed[:, table.parent[j]], speed[:, table.child[j]]
    rates = [jnp.sum(rows.on_a[:, k] * of_a + rows.on_b[:, k] * of_b, 0) for k in table.of_joint(j)]
    fed = [rate * m.now.multipliers[k] for rate, k in zip(rates, table.of_joint(j), strict=True)]
    return sum(fed, jnp.zeros_like(m.t))


# --- pose


def joint_poses(mechanism, now):
    """`joint_pose` of all joints: (3, joint) and (3, 3, joint)."""
    shape = (3, len(mechanism.layout.joints), *now.pairs.gap.shape[2:])
    gap = jnp.broadcast_to(in_frame(now.frame_a, now.pairs.gap), shape)
    frame_b = joint_frames(now.pairs.rotation_b, mechanism.numbers.frame_b)
    return gap, jnp.broadcast_to(product(transposed(now.frame_a), frame_b), (3, *shape))


def joint_pose(mechanism, now, j):
    """Displacement [m] (3) of the child's joint point and turn (3, 3) of its declared frame, parent's joint
    frame."""
    gap = in_frame(column(now.frame_a, j, 2), column(now.pairs.gap, j, 1))
    frame_b = column(now.pairs.rotation_b, j, 2)
    if mechanism.numbers.frame_b is not None:
        frame_b = product(frame_b, mechanism.numbers.frame_b[:, :, j])
    return gap, product(transposed(column(now.frame_a, j, 2)), frame_b)


def _displacement(m: Moment, j: int):
    return joint_pose(m.mechanism, m.now, j)[0] - m.mechanism.reference.displacement[:, j]


def _contact(m: Moment, j: int):
    """Lowest point of a rolling disk's rim, of the disk that holds now where it was replaced by others."""
    table, rows = m.mechanism.table, _rows(m)
    assert m.now.pairs is not None
    assert rows.arm is not None
    mine = [k for k in table.of_joint(j) if k in table.contact_rows]
    arm = rows.arm[:, mine[0]]
    for k in mine[1:]:
        arm = jnp.where(m.discrete.active[k] > 0, rows.arm[:, k], arm)
    return in_frame(column(m.now.frame_a, j, 2), column(m.now.pairs.gap, j, 1) + arm)


def _turns_about_y(modes: tuple[JointRows, ...]) -> bool:
    """Whether the joint, in the modes in which it turns about one axis only, does so about y: the middle one
    of the 1-2-3 angles, which folds back at 90 deg."""
    free = {b for rows in modes if len(rows.rotations) == 2 for b, _ in rows.rotations}
    return free == {1}


def _rotation(m: Moment, j: int, about_y: bool):
    turn = joint_pose(m.mechanism, m.now, j)[1]
    turn = product(turn, transposed(m.mechanism.reference.turn[:, :, j]))
    return rotations.angles_231(turn) if about_y else rotations.angles_123(turn)


# --- rows


def _rows(m: Moment) -> Rows:
    """The constraint rows; a scenario with joints has some."""
    assert m.now.rows is not None
    return m.now.rows


def _violation(m: Moment, j: int, field):
    """Largest absolute value over the active rows of the joint."""
    values = [jnp.abs(field[k]) * m.discrete.active[k] for k in m.mechanism.table.of_joint(j)]
    return jnp.max(jnp.stack(values), 0)


def _worst(m: Moment, j: int, forces: bool):
    """Largest |g| over the joint's active rows that hold distances (forces), or angles; zero if none does."""
    table = m.mechanism.table
    rows = [k for k in table.of_joint(j) if table.forces[k] == forces]
    values = [jnp.abs(_rows(m).g[k]) * m.discrete.active[k] / _sine(m, k) for k in rows]
    return jnp.max(jnp.stack(values), 0) if values else jnp.zeros_like(m.t)


def _sine(m: Moment, k: int):
    """Sine of the angle that a rotation row holds: the rate at which its cosine changes with the angle."""
    cosine, first = m.mechanism.numbers.cosine, m.mechanism.table.first_rotation
    if cosine is None or not first <= k < first + cosine.shape[0]:
        return 1.0
    return jnp.sqrt(1 - cosine[k - first] ** 2)


def _misalignment(m: Moment, j: int):
    """The angle whose sine is the largest error of a direction cosine, over the sine of the angle held: exact
    for rows at a right angle."""
    return jnp.arcsin(jnp.minimum(_worst(m, j, forces=False), 1.0))
