"""Order of the elimination of joints that creates no new couplings (constant).

Two rows are coupled if they share a movable body. If joints are eliminated from the leaves to the roots, each
elimination changes the mobility of only one body, on the root side of the joint (R. Featherstone, Rigid Body
Dynamics Algorithms, Springer 2008, sections 8.3 and 8.5). The ground does not move and couples no rows. Two
joints between a body and the ground therefore form no loop here. The rows of joints that close a loop are cut
rows. The cut rows form a dense system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..maths.connected import Connected

# Joints between the same two bodies are eliminated as one as long as they have no more rows than this.
WIDEST = 6


@dataclass(frozen=True, eq=False)
class TreeOrder:
    """Edges of the tree from the roots to the leaves. An edge is one joint, or several joints between the
    same two bodies.

    - near, far (edge,): body on the leaf side and on the root side; for a joint to the ground, the ground is
      near
    - rows (edge, width): indices of the rows of the edge; unused entries are -1
    - flipped (edge, width): whether the near body is the parent of the row
    - cut (row,): indices of the rows of cut joints
    - place (row,): position of each row in the sequence of all edges followed by the cut rows
    """

    near: np.ndarray
    far: np.ndarray
    rows: np.ndarray
    flipped: np.ndarray
    cut: np.ndarray
    place: np.ndarray


def tree_order(parent: Any, child: Any, joint: Any, ground: int | None) -> TreeOrder:
    """Return the order of elimination of constraint rows.

    - parent, child, joint (row,): indices of the bodies and of the joint of each row.
    - ground: index of the ground among the bodies, or None.
    """
    parent, child = np.asarray(parent, int), np.asarray(child, int)
    groups = _groups(parent.tolist(), child.tolist(), np.asarray(joint, int).tolist())
    kept, cut = _spanning([group for group in groups if ground not in group[0]])
    edges = list(_outward(kept))
    for pair, rows in groups:
        if ground in pair:
            # Eliminated before all others.
            edges.append((min(set(pair) - {ground}, default=pair[0]), ground, rows))
    table = np.full((len(edges), max((len(rows) for *_, rows in edges), default=0)), -1)
    for line, (*_, rows) in zip(table, edges, strict=True):
        line[: len(rows)] = rows
    far, near = (np.array([edge[side] for edge in edges], int) for side in (0, 1))
    flipped = (table >= 0) & (child[table] != near[:, None]) if len(parent) else np.zeros(table.shape, bool)
    left = np.array(sorted(row for rows in cut for row in rows), int)
    place = np.zeros(len(parent), int)
    place[table[table >= 0]] = np.flatnonzero(table.ravel() >= 0)
    place[left] = table.size + np.arange(len(left))
    return TreeOrder(near, far, table, flipped, left, place)


Group = tuple[tuple[int, int], list[int]]
"""The two bodies of a possible edge, and the indices of the rows between the two bodies."""


def _groups(parent: list[int], child: list[int], joint: list[int]) -> list[Group]:
    """The joints in groups. Joints between the same two bodies form one group of up to `WIDEST` rows."""
    of_joint: dict[int, list[int]] = {}
    for row, j in enumerate(joint):
        of_joint.setdefault(j, []).append(row)
    groups: dict[tuple[int, int], list[list[int]]] = {}
    for _, rows in sorted(of_joint.items()):
        a, b = parent[rows[0]], child[rows[0]]
        between = groups.setdefault((min(a, b), max(a, b)), [])
        if between and len(between[-1]) + len(rows) <= WIDEST:
            between[-1] += rows
        else:
            between.append(rows)
    return [(pair, rows) for pair, between in groups.items() for rows in between]


def _spanning(groups: Iterable[Group]) -> tuple[list[Group], list[list[int]]]:
    """The edges of a spanning forest, and the rows of the other groups. Groups with more rows have priority
    (J. B. Kruskal, Proc. AMS 7, 1956, 48-50)."""
    bodies = Connected()
    kept, cut = [], []
    for pair, rows in sorted(groups, key=lambda group: -len(group[1])):
        if bodies.join(*pair):
            kept.append((pair, rows))
        else:
            cut.append(rows)
    return kept, cut


def _outward(edges: Iterable[Group]) -> Iterator[tuple[int, int, list[int]]]:
    """(root-side body, leaf-side body, rows) of each edge, level by level from the first body of a tree."""
    beside: dict[int, list[tuple[int, list[int]]]] = {}
    for (a, b), rows in edges:
        beside.setdefault(a, []).append((b, rows))
        beside.setdefault(b, []).append((a, rows))
    seen: set[int] = set()
    for root in sorted(beside):
        level = [root] if root not in seen else []
        seen.add(root)
        while level:
            reached = []
            for body in level:
                for other, rows in sorted(beside[body]):
                    if other not in seen:
                        seen.add(other)
                        reached.append(other)
                        yield body, other, rows
            level = reached
