"""Compute the stiffness of each constraint row. The stiffness determines how redundant attachments share a
load."""

from __future__ import annotations

from typing import Any

from ..maths.arrays import jnp
from ..maths.vectors import add_axes
from ..model.attachments import select
from ..model.constraint_rows import RowTable


def compliances(joints: Any, length, lanes: int = 0) -> tuple[list[Any], list[Any]]:
    """Return the compliances along and about the axes of the parent's joint frame, each (3, joint, *cases)
    [m/N, rad/(N m)].

    Only ratios of the compliances matter. Joints without a declared stiffness get the geometric mean of all
    declared stiffnesses. length [m]: without a declaration, a torsional stiffness is the stiffness times
    length^2. `lanes`: number of axes of the cases.
    """
    usual = _usual(joints, length) * jnp.ones(3).reshape((3,) + (1,) * lanes)
    along, about = [], []
    for joint in joints:
        stiffness = usual if joint.stiffness is None else joint.stiffness
        along.append(1 / stiffness)
        torsional = joint.torsional_stiffness
        about.append(1 / (stiffness * length**2 if torsional is None else torsional))
    return along, about


def of_rows(table: RowTable, along, about, direction):
    """Return the stiffness k of each constraint row (row, *cases) [N/m or N m/rad].

    - along, about: compliances (3, joint, *cases) [m/N, rad/(N m)].
    - direction e (3, row, *cases): load of a unit multiplier, in axes of the parent's joint frame.

    A multiplier lam loads the springs of these axes by lam e_i. The strain energy (1/2) sum (lam e_i)^2/k_i
    equals (1/2) lam^2/k with 1/k = sum e_i^2/k_i.
    """
    along, about = (select(found, table.joint, 1) for found in (along, about))
    parts = jnp.where(add_axes(table.forces, direction.ndim - 1), along, about) * direction**2
    compliance = jnp.sum(parts, 0)
    # Rows that are not active may have no direction.
    return 1 / jnp.where(compliance > 0, compliance, 1.0)


def _usual(joints: Any, length) -> Any:
    """The geometric mean (*cases) [N/m] of all declared stiffnesses; 1 if no stiffness is declared. Torsional
    stiffnesses are divided by the square of `length` [m]."""
    given = [jnp.asarray(joint.stiffness) for joint in joints if joint.stiffness is not None]
    given += [
        jnp.asarray(joint.torsional_stiffness) / length**2
        for joint in joints
        if joint.torsional_stiffness is not None
    ]
    return jnp.exp(sum(jnp.mean(jnp.log(k), 0) for k in given) / len(given)) if given else 1.0
