"""Engines and motors at work: their thrust, the propellant that they draw, and what its flow does to bodies.

A stream is what an engine draws from one tank. Propellant leaves the tank at its surface r_p, flows along a
straight line to the nozzle's exit r_e and out of it, with mass flow m_s: the momentum inside the body is L =
m_s (r_e - r_p), body axes. With rho = r_e - c from the mass centre c, the momentum of structure, propellant
and stream together, m u + L, where u is the velocity of the material point at the mass centre, and the
angular momentum about it, J w + rho x L, change by what acts from outside and by what leaves with the gas:

    m a      = F + thrust - 2 w x L - L'
    J w' + w x J w = M + rho x thrust - J' w - m_s rho x (w x rho) - w x (rho x L) - rho x L'

(' is the rate in body axes; a is the acceleration of the material point, so that rows of joints take it as
it is). The second has jet damping in J' w + m_s rho x (w x rho). Both hold for each body of a stack as they
hold for the stack; docs/decisions/0010-changing-mass.md derives them. Where a flow starts or ends at once the
jump of L is left out.

A body with `inertia_rate` k instead follows single-body trajectory programs: its mass centre obeys m r'' =
F + thrust, and -k J' w stands in place of all other terms of the flow."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...maths.arrays import jax, jnp, jvp
from ...maths.vectors import cross, rotate, rotate_back
from ...model.burn_tables import Signal
from ..control.signals import signals
from . import burning, mass_properties, masses
from . import engines as propulsion

if TYPE_CHECKING:
    from ...engine.here import Here


class Streams(NamedTuple):
    """thrust [N], flow [kg/s], fraction (engine): as of `burning.Burn`; direction (3, engine): of the
    thrust on the body, body axes. force [N, inertial] and torque about the mass centre [N m, body axes] (3,
    body, without the ground): of thrust and flow. drain (tank) [kg/s]: rates of the propellants left;
    drain_rate (tank) [kg/s^2]: rates of these.
    shift (3, body) [m/s]: of the mass centre through the structure, body axes, zero where the body's velocity
    is already that of its mass centre. mass_rate (body) [kg/s]."""

    thrust: Any
    flow: Any
    fraction: Any
    direction: Any
    force: Any
    torque: Any
    drain: Any
    drain_rate: Any
    shift: Any
    mass_rate: Any


class _Line(NamedTuple):
    """One stream: numbers of its engine, its tank, the bodies of both, and its place among the feeds."""

    engine: int
    tank: int
    pushed: int
    drained: int
    feed: int


def lines(layout) -> list[_Line]:
    """The streams of a scenario."""
    part, found = masses.of(layout), []
    for e, engine in enumerate(layout.scenario.engines):
        for f, name in enumerate(part.feeds[e]):
            tank = part.tank(name)
            found.append(_Line(e, tank, layout.bodies.index(engine.body), part.tanks[tank][0], f))
    return found


def streams(here: Here) -> Streams:
    """The engines at work, and what they draw."""
    mechanism, t, motion, discrete = here.mechanism, here.t, here.motion, here.discrete
    layout = mechanism.layout
    burns, directions, changes = _burns(here)
    left, along = here.own("streams"), lines(layout)
    shares = _shares(mechanism)
    flow = [shares[s.engine][s.feed] * burns.mass_flow[s.engine] for s in along]
    tanks = [s.tank for s in along]
    drain = _summed([-each for each in flow], tanks, left.shape)
    changing = [shares[s.engine][s.feed] * changes[s.engine] for s in along]
    drain_rate = _summed([-each for each in changing], tanks, left.shape)
    rates = masses.rates(layout, mechanism.numbers, left, discrete.own["streams"].attached, drain)
    pushes, turns = _pushes(mechanism, burns, directions)
    force, torque = _of_streams(mechanism, motion, left, drain, along, flow, changing)
    torque = turns + torque + _of_rates(mechanism, motion, rates)
    explicit = jnp.array([body.inertia_rate is None for body in layout.scenario.bodies], float)
    shift = rates.centre * explicit.reshape((-1,) + (1,) * t.ndim)
    n = layout.count
    force = rotate(motion.rotation[:, :, :n], pushes + force)
    pushing = burns.thrust, burns.mass_flow, burns.fraction, directions
    return Streams(*pushing, force, torque, drain, drain_rate, shift, rates.mass)


def _burns(here: Here):
    """Burn of all engines (engine, *lanes), directions (3, engine, *lanes), rates of mass flows (engine)
    [kg/s^2], none of those that draw from no tank."""
    groups, t = masses.of(here.mechanism.layout).alike, here.t
    if not groups:
        none = jnp.zeros((0, *t.shape))
        return burning.Burn(none, none, none), jnp.zeros((3, 0, *t.shape)), []
    ready = here.mechanism.numbers.own["streams"].alike
    found, ways, changes = zip(*map(partial(_burns_alike, here), groups, ready), strict=True)
    order = np.argsort(np.concatenate(groups))
    burns = jax.tree.map(lambda *parts: jnp.concatenate(parts)[_places(order)], *found)
    changes = [change for several in changes for change in several]
    return burns, jnp.concatenate(ways, 1)[:, _places(order)], [changes[k] for k in order]


def in_vacuum(here: Here) -> Any:
    """Thrusts that the engines would have without any air around them [N], (engine, *lanes)."""
    groups, t = masses.of(here.mechanism.layout).alike, here.t
    ready = here.mechanism.numbers.own["streams"].alike
    found = (_burner(here, group, one, 0.0)(t).thrust for group, one in zip(groups, ready, strict=True))
    whole = [
        jnp.broadcast_to(thrust, (len(group), *t.shape)) for thrust, group in zip(found, groups, strict=True)
    ]
    order = np.argsort(np.concatenate(groups))
    return jnp.concatenate(whole)[_places(order)]


def by_throttle(here: Here, signal: str) -> tuple[Any, Any]:
    """Thrusts on all bodies [N] (3, body, *lanes), inertial axes: what a throttle of one adds of the engines
    that have a signal for their throttle, and all the rest, which their throttle does not change."""
    layout, lanes = here.equations.layout, here.t.shape
    full, rest = (jnp.zeros((3, layout.count, *lanes)) for _ in range(2))
    ready = here.mechanism.numbers.own["streams"].alike
    for group, one in zip(masses.of(layout).alike, ready, strict=True):
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
    """A throttle between the least and the highest of an engine, full if that is among them."""
    least = jnp.where(model.min_throttle > 1, model.min_throttle, 1.0)
    return (
        least
        if model.max_throttle is None
        else jnp.where(least > model.max_throttle, model.max_throttle, least)
    )


def _burner(
    here: Here, group: tuple[int, ...], ready: burning.Ready, pressure: Any, throttle: Any = None
) -> Any:
    """What gives the burn of engines that burn alike at a time: (engine, *lanes), of a lone one (*lanes).
    throttle: in place of their signal."""
    own = here.discrete.own["streams"]
    setting = getattr(here.mechanism.layout.scenario.engines[group[0]], "throttle", None)
    if throttle is None and isinstance(setting, Signal):
        throttle = signals(here)[setting.signal]
    places = group[0] if len(group) == 1 else _places(group)

    def burn(now):
        return burning.burn(ready, now, own.ignited[places], own.cut[places], throttle, pressure)

    return burn


def _burns_alike(here: Here, group: tuple[int, ...], ready: burning.Ready):
    """The same of engines that burn alike, made ready side by side: all at once, (engine, *lanes), a lone one
    (*lanes)."""
    layout, t, commands = here.mechanism.layout, here.t, signals(here)
    engine, whole, lone = layout.scenario.engines[group[0]], (len(group), *t.shape), len(group) == 1
    body = layout.bodies.index(engine.body)
    pressure = 0.0 if here.surroundings is None else here.surroundings.air.pressure[body]
    burn = _burner(here, group, ready, pressure)
    changes: list[Any] = [None] * len(group)
    if masses.of(layout).feeds[group[0]]:
        now, change = jvp(burn, (t,), (jnp.ones_like(t),))
        rates = jnp.broadcast_to(change.mass_flow, t.shape if lone else whole)
        changes = [rates] if lone else [rates[k] for k in range(len(group))]
    else:  # a derivative takes as long as five values
        now = burn(t)
    way = burning.direction(ready, *(commands[name] if name else 0.0 for name in _gimbal(engine)))
    way = way[:, None] if lone else way
    return (
        jax.tree.map(lambda a: jnp.broadcast_to(a, whole), now),
        jnp.broadcast_to(way, (3, *whole)),
        changes,
    )


def _places(numbers: Sequence[int] | np.ndarray) -> Any:
    """An index for numbers along an axis: a slice, which takes one equation, where they follow on each
    other."""
    places = np.asarray(numbers)
    follow = bool(np.all(np.diff(places) == 1))
    return slice(int(places[0]), int(places[-1]) + 1) if follow else places


def _gimbal(engine):
    return (engine.gimbal.pitch, engine.gimbal.yaw) if engine.gimbal else (None, None)


def _shares(mechanism):
    """Shares of the feeds of each engine."""
    return [[share for _, share in propulsion.feeds(engine)] for engine in mechanism.scenario.engines]


def _exit(mechanism, engine: int):
    """Exit of an engine's nozzle from the mass centre of its body [m] (3, *lanes), body axes."""
    layout = mechanism.layout
    body = layout.bodies.index(layout.scenario.engines[engine].body)
    return mechanism.numbers.arm(mechanism.scenario.engines[engine].at, body), body


