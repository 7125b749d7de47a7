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
from . import mode_numbers, node_motion
from .columns import NodeKey
from .mode_numbers import Modes, along
from .node_motion import NodeStates

if TYPE_CHECKING:
    from ..here import Here
    from ..mechanism import Mechanism
    from ..state import Discrete


class FlexibleBodies(Stacked, Linearizable):
    """All flexible bodies of a scenario, which may have none. Its states are the coordinates of all modes,
    then their rates.

    A subclass may override `modes_in`, `level_rates` and `follows_mass` for modes that depend on mass."""

    name = "flexible"
    group = "forces"
    kinds = (FlexibleBody,)
    state_description = "modes of bodies"

    # --- structure

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Number of modes of each body."""
        return tuple(item.count for item in self.items)

    def modes_of(self, k: int) -> slice:
        """Slice of the modes of one body."""
        first = sum(self.counts[:k])
        return slice(first, first + self.counts[k])

    @cached_property
    def mode_bodies(self) -> tuple[int, ...]:
        """Index of the body of each mode."""
        every = zip(self.items, self.counts, strict=True)
        return tuple(self.layout.body(item.body) for item, count in every for _ in range(count))

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """Attachments on the flexible bodies, in the order of the nodes."""
        bodies = {item.body for item in self.items}
        return tuple(attachments(self.layout.scenario, bodies)) if bodies else ()

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """Index, among the flexible bodies, of the body of each node."""
        number = {item.body: k for k, item in enumerate(self.items)}
        return tuple(number[one.body] for one in self.attachments)

    @cached_property
    def nodes(self) -> tuple[NodeKey, ...]:
        """Keys of the nodes."""
        return tuple((type(one.item).__name__, one.item.name, one.end) for one in self.attachments)

    @cached_property
    def node_bodies(self) -> np.ndarray:
        """Index of the body of each node."""
        return np.array([self.layout.body(one.body) for one in self.attachments], int)

    @property
    def follows_mass(self) -> bool:
        """Whether modes depend on mass."""
        return False

    # --- states

    @cached_property
    def states(self) -> int:
        """Coordinates and rates."""
        return 2 * sum(self.counts)

    @property
    def labels(self) -> tuple[str, ...]:
        """Coordinates of all modes, then their rates."""
        names = [
            f"{item.name}.mode_{n + 1}" for item, count in zip(self.items, self.counts) for n in range(count)
        ]
        return tuple(f"{mode}.{what}" for what in ("coordinate", "rate") for mode in names)

    @property
    def linear_states(self) -> tuple[LinearState, ...]:
        """Coordinates and rates as linear states, with their units."""
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
        """The states, unchanged."""
        return mechanism.own(self.name, x)

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """The linear states, unchanged."""
        return values

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Coordinates and rates as declared."""
        rows = []
        for name in ("coordinate", "rate"):
            for item, count in zip(self.of(mechanism.scenario), self.counts, strict=True):
                value = getattr(item, name)
                value = jnp.zeros(1) if value is None else jnp.asarray(value)
                value = add_axes(value, 1 + len(lanes))
                rows.append(jnp.broadcast_to(value, (count, *lanes)))
        return jnp.concatenate(rows)

    def coordinates(self, own: Any) -> tuple[Any, Any]:
        """q and q' (mode, *cases) from the states."""
        count = sum(self.counts)
        return own[:count], own[count:]

    def coordinates_in(self, mechanism: Mechanism, x: Any) -> tuple[Any, Any]:
        """q and q' (mode, *cases) in a state of the mechanism."""
        return self.coordinates(mechanism.own(self.name, x))

    def displace(self, mechanism: Mechanism, x: Any, by: Any, jump: Any) -> Any:
        """The state with q moved by `by` and q' changed by `jump` (mode, *cases)."""
        own = mechanism.own(self.name, x) + jnp.concatenate([by, jump])
        return mechanism.with_own(x, {self.name: own}, "displace")

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Rates of the coordinates."""
        q, rate = self.coordinates(own)
        return jnp.concatenate([q, rate + h * self.coordinates(rates)[1]])

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Coordinates."""
        q, rate = self.coordinates(own)
        return jnp.concatenate([q + h * self.coordinates(fast)[1], rate])

    def sizes(self, mechanism: Mechanism) -> Any:
        """Scales of the states. The tolerance of points is then the tolerance of bodies, which is absolute up
        to `scales`. Steps do not depend on the normalization of modes."""
        own, (length, speed, rate) = self.modes(mechanism), mechanism.scales()
        place = jnp.maximum(own.moved / length, own.turned)
        motion = jnp.maximum(own.moved / speed, own.turned / rate)
        return 1.0 / jnp.concatenate(jnp.broadcast_arrays(place, motion))

    # --- numbers

    def stack_numbers(self, scenario: Any, lanes: int) -> Modes:
        """Numbers of all modes and nodes, with each body at its highest level."""
        declared = self.of(scenario)
        found = mode_numbers.at_levels(self, scenario, [item.at_levels[-1] for item in declared], lanes)
        bodies = {body.name: body for body in scenario.bodies}
        both = [mode_numbers.largest(item.at_levels, bodies[item.body].mass, lanes) for item in declared]
        moved, turned = (mode_numbers.side_by_side(list(each), 0) for each in zip(*both, strict=True))
        return found._replace(moved=moved, turned=turned)

    def with_centres(self, own: Modes, centre: Any) -> Modes:
        """Numbers with the arms from the centres of mass."""
        if not self.nodes:
            return own._replace(arm=own.place)
        return own._replace(arm=jnp.asarray(own.place) - pick(centre, self.node_bodies, 1))

    def modes(self, mechanism: Mechanism) -> Modes:
        """Numbers of the modes, at the masses of the mechanism."""
        return mechanism.numbers.own[self.name]

    def modes_in(self, mechanism: Mechanism, x: Any) -> Modes:
        """Numbers of the modes at the masses of a state. Default: the numbers of the mechanism."""
        return self.modes(mechanism)

    def level_rates(self, here: Here) -> Any:
        """Rates of the levels on which modes depend [kg/s] (mode, *cases), if `follows_mass`."""
        raise NotImplementedError

    # --- an instant

    def find(self, here: Here) -> NodeStates:
        """Motion of the nodes in their bodies."""
        return node_motion.states(self.modes(here.mechanism), *self.coordinates(here.own(self.name)))

    def node_motion(self, mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
        """Motion of the nodes of bodies with `motion`."""
        found = node_motion.states(self.modes_in(mechanism, x), *self.coordinates_in(mechanism, x))
        return node_motion.motion(found, motion, self.node_bodies)

    def drifting_motion(self, here: Here) -> Motion:
        """Motion of the nodes with the change of shapes, if `follows_mass`."""
        motion = between(here.motion, self.layout.columns.of_nodes)
        rotation = pick(here.motion.rotation, self.node_bodies, 2)
        drift = self._drift(here, self.coordinates(here.own(self.name))[0])
        return node_motion.drifting(here[self.name], motion, rotation, *drift)

    def node_loads(
        self, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Sequence[int] | np.ndarray
    ) -> tuple[Any, Any]:
        """Loads (6, load, *cases) on nodes as loads on bodies and on modes; see `node_motion.loads`."""
        own = self.modes_in(mechanism, x)
        found = node_motion.states(own, *self.coordinates_in(mechanism, x))
        rotation = pick(motion.rotation, self.node_bodies[which], 2)
        return node_motion.loads(own, found, rotation, loads, which)

    def node_accelerations(self, here: Here, acceleration: Any, second: Any) -> Any:
        """Accelerations of the nodes (6, node, *cases) with accelerations of the bodies (6, body, *cases) and
        of the modes (mode, *cases)."""
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
        """Modal accelerations (mode, *cases) from strain, damping and change of generalized masses."""
        own = self.modes(here.mechanism)
        q, rate = self.coordinates(here.own(self.name))
        found = -own.frequency * (2 * own.damping * rate + own.frequency * q)
        return found - own.gain * self.level_rates(here) / own.mass * rate if self.follows_mass else found

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Derivatives of the states."""
        return jnp.concatenate([self.coordinates(here.own(self.name))[1], here.generalized_accelerations])

    def energies(self, here: Here) -> tuple[Any, Any]:
        """Strain energy and kinetic energy of each mode [J] (mode, *cases)."""
        own = self.modes(here.mechanism)
        q, rate = self.coordinates(here.own(self.name))
        return 0.5 * own.mass * (own.frequency * q) ** 2, 0.5 * own.mass * rate**2

    def stored_energy(self, here: Here) -> Any:
        """Energy of all modes, including kinetic energy [J]."""
        strain, motion = self.energies(here)
        return jnp.sum(strain + motion, 0)
