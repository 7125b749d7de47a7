"""Check whether the initial state is consistent with the joints.

Small deviations are corrected and reported. Larger deviations are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.contract import ChecksStart
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..engine.numbers import numbers
from ..engine.redundancy import contradictions, differing, holding_too_much, rejected_rows, repetition
from ..engine.state import origin_of
from ..formulations import elimination
from ..maths.arrays import jax
from ..model.constraint_rows import FLAT
from ..tree.errors import BadInput, Problem
from .by_pattern import of_patterns
from .start import Start

# Step of rk4 times the rate of a motion, beyond which this grows: the end of the region of stability on the
# negative axis; on the imaginary one it is sqrt(8).
STABLE = 2.78
# Gap [m], or cosine, above which the corrections have not closed a joint.
CLOSED = 1e-6
# A correction smaller than this many roundings of the body's own numbers is not worth a line.
REPORTED = 1e-9


class OpenJoints(BadInput):
    """Error: joints are open in the declared initial state. The initial state has no other problem."""


def examine(layout: Layout, start: Start, open_too: bool = False) -> tuple[list[str], list[str]]:
    """Check the initial state of one case, and return (corrections, warnings) as texts. Raises BadInput with
    all problems.

    - layout: layout with the values of the scenario.
    - start: initial state after its corrections.
    - open_too: if true, joints may be open as declared, provided that the corrections close them.
      Default: False.
    """
    # Rows that hold what nothing can move, or are far from closed, leave the rest without meaning.
    placed, found = (
        repetition(layout, start.discrete.active, held) for held in (start.held_placed, start.held)
    )
    gaps, problems = [] if open_too else [*_gaps(layout, start)], [*_no_rod(layout, start)]
    if gaps and not problems:
        raise OpenJoints(of_patterns(layout.scenario, gaps))
    problems = [*gaps, *problems] or list(rejected_rows(layout, placed))
    problems = problems or [
        *_lying_flat(layout, start),
        *_turned_over(layout, start),
        *_not_closed(layout, start),
        *(problem for part in layout.parts.values() for problem in part.start_problems(start)),
    ]
    problems = problems or [*rejected_rows(layout, found), *contradictions(layout, found, start)]
    if problems:
        raise BadInput(of_patterns(layout.scenario, problems))
    said = [*_springs(layout, start), *_unphysical(layout), *_moving_apart(layout, start)]
    return _corrections(layout, start), said


def refused_lanes(layout: Layout, start: Start, lanes: int) -> dict[int, tuple[Problem, ...]]:
    """Return the problems of each case whose initial state is not consistent, by index of the case.

    start: initial states of the cases. `lanes`: number of cases.
    """
    found: dict[int, tuple[Problem, ...]] = {}
    doubtful = set(np.flatnonzero(_doubtful(layout, start)[:lanes]).tolist())
    for lane in range(lanes):
        # The first case also for what does not differ among cases, and then all of them.
        if lane in {0, *doubtful} or (0 in found and 0 not in doubtful):
            try:
                examine(layout, _lane(start, lane))
            except BadInput as error:
                found[lane] = error.problems
    return found


def _doubtful(layout: Layout, start: Start) -> np.ndarray:
    """Cases, (cases,) bool, in which a number that `examine` checks exceeds its limit. They include all cases
    that `examine` rejects."""
    table, solver = layout.table, layout.scenario.solver
    doubt = ~np.all(np.abs(start.left) <= CLOSED, axis=0)
    for k in range(table.count):
        joint = layout.scenario.joints[table.joint[k]]
        force, gap = table.forces[k], np.asarray(start.gap[k])
        off = np.abs(gap) if force else _turned_off(layout, k, gap)
        if not joint.assemble:
            doubt |= off > float(solver.assemble_tolerance if force else solver.assemble_angle)
    for j in range(len(layout.joints)):
        doubt |= _flat(layout, start, j)
        for k in _facing(layout, j):
            doubt |= np.asarray(start.facing)[k, k, j] < 0
    doubt |= np.any(_rods_without_direction(layout, start), axis=0)
    for part in layout.having(ChecksStart):
        found = part.doubtful_cases(start, start.own.get(part.name))
        doubt |= False if found is None else found
    for held in (start.held_placed, start.held):
        doubt |= holding_too_much(layout, start.discrete.active, held)
    return doubt | differing(layout, start)


def _lane(start: Start, lane: int) -> Start:
    return jax.tree.map(lambda field: field[..., lane], start)


def _gaps(layout, start):
    """Problems of joints whose gap at the start exceeds the tolerance."""
    solver = layout.scenario.solver
    for j, joint in enumerate(layout.scenario.joints):
        rows = layout.table.of_joint(j)
        lengths = [abs(float(start.gap[k])) for k in rows if layout.table.forces[k]]
        turns = [_turned_off(layout, k, float(start.gap[k])) for k in rows if not layout.table.forces[k]]
        allowed, angle = float(solver.assemble_tolerance), float(solver.assemble_angle)
        remedy = "or set assemble = true to move the bodies automatically"
        if not joint.assemble and max(lengths, default=0.0) > allowed:
            yield Problem(
                f"joints.{joint.name}",
                f"the initial positions violate the joint by {np.sqrt(np.sum(np.square(lengths))):.4g} m;"
                " allowed:"
                f" {allowed:g} m. Change 'child_at' or the initial position of a body, {remedy}",
            )
        elif not joint.assemble and max(turns, default=0.0) > angle:
            yield Problem(
                f"joints.{joint.name}",
                f"the initial attitudes violate the joint by {np.degrees(max(turns)):.4g} deg; allowed:"
                f" {np.degrees(angle):.3g} deg. Change 'child_frame' or the initial attitude of a body,"
                f" {remedy}",
            )


def _turned_off(layout: Layout, row: int, value: Any) -> Any:
    """Difference between an angle and the angle that a rotation row constrains [rad], for the value (*cases)
    of its g."""
    table, mode = layout.table, layout.table.modes[row]
    angle: Any = layout.joint_type(layout.scenario, table.joint[row], mode).angle if mode else 0.5 * np.pi
    held = np.cos(float(angle))
    return np.abs(np.arccos(np.clip(held + value, -1.0, 1.0)) - np.arccos(held))


def _lying_flat(layout, start):
    """Problems of rolling disks that lie flat on their plane, so that the point of contact is undefined."""
    for j, joint in enumerate(layout.scenario.joints):
        if _flat(layout, start, j):
            yield Problem(
                f"joints.{joint.name}",
                "the disk lies flat on the plane, so its point of contact is not unique. Tilt the axle (z"
                " axis"
                " of the child's joint frame) away from the normal of the plane (z axis of the parent's"
                " joint frame)",
            )


def _flat(layout: Layout, start: Start, j: int) -> Any:
    """Whether the disk of a joint lies flat, (*cases)."""
    joint = layout.scenario.joints[j]
    rolls = joint.kind == "rolling" and joint.active
    return rolls & (1 - np.abs(np.asarray(start.facing)[2, 2, j]) < FLAT)


def _not_closed(layout, start):
    """Problems of joints that the corrections cannot close."""
    for j, joint in enumerate(layout.scenario.joints):
        rows = layout.table.of_joint(j)
        # A start that is not a number is not closed either.
        if not all(abs(float(start.left[k])) <= CLOSED for k in rows):
            yield Problem(
                f"joints.{joint.name}",
                "the joint cannot be assembled from the initial state. Move the initial positions closer"
                " to the"
                " joint",
            )


def _no_rod(layout: Layout, start: Any) -> Iterator[Problem]:
    """Problems of rods whose two end points coincide."""
    short = _rods_without_direction(layout, start)
    for i in np.flatnonzero(short):
        text = (
            f"the two joint points coincide ({float(start.rods.length[i]):.2g} m apart), so the rod has no"
            " direction"
        )
        place = f"joints.{layout.joints[layout.table.rods[i]]}"
        yield Problem(place, f"{text}. Move 'parent_at' or 'child_at', or use a spherical joint")


def _rods_without_direction(layout: Layout, start: Any) -> Any:
    """Whether each rod has no direction (rod, *cases). Only rods that are active at the start, or take their
    length from the start, are checked."""
    if start.rods is None:
        return np.zeros((0, *np.shape(start.x)[1:]), bool)
    first, count = len(layout.table.translations), len(layout.table.rods)
    holds = np.asarray(start.discrete.active)[first : first + count] > 0
    needed = holds | (np.asarray(start.reference.rod_length) <= np.asarray(start.rods.least))
    return needed & np.asarray(start.rods.without_direction(origin_of(layout, start.x)))


def _turned_over(layout, start):
    """Problems of joints whose child is reversed by 180 deg. The rotation rows are also satisfied then,
    although this attitude was not declared."""
    for j, joint in enumerate(layout.scenario.joints):
        wrong = ["xyz"[k] for k in _facing(layout, j) if np.asarray(start.facing)[k, k, j] < 0]
        if wrong:
            yield Problem(
                f"joints.{joint.name}",
                f"axis {' and '.join(wrong)} of the child's joint frame is opposite to the same axis of the"
                " parent's joint frame, but the directions must agree. Rotate 'child_frame' or the child's"
                " initial"
                " attitude by 180 deg",
            )


def _facing(layout: Layout, j: int) -> list[int]:
    """Axes of a joint's child frame that must not point opposite to the parent's axes."""
    rotations = layout.modes[j][0].rotations
    if not layout.scenario.joints[j].active or len(rotations) < 2:
        return []
    return [0, 1, 2] if len(rotations) == 3 else sorted({b for b, _ in rotations})


def _corrections(layout, start):
    lines = []
    for k, name in enumerate(layout.bodies):
        parts = [
            f"{what} by {float(value[k]):.3g} {unit}"
            for what, value, unit in (
                ("moved", start.moved, "m"),
                ("rotated", start.turned, "rad"),
                ("velocity changed", start.sped, "m/s"),
                ("angular velocity changed", start.spun, "rad/s"),
            )
            if float(value[k]) > REPORTED
        ]
        if parts:
            lines.append(f"The initial state of {name} was corrected to fit its joints: {', '.join(parts)}.")
    return lines


def caught_far_off(layout, record, first) -> list[str]:
    """Return a warning for each joint that latched in flight with an offset above the tolerances of the
    initial state.

    - record: record of the flight.
    - first: switches at the start, with the joint frames as declared.
    """
    solver, said = layout.scenario.solver, []
    for row, event in enumerate(record.events):
        for j in _attached_joints(layout, event.name):
            left = {k: float(record.restart["discrete.offset"][row][k]) for k in layout.table.of_joint(j)}
            far = max((abs(v) for k, v in left.items() if layout.table.forces[k]), default=0.0)
            turns = {k: v for k, v in left.items() if not layout.table.forces[k]}
            tilt = max((_turned_off(layout, k, v) for k, v in turns.items()), default=0.0)
            frame, drawn = record.restart["discrete.child_frame"][row], first.child_frame
            tilt = max(tilt, _angle(frame[:, :, j], drawn[:, :, j]))
            if far > float(solver.assemble_tolerance) or tilt > float(solver.assemble_angle):
                where = f"with an offset of {far:.3g} m and {np.degrees(tilt):.3g} deg from its declared pose"
                said.append(
                    f"joint {layout.joints[j]} closed at {event.time:.6g} s {where}. The bodies keep this"
                    " offset."
                )
    return said


def _attached_joints(layout, event: str) -> list[int]:
    """Joints that an event attaches, or that a latch latches."""
    scenario = layout.scenario
    actions = [a for a in (*scenario.phases, *scenario.events) if a.name == event]
    names = [name for a in actions for name in a.attach]
    names += [name for d in scenario.devices if event in d.signals for name in d.caught_joints]
    return [layout.joints.index(name) for name in names]


def _angle(frame, drawn) -> float:
    """Angle between two frames [rad]."""
    turn = np.asarray(drawn).T @ np.asarray(frame)
    return float(np.arctan2(np.linalg.norm(turn - turn.T) / np.sqrt(2), np.trace(turn) - 1))


def _moving_apart(layout, start):
    """Problems of joints with initial velocities that they do not allow, if no projection removes these
    velocities."""
    lines = []
    for j, joint in enumerate(layout.scenario.joints):
        rate = max((abs(float(start.left_rate[k])) for k in layout.table.of_joint(j)), default=0.0)
        if rate > CLOSED:
            lines.append(
                f"joint {joint.name}: the initial velocities of the bodies violate the joint by"
                f" {rate:.3g} m/s or rad/s, and stabilization = {layout.scenario.solver.stabilization}"
                " does not correct this violation. Change the initial velocities."
            )
    return lines


def _springs(layout, start):
    """Warnings for joints that are springs: their deflections are not corrected, and the steps may be too
    long for them."""
    solver = layout.scenario.solver
    if not solver.elastic or not layout.joints:
        return
    choice = solver.settled_formulation
    both = choice.stiffness is not None and choice.torsional_stiffness is not None
    suggested = f" (natural frequency {float(choice.frequency):g} rad/s if no stiffness is given)"
    yield (
        f"formulation = {choice.kind} replaces each locked axis by a spring{'' if both else suggested}. The"
        " spring deflects under load, and the deflection is not corrected in flight."
        + (" The stiffness keys of the joints are not used." if _any_stiffness(layout) else "")
    )
    if solver.fixed_step and (rate := _fastest(layout, start)) * float(solver.step) > STABLE:
        yield (
            f"solver.step = {float(solver.step):g} s is too long for the springs of the joints, whose largest"
            f" rate is {rate:.3g} 1/s: rk4 is stable for steps up to {STABLE / rate:.2g} s. Give a shorter"
            " step, a lower frequency, or lower stiffnesses. A light body between heavy bodies increases"
            " the rate."
        )


def _any_stiffness(layout) -> bool:
    """Whether any joint has a declared stiffness. Other formulations distribute redundant loads by it."""
    joints = layout.scenario.joints
    return any(j.stiffness is not None or j.torsional_stiffness is not None for j in joints)


def _fastest(layout, start) -> float:
    """Rate [1/s] of the fastest motion of joints that are springs, at the start. The rate is the largest
    eigenvalue of g'' = -K (c g' + k g) with K = A M^-1 A^T. Velocity rows have c g' alone."""
    choice, table = layout.scenario.solver.settled_formulation, layout.table
    matrix, carried = _swinging(layout, layout.scenario, start)
    assert carried is not None
    active = start.discrete.active if layout.switching else np.ones(table.count)
    rows = np.flatnonzero(np.asarray(active) > 0)
    matrix, forces, positions = matrix[np.ix_(rows, rows)], table.forces[rows], table.holonomic[rows]
    suggested = float(choice.frequency) ** 2 * carried[rows]
    stiffness = _of_rows(choice, "stiffness", forces, suggested)
    damping = np.zeros(len(rows))
    if choice.kind == "regularized":
        damping = _of_rows(choice, "damping", forces, 2 * np.sqrt(stiffness / np.diag(matrix)))
    damping = np.where(positions, damping, stiffness / float(choice.frequency))
    spring = np.where(positions, stiffness, 0.0)
    whole = np.block([[np.zeros_like(matrix), np.eye(len(rows))], [-matrix * spring, -matrix * damping]])
    return float(np.abs(np.linalg.eigvals(whole)).max(initial=0.0))


def _swinging(layout, scenario, start):
    """A M^-1 A^T (row, row) at the start, and the bodies that each row carries."""
    mechanism = Mechanism(layout, scenario, numbers(layout, scenario), start.reference)
    mechanism = mechanism.at(start.x, start.discrete)
    motion = mechanism.motion(start.x)
    rows = mechanism.rows(0.0, *mechanism.geometry(0.0, motion, start.discrete), start.discrete)
    constraints = mechanism.constraints(rows, rows.gamma, start.discrete, start.x, motion)
    return elimination.response(mechanism.numbers.inertias, constraints), mechanism.numbers.carried


def _of_rows(choice, name, forces, suggested):
    """A coefficient of each row, as declared or as suggested."""
    given = (getattr(choice, field) for field in (name, f"torsional_{name}"))
    along, about = (suggested if value is None else float(value) for value in given)
    return np.where(forces, along, about)


def _unphysical(layout):
    return [
        f"body {body.name}: the moments of inertia violate the triangle inequality, so the inertia"
        " is not physical. The scenario allows this inertia with allow_unphysical_inertia = true."
        for body in layout.scenario.bodies
        if body.allow_unphysical_inertia and _breaks(body)
    ]


def _breaks(body) -> bool:
    moments = np.linalg.eigvalsh(np.asarray(body.inertia))
    return bool(moments[2] > (moments[0] + moments[1]) * (1 + 1e-9))
