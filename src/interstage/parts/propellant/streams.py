"""Engines and motors in flight: thrust, propellant streams, and loads of the flow on bodies.

A stream is the propellant flow from one tank to one engine. The stream leaves the tank at the surface point
r_p of the propellant and flows along a straight line to the nozzle exit r_e, with mass flow m_s. The momentum
of the stream inside the body is L = m_s (r_e - r_p), body axes. The centre of mass is c, and rho = r_e - c.
The velocity of the material point at the centre of mass is u. The angular velocity of the body is w. The
momentum of structure, propellant and stream is m u + L. The angular momentum of structure, propellant and
stream is J w + rho x L. External loads and the momentum of the gas change linear and angular momentum:

    m a      = F + thrust - 2 w x L - L'

    J w' + w x J w = M + rho x thrust - J' w - m_s rho x (w x rho) - w x (rho x L) - rho x L'

Here ' is the rate in body axes, and a is the acceleration of the material point. Joint constraints use a
directly. Jet damping is J' w + m_s rho x (w x rho). The two equations apply to each body of a stack and to
the whole stack. docs/decisions/0010-changing-mass.md has the derivation. The jump of L at an abrupt start or
end of a flow is neglected.

If the nozzle is at a node of the tank's body, the exit moves through the body at the velocity s. At such a
node, rho changes with the exit, L' has the term m_s s, and the gas leaves with the additional velocity s. The
additional velocity causes a force -m_s s at the exit, which loads the node, and a torque -s x L. Half of the
Coriolis force -2 w x L acts at the exit.

A body with `inertia_rate` k has the equations of single-body trajectory programs. The motion of its centre of
mass follows from m r'' = F + thrust. The term -k J' w replaces all other terms of the flow.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cached_property, partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.numbers import Totals
from ...maths.arrays import jax, jnp, jvp
from ...maths.vectors import cross, rotate, rotate_back
from ...model.burn_tables import Signal
from ..control.signals import signals
from . import burning, tank_masses, vehicle_masses
from . import engines as propulsion

if TYPE_CHECKING:
    from ...engine.here import Here


class _Line(NamedTuple):
    """One stream: indices of its engine, its tank and their bodies, and its index among the feeds."""

    engine: int
    tank: int
    pushed: int
    drained: int
    feed: int


def lines(layout) -> list[_Line]:
    """Return the streams of a scenario: one for each pair of an engine and a tank that feeds it."""
    part, found = vehicle_masses.of(layout), []
    for e, feeds in enumerate(part.feeds):
        for f, name in enumerate(feeds):
            tank = part.tank(name)
            found.append(_Line(e, tank, _body_of(layout, e), part.tanks[tank][0], f))
    return found


class Streams:
    """Engines, propellant streams and their loads at one time. Each property is computed when it is first
    read.
    """

    def __init__(self, here: Here):
        self._here, self._mechanism = here, here.mechanism
        self._left, self._along = here.own("streams"), lines(here.mechanism.layout)

    # --- engines

    @cached_property
    def _burns(self) -> tuple[burning.Burn, Any, list[Any]]:
        return _burns(self._here)

    @property
    def thrust(self) -> Any:
        """Thrusts of the engines at the ambient pressure [N] (engine, *cases)."""
        return self._burns[0].thrust

    @property
    def flow(self) -> Any:
        """Mass flows of the engines [kg/s] (engine, *cases)."""
        return self._burns[0].mass_flow

    @property
    def fraction(self) -> Any:
        """Burn fractions of the engines, from 0 to 1 (engine, *cases). See `burning.Burn`."""
        return self._burns[0].fraction

    @property
    def direction(self) -> Any:
        """Unit vectors of the thrusts on the bodies, body axes (3, engine, *cases)."""
        return self._burns[1]

    # --- tanks

    @cached_property
    def _line_flows(self) -> list[Any]:
        """Mass flow of each line, computed without directions of thrust. Laws that command these directions
        can read quantities of nodes that depend on the flow."""
        asked = self._mechanism.layout.columns.nodes_follow_mass and "control" in self._here.known
        return self._of_lines(_flows(self._here) if asked else self.flow)

    @cached_property
    def _drawn_rate(self) -> list[Any]:
        return self._of_lines(self._burns[2])

    def _of_lines(self, of_engines: Any) -> list[Any]:
        feeds = [propulsion.feeds(engine) for engine in self._mechanism.scenario.engines]
        return [feeds[s.engine][s.feed][1] * of_engines[s.engine] for s in self._along]

    @cached_property
    def drain(self) -> Any:
        """Rates of the propellant masses in the tanks [kg/s] (tank, *cases). A rate is negative during a
        burn.
        """
        return self._of_tanks(self._line_flows)

    @cached_property
    def drain_rate(self) -> Any:
        """Second time derivatives of the propellant masses in the tanks [kg/s^2] (tank, *cases)."""
        return self._of_tanks(self._drawn_rate)

    def _of_tanks(self, drawn: list[Any]) -> Any:
        return _sum_by_tank([-each for each in drawn], [s.tank for s in self._along], self._left.shape)

    # --- bodies

    @cached_property
    def _rates(self) -> Totals:
        layout, attached = self._mechanism.layout, self._here.discrete.own["streams"].attached
        return vehicle_masses.rates(layout, self._mechanism.numbers, self._left, attached, self.drain)

    @property
    def mass_rate(self) -> Any:
        """Time derivatives of the masses of the bodies [kg/s] (body, *cases)."""
        return self._rates.mass

    @cached_property
    def shift(self) -> Any:
        """Velocities of the centres of mass through the structures of the bodies [m/s], body axes (3, body,
        *cases).

        The velocity is zero for a body with `inertia_rate`, because its equations of motion apply to its
        centre of mass.
        """
        bodies = self._mechanism.layout.scenario.bodies
        explicit = jnp.array([body.inertia_rate is None for body in bodies], float)
        return self._rates.centre * explicit.reshape((-1,) + (1,) * self._here.t.ndim)

    @cached_property
    def _pushes(self) -> Any:
        """Thrusts, body axes (3, engine, *cases)."""
        return self.thrust * self.direction

    @cached_property
    def _flowing(self) -> list[_Flowing]:
        mechanism, motion = self._mechanism, self._here.motion
        points, rises = _surfaces(mechanism, self._left, self.drain)
        along = zip(self._along, self._line_flows, self._drawn_rate, strict=True)
        return [
            _flowing(mechanism, motion, s, rate, change, points[:, s.tank], rises[:, s.tank])
            for s, rate, change in along
            if mechanism.layout.scenario.bodies[s.drained].inertia_rate is None
        ]

    @cached_property
    def force(self) -> Any:
        """Forces of thrust and flow on the bodies [N], inertial axes (3, body, *cases). The ground has no
        entry.
        """
        thrusts = [self._pushes[:, e] for e in range(self._pushes.shape[1])]
        found = self._on_pushed(thrusts) + self._on_drained([one.force() for one in self._flowing])
        return rotate(self._here.motion.rotation[:, :, : self._mechanism.layout.count], found)

    @cached_property
    def torque(self) -> Any:
        """Torques of thrust and flow on the bodies about their centres of mass [N m], body axes (3, body,
        *cases). The ground has no entry.
        """
        found = self._on_pushed(self._turns()) + self._on_drained([one.torque() for one in self._flowing])
        return found + _of_rates(self._mechanism, self._here.motion, self._rates)

    def _turns(self) -> list[Any]:
        """Torques of the thrusts, body axes."""
        exits = [_exit(self._mechanism, e) for e in range(self._pushes.shape[1])]
        if not exits:
            return []
        arms = jnp.stack([jnp.broadcast_to(arm, (3, *self._left.shape[1:])) for arm in exits], 1)
        found = cross(arms, self._pushes)
        return [found[:, e] for e in range(len(exits))]

    @cached_property
    def _ends(self) -> list[int]:
        """Index of the column of the body, or of its node, of each engine."""
        layout = self._mechanism.layout
        return [layout.columns.end(engine, "body") for engine in layout.scenario.engines]

    @cached_property
    def on_nodes(self) -> Any:
        """Loads of thrust on the nodes of flexible bodies (6, node, *cases), as in `contract.Part.wrench`.
        None if no engine is at a node.
        """
        layout, numbers = self._mechanism.layout, self._mechanism.numbers
        owners = [end - layout.columns.bodies for end in self._ends]
        if not any(owner >= 0 for owner in owners):
            return None
        none, found = jnp.zeros((6, *self._here.t.shape)), []
        for e, (end, engine) in enumerate(zip(self._ends, self._mechanism.scenario.engines, strict=True)):
            push = self._pushes[:, e]
            arm = jnp.broadcast_to(numbers.arm(engine.at, end), push.shape)
            turn = self._here.motion.rotation[:, :, end]
            for one in self._flowing:
                if one.engine == e and one.speed is not None:
                    push = push + rotate_back(
                        turn, rotate(self._here.motion.rotation[:, :, one.body], one.nozzle_force())
                    )
            found.append(jnp.concatenate([rotate(turn, push), cross(arm, push)]))
        columns = [_of_owner(k, found, owners, none) for k in range(len(layout.columns.nodes))]
        return jnp.stack([jnp.broadcast_to(column, none.shape) for column in columns], 1)

    def _on_pushed(self, of_engines: list[Any]) -> Any:
        owners = self._ends[: len(of_engines)]
        return _on_bodies(self._mechanism, of_engines, owners, self._left.shape[1:])

    def _on_drained(self, of_lines: list[Any]) -> Any:
        owners = [one.body for one in self._flowing]
        return _on_bodies(self._mechanism, of_lines, owners, self._left.shape[1:])


def _burns(here: Here):
    """Burn of all engines (engine, *cases), directions (3, engine, *cases), and rates of mass flows (engine)
    [kg/s^2]. The rates are None for engines without tanks."""
    groups, t = vehicle_masses.of(here.mechanism.layout).alike, here.t
    if not groups:
        none = jnp.zeros((0, *t.shape))
        return burning.Burn(none, none, none), jnp.zeros((3, 0, *t.shape)), []
    ready = here.mechanism.numbers.own["streams"].alike
    found, ways, changes = zip(*map(partial(_burns_alike, here), groups, ready), strict=True)
    order = np.argsort(np.concatenate(groups))
    burns = jax.tree.map(lambda *parts: jnp.concatenate(parts)[_places(order)], *found)
    changes = [change for several in changes for change in several]
    return burns, jnp.concatenate(ways, 1)[:, _places(order)], [changes[k] for k in order]


def _flows(here: Here) -> Any:
    """Mass flows of all engines [kg/s] (engine, *cases)."""
    groups, ready = (
        vehicle_masses.of(here.mechanism.layout).alike,
        here.mechanism.numbers.own["streams"].alike,
    )
    found = [_group_burn(here, group, one)[0].mass_flow for group, one in zip(groups, ready, strict=True)]
    whole = [jnp.broadcast_to(flow, (len(group), *here.t.shape)) for flow, group in zip(found, groups)]
    return jnp.concatenate(whole)[_places(np.argsort(np.concatenate(groups)))]


def in_vacuum(here: Here) -> Any:
    """Return the vacuum thrust of each engine [N] (engine, *cases)."""
    groups, t = vehicle_masses.of(here.mechanism.layout).alike, here.t
    ready = here.mechanism.numbers.own["streams"].alike
    found = (_burner(here, group, one, 0.0)(t).thrust for group, one in zip(groups, ready, strict=True))
    whole = [
        jnp.broadcast_to(thrust, (len(group), *t.shape)) for thrust, group in zip(found, groups, strict=True)
    ]
    order = np.argsort(np.concatenate(groups))
    return jnp.concatenate(whole)[_places(order)]


def by_throttle(here: Here, signal: str) -> tuple[Any, Any]:
    """Return the thrusts on all bodies [N] (3, body, *cases), inertial axes, as two parts.

    The first part is the vacuum thrust at full throttle of the engines that the signal throttles. The second
    part does not depend on the signal. The second part contains the other engines and the effect of the
    ambient pressure.
    """
    layout, lanes = here.equations.layout, here.t.shape
    full, rest = (jnp.zeros((3, layout.count, *lanes)) for _ in range(2))
    ready = here.mechanism.numbers.own["streams"].alike
    for group, one in zip(vehicle_masses.of(layout).alike, ready, strict=True):
        engine = layout.scenario.engines[group[0]]
        body, steered = (
            layout.bodies.index(engine.body),
            isinstance(getattr(engine, "throttle", None), Signal),
        )
        follows = steered and engine.throttle.signal == signal
        at: Any = _setting_within(one.model) if follows else None
        pressure = 0.0 if here.surroundings is None else here.surroundings.air.pressure[body]
        whole = jnp.broadcast_to(_burner(here, group, one, pressure, at)(here.t).thrust, (len(group), *lanes))
        way = burning.direction(one, *(signals(here)[name] if name else 0.0 for name in _gimbal(engine)))
        way = jnp.broadcast_to(way[:, None] if len(group) == 1 else way, (3, len(group), *lanes))
        turn, column = here.motion.rotation[:, :, body], np.arange(layout.count) == body
        column = column.reshape(-1, *(1,) * len(lanes))
        if follows:
            vacuum = jnp.broadcast_to(_burner(here, group, one, 0.0, at)(here.t).thrust, whole.shape)
            full = full + column * rotate(turn, jnp.sum(vacuum * way, 1) / at)[:, None]
            whole = whole - vacuum
        rest = rest + column * rotate(turn, jnp.sum(whole * way, 1))[:, None]
    return full, rest


def _setting_within(model: Any) -> Any:
    """Throttle between the minimum and maximum of an engine; full throttle if allowed."""
    least = jnp.where(model.min_throttle > 1, model.min_throttle, 1.0)
    return (
        least
        if model.max_throttle is None
        else jnp.where(least > model.max_throttle, model.max_throttle, least)
    )


def _burner(
    here: Here, group: tuple[int, ...], ready: burning.Ready, pressure: Any, throttle: Any = None
) -> Any:
    """Function of time that returns the burn of a group of engines: (engine, *cases), for a single engine
    (*cases). throttle: value in place of the signal."""
    own = here.discrete.own["streams"]
    setting = getattr(here.mechanism.layout.scenario.engines[group[0]], "throttle", None)
    if throttle is None and isinstance(setting, Signal):
        throttle = signals(here)[setting.signal]
    places = group[0] if len(group) == 1 else _places(group)

    def burn(now):
        return burning.burn(ready, now, own.ignited[places], own.cut[places], throttle, pressure)

    return burn


def _burns_alike(here: Here, group: tuple[int, ...], ready: burning.Ready):
    """Burn of a group of stacked engines (engine, *cases); for a single engine (*cases)."""
    commands, engine = signals(here), here.mechanism.layout.scenario.engines[group[0]]
    whole, lone = (len(group), *here.t.shape), len(group) == 1
    now, changes = _group_burn(here, group, ready)
    way = burning.direction(ready, *(commands[name] if name else 0.0 for name in _gimbal(engine)))
    way = way[:, None] if lone else way
    return (
        jax.tree.map(lambda a: jnp.broadcast_to(a, whole), now),
        jnp.broadcast_to(way, (3, *whole)),
        changes,
    )


def _group_burn(here: Here, group: tuple[int, ...], ready: burning.Ready) -> tuple[burning.Burn, list[Any]]:
    """Burn of a group of engines, and rates of their mass flows; None for engines without tanks."""
    layout, t = here.mechanism.layout, here.t
    whole, lone = (len(group), *t.shape), len(group) == 1
    body = layout.bodies.index(layout.scenario.engines[group[0]].body)
    pressure = 0.0 if here.surroundings is None else here.surroundings.air.pressure[body]
    burn = _burner(here, group, ready, pressure)
    if not vehicle_masses.of(layout).feeds[group[0]]:  # a derivative takes as long as five values
        return burn(t), [None] * len(group)
    now, change = jvp(burn, (t,), (jnp.ones_like(t),))
    rates = jnp.broadcast_to(change.mass_flow, t.shape if lone else whole)
    return now, [rates] if lone else [rates[k] for k in range(len(group))]


def _places(numbers: Sequence[int] | np.ndarray) -> Any:
    """Index for positions along an axis. For consecutive positions it is a slice, which takes one
    equation."""
    places = np.asarray(numbers)
    follow = bool(np.all(np.diff(places) == 1))
    return slice(int(places[0]), int(places[-1]) + 1) if follow else places


def _gimbal(engine):
    return (engine.gimbal.pitch, engine.gimbal.yaw) if engine.gimbal else (None, None)


def _body_of(layout, engine: int) -> int:
    """Index of the body of an engine."""
    return layout.bodies.index(layout.scenario.engines[engine].body)


def _exit(mechanism, engine: int):
    """Vector from the centre of mass of the body to the nozzle exit of an engine [m] (3, *cases), body
    axes."""
    return mechanism.numbers.arm(mechanism.scenario.engines[engine].at, _body_of(mechanism.layout, engine))


class _Flowing(NamedTuple):
    """Effect of a stream on the body of its tank, body axes.

    - spin: angular velocity of the body.
    - rate: mass flow.
    - rho: vector from the centre of mass to the nozzle.
    - momentum: momentum inside the body.
    - change: rate of the momentum.
    - speed: velocity of the nozzle through the body; None if the nozzle is fixed."""

    body: int
    engine: int
    spin: Any
    rate: Any
    rho: Any
    momentum: Any
    change: Any
    speed: Any = None

    def force(self) -> Any:
        """Return the force [N] (3, *cases)."""
        return (-2 if self.speed is None else -1) * cross(self.spin, self.momentum) - self.change

    def torque(self) -> Any:
        """Return the torque about the centre of mass [N m] (3, *cases)."""
        damping = -self.rate * cross(self.rho, cross(self.spin, self.rho))
        if self.speed is None:
            return damping - cross(self.spin, cross(self.rho, self.momentum)) - cross(self.rho, self.change)
        passing = cross(self.spin, self.rho) + self.speed
        return damping - cross(passing, self.momentum) - cross(self.rho, self.change)

    def nozzle_force(self) -> Any:
        """Return the force at a moving nozzle from the additional gas velocity and from the Coriolis force
        there [N] (3, *cases)."""
        return -self.rate * self.speed - cross(self.spin, self.momentum)


def _flowing(mechanism, motion, s: _Line, rate, change_of_rate, point, rise) -> _Flowing:
    """Stream of a line with a moving removal point."""
    rho, speed = _exit(mechanism, s.engine), None
    end = mechanism.layout.columns.end(mechanism.layout.scenario.engines[s.engine], "body")
    if s.pushed != s.drained:  # the nozzle relative to the tank's body
        there = motion.position[:, s.pushed] + rotate(motion.rotation[:, :, s.pushed], rho)
        rho = rotate_back(motion.rotation[:, :, s.drained], there - motion.position[:, s.drained])
    elif end >= mechanism.layout.columns.bodies:
        rho, speed = _moving_exit(mechanism, motion, s, end)
    way = rho + mechanism.numbers.centre[:, s.drained] - point
    change = change_of_rate * way - rate * rise
    change = change if speed is None else change + rate * speed
    spin = motion.spin_body[:, s.drained]
    return _Flowing(s.drained, s.engine, spin, rate, rho, rate * way, change, speed)


def _moving_exit(mechanism, motion, s: _Line, end: int):
    """Exit of a nozzle at a node, from the centre of mass [m], and its velocity through the body [m/s] (3,
    *cases), body axes."""
    turn = motion.rotation[:, :, s.drained]
    arm = rotate(
        motion.rotation[:, :, end], mechanism.numbers.arm(mechanism.scenario.engines[s.engine].at, end)
    )
    rho = rotate_back(turn, motion.position[:, end] + arm - motion.position[:, s.drained])
    passing = motion.velocity[:, end] + cross(motion.spin[:, end], arm) - motion.velocity[:, s.drained]
    return rho, rotate_back(turn, passing) - cross(motion.spin_body[:, s.drained], rho)


def _surfaces(mechanism, left, drain):
    """Removal points of the tanks (3, tank, *cases) [m], structural coordinates, and their rates [m/s]."""
    layout, numbers = mechanism.layout, mechanism.numbers

    def points(left):
        found = []
        for k, ready in enumerate(numbers.own["streams"].elements):
            own = [t for t, (body, _) in enumerate(vehicle_masses.of(layout).tanks) if body == k]
            if own:
                found.append(tank_masses.removal_point(ready, vehicle_masses.part(left, own)))
        return jnp.concatenate(found, 1) if found else jnp.zeros((3, 0, *left.shape[1:]))

    return jvp(points, (left,), (drain,))


def _of_rates(mechanism, motion, rates):
    """Torques -J' w, or -k J' w with `inertia_rate` k of a body, body axes (3, body, *cases)."""
    bodies = mechanism.scenario.bodies
    w = motion.spin_body[:, : len(bodies)]
    part = rotate(rates.inertia, w)
    weight = [1.0 if body.inertia_rate is None else body.inertia_rate for body in bodies]
    return -part * jnp.stack([jnp.broadcast_to(k, w.shape[2:]) for k in weight])


def _on_bodies(mechanism, parts, owners, lanes):
    """Sums of values (3, *cases) by body: (3, body, *cases)."""
    columns = (_of_owner(k, parts, owners, jnp.zeros((3, *lanes))) for k in range(mechanism.layout.count))
    return jnp.stack([jnp.broadcast_to(c, (3, *lanes)) for c in columns], 1)


def _sum_by_tank(values, owners, shape):
    """Sums of values (*cases) by tank: (tank, *cases) of the given shape."""
    rows = [_of_owner(k, values, owners, jnp.zeros(shape[1:])) for k in range(shape[0])]
    return jnp.stack(rows) if rows else jnp.zeros(shape)


def _of_owner(number, values, owners, zero):
    """Sum of the values of one owner; zero without values."""
    own = [value for value, owner in zip(values, owners, strict=True) if owner == number]
    return reduce(operator.add, own) if own else zero
