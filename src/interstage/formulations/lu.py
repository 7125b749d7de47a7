"""Solve general dense systems, lanes last, with elementary operations only: LU factors with row pivoting.

Beside what `cholesky` says of libraries: calls of LAPACK on many lanes share the threads of the CPU, and two
of them at once can wait for each other for ever.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Factor(NamedTuple):
    """A = L U with the rows of L in the matrix's own order.

    lower (row, step, *lanes): multiples of the pivot row taken from the rows that were left. upper (step,
    column, *lanes): the pivot rows. pivot (step, row, *lanes): 1 at the row that each step takes.
    """

    lower: jax.Array
    upper: jax.Array
    pivot: jax.Array


def factor(matrix) -> Factor:
    """Factor of a matrix (n, n, *lanes), for `solve`."""
    matrix = jax.lax.stop_gradient(matrix)
    n = matrix.shape[0]
    places = jnp.arange(n).reshape(n, *(1,) * (matrix.ndim - 2))

    def step(j, carry):
        table, factor, left = carry
        column = _at(table, j, 1)
        chosen = (places == jnp.argmax(jnp.where(left > 0, jnp.abs(column), -1.0), 0)).astype(matrix.dtype)
        own = jnp.sum(table * chosen[:, None], 0)
        left = left * (1.0 - chosen)
        multiple = left * column / _at(own, j, 0)
        parts = zip(factor, (multiple, own, chosen), (1, 0, 0), strict=True)
        factor = Factor(*(jax.lax.dynamic_update_index_in_dim(f, new, j, axis) for f, new, axis in parts))
        return table - multiple[:, None] * own[None], factor, left

    zero = jnp.zeros_like(matrix)
    left = jnp.ones_like(matrix[0])
    return jax.lax.fori_loop(0, n, step, (matrix, Factor(zero, zero, zero), left))[1]


def solve(matrix, factor: Factor, right):
    """Solve matrix x = right (n, *lanes), given the matrix and its factor; infinite or not a number where the
    matrix is singular.

    Derivatives are those of the solution, dx = matrix^-1 (d right - d matrix x), and pass by the elimination.
    """
    return jax.lax.custom_linear_solve(
        lambda x: jnp.sum(matrix * x[None], 1),
        right,
        lambda _, b: _solution(factor, b),
        lambda _, b: _solution_of_transpose(factor, b),
    )


def _solution(factor: Factor, right):
    n = right.shape[0]

    def forward(j, carry):
        b, y = carry
        found = jnp.sum(_at(factor.pivot, j, 0) * b, 0)
        return b - _at(factor.lower, j, 1) * found, jax.lax.dynamic_update_index_in_dim(y, found, j, 0)

    def backward(k, x):
        row = _at(factor.upper, n - 1 - k, 0)
        found = (_at(y, n - 1 - k, 0) - jnp.sum(row * x, 0)) / _at(row, n - 1 - k, 0)
        return jax.lax.dynamic_update_index_in_dim(x, found, n - 1 - k, 0)

    _, y = jax.lax.fori_loop(0, n, forward, (right, jnp.zeros_like(right)))
    return jax.lax.fori_loop(0, n, backward, jnp.zeros_like(right))


def _solution_of_transpose(factor: Factor, right):
    n = right.shape[0]

    def forward(j, y):
        column = _at(factor.upper, j, 1)
        found = (_at(right, j, 0) - jnp.sum(column * y, 0)) / _at(column, j, 0)
        return jax.lax.dynamic_update_index_in_dim(y, found, j, 0)

    def backward(k, x):
        found = _at(y, n - 1 - k, 0) - jnp.sum(_at(factor.lower, n - 1 - k, 1) * x, 0)
        return x + _at(factor.pivot, n - 1 - k, 0) * found

    y = jax.lax.fori_loop(0, n, forward, jnp.zeros_like(right))
    return jax.lax.fori_loop(0, n, backward, jnp.zeros_like(right))


def _at(array, index, axis):
    return jax.lax.dynamic_index_in_dim(array, index, axis, keepdims=False)
