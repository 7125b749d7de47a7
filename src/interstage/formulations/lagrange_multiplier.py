"""Lagrange multipliers: TP-2016, method II (eqs 29-34 and 54).

(A M^-1 A^T) lam = -(gamma' + A M^-1 f), then udot = M^-1 (f + A^T lam). The matrix couples two rows only
where they share a body. A row that is not active is replaced by lam = 0.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..model.attachments import gathered, select
from ..vectors import rotate
from . import cholesky
from .contract import Constraints, Inertias


def solve(inertias: Inertias, force, constraints: Constraints):
    """Accelerations (6, body, *lanes) and multipliers (row, *lanes); see `contract.Formulation`."""
    free = times_inverse_mass(inertias, force)
    if constraints.bias.shape[0] == 0:
        return free, constraints.bias
    right = -(constraints.bias + row_rates(constraints, free))

    def constrained():
        matrix = response(inertias, constraints)
        return cholesky.solve(matrix, cholesky.factor(matrix), _masked(right, constraints))

    lam = _where_any_active(constraints, constrained, jnp.zeros_like(right))
    return free + times_inverse_mass(inertias, row_forces(constraints, lam, free.shape[1])), lam


def impulse(inertias: Inertias, velocity, constraints: Constraints, matrix, factor):
    """Velocities (6, body, *lanes) made to satisfy A u + bias = 0, and the impulses that do it.

    matrix, factor: `response` of these rows (or of rows close to them) and its Cholesky factor. The change
    is M^-1 A^T times the impulse: the smallest in the metric of kinetic energy, which is also the outcome
    of a perfectly plastic capture."""
    right = -(constraints.bias + row_rates(constraints, velocity))
    lam = cholesky.solve(matrix, factor, _masked(right, constraints))
    change = times_inverse_mass(inertias, row_forces(constraints, lam, velocity.shape[1]))
    return velocity + change, lam


def times_inverse_mass(inertias: Inertias, force):
    """M^-1 f for generalized forces (6, body, *lanes)."""
    linear = force[:3] * inertias.inverse_mass
    return jnp.concatenate([linear, rotate(inertias.inverse_inertia, force[3:])])


def row_rates(constraints: Constraints, velocity):
    """A u: (row, *lanes), of velocities or accelerations (6, body, *lanes)."""
    on_a = constraints.on_a * select(velocity, constraints.parent, 1)
    on_b = constraints.on_b * select(velocity, constraints.child, 1)
    return jnp.sum(on_a + on_b, 0)


def row_forces(constraints: Constraints, lam, bodies: int):
    """A^T lam: generalized forces (6, body, *lanes)."""
    on_a, on_b = constraints.on_a * lam, constraints.on_b * lam
    return gathered(on_a, on_b, constraints.parent, constraints.child, bodies)


def response(inertias: Inertias, constraints: Constraints) -> jax.Array:
    """A M^-1 A^T (row, row, *lanes), with a unit diagonal for rows that are not active."""
    sides = []
    for rows, body in ((constraints.on_a, constraints.parent), (constraints.on_b, constraints.child)):
        own = Inertias(select(inertias.inverse_mass, body, 0), select(inertias.inverse_inertia, body, 2))
        sides.append((body, rows, times_inverse_mass(own, rows)))
    total: Any = 0.0
    for body_k, rows, _ in sides:
        for body_l, _, moved in sides:
            shared = body_k[:, None] == body_l[None]
            if not shared.any():
                continue
            part = jnp.sum(rows[:, :, None] * moved[:, None], 0)
            total = total + (part if shared.all() else part * _padded(shared, part))
    if constraints.active is None:
        return total
    active = constraints.active
    eye = _padded(np.eye(active.shape[0]), total)
    return total * active[:, None] * active[None] + eye * (1 - active)[None]


def _padded(table, like):
    return np.asarray(table, float).reshape(table.shape + (1,) * (like.ndim - 2))


def _masked(right, constraints):
    return right if constraints.active is None else right * constraints.active


def _where_any_active(constraints, constrained, otherwise):
    if constraints.active is None:
        return constrained()
    return jax.lax.cond(jnp.any(constraints.active > 0), constrained, lambda: otherwise)
