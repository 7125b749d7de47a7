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
    """One iteration: its number; the objective in SI, or the change of the variables without one; the worst
    violation of a constraint, in tolerances and in SI; its name; and wall time [s]."""

    number: int
    objective: float
    worst: float
    beyond: float
    which: str
    seconds: float


@dataclass(frozen=True)
class Moved:
    """A variable: values at the start and at the optimum, in its unit. bound: "low" or "high" if active.
    multiplier: change of the objective per unit of that bound, in SI."""

    unknown: Unknown
    before: float
    now: float
    bound: str
    multiplier: float


@dataclass(frozen=True)
class Kept:
    """A constraint: values of its quantity at the start and at the optimum. `beyond`: violation, 0 if met;
    `tolerance`: of the violation. `active`: "min", "max" or "equals" if at its limit. `multiplier`: change of
    the objective per unit of that limit. All in SI, `unit`."""

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
        """Whether it is within its limits."""
        return self.beyond <= self.tolerance


@dataclass(frozen=True)
class Term:
    """A term of the objective: its values at the start and at the optimum [SI], `unit`."""

    term: Objective
    unit: str
    before: float
    now: float


@dataclass(frozen=True)
class Confirmed:
    """Result of the second solver: its name, the objective [SI], and the largest scaled difference of a
    variable.

    why: its message if it found no optimum, or the reason why it did not run."""

    kind: str
    objective: float = np.nan
    apart: float = np.nan
    why: str = ""


@dataclass(frozen=True)
class Collocated:
    """Collocation data.

    - `intervals`: of each phase.
    - `points`: of each interval.
    - `meshes`: number solved.
    - `error`: estimated for the last mesh, relative to the change of states.
    - `seen`: terms of the objective and constraints before the separate flight [SI].
    - variables, rows: size of the program."""

    intervals: tuple[int, ...]
    points: int
    meshes: int
    error: float
    seen: tuple[float, ...]
    variables: int
    rows: int


@dataclass(frozen=True)
class Fight:
    """Conflicting constraints: missed (name, violation as text), and held_by: the limits that prevent a
    solution."""

    missed: tuple[tuple[str, str], ...]
    held_by: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Optimum:
    """Result of an optimization.

    scenario: with the best values. residual: part of the gradient that active limits do not balance. again:
    the largest difference between the optimizer's flight and a separate flight, relative to the tolerances;
    NaN if not flown. sensitivities: input -> (derivative of the optimal objective, unit of the input), SI.
    checked: largest relative difference of a derivative from finite differences, with its names. seconds:
    wall time with compilation."""

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
        """Value of a variable at the optimum, in its own unit, or of a constraint's quantity, in SI."""
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
        """The objective at the optimum [SI], a weighted sum where there are several; not a number without."""
        sign = self.terms[0].term.sign if self.terms else np.nan
        return sum(sign * one.term.sign * one.term.weight * one.now for one in self.terms) or (
            np.nan if not self.terms else 0.0
        )

    @property
    def objective_unit(self) -> str:
        """SI unit of the objective, "1" of a sum of several units."""
        units = {one.unit for one in self.terms}
        return units.pop() if len(units) == 1 else "1"

    @property
    def feasible(self) -> bool:
        """Whether all constraints are met."""
        return all(one.kept for one in self.constraints)

    @property
    def optimal(self) -> bool:
        """Whether no step within the limits improves it, to first order."""
        return bool(self.residual <= OPTIMAL)

    @property
    def flies(self) -> bool:
        """Whether a separate flight of the scenario agrees with the optimizer's flight."""
        return bool(self.again <= 1.0)

    @property
    def trusted(self) -> bool:
        """Whether it meets all criteria of `verdict`."""
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
        """One sentence whether to trust the optimum."""
        if self.fight is not None and not self.interrupted:
            missed = ", ".join(f"{name} is at least {text}" for name, text in self.fight.missed)
            held = f", limited by {', '.join(self.fight.held_by)}" if self.fight.held_by else ""
            return f"No values of the variables near the result meet all constraints: {missed}{held}."
        against = list(self._against())
        if against:
            return f"Not to be trusted: {'; '.join(against)}."
        kind = "a minimum of the change of variables" if not self.terms else "an optimum to first order"
        met = f"To be trusted: all constraints are met, the result is {kind}"
        return f"{met}, and a separate flight confirms the result{self._agrees}."

    @property
    def _agrees(self) -> str:
        other = self.confirmed
        return "" if other is None or other.why or self._unlike else f", and {NAMES[other.kind]} agrees"

    def _against(self) -> Iterator[str]:
        if self.interrupted:
            yield "the optimization was interrupted, and the result is the best so far"
        broken = [one.constraint.name for one in self.constraints if not one.kept]
        if broken:
            yield f"the result violates the constraints {', '.join(broken)}"
        elif not self.optimal and not self.interrupted:
            share = f"active limits leave {100 * self.residual:.2g} % of the gradient unbalanced"
            yield f"the result is not an optimum yet: {share} ({self.message})"
        if not self.flies:
            yield "a separate flight of the scenario differs from the optimizer's flight"
        if self._unlike:
            yield self._unlike

    def save(self, path: str | Path) -> Path:
        """Write the scenario with the best values. Raises BadInput if the file cannot be written."""
        from .command import save_scenario

        save_scenario(self.scenario, Path(path))
        return Path(path)

    def figures(self, units: str | None = None) -> Iterator[Figure]:
        """Figures of the convergence."""
        from .figures import figures

        return figures(self, units or self.scenario.units)

    def report(self, path: str | Path, units: str | None = None) -> Path:
        """Write tables and figures as one HTML page. Raises BadInput if the file cannot be written."""
        from .page import write

        return write(self, Path(path), units or self.scenario.units)
