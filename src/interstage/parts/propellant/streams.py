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

from typing import TYPE_CHECKING, Any, NamedTuple

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
    thrust on the body, body axes. total (6, body, without the ground): force [N, inertial] and torque about
    the mass centre [N m, body axes] of thrust and flow. drain (tank) [kg/s]: rates of the propellants left;
    drain_rate (tank) [kg/s^2]: rates of these.
    shift (3, body) [m/s]: of the mass centre through the structure, body axes, zero where the body's velocity
    is already that of its mass centre. mass_rate (body) [kg/s]."""

    thrust: Any
    flow: Any
    fraction: Any
    direction: Any
    total: Any
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
    left, along = mechanism.own("streams", here.x), lines(layout)
    shares = _shares(mechanism)
    flow = [shares[s.engine][s.feed] * burns.mass_flow[s.engine] for s in along]
    drain = _summed(flow, [s.tank for s in along], jnp.zeros_like(left), -1.0)
    changing = [shares[s.engine][s.feed] * changes[s.engine] for s in along]
    drain_rate = _summed(changing, [s.tank for s in along], jnp.zeros_like(left), -1.0)
    rates = masses.rates(layout, mechanism.numbers, left, discrete.own["streams"].attached, drain)
    total = _pushes(mechanism, burns, directions)
    total = total + _of_streams(mechanism, motion, left, drain, along, flow, changing)
    total = total + _of_rates(mechanism, motion, rates)
    explicit = jnp.array([body.inertia_rate is None for body in layout.scenario.bodies], float)
    shift = rates.centre * explicit.reshape((-1,) + (1,) * t.ndim)
    n = layout.count
    force = rotate(motion.rotation[:, :, :n], total[:3])
    total = jnp.concatenate([force, total[3:]])
    pushing = burns.thrust, burns.mass_flow, burns.fraction, directions
    return Streams(*pushing, total, drain, drain_rate, shift, rates.mass)


def _burns(here: Here):
    """Burn of all engines (engine, *lanes), directions (3, engine, *lanes), rates of mass flows (engine)
    [kg/s^2], none of those that draw from no tank."""
    mechanism, t, discrete, commands = here.mechanism, here.t, here.discrete, signals(here)
    surroundings = here.surroundings if mechanism.layout.scenario.engines else None
    layout, ready = mechanism.layout, mechanism.numbers.own["streams"].engines
    own, feeds = discrete.own["streams"], masses.of(layout).feeds
    found, ways, changes = [], [], []
    for e, (engine, one) in enumerate(zip(layout.scenario.engines, ready, strict=True)):
        body = layout.bodies.index(engine.body)
        pressure = 0.0 if surroundings is None else surroundings.air.pressure[body]
        lit, cut = own.ignited[e], own.cut[e]
        setting = getattr(engine, "throttle", None)
        throttle = commands[setting.signal] if isinstance(setting, Signal) else None

        def burn(now, one=one, lit=lit, cut=cut, throttle=throttle, pressure=pressure):
            return burning.burn(one, now, lit, cut, throttle, pressure)

        if feeds[e]:
            now, change = jvp(burn, (t,), (jnp.ones_like(t),))
            changes.append(jnp.broadcast_to(change.mass_flow, t.shape))
        else:  # a derivative takes as long as five values
            now = burn(t)
            changes.append(None)
        found.append(jax.tree.map(lambda a: jnp.broadcast_to(a, t.shape), now))
        angles = [commands[name] if name else 0.0 for name in _gimbal(engine)]
        ways.append(jnp.broadcast_to(burning.direction(one, *angles), (3, *t.shape)))
    if not found:
        none = jnp.zeros((0, *t.shape))
        return burning.Burn(none, none, none), jnp.zeros((3, 0, *t.shape)), changes
    burns = jax.tree.map(lambda *parts: jnp.stack(parts), *found)
    return burns, jnp.stack(ways, 1), changes


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
    """Thrusts as forces and torques about the mass centres, body axes (6, body, *lanes)."""
    parts, owners = [], []
    for e in range(len(mechanism.layout.scenario.engines)):
        arm, body = _exit(mechanism, e)
        force = burns.thrust[e] * directions[:, e]
        parts.append(jnp.concatenate([force, cross(jnp.broadcast_to(arm, force.shape), force)]))
        owners.append(body)
    return _on_bodies(mechanism, parts, owners, burns.thrust.shape[1:])


def _of_streams(mechanism, motion, left, drain, along, flow, changing):
    """What the streams do to the bodies that they flow through, body axes (6, body, *lanes)."""
    layout = mechanism.layout
    parts, owners = [], []
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
        force = -2 * cross(w, inside) - change
        torque = -rate * cross(rho, cross(w, rho)) - cross(w, cross(rho, inside)) - cross(rho, change)
        parts.append(jnp.concatenate([force, torque]))
        owners.append(s.drained)
    return _on_bodies(mechanism, parts, owners, left.shape[1:])


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
    """-J' w, or with the coefficient k of a body -k J' w, body axes (6, body, *lanes)."""
    bodies = mechanism.scenario.bodies
    w = motion.spin_body[:, : len(bodies)]
    part = rotate(rates.inertia, w)
    weight = [1.0 if body.inertia_rate is None else body.inertia_rate for body in bodies]
    torque = -part * jnp.stack([jnp.broadcast_to(k, w.shape[2:]) for k in weight])
    return jnp.concatenate([jnp.zeros_like(torque), torque])


def _on_bodies(mechanism, parts, owners, lanes):
    """Sum of (6, *lanes) over what belongs to each body: (6, body, *lanes)."""
    none = jnp.zeros((6, *lanes))
    columns = [sum((p for p, o in zip(parts, owners, strict=True) if o == k), none)
               for k in range(mechanism.layout.count)]  # fmt: skip
    return jnp.stack([jnp.broadcast_to(c, none.shape) for c in columns], 1)


def _summed(values, owners, zero, sign):
    """Sum of (*lanes) over what belongs to each tank, with a sign: (tank, *lanes)."""
    rows = [
        sum((sign * v for v, o in zip(values, owners, strict=True) if o == k), zero[k])
        for k in range(zero.shape[0])
    ]
    return jnp.stack(rows) if rows else zero
