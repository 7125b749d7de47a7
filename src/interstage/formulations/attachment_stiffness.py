"""How stiff the attachment of each row is, by which attachments that are redundant share its loads."""

from __future__ import annotations

from typing import Any

from ..maths.arrays import jnp
from ..maths.vectors import add_axes
from ..model.attachments import select
from ..model.constraint_rows import RowTable


def compliances(joints: Any, length, lanes: int = 0) -> tuple[list[Any], list[Any]]:
    """1/k along and about the axes of the parent's joint frame, of each joint (3, *cases) [m/N, rad/(N m)].

    Only ratios count. Joints without a stiffness are equally stiff: as stiff as those with one in the mean;
    torsional ones are weighed by `length` [m]."""
    usual = _usual(joints, length) * jnp.ones(3).reshape((3,) + (1,) * lanes)
    along, about = [], []
    for joint in joints:
        stiffness = usual if joint.stiffness is None else joint.stiffness
        along.append(1 / stiffness)
        torsional = joint.torsional_stiffness
        about.append(1 / (stiffness * length**2 if torsional is None else torsional))
    return along, about


def of_rows(table: RowTable, along, about, direction):
    """Stiffness k of each row (row, *cases) [N/m or N m/rad], of compliances (3, joint, *cases).

    direction e (3, row, *cases): the force or torque for a unit multiplier, axes of the parent's joint frame.
    A multiplier lam loads the springs along, or about, these axes by lam e_i. Each carries its component of
    the one load, so that they give way as in series: the strain energy sum (lam e_i)^2/k_i is lam^2/k with
    1/k = sum e_i^2/k_i. It is the stiffness along the axis for rows along one, and for a rod that along it.
    """
    along, about = (select(found, table.joint, 1) for found in (along, about))
    parts = jnp.where(add_axes(table.forces, direction.ndim - 1), along, about) * direction**2
    compliance = jnp.sum(parts, 0)
    # Rows that are not active may have no direction.
    return 1 / jnp.where(compliance > 0, compliance, 1.0)


def _usual(joints: Any, length) -> Any:
    """The geometric mean (*cases) [N/m] of all stiffnesses that are given, torsional ones over the square of
    `length` [m]; 1 where none is."""
    given = [jnp.asarray(joint.stiffness) for joint in joints if joint.stiffness is not None]
    given += [
        jnp.asarray(joint.torsional_stiffness) / length**2
        for joint in joints
        if joint.torsional_stiffness is not None
    ]
    return jnp.exp(sum(jnp.mean(jnp.log(k), 0) for k in given) / len(given)) if given else 1.0
