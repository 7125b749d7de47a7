"""Inputs and results of every formulation.

Inputs: inverse masses and inertias of the bodies, generalized forces, and active constraint rows. Results:
accelerations and multipliers of M udot = f + A^T lam, A udot + gamma = 0 (TP-2016 eqs 29-34). Shapes are
(component, body or row, *cases). If there is a ground, it is the last body."""

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
    """Point masses that follow their bodies only along one direction, as with a rod.

    - body: index of the body of each rod (constant).
    - mass (rod, *cases): point mass [kg].
    - direction (6, rod, *cases): generalized force of a unit rod force on the body: unit vector [inertial
      axes], and its moment about the centre of mass [m, body axes].
    - moved (6, rod, *cases), share (rod, *cases): b and m / (1 + m j.b) of the inverse, see module `rods`.
    """

    body: tuple[int, ...]
    mass: jax.Array
    direction: jax.Array
    moved: jax.Array
    share: jax.Array


@tree_of(("inverse_mass",), static=("body",))
@dataclass(frozen=True)
class Freedoms:
    """Degrees of freedom in addition to the rigid motion of the bodies. Each degree of freedom has its own
    mass, and joint rows act on these degrees of freedom.

    - inverse_mass (freedom, *cases): inverse mass [1/kg].
    - body: index of the body of each degree of freedom (constant).
    """

    inverse_mass: jax.Array
    body: tuple[int, ...]


class Inertias(NamedTuple):
    """Mass properties of the bodies.

    - inverse_mass (body, *cases): inverse masses [1/kg]; zero for the ground
    - inverse_inertia (3, 3, body, *cases): inverse inertia tensors [1/(kg m^2)], body axes, about the centre
      of mass; zero for the ground
    - mass (body, *cases) [kg], inertia (3, 3, body, *cases) [kg m^2]: mass properties without the ground;
      None if only the inverses are needed
    - rods: rods that bodies carry; None without rods
    - `freedoms`: further degrees of freedom; None without any
    """

    inverse_mass: jax.Array
    inverse_inertia: jax.Array
    mass: jax.Array | None = None
    inertia: jax.Array | None = None
    rods: Rods | None = None
    freedoms: Freedoms | None = None


class Constraints(NamedTuple):
    """Constraint rows of all joints, A udot + gamma = 0.

    - parent, child (row,): indices of the bodies of each row (constant)
    - on_a, on_b (6, row, *cases): A with respect to velocity [inertial axes] and angular velocity [body axes]
      of parent and child
    - bias (row, *cases): gamma, or gamma' with stabilization
    - active (row, *cases): 1 for active rows, else 0; None if all rows are always active
    - value, rate (row, *cases): g and gdot, for formulations that allow violations; otherwise None
    - order: order of elimination along the tree of bodies and joints (constant); None for dense elimination
    - on_freedoms (freedom, row, *cases): A with respect to the rates of `Inertias.freedoms`; None without any
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
    """Joints of the constraint rows, for formulations that use joints.

    - loops: true if joints form closed loops, so that rows may be redundant (constant)
    - table: constraint rows of all joints
    - modes: rows of each joint in each of its modes, from mode 1 on (constant)
    - mode (joint, *cases): present mode of each joint, 0 if released; None if all joints are always in mode 1
    - motion: motion of all bodies. pairs: joint points and arms
    - frame_a, frame_b (3, 3, joint, *cases): joint frames of parent and child, axes as columns, inertial
      components
    - reachable: modes that each joint can have (constant)
    - held (joint, mode, row): 1 for the rows that a joint constrains in a mode, else 0 (constant)
    - carried (row, *cases): carried mass [kg] or moment of inertia [kg m^2] of each row; None if the
      formulation uses no springs
    """

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
    """Interface of a formulation: a function that computes accelerations and multipliers."""

    def __call__(
        self, choice: Any, inertias: Inertias, force, constraints: Constraints, joints: Joints
    ) -> tuple[jax.Array, jax.Array]:
        """Return accelerations (6, body, *cases) and multipliers (row, *cases).

        - choice: declaration of the formulation with its options (`model.formulation`).
        - force: generalized forces (6, body, *cases).
        """
        ...
