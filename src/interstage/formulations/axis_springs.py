"""Springs and dampers in place of constraint rows: what penalty and regularized joints have in common.

If no stiffness k of a locked axis is given, it comes from an angular frequency, k = frequency^2 m. There m is
the mass or moment of inertia of all that the axis carries (`carried_mass`). Under an acceleration a of the
carried mass an axis deflects by a/frequency^2, whatever is put between. A light body between heavy ones
swings faster than that, by up to the square root of m over its own mass.

Rows of velocities have no stretch: in place of g they have the rate times a time, gdot/frequency. So their
slip is of the order of 1/k like the stretch of the others.
"""

from __future__ import annotations

from ..maths.arrays import jnp
from ..maths.vectors import add_axes
from .contract import Constraints, Inertias, Joints
from .elimination import row_forces, times_inverse_mass


def stiff(choice, joints: Joints):
    """Stiffness of each row (row, *cases), as declared or suggested."""
    assert joints.carried is not None
    suggested = choice.frequency**2 * joints.carried
    return of_rows(choice.stiffness, choice.torsional_stiffness, suggested, joints)


def of_rows(along, about, suggested, joints: Joints):
    """A coefficient of each row: the one given for locked axes along which, or about which, the bodies are
    held, or the one suggested (row, *cases) where none is given."""
    given = (suggested if value is None else value for value in (along, about))
    return jnp.where(add_axes(joints.table.forces, suggested.ndim), *given)


def strain(choice, constraints: Constraints, joints: Joints):
    """What the stiffness of each row acts on, (row, *cases): g, or gdot/frequency in rows of velocities."""
    assert constraints.value is not None
    assert constraints.rate is not None
    positions = add_axes(joints.table.holonomic, constraints.bias.ndim)
    return jnp.where(positions, constraints.value, constraints.rate / choice.frequency)


def accelerations_under(inertias: Inertias, force, constraints: Constraints, lam):
    """Accelerations under multipliers of the rows that hold, and these multipliers."""
    if constraints.active is not None:
        lam = lam * constraints.active
    return times_inverse_mass(inertias, force + row_forces(constraints, lam, force.shape[1])), lam
