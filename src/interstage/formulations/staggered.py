"""Staggered stabilization: multipliers that obey a differential equation of their own (CU-CSSC-90-07, section
III.D), which stays regular where rows repeat each other.

With K = A M^-1 A^T, delta = h/2 and eps = delta E, the signs of `contract`, and both forms divided by delta:

    E lam' + K lam = r,   r = -(A M^-1 f + gamma + gdot/delta)   from positions (eq 32)
                          r = -(A M^-1 f + gamma)                from velocities (eq 27)

Changes to the paper: eq 32 lacks gamma (u' is taken half a step ahead, as it is predicted there, but B is
not), and without it order 2 is lost. Equations 33 and 56 lack the 1/2 of the mean of r. For rows that
restrict velocities only, the first line is eq 27 with the feedback of eq 21 at the gain 1/delta.

E is c h kappa diag(K): the measure of each row's own mass, whatever its unit; kappa bounds the eigenvalues of
K scaled to a unit diagonal. Consider a row whose eigenvalue of that matrix is k <= kappa, with s = 2 c
kappa/k >= 1. A violation is multiplied by (s - 1/2)/(s + 1/2) in each step: by a third where k = kappa and c
= 1/2. Below s = 1 the sequences of `own_steps.staggered` differ. Those that go on for ever are rid of a
violation after one step at s = 1/2, and are unstable below s = 1/4. Those that start afresh with every step
are stable for any s, but at s = 1/2 a violation only changes its sign.
"""

from __future__ import annotations

from typing import NamedTuple

from ..maths.arrays import jax, jnp
from . import cholesky
from .contract import Constraints, Inertias
from .elimination import response, row_rates, times_inverse_mass
from .lagrange_multiplier import solve as solve

STARTING = 1e-8
"""Fraction of the diagonal of K that is added to K when multipliers follow from the constraints alone, for
redundant rows."""


class Balance(NamedTuple):
    """Driving terms of the multipliers at one time.

    Values: K (row, row, *cases) with a unit diagonal for inactive rows; r (row, *cases); r without the
    feedback of gdot. Both values of r are zero for inactive rows."""

    matrix: jax.Array
    right: jax.Array
    plain: jax.Array


def balance(level: str, inertias: Inertias, force, constraints: Constraints, delta) -> Balance:
    """Return K and r under generalized forces (6, body, *cases), from positions or velocities (`level`).

    The bias of `constraints` is gamma without stabilization. delta: half of the nominal step [s]."""
    plain = right = -(constraints.bias + row_rates(constraints, times_inverse_mass(inertias, force)))
    if level == "position":
        assert constraints.rate is not None
        right = right - constraints.rate / delta
    if constraints.active is not None:
        plain, right = plain * constraints.active, right * constraints.active
    return Balance(response(inertias, constraints), right, plain)


def regularization(coefficient, step, matrix) -> jax.Array:
    """Return E (row, *cases) [s times the unit of the diagonal of K] for the nominal step [s]."""
    own = diagonal(matrix)
    scale = 1 / jnp.sqrt(own)
    bound = jnp.max(jnp.sum(jnp.abs(matrix) * scale[:, None] * scale[None], 1), 0)
    return coefficient * step * bound * own


def integrate(weight, before, now: Balance, lam, span, known) -> jax.Array:
    """Return the multipliers (row, *cases) after a time `span` [s], by the midpoint rule with K at its end
    (eq 56, LINT).

    Multipliers that are not `known` (*cases) follow from the constraints at the end. weight: E. before: r at
    the start. lam: multipliers at the start."""
    weight = jnp.where(known, weight, STARTING * diagonal(now.matrix))
    driven = weight * lam + 0.25 * span * (before + now.right)
    found = solve_weighted(
        weight, jnp.where(known, 0.5 * span, 1.0), now.matrix, jnp.where(known, driven, now.plain)
    )
    return jnp.where(known, 2 * found - lam, found)


def solve_weighted(weight, part, matrix, right) -> jax.Array:
    """Return x (row, *cases) of (weight + part K) x = right, with weight (row, *cases) on the diagonal."""
    eye = jnp.eye(right.shape[0]).reshape(matrix.shape[:2] + (1,) * (right.ndim - 1))
    matrix = eye * weight[None] + part * matrix
    return cholesky.solve(matrix, cholesky.factor(matrix), right)


def diagonal(matrix) -> jax.Array:
    """Return the diagonal of a matrix (row, row, *cases)."""
    return jnp.stack([matrix[k, k] for k in range(matrix.shape[0])])
