"""Compiled programs of collocation, with exact derivatives.

The programs compute rates at nodes, quantities at some nodes, and the start of a phase from the end of the
previous phase. Scenario inputs are arguments. All scenarios with the same structure therefore share one set
of programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....engine.minimal_coordinates import flow_of
from ....engine.quantity import scalar
from ....maths.arrays import jax, jnp, jvp, lax
from ....programs import compiled
from ....programs.program import FLIGHT, LANES
from .chart import Chart

if TYPE_CHECKING:
    from .arcs import Arcs

WIDTH = 40
"""Number of nodes in one call of a program."""


class Form(NamedTuple):
    """Sizes of the arguments of collocation programs.

    - size: number of coordinates of a node.
    - phases, controls, unknowns, switches, conditions: number of phases, controls, variables, switches and
      conditions.
    - reals: number of switches with real values.
    - round: whether there is a planet, so that charts convert coordinates to positions.
    """

    size: int
    phases: int
    controls: int
    unknowns: int
    switches: int
    reals: int
    conditions: int
    round: bool

    @property
    def directions(self) -> int:
        """Return the number of derivatives at a node: coordinates, end times of phases, controls and
        variables.
        """
        return self.size + self.phases + self.controls + self.unknowns

    @property
    def common_count(self) -> int:
        """Return the number of directions that are the same at all nodes: end times of phases and
        variables.
        """
        return self.phases + self.unknowns


class Taken:
    """Function that returns consecutive pieces of an array."""

    def __init__(self, whole: Any) -> None:
        self._whole, self._first = whole, 0

    def __call__(self, count: int) -> Any:
        """Return the next `count` rows of the array."""
        first, self._first = self._first, self._first + count
        return self._whole[first : self._first]


class Programs:
    """Set of compiled collocation programs.

    The argument `given` of the methods contains data of the scenario, the same data as stacked arrays, and
    the reference state of the start.
    """

    def __init__(self, arcs: Arcs, form: Form) -> None:
        self.arcs, self.form = arcs, form
        about = arcs.about
        known = {"about": about} if about is not None else {}

        way = compiled.Way(tuple(LANES.items()))

        def make(function: Callable[..., Any], name: str) -> Any:
            return compiled.Program(function, way, name=f"collocation {name}" if known else "", **known)

        self.rates = make(self._slopes(self.rates_at), "rates")
        """(cases) -> values (row, node), slopes (direction, row, node): of `rates_at`."""
        self.asked = make(self._slopes(self._quantities), "quantities")
        """The same for the quantities at some nodes."""
        self.gradients = make(self._gradients, "gradients")
        self.backward = True
        """Whether gradients are to be had backward."""
        way = compiled.Way(tuple(FLIGHT.items()), kernel=True)
        self.fired = make(self._start_flow, "switches")

    # --- one instant

    def of_nodes(self, given: Any, lanes: Any) -> tuple[Any, Any]:
        """Return a function that evaluates nodes, and its arguments.

        The arguments are coordinates, controls, end times of phases and variables, each (value, case). The
        function returns an `At`. `lanes`: all data of the nodes as one array (value, case).
        """
        n, form = self.form.size, self.form
        scenario, found, reference = jax.tree.map(_with_lanes, given)
        take = Taken(lanes)
        zeta, controls, fractions = take(n), take(form.controls), take(1)[0]
        chart = Chart(take(3), take(3)) if form.round else Chart(None, None)
        ends, values, t0 = take(form.phases), take(form.unknowns), take(1)
        low, high = take(form.phases + 1), take(form.phases + 1)
        end, base = take(1)[0].astype(int), take(form.common_count)
        switches, changes = take(form.switches), take(form.reals * form.common_count)
        changes = changes.reshape(form.reals, form.common_count, -1)

        def at(zeta: Any, controls: Any, ends: Any, values: Any) -> At:
            moments = jnp.concatenate([jnp.broadcast_to(t0, (1, ends.shape[1])), ends])
            first, last = jnp.sum(low * moments, 0), jnp.sum(high * moments, 0)
            t = first + fractions * (last - first)
            moved = jnp.concatenate([ends, values]) - base
            now = self._now(switches, changes, moved)
            mechanism = self.arcs.mechanism(scenario, found, reference, controls, values)
            flow = flow_of(mechanism, self.arcs.table, t0[0])
            state = chart.state(zeta)
            x = self.arcs.own(mechanism, state)
            return At(mechanism, flow, flow.here(t, x, now), x, state, end)

        return at, (zeta, controls, ends, values)

    def _now(self, switches: Any, changes: Any, moved: Any) -> Any:
        """The switches where the ends of phases and the variables have moved."""
        real, rest = switches[: self.form.reals], switches[self.form.reals :]
        real = jnp.where(jnp.isfinite(real), real + jnp.sum(changes * moved, 1), real)
        return self.arcs.packing.unpack(jnp.concatenate([real, rest]))

    def rates_at(self, at: At) -> Any:
        """Return four groups of rows (row, case) at evaluated nodes.

        The groups are the states, their time derivatives, the requested quantities, and the value of the
        condition that ends the phase.
        """
        here, x = at.here, at.x
        speed = self.arcs.state(at.flow.rate(here, x))
        watched = at.flow.watched_values(here)
        number = jnp.arange(watched.shape[0])[:, None]
        value = jnp.sum(jnp.where(number == at.end, watched, 0.0), 0)
        return jnp.concatenate([at.state, speed, self._of(self.arcs.along, here), value[None]])

    def _quantities(self, at: At) -> Any:
        return self._of(self.arcs.placed, at.here)

    def _of(self, quantities: Any, here: Any) -> Any:
        rows = [jnp.broadcast_to(scalar(q, part, here), here.t.shape)[None] for q, part in quantities]
        return jnp.concatenate([jnp.zeros((0, *here.t.shape)), *rows])

    # --- derivatives

    def _slopes(self, rows: Callable[[At], Any]) -> Callable[..., Any]:
        def program(form: Any, found: Any, reference: Any, lanes: Any) -> Any:
            at, where = self.of_nodes((form, found, reference), lanes)

            def along(unit: Any) -> Any:
                take = Taken(unit[:, None])
                slopes = tuple(
                    jnp.broadcast_to(take(one.shape[0]), one.shape) for one in self._split_directions(where)
                )
                return jvp(
                    lambda *some: rows(at(*self._join_directions(some))),
                    self._split_directions(where),
                    slopes,
                )

            return jax.vmap(along, out_axes=(None, 0))(jnp.eye(self.form.directions))

        return program

    def _split_directions(self, where: Any) -> Any:
        """In the order of directions: coordinates, ends of phases, controls, variables."""
        zeta, controls, ends, values = where
        return zeta, ends, controls, values

    def _join_directions(self, some: Any) -> Any:
        zeta, ends, controls, values = some
        return zeta, controls, ends, values

    def _gradients(
        self, form: Any, found: Any, reference: Any, lanes: Any, weights: Any, steps: Any, which: Any
    ) -> Any:
        """Gradients (moved, direction, node) of the rates' rows, times weights (row, node), where each of the
        first so many directions, whose numbers are in `which` (negative: none more), has moved by its
        step."""
        at, where = self.of_nodes((form, found, reference), lanes)
        where = self._split_directions(where)
        whole = jnp.concatenate(where)
        sizes = np.cumsum([one.shape[0] for one in where])[:-1]

        def gradient(whole: Any) -> Any:
            def total(whole: Any) -> Any:
                parts = jnp.split(whole, sizes)
                return jnp.sum(weights * self.rates_at(at(*self._join_directions(parts))))

            return jax.grad(total)(whole)

        def move(k: Any, kept: Any) -> Any:
            unit = (jnp.arange(len(steps)) == which[k]) * steps
            return lax.dynamic_update_index_in_dim(kept, gradient(whole + unit[:, None]), k, 0)

        none = jnp.zeros((len(steps), *whole.shape))
        return lax.fori_loop(0, jnp.sum(which >= 0), move, none)

    # --- between phases

    def _start_flow(self, form: Any, found: Any, reference: Any, shared: Any) -> Any:
        """State and switches (number,) at the start of a phase, and derivatives (direction, number).

        Derivatives are of the state and of real switches, by the coordinates of the end of the previous
        phase, the ends of phases and the variables."""
        scenario, found, reference = jax.tree.map(_with_lanes, (form, found, reference))
        own, n = self.form, self.form.size
        take = Taken(shared[:, None])
        zeta, controls = take(n), take(own.controls)
        chart = Chart(take(3), take(3)) if own.round else Chart(None, None)
        when, ends, values, t0 = take(own.phases), take(own.phases), take(own.unknowns), take(1)
        hit, base = take(own.conditions) > 0, take(own.common_count)
        switches, changes = take(own.switches), take(own.reals * own.common_count)
        changes = changes.reshape(own.reals, own.common_count, 1)

        def fire(zeta: Any, ends: Any, values: Any) -> Any:
            mechanism = self.arcs.mechanism(scenario, found, reference, controls, values)
            flow = flow_of(mechanism, self.arcs.table, t0[0, 0])
            moved = jnp.concatenate([ends, values]) - base
            now, t = self._now(switches, changes, moved), jnp.sum(when * ends, 0)
            x = self.arcs.own(mechanism, chart.state(zeta))
            x, now = flow.fire(t, x, now, hit, flow.measure(t, x, now))
            state, whole = self.arcs.state(x), self.arcs.packing.pack(now)
            return jnp.concatenate([state, whole[: own.reals]])[:, 0], whole[own.reals :, 0]

        def along(unit: Any) -> Any:
            take, where = Taken(unit[:, None]), (zeta, ends, values)
            return jax.jvp(fire, where, tuple(take(len(one)) for one in where), has_aux=True)

        value, slope, rest = jax.vmap(along, out_axes=(None, 0, None))(jnp.eye(n + own.common_count))
        return jnp.concatenate([value, rest]), slope


class At(NamedTuple):
    """Evaluated nodes.

    - mechanism, flow: equations of motion, and their integrated form.
    - here: mechanism evaluated at the times of the nodes.
    - x: integrated states, see `PointFlow`.
    - state: positions, inertial velocities, and states of models.
    - end: index of the condition that ends the phase.
    """

    mechanism: Any
    flow: Any
    here: Any
    x: Any
    state: Any
    end: Any


def _with_lanes(leaf: Any) -> Any:
    return leaf[..., None]
