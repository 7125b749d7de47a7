"""Formulations for accelerations and joint loads, as declared in a scenario; `formulations` has the
equations."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ..tree.addresses import replace_leaf
from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si


class FormulationChoice(Declaration):
    """One of the formulations with its options."""

    kind: str
    """Name of the formulation."""

    def written(self) -> Any:
        """The kind as a text if every option has its default."""
        return self.kind if self == type(self)(kind=self.kind) else None


class LagrangeMultiplier(FormulationChoice):
    """Lagrange multipliers of all joint rows at once (NASA/TP-2016-219326, section 2.2, Method II)."""

    kind: Literal["lagrange_multiplier"] = "lagrange_multiplier"
    """Multipliers of the joint rows."""
    elimination: Literal["automatic", "dense", "tree"] = "automatic"
    """Solution of the multiplier equations: dense elimination, or along the tree of bodies and joints, whose
    cost grows only with the number of bodies. "automatic" selects by size."""


class ConstraintForce(FormulationChoice):
    """Joint forces and torques as unknowns together with the accelerations (NASA/TP-2016-219326, section 2.2,
    Method I)."""

    kind: Literal["constraint_force"] = "constraint_force"
    """Accelerations, joint forces and torques in one system."""
    unknowns: Literal[18, 24] = 18
    """Unknowns for two bodies and a joint: 18 with one force and torque for each joint (NASA report), or 24
    with separate forces and torques on the two bodies (AIAA verification paper)."""


class NullSpace(FormulationChoice):
    """Motion along the free directions of the joints only (AIAA 2011-6277)."""

    kind: Literal["null_space"] = "null_space"
    """Accelerations in the null space of the constraint Jacobian."""
    road: Literal["closed_form", "numerical"] = "closed_form"
    """Computation of the null space: in closed form for each joint, or numerically from the Jacobian."""
    form: Literal["reduced", "implicit_1", "implicit_2"] = "reduced"
    """The reduced equations (eq 15), or the implicit forms 1 (eq 20) and 2 (eq 21)."""
    coordinates: Literal["absolute", "minimal"] = "absolute"
    """Integrated coordinates: positions and attitudes of all bodies, or the free coordinates of the joints,
    which cannot drift (closed form only)."""

    @model_validator(mode="after")
    def _check(self) -> NullSpace:
        for field, only in (("road", "closed_form"), ("form", "reduced")):
            given = getattr(self, field)
            if self.coordinates == "minimal" and given != only:
                text = f'"{given}" needs absolute coordinates; minimal coordinates use "{only}"'
                raise Refused((field, f'{text}. Remove it, or set coordinates = "absolute"'))
        return self


class CoordinatePartitioning(FormulationChoice):
    """Independent velocities selected by pivoting; dependent velocities from the constraints (CU-CSSC-90-07,
    section III.A)."""

    kind: Literal["coordinate_partitioning"] = "coordinate_partitioning"
    """Dependent and independent velocities."""


class Elastic(FormulationChoice):
    """Springs in place of constraints. They stretch under load, and no stabilization corrects this
    stretch."""

    stiffness: Annotated[Any, si("N/m", positive=True)] | None = None
    """Stiffness along each locked axis [N/m]. Default: computed from `frequency` and the mass carried by the
    joint."""
    torsional_stiffness: Annotated[Any, si("N m/rad", positive=True)] | None = None
    """Stiffness about each locked axis [N m/rad]. Default: computed from `frequency` and the moment of
    inertia carried by the joint."""
    frequency: Annotated[Any, si("rad/s", positive=True)] | None = None
    """Angular frequency [rad/s] of the load carried by a locked axis with default stiffness. Under an
    acceleration a the axis deflects by a/frequency^2. Axes that constrain velocities only use
    stiffness/frequency as damping. Default: 0.1/step for fixed steps, otherwise 1000 rad/s."""

    def with_frequency(self, step: Any) -> Any:
        """The formulation with its default frequency set. step: the fixed step [s], None for adaptive
        steps."""
        if self.frequency is not None:
            return self
        return replace_leaf(
            self, "frequency", ADAPTIVE_FREQUENCY if step is None else RADIANS_PER_STEP / step
        )


RADIANS_PER_STEP = 0.1
"""Default frequency times the step. rk4 becomes unstable if the fastest oscillation, of a light body between
others, is about 28 times as fast (14 times with critical damping and two joints on the body). The run then
prints a warning."""
ADAPTIVE_FREQUENCY = 1000.0
"""Default frequency [rad/s] for adaptive steps: under an acceleration of 10 m/s^2 an axis deflects by 0.01
mm."""


class Penalty(Elastic):
    """Multipliers proportional to the violation of the constraints (CU-CSSC-90-07, section III.C)."""

    kind: Literal["penalty"] = "penalty"
    """Multipliers from the violation, without damping."""


class Regularized(Elastic):
    """Joints as stiff spring-dampers along and about their locked axes (the DLR paper's bushing)."""

    kind: Literal["regularized"] = "regularized"
    """Stiff spring-dampers in place of constraints."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] | None = None
    """Damping along each locked axis [N s/m]. Default: critical damping of the two bodies on it."""
    torsional_damping: Annotated[Any, si("N m s/rad", nonnegative=True)] | None = None
    """Damping about each locked axis [N m s/rad]. Default: critical damping of the two bodies on it."""


class Composite(FormulationChoice):
    """Bodies connected by fixed joints move as one body until release (an exact form of the stop and restart
    in the DLR paper)."""

    kind: Literal["composite"] = "composite"
    """Bodies connected by fixed joints as one body."""


class Staggered(FormulationChoice):
    """Multipliers and bodies integrated alternately by two different methods (CU-CSSC-90-07, sections III.D
    to V)."""

    kind: Literal["staggered"] = "staggered"
    """Alternating explicit steps of bodies and implicit steps of multipliers."""
    level: Literal["position", "velocity"] = "position"
    """Constraints that feed the multipliers: positions (the holonomic form, eq 32), or velocities (eq 27,
    order 1 only)."""
    regularization: Annotated[Any, si("1", positive=True)] = 0.5
    """Weight c of the multipliers' own rate: eps = c step^2/2 in the measure of each row's mass (see
    docs/studies/staggered.md). Errors grow with it; smaller values may damp violations less."""
    restart: int | None = Field(default=1, ge=1)
    """Number of steps after which the two interlaced sequences of half steps, which drift apart, restart from
    one state. None never restarts them, as published."""


class Simultaneous(FormulationChoice):
    """The implicit trapezoidal rule on the constrained equations, solved by Newton's iteration
    (CU-CSSC-90-07, eqs 8-13)."""

    kind: Literal["simultaneous"] = "simultaneous"
    """Bodies and multipliers in one implicit step."""
    treatment: Literal["baumgarte", "staggered"] = "baumgarte"
    """Multipliers in the iteration: from the constraints with Baumgarte feedback at the gain `solver.eta`, or
    integrated as in the staggered procedure."""
    regularization: Annotated[Any, si("1", positive=True)] = 0.05
    """Weight c of the multipliers' own rate in the staggered treatment: eps = c step^2/2 in the measure of
    each row's mass. Any value is stable; errors grow with it."""
    tolerance: Annotated[Any, si("1", positive=True)] = 1e-10
    """Largest change of the state in the last iteration of a step, relative to the scales of `solver`."""
    max_iterations: int = Field(default=50, ge=1)
    """Most iterations of a step. If a step needs more, the flight ends."""


Formulation = Annotated[
    LagrangeMultiplier
    | ConstraintForce
    | NullSpace
    | CoordinatePartitioning
    | Penalty
    | Regularized
    | Composite
    | Staggered
    | Simultaneous,
    OneOf(short=True),
]
