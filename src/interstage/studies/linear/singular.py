"""Singular poses: where joints hold less than they do a little aside, as at a dead centre or a flat linkage.

Rows g of joints that repeat each other have combinations p with p^T G = 0, G their slopes by the
coordinates. Where they do so in all poses near by, p^T D^2 g (v, v) is zero too along all motions v that G
leaves; where it is not, some of these motions are none, and what G says holds for the instant only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...maths.arrays import jax
from ...tree.errors import BadInput, Problem, listed
from .equations import Place
from .reduction import RANK

if TYPE_CHECKING:
    from .matrices import Group

STEP = 1e-4
"""Part of the size of a mechanism, and of a radian, by which it is moved to either side."""
BENT = 1e-4
"""How far rows of size 1 bend over motions of size 1 from which on they do: over the step what is smooth
leaves 1e-8, and rounding 1e-12."""
SOME = 3
"""Motions that are looked at, none of which a form that is not zero makes zero but by chance."""
MOST = 4
"""Joints that a message lists."""


def refuse_singular(group: Group) -> None:
    """Raises BadInput where joints stand in a singular pose, with their names."""
    layout = group.system.layout
    for p in range(len(group.points)):
        rows, matrix, free = group.closing(p)
        again = _repeating(matrix)
        if not again.size or not free.shape[1]:
            continue
        bent = np.abs(again @ _bending(group, p, rows, matrix, free))
        if np.max(bent) > BENT:
            share = np.max(np.abs(again[np.max(bent, 1) > BENT]), 0)
            own = layout.table.joint[rows[share > 0.1 * np.max(share)]]
            names = listed([layout.joints[j] for j in dict.fromkeys(own.tolist())], MOST)
            what = group.points[p].what
            text = (
                f"{names} {what}: a singular pose, as a dead centre, a little aside of which joints hold more"
            )
            raise BadInput(Problem("joints", f"{text}: there are no linear equations; take a pose beside it"))


def _sizes(matrix: np.ndarray) -> np.ndarray:
    """Sizes of rows (row, 1), the largest of those that are rounding."""
    size = np.sqrt(np.sum(matrix**2, 1, keepdims=True))
    largest = np.max(size, initial=0.0) or 1.0
    return np.where(size > RANK * largest, size, largest)


def _repeating(matrix: np.ndarray) -> np.ndarray:
    """Combinations (any, row) of rows of size 1 that restrict nothing."""
    if not matrix.size:
        return np.zeros((0, len(matrix)))
    left, values, _ = np.linalg.svd(matrix / _sizes(matrix))
    return left[:, int(np.sum(values > RANK * values[0])) :].T


def _bending(group: Group, p: int, rows: np.ndarray, matrix: np.ndarray, free: np.ndarray) -> np.ndarray:
    """D^2 g (v, v) of some motions (row, motion), of rows of size 1: what they say of rates v differs by as
    the mechanism moves along v."""
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
    return ((up - up_still) - (down - down_still)) / (2 * STEP) / _sizes(matrix)
