"""Values of a scenario structure that are needed once or a few times: initial states, samples, quantities of
a state.

NumPy computes these values without compilation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from ..engine import flow as flows
from ..engine.contract import HasState, Tabulated, without_law
from ..engine.contradiction import contradiction
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..engine.minimal_coordinates import flow_of, has_own_state
from ..engine.numbers import numbers
from ..engine.quantity import all_values, gathered_paths
from ..engine.stacks import Stacks, stacks
from ..formulations.by_lapack import without_lapack
from ..maths.arrays import is_traced, jax, jnp
from ..quantities.catalogue import catalogue
from ..starts.events import event_table
from ..starts.start import begin, load_directions, violation
from ..stepper import flight as stepping
from ..stepper.problem import RUNNING, between_events
from ..stepper.step import end_of_step, take
from ..stepper.tableau import METHODS
from ..tree import packages
from ..tree.errors import BadInput
from . import form as forms

ORDINARY_AT_ONCE = 4096
"""Number of states that one call converts to states of the mechanism."""
CORRECTIONS = 3
"""Largest number of Newton corrections that project a state on its constraints."""
LEFT_BY_SQUARE = 1e-10
"""Size of a correction [SI, or relative] whose square, the remaining error, is far below rounding."""
STACKS_KEPT = 8
"""Number of scenarios whose stacked numbers a program keeps."""


class OfTheLast:
    """Cache of results for the last few scenarios, which are identified as objects."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Any, Any]] = {}

    def of(self, scenario: Any, make: Callable[[], Any]) -> Any:
        """Return the result for a scenario; call `make` if the cache does not have it."""
        kept = self._kept.get(id(scenario))
        if kept is None or kept[0] is not scenario:
            kept = scenario, make()
            self._kept = {**dict(list(self._kept.items())[-STACKS_KEPT:]), id(scenario): kept}
        return kept[1]


