"""Derivatives on a replay, against closed forms and differences, through events."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from hybrid_toy import HELD, Toy, fly, moved, on_circle, pendulum, pendulum_passes, quickly_compiled
from interstage.stepper.replay import Place, Plan, replay
from interstage.stepper.step import rates

EPS = np.finfo(float).eps


def timers(toy: Toy, rows):
    """The condition that tells when each row ends, and its rate, zero where none does."""
    found = []
    for k, hit in enumerate(rows.hit):
        t, x, d = rows.t_end[k], rows.x_end[k], jax.tree.map(lambda a, k=k: a[k], rows.discrete)
        value, rate = rates(toy, t, x, toy.derivative(t, x, d), d)
        there = hit & (np.abs(value) < 1e-9) & (rate > 0)  # and not long past it, as what another one brings
        found.append((int(np.argmax(there)), float(np.max(np.where(there, rate, 0.0)))))
    return [np.array(column) for column in zip(*found, strict=True)]


def plan_of(toy: Toy, flown) -> Plan:
    """Every row of a flight, before what was fired at its end, and then once more after it."""
    rows = moved(flown.rows)
    count = len(rows.t)
    steps, (timer, rate) = rows.t_end - rows.shift - rows.t, timers(toy, rows)
    numbers, after = np.repeat(np.arange(count), 2), np.tile([False, True], count)
    rest = np.zeros(count, bool), numbers, numbers + 1, after, after
    return Plan(steps, np.full(count, np.inf), rows.hit, timer, rate, *rest)


def replayer(toy: Toy, method: str, flown):
    """The flight as a function of the start and the case, over the steps and events of one that was flown:
    its places before and after each row (row, ...)."""
    plan = plan_of(toy, flown)

    def function(x, case) -> tuple[Place, Place]:
        settings, start = toy.settings(method), Place(jnp.zeros(()), x, toy.switches(case=case))
        found, _ = replay(
            toy, settings, start, jax.tree.map(jnp.asarray, plan), lambda before, after, more: after
        )
        return tuple(jax.tree.map(lambda a, k=k: a[k::2], found) for k in range(2))

    return function


def end_and_times(replayed: tuple[Place, Place]) -> jax.Array:
    """State at the end and the times of all events."""
    after = replayed[1]
    return jnp.concatenate([after.x[-1], after.discrete.time[-1]])


def jacobian(function, x, case):
    """Derivatives of `end_and_times` with respect to the state and the case."""
    outputs = lambda x, case: end_and_times(function(x, case))  # noqa: E731
    found = quickly_compiled(jax.jacfwd(outputs, argnums=(0, 1)))
    return jax.device_get(found(jnp.asarray(x), jax.tree.map(jnp.asarray, case)))


# --- a thrown ball that switches its engine on: polynomials -------------------------------------------------

CASE = {"gravity": 9.81, "thrust": 4.0, "mark": 3.0, "kick": 0.7, "cut": 1.9}
START = [7.0, 2.0]
THROWN = Toy(
    # Height and its rate. Falls through `mark`: thrust from then on. At the time `cut`: a kick upwards.
    lambda t, x, switches: jnp.stack(
        [x[1], jnp.where(switches.fired[0], switches.case["thrust"], -switches.case["gravity"])]
    ),
    end=2.5,
    values=(
        lambda t, x, switches: switches.case["mark"] - x[0],
        lambda t, x, switches: t - switches.case["cut"],
        lambda t, x, switches: 100.0 - x[0],  # comes with the first, of which it is a consequence
    ),
    times={1: lambda switches: switches.case["cut"]},
    needs={2: 0},
    at_once=(1, 2),
    jump=lambda x, switches, hit: jnp.stack([x[0], x[1] + jnp.where(hit[1], switches.case["kick"], 0.0)]),
)


def thrown(x, case):
    """Closed form of `end_and_times`."""
    fall = jnp.sqrt(x[1] ** 2 + 2 * case["gravity"] * (x[0] - case["mark"]))
    met = (x[1] + fall) / case["gravity"]
    left, kicked = THROWN.end - met, THROWN.end - case["cut"]
    height = case["mark"] - fall * left + case["thrust"] * left**2 / 2 + case["kick"] * kicked
    return jnp.array(
        [height, -fall + case["thrust"] * left + case["kick"], met, case["cut"], met, THROWN.end]
    )


@pytest.mark.parametrize("method", [pytest.param("dop853", marks=pytest.mark.long), "rk4"])
def test_derivatives_through_events_in_closed_form(method):
    flown = fly(THROWN, START, method, case=CASE, step=0.1 if method == "rk4" else None)
    assert flown.turns == [1, 3, 2]
    exact = jax.device_get(jax.jacfwd(thrown, argnums=(0, 1))(jnp.array(START), CASE))
    found = jacobian(replayer(THROWN, method, flown), START, CASE)
    # Polynomials in time between the events: the rounding of some 30 steps is left, of numbers up to 10.
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=0, atol=300 * EPS * 10), found, exact)


def test_the_replay_is_the_flight():
    flown = fly(THROWN, START, case=CASE)
    rows = moved(flown.rows)
    before, after = jax.device_get(replayer(THROWN, "dop853", flown)(jnp.array(START), CASE))
    # Times are summed from the steps; at an event the state moves by its own small shift.
    np.testing.assert_allclose(after.t, rows.t_end, rtol=0, atol=4 * EPS * THROWN.end)
    np.testing.assert_allclose(before.x, rows.x_end, rtol=0, atol=100 * EPS * 10)
    np.testing.assert_allclose(after.discrete.time[-1], flown.times, rtol=0, atol=4 * EPS * THROWN.end)
    np.testing.assert_array_equal(before.discrete.fired, rows.discrete.fired)
    # The jump lies between the two sides of the event.
    (kicked,) = np.flatnonzero(rows.hit[:, 1])
    np.testing.assert_allclose(after.x[kicked] - before.x[kicked], [0, CASE["kick"]], atol=4 * EPS * 10)


# --- the pendulum that lets go: nonlinear, projected --------------------------------------------------------

SWING = {"mark": -0.5, "gravity": 1.0}
RELEASED = Toy(
    lambda t, x, switches: jnp.where(
        switches.fired[0],
        jnp.stack([x[2], x[3], 0.0, -switches.case["gravity"]]),
        pendulum(x, switches.case["gravity"]),
    ),
    end=3.0,
    values=(lambda t, x, switches: switches.case["mark"] - x[0],),
    onto=lambda x, switches: jnp.where(switches.fired[0], x, on_circle(x)),
    tolerance=1e-13,
)


@pytest.fixture(scope="module")
def pendulum_jacobian():
    flown = fly(RELEASED, HELD, case=SWING)
    return jacobian(replayer(RELEASED, "dop853", flown), HELD, SWING)


@pytest.mark.long
def test_derivatives_are_those_of_flights(pendulum_jacobian):
    _, by_case = pendulum_jacobian
    h = 1e-3

    def flight(**changes):
        flown = fly(RELEASED, HELD, case=SWING | changes)
        return np.concatenate([flown.cursor.x, flown.times])

    for name, value in SWING.items():
        one, two = (flight(**{name: value + k * h}) - flight(**{name: value - k * h}) for k in (1, 2))
        differences = (8 * one - two) / (12 * h)
        # The differences' own error: h^4/30 of the fifth derivative, and the flights' 100 tolerances over h.
        bound = h**4 / 30 * 1e3 + 100 * RELEASED.tolerance / h
        np.testing.assert_allclose(by_case[name], differences, rtol=0, atol=bound)


def test_the_time_of_release_in_closed_form(pendulum_jacobian):
    _, by_case = pendulum_jacobian
    # Times go with one over the root of gravity; by the mark, with one over the speed there.
    when = pendulum_passes(np.arcsin(SWING["mark"]))
    rows = moved(fly(RELEASED, HELD, case=SWING).rows)
    speed = rows.x_end[rows.hit[:, 0], 2][0]
    bound = 1000 * RELEASED.tolerance
    assert by_case["gravity"][4] == pytest.approx(-when / 2, abs=bound)
    assert by_case["mark"][4] == pytest.approx(1 / speed, abs=bound)
