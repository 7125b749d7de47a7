"""Compute the commands of control laws from quantities of the flight.

- `prepare` prepares a law once.
- `command` computes the command of a law at one time.
- `integral_rate` computes the rate of the integral of a continuous law.
- `take_sample` takes a sample of a sampled law.

The caller passes the quantities by path, each (*cases). A command has the shape (*cases) or (3, *cases).
Limits are exact minima and maxima, so derivatives at a limit are one-sided. Sampled commands jump.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...environment.flight_path import attitude_in
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.rotations import conjugate, matrix_of, multiply, spin_of_sequence, unit_quaternion
from ...maths.vectors import add_axes, dot, rotate, rotate_back
from ...model import user_class
from ...model.motion import TimeTable
from ...tree.errors import BadInput, Problem
from . import gain_schedule, throttle
from .declared import (
    CALL,
    PID,
    AttitudeHold,
    RateHold,
    ThrottleLimit,
    UserControl,
    angular_velocity_names,
    attitude_names,
    is_vector,
    signals,
)
from .gain_schedule import axis_gain_at, for_cases, gain_at

Measured = Mapping[str, Any]

FADE = 0.1
"""The width of the band beyond a command limit, divided by half the range between the limits.

In this band, the rate of the integral decreases linearly to zero. If the integral stopped at the limit
itself, it would start and stop at every step.
"""


class Ready(NamedTuple):
    """A control law, prepared for evaluation.

    - law: declaration of the law in the scenario.
    - gains: prepared gains, by name of the field.
    - target: interpolation knots of a target over time; None for other targets.
    - wraps: period of the measured quantity; None if it has no period.
    - user: object of the user's Python class; None for other laws.
    """

    law: Any
    gains: dict[str, Any]
    target: Any
    wraps: Any
    user: Any


_GAINS = {PID: ("kp", "ki", "kd", "bias"), RateHold: ("gain",), AttitudeHold: ("kp", "kd")}
_GAINS[ThrottleLimit] = ("setting",)
_TARGETS = {PID: "target", RateHold: "target", AttitudeHold: "angles"}


def prepare(law: Any, wraps: Any = None, knots: Any = None) -> Ready:
    """Return a control law, prepared for evaluation.

    - law: declaration of the law in the scenario. The numbers of the law can be JAX tracers and can have case
      axes.
    - wraps: period of the measured quantity of a scalar loop, for example 2 pi [rad] for an angle. With a
      period, the error is the shortest difference. Default: None, no period.
    - knots: result of `target_knots`. Default: computed here.

    Raises BadInput if the user's Python class cannot be loaded.
    """
    gains = {name: gain_schedule.prepare(getattr(law, name)) for name in _GAINS.get(type(law), ())}
    user = None
    if isinstance(law, UserControl):
        named = user_class.Named(law.class_path, f"controls.{law.name}.class", CALL)
        user = user_class.construct(named, law.parameters)
    return Ready(law, gains, target_knots(law) if knots is None else knots, wraps, user)


def target_knots(law: Any) -> Any:
    """Return the interpolation knots of a target over time. Return None if the target of the law is not a
    table over time.
    """
    target = getattr(law, _TARGETS[type(law)]) if type(law) in _TARGETS else None
    if not isinstance(target, TimeTable):
        return None
    value = getattr(target, "value")  # noqa: B009 - the subclasses give it a unit
    return interpolation.knots(target.time, value, target.interpolation, int(is_vector(law)))


def command(ready: Ready, time: Any, measured: Measured, integral: Any = 0.0, axes: Any = None) -> Any:
    """Return the command of a law, within its limits: (*cases), or (3, *cases) along the body axes.

    - ready: the prepared law.
    - time: flight time [s] (*cases).
    - measured: quantities (*cases) by path.
    - integral: integral of a scalar loop (*cases), in the unit of the command.
    - axes: reference of the law, as follows. Default: None.

    Kinds of reference:

    - attitude law with local axes: matrix from local to inertial axes (3, 3, *cases), and angular velocity of
      the local axes [rad/s] (3, *cases), inertial axes
    - attitude law with guidance: commanded quaternion (4, *cases), and angular velocity [rad/s] (3, *cases)
      in commanded axes
    - throttle law: `throttle.Bounds`
    """
    law, time = ready.law, jnp.asarray(time, float)
    if isinstance(law, PID):
        wanted = _proportional(ready, time, measured) + integral
    elif isinstance(law, RateHold):
        wanted = _rate_hold(ready, time, measured)
    elif isinstance(law, AttitudeHold):
        wanted = _attitude_hold(ready, time, measured, axes)
    elif isinstance(law, ThrottleLimit):
        wanted = throttle.limit_throttle(law, setting(ready, time, measured), axes)[0]
    else:
        wanted = _users(ready, time, measured)
    return _within_limits(law, wanted)


def off_command(law: Any, time: Any) -> Any:
    """Return the command of a law that is off: (*cases), or (3, *cases) along the body axes. time: flight
    time [s] (*cases).
    """
    time = jnp.asarray(time, float)
    off = for_cases(law.off_value, time)
    return jnp.broadcast_to(off, (3, *time.shape)) if is_vector(law) else jnp.broadcast_to(off[0], time.shape)


def by_signal(law: Any, found: Any) -> dict[str, Any]:
    """Return the components of a command (*cases), by signal name. found: the command (*cases) or (3,
    *cases).
    """
    return dict(zip(signals(law), list(found) if is_vector(law) else [found], strict=True))


def integral_rate(ready: Ready, time: Any, measured: Measured, integral: Any) -> Any:
    """Return the rate of the integral of a scalar loop (*cases), in the unit of the command per second. The
    rate is ki e.

    If the command is beyond a limit and the rate would increase the excess, the rate decreases to zero over
    the band `FADE`. For the parameters, see `command`.
    """
    time = jnp.asarray(time, float)
    push = _push(ready, time, measured)
    bounds = _bounds(ready.law)
    if bounds is None:
        return push
    wanted = _proportional(ready, time, measured) + integral
    lower, upper = bounds
    band = FADE * 0.5 * (upper - lower)
    below = interpolation.clamp(1 - (lower - wanted) / band, 0.0, 1.0)
    above = interpolation.clamp(1 - (wanted - upper) / band, 0.0, 1.0)
    return push * jnp.where(push > 0, above, below)


def take_sample(
    ready: Ready, time: Any, measured: Measured, integral: Any = 0.0, axes: Any = None
) -> tuple[Any, Any]:
    """Return the command until the next sample, and the new integral, for a law with a sample period.

    First, the integral increases by period * ki * e of this sample. After that, the command is computed
    (backward rectangle rule). If the command is beyond a limit and the excess would increase, the integral
    does not change. For the parameters, see `command`.
    """
    law = ready.law
    if not (isinstance(law, PID) and law.ki is not None):
        return command(ready, time, measured, integral, axes), integral
    time = jnp.asarray(time, float)
    step = law.period * _push(ready, time, measured)
    grown, rest = integral + step, _proportional(ready, time, measured)
    bounds = _bounds(law)
    if bounds is not None:
        wanted = rest + grown
        lower, upper = bounds
        outward = ((wanted > upper) & (step > 0)) | ((wanted < lower) & (step < 0))
        grown = jnp.where(outward, integral, grown)
    return _within_limits(law, rest + grown), grown


def times(ready: Ready) -> list[Any]:
    """Return the times of the table points of a continuous law [s] (n, *cases): of its target and of its
    gains over time.

    A sampled law reads its tables only at samples, so the result is empty.
    """
    if ready.law.period is not None:
        return []
    gains = [g for g in ready.gains.values() if isinstance(g, gain_schedule.Ready)]
    knots = [g.knots for g in gains if g.schedule.over == gain_schedule.TIME]
    return [k.where for k in (*knots, ready.target) if k is not None]


def jumps(ready: Ready) -> list[Any]:
    """Return the times of the two ends of the target table of a continuous law [s] (2, *cases). The time is
    infinite if the target does not jump to zero at this end.

    The result is a list with at most one array.
    """
    table: Any = getattr(ready.law, _TARGETS.get(type(ready.law), ""), None)
    if ready.law.period is not None or ready.target is None or table.outside != "zero":
        return []
    where, value = (jnp.asarray(field)[np.array([0, -1])] for field in ready.target[:2])
    counts = jnp.any(value != 0, 1) if is_vector(ready.law) else value != 0
    ndim = max(where.ndim, counts.ndim)
    return [jnp.where(add_axes(counts, ndim), add_axes(where, ndim), jnp.inf)]


def setting(ready: Ready, time: Any, measured: Measured) -> Any:
    """Return the throttle of a throttle law (*cases) without the effect of limits."""
    return jnp.broadcast_to(gain_at(ready.gains["setting"], time, measured), jnp.shape(time))


# --- scalar loops ------------------------------------------------------------------------------------------


def _read(measured, name, time):
    return time if name == gain_schedule.TIME else measured[name]


def _error(ready, time, measured):
    """Error, and rate of the target (*cases)."""
    law = ready.law
    if ready.target is None:
        target, slope = law.target.magnitude, 0.0
    else:
        target, slope = _table_value(law.target, ready.target, time)
    error = target - _read(measured, law.measured, time)
    if ready.wraps is not None:
        error = error - ready.wraps * jnp.round(error / ready.wraps)
    return error, slope


def _proportional(ready, time, measured):
    """Command without its integral and limits."""
    law = ready.law
    error, slope = _error(ready, time, measured)
    gain = {n: gain_at(g, time, measured) for n, g in ready.gains.items() if g is not None}
    wanted = gain["bias"] + gain["kp"] * error
    if law.rate is not None:
        wanted = wanted + gain["kd"] * (slope - _read(measured, law.rate, time))
    return wanted


def _push(ready, time, measured):
    """ki e: the rate of the integral without limits."""
    return gain_at(ready.gains["ki"], time, measured) * _error(ready, time, measured)[0]


def _table_value(table, knots, time, components=0):
    """Value and rate (*components, *cases) of a table over time. Outside of the table, the rate is zero."""
    first, last = interpolation.first(knots, time), interpolation.last(knots, time)
    inside = (time >= first) & (time <= last)
    within = interpolation.clamp(time, first, last)
    piece = interpolation.piece(knots, interpolation.cell(knots, within), components)
    value, slope = piece.at(within), jnp.where(inside, piece.slope(within), 0.0)
    return (value if table.outside == "hold" else jnp.where(inside, value, 0.0)), slope


# --- limits ------------------------------------------------------------------------------------------------


def _bounds(law):
    """Bounds of a scalar command, or None."""
    if law.limit is not None:
        return -law.limit[0], law.limit[0]
    return (law.lower, law.upper) if isinstance(law, PID) and law.lower is not None else None


def _within_limits(law, wanted):
    """Command within its limits."""
    if is_vector(law):
        limit = None if law.limit is None else for_cases(law.limit, wanted[0])
        return wanted if limit is None else interpolation.clamp(wanted, -limit, limit)
    bounds = _bounds(law)
    return wanted if bounds is None else interpolation.clamp(wanted, *bounds)


# --- three axes --------------------------------------------------------------------------------------------


def _gather(measured, names):
    return jnp.stack([jnp.asarray(measured[name], float) for name in names])


def _rate_hold(ready, time, measured):
    law = ready.law
    spin = _gather(measured, angular_velocity_names(law.body))
    if ready.target is None:
        target = for_cases(law.target, time)
    else:
        target, _ = _table_value(law.target, ready.target, time, 1)
    return axis_gain_at(ready.gains["gain"], time, measured) * (target - spin)


def _attitude_hold(ready, time, measured, axes):
    law = ready.law
    spin = _gather(measured, angular_velocity_names(law.body))
    quaternion = _gather(measured, attitude_names(law.body))
    commanded, turning = axes if law.follows is not None else _by_angles(ready, time, axes)
    between = multiply(conjugate(quaternion), commanded)
    kp, kd = (axis_gain_at(ready.gains[name], time, measured) for name in ("kp", "kd"))
    along_body = rotate(matrix_of(unit_quaternion(between)), turning)
    return kp * rotation_vector(between) + kd * (along_body - spin)


def _by_angles(ready, time, axes):
    """Attitude of the law's commanded angles, and its angular velocity along the commanded axes."""
    law = ready.law
    if ready.target is None:
        angles = jnp.broadcast_to(for_cases(law.angles, time), (3, *time.shape))
        rates = jnp.zeros_like(angles)
    else:
        angles, rates = _table_value(law.angles, ready.target, time, 1)
    # Angular velocity of the rotations, and of their reference axes.
    turning, turns = spin_of_sequence(law.sequence, angles, rates)
    if law.axes == "inertial":
        return turns, turning
    matrix, spinning = axes
    turning = turning + rotate_back(matrix_of(turns), rotate_back(matrix, spinning))
    return attitude_in(matrix, law.sequence, angles), turning


