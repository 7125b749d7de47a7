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
"""Smallest and largest useful tolerance of a solver: flights have errors of their own."""
MOST_ITERATIONS = 10_000


class Variable(Declaration):
    """One free input, or several that change together.

    Bounds, scale and start have a unit, or are numbers in SI, or are in per cent of the scenario's value, "90
    %". All of one variable use the same form."""

    name: str
    """Name in tables and files."""
    path: str | tuple[str, ...]
    """Path of the input, or of several that change together, as in the variations of a sweep:
    "devices.*.stiffness", "bodies.payload.mass_centre.x"."""
    low: Any = None
    """Lower bound. Default: the lowest value that the input admits."""
    high: Any = None
    """Upper bound. Default: none."""
    delta: Any = None
    """Largest change from the scenario's value to both sides, in place of low and high. Each of several
    inputs keeps its own value as the middle."""
    start: Any = None
    """Start value. Default: the scenario's value, or the nearest bound."""
    scale: Any = None
    """Typical change of this variable, for scaling. Default: half the distance of the bounds, or else the
    magnitude of the scenario's value."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All inputs that change together, as given."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @property
    def place(self) -> str:
        """Place of its problems in messages."""
        return self.name if self.name in self.paths else f"variables.{self.name}"

    @model_validator(mode="after")
    def _check(self) -> Variable:
        if not self.name.strip() or not self.paths or not all(path.strip() for path in self.paths):
            text = 'the path of the input is empty. Name an input, for example "bodies.payload.mass"'
            raise Refused(("path", text))
        if self.delta is not None and (self.low is not None or self.high is not None):
            text = "delta is set together with low or high. Set either delta, or low and high"
            raise Refused(("delta", text))
        check_alike((key, getattr(self, key)) for key in ("low", "high", "delta", "start", "scale"))
        return self


class Constraint(Asked):
    """Constraint on a quantity at an event, or on its extreme: equal to a value, or between limits."""

    name: str
    """Name in tables and files."""
    equals: AnyQuantity | None = None
    """Required value, with its unit, or as a number in SI."""
    min: AnyQuantity | None = None
    """Lower limit."""
    max: AnyQuantity | None = None
    """Upper limit."""
    tolerance: AnyQuantity | None = None
    """Violation of a limit that still counts as met. Default: the solver's tolerance times the change of the
    quantity with the variables."""

    @property
    def place(self) -> str:
        """Place of its problems in messages."""
        return self.name if self.asked_by_text else f"constraints.{self.name}"

    @property
    def asked_by_text(self) -> bool:
        """Whether it comes from a text "QUANTITY@EVENT = VALUE", which is its name."""
        return "=" in self.name and self.name.startswith(self.quantity)

    @property
    def limits(self) -> dict[str, Any]:
        """The limits that are set: equals, min and max."""
        given = {key: getattr(self, key) for key in ("equals", "min", "max")}
        return {key: value for key, value in given.items() if value is not None}

    @model_validator(mode="after")
    def _check(self) -> Constraint:
        limits = self.limits
        if not limits:
            raise Refused(("", "the constraint has no limit. Set equals, min, max, or min and max"))
        if "equals" in limits and len(limits) > 1:
            text = "equals is set together with min or max. Set either equals, or min and max"
            raise Refused(("equals", text))
        low, high = self.min, self.max
        if low is not None and high is not None and low.unit == high.unit:
            if float(low.magnitude) > float(high.magnitude):
                raise Refused(("min", Written("min, {min}, is above max, {max}. Exchange min and max")))
            if float(low.magnitude) == float(high.magnitude):
                text = "min and max are both {min}. Set equals in place of min and max"
                raise Refused(("min", Written(text)))
        if self.tolerance is not None and not float(self.tolerance.magnitude) > 0:
            text = f"the tolerance {self.tolerance} is not positive. Give a tolerance above zero"
            raise Refused(("tolerance", text))
        return self


class Objective(When):
    """Objective: a quantity at an event, or its extreme, to maximize or minimize."""

    maximize: str | None = None
    """Quantity to maximize, named as in the results."""
    minimize: str | None = None
    """Quantity to minimize, named as in the results."""
    weight: float = 1.0
    """Weight of one SI unit in a sum of several terms."""

    @property
    def quantity(self) -> str:
        """The quantity."""
        return self.maximize or self.minimize or ""

    @property
    def sign(self) -> float:
        """1 to minimize, -1 to maximize."""
        return 1.0 if self.maximize is None else -1.0

    @property
    def verb(self) -> str:
        """ "minimize" or "maximize"."""
        return "minimize" if self.maximize is None else "maximize"

    @model_validator(mode="after")
    def _check(self) -> Objective:
        if (self.maximize is None) == (self.minimize is None):
            raise Refused(("", "the objective needs either maximize or minimize. Set one of the two keys"))
        if not (np.isfinite(self.weight) and self.weight > 0):
            text = f"the weight {self.weight:g} is not positive. Give a weight above zero. To reverse the"
            text = f"{text} objective, exchange maximize and minimize"
            raise Refused(("weight", text))
        return self


class Control(Declaration):
    """A table over time whose values and times are free, for collocation.

    Bounds and scale have a unit as in a scenario, or are numbers in SI."""

    name: str
    """Name in tables and files."""
    table: str
    """Path of the table: "guidance.entry.bank", "engines.main.throttle". Its time counts from the beginning
    of its first phase."""
    during: tuple[str, ...] = ()
    """Consecutive phases in which it is free. Default: all phases."""
    low: Any
    """Lower bound."""
    high: Any
    """Upper bound."""
    scale: Any = None
    """Typical change, for scaling. Default: half the distance of the bounds."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Path of the free values."""
        return (f"{self.table}.value",)

    @property
    def place(self) -> str:
        """Place of its problems in messages."""
        return f"controls.{self.name}"


