"""The model that computes control laws and actuators during a flight: inputs, commands and positions.

A law reads quantities by their paths in the results. A continuous law reads its quantities before any force
is computed, so it cannot read accelerations and loads. A law with a sample period reads its quantities at its
samples. Such a law can read all quantities, and its command is constant between samples.

Actuators follow the commands. Engines and aerodynamics read commands and positions by name, as signals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ...engine.by_name import by_name
from ...engine.contract import (
    Break,
    Commands,
    Fired,
    HasEvents,
    HasState,
    Kept,
    Makers,
    Persistent,
    Sampled,
    Stacked,
    Tabulated,
)
from ...engine.event_table import Condition, EventTable
from ...engine.here import Here, Unmeasured
from ...engine.quantity import Quantity, scalar
from ...environment import flight_path
from ...environment.surroundings import level_rate
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.vectors import add_axes
from ...tree.errors import BadInput, Problem
from . import actuator, declared, gain_schedule, throttle, trim
from . import laws as control_laws
from .declared import PID, AttitudeHold, ThrottleLimit
from .quantities import command_quantity, limited_quantity, moment_quantity, position_quantity

if TYPE_CHECKING:
    from ...engine.layout import Layout
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete
    from ...quantities.catalogue import Catalogue


AXES = 9 + 3
"""The number of values of rotating reference axes: a matrix of directions and an angular velocity."""
STANCE = 4 + 3
"""The number of values that describe a guidance attitude: a quaternion and an angular velocity."""


class Steered(NamedTuple):
    """Results of the model at one time.

    - signals: commands of control laws and positions of actuators (*cases), by name.
    - rates: rates of change of the states (state, *cases)."""

    signals: dict[str, Any]
    rates: Any


class Signals(dict[str, Any]):
    """Signals that are known while the laws are computed, by name. An unknown name raises `Unmeasured` with
    the reason."""

    trimmed: tuple[str, ...] = ()
    """Names of the signals that the trim sets after all laws."""

    def __missing__(self, name: str) -> Any:
        if name in self.trimmed:
            raise Unmeasured(
                f"depends on {name}, but the trim sets {name} after all laws. Remove {name} from the trim"
            )
        if name.startswith("actuators."):
            raise Unmeasured(
                "is the position of an ideal actuator, which equals its command. Use the command instead"
            )
        raise Unmeasured(
            "is computed after this law. Declare its law earlier, or give this law a sample period"
        )


def find_quantity(quantities: Catalogue, law: Any, path: str) -> tuple[Quantity, Any]:
    """Return a quantity that a law reads, and the component of the quantity.

    - quantities: all quantities that laws can read.
    - path: path of the quantity, for example "bodies.stage.speed".

    Raises BadInput if the quantity does not exist."""
    from ...quantities.catalogue import lookup

    try:
        return lookup(quantities, path)
    except KeyError as error:
        raise BadInput(Problem(f"controls.{law.name}", str(error.args[0]))) from None


def read_by(quantities: Catalogue, law: Any, moment: Here) -> dict[str, Any]:
    """Return the inputs of a law (*cases), by path. Raises BadInput if an input is not available yet.

    - quantities: all quantities that laws can read.
    - moment: the present state."""
    found = {}
    for path in declared.needs(law):
        quantity, component = find_quantity(quantities, law, path)
        try:
            found[path] = scalar(quantity, component, moment)
        except Unmeasured as error:
            raise BadInput(
                Problem(f"controls.{law.name}", f"the law reads {path}. This quantity {error}")
            ) from None
    return found


def guidance_attitude(law: Any, moment: Here) -> tuple[Any, Any]:
    """Return the attitude that the guidance commands, for a law that follows the guidance.

    The result is the quaternion (4, *cases), and the angular velocity [rad/s] (3, *cases) in axes of the
    commanded attitude. Raises BadInput if the attitude is not available yet."""
    try:
        stance = moment["guidance"][law.follows]
    except Unmeasured as error:
        text = f"guidance.{law.follows} cannot be evaluated: it {error}"
        raise BadInput(Problem(f"controls.{law.name}.follows", text)) from None
    return stance.quaternion, jnp.zeros((3, *moment.t.shape)) if stance.spin is None else stance.spin


class Changes(dict[int, tuple[Any, Any]]):
    """Changes of selected rows of an array (row, *cases). The keys are row indices. Each entry is (where,
    value): the cases that change (*cases), bool, and the new values (*cases).

    All rows are changed in one operation, because the compiler fails on arrays that are concatenated from
    single rows."""

    def apply(self, rows: Any) -> Any:
        """Return the array `rows` (row, *cases) with the changes."""
        if not self:
            return rows
        shape, still = rows.shape[1:], (False, 0.0)
        changes = [self.get(n, still) for n in range(rows.shape[0])]
        where = jnp.stack([jnp.broadcast_to(jnp.asarray(w), shape) for w, _ in changes])
        return jnp.where(where, jnp.stack([jnp.broadcast_to(v, shape) for _, v in changes]), rows)


class Switches(NamedTuple):
    """Switches of the sampled control laws.

    - command: present commands (command, *cases).
    - memory: integrals of all sampled laws, then the times of their first samples [s] (2 x law, *cases).
    - next_sample: time of the next sample of each law [s] (law, *cases); infinite while the law is off."""

    command: Any
    memory: Any
    next_sample: Any

    def with_changes(self, *changes: Changes) -> Switches:
        """Return the switches with changes of the commands, the memory and the next samples, in this
        order."""
        return Switches(*(change.apply(rows) for change, rows in zip(changes, self, strict=True)))


class Control(Stacked, HasState, HasEvents, Sampled, Commands, Tabulated):
    """Model of all control laws and actuators. The states are the integrals of continuous laws and the states
    of actuators."""

    name = "control"
    state_description = "integrals of control laws, and actuators"
    restarts = True

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether a scenario has a control law or an actuator."""
        return bool(layout.scenario.controls or layout.scenario.actuators)

    # --- structure

    @property
    def laws(self) -> tuple[Any, ...]:
        """The declared control laws. The values of these declarations can differ from the values in the
        flight."""
        return self.layout.scenario.controls

    @property
    def actuators(self) -> tuple[Any, ...]:
        """The declared actuators. The values of these declarations can differ from the values in the
        flight."""
        return self.layout.scenario.actuators

    @cached_property
    def sampled_laws(self) -> tuple[int, ...]:
        """The indices of the control laws with a sample period."""
        return tuple(k for k, law in enumerate(self.laws) if law.period is not None)

    @cached_property
    def commands(self) -> tuple[str, ...]:
        """The names of the commands of the sampled control laws."""
        return tuple(name for k in self.sampled_laws for name in declared.signals(self.laws[k]))

    @cached_property
    def states(self) -> int:
        """The number of integrals of continuous laws, plus the number of states of actuators."""
        return sum(map(declared.states, self.laws)) + sum(map(actuator.states, self.actuators))

    @cached_property
    def readable(self) -> Catalogue:
        """The quantities that laws can read, by path."""
        from ...quantities.catalogue import catalogue

        return catalogue(self.layout.scenario)

    def laws_of(self, mechanism: Mechanism) -> list[tuple[int, tuple[Any, control_laws.Ready]]]:
        """Return (index, (declared law, prepared law)) for each control law, with the numbers of a
        mechanism."""
        both = zip(mechanism.scenario.controls, mechanism.numbers.own[self.name], strict=True)
        return [*enumerate(both)]

    # --- numbers and the start

    def stack_numbers(self, scenario: Any, lanes: int) -> tuple[Any, ...]:
        """Return the interpolation knots of each target over time; None for other targets. The knots are
        computed once, before a program is compiled. For the parameters, see `Stacked.stack_numbers`."""
        return tuple(map(control_laws.target_knots, scenario.controls))

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> tuple[control_laws.Ready, ...]:
        """Return the prepared control laws. For the parameters, see `Part.numbers`."""
        pairs = zip(scenario.controls, stacked, strict=True)
        return tuple(control_laws.prepare(law, self._wraps(law), knots) for law, knots in pairs)

    def _wraps(self, law: Any) -> float | None:
        """Period of the measured quantity of a law; None if the quantity is not periodic."""
        if not isinstance(law, PID):
            return None
        period = find_quantity(self.readable, law, law.measured)[0].period
        return period if np.isfinite(period) else None

    def switches(self, mechanism: Mechanism, t: Any) -> Switches:
        """Return the initial switches: commands before the first samples, zero integrals, and the times of
        the first samples. For the parameters, see `HasSwitches.switches`."""
        scenario, command, following = mechanism.scenario, [], []
        for k in self.sampled_laws:
            law = scenario.controls[k]
            command += control_laws.by_signal(law, control_laws.off_command(law, t)).values()
            following.append(t if self._begins_on(self.laws[k]) else jnp.full(t.shape, jnp.inf))
        none = jnp.zeros((0, *t.shape))
        return Switches(
            command=jnp.stack(command) if command else none,
            memory=jnp.stack([jnp.zeros_like(t)] * len(following) + [t] * len(following))
            if following
            else none,
            next_sample=jnp.stack(following) if following else none,
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the states: first the integrals by law, then the states of each actuator."""
        laws = [f"controls.{law.name}" for law in self.laws if declared.states(law)]
        places = [f"actuators.{one.name}.{k}" for one in self.actuators for k in range(actuator.states(one))]
        return (*laws, *places)

    @property
    def inputs(self) -> dict[str, str]:
        """The SI units of the commands of all laws, by signal name."""
        return {name: "1" for law in self.laws for name in declared.signals(law)}

    def sampler_path(self, item: int) -> str:
        """Return the path of a sampled law, for example "controls.hold". item: index among the sampled
        laws."""
        return f"controls.{self.laws[self.sampled_laws[item]].name}"

    def continue_from(self, earlier: Persistent, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """Return the states and switches at the start of a leg, from the preceding leg.

        Actuators keep their positions. A law that stays on keeps its integral, command and sample times. A
        law that is switched on is reset.

        For the parameters, see `Persistent.continue_from`."""
        one = cast("Control", earlier)
        state, at = by_name(self.labels, one.labels, before.state, fresh.state), 0
        begun, goes_on = {}, {}
        integrals = Changes()
        for law in self.laws:
            on, now = self._on(law, one, discrete), self._begins_on(law)
            begun[law.name], goes_on[law.name] = ~on & now, on & now
            if declared.states(law):
                integrals[at], at = (begun[law.name], 0.0), at + 1
        off = {name: ~on for name, on in goes_on.items()}
        anew = Switches(command=off, memory=begun, next_sample=off)
        rows = zip(anew, self._names, one._names, before.switches, fresh.switches, strict=True)
        found = []
        for fresh_ones, names, known, old, new in rows:
            carried = by_name(names, known, old, new)
            where = [fresh_ones[law] for law, _ in names]
            found.append(jnp.where(jnp.stack(where), new, carried) if where else new)
        return Kept(integrals.apply(state), Switches(*found))

    @cached_property
    def _names(self) -> Switches:
        """Names of the values of the switches: sampled law and kind of value."""
        laws = [self.laws[k] for k in self.sampled_laws]
        commands = [(law.name, signal) for law in laws for signal in declared.signals(law)]
        memory = [(law.name, what) for what in ("integral", "begun") for law in laws]
        return Switches(commands, memory, [(law.name, "next") for law in laws])

    def _begins_on(self, law: Any) -> bool:
        """Whether a law is on in the first phase."""
        return law.phases is None or self.layout.scenario.phases[0].name in law.phases

    @staticmethod
    def _on(law: Any, earlier: Control, discrete: Discrete) -> Any:
        """Whether a law was on at the end of the previous leg (*cases)."""
        was = [one for one in earlier.laws if one.name == law.name]
        on = jnp.asarray(earlier.layout.acting(was[0], discrete)) > 0 if was else jnp.asarray(False)
        return jnp.broadcast_to(on, discrete.over.shape)

    def consistent_states(self, here: Here) -> Any:
        """Return the states with the initial positions of actuators (`states`, *cases). Return None without
        actuators."""
        if not self.actuators:
            return None
        signals, own = here[self.name].signals, here.own(self.name)
        starts = [
            jnp.broadcast_to(actuator.initial(one, signals), (actuator.states(one), *here.t.shape))
            for one in here.equations.scenario.actuators
        ]
        return jnp.concatenate([own[: sum(map(declared.states, self.laws))], *starts])

    def events(self, table: EventTable) -> None:
        """Add a condition for the samples of each sampled law to the event table."""
        for k in range(len(self.sampled_laws)):
            table.conditions.append(Condition("due", -1, part=self.name, item=k, at_once=True))

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of change of integrals and actuator states (`states`, *cases). For the parameters,
        see `HasState.rates`."""
        return here[self.name].rates

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterator[Break]:
        """Yield the times of the points of tables over time. If a target jumps to zero at an end of its
        table, also yield the time of this end. For the parameters, see `Part.breaks`."""
        for ready in mechanism.numbers.own[self.name]:
            yield from (Break(jnp.asarray(points), "corner") for points in control_laws.times(ready))
            yield from (Break(points, "jump") for points in control_laws.jumps(ready))

    def table_intervals(self, here: Here) -> Iterable[Any]:
        """Return the interval between schedule points for each gain schedule of a continuous law."""
        laws = [pair for _, pair in self.laws_of(here.equations)]
        return [
            gain_schedule.feature_of(*found)
            for law, ready in laws
            for found in self._gain_schedules(law, ready, here)
        ]

    def _gain_schedules(self, law: Any, ready: control_laws.Ready, here: Here) -> Iterator[tuple[Any, Any]]:
        """Scheduled gains of a continuous law, each with the value of its variable."""
        for gain in ready.gains.values() if law.period is None else ():
            path = gain_schedule.quantity_of(gain)
            if path is not None:
                yield gain, scalar(*find_quantity(self.readable, law, path), here)

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Return the location of each schedule variable of continuous laws among the kinks of its schedule
        (*cases).

        For a throttle law, also return the location of the difference between the allowed and the wanted
        throttle. A limit becomes active where this difference is zero."""
        found = []
        for _, (law, ready) in self.laws_of(here.equations):
            found += [gain_schedule.place_of(*one) for one in self._gain_schedules(law, ready, here)]
            if isinstance(law, ThrottleLimit):
                found.append(interpolation.place(np.zeros(1), self._room(law, ready, here)))
        return found

    def _room(self, law: Any, ready: control_laws.Ready, here: Here) -> Any:
        """Difference between the throttle that the limits allow and the setting of a law (*cases); zero while
        the law is off."""
        wanted = control_laws.setting(ready, here.t, read_by(self.readable, law, here))
        least = jnp.minimum(*throttle.bounds(law, here))
        on = jnp.asarray(self.layout.acting(law, here.discrete)) > 0
        return jnp.where(on & jnp.isfinite(least), jnp.where(jnp.isfinite(least), least, 0.0) - wanted, 1.0)

    def throttle_limit(self, k: int, here: Here) -> Any:
        """Return the active limit of a throttle law (*cases): `FREE`, `LOAD`, `PRESSURE` or `BEYOND` of
        module `throttle`. k: index of the law."""
        law, ready = self.laws_of(here.equations)[k][1]
        wanted = control_laws.setting(ready, here.t, read_by(self.readable, law, here))
        found = throttle.limit_throttle(law, wanted, throttle.bounds(law, here))[1]
        return jnp.where(jnp.asarray(self.layout.acting(law, here.discrete)) > 0, found, 0.0)

    # --- at one instant

    def find(self, here: Here) -> Steered:
        """Return the signals and rates at one time. The laws are computed in order, and a law can read the
        signals of earlier laws."""
        moment, t, discrete = here, here.t, here.discrete
        integrals, states = self._parts(here.equations, here.x)
        laws = self.laws_of(here.equations)
        signals = self._known(here.equations.scenario, discrete, states)
        for name in here.added.keys() & signals.keys():
            signals[name] = signals[name] + here.added[name]
        wanted = self.layout.scenario.balance
        trimmed = () if wanted is None else wanted.signals
        own = {name: signals.pop(name) for name in trimmed if name in signals}
        signals.trimmed = trimmed
        moment.known["control"] = signals
        rates = []
        for k, (law, ready) in laws:
            if law.period is not None:
                continue
            seen, on = read_by(self.readable, law, moment), self.layout.acting(law, discrete)
            integral = integrals.get(k, 0.0)
            found = control_laws.command(ready, t, seen, integral, self._axes(law, moment))
            off = control_laws.off_command(law, t)
            found = jnp.where(jnp.asarray(on) > 0, found, off)
            for name, part in control_laws.by_signal(law, found).items():
                part = part + here.added[name] if name in here.added else part
                (own if name in trimmed else signals)[name] = jnp.broadcast_to(part, t.shape)
            if k in integrals:
                rate = control_laws.integral_rate(ready, t, seen, integral)
                rates.append(jnp.broadcast_to(jnp.where(jnp.asarray(on) > 0, rate, 0.0), t.shape)[None])
        for one, state in zip(here.equations.scenario.actuators, states, strict=True):
            stuck = self._stuck(one, discrete)
            name, commands = f"actuators.{one.name}", {**signals, **own} if trimmed else signals
            place = actuator.position(one, state, commands, stuck)
            rates.append(jnp.broadcast_to(actuator.rate(one, commands, state, stuck), state.shape))
            (own if name in trimmed else signals)[name] = jnp.broadcast_to(place, t.shape)
        if wanted is not None:
            signals.update(trim.balance(wanted, moment, signals))
        del moment.known["control"]
        return Steered(dict(signals), jnp.concatenate([jnp.zeros((0, *t.shape)), *rates]))

    def _known(self, scenario, discrete, states) -> Signals:
        """Signals that are known before any continuous law is computed: commands of sampled laws, and
        positions of actuators with a lag."""
        held = zip(self.commands, discrete.own[self.name].command, strict=True)
        found = Signals(held)
        for one, state in zip(scenario.actuators, states, strict=True):
            if actuator.states(one):
                found[f"actuators.{one.name}"] = actuator.position(one, state, {}, self._stuck(one, discrete))
        return found

    def _parts(self, mechanism, x):
        """Integrals of the continuous laws by index, and the states of each actuator."""
        own = mechanism.own(self.name, x)
        integrals, at = {}, 0
        for k, law in enumerate(self.laws):
            if declared.states(law):
                integrals[k], at = own[at], at + 1
        states = []
        for one in self.actuators:
            count = actuator.states(one)
            states.append(own[at : at + count])
            at += count
        return integrals, states

    @staticmethod
    def _stored_values(law: Any) -> int:
        """Number of values that a sample stores for an attitude hold: its reference axes, or the guidance
        attitude."""
        if not isinstance(law, AttitudeHold):
            return 0
        return STANCE if law.follows is not None else AXES if law.axes != "inertial" else 0

    def _axes(self, law, moment: Here):
        """Reference axes of the commanded angles of an attitude hold, or its guidance attitude, with the
        angular velocity."""
        if isinstance(law, ThrottleLimit):
            return throttle.bounds(law, moment)
        if not self._stored_values(law):
            return None
        if law.follows is not None:
            return guidance_attitude(law, moment)
        mechanism, now = moment.equations, moment
        body = self.layout.bodies.index(law.body)
        position = now.origin + now.motion.position[:, body]
        if law.axes == "lvlh":
            velocity = now.origin_velocity + now.motion.velocity[:, body]
            return flight_path.lvlh(position, velocity), flight_path.lvlh_rate(position, velocity)
        around = now.surroundings
        assert around is not None  # checked: there is a planet
        rate = level_rate(mechanism.scenario.planet, around, position, body)
        return around.level[:, :, body], rate

    def _stuck(self, one, discrete):
        """Whether an actuator has failed; None if it cannot fail."""
        return None if one.fails_after is None else discrete.fired[self.layout.moment(one.fails_after)]

    # --- events

    def next_sample_time(self, item: int, discrete: Discrete) -> Any:
        """Return the time of the next sample of a law [s] (*cases). item: index among the sampled laws."""
        return discrete.own[self.name].next_sample[item]

    @property
    def sample_size(self) -> int:
        """The number of inputs of all sampled laws, including the reference axes of attitude laws."""
        return sum(map(self._reads, self.sampled_laws))

    def _reads(self, k: int) -> int:
        law = self.laws[k]
        return len(declared.needs(law)) + self._stored_values(law)

    def sample(self, here: Here) -> Any:
        """Return the inputs of all sampled laws (`sample_size`, *cases). The inputs of each law are followed
        by its reference axes."""
        laws, lanes = dict(self.laws_of(here.equations)), here.t.shape
        rows = [jnp.zeros((0, *lanes))]
        for k in self.sampled_laws:
            law = laws[k][0]
            for value in read_by(self.readable, law, here).values():
                rows.append(jnp.broadcast_to(value, lanes)[None])
            axes = self._axes(law, here)
            if axes is not None:
                wide = add_axes(axes[0], (1 if law.follows is not None else 2) + len(lanes))
                first = wide.reshape(self._stored_values(law) - 3, *wide.shape[wide.ndim - len(lanes) :])
                both = first, add_axes(axes[1], 1 + len(lanes))
                rows += [jnp.broadcast_to(part, (len(part), *lanes)) for part in both]
        return jnp.concatenate(rows)

    def _read(self, rows: Any, at: int, law: Any) -> tuple[dict[str, Any], Any]:
        """Inputs of a law by name, and its reference axes, from the rows of `sample` that begin at a given
        row."""
        names = declared.needs(law)
        end, axes = at + len(names), None
        if held := self._stored_values(law):
            turned, rate = rows[end : end + held - 3], rows[end + held - 3 : end + held]
            axes = (turned if law.follows is not None else turned.reshape(3, 3, *turned.shape[1:])), rate
        return dict(zip(names, rows[at:end], strict=True)), axes

    def apply_samples(self, mechanism: Mechanism, t: Any, discrete: Discrete, fired: Fired) -> Discrete:
        """Return the switches after the samples that are due: commands, integrals and times of the next
        samples. For the parameters, see `Sampled.apply_samples`."""
        if not self.sampled_laws:
            return discrete
        own, due, rows = discrete.own[self.name], fired.due[self.name], fired.samples[self.name]
        command, memory, following = Changes(), Changes(), Changes()
        count, laws, at = len(self.sampled_laws), dict(self.laws_of(mechanism)), 0
        for s, k in enumerate(self.sampled_laws):
            law, ready = laws[k]
            # A law that ends at this time takes no more samples.
            taken = due[s] & (jnp.asarray(self.layout.acting(law, discrete)) > 0)
            seen, axes = self._read(rows, at, law)
            at += self._reads(k)
            found, integral = control_laws.take_sample(ready, t, seen, own.memory[s], axes)
            for name, part in control_laws.by_signal(law, found).items():
                command[self.commands.index(name)] = taken, part
            if declared.integrals(law):
                memory[s] = taken, integral
            # The time of each sample is a product, because a sum of periods would accumulate rounding.
            begun, due_at = own.memory[count + s], own.next_sample[s]
            number = jnp.round(jnp.where(taken, due_at - begun, 0.0) / law.period)
            following[s] = taken, begun + (number + 1) * law.period
        return discrete.with_own(self.name, own.with_changes(command, memory, following))

    def apply_events(
        self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired
    ):
        """Return the state and the switches at the start of a phase.

        A law that is switched off has the command `off_value`. A law that is switched on is reset.

        For the parameters, see `HasSwitches.apply_events`."""
        if all(law.phases is None for law in self.laws):
            return x, after
        integrals, command, memory, following = Changes(), Changes(), Changes(), Changes()
        at = 0
        for k, (law, _) in self.laws_of(mechanism):
            was, on = (jnp.asarray(self.layout.acting(law, d)) > 0 for d in (before, after))
            begun, ended = on & ~was, was & ~on
            if declared.states(law):
                integrals[at], at = (begun, 0.0), at + 1
            if law.phases is None or k not in self.sampled_laws:
                continue
            s = self.sampled_laws.index(k)
            following[s] = begun | ended, jnp.where(begun, t, jnp.inf)
            memory[s] = begun, 0.0
            memory[len(self.sampled_laws) + s] = begun, t
            off = control_laws.off_command(law, t)
            for name, part in control_laws.by_signal(law, off).items():
                command[self.commands.index(name)] = ended, part
        after = after.with_own(self.name, after.own[self.name].with_changes(command, memory, following))
        if integrals:
            x = mechanism.with_own(x, {self.name: integrals.apply(mechanism.own(self.name, x))})
        return x, after

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each law and actuator, by path."""
        scenario = self.layout.scenario
        limited = {
            f"controls.{law.name}": partial(limited_quantity, self, k, law)
            for k, law in enumerate(scenario.controls)
            if isinstance(law, ThrottleLimit)
        }
        left = {} if scenario.balance is None else {"system": lambda: moment_quantity(scenario.balance)}
        return (limited | left) | {
            "controls": lambda: {law.name: command_quantity(law) for law in scenario.controls},
            "actuators": lambda: {a.name: position_quantity(a) for a in scenario.actuators},
        }
