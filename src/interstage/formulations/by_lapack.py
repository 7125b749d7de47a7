"""Solve A M^-1 A^T lam = right with LAPACK, for NumPy computations with few cases.

With NumPy, elimination along the tree is slower, because many calls act on small arrays. Rows are scaled to a
unit diagonal. If the matrix is singular or nearly singular, elimination along the tree is used. This
elimination finds redundant rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import any_jax, jax
from ..maths.dual import linear, plain
from ..maths.vectors import add_axes, sum_of_products
from . import rods
from .contract import Constraints, Inertias

MOST_ROWS = 2000
"""Largest number of rows, summed over all cases, for which LAPACK is faster than elimination."""
LARGEST = 100
"""Largest number of rows of one matrix for which LAPACK uses one thread."""
_each_alone: ContextVar[bool] = ContextVar("each state alone", default=False)
FIRM = 1e-9
"""Smallest pivot at which a row counts as independent, after elimination of all other rows. This
limit is far above `cholesky.DEPENDENT`.
"""


@contextmanager
def without_lapack(batch: bool = True) -> Iterator[None]:
    """Leave all matrices to elimination in a block, if the states are of a batch.

    The choice of the method depends on all states of a call, and both methods differ by rounding. The values
    of a case must not depend on the other cases of a batch."""
    token = _each_alone.set(batch or _each_alone.get())
    try:
        yield
    finally:
        _each_alone.reset(token)


class Whole(NamedTuple):
    """Matrix A M^-1 A^T scaled to a unit diagonal.

    - matrix (*cases, row, row): scaled matrix.
    - scale (row, *cases): 1/sqrt of the diagonal.
    """

    matrix: np.ndarray
    scale: np.ndarray

    def solve(self, right: Any) -> Any:
        """Return lam (row, *cases) of A M^-1 A^T lam = right, with derivatives."""

        def back(some: Any) -> Any:
            if not some.any():  # as the value of a remainder of a derivative
                return some
            scale = add_axes(self.scale, some.ndim)
            columns = (some * scale).reshape(*some.shape[: self.scale.ndim], -1)
            found = np.linalg.solve(self.matrix, np.moveaxis(columns, 0, -2))
            return np.moveaxis(found, -2, 0).reshape(some.shape) * scale

        return linear(back, right, lanes=True)


def whole(inertias: Inertias, constraints: Constraints) -> Whole | None:
    """Return the scaled matrix A M^-1 A^T of the active rows, with a unit diagonal for inactive rows.

    Return None if the rows are traced by JAX, if there are many rows, or if some rows are nearly redundant.
    """
    found = _scale(inertias, constraints)
    if found is None:
        return None
    try:
        left = np.einsum("...kk->...k", np.linalg.cholesky(found.matrix)) ** 2
    except np.linalg.LinAlgError:
        return None
    return found if np.all(left > FIRM) else None


def surely_independent(inertias: Inertias, constraints: Constraints) -> bool:
    """Return true if no row is nearly redundant, for any order of the rows. The result is also false if this
    is unknown.
    """
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
    if _each_alone.get():
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
    """Row pairs with the same parent, with parent and child on the same body, and so on: indices of both
    rows, and of their element in a matrix stored row by row."""
    ends = [np.frombuffer(some, int) for some in (parent, child)]
    found = [np.nonzero(one[:, None] == other) for one in ends for other in ends]
    return [(row, other, row * len(ends[0]) + other) for row, other in found]
