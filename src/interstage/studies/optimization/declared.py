"""What an optimization is asked: which inputs are free, what must hold, and what is to be best."""

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
"""Smallest and largest tolerance of a solver that mean something: flights have errors of their own."""
MOST_ITERATIONS = 10_000


class Variable(Declaration):
    """One input that is free, or several that move together.

    Bounds, scale and start have a unit as in a scenario, are bare numbers in SI, or are in per cent of the
    scenario's own value, "90 %"; all of one variable in the same way."""

    name: str
    """Name in tables and files."""
    path: str | tuple[str, ...]
    """The input, or several that move together, as for the variations of a sweep: "devices.*.stiffness",
    "bodies.payload.mass_centre.x"."""
    low: Any = None
    """The lowest value allowed. Default: as low as the input may be."""
    high: Any = None
    """The highest value allowed."""
    delta: Any = None
    """How far it may go from the scenario's own value to either side, in place of low and high; of several
    inputs each keeps its own value as the middle."""
    start: Any = None
    """Where to begin. Default: the scenario's own value, or the bound next to it."""
    scale: Any = None
    """A change that matters as much as such changes of the others. Default: half of the span between the
    bounds, or else the size of the scenario's own value."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All inputs that move together, as given."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @property
    def place(self) -> str:
        """Where a problem with it is reported."""
        return self.name if self.name in self.paths else f"variables.{self.name}"

    @model_validator(mode="after")
    def _check(self) -> Variable:
        if not self.name.strip() or not self.paths or not all(path.strip() for path in self.paths):
            raise Refused(("path", 'is empty; name an input, like "bodies.payload.mass"'))
        if self.delta is not None and (self.low is not None or self.high is not None):
            raise Refused(("delta", "is given together with low or high; give the one or the others"))
        check_alike((key, getattr(self, key)) for key in ("low", "high", "delta", "start", "scale"))
        return self


class Constraint(Asked):
    """What must hold: a quantity at an event, or an extreme of it, equal to a value or between limits."""

    name: str
    """Name in tables and files."""
    equals: AnyQuantity | None = None
    """The value that it must have, with its unit, or as a bare number in SI."""
    min: AnyQuantity | None = None
    """Least value allowed."""
    max: AnyQuantity | None = None
    """Greatest value allowed."""
    tolerance: AnyQuantity | None = None
    """How far beyond a limit counts as kept. Default: the solver's tolerance, times how much the quantity
    changes with the variables."""

    @property
    def place(self) -> str:
        """Where a problem with it is reported."""
        return self.name if self.asked_by_text else f"constraints.{self.name}"

    @property
    def asked_by_text(self) -> bool:
        """Whether it is a text "QUANTITY@MOMENT = VALUE", which is its name."""
        return "=" in self.name and self.name.startswith(self.quantity)

    @property
    def limits(self) -> dict[str, Any]:
        """Those of equals, min and max that are given."""
        given = {key: getattr(self, key) for key in ("equals", "min", "max")}
        return {key: value for key, value in given.items() if value is not None}

    @model_validator(mode="after")
    def _check(self) -> Constraint:
        limits = self.limits
        if not limits:
            raise Refused(("", "has no limit; give equals, min, max, or min and max"))
        if "equals" in limits and len(limits) > 1:
            raise Refused(("equals", "is given together with min or max; give the one or the others"))
        low, high = self.min, self.max
        if low is not None and high is not None and low.unit == high.unit:
            if float(low.magnitude) > float(high.magnitude):
                raise Refused(("min", Written("{min} is more than max, {max}; exchange them")))
            if float(low.magnitude) == float(high.magnitude):
                raise Refused(("min", Written("and max are the same, {min}; give equals = in their place")))
        if self.tolerance is not None and not float(self.tolerance.magnitude) > 0:
            raise Refused(("tolerance", f"{self.tolerance} is not more than zero; change it"))
        return self


class Objective(When):
    """What is to be as large or as small as can be: a quantity at an event, or an extreme of it."""

    maximize: str | None = None
    """The quantity to make large, named as in the results."""
    minimize: str | None = None
    """The quantity to make small."""
    weight: float = 1.0
    """What one SI unit of it counts in a sum of several."""

    @property
    def quantity(self) -> str:
        """The quantity."""
        return self.maximize or self.minimize or ""

    @property
    def sign(self) -> float:
        """1 for what is minimised, -1 for what is maximised."""
        return 1.0 if self.maximize is None else -1.0

    @property
    def verb(self) -> str:
        """What is done with it."""
        return "minimize" if self.maximize is None else "maximize"

    @model_validator(mode="after")
    def _check(self) -> Objective:
        if (self.maximize is None) == (self.minimize is None):
            raise Refused(("", "give exactly one of maximize and minimize, each a quantity"))
        if not (np.isfinite(self.weight) and self.weight > 0):
            text = f"{self.weight:g} is not more than zero; to turn it round, exchange maximize and minimize"
            raise Refused(("weight", text))
        return self


class Control(Declaration):
    """A table over time of which all values are free, and the times as well: with collocation.

    Bounds and scale have a unit as in a scenario, or are bare numbers in SI."""

    name: str
    """Name in tables and files."""
    table: str
    """The table: "guidance.entry.bank", "engines.main.throttle". Its time counts from the beginning of the
    first of its phases."""
    during: tuple[str, ...] = ()
    """Phases over which it is free, one after another. Default: all."""
    low: Any
    """The lowest value allowed."""
    high: Any
    """The highest value allowed."""
    scale: Any = None
    """A change that matters. Default: half of the span between the bounds."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The values that are free."""
        return (f"{self.table}.value",)

    @property
    def place(self) -> str:
        """Where a problem with it is reported."""
        return f"controls.{self.name}"


