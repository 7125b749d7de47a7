"""Declarations of an optimization: free inputs, constraints and objective."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import BeforeValidator, model_validator

from ...model.values import AnyQuantity
from ...tree.declaration import ByName, Declaration
from ...tree.errors import Problem, Refused, Written
from ...tree.toml_file import Lines
from ..amounts import check_alike
from ..asked import Asked, When
from ..study_file import INPUTS, Right, StudyFile, read_as, study_in

SolverKind = Literal["slsqp", "filter_sqp", "interior_point"]
SOLVERS: tuple[SolverKind, ...] = get_args(SolverKind)
TOLERANCES = (1e-12, 1e-2)
"""Smallest and largest allowed tolerance of a solver. A smaller tolerance is not useful, because flights
have numerical errors.
"""
MOST_ITERATIONS = 10_000


class Variable(Declaration):
    """Variable of an optimization: one free input, or several inputs that change together.

    Bounds, scale and start are texts with a unit, numbers in SI, or per cent of the value in the scenario,
    for example "90 %". All values of one variable must have the same form."""

    name: str
    """Name of the variable in tables and files."""
    path: str | tuple[str, ...]
    """Path of the input, for example "bodies.payload.mass_centre.x", or list of paths of inputs that change
    together. The sign * matches any part of a name, as in "devices.*.stiffness"."""
    low: Any = None
    """Lower bound of the variable. Default: the lowest allowed value of the input."""
    high: Any = None
    """Upper bound of the variable. Default: no upper bound."""
    delta: Any = None
    """Largest change of the input from the value in the scenario, in both directions. Replaces `low` and
    `high`. If several inputs change together, each input starts from its own value."""
    start: Any = None
    """Start value of the variable. Default: the value in the scenario, or the nearest bound."""
    scale: Any = None
    """Typical change of the variable, by which the optimizer scales the variable. Default: half the
    difference of the bounds, or without bounds the magnitude of the value in the scenario."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of all inputs that change together, as the user wrote them."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @property
    def place(self) -> str:
        """Return the path of the declaration in messages."""
        return self.name if self.name in self.paths else f"variables.{self.name}"

    @model_validator(mode="after")
    def _check(self) -> Variable:
        if not self.name.strip() or not self.paths or not all(path.strip() for path in self.paths):
            text = 'the path of the input is empty. Give a path, for example "bodies.payload.mass"'
            raise Refused(("path", text))
        if self.delta is not None and (self.low is not None or self.high is not None):
            text = "'delta' is set together with 'low' or 'high'. Set either 'delta', or 'low' and 'high'"
            raise Refused(("delta", text))
        check_alike((key, getattr(self, key)) for key in ("low", "high", "delta", "start", "scale"))
        return self


class Constraint(Asked):
    """Constraint on a quantity at an event, or on an extreme of the quantity.

    The quantity must equal a value (`equals`), or stay within limits (`min`, `max`). Values are texts with a
    unit, or numbers in SI."""

    name: str
    """Name of the constraint in tables and files."""
    equals: AnyQuantity | None = None
    """Required value of the quantity."""
    min: AnyQuantity | None = None
    """Lower limit of the quantity."""
    max: AnyQuantity | None = None
    """Upper limit of the quantity."""
    tolerance: AnyQuantity | None = None
    """Largest violation of a limit for which the constraint still counts as met. Default: the tolerance of
    the solver times the change of the quantity with the variables."""

    @property
    def place(self) -> str:
        """Return the path of the declaration in messages."""
        return self.name if self.asked_by_text else f"constraints.{self.name}"

    @property
    def asked_by_text(self) -> bool:
        """Return whether the constraint was written as a text "QUANTITY@EVENT = VALUE". The name of the
        constraint is then this text.
        """
        return "=" in self.name and self.name.startswith(self.quantity)

    @property
    def limits(self) -> dict[str, Any]:
        """Return the limits of the constraint by key: "equals", "min" and "max". Limits that are not set are
        omitted.
        """
        given = {key: getattr(self, key) for key in ("equals", "min", "max")}
        return {key: value for key, value in given.items() if value is not None}

    @model_validator(mode="after")
    def _check(self) -> Constraint:
        limits = self.limits
        if not limits:
            raise Refused(("", "the constraint has no limit. Set 'equals', 'min', 'max', or 'min' and 'max'"))
        if "equals" in limits and len(limits) > 1:
            text = "'equals' is set together with 'min' or 'max'. Set either 'equals', or 'min' and 'max'"
            raise Refused(("equals", text))
        low, high = self.min, self.max
        if low is not None and high is not None and low.unit == high.unit:
            if float(low.magnitude) > float(high.magnitude):
                raise Refused(("min", Written("min = {min} is above max = {max}. Exchange these values")))
            if float(low.magnitude) == float(high.magnitude):
                text = "'min' and 'max' are both {min}. Set 'equals' instead of 'min' and 'max'"
                raise Refused(("min", Written(text)))
        if self.tolerance is not None and not float(self.tolerance.magnitude) > 0:
            text = f"the tolerance {self.tolerance} is not positive. Give a tolerance above zero"
            raise Refused(("tolerance", text))
        return self


