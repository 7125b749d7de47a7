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
    """Observed values at one time.

    - values (condition, *cases): watched values. A condition is met when its value rises through zero.
    - measured (value, *cases): values read by conditions when they are met (`Settings.yields`).
    - features (5, axis, *cases): see `Hybrid.among`."""

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
        """Return the watched values, the positions among kinks, and the positions among features.

        - positions among kinks (axis, *cases): each crosses an integer at a kink.
        - positions among features (5, axis, *cases): see `maths.interpolation.Interval`.

        Without kinks or features, the axis has the size zero."""
        ...

    def armed_conditions(self, discrete) -> jax.Array:
        """Which conditions are waiting, (conditions, *cases) bool."""
        ...

    def next_time(self, discrete) -> jax.Array:
        """Return the earliest known time [s] of an armed condition (*cases); inf if there is none."""
        ...

    def corner(self, t, near, discrete) -> jax.Array:
        """Return the next time [s] at which a step with error control must end because of a kink or jump
        (*cases).

        The time is inf if there is none. Kinks up to `near` after t are skipped. Times next to a jump are
        not skipped."""
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
        """Return the longest step [s] (*cases) in which no watched zero crossing can be missed. None: no
        limit.

        `value`: watched values at the start of the step. Fixed steps are not limited."""
        ...

    def fire(self, t, x, discrete, hit, measured) -> tuple[jax.Array, Any]:
        """Return the state and the discrete tree after all conditions in `hit` were met simultaneously.

        measured: values read by the conditions at this time."""
        ...

    def is_finished(self, discrete) -> jax.Array:
        """Whether the flight is over, (*cases) bool."""
        ...


class SelfStepping(Hybrid, Protocol):
    """Hybrid system with its own step method, used if `Settings.method` is not a Runge-Kutta method."""

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
    """Present time, state and observed values of each case.

    - value, rate: watched values and their rates. A value is inf if its watch began at an event just now.
    - clear: true if the value has been below zero by more than its rounding error since the watch began.
      Also true for unwatched values.
    - rounding: largest rounding error since the watch began.
    - places: positions among kinks with their rates (axis, *cases), for steps with error control.
    - features (5, axis, *cases), with the rates of their variables (axis, *cases), for steps with error
      control.
    - stale: true if rates and observed values must be evaluated before the next step.
    - refused: true if error control rejected the last attempted step."""

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
