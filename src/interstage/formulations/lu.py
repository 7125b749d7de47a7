"""Solve general dense systems with elementary operations: LU factors with row pivoting; the last axes are the
cases.

The reasons are the same as in `cholesky`. In addition, simultaneous LAPACK calls of several cases share the
threads of the CPU and can cause a deadlock.
"""

from __future__ import annotations

from typing import NamedTuple

from ..maths.arrays import jax, jnp, lax
from .cholesky import DEPENDENT

EVENINGS = 3
"""Number of passes of the scaling. Each pass scales rows and columns so that the largest elements approach
1."""


class Factor(NamedTuple):
    """LU factors of a scaled matrix: R A C = L U. A is the given matrix; R and C are diagonal scalings of its
    rows and columns. The rows of L have the same order as the rows of A.

    - lower (row, step, *cases): multiples of the pivot row that are subtracted from other rows.
    - upper (step, column, *cases): pivot rows; NaN from the first step without a pivot.
    - pivot (step, row, *cases): 1 at the pivot row of each step, otherwise 0.
    - row, column (n, *cases): diagonals of R and C.
    """

    lower: jax.Array
    upper: jax.Array
    pivot: jax.Array
    row: jax.Array
    column: jax.Array


def factor(matrix) -> Factor:
    """Return the factor of a matrix (n, n, *cases), for `solve`.

    A pivot below `DEPENDENT` times the sum of the absolute values of its terms counts as zero. Such a pivot
    is a rounding error of a singular matrix.
    """
    matrix = lax.stop_gradient(matrix)
    n = matrix.shape[0]
    row, column = _even_scales(jnp.abs(matrix))
    matrix = matrix * row[:, None] * column[None]
    places = jnp.arange(n).reshape(n, *(1,) * (matrix.ndim - 2))

    def step(j, carry):
        table, terms, parts, left = carry
        entries = _at(table, j, 1)
        chosen = (places == jnp.argmax(jnp.where(left > 0, jnp.abs(entries), -1.0), 0)).astype(matrix.dtype)
        own = jnp.sum(table * chosen[:, None], 0)
        whole = jnp.sum(_at(terms, j, 1) * chosen, 0)
        own = jnp.where(jnp.abs(_at(own, j, 0)) > DEPENDENT * whole, own, jnp.nan)
        left = left * (1.0 - chosen)
        multiple = left * entries / _at(own, j, 0)
        found = zip(parts, (multiple, own, chosen), (1, 0, 0), strict=True)
        parts = tuple(lax.dynamic_update_index_in_dim(f, new, j, axis) for f, new, axis in found)
        taken = multiple[:, None] * own[None]
        return table - taken, terms + jnp.abs(taken), parts, left

    zero = jnp.zeros_like(matrix)
    start = matrix, jnp.abs(matrix), (zero, zero, zero), jnp.ones_like(row)
    lower, upper, pivot = lax.fori_loop(0, n, step, start)[2]
    return Factor(lower, upper, pivot, row, column)


def _even_scales(size):
    """Scales of rows and columns (n, *cases) for which the largest entry of each row and column is about
    1."""
    row = column = jnp.ones_like(size[0])
    for _ in range(EVENINGS):
        now = size * row[:, None] * column[None]
        row, column = (
            scale / jnp.sqrt(jnp.where(largest > 0, largest, 1.0))
            for scale, largest in ((row, jnp.max(now, 1)), (column, jnp.max(now, 0)))
        )
    return row, column


def solve(matrix, factor: Factor, right):
    """Return x (n, *cases) of matrix x = right; NaN for a singular matrix.

    - matrix (n, n, *cases), right (n, *cases): linear system.
    - factor: result of `factor`.

    The derivatives are exact: dx = matrix^-1 (d right - d matrix x).
    """
    return lax.custom_linear_solve(
        lambda x: jnp.sum(matrix * x[None], 1),
        right,
        lambda _, b: factor.column * _solution(factor, factor.row * b),
        lambda _, b: factor.row * _solution_of_transpose(factor, factor.column * b),
    )


def _solution(factor: Factor, right):
    n = right.shape[0]

    def forward(j, carry):
        b, y = carry
        found = jnp.sum(_at(factor.pivot, j, 0) * b, 0)
        return b - _at(factor.lower, j, 1) * found, lax.dynamic_update_index_in_dim(y, found, j, 0)

    def backward(k, x):
        row = _at(factor.upper, n - 1 - k, 0)
        found = (_at(y, n - 1 - k, 0) - jnp.sum(row * x, 0)) / _at(row, n - 1 - k, 0)
        return lax.dynamic_update_index_in_dim(x, found, n - 1 - k, 0)

    _, y = lax.fori_loop(0, n, forward, (right, jnp.zeros_like(right)))
    return lax.fori_loop(0, n, backward, jnp.zeros_like(right))


def _solution_of_transpose(factor: Factor, right):
    n = right.shape[0]

    def forward(j, y):
        column = _at(factor.upper, j, 1)
        found = (_at(right, j, 0) - jnp.sum(column * y, 0)) / _at(column, j, 0)
        return lax.dynamic_update_index_in_dim(y, found, j, 0)

    def backward(k, x):
        found = _at(y, n - 1 - k, 0) - jnp.sum(_at(factor.lower, n - 1 - k, 1) * x, 0)
        return x + _at(factor.pivot, n - 1 - k, 0) * found

    y = lax.fori_loop(0, n, forward, jnp.zeros_like(right))
    return lax.fori_loop(0, n, backward, jnp.zeros_like(right))


def _at(array, index, axis):
    return lax.dynamic_index_in_dim(array, index, axis, keepdims=False)
