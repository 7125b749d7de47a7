"""The equations of motion of a point at many nodes of its phases at once, with exact derivatives.

States, controls and times of nodes are lanes of one evaluation of the engine's own equations, by dual numbers
in NumPy (`maths.dual`): nothing is compiled. A control is a table over time of the scenario; at a node it is
one number, whatever the times of its points, so that a node depends on few variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ....engine.minimal_coordinates import flow_of
from ....engine.quantity import scalar
from ....engine.stacks import stacks
from ....flight.directions import Changing, changing
from ....flight.program import program_for
from ....flight.start import begin
from ....maths.arrays import is_traced, jax, jnp, jvp
from ....quantities.catalogue import catalogue, lookup
from ....tree.declaration import get, replaced
from ..variables import Unknown
from .chart import Chart


class Local(NamedTuple):
    """Values (row, node), and their derivatives (row, node, direction): by the coordinates of the node, the
    ends of all phases, the controls, and the variables."""

    value: np.ndarray
    slope: np.ndarray


class Switched(NamedTuple):
    """Switches in each phase, with changes along the ends of phases and the variables; states (n,) at the
    start of each phase, and their derivatives (n, direction) by the coordinates of the end of the phase
    before, the ends of phases, and the variables."""

    phases: list[Changing]
    states: list[np.ndarray]
    slopes: list[np.ndarray]
    reference: Any


class Arcs:
    """Equations of a scenario's phases. controls: paths of tables; tables (path): as they are evaluated, of
    two equal points. ends: the number of the condition that ends each phase."""

    def __init__(
        self, scenario: Any, controls: Sequence[Any], unknowns: Sequence[Unknown], asked: Sequence[str]
    ) -> None:
        self.controls, self.unknowns = tuple(controls), tuple(unknowns)
        for one in controls:
            scenario = one.at_once(scenario)
        self.scenario = scenario
        self.program = program_for(scenario)
        self.table, self.layout = self.program.table, self.program.layout
        self.phases = len(scenario.phases)
        known = catalogue(scenario)
        self.asked = [lookup(known, path) for path in asked]
        self.size = 6 + self.layout.extra
        self.ends = [self._ending(k + 1) for k in range(self.phases)]
        self.met: list[list[int]] = [[end] for end in self.ends]
        """Conditions that are met together at the end of each phase."""

    def _ending(self, event: int) -> int:
        return next(i for i, c in enumerate(self.table.conditions) if c.event == event)

    @property
    def directions(self) -> int:
        """Of a node: its coordinates, the ends of phases, controls, variables."""
        return self.size + self.phases + len(self.controls) + len(self.unknowns)

    # --- numbers of the scenario

    def _leaves(self, values: np.ndarray, controls: np.ndarray, lanes: int) -> dict[str, np.ndarray]:
        """Leaves (..., lanes) for variables (variable, lane) and controls (control, lane)."""
        found: dict[str, np.ndarray] = {}
        for one, value in zip(self.unknowns, values, strict=True):
            for target, offset, gain in zip(one.targets, one.offsets, one.gains, strict=True):
                own = np.asarray(get(self.scenario, target.path), float)
                whole = found.setdefault(
                    target.path, np.array(np.broadcast_to(own[..., None], (*own.shape, lanes)))
                )
                whole[target.index] = offset + gain * value
        for one, value in zip(self.controls, controls, strict=True):
            found[one.value_path] = np.stack([value, value])
        return found

    def _slopes(self, values: np.ndarray, controls: np.ndarray, lanes: int) -> dict[str, np.ndarray]:
        """Changes of these leaves for changes of variables and controls."""
        found: dict[str, np.ndarray] = {}
        for one, value in zip(self.unknowns, values, strict=True):
            for target, gain in zip(one.targets, one.gains, strict=True):
                own = np.asarray(get(self.scenario, target.path), float)
                whole = found.setdefault(target.path, np.zeros((*own.shape, lanes)))
                whole[target.index] = whole[target.index] + gain * value
        for one, value in zip(self.controls, controls, strict=True):
            found[one.value_path] = np.stack([value, value])
        return found

    def _along(self, function: Any, own: Any, slopes: Any, more: Any, changes: Any) -> Any:
        """Value and change of function(mechanism maker, *more); more: a list of float arrays."""

        def moved(leaves: dict[str, Any], some: list[Any]) -> Any:
            changed = self.scenario
            for path, leaf in leaves.items():
                changed = replaced(changed, path, leaf)
            form = jax.tree.map(_with_lanes, self.program.form(changed))
            return function(form, stacks(self.layout, form, 1), *some)

        with np.errstate(all="ignore"):
            return jvp(moved, (own, more), (slopes, changes))

    # --- between phases

    def switched(self, ends: Sequence[Any], times: np.ndarray, values: np.ndarray) -> Switched:
        """Switches and starts of phases. ends: (chart, coordinates (n,)) of the end of each phase but the
        last; times (phase + 1): of their ends, that of the start first; values: of the variables."""
        n, phases, free = self.size, self.phases, len(self.unknowns)
        count = n + phases + free
        unit = np.eye(count)
        own = self._leaves(np.repeat(values[:, None], count, 1), self._idle(count), count)
        slopes = self._slopes(unit[n + phases :], np.zeros((len(self.controls), count)), count)
        given = [np.repeat(np.asarray(zeta)[:, None], count, 1) for _, zeta in ends]
        moments = [np.full(count, t) for t in times[1:]]
        kept: dict[str, Any] = {}

        def chain(form: Any, found: Any, *some: Any) -> Any:
            states, when = some[: len(ends)], some[len(ends) :]
            mechanism = self.program.mechanism(form, 1, None, found)
            begun = begin(mechanism, self.table, (count,), times[0], found)
            kept["reference"] = jax.tree.map(_plain_first, begun.reference)
            mechanism = self.program.mechanism(form, 1, begun.reference, found)
            flow = flow_of(mechanism, self.table, times[0])
            t = np.full(count, times[0])
            x = flow.own(t, begun.x, begun.discrete)
            hit = self._hit([i for i, c in enumerate(self.table.conditions) if c.kind == "start"], count)
            x, discrete = flow.fire(t, x, begun.discrete, hit, flow.measure(t, x, begun.discrete))
            found_here = [(self.state(mechanism, x), discrete)]
            for k, ((chart, _), zeta) in enumerate(zip(ends, states, strict=True)):
                x = self.own(mechanism, chart.repeated(count).state(zeta))
                hit = self._hit(self.met[k], count)
                x, discrete = flow.fire(when[k], x, discrete, hit, flow.measure(when[k], x, discrete))
                found_here.append((self.state(mechanism, x), discrete))
            return found_here

        here = [np.array(unit[:n]) for _ in ends]
        found, change = self._along(
            chain, own, slopes, [*given, *moments], [*here, *(unit[n + k] for k in range(phases))]
        )
        every = [
            changing(jax.tree.map(_first, discrete), jax.tree.map(_tail(n), moved))
            for (_, discrete), (_, moved) in zip(found, change, strict=True)
        ]
        states = [np.array(state)[:, 0] for state, _ in found]
        return Switched(every, states, [np.array(state) for state, _ in change], kept["reference"])

    def _hit(self, numbers: list[int], lanes: int) -> np.ndarray:
        found = np.zeros((len(self.table.conditions), lanes), bool)
        found[numbers] = True
        return found

    def _idle(self, lanes: int) -> np.ndarray:
        own = [get(self.scenario, one.value_path)[0] for one in self.controls]
        return np.array([np.full(lanes, value) for value in own]).reshape(len(own), lanes)

    def own(self, mechanism: Any, state: Any) -> Any:
        """The state that is stepped (`PointFlow`), its local origin right at the point."""
        none = jnp.zeros_like(state[:3])
        rest = np.zeros((mechanism.tail, *state.shape[1:]))
        q = np.broadcast_to(np.array([[1.0], [0], [0], [0]]), (4, state.shape[1]))
        behind = jnp.concatenate([state[6:], rest])
        return mechanism.pack(
            none[:, None], none[:, None], q[:, None], none[:, None], state[:3], state[3:6], behind
        )

    def state(self, mechanism: Any, x: Any) -> Any:
        """Position, velocity (inertial), and what parts have of their own, of a state that is stepped."""
        r, v, _, _, origin, speed = mechanism.split(x)
        behind = mechanism.behind(x)[: self.layout.extra]
        return jnp.concatenate([r[:, 0] + origin, v[:, 0] + speed, behind])

    # --- at nodes

    def at(
        self,
        phase: int,
        chart: Chart,
        zeta: np.ndarray,
        times: np.ndarray,
        fractions: np.ndarray,
        controls: np.ndarray,
        values: np.ndarray,
        switched: Switched,
        only: np.ndarray | None = None,
    ) -> Local:
        """At nodes of a phase, of coordinates zeta (n, node), at fractions (node,) of its time, with controls
        (control, node): states (n), their rates (n), the quantities asked for, and what ends the phase, as
        rows. values: of the variables, (variable, node); times (phase + 1, node);
        only: numbers of the directions along which derivatives are wanted, none meaning all."""
        n, phases, many = self.size, self.phases, len(self.controls)
        some = np.arange(self.directions) if only is None else only
        nodes, count = zeta.shape[1], len(some)
        lanes = nodes * count
        unit = np.tile(np.eye(self.directions)[:, some], nodes)  # (direction, lane): one for its own
        ends = unit[n : n + phases]
        moments = times[phase] + fractions * (times[phase + 1] - times[phase])
        t_slope = np.zeros(lanes)
        each = np.repeat(fractions, count)
        if phase > 0:
            t_slope = t_slope + (1 - each) * ends[phase - 1]
        t_slope = t_slope + each * ends[phase]
        lane = np.repeat(np.arange(nodes), count)
        own = self._leaves(values[:, lane], controls[:, lane], lanes)
        slopes = self._slopes(unit[n + phases + many :], unit[n + phases : n + phases + many], lanes)
        discrete, changes = self._switches(
            switched.phases[phase], unit, times[1:] - self._times[1:, None], lane
        )
        flat, tree = jax.tree.flatten(discrete)
        real = [k for k, change in enumerate(changes) if change is not None]
        reference = jax.tree.map(_with_lanes, switched.reference)
        wide = chart.repeated(count)
        end = self.ends[phase]

        def rows(form: Any, found: Any, zeta: Any, t: Any, *some: Any) -> Any:
            mechanism = self.program.mechanism(form, 1, reference, found)
            flow = flow_of(mechanism, self.table, self._times[0])
            whole = list(flat)
            for k, leaf in zip(real, some, strict=True):
                whole[k] = leaf
            now = jax.tree.unflatten(tree, whole)
            state = wide.state(zeta)
            x = self.own(mechanism, state)
            here = flow.here(t, x, now)
            rate = flow.rate(here, x)
            r, v, _, _, o, vo = mechanism.split(rate)
            speed = [r[:, 0] + o, v[:, 0] + vo, mechanism.behind(rate)[: self.layout.extra]]
            asked = [jnp.broadcast_to(scalar(q, part, here), t.shape)[None] for q, part in self.asked]
            value = flow.watched(here)[end]
            return jnp.concatenate([state, *speed, *asked, value[None]])

        more = [np.repeat(zeta, count, 1), np.repeat(moments, count), *(flat[k] for k in real)]
        change = [unit[:n], t_slope, *(changes[k] for k in real)]
        found, moved = self._along(rows, own, slopes, more, change)
        return Local(np.asarray(found)[:, ::count], np.asarray(moved).reshape(-1, nodes, count))

    def fix(self, times: np.ndarray) -> None:
        """Times (phase + 1) at which switches were found; those of nodes may be a little off these."""
        self._times = np.array(times)

    def _switches(self, one: Changing, unit: np.ndarray, moved: np.ndarray, lane: np.ndarray) -> Any:
        """Switches at lanes, and their changes: along the ends of phases and the variables."""
        n, phases, many = self.size, self.phases, len(self.controls)
        some = np.concatenate([unit[n : n + phases], unit[n + phases + many :]])
        flat, tree = jax.tree.flatten(one.value)
        values, changes = [], []
        for leaf, change in zip(flat, one.changes, strict=True):
            leaf = np.broadcast_to(np.asarray(leaf)[..., None], (*np.shape(leaf), len(lane)))
            if change is not None:
                change = np.where(np.isfinite(change), change, 0.0)
                shift = np.tensordot(change[..., :phases], moved[:, lane], 1)
                leaf = np.where(np.isfinite(leaf), leaf + shift, leaf)
                change = np.tensordot(change, some, 1)
            values.append(leaf)
            changes.append(change)
        return jax.tree.unflatten(tree, values), changes


def _with_lanes(leaf: Any) -> Any:
    return leaf if is_traced(leaf) else np.asarray(leaf)[..., None]


def _first(leaf: Any) -> Any:
    return np.asarray(leaf)[..., 0]


def _plain_first(leaf: Any) -> Any:
    value = leaf
    while hasattr(value, "tangent"):
        value = value.value
    return np.asarray(value)[..., 0]


def _tail(n: int) -> Any:
    return lambda leaf: np.asarray(leaf)[..., n:]
