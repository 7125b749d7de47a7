"""Interface between the stepper and a hybrid system. The stepper uses only the members of this interface.

Shapes: the state x is (n, *cases), time t is (*cases), watched values are (condition, *cases). `discrete` is
any tree of arrays that changes only at events (switches, event times, modes).
"""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple, Protocol

from ..maths.arrays import jax, jnp

# Times that differ by fewer of their roundings are the same.
ROUNDINGS = 4


class Seen(NamedTuple):
    """Observed values at one time.

    - values (condition, *cases): watched values. A condition is met when its value rises through zero.
    - measured (value, *cases): values read by conditions when they are met (`Settings.yields`).
    - features (5, axis, *cases): see `Hybrid.among`."""

    values: jax.Array
    measured: jax.Array
    features: jax.Array


class Hybrid(Protocol):
    """System with a continuous flow between events and jumps of the state at events."""

    @property
    def measures(self) -> int:
        """Return the number of measured values."""
        ...

    def evaluate(self, t, x, discrete, shaken=None) -> tuple[jax.Array, Seen]:
        """Return dx/dt (n, *cases) and the observed values.

        shaken: whether to perturb the state by its possible rounding error (`Settings.judged`), as a traced
        boolean. None: never.
        """
        ...

    def derivative(self, t, x, discrete) -> jax.Array:
        """Return dx/dt (n, *cases) without observed values."""
        ...

    def watch(self, t, x, discrete, shaken=None) -> jax.Array:
        """Return the watched values (condition, *cases) without dx/dt; for `shaken` see `evaluate`."""
        ...

    def measure(self, t, x, discrete) -> jax.Array:
        """Return the measured values (value, *cases) without dx/dt."""
        ...

    def project(self, t, x, discrete) -> jax.Array:
        """Return the state x projected onto its constraints (n, *cases)."""
        ...

    def error_norm(self, x, error) -> jax.Array:
        """Return the norm of an error estimate (n, *cases) divided by the tolerance, (*cases)."""
        ...

    def among(self, t, x, discrete) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Return the watched values, the positions among kinks, and the positions among features.

        - positions among kinks (axis, *cases): each crosses an integer at a kink.
        - positions among features (5, axis, *cases): see `maths.interpolation.Interval`.

        Without kinks or features, the axis has the size zero."""
        ...

    def armed_conditions(self, discrete) -> jax.Array:
        """Return which conditions are waiting, (condition, *cases) bool."""
        ...

    def next_time(self, discrete) -> jax.Array:
        """Return the earliest known time [s] of an armed condition (*cases); inf if there is none."""
        ...

    def corner(self, t, near, discrete) -> jax.Array:
        """Return the next time [s] at which a step with error control must end because of a kink or jump
        (*cases).

        The time is inf if there is no kink or jump. Kinks between t and t + `near` [s] are skipped. Jumps in
        this interval are not skipped.
        """
        ...

    def landings(self, t, discrete) -> list[jax.Array]:
        """Return the times [s] of all kinks and jumps at which a step must end, arrays (any, *cases); see
        `corner`.
        """
        ...

    def jumps(self, t, discrete) -> list[jax.Array]:
        """Return the times [s] at which dx/dt jumps, arrays (any, *cases). Times at which only the slope of
        dx/dt jumps are omitted.
        """
        ...

    def breaks(self, t, discrete) -> list[jax.Array]:
        """Return the times [s] at which dx/dt jumps or at which only accelerations jump, arrays (any,
        *cases).
        """
        ...

    def longest(self, t, x, slope, value, discrete) -> jax.Array | None:
        """Return the longest step [s] (*cases) in which no zero crossing of a watched value can be missed.
        None: no limit.

        slope, value: dx/dt and watched values at the start of the step. Fixed steps are not limited.
        """
        ...

    def fire(self, t, x, discrete, hit, measured) -> tuple[jax.Array, Any]:
        """Return the state and the discrete tree after all conditions in `hit` were met simultaneously.

        hit: (condition, *cases) bool. measured: values read by the conditions at this time.
        """
        ...

    def is_finished(self, discrete) -> jax.Array:
        """Return whether the flight has ended, (*cases) bool."""
        ...


class SelfStepping(Hybrid, Protocol):
    """Hybrid system with its own step method, used if `Settings.method` is not a Runge-Kutta method."""

    def advance(self, t, t_end, x, slope, discrete) -> Any:
        """Return one `step.Step` from t to t_end [s]. slope: dx/dt at the start."""
        ...


def between_events(function, discrete):
    """Return a function (t, x) from a function (t, x, discrete) of a hybrid system, for a constant
    `discrete`.
    """
    return lambda t, x: function(t, x, discrete)


class Settings(NamedTuple):
    """Settings of the stepper. The settings identify the compiled program, except `fixed_step`, `longest` and
    `stride`, which may also be traced values.

    - method: name of a Runge-Kutta method of `tableau`, or of a method of the problem
      (`SelfStepping.advance`).
    - fixed_step: constant step [s]. None: steps with error control.
    - longest: upper bound of the step [s].
    - event_time: time tolerance of events [s].
    - stride: a flight with fixed steps records every stride-th step, and every event.

    For each condition:

    - period: period of its watched value; inf if the value does not wrap around.
    - at_once: true if a value that is already above zero when the condition is armed also meets the
      condition.
    - yields: rank. If conditions are met at the same time, only the lowest rank is processed; higher ranks
      wait for its result. Conditions that read measured values have the highest rank.
    - anew: true if a new watch begins after the condition was met.
    - judged: true if a rise does not count while the value has stayed within its rounding error
      (`Hybrid.evaluate`).

    clockwork: true if the times of all conditions are known in advance (`Hybrid.next_time`).
    """

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
        """Return whether every step is recorded."""
        return isinstance(self.stride, int) and self.stride == 1

    @property
    def wraps(self) -> bool:
        """Return whether any watched value wraps around."""
        return any(isfinite(period) for period in self.period)

    def near(self, t) -> jax.Array:
        """Return the time tolerance [s] within which two times near t are equal: `event_time`, or the
        rounding error of t if it is larger.
        """
        return jnp.maximum(self.event_time, ROUNDINGS * jnp.finfo(jnp.asarray(t).dtype).eps * jnp.abs(t))


# Outcome of a case.
RUNNING, FINISHED, STEP_COLLAPSED, NOT_A_NUMBER, TOO_MANY_STEPS, MEMORY_FULL = range(6)


class Cursor(NamedTuple):
    """Present time, state and observed values of each case.

    - slope: dx/dt.
    - value, rate: watched values and their rates. A value is inf if its watch just began at an event.
    - clear: true if the value has been below zero by more than its rounding error since the watch began. The
      value is also true for unwatched values.
    - rounding: largest rounding error of the watched value since the watch began.
    - places: positions among kinks with their rates (axis, *cases), for steps with error control.
    - features (5, axis, *cases), with the rates of their variables (axis, *cases), for steps with error
      control.
    - step: step of the error controller [s]. limit: upper limit of the next step because of events or kinks
      [s].
    - stale: true if rates and observed values must be evaluated before the next step.
    - accepted, rejected: numbers of steps.
    - refused: true if error control rejected the last attempted step.
    """

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
    """One attempted step in every case, before the decision whether to accept it.

    - idle: true for cases without a step (the end equals the start).
    - h: length of the step [s].
    - t, x, slope: time, state and dx/dt at the end of the step.
    - sight: watched values along the step.
    - ratio: error divided by the tolerance.
    - finite: true if `slope` has no NaN and no infinity.
    - unseen: fraction of the step after which the step may miss a feature of the flow; inf if it misses none.
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
        """Return the watched values at the end of the step (condition, *cases)."""
        return self.sight.values[-1]

    @property
    def rate(self) -> jax.Array:
        """Return the rates of the watched values at the end of the step (condition, *cases)."""
        return self.sight.rate

    @property
    def places(self) -> tuple[jax.Array, jax.Array]:
        """Return the positions among kinks at the end of the step, and their rates (axis, *cases)."""
        return self.sight.places

    @property
    def is_refused(self) -> jax.Array:
        """Return whether error control rejects the step (*cases)."""
        return ~self.idle & ~(self.ratio <= 1.0)


class Row(NamedTuple):
    """Record of one attempt: its start, its end just before any jump, and the conditions met at the end.

    shift: time from the end of the step to the event [s]. moved: true if the case advanced or an event
    occurred.
    """

    t: jax.Array
    x: jax.Array
    discrete: Any
    t_end: jax.Array
    x_end: jax.Array
    hit: jax.Array
    shift: jax.Array
    moved: jax.Array
