"""Springs and dampers in place of constraint rows, as used by penalty and regularized joints.

Without a declared stiffness k of a locked axis, k = frequency^2 m. Here m is the mass or moment of inertia
that the axis carries (`carried_mass`). Under an acceleration a of this mass, the axis deflects by
a/frequency^2. A light body between heavy bodies oscillates faster than the frequency, by up to the square
root of m divided by its own mass.

Rows of velocities have no deflection. In place of g they use the rate divided by the frequency,
gdot/frequency. Their slip is of the order of 1/k, like the deflection of other rows."""

from __future__ import annotations

from ..maths.arrays import jnp
from ..maths.vectors import add_axes
from .contract import Constraints, Inertias, Joints
from .elimination import row_forces, times_inverse_mass


def stiff(choice, joints: Joints):
    """Return the stiffness of each constraint row (row, *cases), as declared or suggested."""
    assert joints.carried is not None
    suggested = choice.frequency**2 * joints.carried
    return of_rows(choice.stiffness, choice.torsional_stiffness, suggested, joints)


def of_rows(along, about, suggested, joints: Joints):
    """Return a coefficient of each constraint row (row, *cases).

    - along, about: declared values for translation and rotation rows, or None.
    - suggested: values (row, *cases) without a declaration."""
    given = (suggested if value is None else value for value in (along, about))
    return jnp.where(add_axes(joints.table.forces, suggested.ndim), *given)


def strain(choice, constraints: Constraints, joints: Joints):
    """Return the quantity that the stiffness of each row acts on (row, *cases): g, or gdot/frequency for rows
    of velocities."""
    assert constraints.value is not None
    assert constraints.rate is not None
    positions = add_axes(joints.table.holonomic, constraints.bias.ndim)
    return jnp.where(positions, constraints.value, constraints.rate / choice.frequency)


def accelerations_under(inertias: Inertias, force, constraints: Constraints, lam):
    """Return the accelerations under multipliers of the active rows, and these multipliers."""
    if constraints.active is not None:
        lam = lam * constraints.active
    return times_inverse_mass(inertias, force + row_forces(constraints, lam, force.shape[1])), lam
