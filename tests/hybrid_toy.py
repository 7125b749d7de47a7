"""A small hybrid system for tests of the stepper, with any flow, values and jumps, and how to fly it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib.metadata import version
from typing import Any, NamedTuple

import jax
import numpy as np
from scipy.special import ellipj, ellipk, ellipkinc

from interstage.maths import interpolation
from interstage.maths.arrays import jnp
from interstage.programs.compiled import FOR_ALL
from interstage.programs.program import configure
from interstage.stepper import flight
from interstage.stepper.problem import Cursor, Row, Seen, Settings

configure()


def quickly_compiled(function):
    """Without optimization, and with the emitter that flights have: lanes are compared to the last bit."""
    options = {**FOR_ALL, "xla_backend_optimization_level": 0}
    if version("jaxlib").startswith("0.10."):  # as in conftest, which takes the other one for speed
        options["xla_cpu_use_fusion_emitters"] = True
    return jax.jit(function, compiler_options=options if jax.default_backend() == "cpu" else None)


CAPACITY = 2000
"""Rows of a flight; one that needs more is taken for one that would not end."""


class Switches(NamedTuple):
    """fired, time [s] (inf before), turn (which firing of its lane it was, 0 before): (conditions, *lanes).
    count: firings so far, (*lanes). seen: what was measured at the last one, (number, *lanes). case: the
    test's own numbers, arrays (..., *lanes)."""

    fired: Any
    time: Any
    turn: Any
    count: Any
    seen: Any
    case: Any


@dataclass(eq=False)
class Toy:
    """See `interstage.stepper.problem.Hybrid`. The time `end`, when it is over, is the last condition.

    rhs(t, x, switches). values: functions (t, x, switches) of the watched values. times: condition -> time at
    which it is met. jump(x, switches, hit): the state after an event. needs: condition -> what arms it.
    at_once, period: as in Settings, by condition. onto(x, switches): the state on its constraints.
    corners: times at which the flow bends. kinks: functions (t, x, switches) of places among kinks.
    tables: functions (t, x, switches) of variables, and functions (switches) of their points, between which
    the flow may do anything.
    read: functions (t, x, switches) of what is measured, which `Switches.seen` has of the last firing.
    rounding: by how much rounding may have moved each number of the state; 0 if no value is judged by it.
    """

    rhs: Callable
    end: Any = 1.0
    values: tuple[Callable, ...] = ()
    times: Mapping[int, Callable] = field(default_factory=dict)
    jump: Callable = lambda x, switches, hit: x
    needs: Mapping[int, int] = field(default_factory=dict)
    at_once: tuple[int, ...] = ()
    period: Mapping[int, float] = field(default_factory=dict)
    onto: Callable = lambda x, switches: x
    corners: tuple[float, ...] = ()
    kinks: tuple[Callable, ...] = ()
    read: tuple[Callable, ...] = ()
    tables: tuple[tuple[Callable, Callable], ...] = ()
    tolerance: float = 1e-10
    rounding: float = 0.0

    @property
    def conditions(self) -> int:
        return len(self.values) + 1

    def derivative(self, t, x, discrete):
        return self.rhs(t, x, discrete)

    def project(self, t, x, discrete):
        return self.onto(x, discrete)

    def error_norm(self, x, error):
        """As in Hairer, Norsett and Wanner (1993), II.4, with equal relative and absolute tolerance."""
        return jnp.sqrt(jnp.mean((error / (self.tolerance * (1 + jnp.abs(x)))) ** 2, 0))

    @property
    def measures(self) -> int:
        return len(self.read)

    def evaluate(self, t, x, discrete, shaken=None):
        if shaken is not None:
            x = jnp.where(shaken, x + self.rounding, x)
        seen = Seen(*(see(t, x, discrete) for see in (self.watch, self.measure, self.features)))
        return self.rhs(t, x, discrete), seen

    def watch(self, t, x, discrete, shaken=None):
        if shaken is not None:
            x = jnp.where(shaken, x + self.rounding, x)
        return jnp.stack([value(t, x, discrete) for value in self.values] + [t - self.end])

    def measure(self, t, x, discrete):
        return jnp.stack([number(t, x, discrete) for number in self.read]) if self.read else x[:0]

    def among(self, t, x, discrete):
        places = jnp.stack([place(t, x, discrete) for place in self.kinks]) if self.kinks else x[:0]
        return self.watch(t, x, discrete), places, self.features(t, x, discrete)

    def features(self, t, x, discrete):
        found = [interpolation.interval(points(discrete), of(t, x, discrete)) for of, points in self.tables]
        rows = [jnp.stack(jnp.broadcast_arrays(*map(jnp.asarray, feature))) for feature in found]
        return jnp.stack(rows, 1) if rows else jnp.zeros((5, *x[:0].shape))

    def armed_conditions(self, discrete):
        ready = [discrete.fired[self.needs[i]] if i in self.needs else True for i in range(self.conditions)]
        return jnp.stack([~discrete.fired[i] & ready[i] for i in range(self.conditions)])

    def next_time(self, discrete):
        armed, soonest = self.armed_conditions(discrete), jnp.full(discrete.count.shape, jnp.inf)
        for i, time in (*self.times.items(), (-1, lambda discrete: self.end)):
            soonest = jnp.minimum(soonest, jnp.where(armed[i], time(discrete), jnp.inf))
        return soonest

    def corner(self, t, near, discrete):
        return reduce(
            jnp.minimum,
            (jnp.where(c > t + near, c, jnp.inf) for c in self.corners),
            jnp.full_like(t, jnp.inf),
        )

    def landings(self, t, discrete):
        return [jnp.asarray(self.corners, float)] if self.corners else []

    def jumps(self, t, discrete):
        return []

    def breaks(self, t, discrete):
        return []

    def longest(self, t, x, slope, value, discrete):
        return None

    def fire(self, t, x, discrete, hit, measured):
        count = discrete.count + 1
        after = discrete._replace(
            fired=discrete.fired | hit,
            time=jnp.where(hit, t, discrete.time),
            turn=jnp.where(hit, count, discrete.turn),
            count=count,
            seen=measured,
        )
        return self.jump(x, after, hit), after

    def is_finished(self, discrete):
        return discrete.fired[-1]

    def switches(self, lanes=(), case: Any = 0.0) -> Switches:
        """Nothing has happened yet."""
        shape = (self.conditions, *lanes)
        never, seen = jnp.full(shape, jnp.inf), jnp.zeros((self.measures, *lanes))
        return Switches(
            jnp.zeros(shape, bool), never, jnp.zeros(shape, int), jnp.zeros(lanes, int), seen, case
        )

    def settings(self, method: str, **options) -> Settings:
        """How to step it."""
        numbers = range(self.conditions)
        return Settings(
            method,
            period=tuple(self.period.get(i, np.inf) for i in numbers),
            at_once=tuple(i in self.at_once or i == numbers[-1] for i in numbers),
            judged=tuple(self.rounding > 0 and i not in self.at_once and i < numbers[-1] for i in numbers),
            **options,
        )


