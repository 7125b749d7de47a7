"""Gap errors of joints in co-simulation, and checks of states and loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..formulations import cholesky
from ..maths.vectors import add_axes
from ..model.constraint_rows import FLAT
from ..model.joint import Joint
from ..model.joint_rows import rows_of
from ..tree.errors import BadInput, Problem
from .equations import Placed
from .structure import Structure

OVER = 0.5 * np.pi
"""Rotation error [rad] above which the attitude of a joint counts as reversed.

The reversed attitude also satisfies two or three rotation constraints, so that the joint would pull its
bodies to this attitude. If a joint has one rotation constraint, the free rotations allow the reversed
attitude.
"""


class Gaps(NamedTuple):
    """Violations of the joints in one state, each (joint, *cases); zero along free axes.

    - gap: distance between the joint points, or difference from the length of a rod [m]
    - turn: rotation angle of the child's joint frame from its allowed attitude [rad]
    - speed: relative velocity along constrained axes [m/s]
    - spin: relative angular velocity about constrained axes [rad/s]"""

    gap: np.ndarray
    turn: np.ndarray
    speed: np.ndarray
    spin: np.ndarray


def gaps(structure: Structure, at: Placed) -> Gaps:
    """Return the gaps of all joints of a structure in one state `at`."""
    table, forces = structure.table, structure.table.forces
    lanes = at.rows.g.shape[1:]
    lengths, rates = np.array(at.rows.g), at.rows.gdot
    if table.rods:
        rods = slice(len(table.translations), table.first_rotation)
        length: Any = add_axes(structure.sizes.length, lengths.ndim)
        lengths[rods] = np.sqrt(np.maximum(length * (length + 2 * lengths[rods]), 0)) - length
    frame_a = at.frame_a if at.turn is None else np.einsum("ij...,jk...->ik...", at.frame_a, at.turn)
    facing = np.einsum("ij...,ik...->jk...", frame_a, at.frame_b)
    found = [
        (
            _size(lengths[own[forces[own]]], lanes),
            _turn(structure, j, facing[:, :, j]),
            _size(rates[own[forces[own]]], lanes),
            _size(rates[own[~forces[own]]], lanes),
        )
        for j, own in enumerate(np.array(table.of_joint(j), int) for j in range(len(structure.joints)))
    ]
    return Gaps(*(np.stack(each) for each in zip(*found)))


def _size(parts: Any, lanes: tuple[int, ...]) -> np.ndarray:
    return np.sqrt(np.sum(parts * parts, 0)) if len(parts) else np.zeros(lanes)


def _turn(structure: Structure, j: int, facing: Any) -> Any:
    """Rotation error of a joint from the complete rotation. Unlike the constraint rows, it detects reversed
    frames. facing (3, 3, *cases): the child's axes in the parent's axes, as columns."""
    rotations = structure.table.rotations
    own = [k for k, (of, _, _) in enumerate(rotations) if of == j]
    if len(own) == 3:
        odd = facing - np.swapaxes(facing, 0, 1)
        sine = np.sqrt(np.sum(odd * odd, (0, 1)) / 2)
        return np.arctan2(sine, np.einsum("ii...", facing) - 1)
    if len(own) == 2:
        axis = rotations[own[0]][1]
        across = np.delete(facing[:, axis], axis, 0)
        return np.arctan2(np.sqrt(np.sum(across * across, 0)), facing[axis, axis])
    if not own:
        return np.zeros(facing.shape[2:])
    (k,), cosines = own, structure.sizes.cosine
    held = 0.0 if cosines is None else cosines[k]
    _, b, a = rotations[k]
    return np.abs(np.arccos(np.clip(facing[a, b], -1, 1)) - np.arccos(held))


def refuse_far(
    joints: Sequence[Joint], found: Gaps, new: np.ndarray, allowed_gap: float, allowed_turn: float
) -> None:
    """Reject new joints whose gap exceeds the tolerances, and all reversed joints. Raises BadInput.

    - found: gaps of all joints.
    - new (joint, *cases): whether each joint has just become active.
    - allowed_gap [m], allowed_turn [rad]: tolerances. Joints with `assemble` may have any gap.
    """
    problems = list(_far(joints, found, new, allowed_gap, allowed_turn))
    if problems:
        raise BadInput(problems)


def _far(
    joints: Sequence[Joint], found: Gaps, new: np.ndarray, allowed_gap: float, allowed_turn: float
) -> Iterator[Problem]:
    for j, joint in enumerate(joints):
        held = new[j] & (not joint.assemble)
        has_another_side = len(rows_of(joint).rotations) > 1
        over = new[j] & has_another_side & (found.turn[j] >= OVER)
        for values, wrong, say in (
            (found.turn[j], over, _turned_over),
            (found.gap[j], held & (found.gap[j] > allowed_gap), lambda far: _gap_message(far, allowed_gap)),
            (
                found.turn[j],
                held & (found.turn[j] > allowed_turn),
                lambda far: _rotation_message(far, allowed_turn),
            ),
        ):
            if wrong.any():
                place = tuple(map(int, np.argwhere(wrong)[0]))
                case = f"in case {place[0]}, " if place else ""
                yield Problem(f"joints.{joint.name}", case + say(float(values[place])))
                break


def refuse_stuck(structure: Structure, at: Placed, active: Any) -> None:
    """Reject states in which an active constraint is singular: two axes are parallel, or a disk lies flat.
    Raises BadInput.

    active (row, *cases): 1 for active rows, else 0. None: all rows are active.
    """
    table, direction = structure.table, at.rows.direction
    about = slice(table.first_rotation, table.first_rotation + len(table.rotations))
    without = np.sum(direction[:, about] ** 2, 0) <= cholesky.SINGULAR
    if not (table.contacts or without.any()):
        return
    gone = np.zeros(at.rows.g.shape, bool)
    gone[about] = without
    for row in table.contact_rows:
        j = table.joint[row]
        gone[row] = 1 - np.abs(np.sum(at.frame_a[:, 2, j] * at.frame_b[:, 2, j], 0)) < FLAT
    if active is not None:
        gone &= active > 0
    for row, *lane in np.argwhere(gone)[:1].tolist():
        raise stuck([structure.joints[table.joint[row]]], lane)


def refuse_no_numbers(structure: Structure, found: np.ndarray) -> None:
    """Reject loads `found` (component, body, *cases) that are not finite. Raises BadInput."""
    wrong = ~np.isfinite(found)
    if wrong.any():
        _, _, *lane = np.argwhere(wrong)[0].tolist()
        raise stuck(structure.joints, lane)


def stuck(joints: Sequence[str], lane: Sequence[int] = ()) -> BadInput:
    """Return the error for joints that are singular in a state. `lane`: index of the case, or () for a single
    case.
    """
    case = f" in case {lane[0]}" if lane else ""
    text = (
        f"are singular in this state{case}: two axes that a joint keeps at an angle are parallel, the two "
        "points of a rod coincide, or a disk lies flat"
    )
    remedy = "Check the positions and attitudes. The host simulator may have diverged"
    return BadInput(Problem("joints", f"the joints {', '.join(joints)} {text}. {remedy}"))


REMEDY = (
    "Check 'mass_centre', joint points, frames and axes. Call `projected()` to assemble the bodies, or set"
    " assemble = true for the joint"
)


def _turned_over(turn: float) -> str:
    return (
        f"the child's joint frame is rotated by {np.degrees(turn):.4g} deg from the orientation that the "
        "joint requires. The joint would be closed in the opposite direction. Allowed: below 90 deg. Check "
        "the quaternions (scalar first, body to inertial) and the frames of the joint"
    )


def _gap_message(gap: float, allowed: float) -> str:
    return (
        f"the child's point is {gap:.4g} m from the parent's joint point. Allowed: {allowed:g} m. {REMEDY},"
        " or increase 'assemble_tolerance'"
    )


def _rotation_message(turn: float, allowed: float) -> str:
    return (
        f"the child's joint frame is rotated by {np.degrees(turn):.4g} deg from its allowed orientation."
        f" Allowed: {np.degrees(allowed):.3g} deg. {REMEDY}, or increase 'assemble_angle'"
    )
