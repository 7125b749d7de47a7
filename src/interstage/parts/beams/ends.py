"""Mobility of the clamps of beams, from the masses of bodies and the joints that are never released."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.layout import Layout
from ...engine.numbers import Totals
from ...model.joint_rows import JointRows
from ...record.posed import Posed
from ...tree.names import GROUND
from .apart import Pose, axes
from .bound import Ends, clamp_frequency
from .declared import Beam

if TYPE_CHECKING:
    from ...scenario import Scenario

SAME = 1e-9
"""A joint row is redundant if its singular value, relative to the largest one, is below this number."""


def giving(scenario: Scenario, pose: Pose, weights: dict[str, Totals | None]) -> dict[str, Ends]:
    """Return the mobilities of the two ends of each beam, by name of the beam; see `bound.Ends`.

    - pose: function that returns the initial pose of a body by name, or None if the pose is unknown.
    - weights: minimum mass properties of the bodies, from `least.least`.

    If joints connect bodies, several beam ends share the mass of these bodies. First, the angular frequency
    of each end is computed with the total mass. The shares minimize the sum of the squared frequencies of the
    ends.

    The mobility is an upper bound, so the following are ignored:

    - mass items that drain or can be jettisoned, because the frequencies are higher without them
    - joints that can be released or replaced, velocity rows, and elastic joints, because the frequencies are
      higher without them

    A body on a joint with unknown orientation counts as fixed. A body of unknown minimum mass also counts as
    fixed. Beams that are clamped to such a body have no bound.
    """
    mobility, group = _mobility(scenario, pose, weights)
    ends = []  # beam, side, group, mobility with the whole mass, and frequency
    for beam in (one for one in scenario.forces if isinstance(one, Beam)):
        for side, end in enumerate(("parent", "child")):
            name = getattr(beam, end)
            if (weight := weights.get(name)) is not None:
                k = 6 * list(weights).index(name)
                own = at_clamp(mobility[k : k + 6, k : k + 6], weight.centre, beam, end)
                ends.append((beam.name, side, group[name], own, np.sqrt(clamp_frequency(beam, side, own))))
    found: dict[str, Any] = {one.name: [None, None] for one in scenario.forces if isinstance(one, Beam)}
    for beam, side, held, own, rate in ends:
        whole = sum(other for *_, same, _, other in ends if same == held)
        found[beam][side] = own * whole / rate if rate > 0 else None
    return {beam: (first, last) for beam, (first, last) in found.items()}


def at_clamp(mobility: np.ndarray, centre: np.ndarray, beam: Beam, end: str) -> np.ndarray:
    """Return the mobility of a clamp (6, 6), in clamp axes; see `bound.Ends`.

    - mobility: mobility of the body at its centre of mass (6, 6), structural axes.
    - centre: centre of mass [m] (3,), structural coordinates.
    - end: "parent" or "child".
    """
    turn = axes(getattr(beam, f"{end}_frame")).T
    arm = np.asarray(getattr(beam, f"{end}_at")) - centre
    moved = np.block([[turn, -turn @ _arm(arm)], [np.zeros((3, 3)), turn]])
    return moved @ mobility @ moved.T


def _mobility(
    scenario: Scenario, pose: Pose, weights: dict[str, Totals | None]
) -> tuple[np.ndarray, dict[str, int]]:
    """Return the velocities of centres of mass and angular velocities of bodies from unit impulses (6 n, 6
    n), structural axes, and the number of bodies that are connected to each body by joints. Bodies of unknown
    mass are fixed, and their joints are ignored."""
    first = {name: 6 * k for k, name in enumerate(weights)}
    root = np.zeros((6 * len(first),) * 2)
    for name, k in first.items():
        if (weight := weights[name]) is not None:
            root[k : k + 6, k : k + 6] = _root(weight)
    centres = {name: one.centre for name, one in weights.items() if one is not None}
    group, rows = dict(first), []
    for joint, held in _always(scenario):
        sides = [name for name in (joint.parent, joint.child) if name != GROUND]
        if not centres.keys() >= set(sides):
            continue
        where = {name: pose(name) for name in sides}
        if any(one is None for one in where.values()):
            for name in sides:
                root[first[name] : first[name] + 6] = 0.0
            continue
        group = {name: group[sides[0]] if one == group[sides[-1]] else one for name, one in group.items()}
        for on_parent, on_child in _rows(centres, joint, held, where):
            row = np.zeros(len(root))
            for name, on in ((joint.parent, on_parent), (joint.child, on_child)):
                if name != GROUND:
                    row[first[name] : first[name] + 6] += on
            rows.append(row)
    if rows:
        _, size, across = np.linalg.svd(np.array(rows) @ root, full_matrices=False)
        across = across[size > SAME * max(np.max(size), np.finfo(float).tiny)]
        root = root - root @ across.T @ across
    return root @ root.T, group


def inverse(weight: Totals) -> np.ndarray:
    """Return the mobility of a free body (6, 6), structural axes. The mobility is the velocity of the centre
    of mass and the angular velocity from unit impulses at the centre of mass.
    """
    root = _root(weight)
    return root @ root.T


def _root(weight: Totals) -> np.ndarray:
    """Return a square root of the inverse of mass and inertia."""
    size, along = np.linalg.eigh(weight.inertia)
    root = np.zeros((6, 6))
    root[:3, :3] = np.eye(3) / np.sqrt(float(weight.mass))
    root[3:, 3:] = along / np.sqrt(size)
    return root


def _always(scenario: Scenario) -> Iterator[tuple[Any, JointRows]]:
    """Return the permanently active joints, and their rows."""
    if scenario.solver.elastic:
        return
    layout = Layout(scenario)
    for joint, modes, rows in zip(scenario.joints, layout.reachable, layout.modes, strict=True):
        if modes == (1,):
            yield joint, rows[0]


def _rows(
    centres: dict[str, np.ndarray], joint: Any, held: JointRows, where: Any
) -> Iterator[tuple[Any, Any]]:
    """Return the constrained velocities of parent and child (6), structural axes."""
    sides = []
    for end in ("parent", "child"):
        name, at = getattr(joint, end), np.asarray(getattr(joint, f"{end}_at"))
        one = where.get(name, Posed(np.zeros(3), np.eye(3), np.zeros(3)))
        turn, arm = one.turn, at - centres.get(name, 0.0)
        sides.append((one.at(at), turn, arm, turn @ axes(getattr(joint, f"{end}_frame"))))
    (near, _, _, parent), (far, _, _, child) = sides
    ways = [parent[:, axis] for axis in held.translations]
    if held.rod and np.linalg.norm(far - near) > 0:
        ways.append((far - near) / np.linalg.norm(far - near))
    for way in ways:
        yield tuple(  # type: ignore[misc]
            sign * np.concatenate([way @ turn, way @ turn @ -_arm(arm)])
            for sign, (_, turn, arm, _) in zip((-1.0, 1.0), sides, strict=True)
        )
    for b, a in held.rotations:
        about = np.cross(parent[:, a], child[:, b])
        yield tuple(  # type: ignore[misc]
            sign * np.concatenate([np.zeros(3), about @ turn])
            for sign, (_, turn, _, _) in zip((-1.0, 1.0), sides, strict=True)
        )


def _arm(arm: np.ndarray) -> np.ndarray:
    """Return the matrix of the vector product with an arm as its left factor."""
    x, y, z = arm
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