class AtOnce:
    """Values of one scenario structure and one shape of cases, computed with NumPy.

    Scenario arguments are trees of the same structure; in a batch, their leaves have a last case axis.
    flying: true for values of flights only, without records."""

    def __init__(self, scenario: Any, lanes: tuple[int, ...], recorded: str, flying: bool):
        self.lanes, self.recorded = lanes, recorded
        self._flying = flying
        self.scenario = scenario = self.form(scenario)
        self.layout = Layout(scenario)
        if lawless := without_law(self.layout):
            raise BadInput(lawless)
        self.table = event_table(self.layout)
        self.method = flows.settings(scenario, self.table).method
        self._arrays, self._many = OfTheLast(), OfTheLast()

    def mechanism(self, scenario, lanes: int, reference=None, found: Stacks | None = None) -> Mechanism:
        """Return the equations of motion with the values of a scenario.

        - `lanes`: number of case axes of the scenario values.
        - found: stacked values of the scenario, if already computed."""
        return Mechanism(self.layout, scenario, numbers(self.layout, scenario, lanes, found), reference)

    def form(self, scenario) -> Any:
        """Return the part of a scenario that enters these programs."""
        found = forms.observed_form(scenario, self.recorded)
        return forms.flown(found) if self._flying else found

    def given_here(self, scenario) -> tuple[Any, Stacks]:
        """Return the numeric inputs of a scenario as NumPy arrays, and its stacked values.

        The results for the last few scenarios are cached."""

        def make_arrays() -> tuple[Any, Stacks]:
            here = jax.tree.map(np.asarray, self.form(scenario))
            return here, stacks(self.layout, here, len(self.lanes))

        return self._arrays.of(scenario, make_arrays)

    def at_once(self, function):
        """Return a function like `program`, but computed with NumPy without compilation. Arguments and
        results are NumPy arrays."""

        def call(scenario, *args, **options):
            scenario, found = self.given_here(scenario)
            with np.errstate(all="ignore"), without_lapack(bool(self.lanes)):
                answer = function(scenario, found, *jax.tree.map(np.asarray, args), **options)
            return jax.tree.map(np.asarray, answer)

        return call

    @cached_property
    def begin(self):
        """Return the function (scenario, t0) -> `Start`."""

        def program(scenario, found, t0):
            mechanism = self.mechanism(scenario, len(self.lanes), None, found)
            return begin(mechanism, self.table, self.lanes, t0, found)

        return self.at_once(program)

    def ordinary_of(self, here: tuple[Any, Stacks], reference: Any, rows: Any, cursor: Any) -> Any:
        """Return the same as `ordinary`, from the part of the scenario that enters the programs for
        flight."""
        if not has_own_state(self.layout):
            return rows, cursor
        flow = flow_of(self._of_many(*here, reference), self.table)
        count, ends = len(rows.t), _own_ends(rows)
        last = jax.tree.map(lambda leaf: np.asarray(leaf)[None], (cursor.t, cursor.x, cursor.discrete))
        states = jax.tree.map(
            lambda start, end, last: np.concatenate([start, end[ends], last]),
            (rows.t, rows.x, rows.discrete),
            (rows.t_end, rows.x_end, rows.discrete),
            last,
        )
        parts = []
        with np.errstate(all="ignore"):
            for first in range(0, len(states[0]), ORDINARY_AT_ONCE):
                some = jax.tree.map(lambda a, k=first: _lanes_last(a[k : k + ORDINARY_AT_ONCE]), states)
                parts.append(np.asarray(flow.ordinary(*some)).T)
        whole = np.concatenate(parts)
        x_end = np.roll(whole[:count], -1, 0)
        x_end[ends] = whole[count:-1]
        return rows._replace(x=whole[:count], x_end=x_end), cursor._replace(x=whole[-1])

    @cached_property
    def cursor(self):
        """Return the function (scenario, reference, t0, x, discrete) -> cursor of the stepper."""

        def program(scenario, found, reference, t0, x, discrete):
            mechanism = self.mechanism(scenario, len(self.lanes), reference, found)
            flow = flow_of(mechanism, self.table, t0)
            t = jnp.broadcast_to(jnp.asarray(t0, float), self.lanes)
            settings = flows.settings(scenario, self.table, self.recorded)
            return stepping.start(flow, settings, t0, flow.own(t, x, discrete), discrete)

        return self.at_once(program)

    @cached_property
    def after_first_events(self):
        """Return the function (scenario, reference, t0, x, discrete) -> (x, discrete) after all events at the
        start."""

        def program(scenario, found, reference, t0, x, discrete):
            flow = flow_of(self.mechanism(scenario, 0, reference, found), self.table, t0)
            settings = flows.settings(scenario, self.table, self.recorded)
            cursor = stepping.start(flow, settings, t0, flow.own(t0, x, discrete), discrete)
            while cursor.stale and cursor.status == RUNNING:
                cursor = stepping.attempt(flow, settings, cursor, 0.0)[0]
            return flow.ordinary(cursor.t, cursor.x, cursor.discrete), cursor.discrete

        return self.at_once(program)

    @cached_property
    def end_cursor(self):
        """Return the function (scenario, reference, cursor) -> cursor of a flight that has ended, with the
        state of the mechanism."""
        if not has_own_state(self.layout):
            return lambda scenario, reference, cursor: cursor

        def program(scenario, found, reference, cursor):
            flow = flow_of(self.mechanism(scenario, len(self.lanes), reference, found), self.table)
            return cursor._replace(x=flow.ordinary(cursor.t, cursor.x, cursor.discrete))

        return self.at_once(program)

    def _of_a_state(self, function):
        """A program (scenario, reference, t, x, discrete) of function(mechanism, t, x, discrete)."""

        def program(scenario, found, reference, t, x, discrete):
            return function(self.mechanism(scenario, len(self.lanes), reference, found), t, x, discrete)

        return self.at_once(program)

    @cached_property
    def repeated_rows(self):
        """Return the function that finds redundant active constraints in a state; see `start.Start`."""
        return self._of_a_state(lambda *state: violation(*state)[2])

    @cached_property
    def quantities_of_others(self):
        """Return the function that computes the quantities of plug-in models in a state.

        The function raises BadInput if the shape of a quantity differs from its declaration."""
        known = catalogue(self.layout.scenario)
        others = [part for part in self.layout.parts.values() if packages.home(type(part)) is not None]
        things = {path for part in others for path in part.quantities()}
        paths = [path for path in known if path.rpartition(".")[0] in things]

        def values(mechanism, t, x, discrete):
            return all_values({path: known[path] for path in paths}, mechanism.here(t, x, discrete))[0]

        return self._of_a_state(values)

    @cached_property
    def load_directions(self):
        """Return the function `starts.start.load_directions` of a state."""
        return self._of_a_state(load_directions)

    @cached_property
    def contradiction(self):
        """Return the function `engine.contradiction.contradiction` of a state."""
        return self._of_a_state(contradiction)

    @cached_property
    def beyond(self):
        """Return the function (scenario, reference, t, x, discrete) -> distances beyond tables, for many
        states as cases."""
        return self.of_samples(_beyond)

    @cached_property
    def leaving(self):
        """Return the function (scenario, reference, t, x, discrete, h) -> distances beyond tables h [s] after
        a state."""

        def program(scenario, found, reference, t, x, discrete, h):
            return beyond_after(
                self.mechanism(scenario, len(self.lanes), reference, found), t, x, discrete, h
            )

        return self.at_once(program)

    def of_samples(self, function):
        """Return a function (scenario, reference, t, x, discrete, ...) from function(mechanism, t, x,
        discrete, ...), for many states."""

        def program(scenario, found, reference, *states, **options):
            return function(self._of_many(scenario, found, reference), *states, **options)

        return self.at_once(program)

    def _of_many(self, scenario: Any, found: Stacks, reference: Any) -> Mechanism:
        """The equations for many states as cases, by NumPy; what depends on the scenario alone is kept of the
        last few."""

        def make_numbers() -> tuple[Any, Any]:
            wide = _as_one_lane(scenario)
            return wide, numbers(self.layout, wide, 1, _as_one_lane(found))

        wide, its_numbers = self._many.of(scenario, make_numbers)
        return Mechanism(self.layout, wide, its_numbers, _as_one_lane(reference))

    @cached_property
    def step_state(self):
        """Return the function (scenario, reference, t, x, discrete, h) -> state after a step h [s], on the
        constraints; for many states."""

        def function(mechanism, t, x, discrete, h):
            flow = flow_of(mechanism, self.table)
            own = state_after(flow, self.method, t, flow.own(t, x, discrete), discrete, h)
            return flow.ordinary(t + h, own, discrete)

        return self.of_samples(function)

    @cached_property
    def step_end(self):
        """Return the function (scenario, reference, t, x, discrete, slope, h) -> stepped state after a step h
        [s]; for many states.

        The arguments are stepped states and their rates. The result is not projected on the constraints."""

        def function(mechanism, t, x, discrete, slope, h):
            return stepped_to(flow_of(mechanism, self.table), self.method, t, x, discrete, h, slope)

        return self.of_samples(function)

    @cached_property
    def moving(self):
        """Return the function (scenario, reference, t, x, discrete) -> stepped states and their rates, for
        many states."""

        def function(mechanism, t, x, discrete):
            flow = flow_of(mechanism, self.table)
            own = flow.own(t, x, discrete)
            return own, flow.derivative(t, own, discrete)

        return self.of_samples(function)

    @cached_property
    def slope(self):
        """Return the function (scenario, reference, t, x, discrete) -> rates of stepped states, for many
        states."""
        return self.of_samples(lambda mechanism, *state: flow_of(mechanism, self.table).derivative(*state))

    @cached_property
    def onto_constraints(self):
        """Return the function (scenario, reference, t, x, discrete) -> states on the constraints, from
        stepped states."""

        def function(mechanism, t, x, discrete):
            flow = flow_of(mechanism, self.table)
            return flow.ordinary(t, on_constraints(flow, t, x, discrete), discrete)

        return self.of_samples(function)

    @cached_property
    def errors(self):
        """Return the function (scenario, reference, t, x, discrete, h) -> error of a step h [s] divided by
        the tolerance.

        The errors are given by name for each part of the state of each body."""

        def program(scenario, found, reference, t, x, discrete, h):
            mechanism = self.mechanism(scenario, len(self.lanes), reference, found)
            flow = flow_of(mechanism, self.table)
            own = flow.own(t, x, discrete)
            end = take(flow, self.method, t, t + h, own, jnp.zeros_like(own), discrete, first=0)
            own, error = flow.error_form(own), flow.error_form(end.errors[0])
            parts = self._parts(own.shape[0])
            return {name: mechanism.error_norm(own, error * part) for name, part in parts.items()}

        return self.at_once(program)

    def _parts(self, size: int):
        """Where the parts of each body, and the things of parts, are in a state of so many numbers, and what
        they are called."""
        bodies = self.layout.bodies
        numbers = np.arange(size)
        kinds = ("position", "velocity", "attitude", "angular velocity")
        cuts = np.cumsum([0, 3, 3, 4, 3]) * len(bodies)
        found = {}
        for kind, first, last in zip(kinds, cuts[:-1], cuts[1:], strict=True):
            for k, name in enumerate(bodies):
                mine = (numbers >= first) & (numbers < last) & ((numbers - first) % len(bodies) == k)
                found[f"the {kind} of '{name}'"] = mine.astype(float)
        found["the common motion of all bodies"] = (numbers >= cuts[-1]) & (numbers < cuts[-1] + 6)
        for part in self.layout.parts.values():
            first, count = self.layout.places[part.name]
            first += cuts[-1] + 6
            if not isinstance(part, HasState) or not count:
                continue
            what = part.state_description or f"the model '{part.name}'"
            for thing, own in things_of(part.labels).items():
                found[f"{what} ({thing})" if thing else what] = np.isin(numbers - first, own)
        return found

    @cached_property
    def values(self):
        """Return the function (scenario, reference, t, x, discrete) -> quantities (components, samples) by
        path.

        paths: requested quantities. Default: all."""
        whole = catalogue(self.layout.scenario)

        def function(mechanism, t, x, discrete, paths=None):
            quantities = whole if paths is None else {path: whole[path] for path in paths}
            single, many = all_values(quantities, mechanism.here(t, x, discrete))
            found = {path: np.broadcast_to(v, (*np.shape(v)[:-1], *t.shape)) for path, v in single.items()}
            for gathered, values in zip(gathered_paths(quantities), many, strict=True):
                found |= dict(zip(gathered, np.moveaxis(values, -2, 0), strict=True))
            return {path: found[path] for path in quantities}

        return self.of_samples(function)

    def observe(self, scenario, reference, t, x, discrete, h, paths=None):
        """Return quantities and states after one step h [s] from each state (t, x), projected on the
        constraints."""
        x = self.step_state(scenario, reference, t, x, discrete, h)
        return self.values(scenario, reference, t + h, x, discrete, paths=paths), x


