"""Thrust and mass flow of engines and motors, and the direction of the thrust.

In vacuum an engine's thrust is F = F_full(time since ignition) throttle s. The factor s is the start
transient times the tail-off. The mass flow is F / (isp g0). The ambient pressure is p, and the exit area is
A. If F - p A is at least half of F, the delivered thrust is F - p A. Source: Sutton and Biblarz, Rocket
Propulsion Elements, 7th ed., sections 2.1 and 2.2. If F - p A is smaller, the nozzle does not flow full, and
the delivered thrust is p A u^3 (2 - u) with u = F / (2 p A). The last formula is a choice of Interstage: the
result has continuous second derivatives, is never negative, and is exactly zero for F = 0.

A motor follows its thrust trace f, with burn rate factor b and impulse factor k: F = k b f(b t). The mass
flow of a motor is proportional to the trace: b f(b t) (propellant - slag) / integral of f. For a motor, p is
the ambient pressure minus the pressure at which the trace was measured.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...environment.us76 import G0
from ...maths import interpolation
from ...maths.arrays import jax, jnp
from ...maths.vectors import add_axes, cross, dot, norm
from ...model.burn_tables import BurnTable, FlowByThrottle, IspByThrottle, Signal
from ...tree.declaration import build, parts
from .engines import STANDARD_PRESSURE, Motor

REFERENCE_LIMIT = 0.9
"""Maximum absolute cosine of the angle between the thrust and the y axis of the body.

