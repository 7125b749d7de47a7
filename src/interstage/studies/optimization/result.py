"""Results of an optimization: variables, constraints, multipliers, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.units import display
from .declared import Constraint, Objective, OptimizationStudy
from .solvers import NAMES
from .stationary import OPTIMAL
from .variables import Unknown

if TYPE_CHECKING:
    from ...drawing.figure import Figure

AGREE = 1e-5
"""Relative difference of objectives, and scaled difference of variables, within which two solvers agree."""


@dataclass(frozen=True)
class Iterate:
    """One iteration of an optimization.

    - number: number of the iteration, from 1.
    - objective: objective in SI, or scaled change of the variables for a study without an objective.
    - worst: largest violation of a constraint, divided by the tolerance of the constraint.
    - beyond: this violation in SI.
    - which: name of this constraint.
    - seconds: wall time since the start of the optimization [s]."""

    number: int
    objective: float
    worst: float
    beyond: float
    which: str
    seconds: float


@dataclass(frozen=True)
class Moved:
    """Result of one variable of an optimization.

    - unknown: the variable.
    - before, now: start value and value at the optimum, in the unit of the variable.
    - bound: "low" or "high" if the value is at a bound, else "".
    - multiplier: change of the objective per unit change of this bound [SI]."""

    unknown: Unknown
    before: float
    now: float
    bound: str
    multiplier: float


@dataclass(frozen=True)
class Kept:
    """Result of one constraint of an optimization. All values are in SI, `unit`.

    - constraint: the constraint.
    - before, now: values of the quantity at the start values and at the optimum.
    - beyond: violation of the limit, 0 if the limit is met.
    - tolerance: largest violation that counts as met.
    - active: "min", "max" or "equals" if the quantity is at this limit, else "".
    - multiplier: change of the objective per unit change of this limit."""

    constraint: Constraint
    unit: str
    before: float
    now: float
    beyond: float
    tolerance: float
    active: str
    multiplier: float

    @property
    def kept(self) -> bool:
        """Return whether the constraint is met within its tolerance."""
        return self.beyond <= self.tolerance


@dataclass(frozen=True)
class Term:
    """Result of one term of the objective: values at the start values (`before`) and at the optimum (`now`).

    All values are in SI, `unit`."""

    term: Objective
    unit: str
    before: float
    now: float


@dataclass(frozen=True)
class Confirmed:
    """Result of the second solver of an optimization.

    - kind: name of the solver.
    - objective: objective [SI].
    - apart: largest scaled difference of a variable from the first solver.
    - why: reason why the solver found no optimum or did not run, else ""."""

    kind: str
    objective: float = np.nan
    apart: float = np.nan
    why: str = ""


@dataclass(frozen=True)
class Collocated:
    """Data of an optimization by collocation.

    - intervals: number of intervals of each phase.
    - points: number of points of each interval.
    - meshes: number of solved meshes.
    - error: estimated error of the equations of motion on the last mesh, relative to the change of states.
    - seen: values of objective terms and constraints by collocation, before the separate flight [SI].
    - variables, rows: number of variables and of equations and limits."""

    intervals: tuple[int, ...]
    points: int
    meshes: int
    error: float
    seen: tuple[float, ...]
    variables: int
    rows: int


@dataclass(frozen=True)
class Fight:
    """Constraints that cannot be met together.

    - missed: name and violation, as text, of each violated constraint.
    - held_by: names of the constraints and bounds that prevent a smaller violation."""

    missed: tuple[tuple[str, str], ...]
    held_by: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Optimum:
    """Result of an optimization.

    - scenario: the scenario with the best values.
    - study: the study.
    - variables, terms, constraints: results of the variables, the objective terms and the constraints.
    - history: the iterations.
    - residual: part of the gradient of the objective that active limits do not balance, 0 at an optimum.
    - converged, message: whether the solver converged, and the message of the solver.
    - again: largest difference between the flight of the optimizer and a separate flight, divided by the
      tolerance; NaN without a separate flight.
    - flights, differentiated: number of flights, and of flights with derivatives.
    - seconds: wall time with compilation [s].
    - interrupted: whether the user interrupted the optimization.
    - confirmed: result of the second solver.
    - fight: conflicting constraints, if no values meet all constraints.
    - sensitivities: derivative of the optimal objective [SI] and unit of the input, by path of the input.
    - checked: largest relative difference of a derivative from finite differences, and its name.
    - notes: warnings.
    - collocated: data of the collocation."""

    scenario: Any
    study: OptimizationStudy
    variables: tuple[Moved, ...]
    terms: tuple[Term, ...]
    constraints: tuple[Kept, ...]
    history: tuple[Iterate, ...]
    residual: float
    converged: bool
    message: str
    again: float
    flights: int
    differentiated: int
    seconds: float
    interrupted: bool = False
    confirmed: Confirmed | None = None
    fight: Fight | None = None
    sensitivities: dict[str, tuple[float, str]] = field(default_factory=dict)
    checked: tuple[float, str] | None = None
    notes: tuple[str, ...] = ()
    collocated: Collocated | None = None

    def __repr__(self) -> str:
        return f"<Optimum: {self.verdict}>"

    def __getitem__(self, name: str) -> float:
        """Return the optimal value of a variable, in its unit, or of the quantity of a constraint, in SI.

        name: name of the variable or constraint. Raises KeyError for an unknown name."""
        for one in self.variables:
            if one.unknown.name == name:
                return one.now
        for one in self.constraints:
            if one.constraint.name == name:
                return one.now
        names = [*(o.unknown.name for o in self.variables), *(o.constraint.name for o in self.constraints)]
        raise KeyError(f"the optimum has no variable or constraint '{name}'. Known names: {', '.join(names)}")

    @property
    def objective(self) -> float:
        """Return the objective at the optimum [SI]: the weighted sum of its terms, NaN without terms."""
        sign = self.terms[0].term.sign if self.terms else np.nan
        return sum(sign * one.term.sign * one.term.weight * one.now for one in self.terms) or (
            np.nan if not self.terms else 0.0
        )

    @property
    def objective_unit(self) -> str:
        """Return the SI unit of the objective, "1" for a sum of terms with different units."""
        units = {one.unit for one in self.terms}
        return units.pop() if len(units) == 1 else "1"

    @property
    def feasible(self) -> bool:
        """Return whether all constraints are met."""
        return all(one.kept for one in self.constraints)

    @property
    def optimal(self) -> bool:
        """Return whether no small step within the limits improves the objective, to first order."""
        return bool(self.residual <= OPTIMAL)

    @property
    def flies(self) -> bool:
        """Return whether a separate flight of the scenario agrees with the flight of the optimizer."""
        return bool(self.again <= 1.0)

    @property
    def trusted(self) -> bool:
        """Return whether the result meets all criteria of `verdict`."""
        return self.feasible and self.optimal and self.flies and not self.interrupted and not self._unlike

    @property
    def _unlike(self) -> str:
        """Disagreement of the second solver, as text; empty if none."""
        other = self.confirmed
        if other is None or np.isnan(other.objective if self.terms else other.apart):
            return ""
        size = max(abs(self.objective), np.finfo(float).tiny)
        same = not self.terms or abs(other.objective - self.objective) <= AGREE * size
        if same:
            return ""
        factor, unit = display(self.objective_unit, self.scenario.units)
        found = f"{other.objective * factor:.7g} {unit}"
        return f"the second solver, {NAMES[other.kind]}, found the objective {found}"

    @property
    def verdict(self) -> str:
        """Return one sentence that states whether the optimum can be trusted, with the reasons."""
        if self.fight is not None and not self.interrupted:
            missed = ", ".join(f"{name} is at least {text}" for name, text in self.fight.missed)
            held = f", limited by {', '.join(self.fight.held_by)}" if self.fight.held_by else ""
            return f"Near the result, no values of the variables meet all constraints: {missed}{held}."
        against = list(self._against())
        if against:
            return f"The result is not reliable: {'; '.join(against)}."
        kind = (
            "the first-order optimality condition is satisfied"
            if self.terms
            else "the change of the variables is minimal"
        )
        met = f"The result is reliable: all constraints are met, {kind}"
        return f"{met}, and a separate flight gives the same values{self._agrees}."

    @property
    def _agrees(self) -> str:
        other = self.confirmed
        same = f"; {NAMES[other.kind]} finds the same optimum" if other is not None else ""
        return "" if other is None or other.why or self._unlike else same

    def _against(self) -> Iterator[str]:
        if self.interrupted:
            yield "the optimization was interrupted, and the result is the best so far"
        broken = [one.constraint.name for one in self.constraints if not one.kept]
        if broken:
            yield f"the result violates the constraints {', '.join(broken)}"
        elif not self.optimal and not self.interrupted:
            share = f"the residual of the optimality condition is {100 * self.residual:.2g} % of the gradient"
            yield f"the result is not an optimum yet: {share} ({self.message})"
        if not self.flies:
            yield "a separate flight of the scenario differs from the optimizer's flight"
        if self._unlike:
            yield self._unlike

    def save(self, path: str | Path) -> Path:
        """Write the scenario with the best values to a .toml file and return the path.

        Raises BadInput if the file cannot be written."""
        from ..presentation.files import save_scenario

        save_scenario(self.scenario, Path(path))
        return Path(path)

    def figures(self, units: str | None = None) -> Iterator[Figure]:
        """Return figures of the objective and of the worst constraint over the iterations."""
        from .figures import figures

        return figures(self, units or self.scenario.units)

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write tables and figures to one HTML file. Raises BadInput if the file cannot be written."""
        from .page import write

        return write(self, Path(path), units or self.scenario.units)
