"""How attachments that hold the same motion share its loads.

Rigid bodies determine only the sum A^T lam of such loads. They are shared as elastic attachments would: of
all multipliers with that sum, those of the least strain energy, sum lam^2 / k over the rows. With the
stiffnesses W = diag(k) they are lam = W A d for some small motion d of the bodies (Castigliano), so that
W^(-1/2) lam lies in the range of W^(1/2) A. A bare least norm (W = 1 for forces and torques alike) would
depend on the unit of length.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from . import cholesky


def shared(matrix, stiffness, lam):
    """Multipliers (row, *lanes) with the sum of `lam`, shared by stiffness (row, *lanes).

    matrix: A M^-1 A^T (row, row, *lanes), with a unit diagonal for rows that are not active, whose lam are 0.
    """
    root = jnp.sqrt(stiffness)
    weighed = matrix * root[:, None] * root[None]
    found = root * _in_range(weighed, lam / root)
    # The projection passes by its own derivative; that of the same loads by (K W K) y = K lam, lam = W K y,
    # which is less exact in value.
    smooth = _by_normal_equations(matrix, stiffness, lam)
    return smooth + jax.lax.stop_gradient(found - smooth)


def _in_range(matrix, vector):
    """The part of a vector in the range of a semidefinite matrix."""
    factor = cholesky.factor_ranked(matrix)
    lower = factor.lower / factor.scale[:, None]
    inner = _products(lower, lower)
    # Steps beyond the rank leave empty columns.
    kept = jnp.sum(factor.pivot, 1)
    eye = jnp.eye(matrix.shape[0]).reshape(matrix.shape[:2] + (1,) * (matrix.ndim - 2))
    inner = inner + eye * (1 - kept)[None]
    coordinates = cholesky.solve(inner, cholesky.factor(inner), jnp.sum(lower * vector[:, None], 0))
    return jnp.sum(lower * coordinates[None], 1)


def _by_normal_equations(matrix, stiffness, lam):
    twice = _products(matrix, stiffness[:, None] * matrix)
    right = jnp.sum(matrix * lam[None], 1)
    y = cholesky.solve(twice, cholesky.factor_ranked(twice), right)
    return stiffness * jnp.sum(matrix * y[None], 1)


def _products(a, b):
    """a^T b of matrices (row, row, *lanes), row by row: never all products at a time."""

    def add(k, total):
        one, other = (jax.lax.dynamic_index_in_dim(m, k, 0, keepdims=False) for m in (a, b))
        return total + one[:, None] * other[None]

    return jax.lax.fori_loop(0, a.shape[0], add, jnp.zeros_like(a))