Up to this limit, the y axis is the default reference of the pitch axis. Above the limit, the z axis is the
reference.
"""


TRANSIENTS = "rise_time", "tail_off_time"
"""Names of the fields with the durations of thrust rise and decay."""


class Ready(NamedTuple):
    """Engine or motor prepared by `prepare`.

    - model: the declaration.
    - tables: interpolation knots of each table, by field name.
    - axes (axis, component, *cases): thrust direction without cant, pitch axis and yaw axis, body axes.
    - per_impulse [kg/(N s)]: ratio of the mass flow of a motor to the thrust of its trace; None if the mass
      flow does not follow from the trace.
    """

    model: Any
    tables: dict[str, interpolation.Knots]
    axes: Any
    per_impulse: Any


class Burn(NamedTuple):
    """Thrust along the thrust direction [N], mass flow [kg/s] and burn fraction, each (*cases).

    For an engine, the burn fraction is the start transient times the tail-off, from 0 to 1. For a motor, the
    fraction is 1 during the trace. The fraction is exactly 0 after shutdown.
    """

    thrust: Any
    mass_flow: Any
    fraction: Any


class _Clock(NamedTuple):
    """lit: whether the engine was ignited. cut: whether it was cut off since. burning [s]: time from the
    ignition to the present, or to the cut-off. ending [s]: time since the cut-off, zero before."""

    lit: Any
    cut: Any
    burning: Any
    ending: Any


def prepare(engine: Any, propellant: Any = None) -> Ready:
    """Return a prepared engine or motor. The numeric fields of the result can be JAX tracers and can have
    case axes.

    `propellant` [kg]: propellant of the grain at ignition. Default: from the header of the motor's file.

    Raises ValueError if a motor needs the propellant mass and neither gives it.
    """
    fields = ("thrust", "isp", "mass_flow", "throttle", "start", "shutdown")
    given = {name: getattr(engine, name, None) for name in fields}
    tables = {name: _knots(table) for name, table in given.items() if isinstance(table, BurnTable)}
    per_impulse = None
    if isinstance(engine, Motor) and engine.mass_flow is None and not engine.massless:
        if propellant is None:
            if engine.header is None:
                raise ValueError(
                    f"the propellant mass of the motor {engine.name} is missing. Pass the argument propellant"
                )
            propellant = engine.header.propellant
        per_impulse = (jnp.asarray(propellant) - engine.slag) / integral(tables["thrust"])
    return Ready(engine, tables, _axes(engine), per_impulse)


def side_by_side(engines: tuple[Ready, ...], lanes: int) -> Ready:
    """Return several prepared engines as one, with an engine axis before the case axes in each array.

    The engines may differ only in numbers. A single engine is returned unchanged. `lanes`: number of case
    axes.
    """
    first, *others = engines
    if not others:
        return first
    # All get the names of the first engine, which are not used here.
    fixed = parts(first.model)[2]
    others = [one._replace(model=build(type(one.model), parts(one.model)[1], fixed)) for one in others]

    def stack(*leaves: Any) -> Any:
        whole = jnp.broadcast_arrays(*leaves)
        return jnp.stack(whole, whole[0].ndim - lanes)

    return jax.tree.map(stack, first, *others)


def _knots(table: BurnTable) -> interpolation.Knots:
    where = getattr(table, "throttle" if "throttle" in type(table).model_fields else "time")
    return interpolation.knots(where, getattr(table, "value"), table.interpolation)  # noqa: B009


def integral(points: interpolation.Knots) -> Any:
    """Return the exact integral of a table over its argument, from the first to the last point (*cases)."""
    where = points.where
    where = add_axes(where, max(where.ndim, points.value.ndim))
    return jnp.sum(interpolation.integrals(points._replace(where=where)), 0)


def exit_area(engine: Any) -> Any:
    """Return the area of the nozzle exit [m^2] (*cases).

    If the engine has a thrust at sea level, the area follows from this thrust and from the vacuum thrust.
    """
    level = getattr(engine, "thrust_sea_level", None)
    return engine.exit_area if level is None else (engine.thrust - level) / STANDARD_PRESSURE


def burn(
    ready: Ready,
    t: Any,
    ignition_time: Any,
    cutoff_time: Any,
    throttle: Any = None,
    ambient_pressure: Any = 0.0,
) -> Burn:
    """Return thrust, mass flow and burn fraction at a time t [s], each (*cases).

    - ignition_time, cutoff_time [s]: infinite if the event has not occurred.
    - throttle: value of the engine's throttle signal.
    - ambient_pressure [Pa]. Default: vacuum.

    All results are exactly zero before the ignition, and for an engine that fails (`works`). A cut-off before
    the ignition has no effect. No cut-off affects a motor without `cut`.

    Raises ValueError if the throttle is a signal and no value is given.
    """
    model = ready.model
    inputs = (t, ignition_time, cutoff_time, ambient_pressure)
    t, ignition_time, cutoff_time, ambient_pressure = (jnp.asarray(a, float) for a in inputs)
    clock = _clock(t, ignition_time, cutoff_time, not isinstance(model, Motor) or model.cut)
    if isinstance(model, Motor):
        vacuum, flow, fraction = _motor(ready, clock)
        ambient_pressure = ambient_pressure - model.trace_pressure
    else:
        vacuum, flow, fraction = _engine(ready, clock, throttle)
    thrust = delivered_thrust(vacuum, ambient_pressure * exit_area(model))
    found = (jnp.where(clock.lit, a, 0.0) * model.works for a in (thrust, flow, fraction))
    return Burn(*jnp.broadcast_arrays(*found))


def _clock(t, ignition, cutoff, can_be_cut) -> _Clock:
    """Clock of an engine. Infinite times are replaced first, so that derivatives stay finite."""
    lit = t >= ignition
    cut = (t >= cutoff) & (cutoff >= ignition) if can_be_cut else jnp.zeros_like(lit)
    end = jnp.where(cut, cutoff, t)
    return _Clock(lit, cut, end - jnp.where(lit, ignition, end), t - end)


def delivered_thrust(thrust: Any, back: Any) -> Any:
    """Return the thrust reduced by the ambient pressure [N], at least zero.

    `thrust` [N]: thrust in vacuum. `back` [N]: force of the ambient pressure on the exit area. The force is
    negative if a trace was measured at a higher pressure.
    """
    size = jnp.abs(back)
    weak = thrust < 2 * size
    u = jnp.where(weak, thrust / (2 * jnp.where(weak, size, 1.0)), 1.0)
    # 2 u - u^3 (2 - u) is the effective fraction of the loss, one from u = 1 on.
    return thrust - jnp.where(weak, back * u * (2 - u * u * (2 - u)), back)


def _engine(ready, clock, throttle):
    """Thrust in vacuum, mass flow and burn fraction of an ignited engine."""
    model, since = ready.model, clock.burning
    setting = _throttle(ready, since, throttle)
    on = _start_transient(ready, since) * _tail_off(ready, clock)
    vacuum = _value(ready, "thrust", since) * model.thrust_factor * setting * on
    if model.massless:
        return vacuum, jnp.zeros_like(vacuum), on
    name = "isp" if model.mass_flow is None else "mass_flow"
    by_throttle = isinstance(getattr(model, name), (IspByThrottle, FlowByThrottle))
    found = _value(ready, name, setting if by_throttle else since)
    if name == "isp":
        return vacuum, vacuum / (found * G0), on
    return vacuum, found * on if by_throttle else found * setting * on, on


def _throttle(ready, since, signal):
    model = ready.model
    if not isinstance(model.throttle, Signal):
        setting = _value(ready, "throttle", since)
    elif signal is None:
        raise ValueError(
            f"the throttle of {model.name} is the signal {model.throttle.signal}. Pass the value of this"
            " signal"
        )
    else:
        setting = jnp.asarray(signal, float)
    setting = jnp.where(setting < model.min_throttle, model.min_throttle, setting)
    if model.max_throttle is None:
        return setting
    return jnp.where(setting > model.max_throttle, model.max_throttle, setting)


def _start_transient(ready, since):
    """Start transient as a function of the time since ignition."""
    if "start" in ready.tables:
        return _value(ready, "start", since)
    rise = ready.model.rise_time
    return jnp.ones_like(since) if rise is None else interpolation.smooth_step(since / rise)


def _tail_off(ready, clock):
    """Tail-off factor, 1 until the cut-off."""
    if "shutdown" in ready.tables:
        left = _value(ready, "shutdown", clock.ending)
    else:
        fall = ready.model.tail_off_time
        left = 0.0 if fall is None else interpolation.smooth_step(1 - clock.ending / fall)
    return jnp.where(clock.cut, left, 1.0)


def _motor(ready, clock):
    """Thrust at the pressure of the trace, mass flow and burn fraction of an ignited motor."""
    model, rate = ready.model, ready.model.burn_rate_factor
    x = rate * clock.burning
    trace = _within(ready.tables["thrust"], x) * rate
    left = jnp.where(clock.cut, 0.0, 1.0)
    if "mass_flow" in ready.tables:
        flow = _within(ready.tables["mass_flow"], x) * rate
    else:
        flow = jnp.zeros_like(trace) if ready.per_impulse is None else trace * ready.per_impulse
    points = ready.tables["thrust"].where
    fraction = jnp.where((x >= points[0]) & (x <= points[-1]), left, 0.0)
    return trace * model.impulse_factor * left, flow * left, fraction


def _value(ready, name, x):
    """Value of a field: its table at x, or its constant."""
    points = ready.tables.get(name)
    return jnp.asarray(getattr(ready.model, name), float) if points is None else _look_up(points, x)


def _look_up(points, x):
    """Value of a table at x, with the cases of the table."""
    lanes = jnp.broadcast_shapes(points.where.shape[1:], points.value.shape[1:])
    return interpolation.look_up(points, jnp.broadcast_to(x, jnp.broadcast_shapes(x.shape, lanes)))


def _within(points, x):
    """Value of a table at x, zero outside of its points."""
    inside = (x >= points.where[0]) & (x <= points.where[-1])
    return jnp.where(inside, _look_up(points, x), 0.0)


def corners(ready: Ready, ignition_time: Any, cutoff_time: Any) -> Any:
    """Return the times [s] (k, *cases) at which thrust, mass flow or one of their first three time
    derivatives may jump.

    The times are not sorted and may repeat. If an event has not occurred, its times are infinite. Inner
    points of smooth tables are not included. Jumps from a signal or from a table over throttle are not
    included.
    """
    model = ready.model
    ignition, cutoff = (jnp.asarray(a, float) for a in (ignition_time, cutoff_time))
    can_be_cut = not isinstance(model, Motor) or model.cut
    starts, ends = [jnp.zeros(1)], [jnp.zeros(1)]
    for name, points in ready.tables.items():
        if not isinstance(getattr(model, name), (IspByThrottle, FlowByThrottle)):
            (ends if name == "shutdown" else starts).append(_kinks(points, getattr(model, name)))
    if isinstance(model, Motor):
        rate = jnp.asarray(model.burn_rate_factor, float)
        starts = [add_axes(where, max(where.ndim, 1 + rate.ndim)) / rate for where in starts]
    elif "start" not in ready.tables and model.rise_time is not None:
        starts.append(jnp.asarray(model.rise_time, float)[None])
    if not isinstance(model, Motor) and "shutdown" not in ready.tables and model.tail_off_time is not None:
        ends.append(jnp.asarray(model.tail_off_time, float)[None])
    burning = _times(ignition, starts)
    if not can_be_cut:
        return burning
    counts = cutoff >= ignition
    burning = jnp.where(counts & (burning > cutoff), jnp.inf, burning)
    ending = _times(jnp.where(counts, cutoff, jnp.inf), ends)
    lanes = jnp.broadcast_shapes(burning.shape[1:], ending.shape[1:])
    return jnp.concatenate([jnp.broadcast_to(a, (a.shape[0], *lanes)) for a in (burning, ending)])


def lasts(ready: Ready) -> Any:
    """Return the burn time of a motor, from ignition to the end of its trace [s] (*cases)."""
    return ready.tables["thrust"].where[-1] / ready.model.burn_rate_factor


def edges(ready: Ready, ignition_time: Any) -> Any:
    """Return the times [s] (k, *cases) at which motor thrust or mass flow jumps at an end of its table.

    The ignition is not included. At an end without a jump, the returned time is infinite.
    """
    rate, found = jnp.asarray(ready.model.burn_rate_factor, float), []
    ignition = jnp.asarray(ignition_time, float)
    for points in ready.tables.values():
        for k in (0, -1):
            after = points.where[k] / rate
            counts = (after > 0) & (points.value[k] != 0)
            found.append(jnp.where(counts, ignition + after, jnp.inf))
    return jnp.stack(jnp.broadcast_arrays(*found))


def bends(ready: Ready) -> bool:
    """Return whether thrust or mass flow may be nonsmooth at times other than ignition and cut-off."""
    model = ready.model
    return bool(ready.tables) or any(getattr(model, name, None) is not None for name in TRANSIENTS)


def _kinks(points, table):
    """Points of a table at which its slope jumps."""
    return points.where if table.interpolation == "linear" else jnp.stack([points.where[0], points.where[-1]])


def _times(begin, offsets):
    """Sums of a time (*cases) and offsets, each (n, *cases): (k, *cases)."""
    sums = [begin + add_axes(a, max(a.ndim, begin.ndim + 1)) for a in offsets]
    lanes = jnp.broadcast_shapes(*(a.shape[1:] for a in sums))
    return jnp.concatenate([jnp.broadcast_to(a, (a.shape[0], *lanes)) for a in sums])


def _axes(engine):
    """Thrust direction without cant, pitch axis and yaw axis (axis, component, *cases)."""
    e = jnp.asarray(engine.direction, float)
    e = e / norm(e)
    if engine.gimbal_about is None:
        y, z = (add_axes(jnp.eye(3)[k], e.ndim) for k in (1, 2))
        about = jnp.where(jnp.abs(e[1]) <= REFERENCE_LIMIT, y, z)
    else:
        about = jnp.asarray(engine.gimbal_about, float)
    ndim = max(e.ndim, about.ndim)
    e, about = jnp.broadcast_arrays(add_axes(e, ndim), add_axes(about, ndim))
    pitch = about - dot(about, e) * e
    pitch = pitch / norm(pitch)
    return jnp.stack([e, pitch, cross(e, pitch)])


def direction(ready: Ready, pitch: Any = 0.0, yaw: Any = 0.0) -> Any:
    """Return the unit vector of the thrust on the body, body axes (3, *cases).

    `pitch` (*cases) [rad]: gimbal angle about the pitch axis. `yaw` (*cases) [rad]: gimbal angle about the
    yaw axis, which rotates with the pitch angle. The cant angles of the engine are added.
    """
    cant = jnp.asarray(ready.model.cant, float)
    pitch, yaw = jnp.asarray(pitch, float) + cant[0], jnp.asarray(yaw, float) + cant[1]
    along, y, z = (add_axes(a, 1 + max(pitch.ndim, yaw.ndim, a.ndim - 1)) for a in ready.axes)
    return jnp.cos(yaw) * (jnp.cos(pitch) * along - jnp.sin(pitch) * z) + jnp.sin(yaw) * y
