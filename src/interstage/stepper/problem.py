"""Interface of a hybrid system for the stepper. The stepper knows nothing else about the system.

Shapes: the state x is (n, *cases), time t is (*cases), watched values are (conditions, *cases). `discrete` is
any tree of arrays that changes only at events (switches, event times, modes).
"""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple, Protocol

from ..maths.arrays import jax, jnp

# Times that differ by fewer of their roundings are the same.
ROUNDINGS = 4


class Seen(NamedTuple):
    """Observed values at one time. values (condition, *cases): watched. An event is a rise of one through
    zero. measured (number, *cases): numbers that conditions read when they are met (`Settings.yields`).
    features (5, axis, *cases): see `Hybrid.among`."""

    values: jax.Array
    measured: jax.Array
    features: jax.Array


class Hybrid(Protocol):
    """A continuous flow between events, and jumps at them."""

    @property
    def measures(self) -> int:
        """Number of measured values."""
        ...

    def evaluate(self, t, x, discrete, shaken=None) -> tuple[jax.Array, Seen]:
        """dx/dt, and the observed values. shaken: whether the state is moved by its possible
        rounding (`Settings.judged`), a traced truth value; None if never."""
        ...

    def derivative(self, t, x, discrete) -> jax.Array:
        """dx/dt alone."""
        ...

    def watch(self, t, x, discrete, shaken=None) -> jax.Array:
        """The watched values alone; for `shaken` see `evaluate`."""
        ...

    def measure(self, t, x, discrete) -> jax.Array:
        """The measured values alone."""
        ...

    def project(self, t, x, discrete) -> jax.Array:
        """The state put back on its constraints."""
        ...

    def error_norm(self, x, error) -> jax.Array:
        """Size of an error estimate over the tolerance, (*cases)."""
        ...

    def among(self, t, x, discrete) -> tuple[jax.Array, jax.Array, jax.Array]:
        """The watched values; where the flow is among its kinks, (axis, *cases): numbers that pass a whole
        one at each kink; and where variables are among its features (5, axis, *cases), see
        `maths.interpolation.Interval`. No axis where it has none."""
        ...

    def armed_conditions(self, discrete) -> jax.Array:
        """Which conditions are waiting, (conditions, *cases) bool."""
        ...

    def next_time(self, discrete) -> jax.Array:
        """The earliest time at which an armed condition is known to be met, inf if none, (*cases)."""
        ...

    def corner(self, t, near, discrete) -> jax.Array:
        """The first time further after t than `near` at which the flow may bend sharply; inf if none,
        (*cases). Also the first time after t at which a step is to end because the flow jumps next to it.

        No step with error control goes past it."""
        ...

    def landings(self, t, discrete) -> list[jax.Array]:
        """Times of corners, jumps included, each (any, *cases); see `corner`."""
        ...

    def jumps(self, t, discrete) -> list[jax.Array]:
        """Times of `landings` at which the flow itself jumps, and not only its slope, each (any, *cases)."""
        ...

    def breaks(self, t, discrete) -> list[jax.Array]:
        """Times of jumps of the flow, and times at which only accelerations jump, each (any, *cases)."""
        ...

    def longest(self, t, x, slope, value, discrete) -> jax.Array | None:
        """The longest step from here, where `value` is watched, that sees all that may be met on its way,
        (*cases); None where nothing of the kind is watched. It does not bound fixed steps."""
        ...

    def fire(self, t, x, discrete, hit, measured) -> tuple[jax.Array, Any]:
        """State and discrete tree after the conditions `hit` were met, all at once; measured: there."""
        ...

    def is_finished(self, discrete) -> jax.Array:
        """Whether the flight is over, (*cases) bool."""
        ...


class SelfStepping(Hybrid, Protocol):
    """A hybrid system that brings a method of its own along, for where `Settings.method` names no
    Runge-Kutta method."""

    def advance(self, t, t_end, x, slope, discrete) -> Any:
        """One `step.Step` from t to t_end."""
        ...


def between_events(function, discrete):
    """A function (t, x, discrete) of a hybrid system between events, where `discrete` stays: (t, x)."""
    return lambda t, x: function(t, x, discrete)


