"""Springs and dampers in place of constraint rows: what penalty and regularized joints have in common.

The stiffness k of a locked axis, where none is given, comes from an angular frequency, k = frequency^2 m. The
mass or moment of inertia m is what the two bodies put against a load along or about that axis, worked out
from their masses and inertias and from the lengths of the arms to the joint point as if each inertia were the
smallest and each arm square to the axis. So it does not change in flight, an energy belongs to the spring,
and no axis by itself swings faster than that; axes that bodies share swing faster together, by up to the
square root of their number.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ..model.attachments import select
from ..vectors import dot, norm, widened
from .contract import Constraints, Inertias, Joints
from .elimination import row_forces, times_inverse_mass


def row_masses(inertias: Inertias, constraints: Constraints, joints: Joints):
    """Mass [kg] of each row whose multiplier is a force, moment of inertia [kg m^2] of the others: (row,
    *lanes). No more than 1/(A M^-1 A^T) of that row, unless its joint has slid far."""
    table, pairs = joints.table, joints.pairs
    mobility: Any = 0.0
    for ends, arms in ((constraints.parent, pairs.arm_a), (constraints.child, pairs.arm_b)):
        inverse = select(inertias.inverse_inertia, ends, 2)
        turning = norm(inverse.reshape(9, *inverse.shape[2:]))
        arm = select(arms, table.joint, 1)
        along = select(inertias.inverse_mass, ends, 0) + dot(arm, arm) * turning
        mobility = mobility + jnp.where(widened(table.forces, along.ndim), along, turning)
    return 1 / jnp.where(mobility > 0, mobility, 1.0)


def stiff(choice, inertias: Inertias, constraints: Constraints, joints: Joints):
    """Mass and stiffness of each row, (row, *lanes): see `row_masses` and `of_rows`."""
    mass = row_masses(inertias, constraints, joints)
    suggested = choice.frequency**2 * mass
    return mass, of_rows(choice.stiffness, choice.torsional_stiffness, suggested, joints)


def of_rows(along, about, suggested, joints: Joints):
    """A coefficient of each row: the one given for locked axes along which, or about which, the bodies are
    held, or the one suggested (row, *lanes) where none is given."""
    given = (suggested if value is None else value for value in (along, about))
    return jnp.where(widened(joints.table.forces, suggested.ndim), *given)


def pushed(inertias: Inertias, force, constraints: Constraints, lam):
    """Accelerations under multipliers of the rows that hold, and these multipliers."""
    if constraints.active is not None:
        lam = lam * constraints.active
    return times_inverse_mass(inertias, force + row_forces(constraints, lam, force.shape[1])), lam
