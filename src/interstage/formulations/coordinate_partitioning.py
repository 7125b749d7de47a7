"""Partition the velocities into independent and dependent velocities (CU-CSSC-90-07, section III.A; Wehage
and Haug, 1982).

Gauss-Jordan elimination of the constraint rows A udot = -gamma splits them as A = [B_i B_e]. The pivots are
chosen from all remaining rows and velocities. Each pivot makes one velocity dependent (internal, u_i in the
paper). The other velocities are independent (external, u_e). With T = B_i^-1 B_e it follows that u_i' =
-B_i^-1 gamma
- T u_e' (eq 15). The reduced equations are (M_e + T^T M_i T) u_e' = r_e (eqs 17-19). The multipliers follow
from the dependent part of M udot = f + A^T lam (eq 12).

The pivots are chosen again for each solution. The repeated choice costs little, and no stored choice has to
be updated at events. Pivots are measured in units of the radii of gyration, so that the choice does not
depend on the unit of length. The choice does not depend on masses either, because masses do not determine
redundancy. Rows whose pivots vanish are redundant. Such rows are omitted, with zero multipliers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp, lax
from ..maths.vectors import rotate
from ..model.attachments import select
from . import cholesky, rods
from .contract import Constraints, Inertias, Joints
from .elimination import times_inverse_mass

# A pivot smaller than this part of its row is none: the row repeats others. Its square is what
# `elimination.independent` decides by.
DEPENDENT = cholesky.DEPENDENT**0.5


class Partition(NamedTuple):
    """Constraint rows solved for the dependent velocities: u_i = B_i^-1 r - T u_e.

    The velocities are ordered by component, then by body, without the ground.

    - pivot (row, velocity, *cases): 1 at the velocity that a row determines.
    - transfer (row, velocity, *cases): T; zero for dependent velocities.
    - inverse (row, row, *cases): B_i^-1; zero for redundant rows.
    """

    pivot: jax.Array
    transfer: jax.Array
    inverse: jax.Array

    @property
    def independent(self):
        """Return 1 for independent velocities and 0 for dependent velocities (velocity, *cases)."""
        return 1.0 - jnp.sum(self.pivot, 0)

    def at_dependent(self, values):
        """Convert values of rows (row, *cases) to values of the velocities that these rows determine
        (velocity, *cases).
        """
        return jnp.sum(self.pivot * values[:, None], 0)

    def along(self, force):
        """Return the generalized forces on the independent velocities, f_e - T^T f_i (velocity, *cases).

        force: generalized forces f (velocity, *cases).
        """
        internal = jnp.sum(self.pivot * force[None], 1)
        return self.independent * force - jnp.sum(self.transfer * internal[:, None], 0)

    def whole(self, independent, right):
        """Return all velocities (velocity, *cases) from the independent velocities and the right-hand sides r
        of the rows (row, *cases).
        """
        own = jnp.sum(self.inverse * right[None], 1) - jnp.sum(self.transfer * independent[None], 1)
        return self.independent * independent + self.at_dependent(own)


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see
    `contract.Formulation`.
    """
    if constraints.bias.shape[0] == 0:
        return times_inverse_mass(inertias, force), constraints.bias

    def solve_rows():
        return _solve_constrained(inertias, force, constraints)

    if constraints.active is None:
        return solve_rows()
    free = times_inverse_mass(inertias, force), jnp.zeros_like(constraints.bias)
    return lax.cond(jnp.any(constraints.active > 0), solve_rows, lambda: free)


def _solve_constrained(inertias: Inertias, force, constraints: Constraints):
    assert inertias.mass is not None
    bodies, lanes = inertias.mass.shape[0], force.shape[2:]
    right = -constraints.bias
    if constraints.active is not None:
        right = right * constraints.active
    split = partition(inertias, constraints)
    given = force[:, :bodies].reshape(6 * bodies, *lanes)
    if inertias.freedoms is not None:  # counted from their own motion, which the bias has
        given = jnp.concatenate([given, jnp.zeros((len(inertias.freedoms.body), *lanes))])
    start = split.whole(jnp.zeros_like(given), right)
    matrix = _reduced_mass(inertias, split)
    lacking = given - _times_mass(inertias, start[:, None])[:, 0]
    load = split.along(lacking)
    external = cholesky.solve(matrix, cholesky.factor(matrix), load)
    acceleration = split.whole(external, right)
    lacking = _times_mass(inertias, acceleration[:, None])[:, 0] - given
    dependent = jnp.sum(split.pivot * lacking[None], 1)
    lam = jnp.sum(split.inverse * dependent[:, None], 0)
    ground = [(0, 0), (0, force.shape[1] - bodies), *[(0, 0)] * len(lanes)]
    return jnp.pad(acceleration[: 6 * bodies].reshape(6, bodies, *lanes), ground), lam


def _reduced_mass(inertias: Inertias, split: Partition):
    """M_e + T^T M_i T, with the terms by which M couples the two kinds of velocities of one body, (velocity,
    velocity, *cases); 1 on the diagonal of dependent velocities."""
    eye = _diagonal(jnp.ones_like(split.independent))
    mass = _times_mass(inertias, eye)
    rows = jnp.sum(split.pivot[:, :, None] * mass[None], 1)  # of M, of the dependent velocities
    own = jnp.sum(rows[:, None] * split.pivot[None], 2)
    # T^T (M_i T / 2 - M_ie), of which the symmetric part counts twice.
    half = jnp.sum(own[:, :, None] * split.transfer[None], 1) / 2 - rows * split.independent[None]
    cross = jnp.sum(split.transfer[:, :, None] * half[:, None], 0)
    kept = mass * split.independent[:, None] * split.independent[None]
    return kept + cross + jnp.swapaxes(cross, 0, 1) + _diagonal(1.0 - split.independent)


