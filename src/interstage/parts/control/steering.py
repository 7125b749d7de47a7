"""Control laws and actuators in flight: what they measure, what they command, and where they stand.

A law reads quantities by the names that they have in results. A continuous one reads them as the bodies
move, before any force is known, so that accelerations and loads are not for it; one with a sample period
reads all of them at its samples, and its command is held in between. Actuators follow commands; engines and
aerodynamics take both by name, as signals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.event_table import EventTable
from ...engine.here import Here, Unmeasured
from ...engine.mechanism import Discrete, Mechanism
from ...engine.quantity import Quantity, scalar
from ...environment import flight_path, geodesy
from ...maths.arrays import jnp
from ...quantities.catalogue import Catalogue, catalogue, lookup
from ...tree.errors import BadInput, Problem
from . import actuator
from . import declared as control
from . import laws as control_laws
from .flown import Steered


class Signals(dict[str, Any]):
    """Signals by name as far as they are known, in the order in which laws are declared."""

    def __missing__(self, name: str) -> Any:
        if name.startswith("actuators."):
            raise Unmeasured("has no lag, and stands where it is commanded to; read the command instead")
        raise Unmeasured("is not known before it; declare that law first, or give this one a sample period")


def named(quantities: Catalogue, law: Any, path: str) -> tuple[Quantity, Any]:
    """A quantity that a law reads, and the component. Raises BadInput where there is none."""
    try:
        return lookup(quantities, path)
    except KeyError as error:
        raise BadInput(Problem(f"controls.{law.name}", str(error.args[0]))) from None


def measured(quantities: Catalogue, law: Any, moment: Here) -> dict[str, Any]:
    """What a law reads, by name. Raises BadInput where it is not known at the moment."""
    found = {}
    for path in control.needs(law):
        quantity, component = named(quantities, law, path)
        try:
            found[path] = scalar(quantity, component, moment)
        except Unmeasured as error:
            raise BadInput(Problem(f"controls.{law.name}", f"reads {path}, which {error}")) from None
    return found


class Changes(dict[int, tuple[Any, Any]]):
    """New values of some rows of an array (row, *lanes): number -> (where, value).

    All rows are chosen at once: the compiler of one kernel fails on arrays that are put together of rows of
    their own."""

    def made(self, rows: Any) -> Any:
        """The array with the changes."""
        if not self:
            return rows
        shape, still = rows.shape[1:], (False, 0.0)
        changes = [self.get(n, still) for n in range(rows.shape[0])]
        where = jnp.stack([jnp.broadcast_to(jnp.asarray(w), shape) for w, _ in changes])
        return jnp.where(where, jnp.stack([jnp.broadcast_to(v, shape) for _, v in changes]), rows)


class Steering:
    """The laws and actuators of one scenario, for a mechanism that has its numbers; see `steered`."""

    def __init__(self, table: EventTable, scenario: Any):
        self.layout, self.table, self.scenario = table.layout, table, scenario
        self.laws = scenario.controls
        self.actuators = scenario.actuators
        self.quantities = catalogue(self.layout.scenario)
        # At once, and not when they are first used: that may be inside a loop, whose values must stay there.
        self.ready = self._ready()

    def _ready(self) -> list[control_laws.Ready]:
        found = []
        for law in self.laws:
            wraps = None
            if isinstance(law, control.PID):
                period = named(self.quantities, law, law.measured)[0].period
                wraps = period if np.isfinite(period) else None
            found.append(control_laws.prepare(law, wraps))
        return found

    # --- at one instant

    def __call__(self, moment: Here) -> Steered:
        """Signals and rates at an instant; what is known of them so far is told while laws ask for it."""
        t, discrete = moment.t, moment.discrete
        integrals, states = self._parts(moment.equations, moment.x)
        signals = self._known(discrete, states)
        moment.known["control"] = signals
        rates = []
        for k, (law, ready) in enumerate(zip(self.laws, self.ready, strict=True)):
            if law.period is not None:
                continue
            seen, on = measured(self.quantities, law, moment), self.layout.acting(law, discrete)
            integral = integrals.get(k, 0.0)
            found = control_laws.command(ready, t, seen, integral, self._axes(law, moment))
            off = control_laws.off_command(law, t)
            found = jnp.where(jnp.asarray(on) > 0, found, off)
            for name, part in control_laws.by_signal(law, found).items():
                signals[name] = jnp.broadcast_to(part, t.shape)
            if k in integrals:
                rate = control_laws.integral_rate(ready, t, seen, integral)
                rates.append(jnp.broadcast_to(jnp.where(jnp.asarray(on) > 0, rate, 0.0), t.shape)[None])
        for one, state in zip(self.actuators, states, strict=True):
            stuck = self._stuck(one, discrete)
            place = actuator.position(one, state, signals, stuck)
            rates.append(jnp.broadcast_to(actuator.rate(one, signals, state, stuck), state.shape))
            signals[f"actuators.{one.name}"] = jnp.broadcast_to(place, t.shape)
        del moment.known["control"]
        return Steered(dict(signals), jnp.concatenate([jnp.zeros((0, *t.shape)), *rates]))

    def _known(self, discrete, states) -> Signals:
        """What is known before any continuous law: commands that are held, and positions of actuators that
        lag behind."""
        held = zip(self.layout.commands, discrete.command, strict=True)
        found = Signals(held)
        for one, state in zip(self.actuators, states, strict=True):
            if actuator.states(one):
                found[f"actuators.{one.name}"] = actuator.position(one, state, {}, self._stuck(one, discrete))
        return found

    def _parts(self, mechanism, x):
        """Integrals of the continuous laws by their numbers, and the states of each actuator."""
        behind = mechanism.behind(x)[len(self.layout.tanks) :]
        integrals, at = {}, 0
        for k, law in enumerate(self.laws):
            if control.states(law):
                integrals[k], at = behind[at], at + 1
        states = []
        for one in self.actuators:
            count = actuator.states(one)
            states.append(behind[at : at + count])
            at += count
        return integrals, states

    def _axes(self, law, moment: Here):
        """Axes that the commanded angles of an attitude hold start from, and their angular velocity."""
        if not isinstance(law, control.AttitudeHold) or law.axes == "inertial":
            return None
        mechanism, now = moment.equations, moment
        body = self.layout.bodies.index(law.body)
        position = now.origin + now.motion.position[:, body]
        velocity = now.origin_velocity + now.motion.velocity[:, body]
        if law.axes == "lvlh":
            return flight_path.lvlh(position, velocity), flight_path.lvlh_rate(position, velocity)
        planet = mechanism.scenario.planet
        level = geodesy.north_east_down(planet, moment.t, position)
        return level, geodesy.level_rate(planet, moment.t, position, velocity)

    def _stuck(self, one, discrete):
        """Whether an actuator has failed; none where it cannot."""
        return None if one.fails_after is None else discrete.fired[self.table.index(one.fails_after)]

    # --- samples

    def sample(self, mechanism: Mechanism, t, x, discrete: Discrete, due) -> Discrete:
        """The commands and memories after samples of the laws with a period that are due (law, *lanes)."""
        if not self.layout.sampled:
            return discrete
        moment = mechanism.here(t, x, discrete)
        command, memory, following = Changes(), Changes(), Changes()
        count = len(self.layout.sampled)
        for s, k in enumerate(self.layout.sampled):
            law = self.laws[k]
            # A law that ended at this very moment takes no more samples.
            taken = due[s] & (jnp.asarray(self.layout.acting(law, discrete)) > 0)
            seen, axes = measured(self.quantities, law, moment), self._axes(law, moment)
            found, integral = control_laws.sampled(self.ready[k], t, seen, discrete.memory[s], axes)
            for name, part in control_laws.by_signal(law, found).items():
                command[self.layout.commands.index(name)] = taken, part
            if control.integrals(law):
                memory[s] = taken, integral
            # The time of each is a product: a sum of periods would drift away from what is due with it.
            begun, due_at = discrete.memory[count + s], discrete.next_sample[s]
            number = jnp.round(jnp.where(taken, due_at - begun, 0.0) / law.period)
            following[s] = taken, begun + (number + 1) * law.period
        return discrete._replace(
            command=command.made(discrete.command),
            memory=memory.made(discrete.memory),
            next_sample=following.made(discrete.next_sample),
        )

    def switched(self, t, x, mechanism: Mechanism, before: Discrete, after: Discrete):
        """State and switches after an event that may have begun a phase: laws that are off command their
        `off_value`, and begin anew when they are switched on."""
        if all(law.phases is None for law in self.laws):
            return x, after
        integrals, command, memory, following = Changes(), Changes(), Changes(), Changes()
        at = len(self.layout.tanks)
        for k, law in enumerate(self.laws):
            was, on = (jnp.asarray(self.layout.acting(law, d)) > 0 for d in (before, after))
            begun, ended = on & ~was, was & ~on
            if control.states(law):
                integrals[at], at = (begun, 0.0), at + 1
            if law.phases is None or k not in self.layout.sampled:
                continue
            s = self.layout.sampled.index(k)
            following[s] = begun | ended, jnp.where(begun, t, jnp.inf)
            memory[s] = begun, 0.0
            memory[len(self.layout.sampled) + s] = begun, t
            off = control_laws.off_command(law, t)
            for name, part in control_laws.by_signal(law, off).items():
                command[self.layout.commands.index(name)] = ended, part
        after = after._replace(
            command=command.made(after.command),
            memory=memory.made(after.memory),
            next_sample=following.made(after.next_sample),
        )
        if integrals:
            x = mechanism.with_behind(x, integrals.made(mechanism.behind(x)))
        return x, after

    # --- the start

    def first(self, mechanism: Mechanism, t, x, discrete: Discrete):
        """The state with the actuators where they start."""
        if not self.actuators:
            return x
        signals = self(mechanism.here(t, x, discrete)).signals
        behind = mechanism.behind(x)
        at = len(self.layout.tanks) + sum(control.states(law) for law in self.laws)
        begun = [
            jnp.broadcast_to(actuator.initial(one, signals), (actuator.states(one), *t.shape))
            for one in self.actuators
        ]
        count = sum(part.shape[0] for part in begun)
        return mechanism.with_behind(x, behind[:at], *begun, behind[at + count :])
