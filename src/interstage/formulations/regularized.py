"""Joints as stiff spring-dampers along and about their locked axes: lam = -(k g + c gdot).

By default, the damping is critical for the bodies on the axis: c = 2 sqrt(k/K), where K is the diagonal entry
of A M^-1 A^T for the row. The fastest motion of the axis then does not oscillate. The motion of other bodies
has the damping ratio sqrt(1/(K m)), where m is the mass that the axis carries (`carried_mass`). Critical
damping for this motion would make the equations stiffer: a light body between heavy bodies would need steps
smaller by another factor sqrt(K m).

Velocity-level rows have lam = -k gdot/frequency, without a damper. After a change of load, oscillations
decay. Motion and loads then differ from the results with rigid joints, with order 1 in 1/k.

Source: Acquatella and Reiner, "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle
Trajectory Simulations", section 2 (regularization) and the bushing of section 2.2.
"""

from __future__ import annotations

from ..maths.arrays import jnp
from ..maths.vectors import add_axes
from .axis_springs import accelerations_under, of_rows, stiff, strain
from .contract import Constraints, Inertias, Joints
from .tree_elimination import diagonal


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see
    `contract.Formulation`.
    """
    assert constraints.rate is not None
    stiffness, mobility = stiff(choice, joints), diagonal(inertias, constraints)
    movable = mobility > 0
    critical = 2 * jnp.sqrt(jnp.where(movable, stiffness / jnp.where(movable, mobility, 1.0), 0.0))
    damping = of_rows(choice.damping, choice.torsional_damping, critical, joints)
    positions = add_axes(joints.table.holonomic, constraints.bias.ndim)
    drag = jnp.where(positions, damping * constraints.rate, 0.0)
    lam = -stiffness * strain(choice, constraints, joints) - drag
    return accelerations_under(inertias, force, constraints, lam)