class Objective(When):
    """Objective of an optimization: a quantity at an event, or an extreme of the quantity."""

    maximize: str | None = None
    """Quantity to maximize, by its name in the results, for example "bodies.payload.mass"."""
    minimize: str | None = None
    """Quantity to minimize, by its name in the results, for example "joints.clamp.force.magnitude"."""
    weight: float = 1.0
    """Factor of this quantity, in SI units, if the objective is a sum of several quantities."""

    @property
    def quantity(self) -> str:
        """Return the name of the quantity."""
        return self.maximize or self.minimize or ""

    @property
    def sign(self) -> float:
        """Return 1 if the quantity is minimized, and -1 if it is maximized."""
        return 1.0 if self.maximize is None else -1.0

    @property
    def verb(self) -> str:
        """Return "minimize" or "maximize", for texts."""
        return "minimize" if self.maximize is None else "maximize"

    @model_validator(mode="after")
    def _check(self) -> Objective:
        if (self.maximize is None) == (self.minimize is None):
            raise Refused(("", "the objective needs either 'maximize' or 'minimize'. Set one of these keys"))
        if not (np.isfinite(self.weight) and self.weight > 0):
            text = (
                f"the weight {self.weight:g} is not positive. Give a weight above zero. To reverse the"
                " objective, exchange 'maximize' and 'minimize'"
            )
            raise Refused(("weight", text))
        return self


class Control(Declaration):
    """Control of an optimization by collocation: a table over time with free values and times.

    Bounds and scale are texts with a unit, or numbers in SI."""

    name: str
    """Name of the control in tables and files."""
    table: str
    """Path of the table in the scenario, for example "guidance.entry.bank" or "engines.main.throttle". The
    time of the table counts from the start of the first phase of the control."""
    during: tuple[str, ...] = ()
    """Names of consecutive phases in which the control is free. Default: all phases."""
    low: Any
    """Lower bound of the control."""
    high: Any
    """Upper bound of the control."""
    scale: Any = None
    """Typical change of the control, by which the optimizer scales the control. Default: half the difference
    of the bounds."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Return a tuple with the path of the free values of the table."""
        return (f"{self.table}.value",)

    @property
    def place(self) -> str:
        """Return the path of the declaration in messages."""
        return f"controls.{self.name}"


class CollocationMesh(Declaration):
    """Mesh of an optimization by collocation: number of intervals and points, and accuracy.

    Collocation divides each phase of the flight into intervals. The equations of motion hold at the points of
    each interval."""

    intervals: int = 20
    """Number of intervals of each phase in the first mesh."""
    points: int = 3
    """Number of points of each interval, including both ends. The method has order 2 * points - 2. The
    default of 3 points is the Hermite-Simpson rule of order 4. Allowed: 3 to 6."""
    tolerance: float = 1e-6
    """Allowed error of the equations of motion over the flight, relative to the range of each state, such as
    the largest speed. The mesh is also refined until the relative change of the objective between two meshes
    is below this tolerance."""
    refinements: int = 8
    """Largest number of refinements of the mesh."""
    most: int = 400
    """Largest number of intervals of all phases together. The refinement stops at this number."""

    @model_validator(mode="after")
    def _check(self) -> CollocationMesh:
        bounds = {"intervals": (2, 400), "points": (3, 6), "refinements": (0, 20), "most": (2, 2000)}
        for key, (low, high) in bounds.items():
            if not low <= getattr(self, key) <= high:
                text = f"{key} = {getattr(self, key)} is out of range. Allowed: {low} to {high}"
                raise Refused((key, text))
        low, high = TOLERANCES
        if not low <= self.tolerance <= high:
            text = f"the tolerance {self.tolerance:g} is out of range. Allowed: {low:g} to {high:g}"
            raise Refused(("tolerance", text))
        return self


class OptimizationSolver(Declaration):
    """Solver of an optimization, with settings."""

    kind: SolverKind = "slsqp"
    """Name of the solver. "slsqp" is the sequential quadratic programming of SciPy and is always available.
    "filter_sqp" and "interior_point" are solvers of the package Uno, which need
    pip install "interstage[optimize]"."""
    tolerance: float = 1e-8
    """Scaled change of the objective, and scaled violation of constraints, below which the solver ends."""
    iterations: int = 100
    """Largest number of iterations of the solver."""
    confirm: SolverKind | None = None
    """Name of a second solver, which optimizes again from the same start values. The optima of both solvers
    must agree. Default: no second solver."""

    @model_validator(mode="after")
    def _check(self) -> OptimizationSolver:
        low, high = TOLERANCES
        if not low <= self.tolerance <= high:
            text = f"the tolerance {self.tolerance:g} is out of range. Allowed: {low:g} to {high:g}"
            raise Refused(("tolerance", text))
        if not 1 <= self.iterations <= MOST_ITERATIONS:
            text = f"iterations = {self.iterations} is out of range. Allowed: 1 to {MOST_ITERATIONS}"
            raise Refused(("iterations", text))
        if self.confirm == self.kind:
            others = ", ".join(kind for kind in SOLVERS if kind != self.kind)
            text = f"'confirm' and 'kind' are both {self.kind}. Set 'confirm' to another solver: {others}"
            raise Refused(("confirm", text))
        return self


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, (dict, Objective)) else value


