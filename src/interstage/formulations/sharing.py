"""Distribution of the loads of redundant attachments.

The motion of rigid bodies determines only the resultant A^T lam of these loads. The loads are distributed as
by elastic attachments. Of all multipliers with this resultant, the multipliers with the smallest strain
energy, sum lam^2 / k over the rows, are used (Castigliano). A distribution with k = 1 for forces and torques
would depend on the unit of length.

Let C = diag(1/k) be the compliances and R = A A^T, with independent rows I and other rows D. Loads with zero
resultant are the columns of N = [-T^T; 1], T = R_DI R_II^-1, and the distributed loads are

    lam - N z,    (N^T C N) z = N^T C lam,    N^T C N = C_D + T C_I T^T.

For redundant rows, only the ratios of k affect the result. If the rows I are the stiffest rows, K^(1/2) N^T C
N K^(1/2) = 1 + X X^T over D, with X = K_D^(1/2) T K_I^(-1/2). Each pivot is at least as large as the pivots
of the rows that this pivot eliminates. The elements of X are therefore at most about one, and the system is
well conditioned for any stiffnesses.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import any_jax, custom_jvp, jax, jnp, lax, tracing
from . import cholesky

NEAR = np.finfo(float).eps / cholesky.DEPENDENT
"""Smallest pivot that may be chosen for its stiffness, as a fraction of the largest remaining pivot."""
NO_PART = 1e-10
"""Largest absolute value of an element of T that counts as zero, because it is a rounding error."""
CLEAR = 1e3
"""Smallest ratio between the pivots of independent rows and the remainders of redundant rows. Above this
ratio, LAPACK decides which rows are redundant.
"""
MANY = 64
"""Smallest number of rows for which LAPACK distributes the loads, one state at a time. Traced loads are
always distributed by elimination.
"""


def share_loads(matrix, stiffness, lam):
    """Return multipliers (row, *cases) with the resultant of `lam`, distributed by stiffness.

    - matrix (row, row, *cases): A A^T, or A B A^T with a positive definite B. Inactive rows have a unit
      diagonal.
    - stiffness (row, *cases): stiffness k of each row.
    - lam (row, *cases): multipliers; zero for inactive rows.
    """
    lanes = jnp.broadcast_shapes(matrix.shape[2:], stiffness.shape[1:], lam.shape[1:])
    matrix = jnp.broadcast_to(matrix, matrix.shape[:2] + lanes)
    stiffness, lam = (jnp.broadcast_to(each, each.shape[:1] + lanes) for each in (stiffness, lam))
    size = lax.stop_gradient(jnp.sqrt(jnp.stack([matrix[k, k] for k in range(matrix.shape[0])])))
    scaled = matrix / size[:, None] / size[None]
    return _share(scaled, stiffness * size**2, lam * size) / size


@custom_jvp
def _share(matrix, stiffness, lam):
    if len(matrix) >= MANY and not (tracing() or any_jax(matrix, stiffness, lam)):
        return _one_by_one(matrix, stiffness, lam)
    return _share_by_elimination(matrix, stiffness, lam)


def _share_by_elimination(matrix, stiffness, lam):
    found = _nothing(matrix, stiffness)
    return lam - found.combine(found.least(lam))


@_share.defjvp
def _shared_changes(primals, tangents):
    """Derivatives of the distributed loads. From N^T C (lam - N z) = 0 and R N = 0, while the rank stays the
    same: dN_I = -R_II^-1 (dR N)_I."""
    (matrix, stiffness, lam), (change, stiffer, along) = primals, tangents
    found = _nothing(matrix, stiffness)
    less = found.combine(found.least(lam))
    left = lam - less
    moved = along + _times(found.inner, _times(change, less))
    strained = found.compliance * (moved - left * stiffer / stiffness)
    turned = _times(change, _times(found.inner, found.compliance * left))
    return left, moved - found.combine(found.solve(found.onto(strained - turned)))


def _one_by_one(matrix, stiffness, lam):
    """The result of `_share_by_elimination`, by LAPACK if its choice of the rows I is equally reliable."""
    flat = (each.reshape(*each.shape[:k], -1) for each, k in ((matrix, 2), (stiffness, 1), (lam, 1)))
    found = []
    for one in zip(*(np.moveaxis(each, -1, 0) for each in flat), strict=True):
        answer = _by_lapack(*one)
        found.append(_share_by_elimination(*one) if answer is None else answer)
    return np.stack(found, -1).reshape(lam.shape)


def _by_lapack(matrix, stiffness, lam):
    """Distributed multipliers (row,) by the pivoted Cholesky factor of K^(1/2) R K^(1/2), whose largest
    pivots are the stiffest rows: X = L_D L_I^-1. The result is None if elimination must decide, because
    stiffnesses differ too much, or because independent and redundant rows differ too little."""
    lapack: Any = import_module("scipy.linalg.lapack")

    root = np.sqrt(stiffness)
    least = cholesky.DEPENDENT * np.max(stiffness)
    weighed = matrix * root[:, None] * root
    lower, order, rank, error = lapack.dpstrf(weighed, tol=least, lower=1)
    if error < 0 or not np.min(stiffness) > NEAR * np.max(stiffness):
        return None
    first, others = np.split(order - 1, [rank])
    pivots = np.diagonal(lower)[:rank] ** 2 / stiffness[first]
    beside = lower[rank:, :rank]
    left = (np.diagonal(weighed)[others] - np.sum(beside**2, 1)) / stiffness[others]
    if not np.min(pivots, initial=1.0) > CLEAR * np.max(left, initial=cholesky.DEPENDENT):
        return None
    share = lapack.dtrtrs(lower[:rank, :rank], beside.T, lower=1, trans=1)[0].T
    turned = share * root[first] / root[others, None]
    taking = np.where(np.abs(turned) > NO_PART, share, 0.0)
    scaled = lam / root
    energy = np.eye(len(others)) + taking @ taking.T
    z = lapack.dposv(energy, scaled[others] - taking @ scaled[first])[1]
    scaled[first] += share.T @ z
    scaled[others] -= z
    return scaled * root


class _Nothing(NamedTuple):
    """Loads with zero resultant, of rows of length 1.

    loads (row, other, *cases): N in the columns of rows D, zero in other columns. `part`: the same without
    rounding. inner (row, row, *cases): R_II^-1, zero in rows D. compliance (row, *cases). energy (row, row,
    *cases): N^T C N, with a diagonal of 1 in rows I. factor: factor of the energy.
    """

    loads: jax.Array
    part: jax.Array
    inner: jax.Array
    compliance: jax.Array
    energy: jax.Array
    factor: cholesky.Ranked

    def combine(self, z):
        """N z."""
        return _times(self.loads, z)

    def onto(self, strain):
        """N^T of strains."""
        return jnp.sum(self.part * strain[:, None], 0)

    def solve(self, right):
        """(N^T C N)^-1 of a right-hand side."""
        return cholesky.solve(self.energy, self.factor, right)

    def least(self, lam):
        """The z for which lam - N z has the least energy."""
        return self.solve(self.onto(self.compliance * lam))


def _nothing(matrix, stiffness) -> _Nothing:
    swept, chosen = _swept(matrix, stiffness)
    eye = jnp.eye(matrix.shape[0]).reshape(matrix.shape[:2] + (1,) * (matrix.ndim - 2))
    part = swept * chosen[:, None] * (1 - chosen)[None]
    rest = eye * (1 - chosen)[None]
    compliance = 1 / stiffness
    taking = rest - jnp.where(jnp.abs(part) > NO_PART, part, 0.0)
    energy = _products(taking, taking * compliance[:, None]) + eye * chosen[None]
    inner = -swept * chosen[:, None] * chosen[None]
    return _Nothing(rest - part, taking, inner, compliance, energy, cholesky.factor_ranked(energy))


def _swept(matrix, stiffness):
    """[-R_II^-1, T^T; T, 0] in the places of rows and columns, and 1 for rows I: (row, row, *cases), (row,
    *cases). The stiffest rows are chosen first as rows I."""
    n = matrix.shape[0]
    places = jnp.arange(n).reshape((n,) + (1,) * (matrix.ndim - 2))

    def step(_, carry):
        swept, chosen = carry
        left = jnp.stack([swept[k, k] for k in range(n)])
        left = jnp.where(chosen > 0, 0.0, left)
        least = jnp.maximum(NEAR * jnp.max(left, 0), cholesky.DEPENDENT)
        worth = jnp.where(left > least, left * stiffness, 0.0)
        own = (places == jnp.argmax(worth, 0)) & (jnp.max(worth, 0) > 0)
        pivot = own.astype(swept.dtype)
        column = jnp.sum(swept * pivot[None], 1)
        size = jnp.sum(column * pivot, 0)
        size = jnp.where(size > 0, size, 1.0)
        share = column / size
        crossed = pivot[:, None] * share[None] + share[:, None] * pivot[None]
        corner = pivot[:, None] * pivot[None]
        rest = swept - column[:, None] * share[None]
        beside = jnp.where(own[:, None] | own[None], crossed, rest)
        return jnp.where(corner > 0, -1 / size, beside), chosen + pivot

    return lax.fori_loop(0, n, step, (matrix, jnp.zeros(stiffness.shape)))


def _times(matrix, vector):
    return jnp.sum(matrix * vector[None], 1)


def _products(a, b):
    """a^T b of matrices (row, row, *cases), row by row, so that memory never holds all products at a time."""

    def add(k, total):
        one, other = (lax.dynamic_index_in_dim(m, k, 0, keepdims=False) for m in (a, b))
        return total + one[:, None] * other[None]

    return lax.fori_loop(0, a.shape[0], add, jnp.zeros_like(a))
