"""Solve small symmetric positive definite systems, lanes last, with elementary operations only.

A library's factorization handles one matrix at a time and cannot be fused with the expressions around it;
written in elementary operations the whole step becomes one loop over the lanes.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

# A pivot that the elimination leaves smaller than this part of what it was is rounding: singular.
SINGULAR = 1e-13
# Up to this many rows the elimination is written out entry by entry.
WRITTEN_OUT = 12


def factor(matrix):
    """Lower Cholesky factor of a matrix (n, n, *lanes), for `solve`; not a number where it is not positive
    definite."""
    matrix = jax.lax.stop_gradient(matrix)
    n = matrix.shape[0]
    if n <= WRITTEN_OUT:
        return _factor_written_out(matrix, n)

    def column(j, carry):
        rest, lower = carry
        pivot = jax.lax.dynamic_index_in_dim(rest, j, 1, keepdims=False)
        below = (jnp.arange(n) >= j).reshape((n,) + (1,) * (matrix.ndim - 2))
        diagonal = jax.lax.dynamic_index_in_dim(pivot, j, 0, keepdims=False)
        pivot = jnp.where(below, pivot, 0.0) / _root(diagonal, matrix[j, j])
        lower = jax.lax.dynamic_update_index_in_dim(lower, pivot, j, 1)
        return rest - pivot[:, None] * pivot[None], lower

    return jax.lax.fori_loop(0, n, column, (matrix, jnp.zeros_like(matrix)))[1]


def _root(pivot, whole):
    return jnp.sqrt(jnp.where(pivot > SINGULAR * whole, pivot, jnp.nan))


def solve(matrix, lower, right):
    """Solve matrix x = right (n, *lanes), given the matrix and its factor.

    Derivatives are those of the solution, dx = matrix^-1 (d right - d matrix x), and pass by the elimination.
    """

    def times(x):
        return jnp.sum(matrix * x[None], 1)

    def back(_, b):
        return _substituted(lower, b)

    return jax.lax.custom_linear_solve(times, right, back, symmetric=True)


def _substituted(lower, right):
    """Solve L L^T x = right."""
    n = lower.shape[0]
    if n <= WRITTEN_OUT:
        return _solve_written_out(lower, right, n)

    def forward(j, b):
        column = jax.lax.dynamic_index_in_dim(lower, j, 1, keepdims=False)
        y = _at(b, j) / _at(column, j)
        below = (jnp.arange(n) > j).reshape((n,) + (1,) * (right.ndim - 1))
        b = b - jnp.where(below, column, 0.0) * y
        return jax.lax.dynamic_update_index_in_dim(b, y, j, 0)

    def backward(k, b):
        j = n - 1 - k
        row = jax.lax.dynamic_index_in_dim(lower, j, 0, keepdims=False)
        x = _at(b, j) / _at(row, j)
        above = (jnp.arange(n) < j).reshape((n,) + (1,) * (right.ndim - 1))
        b = b - jnp.where(above, row, 0.0) * x
        return jax.lax.dynamic_update_index_in_dim(b, x, j, 0)

    return jax.lax.fori_loop(0, n, backward, jax.lax.fori_loop(0, n, forward, right))


def _at(array, index):
    return jax.lax.dynamic_index_in_dim(array, index, 0, keepdims=False)


def _factor_written_out(matrix, n):
    lower = [[None] * n for _ in range(n)]
    for k in range(n):
        for i in range(k + 1):
            value = matrix[k, i]
            for m in range(i):
                value = value - lower[k][m] * lower[i][m]
            lower[k][i] = _root(value, matrix[k, k]) if k == i else value / lower[i][i]
    zero = jnp.zeros_like(matrix[0, 0])
    return jnp.stack([jnp.stack([zero if e is None else e for e in row]) for row in lower])


def _solve_written_out(lower, right, n):
    x = [right[k] for k in range(n)]
    for k in range(n):
        for i in range(k):
            x[k] = x[k] - lower[k, i] * x[i]
        x[k] = x[k] / lower[k, k]
    for k in reversed(range(n)):
        for i in range(k + 1, n):
            x[k] = x[k] - lower[i, k] * x[i]
        x[k] = x[k] / lower[k, k]
    return jnp.stack(x)
