"""Declarations of the formulation that computes accelerations and joint loads. The package `formulations` has
the equations.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ..tree.addresses import replace_leaf
from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si


class FormulationChoice(Declaration):
    """Base class of the choices of a formulation and its options."""

    kind: str
    """Name of the formulation."""

    def written(self) -> Any:
        """Return the kind as a text if every option has its default, otherwise None."""
        return self.kind if self == type(self)(kind=self.kind) else None


class LagrangeMultiplier(FormulationChoice):
    """Formulation that computes the Lagrange multipliers of all joint rows at once (NASA/TP-2016-219326,
    section 2.2, Method II).
    """

    kind: Literal["lagrange_multiplier"] = "lagrange_multiplier"
    """Multipliers of the joint rows."""
    elimination: Literal["automatic", "dense", "tree"] = "automatic"
    """Solution of the multiplier equations. "dense": elimination of the full matrix. "tree": elimination
    along the tree of bodies and joints, whose cost grows linearly with the number of bodies. "automatic"
    selects by size."""


class ConstraintForce(FormulationChoice):
    """Formulation whose unknowns are the joint forces and torques together with the accelerations
    (NASA/TP-2016-219326, section 2.2, Method I).
    """

    kind: Literal["constraint_force"] = "constraint_force"
    """Accelerations, joint forces and torques in one system."""
    unknowns: Literal[18, 24] = 18
    """Number of unknowns for two bodies and a joint. 18: one force and one torque for each joint (NASA
    report). 24: separate forces and torques on the two bodies (AIAA verification paper)."""


class NullSpace(FormulationChoice):
    """Formulation that computes only the motion along the free directions of the joints (AIAA 2011-6277)."""

    kind: Literal["null_space"] = "null_space"
    """Accelerations in the null space of the constraint Jacobian."""
    road: Literal["closed_form", "numerical"] = "closed_form"
    """Computation of the null space: in closed form for each joint, or numerically from the Jacobian."""
    form: Literal["reduced", "implicit_1", "implicit_2"] = "reduced"
    """Form of the equations: "reduced" (eq 15), "implicit_1" (eq 20) or "implicit_2" (eq 21)."""
    coordinates: Literal["absolute", "minimal"] = "absolute"
    """Integrated coordinates. "absolute": positions and attitudes of all bodies. "minimal": the free
    coordinates of the joints, which cannot drift (closed form only)."""

    @model_validator(mode="after")
    def _check(self) -> NullSpace:
        for field, only in (("road", "closed_form"), ("form", "reduced")):
            given = getattr(self, field)
            if self.coordinates == "minimal" and given != only:
                text = f'"{given}" needs absolute coordinates; minimal coordinates use "{only}"'
                raise Refused((field, f'{text}. Remove this key, or set coordinates = "absolute"'))
        return self


class CoordinatePartitioning(FormulationChoice):
    """Formulation that selects independent velocities by pivoting. The dependent velocities follow from the
    constraints (CU-CSSC-90-07, section III.A).
    """

    kind: Literal["coordinate_partitioning"] = "coordinate_partitioning"
    """Dependent and independent velocities."""


class Elastic(FormulationChoice):
    """Base class of formulations with springs in place of constraints. The springs deflect under load, and
    stabilization does not correct this deflection.
    """

    stiffness: Annotated[Any, si("N/m", positive=True)] | None = None
    """Stiffness along each locked axis [N/m]. Default: computed from `frequency` and the mass that the joint
    carries."""
    torsional_stiffness: Annotated[Any, si("N m/rad", positive=True)] | None = None
    """Stiffness about each locked axis [N m/rad]. Default: computed from `frequency` and the moment of
    inertia that the joint carries."""
    frequency: Annotated[Any, si("rad/s", positive=True)] | None = None
    """Angular frequency [rad/s] of the carried mass on an axis with default stiffness. An acceleration a
    deflects the axis by a/frequency^2. Axes that constrain only velocities have the damping
    stiffness/frequency. Default: 0.1/step; adaptive: 1000."""

    def with_frequency(self, step: Any) -> Any:
        """Return the formulation with a number for `frequency`, if the default applies.

        `step` [s]: the fixed step; None for adaptive steps.
        """
        if self.frequency is not None:
            return self
        return replace_leaf(
            self, "frequency", ADAPTIVE_FREQUENCY if step is None else RADIANS_PER_STEP / step
        )


RADIANS_PER_STEP = 0.1
"""Product of the default frequency and the step [rad].

