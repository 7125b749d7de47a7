"""Redundant joint rows: detection, contradictions between them, and joint loads that are statically
indeterminate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..formulations.catalogue import ENTRIES
from ..formulations.elimination import Holding
from ..tree.errors import Problem
from .layout import Layout

# Relative size below which an eigenvalue of the scaled row matrix counts as zero: rows that repeat each
# other.
DEPENDENT = 1e-10
# Part of a repetition, of length 1, above which a row takes part in it; and part of a row's load, of
# length 1, above which it has a component along an axis.
TAKES_PART = 1e-6
# A rate or acceleration that rows which repeat each other leave unsatisfied, over the size of its terms.
CONTRADICTION = 1e-6
LOADS = ("force", "torque")


@dataclass(frozen=True)
class Repetition:
    """Redundancy among the active rows.

    - rows: number of active rows.
    - idle: indices of rows that constrain a motion that is impossible for all bodies.
    - repeated: number of redundant rows.
    - taking_part: indices of rows that depend on each other. The loads of these rows are statically
      indeterminate.
    """

    rows: int
    idle: tuple[int, ...]
    repeated: int
    taking_part: tuple[int, ...]


def repetition(layout: Layout, active: Any, held: Any) -> Repetition:
    """Return the redundancy among the active rows.

    active (row,): 1 for active rows. held: result of `formulations.elimination.holding` for one case.
    """
    active = np.asarray(active) > 0
    rows = np.flatnonzero(active) if layout.switching else np.arange(layout.table.count)
    if isinstance(held, Holding):
        whole, left_out, part = (np.asarray(field)[rows] for field in held)
        idle = rows[~(whole > 0)]
        repeated = 0 if len(idle) else int(left_out.sum())
        taking_part = rows[part > TAKES_PART] if repeated else ()
        return Repetition(len(rows), tuple(map(int, idle)), repeated, tuple(map(int, taking_part)))
    matrix = np.asarray(held)[np.ix_(rows, rows)]
    diagonal = np.diag(matrix)
    idle = rows[~(diagonal > 0)]
    if len(idle) or not len(rows):
        return Repetition(len(rows), tuple(map(int, idle)), 0, ())
    scale = 1 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(matrix * scale[:, None] * scale[None])
    loose = values < DEPENDENT
    part = rows[np.abs(vectors[:, loose]).max(axis=1, initial=0.0) > TAKES_PART]
    return Repetition(len(rows), (), int(loose.sum()), tuple(map(int, part)))


def rejected_rows(layout: Layout, found: Repetition) -> Iterator[Problem]:
    """Yield the problems of rows that are not allowed.

    Not allowed are rows that constrain an impossible motion, redundant rows of joints without a closed loop,
    and redundant rows that the formulation does not support. If only some of the joints that share loads have
    a stiffness, the missing stiffnesses are problems, too.
    """
    if found.idle:
        yield Problem(
            "joints." + names(layout, found.idle)[0],
            "the joint locks an axis along which no body can move, because both bodies of the "
            "joint are fixed."
            " Remove the joint, or free this axis",
        )
    elif found.repeated and not layout.loops:
        yield Problem(
            "joints",
            f"the joints {', '.join(names(layout, found.taking_part))} are redundant, although they"
            " form no loop"
            f" ({found.repeated} of {found.rows} constraints are redundant). Free the redundant axes",
        )
    elif found.repeated and not allows_repetition(layout):
        yield Problem(
            "solver.formulation",
            f"the formulation '{layout.scenario.solver.formulation.kind}' does not support redundant"
            " constraints, but"
            f" the joints {', '.join(names(layout, found.taking_part))} are redundant"
            f" ({found.repeated} of {found.rows} constraints are redundant). Choose another formulation,"
            " or free the redundant axes",
        )
    elif found.repeated and ENTRIES[layout.scenario.solver.formulation.kind].shares:
        yield from _half_given(layout, found)


def _half_given(layout: Layout, found: Repetition) -> Iterator[Problem]:
    """Problems of missing stiffnesses: some of the rows that share loads have a stiffness and others do
    not."""
    kinds: dict[bool, dict[str, str]] = {True: {}, False: {}}
    for k in found.taking_part:
        joint = layout.scenario.joints[layout.table.joint[k]]
        given = joint.stiffness is not None
        field = "stiffness"
        if not layout.table.forces[k]:
            given = given or joint.torsional_stiffness is not None
            field = "stiffness" if given else "torsional_stiffness"
        kinds[given].setdefault(joint.name, field)
    for name, field in kinds[False].items():
        if kinds[True]:
            other = next((joint for joint in kinds[True] if joint != name), name)
            yield Problem(
                f"joints.{name}.{field}",
                f"the value is missing, but joint '{other}', which shares the same loads, has a stiffness. "
                "Set the stiffness of each joint, or of neither joint if the joints are equally stiff",
            )


def allows_repetition(layout: Layout) -> bool:
    """Return whether the formulation supports redundant rows."""
    return ENTRIES[layout.scenario.solver.formulation.kind].redundancy


def holding_too_much(layout: Layout, active: Any, held: Any) -> np.ndarray:
    """Return the cases with rows that are not allowed (cases,), bool; see `rejected_rows`.

    - active (row, cases): 1 for active rows; the same rows in all cases.
    - held: result of `formulations.elimination.holding` for all cases.
    """
    rows = np.flatnonzero(np.asarray(active)[:, 0] > 0) if layout.switching else np.arange(layout.table.count)
    may_repeat = layout.loops and allows_repetition(layout)
    if isinstance(held, Holding):
        whole, left_out, _ = (np.asarray(field)[rows] for field in held)
        idle, repeated = ~(whole > 0), left_out > 0
        return np.any(idle if may_repeat else idle | repeated, axis=0)
    matrix = np.moveaxis(np.asarray(held)[np.ix_(rows, rows)], -1, 0)
    diagonal = np.diagonal(matrix, axis1=1, axis2=2)
    idle = ~np.all(diagonal > 0, axis=1)
    if may_repeat or not len(rows):
        return idle
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    matrix = np.where(idle[:, None, None], 0.0, matrix * scale[:, :, None] * scale[:, None])
    return idle | (np.linalg.eigvalsh(matrix)[:, 0] < DEPENDENT)


def _residuals(layout: Layout, start: Any, rows: Any) -> Iterator[tuple[str, str, Any, Any]]:
    """(name, unit, largest residual of the rows, allowed residual) for velocities and accelerations of
    displacements and of rotations, (*cases). start: result of `starts.start.begin`."""
    solver, rows = layout.scenario.solver, np.array(rows, int)
    for what, power, left, size in (
        ("velocities", "", start.unmet_rate, start.rate_size),
        ("accelerations", "^2", start.unmet_acceleration, start.acceleration_size),
    ):
        for force, unit, scale in ((True, "m/s", solver.velocity_scale), (False, "rad/s", solver.rate_scale)):
            own = rows[layout.table.forces[rows] == force]
            most, whole = (np.abs(np.asarray(field))[own].max(axis=0, initial=0.0) for field in (left, size))
            # A flight cannot detect less than the tolerance of velocities, or this tolerance within a second.
            unseen = float(solver.tolerance) * (1.0 if scale is None else float(scale))
            yield what, unit + power, most, CONTRADICTION * whole + unseen


def differing(layout: Layout, start: Any) -> np.ndarray:
    """Return the cases in which redundant rows prescribe different velocities or accelerations (cases,),
    bool.

    start: result of `starts.start.begin`.
    """
    lanes = np.asarray(start.rate_size).shape[-1]
    rows = np.arange(layout.table.count if layout.loops else 0)
    # Of each row by itself: others may be larger.
    found = [most > allowed for k in rows for _, _, most, allowed in _residuals(layout, start, [k])]
    return np.any(found, axis=0) if found else np.zeros(lanes, bool)


def contradictions(layout: Layout, found: Repetition, start: Any) -> Iterator[Problem]:
    """Yield a problem if redundant rows prescribe different velocities or accelerations, because no motion
    satisfies all rows.

    start: result of `starts.start.begin`.
    """
    if not found.repeated:
        return
    part = found.taking_part
    for what, unit, most, allowed in _residuals(layout, start, part):
        if most > allowed:
            yield Problem(
                "joints",
                f"the joints {', '.join(names(layout, part))} are redundant and prescribe {what} that differ"
                f" by {most:.3g} {unit}. Prescribe the motion of only one of these"
                " joints, or the same motion of all",
            )
            return


def names(layout: Layout, rows: Iterable[int]) -> list[str]:
    """Return the names of the joints of the given rows, in the order of the joints."""
    return [layout.joints[j] for j in sorted({int(layout.table.joint[k]) for k in rows})]


def undetermined_loads(layout: Layout, found: Repetition, directions: Any) -> dict[str, list[str]]:
    """Return the statically indeterminate loads of each joint, for example ["force x"], by joint name.

    A load component is indeterminate if a redundant row contributes to it. directions (6, row): see
    `starts.start.load_directions`.
    """
    loads: dict[str, list[str]] = {}
    for k in found.taking_part:
        parts = np.asarray(directions)[:, k].reshape(2, 3)
        for which, own in zip(LOADS, parts, strict=True):
            axes = np.flatnonzero(np.abs(own) > TAKES_PART * np.linalg.norm(parts))
            mine = loads.setdefault(layout.joints[layout.table.joint[k]], [])
            mine += [f"{which} {'xyz'[axis]}" for axis in axes]
    return {joint: list(dict.fromkeys(axes)) for joint, axes in loads.items()}


def sharing(layout: Layout, found: Repetition, loads: dict[str, list[str]], since: str) -> str:
    """Return a sentence on the statically indeterminate loads and on the rule of their distribution.

    loads: result of `undetermined_loads`. since: text on the time from which they are indeterminate.
    """
    listed = "; ".join(f"{joint} ({_list_loads(axes)})" for joint, axes in loads.items())
    return (
        f"These joint loads are statically indeterminate {since} ({found.repeated} of {found.rows}"
        f" constraints are redundant): {listed}. The loads are distributed by {_rule(layout, loads)}."
    )


def _list_loads(loads: list[str]) -> str:
    """The loads as "force x, y, torque z", from single loads."""
    kinds = {which: sorted(load.split()[1] for load in loads if load.startswith(which)) for which in LOADS}
    return ", ".join(f"{which} {', '.join(axes)}" for which, axes in kinds.items() if axes)


def _rule(layout: Layout, joints: Iterable[str]) -> str:
    kind = layout.scenario.solver.formulation.kind
    if not ENTRIES[kind].shares:
        return f"the stiffnesses of the formulation {kind}"
    chosen = [joint for joint in layout.scenario.joints if joint.name in joints]
    length = float(layout.scenario.solver.sharing_length)
    weighed = f" (torques are weighted by sharing_length = {length:g} m)"
    if any(j.stiffness is not None or j.torsional_stiffness is not None for j in chosen):
        return "the stiffnesses of the joints" + (
            weighed if any(j.torsional_stiffness is None for j in chosen) else ""
        )
    return "equal stiffness" + weighed


Shared = list[tuple[float, float, dict[str, list[str]]]]
"""Time intervals with statically indeterminate joint loads: start [s], end [s], and load components by
joint.
"""


def mark(meta: dict[str, Any], shared: Shared) -> None:
    """Mark statically indeterminate joint loads in the quantities of a record, with components and times.

    meta: descriptions of the quantities by path, which are changed in place.
    """
    axes: dict[str, dict[str, None]] = {}
    spans: dict[str, list[str]] = {}
    for start, end, loads in shared:
        for joint, components in loads.items():
            for load in components:
                which, axis = load.split()
                path = f"joints.{joint}.{which}"
                axes.setdefault(path, {})[axis] = None
                span = f"{float(start)!r} {float(end)!r}"
                spans[path] = [*(one for one in spans.get(path, []) if one != span), span]
    for path in [path for path in axes if path in meta]:
        note = f"components {', '.join(axes[path])} are statically indeterminate and distributed by stiffness"
        meta[path] = replace(meta[path], note=note, undetermined="; ".join(spans[path]))