class CollocationMesh(Declaration):
    """How finely phases are cut for collocation, and how well."""

    intervals: int = 20
    """Intervals of each phase to begin with."""
    points: int = 3
    """Points of an interval, both ends among them: 3 is the Hermite-Simpson rule, of order 4; more, up to 6,
    are of order 2 points - 2."""
    tolerance: float = 1e-6
    """What the equations of motion may be off by over the flight, as a part of the largest speed, the range
    of the height, and so on; and what the objective may change by from mesh to mesh, likewise."""
    refinements: int = 8
    """Times that intervals are cut where errors are."""
    most: int = 400
    """Intervals of all phases at which it gives up."""

    @model_validator(mode="after")
    def _check(self) -> CollocationMesh:
        bounds = {"intervals": (2, 400), "points": (3, 6), "refinements": (0, 20), "most": (2, 2000)}
        for key, (low, high) in bounds.items():
            if not low <= getattr(self, key) <= high:
                text = f"{getattr(self, key)} is out of range; allowed: {low} to {high}"
                raise Refused((key, text))
        low, high = TOLERANCES
        if not low <= self.tolerance <= high:
            raise Refused(("tolerance", f"{self.tolerance:g} is out of range; allowed: {low:g} to {high:g}"))
        return self


class OptimizationSolver(Declaration):
    """How the optimum is found."""

    kind: SolverKind = "slsqp"
    """Sequential quadratic programming of SciPy, always there; or of Uno, "filter_sqp" or "interior_point",
    which need the extra: pip install "interstage[optimize]"."""
    tolerance: float = 1e-8
    """Change of the objective, and what may be left of constraints, both scaled, at which it ends."""
    iterations: int = 100
    """Iterations after which it gives up."""
    confirm: SolverKind | None = None
    """Another solver that begins where this one began and must come to the same."""

    @model_validator(mode="after")
    def _check(self) -> OptimizationSolver:
        low, high = TOLERANCES
        if not low <= self.tolerance <= high:
            text = f"{self.tolerance:g} is out of range; allowed: {low:g} to {high:g}"
            raise Refused(("tolerance", text))
        if not 1 <= self.iterations <= MOST_ITERATIONS:
            text = f"{self.iterations} is out of range; allowed: 1 to {MOST_ITERATIONS}"
            raise Refused(("iterations", text))
        if self.confirm == self.kind:
            others = ", ".join(kind for kind in SOLVERS if kind != self.kind)
            raise Refused(("confirm", f"is the solver itself, {self.kind}; name another one: {others}"))
        return self


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, (dict, Objective)) else value