def partition(inertias: Inertias, constraints: Constraints) -> Partition:
    """Select the dependent velocities, and solve the active rows for them."""
    assert inertias.mass is not None
    assert inertias.inertia is not None
    rows, bodies = jacobian(constraints, inertias.mass.shape[0]), inertias.mass.shape[0]
    count, size = rows.shape[:2]
    moments = [jnp.ones_like(inertias.mass)] * 3 + [inertias.inertia[k, k] / inertias.mass for k in range(3)]
    unit = 1 / jnp.sqrt(jnp.stack(moments).reshape(6 * bodies, *inertias.mass.shape[1:]))
    if inertias.freedoms is not None:
        light = inertias.freedoms.inverse_mass * select(inertias.mass, inertias.freedoms.body, 0)
        unit = jnp.concatenate([unit, jnp.sqrt(light)])
    length = jnp.sqrt(jnp.sum((rows * unit[None]) ** 2, 1))
    weight = unit[None] / jnp.where(length > 0, length, 1.0)[:, None]
    weight = jnp.broadcast_to(weight, rows.shape)
    eye = jnp.eye(count).reshape(count, count, *(1,) * (rows.ndim - 2))
    table = jnp.concatenate([rows, jnp.broadcast_to(eye, (count, count, *rows.shape[2:]))], 1)

    def eliminate(_, carry):
        table, pivots = carry
        left = 1.0 - jnp.sum(pivots, 1)
        here = _largest(lax.stop_gradient(jnp.abs(table[:, :size]) * weight * left[:, None]))
        row, velocity = jnp.sum(here, 1), jnp.sum(here, 0)
        found = jnp.sum(row, 0)
        own = jnp.sum(table * row[:, None], 0)
        pivot = jnp.sum(own[:size] * velocity, 0)
        own = own / jnp.where(found > 0, pivot, 1.0)
        column = jnp.sum(table[:, :size] * velocity[None], 1)
        table = (table - column[:, None] * own[None]) * (1.0 - row)[:, None] + row[:, None] * own[None]
        return table, pivots + here

    table, pivots = lax.fori_loop(0, count, eliminate, (table, jnp.zeros_like(rows)))
    used = jnp.sum(pivots, 1)[:, None]
    independent = 1.0 - jnp.sum(pivots, 0)
    return Partition(pivots, table[:, :size] * used * independent[None], table[:, size:] * used)


def _largest(size):
    """1 at the largest entry of a table (row, velocity, *cases); all zero if the table has no positive
    entry."""
    flat = size.reshape(-1, *size.shape[2:])
    places = jnp.arange(flat.shape[0]).reshape(-1, *(1,) * (flat.ndim - 1))
    largest = jnp.max(flat, 0)
    first = jnp.min(jnp.where(flat == largest, places, flat.shape[0]), 0)
    here = (places == first) & (largest > DEPENDENT)
    return here.astype(size.dtype).reshape(size.shape)


def jacobian(constraints: Constraints, bodies: int):
    """Return A (row, velocity, *cases) without the ground; zero for inactive rows.

    The velocities are ordered by component, then by body, followed by further degrees of freedom. bodies:
    number of bodies without the ground.
    """
    total = 0.0
    for ends, on in ((constraints.parent, constraints.on_a), (constraints.child, constraints.on_b)):
        at = (np.asarray(ends)[:, None] == np.arange(bodies)[None]).astype(float)
        total = total + on[:, :, None] * at.reshape(1, *at.shape, *(1,) * (on.ndim - 2))
    if constraints.active is not None:
        total = total * constraints.active[None, :, None]
    whole = jnp.swapaxes(total, 0, 1).reshape(on.shape[1], 6 * bodies, *on.shape[2:])
    if constraints.on_freedoms is None:
        return whole
    active: Any = 1.0 if constraints.active is None else constraints.active[:, None]
    return jnp.concatenate([whole, jnp.swapaxes(constraints.on_freedoms, 0, 1) * active], 1)


def _times_mass(inertias: Inertias, velocities):
    """M times velocities (component x body, then freedom, n, *cases)."""
    assert inertias.mass is not None
    assert inertias.inertia is not None
    bodies = inertias.mass.shape[0]
    if inertias.freedoms is not None:
        own, others = velocities[: 6 * bodies], velocities[6 * bodies :]
        moved = _times_mass(inertias._replace(freedoms=None), own)
        return jnp.concatenate([moved, others / inertias.freedoms.inverse_mass[:, None]])
    u = velocities.reshape(6, bodies, *velocities.shape[1:])
    moved = [u[:3] * inertias.mass[:, None], rotate(inertias.inertia[:, :, :, None], u[3:])]
    whole = jnp.concatenate(moved)
    if inertias.rods is not None:
        whole = whole + rods.momenta(inertias, u)
    return whole.reshape(velocities.shape)


def _diagonal(values):
    """A diagonal matrix (n, n, *cases)."""
    eye = np.eye(values.shape[0]).reshape(*values.shape[:1] * 2, *(1,) * (values.ndim - 1))
    return eye * values[None]
