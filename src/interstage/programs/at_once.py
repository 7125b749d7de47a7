"""Compute values that are needed only once or a few times: initial states, samples, quantities of a state.

NumPy computes these values without a compilation.
"""

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
"""Maximum number of integrated states that one call converts to states of the mechanism; see `AtOnce`."""
CORRECTIONS = 3
"""Maximum number of Newton corrections that project a state on its constraints."""
LEFT_BY_SQUARE = 1e-10
"""Size of a Newton correction below which no further correction is needed [SI, or relative].

The error after a correction is about the square of this size, which is far below the rounding error.
"""
STACKS_KEPT = 8
"""Number of scenarios for which a cache keeps its results."""


class OfTheLast:
    """Cache of results for the last few scenarios. A scenario is recognized as the same Python object."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Any, Any]] = {}

    def of(self, scenario: Any, make: Callable[[], Any]) -> Any:
        """Return the result for a scenario. If the cache does not contain the result, call `make` to compute
        the result."""
        kept = self._kept.get(id(scenario))
        if kept is None or kept[0] is not scenario:
            kept = scenario, make()
            self._kept = {**dict(list(self._kept.items())[-STACKS_KEPT:]), id(scenario): kept}
        return kept[1]


class AtOnce:
    """NumPy functions for one scenario structure and one shape of the case axes.

    - scenario: example of the structure. In a batch, its arrays have the case axis last.
    - `lanes`: shape of the case axes; () for one flight.
    - recorded: steps that a flight records: "steps", "samples" or "events"; see
      `engine.flow.settings`.
    - flying: true if the functions are used only to integrate a flight, and not to record its
      quantities.

    An integrated state has the coordinates that the formulation integrates. A state of the mechanism has
    position, velocity, attitude and angular velocity of each body.

    Arguments of the returned functions, except if stated otherwise:

    - scenario: scenario of the same structure.
    - reference: values of the start that a flight keeps.
    - t, t0: time, and start time [s].
    - x: state of the mechanism.
    - discrete: states of switches and events.
    - h: duration of a step [s].
    """

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
        """Return the equations of motion for the values of a scenario.

        - `lanes`: number of case axes of the scenario values.
        - reference: values of the start that a flight keeps. Default: None.
        - found: stacked values of the scenario, if they are already computed.
        """
        return Mechanism(self.layout, scenario, numbers(self.layout, scenario, lanes, found), reference)

    def form(self, scenario) -> Any:
        """Return the reduced scenario, which contains only the inputs of these programs; see
        `programs.form`.
        """
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
        """Return a function that computes `function` with NumPy, without a compilation.

        The first arguments of `function` are the reduced scenario and its stacked values. The returned
        function takes a scenario in place of these two arguments. Other arguments and results are NumPy
        arrays.
        """

        def call(scenario, *args, **options):
            scenario, found = self.given_here(scenario)
            with np.errstate(all="ignore"), without_lapack(bool(self.lanes)):
                answer = function(scenario, found, *jax.tree.map(np.asarray, args), **options)
            return jax.tree.map(np.asarray, answer)

        return call

    @cached_property
    def begin(self):
        """Return the function (scenario, t0) -> `Start`, which computes the initial state at the time t0
        [s].
        """

        def program(scenario, found, t0):
            mechanism = self.mechanism(scenario, len(self.lanes), None, found)
            return begin(mechanism, self.table, self.lanes, t0, found)

        return self.at_once(program)

    def ordinary_of(self, here: tuple[Any, Stacks], reference: Any, rows: Any, cursor: Any) -> Any:
        """Return the same result as `Program.ordinary`, from the reduced scenario and its stacked values."""
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
        """Return the function (scenario, reference, t0, x, discrete) -> cursor, the initial state of the
        integration.
        """

        def program(scenario, found, reference, t0, x, discrete):
            mechanism = self.mechanism(scenario, len(self.lanes), reference, found)
            flow = flow_of(mechanism, self.table, t0)
            t = jnp.broadcast_to(jnp.asarray(t0, float), self.lanes)
            settings = flows.settings(scenario, self.table, self.recorded)
            return stepping.start(flow, settings, t0, flow.own(t, x, discrete), discrete)

        return self.at_once(program)

    @cached_property
    def after_first_events(self):
        """Return the function (scenario, reference, t0, x, discrete) -> (x, discrete) just after all events
        at the time t0.
        """

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
        """Return the function (scenario, reference, cursor) -> cursor, for a flight that has ended.

        The cursor in the arguments has an integrated state, the returned cursor a state of the mechanism.
        """
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
        """Return the function (scenario, reference, t, x, discrete) -> redundant active constraints; see
        `start.Start`.
        """
        return self._of_a_state(lambda *state: violation(*state)[2])

    @cached_property
    def quantities_of_others(self):
        """Return the function (scenario, reference, t, x, discrete) -> quantities of plug-in models, by path.

        The function raises BadInput if the shape of a quantity differs from its declaration.
        """
        known = catalogue(self.layout.scenario)
        others = [part for part in self.layout.parts.values() if packages.home(type(part)) is not None]
        things = {path for part in others for path in part.quantities()}
        paths = [path for path in known if path.rpartition(".")[0] in things]

        def values(mechanism, t, x, discrete):
            return all_values({path: known[path] for path in paths}, mechanism.here(t, x, discrete))[0]

        return self._of_a_state(values)

    @cached_property
    def load_directions(self):
        """Return the function (scenario, reference, t, x, discrete) -> result of
        `starts.start.load_directions`.
        """
        return self._of_a_state(load_directions)

    @cached_property
    def contradiction(self):
        """Return the function (scenario, reference, t, x, discrete) -> result of
        `engine.contradiction.contradiction`.
        """
        return self._of_a_state(contradiction)

    @cached_property
    def beyond(self):
        """Return the function (scenario, reference, t, x, discrete) -> distances of variables beyond the
        range of their tables.

        The function is computed for many states, whose axis is the case axis.
        """
        return self.of_samples(_beyond)

    @cached_property
    def leaving(self):
        """Return the function (scenario, reference, t, x, discrete, h) -> distances of variables beyond their
        tables.

        The distances are computed for the time t + h, with a constant rate of the state.
        """

        def program(scenario, found, reference, t, x, discrete, h):
            return beyond_after(
                self.mechanism(scenario, len(self.lanes), reference, found), t, x, discrete, h
            )

        return self.at_once(program)

    def of_samples(self, function):
        """Return a function (scenario, reference, t, x, discrete, ...) that is computed for many states
        together.

        function: function (mechanism, t, x, discrete, ...) of one or many states.
        """

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
        """Return the function (scenario, reference, t, x, discrete, h) -> state of the mechanism after one
        integration step.

        The function is computed for many states, and its results are projected on the constraints.
        """

        def function(mechanism, t, x, discrete, h):
            flow = flow_of(mechanism, self.table)
            own = state_after(flow, self.method, t, flow.own(t, x, discrete), discrete, h)
            return flow.ordinary(t + h, own, discrete)

        return self.of_samples(function)

    @cached_property
    def step_end(self):
        """Return the function (scenario, reference, t, x, discrete, slope, h) -> integrated state after one
        step.

        The function is computed for many states. Here, x is an integrated state, and slope is its rate. The
        result is not projected on the constraints.
        """

        def function(mechanism, t, x, discrete, slope, h):
            return stepped_to(flow_of(mechanism, self.table), self.method, t, x, discrete, h, slope)

        return self.of_samples(function)

    @cached_property
    def moving(self):
        """Return the function (scenario, reference, t, x, discrete) -> (integrated state, its rate), for many
        states.
        """

        def function(mechanism, t, x, discrete):
            flow = flow_of(mechanism, self.table)
            own = flow.own(t, x, discrete)
            return own, flow.derivative(t, own, discrete)

        return self.of_samples(function)

    @cached_property
    def slope(self):
        """Return the function (scenario, reference, t, x, discrete) -> rate of the integrated state x, for
        many states.
        """
        return self.of_samples(lambda mechanism, *state: flow_of(mechanism, self.table).derivative(*state))

    @cached_property
    def onto_constraints(self):
        """Return the function (scenario, reference, t, x, discrete) -> states of the mechanism on the
        constraints.

        Here, x is an integrated state.
        """

        def function(mechanism, t, x, discrete):
            flow = flow_of(mechanism, self.table)
            return flow.ordinary(t, on_constraints(flow, t, x, discrete), discrete)

        return self.of_samples(function)

    @cached_property
    def errors(self):
        """Return the function (scenario, reference, t, x, discrete, h) -> error of one step divided by the
        tolerance.

        The result has one error for each part of the state, for example "the position of 'stage'", by name.
        """

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
        """Return the function (scenario, reference, t, x, discrete) -> quantities (components, samples), by
        path.

        The function also takes `paths`, the requested quantities. Default: all quantities.
        """
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
        """Return the quantities and the states of the mechanism after one integration step from each given
        state.

        The step has the duration h [s], and its result is projected on the constraints. paths: requested
        quantities. Default: all.
        """
        x = self.step_state(scenario, reference, t, x, discrete, h)
        return self.values(scenario, reference, t + h, x, discrete, paths=paths), x


def things_of(labels: Iterable[str]) -> dict[str, list[int]]:
    """Return the indices of the states of each item of a model, by name of the item.

    labels: labels of the states in the linear equations. For example, the label "boom.2.7" belongs to the
    item "boom.2". A label that is only a number belongs to the item "".
    """
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
    """Return the distances of variables beyond the range of their tables at a short time h [s] after a state.

    The distances (*cases) are by model and variable. The rate of the state is taken as constant.
    """
    slope = mechanism.derivative(t, x, discrete)
    ahead = x + h * jnp.where(jnp.isfinite(slope), slope, 0.0)
    return _beyond(mechanism, t + h, ahead, discrete)


def state_after(flow: flows.Flow, method: str, t, x, discrete, h):
    """Return the integrated state after one step of h [s] from (t, x), projected on the constraints.

    flow: equations of motion in the coordinates of the formulation. method: name of the integration method.
    x: integrated state.
    """
    if method not in METHODS:
        return take(flow, method, t, t + h, x, jnp.zeros_like(x), discrete, first=0).x
    return on_constraints(flow, t + h, stepped_to(flow, method, t, x, discrete, h), discrete)


def stepped_to(flow: flows.Flow, method: str, t, x, discrete, h, slope=None):
    """Return the integrated state after one step of h [s] from (t, x), not projected on the constraints.

    flow: equations of motion in the coordinates of the formulation. method: name of the integration method.
    slope: rate of the state at (t, x). Default: computed.
    """
    return end_of_step(METHODS[method], between_events(flow.derivative, discrete), t, t + h, x, slope)


def on_constraints(flow: flows.Flow, t, x, discrete):
    """Return an integrated state projected on the constraints, exact to rounding.

    The correction of one case does not depend on the other cases.

    flow: equations of motion in the coordinates of the formulation.
    """
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