class Settings(NamedTuple):
    """How to step: part of the compiled program's identity, but for the numbers `fixed_step`, `longest` and
    `stride`, which may also be traced.

    `method`: a Runge-Kutta method of `tableau`, or the name of one that the problem brings along
    (`SelfStepping.advance`). `fixed_step`: step [s] of a method without error control, None for an adaptive
    one. `longest`: largest step [s]. `event_time`: events are located to this [s]. `stride`: a fixed-step
    flight records every stride-th step (and every event). `period`: span of each watched value that wraps
    around (inf for those that do not). `at_once`: conditions met already if their value is past zero when
    armed. `clockwork`: every condition is met at a time that is known beforehand (`Hybrid.scheduled`).
    `yields`: of conditions of one instant those of the least number are met first, the others wait for their
    result. Those that read measured values are last. `anew`: watched anew once they were met. `judged`:
    conditions that are not met while their value has stayed within its own rounding (`Hybrid.evaluate`)."""

    method: str
    fixed_step: Any = None
    longest: Any = float("inf")
    event_time: float = 1e-10
    stride: Any = 1
    period: tuple[float, ...] = ()
    at_once: tuple[bool, ...] = ()
    clockwork: bool = False
    yields: tuple[int, ...] = ()
    anew: tuple[bool, ...] = ()
    judged: tuple[bool, ...] = ()

    @property
    def every(self) -> bool:
        """Whether every step is recorded."""
        return isinstance(self.stride, int) and self.stride == 1

    @property
    def wraps(self) -> bool:
        """Whether any watched value wraps around."""
        return any(isfinite(period) for period in self.period)

    def near(self, t) -> jax.Array:
        """Time [s] within which two moments around t are the same: `event_time`, or what rounding leaves."""
        return jnp.maximum(self.event_time, ROUNDINGS * jnp.finfo(jnp.asarray(t).dtype).eps * jnp.abs(t))


# Outcome of a case.
RUNNING, FINISHED, STEP_COLLAPSED, NOT_A_NUMBER, TOO_MANY_STEPS, MEMORY_FULL = range(6)


class Cursor(NamedTuple):
    """Where each case is. `value`, `rate`: the watched values there; a value is inf if an event has just
    begun to watch it. `clear`: whether the value has been further below zero than its rounding since the
    watch began; true of values that are not watched. `rounding`: the largest rounding since then. `places`,
    and their rates: where it is among kinks (axis, *cases), of steps with error control. `features` (5, axis,
    *cases), and the rates of their variables (axis, *cases): likewise. `stale`: the slope and the observed
    values must be evaluated again before a step. `refused`: the error did not allow the last step that was
    tried."""

    t: jax.Array
    x: jax.Array
    slope: jax.Array
    discrete: Any
    value: jax.Array
    rate: jax.Array
    clear: jax.Array
    rounding: jax.Array
    places: tuple[jax.Array, jax.Array]
    features: tuple[jax.Array, jax.Array]
    step: jax.Array
    limit: jax.Array
    stale: jax.Array
    status: jax.Array
    accepted: jax.Array
    rejected: jax.Array
    refused: jax.Array


class Trial(NamedTuple):
    """One step tried in every case, before it is known whether it stands.

    `idle`: cases without a step (end equals start). `h` [s]: its length. `t`, `x`, `slope`: its end.
    `sight`: the watched values along it. `ratio`: its error over the tolerance. `finite`: whether the slope
    is a number. `unseen`: part of it after which it may pass over a feature of the flow, inf where it does
    not.
    """

    idle: jax.Array
    h: jax.Array
    t: jax.Array
    x: jax.Array
    slope: jax.Array
    sight: Any
    ratio: jax.Array
    finite: jax.Array
    unseen: jax.Array

    @property
    def value(self) -> jax.Array:
        """The watched values at its end."""
        return self.sight.values[-1]

    @property
    def rate(self) -> jax.Array:
        """Rates of the watched values at its end."""
        return self.sight.rate

    @property
    def places(self) -> tuple[jax.Array, jax.Array]:
        """Where its end is among kinks, and the rates."""
        return self.sight.places

    @property
    def is_refused(self) -> jax.Array:
        """Whether its error does not allow a step to stand."""
        return ~self.idle & ~(self.ratio <= 1.0)


class Row(NamedTuple):
    """Record of one attempt: its start, its end just before any jump, and the conditions met there."""

    t: jax.Array
    x: jax.Array
    discrete: Any
    t_end: jax.Array
    x_end: jax.Array
    hit: jax.Array
    shift: jax.Array
    moved: jax.Array