SMALL = 1e-3
"""If the squared tangent of half the angle is below this number, the arc tangent is computed by a series.
With five terms, the relative error is SMALL^5 / 11.
"""


def rotation_vector(quaternion: Any) -> Any:
    """Return the shortest rotation vector [rad] (3, ...) of a quaternion (4, ...) with any norm.

    With the scalar part s and the vector part v, the angle is 2 atan(|v| / |s|). The function is smooth
    except at the angle pi, where the vector jumps to its opposite. At this corner, the derivatives are the
    derivatives for s >= 0.
    """
    shortest = jnp.where(quaternion[0] < 0, -quaternion, quaternion)
    scalar, vector = shortest[0], shortest[1:]
    square = dot(vector, vector)
    small = square < SMALL * scalar * scalar
    safe = jnp.where(small, scalar, 1.0)
    x = jnp.where(small, square, 0.0) / (safe * safe)
    series = (1 - x * (1 / 3 - x * (1 / 5 - x * (1 / 7 - x / 9)))) / safe
    length = jnp.sqrt(jnp.where(small, 1.0, square))
    return 2 * jnp.where(small, series, jnp.arctan2(length, scalar) / length) * vector


# --- user laws ---------------------------------------------------------------------------------------------


def _users(ready, time, measured):
    law = ready.law
    seen = {name: _read(measured, name, time) for name in law.measures}
    found, vector = ready.user(time, seen), is_vector(law)
    try:
        return user_class.fit_result(found, (3, *time.shape) if vector else time.shape, vector)
    except ValueError as error:
        text = (
            f'{law.class_path} {error}. Return an array for outputs = "{law.outputs}", with the case axes'
            " last"
        )
        raise BadInput(Problem(f"controls.{law.name}.class", text)) from None
