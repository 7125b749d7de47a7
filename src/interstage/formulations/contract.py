"""Inputs and results of every formulation.

From the inverse masses and inertias of the bodies, the generalized forces on them, the constraint rows and
which of these are active, to accelerations and multipliers: M udot = f + A^T lam, A udot + gamma = 0
(TP-2016 eqs 29-34). Shapes (component, body or row, *cases); ground, where there is one, is the last body.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..maths.trees import tree_of
from ..model.attachments import Motion, Pairs
from ..model.constraint_rows import RowTable
from ..model.joint_rows import JointRows
from .tree_order import TreeOrder

if TYPE_CHECKING:
    import jax


@tree_of(("mass", "direction", "moved", "share"), static=("body",))
@dataclass(frozen=True)
class Rods:
    """Points of mass that follow their bodies along one direction only, as by a rod.

    `body`: of each (static). `mass` [kg] (rod, *cases). `direction` (6, rod, *cases): of the rod, as a
    generalized force on the body: unit vector [inertial axes] and its moment about the centre of mass [body
    axes]. `moved` (6, rod, *cases), `share` (rod, *cases): for the inverse, see `rods`."""

    body: tuple[int, ...]
    mass: jax.Array
    direction: jax.Array
    moved: jax.Array
    share: jax.Array


@tree_of(("inverse_mass",), static=("body",))
@dataclass(frozen=True)
class Freedoms:
    """Coordinates in addition to the motion of the bodies that joint rows move, each with a mass of its own.

    inverse_mass [1/kg] (freedom, *cases). body: the one that each is of (static)."""

    inverse_mass: jax.Array
    body: tuple[int, ...]


class Inertias(NamedTuple):
    """inverse_mass [1/kg] (body, *cases); inverse_inertia [1/(kg m^2)] (3, 3, body, *cases), body axes, about
    the centre of mass. Both are zero for ground. `mass`, `inertia`: the matrices of these inverses, without
    the ground; finite in directions that have no inertia. None if only the inverses are needed. `rods`: rods
    that bodies carry, None without any; with rods a body is as heavy as it is in one direction only, and M
    and its inverse are those of `rods`. `freedoms`: further coordinates that rows move, None without any."""

    inverse_mass: jax.Array
    inverse_inertia: jax.Array
    mass: jax.Array | None = None
    inertia: jax.Array | None = None
    rods: Rods | None = None
    freedoms: Freedoms | None = None


class Constraints(NamedTuple):
    """Active constraint rows.

    `parent`, `child`: bodies of each row (static). `on_a`, `on_b` (6, row, *cases): Jacobian over the
    velocity [inertial axes] and angular velocity [body axes] of parent and child. `bias` (row, *cases): gamma
    with its stabilization. `active` (row, *cases): 1 or 0, or None when all rows always are. `value`, `rate`
    (row, *cases): g and gdot, for formulations that allow the constraints to be violated; None where they do
    not matter. `order`: in which the rows are eliminated along the tree of bodies and joints (static), None
    for dense elimination. `on_freedoms` (freedom, row, *cases): Jacobian over the rates of
    `Inertias.freedoms`, None without any; their own motion is in `bias`.
    """

    parent: np.ndarray
    child: np.ndarray
    on_a: jax.Array
    on_b: jax.Array
    bias: jax.Array
    active: jax.Array | None
    value: jax.Array | None = None
    rate: jax.Array | None = None
    order: TreeOrder | None = None
    on_freedoms: jax.Array | None = None


class Joints(NamedTuple):
    """The joints behind the rows, for formulations that start from joints.

    `table`: which rows belong to which joint. `modes`: the rows of each joint in its modes from 1 on
    (static). `mode` (joint, *cases): the mode of each now, 0 for one that holds nothing, None where all
    always are in mode 1. `motion`: of all bodies. `pairs`: joint points and arms. `frame_a`, `frame_b` (3, 3,
    joint, *cases): joint frames on parent and child, axes as columns, inertial components. `loops`: whether
    joints form loops (static), so that rows may repeat each other. `reachable`: the modes in which each joint
    can ever be (static). `held`: 1 for the rows that a joint holds in a mode, else 0 (joint, mode, row),
    static. `carried` (row, *cases): mass [kg] or moment of inertia [kg m^2] that hangs on each row
    (`carried_mass`), None where joints are no springs."""

    loops: bool
    table: RowTable
    modes: tuple[tuple[JointRows, ...], ...]
    mode: jax.Array | None
    motion: Motion
    pairs: Pairs
    frame_a: jax.Array
    frame_b: jax.Array
    reachable: tuple[tuple[int, ...], ...]
    held: np.ndarray
    carried: jax.Array | None = None


class Formulation(Protocol):
    """A way to get accelerations and multipliers."""

    def __call__(
        self, choice: Any, inertias: Inertias, force, constraints: Constraints, joints: Joints
    ) -> tuple[jax.Array, jax.Array]:
        """Accelerations (6, body, *cases) and multipliers (row, *cases) under generalized forces (6, body,
        *cases). choice: the formulation's declaration (`model.formulation`), with its options."""
        ...