class CollocationMesh(Declaration):
    """Mesh of collocation: intervals, points and accuracy."""

    intervals: int = 20
    """Intervals of each phase of the first mesh."""
    points: int = 3
    """Points of an interval, including both ends. 3 is the Hermite-Simpson rule of order 4; up to 6 points
    have order 2 * points - 2."""
    tolerance: float = 1e-6
    """Error allowed in the equations of motion over the flight, relative to the largest speed, the range of
    heights and so on. Also the relative change of the objective allowed between meshes."""
    refinements: int = 8
    """Most refinements of the mesh."""
    most: int = 400
    """Most intervals of all phases; the refinement stops there."""

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
    """Solver of the optimization."""

    kind: SolverKind = "slsqp"
    """"slsqp": sequential quadratic programming of SciPy, always available. "filter_sqp" or "interior_point":
    solvers of Uno, which need pip install "interstage[optimize]"."""
    tolerance: float = 1e-8
    """Scaled change of the objective, and scaled violation of constraints, at which the solver ends."""
    iterations: int = 100
    """Most iterations."""
    confirm: SolverKind | None = None
    """Second solver from the same start, whose optimum must agree. Default: none."""

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
            text = f"confirm names the solver of kind, {self.kind}. Name another solver: {others}"
            raise Refused(("confirm", text))
        return self


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, (dict, Objective)) else value


class OptimizationStudy(StudyFile):
    """Study file with the free inputs of a scenario, the constraints and the objective."""

    variables: Annotated[tuple[Variable, ...], ByName()] = ()
    """Free inputs."""
    constraints: Annotated[tuple[Constraint, ...], ByName()] = ()
    """Constraints."""
    objective: Annotated[tuple[Objective, ...], BeforeValidator(_as_tuple)] = ()
    """Objective, or a list of terms of a weighted sum. Default: meet the constraints with the smallest change
    of the variables."""
    sensitivities: tuple[str, ...] = ()
    """Inputs whose effect on the optimal objective is computed."""
    nodes: tuple[str, ...] = ()
    """Point-mass legs for multiple shooting: position and velocity at their beginning are variables, and must
    equal the end of the previous leg; see docs/optimization.md."""
    transcription: Literal["shooting", "collocation"] = "shooting"
    """"shooting": whole flights from the start. "collocation": for one point mass, states at many nodes are
    variables. It converges for limits along the path and for controls between their bounds, where shooting
    may fail; see docs/optimization.md."""
    controls: Annotated[tuple[Control, ...], ByName()] = ()
    """Free tables over time, for collocation."""
    mesh: CollocationMesh = CollocationMesh()
    """Mesh of the phases, for collocation."""
    solver: OptimizationSolver = OptimizationSolver()
    """Solver and its settings."""

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """Message for each required key that is missing."""
        text = f"the free inputs are missing. Add at least one variable, {INPUTS.format('variables')}"
        free = "variables" in given or "controls" in given
        return super().missing(given) | ({} if free else {"variables": text})

    @property
    def inputs(self) -> tuple[Variable | Control, ...]:
        """All free inputs: variables and controls."""
        return (*self.variables, *self.controls)

    @property
    def by_collocation(self) -> bool:
        """Whether it is solved by collocation."""
        return self.transcription == "collocation"

    @property
    def kind(self) -> SolverKind:
        """The solver. Default: "interior_point" for collocation, else "slsqp"."""
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
            text = "nodes apply to shooting only, because collocation has its own nodes. Remove nodes"
            raise Refused(("nodes", text))
        elif not self.objective:
            raise Refused(("objective", "the objective is missing. Collocation needs an objective"))
        if not self.variables and not self.controls:
            raise Refused(("variables", "the study has no free input. Name at least one free input"))
        if not self.constraints and not self.objective:
            text = "the study has no objective and no constraints. Set an objective or constraints"
            raise Refused(("objective", text))
        return self

    def to_toml(self) -> str:
        """The study as TOML."""
        from ...tree.toml_file import dumps

        return dumps(self)


def read_study(
    path: Path, scenario_of: Callable[[Path], Any] | None = None
) -> tuple[OptimizationStudy, Lines] | None:
    """The study in a file with the lines of its keys; None if the file is a scenario. scenario_of: reads the
    scenario. Raises BadInput."""
    found = study_in(path, "optimize")
    return (
        None if found is None else read_as(OptimizationStudy, *found, path, scenario_of, _scenario_problems)
    )


def _scenario_problems(scenario: Any, right: Right) -> Iterator[Problem]:
    from .checks import beside_scenario

    groups = (right.get(key, ()) for key in ("variables", "constraints", "objective"))
    yield from beside_scenario(scenario, *groups)