class OptimizationStudy(StudyFile):
    """Study file of an optimization: free inputs of a scenario, constraints and objective."""

    variables: Annotated[tuple[Variable, ...], ByName()] = ()
    """Variables of the optimization: free inputs of the scenario."""
    constraints: Annotated[tuple[Constraint, ...], ByName()] = ()
    """Constraints on quantities of the flight."""
    objective: Annotated[tuple[Objective, ...], BeforeValidator(_as_tuple)] = ()
    """Objective, or list of objectives whose weighted sum is optimized. Default: meet the constraints with
    the smallest change of the variables."""
    sensitivities: tuple[str, ...] = ()
    """Paths of inputs for which the derivative of the optimal objective is computed."""
    nodes: tuple[str, ...] = ()
    """Names of point-mass legs for multiple shooting. The position and velocity at the start of these legs
    are variables, which must equal the end of the previous leg. See docs/optimization.md."""
    transcription: Literal["shooting", "collocation"] = "shooting"
    """Method of the optimization. "shooting" flies each trial from the start to the end. "collocation" is
    only for a scenario with one point mass: the states at many points of the flight are variables.
    Collocation also converges for limits along the path, for which shooting can fail. See
    docs/optimization.md."""
    controls: Annotated[tuple[Control, ...], ByName()] = ()
    """Tables over time with free values, only for collocation."""
    mesh: CollocationMesh = CollocationMesh()
    """Mesh of the phases, only for collocation."""
    solver: OptimizationSolver = OptimizationSolver()
    """Solver of the optimization, with settings."""

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """Return an error message for each required key that is missing, by key.

        given: keys in the study file.
        """
        text = f"the free inputs are missing. Add at least one variable, {INPUTS.format('variables')}"
        free = "variables" in given or "controls" in given
        return super().missing(given) | ({} if free else {"variables": text})

    @property
    def inputs(self) -> tuple[Variable | Control, ...]:
        """Return all free inputs: variables and controls."""
        return (*self.variables, *self.controls)

    @property
    def by_collocation(self) -> bool:
        """Return whether the transcription is collocation."""
        return self.transcription == "collocation"

    @property
    def kind(self) -> SolverKind:
        """Return the name of the solver. Default: "interior_point" for collocation, otherwise "slsqp"."""
        named = "kind" in self.solver.model_fields_set
        return "interior_point" if self.by_collocation and not named else self.solver.kind

    @model_validator(mode="after")
    def _check(self) -> OptimizationStudy:
        if not self.by_collocation:
            for key in ("controls", "mesh"):
                if key in self.model_fields_set and getattr(self, key):
                    text = f'{key} needs transcription = "collocation". Set transcription, or remove {key}'
                    raise Refused((key, text))
        elif self.nodes:
            text = "'nodes' have an effect with shooting only. Remove 'nodes'"
            raise Refused(("nodes", text))
        elif not self.objective:
            raise Refused(
                ("objective", "the objective is missing, but collocation needs an objective. Set objective")
            )
        if not self.variables and not self.controls:
            raise Refused(("variables", "the study has no free input. Add at least one variable or control"))
        if not self.constraints and not self.objective:
            text = "the study has no objective and no constraints. Set an objective or constraints"
            raise Refused(("objective", text))
        return self

    def to_toml(self) -> str:
        """Return the study as TOML text."""
        from ...tree.toml_file import dumps

        return dumps(self)


def read_study(
    path: Path, scenario_of: Callable[[Path], Any] | None = None
) -> tuple[OptimizationStudy, Lines] | None:
    """Return the optimization study in a file and the line number of each key. Return None if the file is a
    scenario.

    scenario_of: function that reads a scenario from its path. Raises BadInput.
    """
    found = study_in(path, "optimize")
    return (
        None if found is None else read_as(OptimizationStudy, *found, path, scenario_of, _scenario_problems)
    )


def _scenario_problems(scenario: Any, right: Right) -> Iterator[Problem]:
    from .checks import beside_scenario

    groups = (right.get(key, ()) for key in ("variables", "constraints", "objective"))
    yield from beside_scenario(scenario, *groups)
