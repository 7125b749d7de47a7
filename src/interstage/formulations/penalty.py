"""Penalty method: multipliers proportional to the violation, lam = -g/eps (CU-CSSC-90-07, section III.C, eqs
22-24).

The sign agrees with M udot = f + A^T lam, and 1/eps is the stiffness k. Velocity-level rows have lam =
-gdot/eps (eqs 23 and 24) with eps = frequency/k. Position-level rows have no damping. Under load, the
violation of these rows oscillates permanently. The motion converges to the motion of rigid joints with order
1 in 1/k, while loads and accelerations continue to oscillate.
"""

from __future__ import annotations

from .axis_springs import accelerations_under, stiff, strain
from .contract import Constraints, Inertias, Joints


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see
    `contract.Formulation`.
    """
    lam = -stiff(choice, joints) * strain(choice, constraints, joints)
    return accelerations_under(inertias, force, constraints, lam)
