"""Solve small symmetric positive (semi)definite systems with elementary operations; the last axes are the
cases.

A library factorizes one matrix at a time, and its calls cannot be fused with other expressions. With
elementary operations, the compiler makes the complete step one loop over the cases.
"""

from __future__ import annotations

from typing import NamedTuple

from ..maths.arrays import jax, jnp, lax

# A pivot that the elimination leaves smaller than this part of its first value is rounding: singular.
SINGULAR = 1e-13
# A row whose pivot is smaller than this part of its first value repeats the rows before it. The limit is far
# above rounding, and far below the pivots of a mechanism in a usable pose.
DEPENDENT = 1e-11
# Up to this many rows the elimination is written out entry by entry.
WRITTEN_OUT = 12


def factor(matrix):
    """Return L of L D L^T for a matrix (n, n, *cases), for use in `solve`.

    The diagonal of the result contains the inverse pivots 1/D. If the matrix is not positive definite, the
    result is NaN.
    """
    matrix = lax.stop_gradient(matrix)
    n = matrix.shape[0]
    if n <= WRITTEN_OUT:
        return _factor_written_out(matrix, n)

    def column(j, carry):
        rest, lower = carry
        pivot = lax.dynamic_index_in_dim(rest, j, 1, keepdims=False)
        below = (jnp.arange(n) > j).reshape((n,) + (1,) * (matrix.ndim - 2))
        inverse = 1 / _pivot(lax.dynamic_index_in_dim(pivot, j, 0, keepdims=False), matrix[j, j])
        pivot = jnp.where(below, pivot, 0.0)
        own = lax.dynamic_update_index_in_dim(pivot * inverse, inverse, j, 0)
        lower = lax.dynamic_update_index_in_dim(lower, own, j, 1)
        return rest - pivot[:, None] * (pivot * inverse)[None], lower

    return lax.fori_loop(0, n, column, (matrix, jnp.zeros_like(matrix)))[1]


def _pivot(pivot, whole):
    return jnp.where(pivot > SINGULAR * whole, pivot, jnp.nan)


class Ranked(NamedTuple):
    """Pivoted Cholesky factor of a semidefinite matrix: L L^T of the matrix scaled to a unit diagonal.

    - lower (row, step, *cases): L, with one column for each elimination step.
    - pivot (step, row, *cases): 1 at the row of each step. If no independent row remains, the pivots are
      zero.
    - scale (row, *cases): 1/sqrt of the diagonal.
    """

    lower: jax.Array
    pivot: jax.Array
    scale: jax.Array

    @property
    def independent(self):
        """Return 1 for independent rows and 0 for redundant rows (row, *cases)."""
        return jnp.sum(self.pivot, 0)


def factor_ranked(matrix, whole=None) -> Ranked:
    """Return the pivoted Cholesky factor of a semidefinite matrix (n, n, *cases), for `solve`. Redundant rows
    are omitted.

    The largest pivot is eliminated first. whole (n, *cases): diagonal of the matrix before the elimination of
    other rows. With `whole`, the elimination also omits rows that are redundant to the rows that were
    eliminated before. None: no rows were eliminated before.
    """
    matrix = lax.stop_gradient(matrix)
    n = matrix.shape[0]
    diagonal = jnp.stack([matrix[k, k] for k in range(n)])
    scale = 1 / jnp.sqrt(diagonal if whole is None else lax.stop_gradient(whole))
    matrix = matrix * scale[:, None] * scale[None]
    places = jnp.arange(n).reshape((n,) + (1,) * (matrix.ndim - 2))

    def column(j, carry):
        lower, pivots, left = carry
        largest = jnp.max(left, 0)
        pivot = (places == jnp.argmax(left, 0)) & (largest > DEPENDENT)
        chosen = pivot.astype(matrix.dtype)
        own = jnp.sum(matrix * chosen[None], 1) - jnp.sum(lower * jnp.sum(lower * chosen[:, None], 0), 1)
        # Rows that were eliminated before have nothing left but rounding.
        own = jnp.where(jnp.isneginf(left), 0.0, own) / jnp.sqrt(jnp.maximum(largest, DEPENDENT))
        left = jnp.where(pivot, -jnp.inf, left - own * own)
        lower = lax.dynamic_update_index_in_dim(lower, own, j, 1)
        return lower, lax.dynamic_update_index_in_dim(pivots, chosen, j, 0), left

    whole = jnp.ones_like(scale) if whole is None else diagonal * scale * scale
    start = jnp.zeros_like(matrix), jnp.zeros_like(matrix), whole
    lower, pivots, _ = lax.fori_loop(0, n, column, start)
    return Ranked(lower, pivots, scale)