class OptimizationStudy(StudyFile):
    """A file of its own that states what of a scenario is free, what must hold, and what is to be best."""

    variables: Annotated[tuple[Variable, ...], ByName()] = ()
    """What is free."""
    constraints: Annotated[tuple[Constraint, ...], ByName()] = ()
    """What must hold."""
    objective: Annotated[tuple[Objective, ...], BeforeValidator(_listed)] = ()
    """What is to be best, one or a list of which the weighted sum counts. If not set, the constraints be
    met with the smallest change of the variables."""
    sensitivities: tuple[str, ...] = ()
    """Inputs by which the derivative of the optimum is to be known."""
    nodes: tuple[str, ...] = ()
    """Legs as a point mass whose place and velocity at the beginning are free as well, and must come to be
    what the leg before hands over: multiple shooting; see docs/optimization.md."""
    transcription: Literal["shooting", "collocation"] = "shooting"
    """"shooting": whole flights, from the start on. "collocation", for what flies as one point: states at
    many nodes are variables, too, so that limits along the way and controls that are neither full nor off
    are kept where shooting loses its way; see docs/optimization.md."""
    controls: Annotated[tuple[Control, ...], ByName()] = ()
    """Tables over time that are free, with collocation."""
    mesh: CollocationMesh = CollocationMesh()
    """How finely phases are cut, with collocation."""
    solver: OptimizationSolver = OptimizationSolver()
    """How it is found."""

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """What to say of each key that a study needs and has not, of those given."""
        said = f"is required: what is free, {INPUTS.format('variables')}"
        free = "variables" in given or "controls" in given
        return super().missing(given) | ({} if free else {"variables": said})

    @property
    def inputs(self) -> tuple[Variable | Control, ...]:
        """All that is free."""
        return (*self.variables, *self.controls)

    @property
    def collocated(self) -> bool:
        """Whether it is solved by collocation."""
        return self.transcription == "collocation"

    @property
    def kind(self) -> SolverKind:
        """The solver; where none is named, one that is made for the program."""
        named = "kind" in self.solver.model_fields_set
        return "interior_point" if self.collocated and not named else self.solver.kind

    @model_validator(mode="after")
    def _check(self) -> OptimizationStudy:
        if not self.collocated:
            for key in ("controls", "mesh"):
                if key in self.model_fields_set and getattr(self, key):
                    raise Refused(
                        (key, 'goes with transcription = "collocation" only; say so, or leave it out')
                    )
        elif self.nodes:
            text = "are for shooting; collocation has nodes of its own. Leave them out"
            raise Refused(("nodes", text))
        elif not self.objective:
            raise Refused(("objective", "is missing; collocation needs one"))
        if not self.variables and not self.controls:
            raise Refused(("variables", "is empty; name one input at least that is free"))
        if not self.constraints and not self.objective:
            text = "is missing, and there are no constraints: nothing is asked for. Give one of them"
            raise Refused(("objective", text))
        return self

    def to_toml(self) -> str:
        """The study as TOML."""
        from ...tree.toml_file import dumps

        return dumps(self)


def read_study(
    path: Path, scenario_of: Callable[[Path], Any] | None = None
) -> tuple[OptimizationStudy, Lines] | None:
    """The study in a file with the lines of its keys, or none if it is a scenario. scenario_of: reads its
    scenario. Raises BadInput."""
    found = study_in(path, "optimize")
    return None if found is None else read_as(OptimizationStudy, *found, path, scenario_of, _beside)


def _beside(scenario: Any, right: Right) -> Iterator[Problem]:
    from .checks import beside_scenario

    groups = (right.get(key, ()) for key in ("variables", "constraints", "objective"))
    yield from beside_scenario(scenario, *groups)
