"""Multipliers proportional to the violation (CU-CSSC-90-07, section III.C, eqs 22-24): lam = -g/eps.

The sign is that of M udot = f + A^T lam. Rows of velocities have lam = -gdot/eps. There is no damping: a
constraint that is not met exactly swings about its violation under load, for ever, and the motion approaches
that of rigid joints with order 1 in eps, while loads and accelerations keep swinging about their values.
"""

from __future__ import annotations

import jax.numpy as jnp

from ..vectors import widened
from .axis_springs import pushed, stiff
from .contract import Constraints, Inertias, Joints


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Accelerations and multipliers; see `contract.Formulation`."""
    assert constraints.value is not None
    assert constraints.rate is not None
    mass, stiffness = stiff(choice, inertias, constraints, joints)
    positions = widened(joints.table.holonomic, constraints.bias.ndim)
    drag = jnp.sqrt(stiffness * mass)
    lam = -jnp.where(positions, stiffness * constraints.value, drag * constraints.rate)
    return pushed(inertias, force, constraints, lam)
