"""Staggered stabilization: the multipliers obey a differential equation (CU-CSSC-90-07, section III.D). The
equation stays regular if rows are redundant.

With K = A M^-1 A^T, delta = h/2 and eps = delta E, the signs of `contract`, and both forms divided by delta:

    E lam' + K lam = r,   r = -(A M^-1 f + gamma + gdot/delta)   from positions (eq 32)
                          r = -(A M^-1 f + gamma)                from velocities (eq 27)

The equations differ from the paper. Eq 32 lacks gamma, because the paper predicts u' half a step ahead, but
not B. Without gamma, order 2 is lost. Equations 33 and 56 lack the factor 1/2 of the mean of r. For
velocity-level rows, the first line is eq 27 with the feedback of eq 21 at the gain 1/delta.

The regularization is E = c h kappa diag(K), which is independent of units. The bound kappa is the largest row
sum of |K| scaled to a unit diagonal. The bound limits the eigenvalues k of the scaled matrix. Let s = 2 c
kappa/k. If s >= 1, each step multiplies a violation along an eigenvector by (s - 1/2)/(s + 1/2), for example
by 1/3 for k = kappa and c = 1/2.

Below s = 1 the two variants of `own_steps.staggered` differ. The continuous variant removes a violation in
one step at s = 1/2, and is unstable below s = 1/4. The variant that restarts in each step is stable for any
s, but at s = 1/2 a violation only changes its sign.
"""

from __future__ import annotations

from typing import NamedTuple

from ..maths.arrays import jax, jnp
from . import cholesky
from .contract import Constraints, Inertias
from .elimination import response, row_rates, times_inverse_mass
from .lagrange_multiplier import solve as solve

STARTING = 1e-8
"""Fraction of the diagonal of K that is added to K when the multipliers are computed from the constraints
alone. This term keeps K regular if rows are redundant.
"""


class Balance(NamedTuple):
    """Coefficients of E lam' + K lam = r at one time.

    - matrix (row, row, *cases): K, with a unit diagonal for inactive rows.
    - right (row, *cases): r; zero for inactive rows.
    - plain (row, *cases): r without the feedback of gdot; zero for inactive rows.
    """

    matrix: jax.Array
    right: jax.Array
    plain: jax.Array


def balance(level: str, inertias: Inertias, force, constraints: Constraints, delta) -> Balance:
    """Return K and r under generalized forces (6, body, *cases).

    - level: "position" or "velocity", the form of r.
    - constraints: rows; their bias is gamma without stabilization.
    - delta: half of the nominal step [s].
    """
    plain = right = -(constraints.bias + row_rates(constraints, times_inverse_mass(inertias, force)))
    if level == "position":
        assert constraints.rate is not None
        right = right - constraints.rate / delta
    if constraints.active is not None:
        plain, right = plain * constraints.active, right * constraints.active
    return Balance(response(inertias, constraints), right, plain)


def regularization(coefficient, step, matrix) -> jax.Array:
    """Return E (row, *cases) [s times the unit of the diagonal of K].

    coefficient: c. step: nominal step [s]. matrix: K.
    """
    own = diagonal(matrix)
    scale = 1 / jnp.sqrt(own)
    bound = jnp.max(jnp.sum(jnp.abs(matrix) * scale[:, None] * scale[None], 1), 0)
    return coefficient * step * bound * own


def integrate(weight, before, now: Balance, lam, span, known) -> jax.Array:
    """Return the multipliers (row, *cases) after a time `span` [s], by the midpoint rule with K at its end
    (eq 56, LINT).

    - weight (row, *cases): E.
    - before (row, *cases): r at the start. now: K and r at the end.
    - lam (row, *cases): multipliers at the start.
    - known (*cases): whether `lam` is known. If `lam` is not known, the multipliers are computed from the
      constraints at the end.
    """
    weight = jnp.where(known, weight, STARTING * diagonal(now.matrix))
    driven = weight * lam + 0.25 * span * (before + now.right)
    found = solve_weighted(
        weight, jnp.where(known, 0.5 * span, 1.0), now.matrix, jnp.where(known, driven, now.plain)
    )
    return jnp.where(known, 2 * found - lam, found)


def solve_weighted(weight, part, matrix, right) -> jax.Array:
    """Return x (row, *cases) of (diag(weight) + part K) x = right. weight: (row, *cases)."""
    eye = jnp.eye(right.shape[0]).reshape(matrix.shape[:2] + (1,) * (right.ndim - 1))
    matrix = eye * weight[None] + part * matrix
    return cholesky.solve(matrix, cholesky.factor(matrix), right)


def diagonal(matrix) -> jax.Array:
    """Return the diagonal of a matrix (row, row, *cases)."""
    return jnp.stack([matrix[k, k] for k in range(matrix.shape[0])])
