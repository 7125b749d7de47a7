"""Equations of motion of a point mass at all nodes of its phases, with exact derivatives.

The compiled programs in `programs` compute the nodes in batches of fixed size. A control is a time table of
the scenario. At a node, the control is a single value that does not depend on the times of the table. A node
therefore depends on few variables. Data of the phase, switches and scenario inputs are equal in all columns
of a batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....engine.minimal_coordinates import flow_of
from ....engine.point_coordinates import split_state
from ....engine.stacks import stacks
from ....environment.world import is_flat
from ....maths.arrays import is_traced, jax, jnp, jvp, with_entry
from ....programs.compiled import Given
from ....programs.program import program_for
from ....quantities.catalogue import catalogue, lookup
from ....starts.start import begin
from ....tree.addresses import get, replace_leaf
from ..variables import Unknown
from .chart import Chart
from .packed import Packing
from .programs import WIDTH, Form, Programs


class Local(NamedTuple):
    """Values (row, node) and their derivatives (row, node, direction) at nodes.

    The directions are the coordinates of the node, the end times of all phases, the controls, and the
    variables.
    """

    value: np.ndarray
    slope: np.ndarray


class Switched(NamedTuple):
    """Switches and initial states of the phases, with derivatives. Switches are the discrete states of the
    scenario.

    - `whole` (switch, phase): switches as numbers.
    - `changes` (real switch, phase, direction): derivatives with respect to the end times of phases and the
      variables.
    - `states` (phase, n): initial states.
    - `slopes` (phase, n, direction): derivatives of the initial states with respect to the final state of the
      previous phase, the end times of phases, and the variables.
    - `base`: end times and variables for which the derivatives are valid.
    - `reference`: reference state of the start of the flight.
    - `given`: other arguments of the compiled programs.
    """

    whole: np.ndarray
    changes: np.ndarray
    states: np.ndarray
    slopes: np.ndarray
    base: np.ndarray
    reference: Any
    given: Any


class Nodes(NamedTuple):
    """Set of nodes of the mesh.

    - phase (node,): index of the phase.
    - zeta (n, node): coordinates in the chart.
    - chart: reference directions of the coordinates.
    - fractions (node,): time within the phase as a fraction, from 0 to 1.
    - controls (control, node): values of the controls.
    - times (phase + 1, node): start time of the first phase, and end time of each phase [s].
    - values (variable, node): values of the variables.
    """

    phase: np.ndarray
    zeta: np.ndarray
    chart: Chart
    fractions: np.ndarray
    controls: np.ndarray
    times: np.ndarray
    values: np.ndarray

    def some(self, which: Any) -> Nodes:
        """Return the nodes with the indices `which`. Indices can repeat."""
        return Nodes(
            self.phase[which],
            self.zeta[:, which],
            self.chart.some(which),
            self.fractions[which],
            self.controls[:, which],
            self.times[:, which],
            self.values[:, which],
        )

    def move(self, directions: np.ndarray, steps: np.ndarray) -> Nodes:
        """Return the nodes after one step of each node.

        - directions (node,): index of the direction in which the node moves.
        - steps (node,): size of the step.
        """
        cuts = np.cumsum([len(self.zeta), len(self.times) - 1, len(self.controls)])
        parts = np.concatenate([self.zeta, self.times[1:], self.controls, self.values])
        parts[directions, np.arange(len(directions))] += steps
        zeta, ends, controls, values = np.split(parts, cuts)
        times = np.concatenate([self.times[:1], ends])
        return self._replace(zeta=zeta, times=times, controls=controls, values=values)


class Arcs:
    """Equations of motion of the phases of a scenario.

    - `controls`: the controls.
    - `along`: paths of quantities that are computed at all nodes.
    - `placed`: paths of quantities that are computed at some nodes.
    - `packing`: layout of the switches, if known.
    - `ends`: index of the condition that ends each phase.
    """

    def __init__(
        self,
        scenario: Any,
        controls: Sequence[Any],
        unknowns: Sequence[Unknown],
        along: Sequence[str],
        placed: Sequence[str],
        packing: Packing | None = None,
    ) -> None:
        self.controls, self.unknowns = tuple(controls), tuple(unknowns)
        for one in controls:
            scenario = one.at_once(scenario)
        self.scenario = scenario
        self.program = program_for(scenario)
        self.table, self.layout = self.program.table, self.program.layout
        self.phases = len(scenario.phases)
        known = catalogue(scenario)
        self.names = tuple(along), tuple(placed)
        self.along, self.placed = ([lookup(known, path) for path in some] for some in self.names)
        self.size = 6 + self.layout.extra
        self.ends = [self._ending(k + 1) for k in range(self.phases)]
        self.met: list[list[int]] = [[end] for end in self.ends]
        """Conditions that occur together at the end of each phase."""
        self.round = scenario.planet is not None and not is_flat(scenario.planet)
        self.form = jax.tree.map(np.asarray, self.program.form(scenario))
        self.stacks = stacks(self.layout, self.form)
        self._begun: dict[bytes, _ArcStart] = {}
        self.packing = packing or Packing(
            self._begin(np.array([one.start for one in unknowns]), 0.0).discrete
        )
        kinds = len(self.controls), len(self.unknowns), self.packing.count, self.packing.reals
        form = Form(self.size, self.phases, *kinds, len(self.table.conditions), self.round)
        kept = self.program.collocated
        if self.about is None or self.about not in kept:
            kept[self.about] = Programs(self, form)
        self.programs: Programs = kept[self.about]

    def _ending(self, event: int) -> int:
        return next(i for i, c in enumerate(self.table.conditions) if c.event == event)

    @property
    def about(self) -> str | None:
        """Return the key under which compiled programs are stored. Return None if no key can be computed for
        the scenario.
        """
        if self.program.about is None:
            return None
        moved = [(t.path, t.index, o, g) for one in self.unknowns for t, o, g in _gains(one)]
        paths = [one.value_path for one in self.controls]
        return f"{self.program.about} {paths} {moved} {self.names} {self.round}"

    @property
    def directions(self) -> int:
        """Return the number of derivatives at a node: coordinates, end times of phases, controls and
        variables.
        """
        return self.programs.form.directions

    # --- values of the scenario

    def mechanism(self, form: Any, found: Any, reference: Any, controls: Any, values: Any) -> Any:
        """Return the equations of motion for values of the controls and variables.

        - form, found: data of the scenario, and the same data as stacked arrays.
        - controls (control, case), values (variable, case): values of the controls and variables.
        """
        changed = self._with_values(form, controls, values)
        return self.program.mechanism(changed, 1, reference, self._stack_numbers(changed, found))

    def _with_values(self, form: Any, controls: Any, values: Any) -> Any:
        leaves: dict[str, Any] = {}
        for one, value in zip(self.unknowns, values, strict=True):
            for target, offset, gain in _gains(one):
                own = leaves.get(target.path, get(form, target.path))
                own = jnp.broadcast_to(own, (*own.shape[:-1], value.shape[0]))
                leaves[target.path] = with_entry(own, target.index, offset + gain * value)
        for one, value in zip(self.controls, controls, strict=True):
            leaves[one.value_path] = jnp.stack([value, value])
        for path, leaf in leaves.items():
            form = replace_leaf(form, path, leaf)
        return form

    def _stack_numbers(self, form: Any, found: Any) -> Any:
        """Stacked numbers, with those that controls and variables change."""
        own, tree = jax.tree.flatten(stacks(self.layout, form, 1))
        kept = jax.tree.leaves(found)
        return jax.tree.unflatten(
            tree,
            [a if k in self._changed_numbers else b for k, (a, b) in enumerate(zip(own, kept, strict=True))],
        )

    @cached_property
    def _changed_numbers(self) -> frozenset[int]:
        """The stacked numbers that controls and variables move."""
        found: list[int] = []
        form = jax.tree.map(_with_lanes, self.form)

        def move_controls(controls: Any, values: Any) -> Any:
            leaves = jax.tree.leaves(stacks(self.layout, self._with_values(form, controls, values), 1))
            found[:] = [k for k, leaf in enumerate(leaves) if is_traced(leaf)]
            return [leaves[k] for k in found]

        now = np.zeros((len(self.controls), 1)), np.zeros((len(self.unknowns), 1))
        with np.errstate(all="ignore"):
            jvp(move_controls, now, now)
        return frozenset(found)

    @cached_property
    def _idle(self) -> np.ndarray:
        """Controls (control, 1) where none is steering."""
        own = [get(self.scenario, one.value_path)[0] for one in self.controls]
        return np.array(own, float).reshape(len(own), 1)

    # --- between phases

    def _begin(self, values: np.ndarray, t0: float) -> _ArcStart:
        """The start of the flight, by NumPy: once, where no variable moves it."""
        key = b"" if b"" in self._begun else np.append(values, t0).tobytes()
        if key in self._begun:
            return self._begun[key]
        free = max(len(self.unknowns), 1)
        own = np.repeat(values[:, None], free, 1)
        kept: dict[str, Any] = {}

        def start_arcs(values: Any) -> Any:
            form = self._with_values(
                jax.tree.map(_with_lanes, self.form), np.repeat(self._idle, free, 1), values
            )
            found = stacks(self.layout, form, 1)
            mechanism = self.program.mechanism(form, 1, None, found)
            begun = begin(mechanism, self.table, (free,), t0, found)
            kept["moves"] = any(map(is_traced, jax.tree.leaves((begun.x, begun.discrete, begun.reference))))
            kept["reference"] = jax.tree.map(_plain_first, begun.reference)
            flow = flow_of(self.program.mechanism(form, 1, begun.reference, found), self.table, t0)
            t = np.full(free, t0)
            x = flow.own(t, begun.x, begun.discrete)
            hit = np.zeros((len(self.table.conditions), free), bool)
            hit[[i for i, c in enumerate(self.table.conditions) if c.kind == "start"]] = True
            x, discrete = flow.fire(t, x, begun.discrete, hit, flow.measure(t, x, begun.discrete))
            return self.state(x), discrete

        with np.errstate(all="ignore"):
            found, slope = jvp(start_arcs, (own,), (np.eye(free)[: len(values)],))
        (state, discrete), (state_slope, changes) = found, slope
        first = jax.tree.map(_first, discrete)
        one = _ArcStart(np.array(state)[:, 0], np.array(state_slope), first, changes, kept["reference"])
        count = len(self.unknowns)
        one = one._replace(slope=one.slope[:, :count])
        self._begun = {b"" if not kept["moves"] else key: one}
        return one

    def switches_at(self, ends: Sequence[Any], times: np.ndarray, values: np.ndarray) -> Switched:
        """Return the switches and initial states of all phases.

        - ends: chart and coordinates (n,) at the end of each phase except the last phase.
        - times (phase + 1,): start time of the first phase, and end time of each phase [s].
        - values (variable,): values of the variables.
        """
        form, n = self.programs.form, self.size
        begun = self._begin(values, float(times[0]))
        given = self._start_arguments(begun)
        whole = np.zeros((form.switches, form.phases))
        changes = np.zeros((form.reals, form.phases, form.common_count))
        states = np.zeros((form.phases, n))
        slopes = np.zeros((form.phases, n, n + form.common_count))
        whole[:, 0] = self.packing.pack(jax.tree.map(_with_lanes, begun.discrete))[:, 0]
        own = self.packing.pack(begun.changes, only_real=True)[:, : form.unknowns]
        changes[:, 0, form.phases :] = np.where(np.isfinite(own), own, 0.0)
        states[0], slopes[0][:, n + form.phases :] = begun.state, begun.slope
        base = np.concatenate([times[1:], values])
        for k, (chart, zeta) in enumerate(ends):
            hit = np.zeros(form.conditions)
            hit[self.met[k]] = 1.0
            where = [
                zeta,
                self._idle[:, 0],
                *_flat(chart),
                np.eye(form.phases)[k],
                times[1:],
                values,
                times[:1],
                hit,
                base,
            ]
            shared = np.concatenate([*where, whole[:, k], changes[:, k].ravel()])
            value, slope = map(np.asarray, self.programs.fired(shared, given=given))
            states[k + 1], whole[:, k + 1] = value[:n], value[n:]
            slopes[k + 1] = slope[:, :n].T
            own = slope[n:, n:].T
            changes[:, k + 1] = np.where(np.isfinite(own), own, 0.0)
        return Switched(whole, changes, states, slopes, base, begun.reference, given)

    def switched_as(self, discrete: Sequence[Any], times: np.ndarray, reference: Any) -> Switched:
        """Return the switches of all phases from a flight, without derivatives.

        - discrete: discrete states at the start of each phase.
        - times (phase + 1,): start time of the first phase, and end time of each phase [s].
        - reference: reference state of the start of the flight.
        """
        form, n = self.programs.form, self.size
        whole = [self.packing.pack(jax.tree.map(_with_lanes, one)) for one in discrete]
        changes = np.zeros((form.reals, form.phases, form.common_count))
        states, slopes = np.zeros((form.phases, n)), np.zeros((form.phases, n, n + form.common_count))
        base = np.concatenate([times[1:], np.zeros(form.unknowns)])
        return Switched(np.concatenate(whole, 1), changes, states, slopes, base, reference, None)

    def _start_arguments(self, begun: _ArcStart) -> Any:
        """Arguments of the programs from the scenario, computed once for a start."""
        if self._kept is None or self._kept[0] is not begun:
            whole = jax.device_put((self.form, self.stacks, begun.reference))
            self._kept = begun, Given(*whole)
        return self._kept[1]

    _kept: Any = None

    def own(self, mechanism: Any, state: Any) -> Any:
        """Return the integrated state (see `PointFlow`) from position, inertial velocity, and states of
        models. The local origin is at the point mass.
        """
        none = jnp.zeros_like(state[:3])
        rest = np.zeros((mechanism.tail, *state.shape[1:]))
        return jnp.concatenate([none, none, state, rest])

    def state(self, x: Any) -> Any:
        """Return position, inertial velocity, and states of models from an integrated state (see
        `PointFlow`).
        """
        place, velocity, origin, speed, behind = split_state(x)
        return jnp.concatenate([place + origin, velocity + speed, behind[: self.layout.extra]])

    # --- at nodes

    def rates(self, nodes: Nodes, switched: Switched) -> Local:
        """Return four groups of rows at nodes, with derivatives.

        The groups are the states (n), their time derivatives (n), the requested quantities along phases, and
        the value of the condition that ends the phase.
        """
        return self._call(self.programs.rates, nodes, switched)

    def quantities_at(self, nodes: Nodes, switched: Switched) -> Local:
        """Return the quantities that are requested at some nodes, with derivatives. Each quantity is a
        row.
        """
        return self._call(self.programs.asked, nodes, switched)

    def _call(self, program: Any, nodes: Nodes, switched: Switched) -> Local:
        found = []
        for lanes, count in _batches(self._lanes(nodes, switched)):
            value, slope = program(lanes, given=switched.given)
            found.append((np.asarray(value)[:, :count], np.asarray(slope)[..., :count]))
        value, slope = (np.concatenate(parts, -1) for parts in zip(*found, strict=True))
        return Local(value, np.moveaxis(slope, 0, -1))

    def gradients(
        self, nodes: Nodes, switched: Switched, weights: np.ndarray, steps: np.ndarray, busy: np.ndarray
    ) -> np.ndarray:
        """Return derivatives of weighted sums of the rows of `rates`, evaluated after a step along each
        direction in `busy`.

        The shape of the result is (step, node, direction).

        - weights (row, node): weights of the rows.
        - steps (direction,): size of the step along each direction.
        - busy: indices of the directions in which a step is made.

        Reverse differentiation is used if possible, otherwise forward differentiation.
        """
        if self.programs.backward:
            with suppress(ValueError, NotImplementedError):  # as of loops that end when they are done
                found = self._backward(nodes, switched, weights, steps, busy)
                if np.isfinite(found).all():
                    return found
            self.programs.backward = False
        count, many = len(nodes.phase), len(busy)
        which = np.repeat(busy, count)
        slope = self.rates(
            nodes.some(np.tile(np.arange(count), many)).move(which, steps[which]), switched
        ).slope
        return np.einsum("oj,okjd->kjd", weights, slope.reshape(len(weights), many, count, -1))

    def _backward(
        self, nodes: Nodes, switched: Switched, weights: np.ndarray, steps: np.ndarray, busy: np.ndarray
    ) -> np.ndarray:
        which = np.full(self.directions, -1)
        which[: len(busy)] = busy
        found = []
        every = zip(_batches(self._lanes(nodes, switched)), _batches(weights), strict=True)
        for (lanes, count), (own, _) in every:
            some = self.programs.gradients(lanes, own, steps, which, given=switched.given)
            found.append(np.asarray(some)[: len(busy), :, :count])
        return np.moveaxis(np.concatenate(found, -1), 1, -1)

    def rates_here(self, nodes: Nodes, switched: Switched) -> np.ndarray:
        """Return the time derivatives of the states (n, node), evaluated by NumPy with the original
        tables.
        """
        given = jax.tree.map(np.asarray, (self.form, self.stacks, switched.reference))
        with np.errstate(all="ignore"):
            at, where = self.programs.of_nodes(given, self._lanes(nodes, switched))
            return np.asarray(self.programs.rates_at(at(*where)))[self.size : 2 * self.size]

    def _lanes(self, nodes: Nodes, switched: Switched) -> np.ndarray:
        """Arguments of the programs from nodes, (number, node)."""
        phase, count = nodes.phase, len(nodes.phase)
        unit, changes = np.eye(self.phases + 1), switched.changes[:, phase]
        charts = () if nodes.chart.up is None else nodes.chart
        parts = [nodes.zeta, nodes.controls, nodes.fractions[None], *charts, nodes.times[1:], nodes.values]
        parts += [nodes.times[:1], unit[:, phase], unit[:, phase + 1], np.array(self.ends)[None, phase]]
        parts += [np.repeat(switched.base[:, None], count, 1), switched.whole[:, phase]]
        return np.concatenate([*parts, np.moveaxis(changes, 1, -1).reshape(-1, count)])


def _batches(whole: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """Columns, so many as programs take at once; and how many of them there are: the last ones go along
    repeated."""
    for first in range(0, whole.shape[1], WIDTH):
        some = whole[:, first : first + WIDTH]
        count = some.shape[1]
        if count < WIDTH:
            some = np.concatenate([some, np.repeat(some[:, -1:], WIDTH - count, 1)], 1)
        yield some, count


class _ArcStart(NamedTuple):
    """The start of a flight: its state (n,), and derivatives (n, variable), switches and their changes, and
    what was settled."""

    state: np.ndarray
    slope: np.ndarray
    discrete: Any
    changes: Any
    reference: Any


def _gains(one: Unknown) -> list[tuple[Any, float, float]]:
    return list(zip(one.targets, one.offsets, one.gains, strict=True))


def _flat(chart: Chart) -> list[np.ndarray]:
    return [] if chart.up is None or chart.level is None else [chart.up[:, 0], chart.level[:, 0]]


def _with_lanes(leaf: Any) -> Any:
    return leaf if is_traced(leaf) else np.asarray(leaf)[..., None]


def _first(leaf: Any) -> Any:
    return np.asarray(leaf)[..., 0]


def _plain_first(leaf: Any) -> Any:
    value = leaf
    while hasattr(value, "tangent"):
        value = value.value
    return np.asarray(value)[..., 0]
