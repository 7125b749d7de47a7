"""Multipliers at the end of an implicit trapezoidal step, for one iterate of its state (CU-CSSC-90-07, eqs
8-13).

With delta = h/2, the trapezoidal rule gives u1 = (u0 + delta a0) + delta a1 with M a1 = f1 + A1^T lam1. The
iterate determines f, A and the bias of the constraints. Each iteration is therefore one linear solution for
lam1:

    Baumgarte   K lam1 = -(A M^-1 f + gamma'), gamma' with the feedback of eqs 20 and 21
    staggered   the equation of `formulations.staggered`, E lam' = -(gddot + gdot/delta), by the same rule:
                (E + 2 delta K) lam1 = E lam0 - (delta gddot0 + gdot0)
                                       - (A (u0 + delta a0) + dg/dt + 2 delta A M^-1 f + delta gamma)

In a shortened step, the equation of the multipliers keeps the delta of the complete step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import jax, jnp
from .contract import Constraints, Inertias
from .elimination import prepare, row_rates, times_inverse_mass
from .lagrange_multiplier import solve as solve
from .staggered import STARTING, balance, diagonal, regularization, solve_weighted


class Begun(NamedTuple):
    """Quantities at the start of a step.

    - lam (row, *cases): multipliers lam0.
    - drive (row, *cases): delta gddot0 + gdot0.
    - speed (6, body, *cases): u0 + delta a0.
    """

    lam: jax.Array
    drive: jax.Array
    speed: jax.Array


def from_constraints(inertias: Inertias, force, constraints: Constraints, loops: bool) -> jax.Array:
    """Return the multipliers (row, *cases) for which the accelerations satisfy the rows and their bias."""
    right = -(constraints.bias + row_rates(constraints, times_inverse_mass(inertias, force)))
    if constraints.active is not None:
        right = right * constraints.active
    return prepare(inertias, constraints, loops).multipliers(right)


class Staggered(NamedTuple):
    """Parameters of the staggered treatment in one step.

    - coefficient: c of `formulations.staggered`.
    - step: nominal step [s].
    - delta: half of the present step [s].
    """

    coefficient: jax.Array
    step: jax.Array
    delta: jax.Array

    def multipliers(self, inertias, force, constraints: Constraints, speed, begun: Begun, start, known):
        """Return lam (row, *cases) at the end of the step, and its driving term delta gddot + gdot (row,
        *cases).

        - force: generalized forces (6, body, *cases).
        - constraints: constraint rows; their bias is gamma.
        - speed: velocities of the iterate (6, body, *cases), with the ground.
        - start: true at the start of the step. Multipliers that are not `known` (*cases) then follow from the
          constraints.
        """
        assert constraints.rate is not None
        now = balance("velocity", inertias, force, constraints, self.step)
        held, share = _active_rows(constraints), 2 * self.delta / self.step
        gdot = constraints.rate * held
        weight = regularization(self.coefficient, self.step, now.matrix)
        ahead = gdot + row_rates(constraints, begun.speed - speed) * held
        free = -now.plain - constraints.bias * held
        gap = share * (ahead + self.delta * free) - self.delta * now.plain
        weight = jnp.where(start, STARTING * diagonal(now.matrix), weight)
        part = jnp.where(start, 1.0, self.delta * (1 + share))
        right = jnp.where(start, now.plain, weight * begun.lam - begun.drive - gap)
        lam = solve_weighted(weight, part, now.matrix, right)
        lam = jnp.where(start & known, begun.lam, lam)
        bent = jnp.sum(now.matrix * lam[None], 1) - now.plain
        return lam, self.delta * bent + share * gdot


def _active_rows(constraints: Constraints) -> Any:
    return 1.0 if constraints.active is None else constraints.active
