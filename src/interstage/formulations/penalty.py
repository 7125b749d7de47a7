"""Penalty method: multipliers proportional to the violation (CU-CSSC-90-07, section III.C, eqs 22-24), lam =
-g/eps.

The sign agrees with M udot = f + A^T lam, and 1/eps is the stiffness k. Rows of velocities have lam =
-gdot/eps (eqs 23 and 24) with eps = frequency/k. Positions are not damped: under load, a constraint
oscillates about its violation without end. The motion approaches the motion of rigid joints with order 1 in
1/k, while loads and accelerations continue to oscillate.
"""

from __future__ import annotations

from .axis_springs import accelerations_under, stiff, strain
from .contract import Constraints, Inertias, Joints


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations and multipliers; see `contract.Formulation`."""
    lam = -stiff(choice, joints) * strain(choice, constraints, joints)
    return accelerations_under(inertias, force, constraints, lam)
