"""A M^-1 A^T as a matrix for LAPACK, for what NumPy computes of few cases: elimination along the tree by
little arrays takes longer there, since each call costs more than its numbers.

Rows are scaled to a unit diagonal. Singular or nearly singular matrices are left to elimination, which
reports which rows repeat others."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import any_jax, jax
from ..maths.dual import linear, plain
from ..maths.vectors import add_axes, sum_of_products
from . import rods
from .contract import Constraints, Inertias

MOST_ROWS = 2000
"""Up to this many rows of all cases this is quicker than elimination. Example: ten bodies on hinges have 50
rows; one case takes 0.2 ms in place of 1 ms, and 40 cases take as long either way."""
LARGEST = 100
"""Rows up to which LAPACK works in one thread; with more, it waits for others that a busy machine has not."""
FIRM = 1e-9
"""Part of a row that others leave of it at least: far above `cholesky.DEPENDENT`."""


class Whole(NamedTuple):
    """The matrix of rows scaled to a unit diagonal (*cases, row, row), and the scale (row, *cases)."""

    matrix: np.ndarray
    scale: np.ndarray

    def solve(self, right: Any) -> Any:
        """lam (row, *cases) with A M^-1 A^T lam = right, which may have derivatives along."""

        def back(some: Any) -> Any:
            if not some.any():  # as the value of a remainder of a derivative
                return some
            scale = add_axes(self.scale, some.ndim)
            columns = (some * scale).reshape(*some.shape[: self.scale.ndim], -1)
            found = np.linalg.solve(self.matrix, np.moveaxis(columns, 0, -2))
            return np.moveaxis(found, -2, 0).reshape(some.shape) * scale

        return linear(back, right, lanes=True)


def whole(inertias: Inertias, constraints: Constraints) -> Whole | None:
    """Of active rows, with a unit diagonal for the others; None where they are not there to be computed by
    NumPy, are many, or are near to repeating each other."""
    found = _scale(inertias, constraints)
    if found is None:
        return None
    try:
        left = np.einsum("...kk->...k", np.linalg.cholesky(found.matrix)) ** 2
    except np.linalg.LinAlgError:
        return None
    return found if np.all(left > FIRM) else None


def surely_independent(inertias: Inertias, constraints: Constraints) -> bool:
    """Whether it is sure that no row is near to repeating others, in whatever order they are taken."""
    found = _scale(inertias, constraints)
    if found is None:
        return False
    try:
        part = np.einsum("...kk->...k", np.linalg.inv(found.matrix))
    except np.linalg.LinAlgError:
        return False
    return bool(np.all((part > 0) & (FIRM * part < 1)))


def _scale(inertias: Inertias, constraints: Constraints) -> Whole | None:
    if constraints.on_freedoms is not None or not 0 < len(constraints.parent) <= LARGEST:
        return None
    on_a, on_b, active = plain([constraints.on_a, constraints.on_b, constraints.active])
    there = all(type(side) is np.ndarray and side.dtype == float for side in (on_a, on_b))
    if not there or any_jax(tuple(inertias), active):
        return None
    inertias = jax.tree.map(plain, inertias)
    count = on_a.shape[1]
    carried = () if inertias.rods is None else inertias.rods.share.shape[1:]
    lanes = np.broadcast_shapes(on_a.shape[2:], inertias.inverse_mass.shape[1:], carried)
    if count * np.prod(lanes) > MOST_ROWS:
        return None
    moved = [
        rods.times_inverse(inertias, *of) for of in ((constraints.parent, on_a), (constraints.child, on_b))
    ]
    matrix = np.zeros((count * count, *lanes))
    pairs = _sharing(constraints.parent.tobytes(), constraints.child.tobytes())
    for (row, other, place), (on, motion) in zip(pairs, ((o, m) for o in (on_a, on_b) for m in moved)):
        matrix[place] += sum_of_products(0, (on.take(row, 1), motion.take(other, 1)))
    matrix = matrix.reshape(count, count, *lanes)
    if active is not None:
        eye = add_axes(np.eye(count), matrix.ndim)
        matrix = matrix * active[:, None] * active[None] + eye * (1 - active)
    diagonal = np.einsum("kk...->k...", matrix)
    if not np.all(diagonal > 0):
        return None
    scale = 1 / np.sqrt(diagonal)
    return Whole(np.moveaxis(matrix * scale[:, None] * scale[None], (0, 1), (-2, -1)), scale)


@lru_cache(maxsize=64)
def _sharing(parent: bytes, child: bytes) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Rows whose parents, or whose parent and child, and so on, are the same body: these, the others, and
    their places in a matrix laid out row by row."""
    ends = [np.frombuffer(some, int) for some in (parent, child)]
    found = [np.nonzero(one[:, None] == other) for one in ends for other in ends]
    return [(row, other, row * len(ends[0]) + other) for row, other in found]
