"""Optimize by shooting: find the optimum, run a separate flight with it, and compute the Lagrange
multipliers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...model.user_class import unconfirmed_classes
from ...reading import loads
from ...record.requirements import value_of
from ...runs.short import one_study
from ...tree.errors import BadInput, Problem
from ...tree.sentences import sentence
from ...tree.units import display
from ..asked import unit_of
from . import resume as progress_file
from .checks import valid_variables
from .declared import OptimizationStudy, Variable
from .elastic import Elastic
from .flights import Flights, Flown
from .gaps import gaps
from .gaps import names as node_names
from .multipliers import ACTIVE, Multipliers, multipliers
from .nodes import cut_flights, flown_over, refuse_idle
from .problem import FlightProgram, Judged
from .restoration import restore
from .result import Confirmed, Fight, Iterate, Kept, Moved, Optimum, Term
from .solvers import missing, solver
from .solvers.contract import Ended, Stuck
from .stationary import OPTIMAL, residual_at
from .variables import Unknown, unknowns

PATIENCE = 6
"""Number of iterations without progress after which a solver is stopped. Progress is defined by a filter
(Nocedal and Wright, Numerical Optimization, 2nd ed., section 15.4).
"""
PROGRESS = 1e-3
"""Smallest relative reduction of the constraint violation that counts as progress. For the objective, the
solver's tolerance is used instead.
"""
RESTARTS = 3
"""Number of restarts of a solver that stopped early. The solver restarts at the same point without its
approximate second derivatives.
"""
FINER = 1e-3
"""Factor of the tolerance for an additional run of a solver that stopped early or without progress. If the
objective is flat around an optimum, the variables are accurate only to the square root of the tolerance.
"""
MOST_ELASTIC = 50
"""Largest number of iterations with slack variables."""
NO_CHANGE = "No variable changes the objective near the start values. All values are equally good."
FALLS = (
    "The objective is stationary at the best values, but not optimal, because the objective"
    " improves in both directions. Choose other start values."
)
GAVE_WAY = 1e-6
"""A limit counts as violated if its scaled violation exceeds this number."""


@one_study()
def optimize(
    scenario: Any,
    study: OptimizationStudy | Mapping[str, Any],
    told: Callable[[Iterate], None] = lambda _: None,
    progress: Path | None = None,
    resume: bool = False,
    check_derivatives: bool = False,
) -> Optimum:
    """Optimize the inputs of a scenario that a study declares, and return the optimum.

    - study: an `OptimizationStudy`, or a mapping with the keys of a study file.
    - `told`: function that is called with an `Iterate` after each iteration.
    - progress: path of the file in which the best values are saved after each iteration.
    - resume: whether the optimization starts from the values in the file `progress`.
    - check_derivatives: whether derivatives at the start values are compared with finite differences.

    After an interrupt (Ctrl-C), the function returns the best values so far. Raises BadInput with all
    problems before any flight, and if the flight with the start values fails.
    """
    clock = time.perf_counter()
    if isinstance(progress, bool):
        raise BadInput(Problem("progress", "progress must be the path of a file or None"))
    if not isinstance(study, OptimizationStudy):
        study = OptimizationStudy(**{"scenario": "", **study})
    if study.by_collocation:
        return _by_collocation(scenario, study, told, resume, check_derivatives)
    found = valid_variables(scenario, study)
    about = progress_file.fingerprint(scenario, study)
    names = [*(one.name for one in found), *node_names(study.nodes)]
    earlier: list[Iterate] = []
    start, states = found, None
    if resume and progress is not None:
        best, earlier = progress_file.read(progress, about, names)
        start = tuple(replace(one, start=float(x)) for one, x in zip(found, best))
        states = best[len(found) :]
    asked = [*study.objective, *study.constraints]
    flights = Flights(scenario, start, asked)
    refuse_idle(study.nodes, flights)
    first = flights.at(flights.start)
    if not first.fine:
        raise BadInput(
            Problem(
                "",
                f"the flight with the start values failed: {sentence(first.why)} Choose other start values",
            )
        )
    program = FlightProgram(flights, study.objective, study.constraints, study.solver.tolerance)
    kept = None if progress is None else progress_file.Progress(progress, about, names)

    def note(course: Course) -> None:
        if kept is not None:
            best = course.best.x
            if len(best) < len(names):
                best = np.concatenate([best, flown_over(flights, best, study.nodes)])
            kept.save(best, course.history)
        told(course.history[-1])

    course = Course(program, first, earlier, clock, note)
    was_checked = _derivative_check(program, first) if check_derivatives else None
    if study.nodes:
        ended, interrupted = _by_nodes(program, study, course, note, states)
    else:
        ended, interrupted = _solve(program, study, course)
    whole = _Whole(scenario, study, program, course, ended, interrupted)
    optimum = replace(whole.optimum(first, found), checked=was_checked, seconds=time.perf_counter() - clock)
    if kept is not None and optimum.trusted:
        kept.finish()
    elif kept is not None:
        optimum = replace(optimum, notes=(*optimum.notes, *kept.notes))
    return optimum


def _by_nodes(
    program: FlightProgram, study: OptimizationStudy, course: Course, noted: Any, states: np.ndarray | None
) -> tuple[Ended, bool]:
    """As `_solved`, by multiple shooting. The result is flown as one mission; if that violates constraints,
    single shooting continues. states: motion at the nodes. Default: as in the flight."""
    whole = program.flights
    if states is None:
        states = flown_over(whole, whole.start, study.nodes)
    flights = cut_flights(
        whole, program.unknowns, [*study.objective, *study.constraints], study.nodes, states
    )
    rows: Any = [*study.constraints, *gaps(study.nodes)]
    parts = FlightProgram(flights, study.objective, rows, study.solver.tolerance)
    own = Course(parts, flights.at(flights.start), course.history, course.clock, noted)
    ended, interrupted = _solve(parts, study, own)
    course.history[:] = own.history
    flown = whole.at(own.best.x[: len(program.unknowns)])
    judged = program.evaluate_flight(flown)
    if judged.better(course.worth, program.sign):
        course.best, course.worth = flown, judged
    kept = course.best is flown and judged.worst <= 1.0
    if not kept and not interrupted:
        ended, interrupted = _solve(program, study, course)
    whole.flown += flights.flown
    whole.differentiated += flights.differentiated
    return ended, interrupted


def _by_collocation(scenario: Any, study: OptimizationStudy, told: Any, resume: bool, check: bool) -> Optimum:
    from .collocation.checks import problems
    from .collocation.control import find_controls
    from .collocation.run import collocate

    found: list[Problem] = []
    unknown, controls = (), ()
    try:
        unknown = valid_variables(scenario, study)
    except BadInput as error:
        found += error.problems
    found += problems(scenario, study)
    try:
        controls = find_controls(scenario, study.controls)
    except BadInput as error:
        found += error.problems
    if resume:
        text = "an optimization by collocation saves no progress. Run the command without --resume"
        found.append(Problem("", text))
    if found:
        raise BadInput(dict.fromkeys(found))
    return collocate(scenario, study, unknown, controls, told, check)


class Course:
    """Progress of an optimization: the best flight so far, its evaluation, and the history."""

    def __init__(
        self,
        program: FlightProgram,
        first: Flown,
        earlier: Sequence[Iterate],
        clock: float,
        noted: Callable[[Course], None],
    ) -> None:
        self.program, self.best, self.clock = program, first, clock
        self.worth = program.evaluate_flight(first)
        self.history = list(earlier)
        self._noted = noted
        self.note_begin(program.tolerance)

    def note_begin(self, tolerance: float) -> None:
        """Record that a solver starts with a tolerance. The new tolerance resets the check for progress."""
        self._tolerance = tolerance
        self._seen: list[Judged] = []
        self._waited = 0

    def note_iteration(self, x: np.ndarray) -> None:
        """Record an iteration at a scaled point x (variables,). Raises `Stuck` after too many iterations
        without progress.
        """
        flown = self.program.at(x)
        judged = self.program.evaluate_flight(flown)
        if judged.better(self.worth, self.program.sign):
            self.best, self.worth = flown, judged
        self.history.append(self._iterate(judged))
        self._noted(self)
        if self._has_progress(judged):
            self._seen.append(judged)
            self._waited = 0
        elif self._waited < PATIENCE:
            self._waited += 1
        else:
            raise Stuck(f"the solver made no progress in {PATIENCE} iterations")

    def _has_progress(self, judged: Judged) -> bool:
        """Whether none of the iterations before had both constraints and objective as good or nearly so: a
        solver that goes along bent constraints leaves them a little, and comes back."""
        if not np.isfinite(judged.worst):
            return False
        sign, least = self.program.sign, self._tolerance * self.program.size
        return all(
            max(judged.worst, 1.0) < (1 - PROGRESS) * one.worst
            or sign * (one.objective - judged.objective) > least
            for one in self._seen
        )

    def _iterate(self, judged: Judged) -> Iterate:
        which = self.program.rows[judged.which].name if judged.which >= 0 else ""
        number = self.history[-1].number + 1 if self.history else 1
        seconds = time.perf_counter() - self.clock
        return Iterate(number, judged.objective, judged.worst, judged.beyond, which, seconds)

    @property
    def point(self) -> np.ndarray:
        """Return the best point so far, in scaled variables (variables,)."""
        return self.best.x / self.program.scale


def _solve(program: FlightProgram, study: OptimizationStudy, course: Course) -> tuple[Ended, bool]:
    """Result of the solver, and whether the user interrupted it."""
    ended, tolerance = Ended(program.start, False, "interrupted"), program.tolerance
    try:
        for _ in range(1 + RESTARTS):
            before, feasible = course.worth, course.worth.worst <= 1.0
            left = study.solver.iterations - len(course.history)
            if left <= 0:
                break
            ended = _run_solver(program, study.solver.kind, course, left, tolerance)
            better = course.worth.better(before, program.sign)
            at_end = ended.converged or (feasible and not better)
            if at_end and tolerance == program.tolerance and not _stationary(program, course):
                tolerance *= FINER
            elif ended.converged or not better:
                break
    except KeyboardInterrupt:
        return ended, True
    return ended, False


def _stationary(program: FlightProgram, course: Course) -> bool:
    """Whether the best is an optimum to first order, or misses constraints."""
    if course.worth.worst > 1.0:
        return True
    try:
        return residual_at(program, multipliers(program, course.point), course.point) <= OPTIMAL
    except Stuck:
        return True


def _run_solver(
    program: FlightProgram, kind: str, course: Course, iterations: int, tolerance: float
) -> Ended:
    course.note_begin(tolerance)
    try:
        before = len(course.history)
        begin = restore(program, program.off_stationary(course.point), course.note_iteration)
        left = max(1, iterations - (len(course.history) - before))
        ended = solver(kind)(program, begin, tolerance, left, course.note_iteration)
    except Stuck as error:
        return Ended(course.point, False, str(error))
    flown = program.at(ended.x)
    judged = program.evaluate_flight(flown)
    if judged.better(course.worth, program.sign):
        course.best, course.worth = flown, judged
    return ended


def _derivative_check(program: FlightProgram, flown: Flown) -> tuple[float, str] | None:
    """(largest difference of a derivative from finite differences, relative to the largest of its quantity;
    its name). None if no neighbouring flight succeeds."""
    flights = program.flights
    exact = flights.jacobian(flown) * program.scale
    apart = np.abs(exact - flights.differences(flown.x) * program.scale)
    size = np.maximum(np.max(np.abs(exact), axis=1, keepdims=True), np.finfo(float).tiny)
    if np.isnan(apart).all():
        return None
    row, column = np.unravel_index(np.nanargmax(apart / size), apart.shape)
    output = f"{flights.outputs[row].quantity} {flights.outputs[row].where}"
    name = f"{output} with respect to {flights.unknowns[column].name}"
    return float((apart / size)[row, column]), name


@dataclass
class _Whole:
    """Builds the result from the best point after a solver has ended."""

    scenario: Any
    study: OptimizationStudy
    program: FlightProgram
    course: Course
    ended: Ended
    interrupted: bool

    def optimum(self, first: Flown, found: Sequence[Unknown]) -> Optimum:
        program, course, study = self.program, self.course, self.study
        self.notes = [NO_CHANGE] if program.flat else []
        best, point = course.best, course.point
        fight = confirmed = None
        if not self.interrupted:
            try:
                if course.worth.worst > 1.0:
                    fight = self._fight(point)
                    best, point = course.best, course.point
                elif study.solver.confirm:
                    confirmed = self._confirmation()
            except KeyboardInterrupt:
                self.notes.append(
                    "The optimization was interrupted after its solver ended. Some requested results are"
                    " missing."
                )
        prices = self._multipliers(point)
        residual = self._residual(prices, point)
        changed = program.flights.scenario_at(best.x)
        return Optimum(
            scenario=changed,
            study=study,
            variables=tuple(self._variable_result(k, one, best, prices) for k, one in enumerate(found)),
            terms=tuple(
                Term(one, unit_of(self.scenario, one.quantity), float(first.values[k]), float(best.values[k]))
                for k, one in enumerate(study.objective)
            ),
            constraints=tuple(
                self._constraint_result(k, first, best, prices) for k in range(len(study.constraints))
            ),
            history=tuple(course.history),
            residual=residual,
            converged=self.ended.converged,
            message=self.ended.message,
            again=self._again(changed, best),
            flights=program.flights.flown,
            differentiated=program.flights.differentiated,
            seconds=np.nan,
            interrupted=self.interrupted,
            confirmed=confirmed,
            fight=fight,
            sensitivities=self._sensitivities(best, prices),
            notes=tuple(self.notes),
        )

    def _fight(self, point: np.ndarray) -> Fight | None:
        """The conflicting constraints; sets the best point to the one with the least violation."""
        program, course = self.program, self.course
        found = _least_missed(program, point)
        if found is None:
            return None
        elastic, x = found
        nearest = program.at(x[: elastic.count])
        least, best = (
            np.sum(program.beyond(flown) / program.sizes) if flown.fine else np.inf
            for flown in (nearest, course.best)
        )
        if least < best:
            course.best, course.worth = nearest, program.evaluate_flight(nearest)
        try:
            return _fight(program, elastic, x)
        except Stuck:
            return None

    def _multipliers(self, point: np.ndarray) -> Multipliers:
        try:
            return multipliers(self.program, point)
        except KeyboardInterrupt:
            self.interrupted = True
        except Stuck as error:
            self.notes.append(f"The multipliers of the constraints are unknown: {sentence(error)}")
        return Multipliers(np.zeros(len(self.program.rows)), np.zeros(len(point)), np.inf, 0.0)

    def _residual(self, prices: Multipliers, point: np.ndarray) -> float:
        if not np.isfinite(prices.left) or self.interrupted:
            return np.inf
        try:
            residual = residual_at(self.program, prices, point)
        except KeyboardInterrupt:
            self.interrupted = True
            return np.inf
        if np.isinf(residual):
            self.notes.append(FALLS)
        return residual

    @property
    def _objective_factor(self) -> float:
        """Factor from the scaled objective to the objective in SI."""
        return self.program.sign * self.program.size if self.program.terms else np.nan

    def _variable_result(self, k: int, one: Unknown, best: Flown, prices: Multipliers) -> Moved:
        bound = one.at_bound(best.x[k], ACTIVE)
        price = prices.bounds[k] * self._objective_factor / one.scale if bound else 0.0
        return Moved(one, one.start, float(best.x[k]), bound, float(price))

    def _constraint_result(self, k: int, first: Flown, best: Flown, prices: Multipliers) -> Kept:
        one, program = self.study.constraints[k], self.program
        row = len(program.terms) + k
        now, (low, high), size = float(best.values[row]), program.limits[k], program.sizes[k]
        at_low, at_high = now - low <= ACTIVE * size, high - now <= ACTIVE * size
        active = "equals" if low == high else "min" if at_low else "max" if at_high else ""
        return Kept(
            one,
            unit_of(self.scenario, one.quantity),
            float(first.values[row]),
            now,
            float(program.beyond(best)[k]),
            float(program.tolerances[k]),
            active,
            float(prices.rows[k] * self._objective_factor / size),
        )

    def _again(self, changed: Any, best: Flown) -> float:
        """Difference between a separate flight of the scenario, read from its text, and the optimizer's
        flight."""
        program = self.program
        try:
            alone = loads(changed.to_toml(), trust=not unconfirmed_classes(changed))
            record = alone.run(progress=False).record
        except (BadInput, KeyboardInterrupt):
            return np.nan
        values = np.array([value_of(record, one) for one in program.flights.outputs])
        sizes = np.concatenate([np.full(len(program.terms), np.inf), program.tolerances])
        for k, weight in enumerate(program.weights):
            sizes[k] = OPTIMAL * max(abs(best.values[k]), program.size / abs(weight))
        return float(np.max(np.abs(values - best.values) / sizes, initial=0.0))

    def _confirmation(self) -> Confirmed:
        """Result of the second solver from the same start."""
        kind = self.study.solver.confirm
        assert kind is not None
        why = missing(kind)
        if why:
            self.notes.append(f"The second solver does not confirm the optimum: {sentence(why)}")
            return Confirmed(kind, why=why)
        program = self.program
        first = program.at(program.start)
        other = Course(program, first, (), self.course.clock, lambda _: None)
        ended = _run_solver(program, kind, other, self.study.solver.iterations, program.tolerance)
        if other.worth.worst > 1.0:
            return Confirmed(kind, why=ended.message)
        apart = np.max(np.abs(other.point - self.course.point), initial=0.0)
        return Confirmed(kind, program.total(other.best), float(apart))

    def _sensitivities(self, best: Flown, prices: Multipliers) -> dict[str, tuple[float, str]]:
        """Derivatives of the optimum: of the objective less those of the active limits at their prices."""
        study, program = self.study, self.program
        if not study.sensitivities or not study.objective or self.interrupted:
            return {}
        changed = program.flights.scenario_at(best.x)
        named = [Variable(name=path, path=path) for path in study.sensitivities]
        more = unknowns(changed, named)
        flights = Flights(changed, more, program.flights.outputs, times=1)
        slopes = flights.jacobian(flights.at(flights.start))
        count = len(program.terms)
        rows = prices.rows / program.sizes * program.size
        total = program.sign * (program.weights @ slopes[:count] - rows @ slopes[count:])
        return {one.name: (float(value), one.unit) for one, value in zip(more, total)}


def _least_missed(program: FlightProgram, point: np.ndarray) -> tuple[Elastic, np.ndarray] | None:
    """The program with slacks, and its solution; None if flights fail."""
    elastic = Elastic(program, point)
    try:
        ended = solver("slsqp")(elastic, elastic.start, program.tolerance, MOST_ELASTIC, lambda _: None)
    except Stuck:
        return None
    return elastic, ended.x


def _fight(program: FlightProgram, elastic: Elastic, point: np.ndarray) -> Fight | None:
    """The conflicting constraints of a solution with slacks."""
    x, slacks = point[: elastic.count], point[elastic.count :]
    below, above = np.split(slacks, 2)
    units = program.flights.scenario.units
    missed = []
    for one, size, low, high in zip(program.rows, program.sizes, below, above):
        if max(low, high) > GAVE_WAY:
            factor, unit = display(unit_of(program.flights.scenario, one.quantity), units)
            text = f"{max(low, high) * size * factor:.4g} {unit} too {'low' if low > high else 'high'}"
            missed.append((one.name, text.replace(" 1 too", " too")))
    if not missed:
        return None
    prices = multipliers(elastic, point)
    gone = {name for name, _ in missed}
    priced = [one.name for one, price in zip(program.rows, prices.rows) if abs(price) > GAVE_WAY]
    held = [name for name in priced if name not in gone]
    for one, value, price in zip(program.unknowns, program.values(x), prices.bounds):
        end = one.at_bound(value, ACTIVE)
        if end and abs(price) > GAVE_WAY:
            held.append(f"{one.name} at its {end} bound, {one.value_text(value, units)}")
    return Fight(tuple(missed), tuple(held))
