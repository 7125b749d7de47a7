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
"""Largest relative difference of the objectives, and largest scaled difference of the variables, for which
two solvers agree.
"""


@dataclass(frozen=True)
class Iterate:
    """One iteration of an optimization.

    - number: number of the iteration, starting at 1.
    - objective: objective in SI. For a study without an objective, the scaled change of the variables.
    - worst: largest constraint violation, divided by the tolerance of the constraint.
    - beyond: largest constraint violation in SI.
    - which: name of the constraint with this violation.
    - seconds: wall time since the start of the optimization [s].
    """

    number: int
    objective: float
    worst: float
    beyond: float
    which: str
    seconds: float


@dataclass(frozen=True)
class Moved:
    """Result for one variable of an optimization.

    - unknown: the variable.
    - before, now: start value and optimal value, in the unit of the variable.
    - bound: "low" or "high" if the optimal value is at this bound, otherwise "".
    - multiplier: change of the objective per unit change of this bound [SI].
    """

    unknown: Unknown
    before: float
    now: float
    bound: str
    multiplier: float


@dataclass(frozen=True)
class Kept:
    """Result for one constraint of an optimization, in SI.

    - constraint: the constraint.
    - unit: SI unit of the quantity.
    - before, now: the quantity for the start values and at the optimum.
    - beyond: violation of the limit; 0 if the limit is met.
    - tolerance: largest violation for which the limit counts as met.
    - active: "min", "max" or "equals" if the quantity is at this limit, otherwise "".
    - multiplier: change of the objective per unit change of this limit.
    """

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
    """Result for one term of the objective, in SI.

    - term: the term.
    - unit: SI unit of the quantity.
    - before, now: the quantity for the start values and at the optimum.
    """

    term: Objective
    unit: str
    before: float
    now: float


@dataclass(frozen=True)
class Confirmed:
    """Result of the second solver, which confirms the optimum.

    - kind: name of the solver.
    - objective: objective [SI].
    - apart: largest scaled difference of a variable from the result of the first solver.
    - why: reason why the solver found no optimum or did not run, otherwise "".
    """

    kind: str
    objective: float = np.nan
    apart: float = np.nan
    why: str = ""


@dataclass(frozen=True)
class Collocated:
    """Data of an optimization by collocation.

    - intervals: number of intervals in each phase.
    - points: number of points in each interval.
    - meshes: number of meshes that were solved.
    - error: estimated error of the equations of motion on the last mesh, relative to the change of the
      states.
    - seen: values of the objective terms and constraints from collocation, before the separate flight [SI].
    - variables, rows: number of variables, and number of equations and limits.
    """

    intervals: tuple[int, ...]
    points: int
    meshes: int
    error: float
    seen: tuple[float, ...]
    variables: int
    rows: int


@dataclass(frozen=True)
class Fight:
    """Constraints that cannot all be met at the same time.

    - missed: (name, violation as text) of each violated constraint.
    - held_by: names of the constraints and bounds that prevent a smaller violation.
    """

    missed: tuple[tuple[str, str], ...]
    held_by: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Optimum:
    """Result of an optimization.

    - scenario: the scenario with the best inputs.
    - study: the study.
    - variables, terms, constraints: results for the variables, the objective terms and the constraints.
    - history: the iterations.
    - residual: relative part of the objective's gradient that active limits do not balance; 0 at an optimum.
    - converged, message: whether the solver converged, and the message of the solver.
    - again: largest difference between the optimizer's flight and a separate flight, divided by the
      tolerance; NaN without a separate flight.
    - flights, differentiated: number of flights, and number of flights with derivatives.
    - seconds: wall time including compilation [s].
    - interrupted: whether the user interrupted the optimization.
    - confirmed: result of the second solver, or None.
    - fight: constraints that conflict, if no inputs meet all constraints.
    - sensitivities: for each input path, the derivative of the optimal objective [SI] and the unit of the
      input.
    - checked: largest relative difference between a derivative and its finite difference, and the name of the
      derivative.
    - notes: warnings.
    - collocated: data of the collocation, or None.
    """

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
        """Return the optimal value of a variable, in its unit, or the value of a constraint quantity, in SI.

        name: name of the variable or constraint. Raises KeyError for an unknown name.
        """
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
        """Return the objective at the optimum [SI]: the weighted sum of its terms. Return NaN without an
        objective.
        """
        sign = self.terms[0].term.sign if self.terms else np.nan
        return sum(sign * one.term.sign * one.term.weight * one.now for one in self.terms) or (
            np.nan if not self.terms else 0.0
        )

    @property
    def objective_unit(self) -> str:
        """Return the SI unit of the objective. The unit is "1" for a sum of terms with different units."""
        units = {one.unit for one in self.terms}
        return units.pop() if len(units) == 1 else "1"

    @property
    def feasible(self) -> bool:
        """Return whether all constraints are met."""
        return all(one.kept for one in self.constraints)

    @property
    def optimal(self) -> bool:
        """Return whether, to first order, no small change of the variables within the limits improves the
        objective.
        """
        return bool(self.residual <= OPTIMAL)

    @property
    def flies(self) -> bool:
        """Return whether a separate flight with the optimal inputs agrees with the flight of the
        optimizer.
        """
        return bool(self.again <= 1.0)

    @property
    def trusted(self) -> bool:
        """Return whether the result is reliable: it meets all criteria of `verdict`."""
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
        """Return one sentence that states whether the optimum is reliable, with the reasons."""
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
        """Write the scenario with the best inputs to a .toml file and return the path.

        Raises BadInput if the file cannot be written.
        """
        from ..presentation.files import save_scenario

        save_scenario(self.scenario, Path(path))
        return Path(path)

    def figures(self, units: str | None = None) -> Iterator[Figure]:
        """Return figures of the objective and of the largest constraint violation over the iterations.

        units: "SI" or "US". Default: the units of the scenario.
        """
        from .figures import figures

        return figures(self, units or self.scenario.units)

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write the tables and figures of the optimization to one HTML file and return its path.

        units: "SI" or "US". Default: the units of the scenario. Raises BadInput if the file cannot be
        written.
        """
        from .page import write

        return write(self, Path(path), units or self.scenario.units)
