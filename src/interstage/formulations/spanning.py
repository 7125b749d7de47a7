"""Spanning forest of the bodies: the joints that transmit the motion from one body to the next (constant).

Every body except the roots is carried by one joint, its branch. The body at the opposite end of this joint is
its inner body. A joint that would close a loop is a cut joint. Joints without free directions of their own
(rod, rolling disk) are also cut joints. The rows of cut joints keep multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ..model.joint_rows import JointRows


class Motions(NamedTuple):
    """Free directions of a joint in one mode (AIAA 2011-6277, table 2, with translations).

    - translations: axes of the parent's joint frame along which the child's joint point moves.
    - turns: rotation axes in order from parent to child. ("a", axis) is fixed in the parent's joint frame,
      ("b", axis) in the child's joint frame. Three axes of the child are a spherical joint.
    """

    translations: tuple[int, ...]
    turns: tuple[tuple[str, int], ...]

    @property
    def count(self) -> int:
        """Return the number of free directions."""
        return len(self.translations) + len(self.turns)


def motions_of(rows: JointRows) -> Motions | None:
    """Return the free directions of a joint from its constraint rows; None for a joint without translation or
    rotation rows.
    """
    if not rows.translations and not rows.rotations:
        return None
    return Motions(tuple(a for a in range(3) if a not in rows.translations), _turns(rows.rotations))


def _turns(rotations) -> tuple[tuple[str, int], ...]:
    """Free rotations of a joint. Each row (b, a) locks the rotation about eB x eA. With one row, rotations
    about both axes are free; with two rows, the rotation about their common axis is free."""
    if len(rotations) == 0:
        return ("b", 0), ("b", 1), ("b", 2)
    if len(rotations) == 1:
        ((b, a),) = rotations
        return ("a", a), ("b", b)
    if len(rotations) == 2:
        (b1, a1), (b2, a2) = rotations
        if b1 != b2 and a1 != a2:
            raise ValueError("two constraint rows with four axes do not allow a rotation about a fixed axis")
        return (("b", b1),) if b1 == b2 else (("a", a1),)
    return ()


class Branch(NamedTuple):
    """Joint that carries a body.

    - joint: index of the joint.
    - inner: index of the body at the opposite end of the joint.
    - outward: true if the carried body is the child of the joint.
    """

    joint: int
    inner: int
    outward: bool


@dataclass(frozen=True)
class Forest:
    """Spanning forest of bodies and their inboard joints.

    - bodies: number of bodies without the ground.
    - branches: branch of each body; None for a root.
    - order: indices of the bodies; each body follows its inboard body.
    - motions: free directions of each joint by mode, from mode 0 (released). None if the joint carries no
      body in this mode.
    """

    bodies: int
    branches: tuple[Branch | None, ...]
    order: tuple[int, ...]
    motions: tuple[tuple[Motions | None, ...], ...]

    def states(self, body: int) -> dict[Motions | None, tuple[int, ...]]:
        """Return the joint modes for each possible set of free directions of a body relative to its inboard
        body.

        The key None stands for a root body.
        """
        branch = self.branches[body]
        if branch is None:
            return {None: ()}
        found: dict[Motions | None, tuple[int, ...]] = {}
        for mode, motions in enumerate(self.motions[branch.joint]):
            if motions != UNREACHED:
                found[motions] = (*found.get(motions, ()), mode)
        return found

    def ancestors(self, body: int) -> list[int]:
        """Return the indices of the bodies from a body to its root, without the ground."""
        found = [body]
        while (branch := self.branches[found[-1]]) is not None and branch.inner < self.bodies:
            found.append(branch.inner)
        return found

    @property
    def absorbs(self) -> np.ndarray:
        """Return for each joint and mode whether the joint carries a body: array (joint, mode) of bool."""
        most = max((len(modes) for modes in self.motions), default=0)
        used = {branch.joint for branch in self.branches if branch is not None}
        table = np.zeros((len(self.motions), most), bool)
        for j, modes in enumerate(self.motions):
            for m, motions in enumerate(modes):
                table[j, m] = j in used and motions is not None and motions != UNREACHED
        return table


UNREACHED = Motions((-1,), ())
"""Entry of `Forest.motions` for a mode that a joint never has."""


@cache
def forest(
    parent: tuple[int, ...],
    child: tuple[int, ...],
    modes: tuple[tuple[JointRows, ...], ...],
    reachable: tuple[tuple[int, ...], ...],
    bodies: int,
    fixed_only: bool = False,
    first: tuple[int, ...] = (),
) -> Forest:
    """Return a spanning forest of the bodies.

    - parent, child (joint,): indices of the bodies; the index `bodies` is the ground.
    - modes: constraint rows of each joint by mode, from mode 1. reachable: modes that each joint can have.
    - bodies: number of bodies without the ground.
    - fixed_only: use only joints without free directions.
    - first: joints with priority over all others.

    For the remaining joints, joints with more locked axes have priority, then earlier joints.
    """
    motions = tuple(
        _reachable_modes(joint_modes, may_be, fixed_only)
        for joint_modes, may_be in zip(modes, reachable, strict=True)
    )
    best = [
        min((m.count for m in known if m is not None and m != UNREACHED), default=None) for known in motions
    ]
    candidates = sorted((j not in first, count, j) for j, count in enumerate(best) if count is not None)
    group = list(range(bodies + 1))

    def head(k):
        return k if group[k] == k else head(group[k])

    used = []
    for *_, j in candidates:
        a, b = head(parent[j]), head(child[j])
        if a != b:
            group[a] = b
            used.append(j)
    branches, order = _root_forest(parent, child, used, bodies)
    return Forest(bodies, branches, order, motions)


def _reachable_modes(joint_modes, may_be, fixed_only) -> tuple[Motions | None, ...]:
    found: list[Motions | None] = [None] + [motions_of(rows) for rows in joint_modes]
    if fixed_only:
        found = [m if m is not None and m.count == 0 else None for m in found]
    return tuple(m if k in may_be else UNREACHED for k, m in enumerate(found))


def _root_forest(parent, child, used, bodies):
    """Branches and order of a forest with these edges. The ground is a root; in each other tree, the first
    listed body is the root."""
    near: list[list[tuple[int, int]]] = [[] for _ in range(bodies + 1)]
    for j in used:
        near[parent[j]].append((j, child[j]))
        near[child[j]].append((j, parent[j]))
    branches: list[Branch | None] = [None] * bodies
    order: list[int] = []
    seen = set()
    for root in (bodies, *range(bodies)):
        if root in seen:
            continue
        queue = [root]
        seen.add(root)
        while queue:
            k = queue.pop(0)
            order += [k] if k < bodies else []
            for j, other in near[k]:
                if other not in seen:
                    seen.add(other)
                    branches[other] = Branch(j, k, child[j] == other)
                    queue.append(other)
    return tuple(branches), tuple(order)
