"""Optimize by collocation: create a mesh, solve the program, refine the mesh, and run a flight with the
optimum.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from ....maths.arrays import jax
from ....model.user_class import unconfirmed_classes
from ....observation.observation import outcome
from ....reading import loads
from ....record.requirements import value_of
from ....runs.run import Flown, resolve_scenario
from ....sensitivities.pushed import Output, Pushed
from ....tree.errors import BadInput, Problem
from ....tree.sentences import sentence
from ...asked import unit_of
from ..declared import Constraint, OptimizationStudy
from ..multipliers import multipliers
from ..result import Collocated, Confirmed, Iterate, Kept, Moved, Optimum, Term
from ..solvers import missing, solver
from ..solvers.contract import Ended, Stuck
from ..stationary import OPTIMAL
from ..variables import Unknown, scenario_with
from .arcs import Arcs
from .checks import met_with
from .control import Steered
from .refinement import Judged, estimate_errors, interpolate, refine_mesh
from .transcribed import Guess, Mesh, Row, Transcribed

KEPT = 10.0
"""Default tolerance of a constraint, in mesh tolerances times the scale of the quantity. The tolerance is
above 1, because the errors of intervals accumulate along the flight.
"""
ACTIVE = 1e-6
"""Scaled distance up to which a variable counts as at its bound."""
CLOSER = 0.1
"""Factor by which the required error of the mesh is reduced if a flight does not yet agree with the
collocation solution.
"""
SAME = 1e-6
"""Relative difference up to which the rates with a control table and the rates with the control value count
as equal.
"""
LEAST = 1e-12
"""Smallest reference magnitude of rates [SI] for relative differences. This magnitude is used if the rates
are zero."""


def collocate(
    scenario: Any,
    study: OptimizationStudy,
    found: Sequence[Unknown],
    controls: Sequence[Steered],
    told: Callable[[Iterate], None],
    check: bool,
) -> Optimum:
    """Return the optimum of a study by collocation. The search starts with the flight for the start values.

    - found, controls: variables and controls of the study.
    - `told`: function that is called with an `Iterate` after each iteration.
    - check: whether derivatives are compared with finite differences.
    """
    clock = time.perf_counter()
    begun = scenario_with(scenario, found, np.array([one.start for one in found])) if found else scenario
    for one in controls:
        begun = one.with_more_points(begun)
    course = _Course(begun, study, found, controls, told, clock)
    interrupted = course.solve()
    return course.optimum(scenario, interrupted, course.check_derivatives() if check else None)


@dataclass
class _Solved:
    """A solution on one mesh."""

    program: Transcribed
    ended: Ended
    judged: Judged


class _Course:
    """State of the optimization over the meshes."""

    def __init__(self, scenario, study, found, controls, told, clock) -> None:
        self.scenario, self.study, self.found, self.controls = scenario, study, tuple(found), tuple(controls)
        self.told, self.clock = told, clock
        self.history: list[Iterate] = []
        self.notes: list[str] = []
        self.along = list(dict.fromkeys(one.quantity for one in self._outputs if one.take is not None))
        self.placed = list(dict.fromkeys(one.quantity for one in self._outputs if one.take is None))
        self.arcs = Arcs(resolve_scenario(scenario), controls, found, self.along, self.placed)
        self.first, self.first_values = _flown(scenario, self._outputs)
        self.arcs.met = met_with(self.first.track, self.arcs.table, self.arcs.ends)
        ended, completed = outcome(self.first.cursor, False, self.arcs.table)
        if not completed:
            raise BadInput(
                Problem("", f"the flight with the start values failed: {ended} Choose other start values")
            )
        self.names = [phase.name for phase in scenario.phases]
        self.mesh = Mesh(
            tuple(np.linspace(0.0, 1.0, study.mesh.intervals + 1) for _ in self.names), study.mesh.points
        )
        self.guess = self._guess(self.mesh)
        self.begin = self.guess
        self._over_time()
        self.sizes = self._sizes()
        self.solved: _Solved | None = None
        self.meshes = 0
        self._flights: dict[str, np.ndarray] = {}

    # --- from the first flight

    def _guess(self, mesh: Mesh) -> Guess:
        """The first flight at the nodes of a mesh."""
        track = self.first.track
        mechanism = self.first.program.mechanism(
            self.first.program.form(self.first.scenario), 0, self.first.first.reference
        )
        phase, t0 = np.asarray(track.discrete.phase), float(self.first.first.time)
        times, states = [t0], []
        for p in range(len(self.names)):
            rows = np.flatnonzero(phase == p)
            if not rows.size:
                raise BadInput(
                    Problem(
                        f"phases.{self.names[p]}",
                        "the phase has no duration with the start values. Choose other start values",
                    )
                )
            t = np.append(track.t[rows], track.t_end[rows[-1]])
            x = np.concatenate([track.x[rows], track.x_end[rows[-1:]]])
            keep = np.concatenate([[True], np.diff(t) > 1e-12 * max(abs(t[-1]), 1.0)])
            own = np.array([_state(mechanism, one, self.arcs.layout.extra) for one in x[keep]]).T
            times.append(float(t[-1]))
            if not times[-1] > times[-2]:
                raise BadInput(
                    Problem(
                        f"phases.{self.names[p]}",
                        "the phase has no duration with the start values. Choose other start values",
                    )
                )
            at = times[-2] + mesh.fractions(p) * (times[-1] - times[-2])
            states.append(CubicSpline(t[keep], own, axis=1)(at))
        values = np.array([one.start for one in self.found])
        own = [one.own(self.scenario, self._knots(one, mesh, np.array(times))) for one in self.controls]
        return Guess(states, own, np.array(times), values)

    def _knots(self, one: Steered, mesh: Mesh, times: np.ndarray) -> np.ndarray:
        """Times of the points of a control since its first phase began."""
        parts = [times[p] + mesh.breaks[p] * (times[p + 1] - times[p]) for p in one.phases]
        return np.concatenate([*(part[:-1] for part in parts), parts[-1][-1:]]) - times[one.phases[0]]

    def _over_time(self) -> None:
        """Raise BadInput for controls whose tables do not use the time since their first phase began: the
        rates with a slanting table must be those with its values as controls."""
        guess, mesh, begun = self.guess, self.mesh, []
        for one in self.controls:
            some = 0.7 * one.low + 0.3 * one.high, 0.4 * one.low + 0.6 * one.high
            begun.append(np.linspace(*some, len(self._knots(one, mesh, guess.times))))
        program = self._program(mesh, Guess(guess.states, begun, guess.times, guess.values), None)
        some = np.concatenate([program.ends_in([p])[1:-1] for p in range(len(self.names))])
        nodes, phase = program.nodes_at(program.start).some(some), np.asarray(self.first.track.discrete.phase)
        rows = [np.flatnonzero(phase == p)[-1] for p in range(len(self.names))]
        discrete = [jax.tree.map(lambda leaf, row=row: leaf[row], self.first.track.discrete) for row in rows]
        switched = self.arcs.switched_as(discrete, guess.times, self.first.first.reference)
        its, found = self.arcs.rates_here(nodes, switched), []
        for k, (one, values) in enumerate(zip(self.controls, begun, strict=True)):
            slanting = one.with_points(self.arcs.scenario, self._knots(one, mesh, guess.times), values)
            others = [*self.controls[:k], *self.controls[k + 1 :]]
            flown = Arcs(slanting, others, self.found, (), (), self.arcs.packing)
            rate = flown.rates_here(nodes._replace(controls=np.delete(nodes.controls, k, 0)), switched)
            every = ((p, nodes.phase == p) for p in range(len(self.names)))
            other = next((p for p, own in every if not same_rates(its[:, own], rate[:, own])), None)
            if other is not None:
                found.append(Problem(f"controls.{one.name}", self._time_base_message(one, other)))
        if found:
            raise BadInput(found)

    def _time_base_message(self, one: Steered, p: int) -> str:
        """Message for a table that is not flown as a control in a phase, with the fix."""
        first, law = self.names[one.phases[0]], one.path.rpartition(".")[0]
        text = (
            f"in phase {self.names[p]}, the table {one.path} does not count the time from the start of"
            f" phase {first}, where the control begins"
        )
        return (
            f"{text}. Set {law}.since = \"{first}\", or begin 'during' with the phase from which {law} counts"
        )

    # --- the program

    def _place(self, one: Any) -> tuple[int, int]:
        """Phase and node of a requested quantity."""
        if one.at == "start":
            return 0, 0
        if one.at == "end":
            return len(self.names) - 1, -1
        k = self.names.index(one.at)
        return (k, 0) if one.side == "after" or k == 0 else (k - 1, -1)

    def _sizes(self) -> dict[str, float]:
        """Change of each quantity over the first flight."""
        n, sizes = self.arcs.size, {}
        program = self._program(self.mesh, self.guess, None)
        found = program._evaluate(program.start)
        asked = self.arcs.quantities_at(found.nodes, found.switched).value
        rows = [*found.local.value[2 * n : -1], *asked]
        for name, own in zip([*self.along, *self.placed], rows, strict=True):
            own = own[np.isfinite(own)]
            span = float(np.ptp(own)) if own.size else 0.0
            sizes[name] = span or float(np.max(np.abs(own), initial=0.0)) or 1.0
        return sizes

    def _rows(self, sizes: dict[str, float] | None) -> list[Row]:
        rows = []
        for one in self.study.constraints:
            low, high = _limits(one)
            size = 1.0 if sizes is None else sizes[one.quantity]
            size = max([size, *(1e-3 * abs(v) for v in (low, high) if np.isfinite(v))])
            if one.take is None:
                rows.append(Row(self.placed.index(one.quantity), low, high, size, self._place(one)))
                continue
            phases = tuple(p for p, name in enumerate(self.names) if one.during in (None, name))
            if one.take == "largest":
                low = -high
            rows.append(Row(self.along.index(one.quantity), low, high, size, None, phases))
        return rows

    def _program(self, mesh: Mesh, guess: Guess, sizes: dict[str, float] | None) -> Transcribed:
        terms = [
            (self.placed.index(one.quantity), one.sign * one.weight, self._place(one))
            for one in self.study.objective
        ]
        return Transcribed(self.arcs, mesh, guess, self._rows(sizes), terms)

    def tolerances(self) -> list[float]:
        """How far beyond its limits each constraint counts as kept [SI]."""
        own = KEPT * self.study.mesh.tolerance
        given = [one.tolerance for one in self.study.constraints]
        return [
            own * row.size if t is None else float(t.magnitude)
            for t, row in zip(given, self._rows(self.sizes), strict=True)
        ]

    # --- from mesh to mesh

    def solve(self) -> bool:
        """Solve on finer and finer meshes; returns whether the user interrupted it."""
        mesh, guess, before, goal = self.mesh, self.guess, np.nan, self.study.mesh.tolerance
        asked, free = self.study.mesh, {p for one in self.controls for p in one.phases}
        span = sum(abs(one.weight) * self.sizes[one.quantity] for one in self.study.objective)
        try:
            for k in range(asked.refinements + 1):
                program = self._program(mesh, guess, self.sizes)
                program.near = self.solved is not None
                ended = self._run_solver(program, self.study.kind)
                self.meshes = k + 1
                if not ended.converged and self.solved is not None:
                    self.notes.append(
                        f"The solver found no optimum on a finer mesh: {sentence(ended.message)}"
                    )
                    return False
                found = estimate_errors(program, ended.x, self.tolerances())
                self.solved = _Solved(program, ended, found)
                if not ended.converged:
                    return False
                total = program.values(ended.x)[1]
                settled = abs(total - before) <= asked.tolerance * span
                fine = found.error <= goal and found.beyond <= 1.0
                if settled and fine:
                    if self._flies(program, ended.x):
                        return False
                    goal *= CLOSER
                mesh = refine_mesh(program, found, goal, fine and not settled, free)
                if sum(len(one) - 1 for one in mesh.breaks) > asked.most or k == asked.refinements:
                    self.notes.append(self._mesh_limit_note(found, abs(total - before) / span))
                    return False
                guess, before = interpolate(program, ended.x, mesh), total
        except KeyboardInterrupt:
            return True
        return False

    def _flies(self, program: Transcribed, x: np.ndarray) -> bool:
        """Whether a separate flight of the optimum agrees with collocation."""
        try:
            flown = self._again(self._with_guess(program.unpack(x)))
        except BadInput:
            return True  # reported at the end
        return bool(
            np.max(np.abs(flown - self._collocation_values(program, x)) / self._within(program, x)) <= 1.0
        )

    @property
    def _outputs(self) -> list[Any]:
        return [*self.study.objective, *self.study.constraints]

    def _within(self, program: Transcribed, x: np.ndarray) -> np.ndarray:
        """Tolerances between flown values and values of collocation [SI]."""
        seen = self._collocation_values(program, x)
        sizes = [
            max(abs(v), self.sizes[one.quantity]) * OPTIMAL for v, one in zip(seen, self.study.objective)
        ]
        return np.array(sizes + self.tolerances())

    def _mesh_limit_note(self, found: Judged, change: float) -> str:
        """Note on an optimization that ends at the limit of the mesh."""
        wanted = self.study.mesh.tolerance
        text = f"The mesh reached its limit. The relative equation error is {found.error:.2g}."
        text = (
            f"{text} In the last mesh refinement, the objective changed by {change:.2g} of its range."
            f" The tolerance of the equation error and of this change is {wanted:g}."
        )
        return f"{text} Increase mesh.most or mesh.refinements."

    def _run_solver(self, program: Transcribed, kind: str) -> Ended:
        """Where a solver ended."""

        def iterate(x: np.ndarray) -> None:
            rows, total = program.values(x)
            low, high = program.row_low, program.row_high
            worst = (
                float(np.max(np.maximum(low - rows, rows - high), initial=0.0)) / self.study.solver.tolerance
            )
            sign = self.study.objective[0].sign
            seconds = time.perf_counter() - self.clock
            self.history.append(Iterate(len(self.history) + 1, sign * total, worst, 0.0, "", seconds))
            self.told(self.history[-1])

        limit = self.study.solver.iterations
        try:
            ended = solver(kind)(program, program.start, self.study.solver.tolerance, limit, iterate)
            if ended.prices is None and ended.converged:
                ended = ended._replace(prices=-multipliers(program, ended.x).rows)
            return ended
        except Stuck as error:
            return Ended(program.start, False, str(error))

    def check_derivatives(self) -> tuple[float, str]:
        """The largest difference of a derivative at the start from one by differences, as a part of the
        largest in its row."""
        program, step = self._program(self.mesh, self.begin, self.sizes), 1e-6
        x, worst, name = program.start, 0.0, "a state"
        exact = program.jacobian(x)
        size = np.maximum(np.max(np.abs(exact), axis=1), np.finfo(float).tiny)
        some = np.unique(np.linspace(0, program.count - 1, 60).astype(int))
        for k in some:
            unit = step * np.eye(program.count)[k]
            apart = np.abs(
                (program.constraints(x + unit) - program.constraints(x - unit)) / (2 * step) - exact[:, k]
            )
            if np.max(apart / size) > worst:
                worst, name = float(np.max(apart / size)), f"variable {k} of {program.count}"
        return worst, name

    # --- the report

    def optimum(self, scenario: Any, interrupted: bool, was_checked: Any) -> Optimum:
        """The optimum, with a separate flight."""
        solved = self.solved
        if solved is None:
            raise KeyboardInterrupt
        program, ended = solved.program, solved.ended
        guess = program.unpack(ended.x)
        guess.values[:] = np.clip(guess.values, *_bounds(self.found))
        changed = self._with_guess(guess)
        seen = self._collocation_values(program, ended.x)
        flown, first = self._again(changed), self.first_values
        count, tolerances = len(self.study.objective), self.tolerances()
        prices = self._prices(program, ended)
        apart = np.abs(flown - seen) / self._within(program, ended.x)
        again = float(np.max(apart)) if np.isfinite(flown).all() else np.nan
        shown = np.where(np.isfinite(flown), flown, seen)
        confirmed = self._confirmation(program, ended, interrupted)
        return Optimum(
            scenario=changed,
            study=self.study,
            variables=tuple(
                self._variable_result(k, one, guess, program, ended) for k, one in enumerate(self.found)
            ),
            terms=tuple(
                Term(one, unit_of(scenario, one.quantity), float(first[k]), float(shown[k]))
                for k, one in enumerate(self.study.objective)
            ),
            constraints=tuple(
                self._constraint_result(k, one, first[count + k], shown[count + k], tolerances[k], prices[k])
                for k, one in enumerate(self.study.constraints)
            ),
            history=tuple(self.history),
            residual=self._residual(program, ended),
            converged=ended.converged,
            message=ended.message,
            again=again,
            flights=2,
            differentiated=0,
            seconds=time.perf_counter() - self.clock,
            interrupted=interrupted,
            confirmed=confirmed,
            checked=was_checked,
            notes=tuple(self.notes),
            collocated=Collocated(
                tuple(len(one) - 1 for one in program.mesh.breaks), program.mesh.points, self.meshes,
                solved.judged.error, tuple(map(float, seen)), program.count, len(program.row_low),
            ),
        )  # fmt: skip

    def _with_guess(self, guess: Guess) -> Any:
        """The scenario with the optimum. Raises BadInput if it is not valid."""
        changed, mesh = self.scenario, self.solved.program.mesh if self.solved else self.mesh
        for one, values in zip(self.controls, guess.controls, strict=True):
            times = self._knots(one, mesh, guess.times)
            keep = np.concatenate([[True], np.diff(times) > 1e-9 * max(times[-1], 1e-9)])
            changed = one.with_more_points(one.with_points(changed, times[keep], values[keep]))
        again = loads(changed.to_toml(), trust=not unconfirmed_classes(changed))
        return scenario_with(again, self.found, guess.values) if self.found else again

    def _collocation_values(self, program: Transcribed, x: np.ndarray) -> np.ndarray:
        """Terms of the objective and constraints from collocation [SI]."""
        n, found = self.arcs.size, program._evaluate(x)
        values = []
        for one in self._outputs:
            if one.take is None:
                which = self.placed.index(one.quantity)
                values.append(program.asked_at(found, which, self._place(one)))
                continue
            which = self.along.index(one.quantity)
            phases = [p for p, name in enumerate(self.names) if one.during in (None, name)]
            every = found.local.value[2 * n + which, np.isin(program.phase_of, phases)]
            values.append(
                {"max": np.max, "min": np.min, "largest": lambda v: v[np.argmax(np.abs(v))]}[one.take](every)
            )
        return np.array(values, float)

    def _again(self, changed: Any) -> np.ndarray:
        """The same from a separate flight of the scenario, read from its text."""
        text = changed.to_toml()
        if text not in self._flights:
            try:
                self._flights = {
                    text: _flown(loads(text, trust=not unconfirmed_classes(changed)), self._outputs)[1]
                }
            except (BadInput, KeyboardInterrupt):
                return np.full(len(self._outputs), np.nan)
        return self._flights[text]

    def _prices(self, program: Transcribed, ended: Ended) -> list[float]:
        """Multipliers: change of the objective per unit of the limit of each constraint [SI]."""
        sign = self.study.objective[0].sign
        if ended.prices is None:
            return [np.nan] * len(program.rows_asked)
        return [
            float(-np.sum(ended.prices[places]) * program.size * sign / row.size)
            for row, places in zip(program.rows_asked, program.row_of, strict=True)
        ]

    def _residual(self, program: Transcribed, ended: Ended) -> float:
        """Relative part of the gradient that multipliers do not balance."""
        if ended.prices is None:
            return 0.0 if ended.converged else np.inf
        x = ended.x
        left = program.gradient(x) + program.jacobian_sparse(x).T @ ended.prices
        left = np.where((x - program.low <= ACTIVE) & (left > 0), 0.0, left)
        left = np.where((program.high - x <= ACTIVE) & (left < 0), 0.0, left)
        return float(np.max(np.abs(left), initial=0.0))

    def _variable_result(
        self, k: int, one: Unknown, guess: Guess, program: Transcribed, ended: Ended
    ) -> Moved:
        value = float(guess.values[k])
        bound, price = one.at_bound(value, ACTIVE), 0.0
        if bound and ended.prices is not None:
            place = program.first_value + k
            slope = program.gradient(ended.x) + program.jacobian_sparse(ended.x).T @ ended.prices
            price = float(slope[place] * program.size * self.study.objective[0].sign / one.scale)
        return Moved(one, one.start, value, bound, price)

    def _constraint_result(
        self, k: int, one: Constraint, before: float, now: float, tolerance: float, price: float
    ) -> Kept:
        low, high = _limits(one)
        if one.take == "largest":
            now, low = abs(now), -np.inf
        beyond = max(0.0, low - now, now - high)
        at_low, at_high = now - low <= tolerance, high - now <= tolerance
        active = "equals" if low == high else "min" if at_low else "max" if at_high else ""
        unit = unit_of(self.scenario, one.quantity)
        return Kept(one, unit, float(before), float(now), beyond, tolerance, active, price)

    def _confirmation(self, program: Transcribed, ended: Ended, interrupted: bool) -> Confirmed | None:
        """Result of the second solver on the last mesh, from the first flight."""
        kind = self.study.solver.confirm
        if kind is None or interrupted or not ended.converged:
            return None
        why = missing(kind)
        if why:
            self.notes.append(f"The second solver does not confirm the optimum: {sentence(why)}")
            return Confirmed(kind, why=why)
        other = self._program(program.mesh, self._guess(program.mesh), self.sizes)
        try:
            got = self._run_solver(other, kind)
        except KeyboardInterrupt:
            return Confirmed(kind, why="interrupted")
        if not got.converged:
            return Confirmed(kind, why=got.message)
        here, there = program.unpack(ended.x), other.unpack(got.x)
        apart = [np.abs(a - b) / one.scale for a, b, one in zip(here.controls, there.controls, self.controls)]
        apart.append(np.abs(here.values - there.values) / [one.scale for one in self.found])
        total = self.study.objective[0].sign * other.values(got.x)[1]
        return Confirmed(kind, total, float(max(np.max(one, initial=0.0) for one in apart)))


def _flown(scenario: Any, outputs: Sequence[Any]) -> tuple[Flown, np.ndarray]:
    """The flight of a scenario, and the requested values; NaN for values that are not reached."""
    asked = [Output(one.quantity, one.at, one.side) for one in outputs if one.take is None]
    point = Pushed(scenario, {}, asked).at(np.zeros(0))
    flown = next(iter(point.flights.values()))
    if flown.interrupted:
        raise KeyboardInterrupt
    values = iter(point.values)
    every = [next(values) if one.take is None else value_of(flown.record, one) for one in outputs]
    return flown, np.array(every, float)


def same_rates(its: np.ndarray, rate: np.ndarray) -> bool:
    """Return whether two arrays of rates (n, node) are equal within a tolerance.

    The tolerance of a row is relative to its largest absolute value at all nodes. The three position rows
    share the largest value of the three components. The three velocity rows also share their largest value.
    Therefore components that are nearly zero count as equal, for example the component perpendicular to the
    plane of a planar flight.
    """
    size = np.max(np.abs(its), axis=1, initial=0.0)
    size[:6] = np.repeat(np.max(size[:6].reshape(2, 3), axis=1), 3)
    apart = np.max(np.abs(rate - its), axis=1, initial=0.0)
    return bool(np.all(apart <= SAME * np.maximum(size, LEAST)))


def _state(mechanism: Any, x: np.ndarray, extra: int) -> np.ndarray:
    r, v, _, _, origin, speed = mechanism.split(x)
    return np.concatenate([r[:, 0] + origin, v[:, 0] + speed, mechanism.trailing_state(x)[:extra]])


def _limits(one: Constraint) -> tuple[float, float]:
    given = {key: float(value.magnitude) for key, value in one.limits.items()}
    if "equals" in given:
        return given["equals"], given["equals"]
    return given.get("min", -np.inf), given.get("max", np.inf)


def _bounds(found: Sequence[Unknown]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([one.low for one in found]), np.array([one.high for one in found])
