"""Joints as stiff spring-dampers along and about their locked axes: lam = -(k g + c gdot).

Damping where none is given is critical, c = 2 sqrt(k m), so that a joint that takes up a load does not swing.
Rows of velocities have lam = -c gdot. Once what a change of load sets off has died out, motion and loads
differ from those of rigid joints by an amount of order 1 in 1/k.

Source: Acquatella and Reiner, "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle
Trajectory Simulations", section 2 (regularization) and the bushing of section 2.2.
"""

from __future__ import annotations

import jax.numpy as jnp

from ..vectors import widened
from .axis_springs import of_rows, pushed, stiff
from .contract import Constraints, Inertias, Joints


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Accelerations and multipliers; see `contract.Formulation`."""
    assert constraints.value is not None
    assert constraints.rate is not None
    mass, stiffness = stiff(choice, inertias, constraints, joints)
    critical = 2 * jnp.sqrt(stiffness * mass)
    damping = of_rows(choice.damping, choice.torsional_damping, critical, joints)
    positions = widened(joints.table.holonomic, constraints.bias.ndim)
    lam = -damping * constraints.rate - jnp.where(positions, stiffness * constraints.value, 0.0)
    return pushed(inertias, force, constraints, lam)