def things_of(labels: Iterable[str]) -> dict[str, list[int]]:
    """Return for each item of a part the indices of its states, from the labels: "boom.2.7" belongs to the
    item "boom.2".

    Labels without item names give an empty result."""
    found: dict[str, list[int]] = {}
    for k, label in enumerate(labels):
        thing, _, last = label.rpartition(".")
        thing = thing if last.isdigit() else label
        found.setdefault("" if thing.isdigit() else thing, []).append(k)
    return found


def _own_ends(rows: Any) -> Any:
    """Numbers of the rows (NumPy's arrays, of one flight) that do not end right where the next one begins."""
    goes_on = (rows.t_end[:-1] == rows.t[1:]) & np.all(rows.x_end[:-1] == rows.x[1:], 1)
    goes_on = goes_on & ~np.any(rows.hit[:-1], 1)
    return np.flatnonzero(~np.append(goes_on, False))


def _as_one_lane(tree: Any) -> Any:
    """A tree of arrays with a case axis of size one on each."""
    return jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], tree)


def _lanes_last(many: Any) -> Any:
    return many if many.ndim == 1 else np.moveaxis(many, 0, -1)


def _beyond(mechanism: Mechanism, t, x, discrete):
    """Distances of variables beyond the data of parts (*cases), by part and the keys of its `ranges`."""
    here = mechanism.here(t, x, discrete)
    return {part.name: dict(part.outside_ranges(here)) for part in here.equations.layout.having(Tabulated)}


