"""Detect singular poses, in which joints constrain less motion than in nearby poses.

Examples are a dead centre and a flat linkage. Let G be the derivatives of the constraint rows g with respect
to the coordinates. If rows are redundant, p^T G = 0 for a combination p. If rows are redundant in all nearby
poses too, p^T D^2 g (v, v) = 0 for every motion v with G v = 0. Otherwise, some motions with G v = 0 are
impossible, and G is valid only at that time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..maths.arrays import jax
from ..tree.errors import BadInput, Problem
from ..tree.sentences import list_text
from .equations import Place
from .reduction import RANK

if TYPE_CHECKING:
    from .matrices import Group

STEP = 1e-4
"""Step to both sides, relative to the size of a mechanism, or in radians."""
CURVATURE_LIMIT = 1e-4
"""Smallest significant curvature of scaled rows for motions of size 1. Smooth functions of redundant rows
have an error of 1e-8 from the step, and of 1e-12 from rounding.
"""
SOME = 3
"""Number of motions in the test. A nonzero quadratic form vanishes for all of these motions only by
chance.
"""
MOST, NAMED = 4, 0.1
"""Largest number of joints in a message, and their smallest participation relative to the largest."""
NEAR = 1e-3
"""Singular value below which scaled rows are nearly redundant. Errors of a pose are then amplified
more than 1000 times.
"""


def poses(group: Group) -> list[str]:
    """Return a warning about a nearly singular pose for each operating point, or "". Raises BadInput with the
    joints if a pose is singular.
    """
    found = []
    for p, point in enumerate(group.points):
        rows, matrix, free = group.closing(p)
        again, share = _repeating(matrix / _sizes(group, rows))
        if again.size and free.shape[1]:
            bent = np.max(np.abs(again @ _bending(group, p, rows, free)), 1) > CURVATURE_LIMIT
            again, share = again[bent], share[bent]
        if not again.size or not free.shape[1]:
            found.append("")
            continue
        names, least = _holding(group, again, rows), float(np.min(share))
        if least <= RANK:
            text = f"the joints {names} are in a singular pose {point.what}, such as a dead centre"
            fix = "The linear equations do not exist in a singular pose. Choose another time or pose"
            raise BadInput(Problem("joints", f"{text}. {fix}"))
        text = (
            f"The pose is near a singular pose. The joints {names} amplify the motion and the"
            f" errors of the pose by a factor of {1 / least:.2g}."
        )
        found.append(f"{text} Choose another time or pose, or accept this error.")
    return found


def _holding(group: Group, again: np.ndarray, rows: np.ndarray) -> str:
    """The joints that take part in combinations of rows, as a text."""
    layout, share = group.system.layout, np.max(np.abs(again), 0)
    own = layout.table.joint[rows[share > NAMED * np.max(share)]]
    return list_text([layout.joints[j] for j in dict.fromkeys(own.tolist())], MOST)


def _sizes(group: Group, rows: np.ndarray) -> np.ndarray:
    """Scales of rows (row, 1): a length for positions, and 1 for rotations."""
    return np.where(group.system.layout.table.forces[rows], group.length, 1.0)[:, None]


def _repeating(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearly redundant combinations (any, row) of scaled rows, and their singular values (any,)."""
    if not matrix.size:
        return np.zeros((0, len(matrix))), np.zeros(0)
    left, values, _ = np.linalg.svd(matrix)
    share = np.concatenate([values, np.zeros(len(matrix) - len(values))])
    return left[:, share <= NEAR].T, share[share <= NEAR]


def _bending(group: Group, p: int, rows: np.ndarray, free: np.ndarray) -> np.ndarray:
    """D^2 g (v, v) of scaled rows for some motions v (row, motion): change of the rows of rates v when the
    mechanism moves along v."""
    count = free.shape[1]
    mixed = np.cos(np.outer(np.arange(1, count + 1), np.sqrt([2.0, 3.0, 5.0])[:SOME]))
    along = free @ (mixed / np.linalg.norm(mixed, axis=0))
    moves, first = along * group.sizes[:, None], group.own[p][:, None]
    places, rates = (part[:, p] @ moves for part in (group.spread.positions, group.spread.rates))
    each = [first + sign * STEP * places + with_it * rates for sign in (1, -1) for with_it in (1, 0)]
    system, own = group.system, np.concatenate(each, 1)
    lanes = own.shape[1]

    def wide(leaf: np.ndarray) -> np.ndarray:
        return np.repeat(np.asarray(leaf)[p][..., None], lanes, -1)

    still = np.zeros((6, system.layout.count, lanes)), np.zeros((len(system.signals), lanes))
    place = Place(wide(group.t), own, wide(group.behind), jax.tree.map(wide, group.discrete), *still)
    look = system.program.of_samples(
        lambda mechanism, *rest: group.equations.rows(mechanism, Place(*rest))[1]
    )
    found = np.asarray(look(system.scenario, system.reference, *place))[rows]
    up, up_still, down, down_still = np.split(found, 4, 1)
    return ((up - up_still) - (down - down_still)) / (2 * STEP) / _sizes(group, rows)