def solve(matrix, lower, right):
    """Return x (n, *cases) of matrix x = right.

    - matrix (n, n, *cases), right (n, *cases): linear system.
    - lower: result of `factor` or `factor_ranked`.

    Rows that are left out have x = 0. The derivatives are exact: dx = matrix^-1 (d right - d matrix x).
    """

    def times(x):
        return jnp.sum(matrix * x[None], 1)

    def back(_, b):
        return _substituted_ranked(lower, b) if isinstance(lower, Ranked) else _substitute(lower, b)

    return lax.custom_linear_solve(times, right, back, symmetric=True)


def _substitute(lower, right):
    """Solve L D L^T x = right."""
    n = lower.shape[0]
    if n <= WRITTEN_OUT:
        return _solve_written_out(lower, right, n)

    def forward(j, b):
        column = lax.dynamic_index_in_dim(lower, j, 1, keepdims=False)
        y = _at(b, j)
        below = (jnp.arange(n) > j).reshape((n,) + (1,) * (right.ndim - 1))
        b = b - jnp.where(below, column, 0.0) * y
        return lax.dynamic_update_index_in_dim(b, y * _at(column, j), j, 0)

    def backward(k, b):
        j = n - 1 - k
        row = lax.dynamic_index_in_dim(lower, j, 0, keepdims=False)
        x = _at(b, j)
        above = (jnp.arange(n) < j).reshape((n,) + (1,) * (right.ndim - 1))
        return b - jnp.where(above, row, 0.0) * x

    return lax.fori_loop(0, n, backward, lax.fori_loop(0, n, forward, right))


def _substituted_ranked(factor: Ranked, right):
    """Solve on the independent rows, zero elsewhere."""
    n = right.shape[0]

    def at(j):
        column, pivot = _at(factor.lower.swapaxes(0, 1), j), _at(factor.pivot, j)
        diagonal = jnp.sum(column * pivot, 0)
        return column, pivot, jnp.where(diagonal > 0, diagonal, 1.0)

    def forward(j, carry):
        b, y = carry
        column, pivot, diagonal = at(j)
        found = jnp.sum(pivot * b, 0) / diagonal
        return b - column * found, lax.dynamic_update_index_in_dim(y, found, j, 0)

    def backward(k, x):
        column, pivot, diagonal = at(n - 1 - k)
        return x + pivot * ((_at(y, n - 1 - k) - jnp.sum(column * x, 0)) / diagonal)

    right = right * factor.scale
    _, y = lax.fori_loop(0, n, forward, (right, jnp.zeros_like(right)))
    return factor.scale * lax.fori_loop(0, n, backward, jnp.zeros_like(right))


def _at(array, index):
    return lax.dynamic_index_in_dim(array, index, 0, keepdims=False)


def _factor_written_out(matrix, n):
    """Factorization column by column. Each column subtracts its part from the remainder, whose upper half is
    not used."""
    rest, columns = matrix, []
    for j in range(n):
        inverse = 1 / _pivot(rest[:1, 0], matrix[j : j + 1, j])
        column = rest[1:, 0] * inverse
        columns.append(jnp.concatenate([*([jnp.zeros_like(matrix[:j, 0])] if j else []), inverse, column]))
        if j + 1 < n:
            rest = rest[1:, 1:] - column[:, None] * rest[1:, 0][None]
    return jnp.stack(columns, 1)


def _solve_written_out(lower, right, n):
    """Solution column by column, forward and then backward."""
    found, rest = [], right
    for k in range(n):
        found.append(rest[:1])
        if k + 1 < n:
            rest = rest[1:] - lower[k + 1 :, k] * found[k]
    rest, x = jnp.concatenate([y * lower[k : k + 1, k] for k, y in enumerate(found)]), []
    for k in reversed(range(n)):
        x.append(rest[k:])
        if k:
            rest = rest[:k] - lower[k, :k] * x[-1]
    return jnp.concatenate(x[::-1])