def beyond_after(mechanism: Mechanism, t, x, discrete, h):
    """Return the distances beyond tables at a short time h [s] after a state."""
    slope = mechanism.derivative(t, x, discrete)
    ahead = x + h * jnp.where(jnp.isfinite(slope), slope, 0.0)
    return _beyond(mechanism, t + h, ahead, discrete)


def state_after(flow: flows.Flow, method: str, t, x, discrete, h):
    """Return the state h [s] after (t, x) by one step of the integration method, projected on the
    constraints."""
    if method not in METHODS:
        return take(flow, method, t, t + h, x, jnp.zeros_like(x), discrete, first=0).x
    return on_constraints(flow, t + h, stepped_to(flow, method, t, x, discrete, h), discrete)


def stepped_to(flow: flows.Flow, method: str, t, x, discrete, h, slope=None):
    """Return the state h [s] after (t, x) by one integration step, not projected on the constraints. slope:
    rates at (t, x)."""
    return end_of_step(METHODS[method], between_events(flow.derivative, discrete), t, t + h, x, slope)


def on_constraints(flow: flows.Flow, t, x, discrete):
    """Return a state projected on the constraints, to rounding. The corrections of a case depend on no other
    case."""
    settled: Any = np.zeros(np.shape(x)[1:], bool)
    for _ in range(CORRECTIONS):
        before, x = x, flow.project(t, x, discrete)
        if is_traced(x):
            continue
        near = np.all(np.abs(x - before) <= LEFT_BY_SQUARE * (1 + np.abs(x)), axis=0)
        x, settled = np.where(settled, before, x), settled | near
        if settled.all():
            break
    return x
