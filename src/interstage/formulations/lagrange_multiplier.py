"""Lagrange multipliers: TP-2016, Method II (eqs 29-34 and 54).

The equations are (A M^-1 A^T) lam = -(gamma' + A M^-1 f), then udot = M^-1 (f + A^T lam). Two rows are
coupled only if they share a body. The equation of an inactive row is replaced by lam = 0.
"""

from __future__ import annotations

from ..maths.arrays import jnp, lax
from .contract import Constraints, Inertias, Joints
from .elimination import nearest, prepare, times_inverse_mass


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see
    `contract.Formulation`."""
    free = times_inverse_mass(inertias, force)
    if constraints.bias.shape[0] == 0:
        return free, constraints.bias

    def solve_rows():
        return nearest(prepare(inertias, constraints, joints.loops), inertias, free, constraints)

    if constraints.active is None:
        return solve_rows()
    unconstrained = free, jnp.zeros_like(constraints.bias)
    return lax.cond(jnp.any(constraints.active > 0), solve_rows, lambda: unconstrained)
