"""Springs and dampers that replace constraint rows in penalty and regularized joints.

If the stiffness k of a locked axis is not declared, k = frequency^2 m. Here m is the mass or moment of
inertia that the axis carries (`carried_mass`). Under an acceleration a of this mass, the axis deflects by
a/frequency^2. A light body of mass m_b between heavy bodies oscillates faster than the frequency, by a factor
of up to sqrt(m/m_b).

Velocity-level (nonholonomic) rows have no deflection. The springs of such rows act on the rate divided by the
frequency, gdot/frequency, in place of g. The slip of such rows is of the order of 1/k, like the deflection of
other rows.
"""

from __future__ import annotations

from ..maths.arrays import jnp
from ..maths.vectors import add_axes
from .contract import Constraints, Inertias, Joints
from .elimination import row_forces, times_inverse_mass


def stiff(choice, joints: Joints):
    """Return the stiffness of each constraint row (row, *cases) [N/m or N m/rad]. The stiffness is the
    declared value, or frequency^2 times the carried mass.

    choice: declaration of the formulation with `stiffness`, `torsional_stiffness` and `frequency`.
    """
    assert joints.carried is not None
    suggested = choice.frequency**2 * joints.carried
    return of_rows(choice.stiffness, choice.torsional_stiffness, suggested, joints)


def of_rows(along, about, suggested, joints: Joints):
    """Return a stiffness or damping coefficient of each constraint row (row, *cases).

    - along, about: declared coefficients of translation and rotation rows, or None.
    - suggested: coefficients (row, *cases) for rows without a declared coefficient.
    """
    given = (suggested if value is None else value for value in (along, about))
    return jnp.where(add_axes(joints.table.forces, suggested.ndim), *given)


def strain(choice, constraints: Constraints, joints: Joints):
    """Return the deflection of the spring of each row (row, *cases).

    The deflection is g, or gdot/frequency for velocity-level (nonholonomic) rows.
    """
    assert constraints.value is not None
    assert constraints.rate is not None
    positions = add_axes(joints.table.holonomic, constraints.bias.ndim)
    return jnp.where(positions, constraints.value, constraints.rate / choice.frequency)


def accelerations_under(inertias: Inertias, force, constraints: Constraints, lam):
    """Return the accelerations (6, body, *cases) for generalized forces and multipliers, and the multipliers,
    which are zero for inactive rows.

    - force: generalized forces (6, body, *cases).
    - lam: multipliers (row, *cases).
    """
    if constraints.active is not None:
        lam = lam * constraints.active
    return times_inverse_mass(inertias, force + row_forces(constraints, lam, force.shape[1])), lam