def _pushes(mechanism, burns, directions):
    """Thrusts as forces and torques about the mass centres, body axes (3, body, *lanes) each."""
    lanes, exits = burns.thrust.shape[1:], [_exit(mechanism, e) for e in range(burns.thrust.shape[0])]
    owners, forces = [k for _, k in exits], burns.thrust * directions
    torques = forces
    if exits:
        arms = jnp.stack([jnp.broadcast_to(arm, (3, *lanes)) for arm, _ in exits], 1)
        torques = cross(arms, forces)
    columns = ([part[:, e] for e in range(len(exits))] for part in (forces, torques))
    return tuple(_on_bodies(mechanism, each, owners, lanes) for each in columns)


def _of_streams(mechanism, motion, left, drain, along, flow, changing):
    """What the streams do to the bodies that they flow through, forces and torques, body axes (3, body,
    *lanes) each."""
    layout = mechanism.layout
    forces, torques, owners = [], [], []
    points, rises = _surfaces(mechanism, left, drain)
    for s, rate, change_of_rate in zip(along, flow, changing, strict=True):
        if layout.scenario.bodies[s.drained].inertia_rate is not None:
            continue
        w = motion.spin_body[:, s.drained]
        rho, _ = _exit(mechanism, s.engine)
        if s.pushed != s.drained:  # the nozzle as the tank's body sees it
            there = motion.position[:, s.pushed] + rotate(motion.rotation[:, :, s.pushed], rho)
            rho = rotate_back(motion.rotation[:, :, s.drained], there - motion.position[:, s.drained])
        way = rho + mechanism.numbers.centre[:, s.drained] - points[:, s.tank]
        inside = rate * way
        change = change_of_rate * way - rate * rises[:, s.tank]
        forces.append(-2 * cross(w, inside) - change)
        torques.append(-rate * cross(rho, cross(w, rho)) - cross(w, cross(rho, inside)) - cross(rho, change))
        owners.append(s.drained)
    return tuple(_on_bodies(mechanism, each, owners, left.shape[1:]) for each in (forces, torques))


