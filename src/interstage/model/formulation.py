"""The ways to get accelerations and joint loads, as a scenario names them; the equations are in
`formulations`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ..tree.addresses import replaced
from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si


class FormulationChoice(Declaration):
    """One of the formulations with its options."""

    kind: str
    """Name of the formulation."""

    def written(self) -> Any:
        """The bare kind, where every option has its default."""
        return self.kind if self == type(self)(kind=self.kind) else None


class LagrangeMultiplier(FormulationChoice):
    """Lagrange multipliers of all joint rows at once (NASA/TP-2016-219326, section 2.2, Method II)."""

    kind: Literal["lagrange_multiplier"] = "lagrange_multiplier"
    """Multipliers of the joint rows."""
    elimination: Literal["automatic", "dense", "tree"] = "automatic"
    """How their equations are solved: by dense elimination, or along the tree of bodies and joints, whose
    cost grows with the number of bodies only; automatic chooses by size."""


class ConstraintForce(FormulationChoice):
    """Joint forces and torques as unknowns beside the accelerations (NASA/TP-2016-219326, section 2.2,
    Method I)."""

    kind: Literal["constraint_force"] = "constraint_force"
    """Accelerations, joint forces and torques in one system."""
    unknowns: Literal[18, 24] = 18
    """Unknowns for two bodies and a joint: 18 with one force and torque for each joint (the NASA report), 24
    with those on either body apart (the AIAA verification paper)."""


class NullSpace(FormulationChoice):
    """Motion along the free directions of the joints only (AIAA 2011-6277)."""

    kind: Literal["null_space"] = "null_space"
    """Accelerations in the null space of the constraint Jacobian."""
    road: Literal["closed_form", "numerical"] = "closed_form"
    """The null space from the joints, joint by joint, or numerically from the Jacobian."""
    form: Literal["reduced", "implicit_1", "implicit_2"] = "reduced"
    """The reduced equations (eq 15), or the implicit forms 1 (eq 20) and 2 (eq 21)."""
    coordinates: Literal["absolute", "minimal"] = "absolute"
    """What is integrated: positions and attitudes of all bodies, or the coordinates that the joints leave
    free, which cannot drift (closed form only)."""

    @model_validator(mode="after")
    def _check(self) -> NullSpace:
        for field, only in (("road", "closed_form"), ("form", "reduced")):
            given = getattr(self, field)
            if self.coordinates == "minimal" and given != only:
                text = f'"{given}" is for absolute coordinates, and minimal ones always use "{only}"'
                raise Refused((field, f'{text}; remove it, or take coordinates = "absolute"'))
        return self


class CoordinatePartitioning(FormulationChoice):
    """Independent velocities chosen by pivoting, the others from the constraints (CU-CSSC-90-07, section
    III.A)."""

    kind: Literal["coordinate_partitioning"] = "coordinate_partitioning"
    """Dependent and independent velocities."""


class Elastic(FormulationChoice):
    """Springs in place of constraints, which stretch under load: nothing corrects their stretch in flight."""

    stiffness: Annotated[Any, si("N/m", positive=True)] | None = None
    """Stiffness along each locked axis [N/m]. Default: a value suggested from `frequency` and the
    mass that hangs on the joint."""
    torsional_stiffness: Annotated[Any, si("N m/rad", positive=True)] | None = None
    """Stiffness about each locked axis [N m/rad]. Default: a value suggested from `frequency` and the
    moment of inertia that hangs on the joint."""
    frequency: Annotated[Any, si("rad/s", positive=True)] | None = None
    """Angular frequency with which all that hangs on a locked axis with a suggested stiffness swings [rad/s]:
    under an acceleration a the axis yields by a/frequency^2. Axes that hold velocities only take the
    stiffness over the frequency as damping. Default: 0.1 per step where steps are fixed, else 1000
    rad/s."""

    def settled(self, step: Any) -> Any:
        """With the frequency that none stands for. step: the fixed step [s], None for steps that adapt."""
        if self.frequency is not None:
            return self
        return replaced(self, "frequency", ADAPTIVE_FREQUENCY if step is None else RADIANS_PER_STEP / step)


RADIANS_PER_STEP = 0.1
"""Suggested frequency times the step. The fastest swing, of a light body between others, may be some 28 times
as fast (14 times with critical damping and two joints on it) before rk4 is unstable; the start says so."""
ADAPTIVE_FREQUENCY = 1000.0
"""Suggested frequency [rad/s] where steps adapt to it: under an acceleration of 10 m/s^2 an axis yields by
0.01 mm."""


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
    """Bodies joined by fixed joints fly as one and come apart at release (the DLR paper's stop and restart,
    made exact)."""

    kind: Literal["composite"] = "composite"
    """Bodies that are fixed to each other as one."""


class Staggered(FormulationChoice):
    """Multipliers integrated in time beside the bodies, each by a stepper of its own (CU-CSSC-90-07, sections
    III.D to V)."""

    kind: Literal["staggered"] = "staggered"
    """Explicit bodies, implicit multipliers, in turn."""
    level: Literal["position", "velocity"] = "position"
    """Constraints that feed the multipliers: positions (the holonomic form, eq 32), or velocities (eq 27,
    order 1 only)."""
    regularization: Annotated[Any, si("1", positive=True)] = 0.5
    """Weight c of the multipliers' own rate: eps = c step^2/2 in the measure of each row's mass (see
    docs/studies/staggered.md). Errors grow with it; smaller values may damp violations less."""
    restart: int | None = Field(default=1, ge=1)
    """Steps after which the two interlaced sequences of half steps, which drift apart, start afresh from one
    state; none releases them on for ever, as published."""


class Simultaneous(FormulationChoice):
    """The implicit trapezoidal rule on the constrained equations, solved by Newton's iteration
    (CU-CSSC-90-07, eqs 8-13)."""

    kind: Literal["simultaneous"] = "simultaneous"
    """Bodies and multipliers in one implicit step."""
    treatment: Literal["baumgarte", "staggered"] = "baumgarte"
    """Multipliers inside the iteration: from the constraints with Baumgarte's feedback at the gain
    `solver.eta`, or integrated as in the staggered procedure."""
    regularization: Annotated[Any, si("1", positive=True)] = 0.05
    """Weight c of the multipliers' own rate in the staggered treatment: eps = c step^2/2 in the measure of
    each row's mass. Any value is stable; errors grow with it."""
    tolerance: Annotated[Any, si("1", positive=True)] = 1e-10
    """Change of the state in the last iteration of a step, relative to the scales of `solver`."""
    max_iterations: int = Field(default=50, ge=1)
    """Iterations after which a step has failed, which ends the flight."""


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
