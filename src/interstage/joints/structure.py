"""Joints of a co-simulation as arrays: constraint rows, bodies and joint points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..formulations import attachment_stiffness
from ..maths import curves
from ..maths.connected import Connected
from ..maths.rotations import matrix_of, quaternion_of
from ..model.constraint_rows import RowTable, Sizes
from ..model.joint import Joint
from ..model.joint_rows import rows_of
from ..tree.names import GROUND


class Structure(NamedTuple):
    """Constant data of the joints.

    - count: number of bodies without the ground. ground: whether a joint is attached to the ground
    - joints: names of the joints. table: constraint rows of the joints
    - parent, child (row,): indices of the two bodies of each constraint row; the ground has the last index
    - point_a, point_b (3, joint): joint points on parent and child from the body origin [m], structural axes
    - frame_a, frame_b (3, 3, joint): joint frames on parent and child, axes as columns, structural axes
    - sizes: lengths of rods, cosines of angles and radii of disks
    - motions, velocities: prescribed positions and rates of each joint; None without prescribed motions
    - compliances (3, joint): compliances along and about the axes of the parents' joint frames
    - loops: whether joints form closed loops
    """

    count: int
    ground: bool
    joints: tuple[str, ...]
    table: RowTable
    parent: np.ndarray
    child: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    frame_a: np.ndarray
    frame_b: np.ndarray
    sizes: Sizes
    motions: tuple[Any, ...] | None
    velocities: tuple[Any, ...] | None
    compliances: tuple[np.ndarray, np.ndarray]
    loops: bool


def structure(bodies: Sequence[str], joints: Sequence[Joint], sharing_length: float) -> Structure:
    """Return the constant data of joints between bodies, or between bodies and the ground.

    sharing_length: length [m] that relates torsional to linear stiffness.
    """
    number = {name: k for k, name in enumerate((*bodies, GROUND))}
    table = _table([(number[j.parent], number[j.child]) for j in joints], joints)
    sets = Connected()
    in_loops = [not sets.join(joint.parent, joint.child) for joint in joints]
    softness = attachment_stiffness.compliances(joints, sharing_length)
    return Structure(
        count=len(bodies),
        ground=any(joint.parent == GROUND for joint in joints),
        joints=tuple(joint.name for joint in joints),
        table=table,
        parent=np.array(table.parent, int)[table.joint],
        child=np.array(table.child, int)[table.joint],
        point_a=_side_by_side([joint.parent_at for joint in joints]),
        point_b=_side_by_side([joint.child_at for joint in joints]),
        frame_a=_frames([joint.parent_frame for joint in joints]),
        frame_b=_frames([joint.child_frame for joint in joints]),
        sizes=_sizes(table, joints),
        motions=_prescription([joint.driven for joint in joints]),
        velocities=_prescription([joint.rates for joint in joints]),
        compliances=(_side_by_side(softness[0]), _side_by_side(softness[1])),
        loops=any(in_loops),
    )


def _table(ends: Sequence[tuple[int, int]], joints: Sequence[Joint]) -> RowTable:
    rows = list(enumerate(map(rows_of, joints)))
    return RowTable(
        parent=tuple(a for a, _ in ends),
        child=tuple(b for _, b in ends),
        translations=tuple((j, axis) for j, own in rows for axis in own.translations),
        rods=tuple(j for j, own in rows if own.rod),
        rotations=tuple((j, b, a) for j, own in rows for b, a in own.rotations),
        contacts=tuple(j for j, own in rows if own.rolls),
        speeds=tuple((j, *speed) for j, own in rows for speed in own.speeds),
        spins=tuple((j, *spin) for j, own in rows for spin in own.spins),
    )


def _sizes(table: RowTable, joints: Sequence[Joint]) -> Sizes:
    angles = [joints[j].angle for j, _, _ in table.rotations]
    cosines = [0.0 if angle is None else np.cos(float(angle)) for angle in angles]
    found: list[Any] = [[joints[j].length for j in table.rods], cosines if any(cosines) else []]
    found.append([joints[j].radius for j in table.contacts])
    return Sizes(*(np.array(each, float) if each else None for each in found))  # type: ignore[arg-type]


def _frames(attitudes: Sequence[Any]) -> np.ndarray:
    return np.stack([matrix_of(np.asarray(quaternion_of(each))) for each in attitudes], 2)


def _side_by_side(vectors: Sequence[Any]) -> np.ndarray:
    return np.stack([np.broadcast_to(np.asarray(each, float), (3,)) for each in vectors], 1)


def _prescription(declared: Sequence[Any]) -> tuple[Any, ...] | None:
    if not any(each is not None for each in declared):
        return None
    return tuple(
        None if each is None else {axis: _ready(getattr(each, axis)) for axis in each.axes()}
        for each in declared
    )


def _ready(motion: Any) -> Any:
    return curves.curve(motion.time, motion.value, "cubic") if motion.kind == "table" else motion