A light body between heavier bodies oscillates fastest. If this oscillation is about 28 times as fast as the
default frequency, rk4 becomes unstable. With critical damping and two joints on the body, the limit is 14
times. The run then prints a warning.
"""
ADAPTIVE_FREQUENCY = 1000.0
"""Default frequency [rad/s] for adaptive steps. With this frequency, an acceleration of 10 m/s^2 deflects an
axis by 0.01 mm.
"""


class Penalty(Elastic):
    """Formulation whose multipliers are proportional to the violation of the constraints (CU-CSSC-90-07,
    section III.C).
    """

    kind: Literal["penalty"] = "penalty"
    """Multipliers from the violation, without damping."""


class Regularized(Elastic):
    """Formulation in which stiff spring-dampers act along and about the locked axes of the joints (the
    bushing of the DLR paper).
    """

    kind: Literal["regularized"] = "regularized"
    """Stiff spring-dampers in place of constraints."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] | None = None
    """Damping along each locked axis [N s/m]. Default: critical damping for the masses of the two bodies."""
    torsional_damping: Annotated[Any, si("N m s/rad", nonnegative=True)] | None = None
    """Damping about each locked axis [N m s/rad]. Default: critical damping for the inertias of the two
    bodies."""


class Composite(FormulationChoice):
    """Formulation in which bodies with fixed joints between them move as one body until release. This
    formulation is an exact form of the stop and restart in the DLR paper.
    """

    kind: Literal["composite"] = "composite"
    """Bodies with fixed joints as one body."""


class Staggered(FormulationChoice):
    """Formulation that integrates bodies and multipliers alternately by two different methods (CU-CSSC-90-07,
    sections III.D to V).
    """

    kind: Literal["staggered"] = "staggered"
    """Alternating explicit steps of bodies and implicit steps of multipliers."""
    level: Literal["position", "velocity"] = "position"
    """Constraint errors that drive the multipliers. "position": errors of positions (the holonomic form, eq
    32). "velocity": errors of velocities (eq 27, order 1 only)."""
    regularization: Annotated[Any, si("1", positive=True)] = 0.5
    """Coefficient c of the regularization [1]: the multiplier rate has the weight eps = c step^2/2, scaled by
    the effective mass of each row (see docs/studies/staggered.md). Errors grow with c; smaller values may
    damp violations less."""
    restart: int | None = Field(default=1, ge=1)
    """Number of steps between restarts. The two interlaced sequences of half steps drift apart, and a restart
    sets both to one state. None: no restarts, as published."""


class Simultaneous(FormulationChoice):
    """Formulation that applies the implicit trapezoidal rule to the constrained equations and solves them by
    Newton's iteration (CU-CSSC-90-07, eqs 8-13).
    """

    kind: Literal["simultaneous"] = "simultaneous"
    """Bodies and multipliers in one implicit step."""
    treatment: Literal["baumgarte", "staggered"] = "baumgarte"
    """Source of the multipliers in the iteration. "baumgarte": the constraints with Baumgarte feedback at the
    gain `solver.eta`. "staggered": integration as in the staggered procedure."""
    regularization: Annotated[Any, si("1", positive=True)] = 0.05
    """Coefficient c of the regularization in the staggered treatment [1]: the multiplier rate has the weight
    eps = c step^2/2, scaled by the effective mass of each row. Any value is stable; errors grow with c."""
    tolerance: Annotated[Any, si("1", positive=True)] = 1e-10
    """Largest change of the state in the last iteration of a step, relative to the scales of `solver`."""
    max_iterations: int = Field(default=50, ge=1)
    """Largest number of iterations in a step. If a step needs more, the flight ends."""


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
