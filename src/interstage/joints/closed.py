"""How far joints are from closed, and which states a guest is not begun with (decision 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..formulations import cholesky
from ..maths.vectors import widened
from ..model.constraint_rows import FLAT
from ..model.joint import Joint
from ..model.joint_rows import rows_of
from ..tree.errors import BadInput, Problem
from .equations import Placed
from .structure import Structure

OVER = 0.5 * np.pi
"""From here on two or three rows of rotations draw a joint to where it is turned over, which satisfies them
too [rad]. One row admits that by the rotations that it leaves free."""


class Gaps(NamedTuple):
    """How far joints are from what they hold, (joint, *cases): gap [m] between the points, of a rod from its
    length; turn [rad] of the child's frame from where it may be; speed [m/s] and spin [rad/s] along and about
    what is held. Zero for what a joint lets move."""

    gap: np.ndarray
    turn: np.ndarray
    speed: np.ndarray
    spin: np.ndarray


def gaps(structure: Structure, at: Placed) -> Gaps:
    """The gaps of all joints of a structure."""
    table, forces = structure.table, structure.table.forces
    lanes = at.rows.g.shape[1:]
    lengths, rates = np.array(at.rows.g), at.rows.gdot
    if table.rods:
        rods = slice(len(table.translations), table.first_rotation)
        length: Any = widened(structure.sizes.length, lengths.ndim)
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
    """By the whole rotation, which tells a frame that is turned over where rows do not. facing (3, 3,
    *cases): the child's axes in those of the parent, as columns."""
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
    """Refuse new joints (joint, *cases) that are farther from closed than is allowed [m, rad], unless they
    say `assemble`, and any that are turned over. Raises BadInput."""
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
            (found.gap[j], held & (found.gap[j] > allowed_gap), lambda far: _apart(far, allowed_gap)),
            (found.turn[j], held & (found.turn[j] > allowed_turn), lambda far: _turned(far, allowed_turn)),
        ):
            if wrong.any():
                place = tuple(map(int, np.argwhere(wrong)[0]))
                case = f"in case {place[0]} " if place else ""
                yield Problem(f"joints.{joint.name}", case + say(float(values[place])))
                break


def refuse_stuck(structure: Structure, at: Placed, active: Any) -> None:
    """Refuse states in which an active row holds nothing, whatever elimination makes of it: that of two axes
    that lie along each other, and those of a disk that lies flat. Raises BadInput."""
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
    """Refuse what elimination has made no numbers of (component, body, *cases). Raises BadInput."""
    wrong = ~np.isfinite(found)
    if wrong.any():
        _, _, *lane = np.argwhere(wrong)[0].tolist()
        raise stuck(structure.joints, lane)


def stuck(joints: Sequence[str], lane: Sequence[int] = ()) -> BadInput:
    """What is reported of joints that a state leaves nothing to hold by."""
    case = f" in case {lane[0]}" if lane else ""
    text = (
        f"cannot hold in this state{case}: axes that a joint keeps at an angle lie along each other, the two"
        " points of a rod are one, or a disk lies flat"
    )
    remedy = "look at the positions and attitudes, the host may have diverged"
    return BadInput(Problem("joints", f"{', '.join(joints)} {text}; {remedy}"))


REMEDY = (
    "Look at mass_centre, points, frames and axes, put the bodies together by projected, or let feedback do"
    " so: assemble = true of the joint"
)


def _turned_over(turn: float) -> str:
    return (
        f"the child's joint frame is turned by {np.degrees(turn):.4g} deg from what the joint allows, and"
        " would be held turned over; allowed: below 90 deg. Look at the quaternions (scalar first, body to"
        " inertial) and the joint's frames"
    )


def _apart(gap: float, allowed: float) -> str:
    return (
        f"the child's point is {gap:.4g} m from where the parent's has it; allowed: {allowed:g} m. {REMEDY},"
        " or assemble_tolerance"
    )


def _turned(turn: float, allowed: float) -> str:
    return (
        f"the child's joint frame is turned by {np.degrees(turn):.4g} deg from what the joint allows;"
        f" allowed: {np.degrees(allowed):.3g} deg. {REMEDY}, or assemble_angle"
    )