def _surfaces(mechanism, left, drain):
    """Where the tanks are drawn from (3, tank, *lanes) [m], drawing coordinates, and their rates [m/s]."""
    layout, numbers = mechanism.layout, mechanism.numbers

    def points(left):
        found = []
        for k, ready in enumerate(numbers.own["streams"].elements):
            own = [t for t, (body, _) in enumerate(masses.of(layout).tanks) if body == k]
            if own:
                found.append(mass_properties.removal_point(ready, masses.part(left, own)))
        return jnp.concatenate(found, 1) if found else jnp.zeros((3, 0, *left.shape[1:]))

    return jvp(points, (left,), (drain,))


def _of_rates(mechanism, motion, rates):
    """Torques -J' w, or with the coefficient k of a body -k J' w, body axes (3, body, *lanes)."""
    bodies = mechanism.scenario.bodies
    w = motion.spin_body[:, : len(bodies)]
    part = rotate(rates.inertia, w)
    weight = [1.0 if body.inertia_rate is None else body.inertia_rate for body in bodies]
    return -part * jnp.stack([jnp.broadcast_to(k, w.shape[2:]) for k in weight])


def _on_bodies(mechanism, parts, owners, lanes):
    """Sum of (3, *lanes) over what belongs to each body: (3, body, *lanes)."""
    columns = (_of_owner(k, parts, owners, jnp.zeros((3, *lanes))) for k in range(mechanism.layout.count))
    return jnp.stack([jnp.broadcast_to(c, (3, *lanes)) for c in columns], 1)


def _summed(values, owners, shape):
    """Sum of (*lanes) over what belongs to each tank: (tank, *lanes), of that shape."""
    rows = [_of_owner(k, values, owners, jnp.zeros(shape[1:])) for k in range(shape[0])]
    return jnp.stack(rows) if rows else jnp.zeros(shape)


def _of_owner(number, values, owners, zero):
    """Sum of what belongs to one of several; zero where there is nothing."""
    own = [value for value, owner in zip(values, owners, strict=True) if owner == number]
    return reduce(operator.add, own) if own else zero
