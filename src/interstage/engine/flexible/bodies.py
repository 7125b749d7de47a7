"""`FlexibleBodies`: modes, states, energy and attachment nodes of all flexible bodies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import add_axes
from ...model.attachments import Motion, between, pick
from ...model.flexible import Attachment, FlexibleBody, attachments
from ..contract import Linearizable, LinearState, Stacked
from . import modal_stiffness, node_motion
from .columns import NodeKey
from .modal_stiffness import Modes, along
from .node_motion import NodeStates

if TYPE_CHECKING:
    from ..here import Here
    from ..mechanism import Mechanism
    from ..state import Discrete


class FlexibleBodies(Stacked, Linearizable):
    """Model of all flexible bodies of a scenario, which may have none. The states are the coordinates of all
    modes, then their rates.

    For modes that depend on mass, a subclass overrides `modes_in`, `level_rates` and `follows_mass`.
    """

    name = "flexible"
    group = "forces"
    kinds = (FlexibleBody,)
    state_description = "modes of bodies"

    # --- structure

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Return the number of modes of each flexible body."""
        return tuple(item.count for item in self.items)

    def modes_of(self, k: int) -> slice:
        """Return the slice of the modes of the flexible body with index k."""
        first = sum(self.counts[:k])
        return slice(first, first + self.counts[k])

    @cached_property
    def mode_bodies(self) -> tuple[int, ...]:
        """Return the index of the body of each mode."""
        every = zip(self.items, self.counts, strict=True)
        return tuple(self.layout.body(item.body) for item, count in every for _ in range(count))

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """Return the attachments on the flexible bodies, in the order of the nodes."""
        bodies = {item.body for item in self.items}
        return tuple(attachments(self.layout.scenario, bodies)) if bodies else ()

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """Return for each node the index of its body among the flexible bodies."""
        number = {item.body: k for k, item in enumerate(self.items)}
        return tuple(number[one.body] for one in self.attachments)

    @cached_property
    def nodes(self) -> tuple[NodeKey, ...]:
        """Return the key of each node."""
        return tuple((type(one.item).__name__, one.item.name, one.end) for one in self.attachments)

    @cached_property
    def node_bodies(self) -> np.ndarray:
        """Return for each node the index of its body among all bodies."""
        return np.array([self.layout.body(one.body) for one in self.attachments], int)

    @property
    def follows_mass(self) -> bool:
        """Return whether modes depend on mass. Default: false."""
        return False

    # --- states

    @cached_property
    def states(self) -> int:
        """Return the number of states: coordinates and rates of all modes."""
        return 2 * sum(self.counts)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the names of the states: coordinates of all modes, then their rates."""
        names = [
            f"{item.name}.mode_{n + 1}" for item, count in zip(self.items, self.counts) for n in range(count)
        ]
        return tuple(f"{mode}.{what}" for what in ("coordinate", "rate") for mode in names)

    @property
    def linear_states(self) -> tuple[LinearState, ...]:
        """Return descriptions of the linear states: coordinates and rates of all modes, with their units."""
        units = {"coordinate": "m", "rate": "m/s"}
        each = zip(self.items, self.counts)
        things = [f"mode {n + 1} of {item.name}" for item, count in each for n in range(count)]
        each = zip(self.labels, [*things, *things], strict=True)
        return tuple(
            LinearState(f"{self.name}.{label}", units[kind], thing, kind)
            for label, thing in each
            for kind in [label.rpartition(".")[2]]
        )

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """Return the states of this model in x as the linear states."""
        return mechanism.own(self.name, x)

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Return the linear states `values` as the states of this model."""
        return values

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Return the declared coordinates and rates of all modes (`states`, *cases). `lanes`: shape of the
        case axes.
        """
        rows = []
        for name in ("coordinate", "rate"):
            for item, count in zip(self.of(mechanism.scenario), self.counts, strict=True):
                value = getattr(item, name)
                value = jnp.zeros(1) if value is None else jnp.asarray(value)
                value = add_axes(value, 1 + len(lanes))
                rows.append(jnp.broadcast_to(value, (count, *lanes)))
        return jnp.concatenate(rows)

    def coordinates(self, own: Any) -> tuple[Any, Any]:
        """Return modal coordinates q and rates q', each (mode, *cases), from the states of this model."""
        count = sum(self.counts)
        return own[:count], own[count:]

    def coordinates_in(self, mechanism: Mechanism, x: Any) -> tuple[Any, Any]:
        """Return modal coordinates q and rates q', each (mode, *cases), from a state x of the mechanism."""
        return self.coordinates(mechanism.own(self.name, x))

    def displace(self, mechanism: Mechanism, x: Any, by: Any, jump: Any) -> Any:
        """Return the state x with q changed by `by` and q' changed by `jump`, each (mode, *cases)."""
        own = mechanism.own(self.name, x) + jnp.concatenate([by, jump])
        return mechanism.with_own(x, {self.name: own}, "displace")

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Return the states after a change of the modal rates over a step of h [s]; see `HasState.kick`."""
        q, rate = self.coordinates(own)
        return jnp.concatenate([q, rate + h * self.coordinates(rates)[1]])

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Return the states after a change of the modal coordinates over a step of h [s]; see
        `HasState.drift`.
        """
        q, rate = self.coordinates(own)
        return jnp.concatenate([q + h * self.coordinates(fast)[1], rate])

    def sizes(self, mechanism: Mechanism) -> Any:
        """Return for each state the magnitude below which the integration tolerance is absolute (`states`,
        *cases).

        With these magnitudes, points of flexible bodies have the same tolerance as bodies
        (`Mechanism.scales`). Steps do not depend on the normalization of the modes.
        """
        own, (length, speed, rate) = self.modes(mechanism), mechanism.scales()
        place = jnp.maximum(own.moved / length, own.turned)
        motion = jnp.maximum(own.moved / speed, own.turned / rate)
        return 1.0 / jnp.concatenate(jnp.broadcast_arrays(place, motion))

    # --- numbers

    def stack_numbers(self, scenario: Any, lanes: int) -> Modes:
        """Return the values of all modes and nodes, for each body at its highest mass level."""
        declared = self.of(scenario)
        found = modal_stiffness.at_levels(self, scenario, [item.at_levels[-1] for item in declared], lanes)
        bodies = {body.name: body for body in scenario.bodies}
        both = [modal_stiffness.largest(item.at_levels, bodies[item.body].mass, lanes) for item in declared]
        moved, turned = (modal_stiffness.side_by_side(list(each), 0) for each in zip(*both, strict=True))
        return found._replace(moved=moved, turned=turned)

    def with_centres(self, own: Modes, centre: Any) -> Modes:
        """Return the values `own` with updated arms, from the centres of mass to the nodes."""
        if not self.nodes:
            return own._replace(arm=own.place)
        return own._replace(arm=jnp.asarray(own.place) - pick(centre, self.node_bodies, 1))

    def modes(self, mechanism: Mechanism) -> Modes:
        """Return the values of all modes and nodes at the masses of the mechanism."""
        return mechanism.numbers.own[self.name]

    def modes_in(self, mechanism: Mechanism, x: Any) -> Modes:
        """Return the values of all modes and nodes at the masses of a state x. Default: the values of the
        mechanism.
        """
        return self.modes(mechanism)

    def level_rates(self, here: Here) -> Any:
        """Return for each mode the rate of the mass level on which it depends [kg/s] (mode, *cases). Required
        if `follows_mass` is true.
        """
        raise NotImplementedError

    # --- an instant

    def find(self, here: Here) -> NodeStates:
        """Return the motion of the nodes relative to their bodies."""
        return node_motion.states(self.modes(here.mechanism), *self.coordinates(here.own(self.name)))

    def node_motion(self, mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
        """Return the motion of the nodes in a state x, for a motion of the bodies."""
        found = node_motion.states(self.modes_in(mechanism, x), *self.coordinates_in(mechanism, x))
        return node_motion.motion(found, motion, self.node_bodies)

    def drifting_motion(self, here: Here) -> Motion:
        """Return the motion of the nodes including the effect of mode shapes that change with mass. Requires
        `follows_mass`.
        """
        motion = between(here.motion, self.layout.columns.of_nodes)
        rotation = pick(here.motion.rotation, self.node_bodies, 2)
        drift = self._drift(here, self.coordinates(here.own(self.name))[0])
        return node_motion.drifting(here[self.name], motion, rotation, *drift)

    def node_loads(
        self, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Sequence[int] | np.ndarray
    ) -> tuple[Any, Any]:
        """Convert loads on nodes to loads on bodies and generalized loads on modes; see `node_motion.loads`.

        - loads (6, load, *cases): loads on the nodes.
        - which (load,): indices of the loaded nodes.
        """
        own = self.modes_in(mechanism, x)
        found = node_motion.states(own, *self.coordinates_in(mechanism, x))
        rotation = pick(motion.rotation, self.node_bodies[which], 2)
        return node_motion.loads(own, found, rotation, loads, which)

    def node_accelerations(self, here: Here, acceleration: Any, second: Any) -> Any:
        """Return the accelerations of the nodes (6, node, *cases).

        acceleration (6, body, *cases): accelerations of the bodies. second (mode, *cases): modal
        accelerations q''.
        """
        q, rate = self.coordinates(here.own(self.name))
        fields = (here.motion.rotation, 2), (here.motion.spin_body, 1), (acceleration, 1)
        carriers = node_motion.Carriers(*(pick(field, self.node_bodies, axis) for field, axis in fields))
        modes, states, drift = self.modes(here.mechanism), here[self.name], None
        if self.follows_mass:
            drift = node_motion.Drift(*self._drift(here, q), *self._drift(here, rate))
        return node_motion.accelerations(modes, states, (rate, second), carriers, drift)

    def _drift(self, here: Here, of: Any) -> tuple[Any, Any]:
        """Velocities and rotation rates of nodes by the change of shapes with given coordinates or rates (3,
        node, *cases), body axes."""
        bend, by = self.modes(here.mechanism).bend, of * self.level_rates(here)
        return along(bend[:3], by), along(bend[3:], by)

    def free_acceleration(self, here: Here) -> Any:
        """Return the modal accelerations (mode, *cases) due to strain, damping and the change of generalized
        masses.
        """
        own = self.modes(here.mechanism)
        q, rate = self.coordinates(here.own(self.name))
        found = -own.frequency * (2 * own.damping * rate + own.frequency * q)
        return found - own.gain * self.level_rates(here) / own.mass * rate if self.follows_mass else found

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the time derivatives of the states (`states`, *cases)."""
        return jnp.concatenate([self.coordinates(here.own(self.name))[1], here.generalized_accelerations])

    def energies(self, here: Here) -> tuple[Any, Any]:
        """Return strain energy and kinetic energy of each mode [J], each (mode, *cases)."""
        own = self.modes(here.mechanism)
        q, rate = self.coordinates(here.own(self.name))
        return 0.5 * own.mass * (own.frequency * q) ** 2, 0.5 * own.mass * rate**2

    def stored_energy(self, here: Here) -> Any:
        """Return the energy of all modes, including kinetic energy [J] (*cases)."""
        strain, motion = self.energies(here)
        return jnp.sum(strain + motion, 0)
