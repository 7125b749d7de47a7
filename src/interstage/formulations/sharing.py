"""How attachments that hold the same motion share its loads.

Rigid bodies determine only the sum A^T lam of such loads. They are shared as elastic attachments would: of
all multipliers with that sum, those of the least strain energy, sum lam^2 / k over the rows. With the
stiffnesses W = diag(k) they are lam = W A d for some small motion d of the bodies (Castigliano), so that
W^(-1/2) lam lies in the range of W^(1/2) A. A bare least norm (W = 1 for forces and torques alike) would
depend on the unit of length.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import custom_jvp, jax, jnp, lax
from . import cholesky


def shared(matrix, stiffness, lam):
    """Multipliers (row, *lanes) with the sum of `lam`, shared by stiffness (row, *lanes).

    matrix: A A^T, or A B A^T with any positive definite B, (row, row, *lanes), with a unit diagonal for rows
    that are not active, whose lam are 0.
    """
    root = jnp.sqrt(stiffness)
    return root * _in_range(matrix * root[:, None] * root[None], lam / root)


@custom_jvp
def _in_range(matrix, vector):
    """The part of a vector in the range of a semidefinite matrix, P v."""
    return _range(matrix).part(vector)


@_in_range.defjvp
def _in_range_changes(primals, tangents):
    """dP = (1 - P) dS S^+ + S^+ dS (1 - P) for the projector on the range of S while its rank stays the same
    (Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973, eq 4.12)."""
    (matrix, vector), (change, along) = primals, tangents
    found = _range(matrix)
    inside = found.part(vector)
    times = lambda v: jnp.sum(change * v[None], 1)  # noqa: E731
    turned = times(found.inverse(vector))
    return inside, turned - found.part(turned) + found.inverse(times(vector - inside)) + found.part(along)


class Range(NamedTuple):
    """A semidefinite matrix S = L L^T: L (row, step, *lanes), L^T L with 1 on the diagonal of the steps
    beyond the rank, and the factor of this."""

    lower: jax.Array
    inner: jax.Array
    factor: Any

    def part(self, vector):
        """P v."""
        return self._up(self._solved(self._down(vector)))

    def inverse(self, vector):
        """S^+ v."""
        return self._up(self._solved(self._solved(self._down(vector))))

    def _down(self, vector):
        return jnp.sum(self.lower * vector[:, None], 0)

    def _up(self, coordinates):
        return jnp.sum(self.lower * coordinates[None], 1)

    def _solved(self, right):
        return cholesky.solve(self.inner, self.factor, right)


def _range(matrix) -> Range:
    factor = cholesky.factor_ranked(matrix)
    lower = factor.lower / factor.scale[:, None]
    # Steps beyond the rank leave empty columns.
    kept = jnp.sum(factor.pivot, 1)
    eye = jnp.eye(matrix.shape[0]).reshape(matrix.shape[:2] + (1,) * (matrix.ndim - 2))
    inner = _products(lower, lower) + eye * (1 - kept)[None]
    return Range(lower, inner, cholesky.factor(inner))


def _products(a, b):
    """a^T b of matrices (row, row, *lanes), row by row: never all products at a time."""

    def add(k, total):
        one, other = (lax.dynamic_index_in_dim(m, k, 0, keepdims=False) for m in (a, b))
        return total + one[:, None] * other[None]

    return lax.fori_loop(0, a.shape[0], add, jnp.zeros_like(a))