class Flown(NamedTuple):
    """Final cursor, recorded rows (row first, lanes last), and how many there are."""

    cursor: Cursor
    rows: Row
    attempts: int

    @property
    def times(self) -> np.ndarray:
        """When each condition was met [s], (conditions, *lanes); the end of the flight is the last."""
        return np.asarray(self.cursor.discrete.time)

    @property
    def turns(self) -> list:
        """The firing in which each condition was met, 0 for never, the end left out."""
        return np.asarray(self.cursor.discrete.turn)[:-1].tolist()


@cache
def _program(toy: Toy, settings: Settings, lanes, fixed: bool, compiled: bool):
    def whole(x, case, t0, first):
        cursor = flight.start(toy, settings._replace(fixed_step=None), t0, x, toy.switches(lanes, case))
        cursor = cursor._replace(step=jnp.full(lanes, first))
        # Not known to the compiler: one program serves all step sizes.
        stepping = settings._replace(fixed_step=first) if fixed else settings
        return flight.fly_chunk(toy, stepping, cursor, CAPACITY, t0)

    return quickly_compiled(whole) if compiled else np.errstate(all="ignore")(whole)


def fly(
    toy: Toy,
    x,
    method="dop853",
    *,
    case: Any = 0.0,
    t0: Any = 0.0,
    first=0.0,
    step=None,
    compiled=True,
    **options,
):
    """Fly a toy from the state x (n, *lanes) at t0.

    first: size of the first step, 0 for the stepper's own choice; step: fixed step. compiled: or else flown
    by NumPy, which is quick where there are few steps. Options as in Settings.
    """
    x, case = np.asarray(x, float), jax.tree.map(lambda a: np.asarray(a, float), case)
    program = _program(toy, toy.settings(method, **options), x.shape[1:], step is not None, compiled)
    begun, size = np.asarray(t0, float), np.asarray(first if step is None else step, float)
    cursor, rows, count = jax.device_get(program(x, case, begun, size))
    assert count < CAPACITY, "the flight does not end"
    return Flown(cursor, jax.tree.map(lambda a: a[: int(count)], rows), int(count))


def fly_by_numpy(toy: Toy, x, method="dop853", *, compiled=False, **options):
    """As `fly`, by NumPy unless it is to be compiled."""
    return fly(toy, x, method, compiled=compiled, **options)


def moved(rows: Row, lane=()) -> Row:
    """The rows of one lane in which it moved."""
    one = jax.tree.map(lambda a: a[(..., *lane)], rows)
    return jax.tree.map(lambda a: a[one.moved], one)


# --- a pendulum in the plane, with its closed form ----------------------------------------------------------

AMPLITUDE = 2.0
"""Angle at which the pendulum is released at rest [rad]; a circle of 1 m, gravity of 1 m/s^2."""
HELD = np.array([np.sin(AMPLITUDE), -np.cos(AMPLITUDE), 0.0, 0.0])
"""Its position and velocity then."""


def pendulum(x, gravity=1.0):
    """Rate of position and velocity in the plane, on a massless rod."""
    r, v, g = x[:2], x[2:], gravity * jnp.array([0.0, -1.0])
    return jnp.concatenate([v, g - r * (jnp.sum(v * v) + jnp.sum(g * r)) / jnp.sum(r * r)])


def on_circle(x):
    """The state with the rod's length, and no velocity along the rod."""
    r = x[:2] / jnp.sqrt(jnp.sum(x[:2] ** 2))
    return jnp.concatenate([r, x[2:] - r * jnp.sum(r * x[2:])])


def pendulum_at(t: float) -> np.ndarray:
    """State a time t after the release: sin(angle / 2) = k cd(t, k)."""
    k = np.sin(AMPLITUDE / 2)
    sn, cn, dn, _ = ellipj(t, k**2)
    half = np.arcsin(k * cn / dn)
    rate = -2 * k * (1 - k**2) * sn / dn**2 / np.cos(half)
    along = np.array([np.cos(2 * half), np.sin(2 * half)])
    return np.concatenate([[np.sin(2 * half), -np.cos(2 * half)], rate * along])


def pendulum_passes(angle: float) -> float:
    """Time of its first passage of an angle [s]."""
    m = np.sin(AMPLITUDE / 2) ** 2
    return float(ellipk(m) - ellipkinc(np.arcsin(np.sin(angle / 2) / np.sqrt(m)), m))
