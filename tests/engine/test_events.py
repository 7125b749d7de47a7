"""Events: met in time order, located to the tolerance, once, wherever they lie in a step."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from scipy.special import ellipkinc

import interstage as ist
from engine_door import yields_of
from hybrid_toy import HELD, Toy, moved, on_circle, pendulum, pendulum_at, pendulum_passes
from hybrid_toy import fly_by_numpy as fly
from interstage.maths.arrays import jnp, lax
from interstage.reading import loads
from interstage.stepper.problem import FINISHED, Settings
from interstage.stepper.tableau import METHODS
from orders import slope

EPS = np.finfo(float).eps
LOCATED = Settings("dop853").event_time
"""Events are located to this [s]; 1e-9 s is what is asked for near the origin."""

# --- three watched values, chosen by their coefficients, and steps as long as the flight --------------------


def chosen(row):
    """c0 + c1 x + c2 x^2 + c3 x^3 + c4 exp(-8 x), of which the stepper's cubic fits all but the last."""

    def value(t, x, switches):
        c = switches.case[row]
        return c[0] + x[0] * (c[1] + x[0] * (c[2] + x[0] * c[3])) + c[4] * jnp.exp(-8 * x[0])

    return value


CLOCK = Toy(lambda t, x, switches: jnp.ones_like(x), values=tuple(map(chosen, range(3))), at_once=(2,))
"""Its state is the time. The last of the three conditions is met at once if it is already past zero."""
NEVER = (-1.0, 0, 0, 0, 0)


def rises_at(u, by=1.0):
    return (-by * u, by, 0, 0, 0)


def hump(top, height, curvature=1.0):
    return (height - curvature * top**2, 2 * curvature * top, -curvature, 0, 0)


def curved(u):
    """Rises at u along an exponential that no cubic follows over the whole flight."""
    return (np.exp(-8 * u), 0, 0, 0, -1.0)


def on_the_clock(*values, method="dop853", **options):
    case = np.array([*values, *[NEVER] * (3 - len(values))])
    flown = fly(CLOCK, [0.0], method, case=case, first=10.0, **options)
    assert flown.cursor.status == FINISHED
    assert flown.cursor.t == CLOCK.end
    return flown


def test_a_flight_without_events_is_one_step():
    assert on_the_clock().cursor.accepted == 1


def test_three_events_inside_one_step_in_time_order():
    flown = on_the_clock(rises_at(0.7), curved(0.2), rises_at(0.4))
    assert flown.turns == [3, 1, 2]
    np.testing.assert_allclose(flown.times, [0.7, 0.2, 0.4, 1.0], rtol=0, atol=LOCATED)


def test_two_events_a_microsecond_apart_are_two():
    flown = on_the_clock(rises_at(0.5 + 1e-6), rises_at(0.5))
    assert flown.turns == [2, 1, 0]
    np.testing.assert_allclose(flown.times[:2], [0.5 + 1e-6, 0.5], rtol=0, atol=LOCATED)


def test_simultaneous_events_fire_as_one():
    # The same time by three values whose roundings differ.
    flown = on_the_clock(rises_at(0.3), hump(0.5, 0.04), curved(0.3))
    assert flown.turns == [1, 1, 1]
    assert flown.cursor.discrete.count == 2  # and the end
    assert np.ptp(flown.times[:3]) == 0
    assert flown.times[0] == pytest.approx(0.3, abs=LOCATED)


@pytest.mark.parametrize(("straight", "turns"), [(0.2, [1, 2, 0]), (0.35, [2, 1, 0])])
def test_an_event_met_while_another_is_sought(straight, turns):
    # Over the whole step the cubic has the curved value rise at 0.14, long before it does.
    flown = on_the_clock(rises_at(straight), curved(np.log(10) / 8))
    assert flown.turns == turns
    np.testing.assert_allclose(flown.times[:2], [straight, np.log(10) / 8], rtol=0, atol=LOCATED)


@pytest.mark.parametrize("top", [0.5, 0.54, 0.13, 0.999])
@pytest.mark.parametrize("height", [1e-2, 1e-6, 1e-10])
def test_grazing_from_above_is_met_and_from_below_is_not(top, height):
    flown = on_the_clock(hump(top, height), hump(top, -height))
    assert flown.turns == [1, 0, 0]
    # Near the top a rounding of the value is worth the rounding over the slope.
    assert flown.times[0] == pytest.approx(top - np.sqrt(height), abs=LOCATED + 4 * EPS / np.sqrt(height))


def test_an_event_costs_few_attempts():
    # A look at the start, one step too far, the event, a look after it, the rest: the cubic is exact here.
    assert on_the_clock((-0.2, 0.1, 0.3, 0.4, 0)).attempts == 5
    # Nothing like a cubic: some more, and the error falls with the square of the one before.
    assert on_the_clock(curved(0.2)).attempts <= 12


def test_only_rises_count():
    falls = tuple(-c for c in rises_at(0.5))
    assert on_the_clock(falls, rises_at(0.5)).turns == [0, 1, 0]


def test_a_dip_inside_a_step_is_met_where_it_rises_again():
    # One starts past zero, one on zero, one a rounding below it; all fall first.
    flown = on_the_clock(hump(0.3, -0.08, -1), hump(0.2, -0.04, -1), (-EPS / 4, -0.5, 1, 0, 0))
    risen = 0.3 + np.sqrt(0.08), 0.4, 0.5
    np.testing.assert_allclose(flown.times[:3], risen, rtol=0, atol=LOCATED)


def test_on_zero_and_rising_at_the_start_is_an_event_there():
    flown = on_the_clock(rises_at(0.0), rises_at(-0.1), rises_at(-0.1))
    # The second is past zero and waits, in vain; the third is one that is met at once.
    assert flown.turns == [1, 0, 1]
    assert flown.times[0] == 0.0
    assert flown.times[2] == 0.0


def test_flat_crossings_are_met():
    # (x - 1/2)^3 loses its sign where it is below a rounding: within the cube root of one.
    flown = on_the_clock((-0.125, 0.75, -1.5, 1.0, 0))
    assert flown.times[0] == pytest.approx(0.5, abs=2 * np.cbrt(EPS))
    assert flown.attempts < 100


def test_fixed_steps_meet_the_same_events():
    shown = rises_at(0.7), curved(0.2), hump(0.55, 1e-6)
    flown = on_the_clock(*shown, method="rk4", step=0.25)
    assert flown.turns == [3, 1, 2]
    np.testing.assert_allclose(flown.times[:3], [0.7, 0.2, 0.549], rtol=0, atol=LOCATED)


def test_noise_in_a_value_does_not_hold_the_flight_up():
    """A height of 1e7 m has roundings of 2e-9 m, worth 2e-7 s at a centimetre a second."""
    toy = Toy(
        lambda t, x, switches: 0.01 * jnp.ones_like(x), values=(lambda t, x, switches: x[0] - 1e7 - 0.0051,)
    )
    flown = fly(toy, [1e7], first=10.0)
    assert flown.times[0] == pytest.approx(0.51, abs=2 * EPS * 1e7 / 0.01)
    assert flown.attempts < 30


def test_a_state_too_large_to_follow_does_not_hold_the_flight_up():
    """Steps of 1e-7 s add less than half a rounding to 1e7 m at a centimetre a second: as near to the event
    as the state can come, it is met, whatever the last digits of its place."""
    toy = Toy(
        lambda t, x, switches: 0.01 * jnp.ones_like(x),
        values=(lambda t, x, switches: (x[0] - 1e7) - switches.case,),
    )
    at = np.random.default_rng(1).uniform(0.004, 0.009, 200)
    flown = fly(toy, np.full((1, 200), 1e7), case=at, first=10.0)
    np.testing.assert_allclose(flown.times[0], at / 0.01, rtol=0, atol=2 * EPS * 1e7 / 0.01)
    assert flown.attempts < 20


def test_a_value_that_jumps_past_zero_is_met_where_it_does():
    """Never as close to zero as its slope would have it: the bracket decides."""
    stair, speed = 1e-6, 0.01
    rounded = lambda x: stair * (jnp.round(x / stair) + 0.5)  # noqa: E731
    toy = Toy(
        lambda t, x, switches: speed * jnp.ones_like(x),
        values=(lambda t, x, switches: x[0] + lax.stop_gradient(rounded(x[0]) - x[0]),),
    )
    flown = fly(toy, [-0.0051], first=10.0)
    assert flown.times[0] == pytest.approx((0.0051 - stair / 2) / speed, abs=LOCATED)


# --- event times in closed form -----------------------------------------------------------------------------

MOTIONS = Toy(
    # A ball in free fall, an oscillator of 1 rad/s, and a pendulum of 1 rad/s.
    lambda t, x, switches: jnp.stack([x[1], -9.81 + 0 * t, x[3], -x[2], x[5], -jnp.sin(x[4])]),
    end=2.0,
    values=(
        lambda t, x, switches: -x[0],
        lambda t, x, switches: 0.3 - x[2],
        lambda t, x, switches: -x[4],
    ),
    tolerance=1e-12,
)
REST = [7.0, 1.0, 1.0, 0.0, 1.5, 0.0]


@pytest.mark.parametrize(
    "method", [pytest.param(m, marks=[pytest.mark.long] if m == "rk4" else []) for m in METHODS]
)
def test_event_times_near_the_origin(method):
    fixed: Any = {"step": 2e-3} if method == "rk4" else {}
    flown = fly(MOTIONS, REST, method, compiled=method == "rk4", **fixed)
    down = (1 + np.sqrt(1 + 2 * 9.81 * 7)) / 9.81
    quarter = ellipkinc(np.pi / 2, np.sin(1.5 / 2) ** 2)
    # The flight's own error comes on top: h^4 of rk4, a hundred steps of the others' tolerance.
    flight = 2e-3**4 if method == "rk4" else 100 * MOTIONS.tolerance
    np.testing.assert_allclose(
        flown.times[:3], [down, np.arccos(0.3), quarter], rtol=0, atol=LOCATED + flight
    )
    assert LOCATED + flight < 1e-9


# --- across an event ----------------------------------------------------------------------------------------

RELEASED = Toy(
    # The pendulum lets go when it passes 30 degrees on the other side, and is thrown.
    lambda t, x, switches: jnp.where(
        switches.fired[0], jnp.stack([x[2], x[3], 0 * t, -1 + 0 * t]), pendulum(x)
    ),
    end=3.0,
    values=(lambda t, x, switches: -0.5 - x[0],),
    onto=lambda x, switches: jnp.where(switches.case * ~switches.fired[0] > 0, on_circle(x), x),
)


@pytest.mark.parametrize("projected", [False, True])
@pytest.mark.parametrize(
    ("method", "fewest", "halvings"),
    [pytest.param("rk4", 32, 5, marks=pytest.mark.long), ("dopri5", 32, 4), ("dop853", 6, 4)],
)
def test_order_of_a_whole_flight_across_an_event(method, fewest, halvings, projected):
    steps = fewest * 2 ** np.arange(halvings)
    when = pendulum_passes(-np.pi / 6)
    left, (x, y, u, v) = RELEASED.end - when, pendulum_at(when)
    exact = np.array([x + u * left, y + v * left - left**2 / 2, u, v - left])
    options: Any = {"case": projected, "compiled": method != "dop853"}
    flights = [fly(RELEASED, HELD, method, step=RELEASED.end / n, **options) for n in steps]
    errors = [np.linalg.norm(flown.cursor.x - exact) + abs(flown.times[0] - when) for flown in flights]
    # Less than half an order. Steps are few, so that rounding stays out of it: the next order still adds up
    # to 0.39 to the slope.
    assert slope(1 / steps, errors) == pytest.approx(METHODS[method].order, abs=0.4)


# --- values that wrap around --------------------------------------------------------------------------------


def wrapped(sign):
    def value(t, x, switches):
        return sign * (x[0] - 2 * np.pi * jnp.round(x[0] / (2 * np.pi)))

    return value


ANGLE = Toy(
    lambda t, x, switches: switches.case * jnp.ones_like(x),
    end=2.0,
    values=(wrapped(1.0), wrapped(-1.0)),
    period={0: 2 * np.pi, 1: 2 * np.pi},
)


def test_angles_are_met_at_zero_and_not_where_they_wrap():
    rates = np.array([2.5, -2.5, 12.5, -12.5, 1.0, -200.0])
    flown = fly(ANGLE, np.full((1, 6), -3.0), case=rates, first=10.0)
    forwards, backwards = 3.0 / rates, (2 * np.pi - 3.0) / -rates
    ends = lambda times: np.where((times > 0) & (times < ANGLE.end), times, np.inf)  # noqa: E731
    np.testing.assert_allclose(flown.times[0], ends(forwards), rtol=0, atol=LOCATED)
    np.testing.assert_allclose(flown.times[1], ends(backwards), rtol=0, atol=LOCATED)


# --- one event after another at one instant -----------------------------------------------------------------

CHAIN = Toy(
    lambda t, x, switches: jnp.ones_like(x),
    values=(
        lambda t, x, switches: x[0] - 0.3,
        lambda t, x, switches: x[0] - 0.2,  # waits for the first, and is past zero by then
        lambda t, x, switches: x[1] - 5.0,  # waits for the second, whose jump takes it past zero
        lambda t, x, switches: x[0] - 0.2,  # waits for the third, and for a rise that does not come
        lambda t, x, switches: t - 0.3,  # waits for the third, a time that has just come
    ),
    times={4: lambda switches: 0.3},
    needs={1: 0, 2: 1, 3: 2, 4: 2},
    at_once=(1, 2, 4),
    jump=lambda x, switches, hit: jnp.stack([x[0], jnp.where(hit[1], 6.0, x[1])]),
)


def test_chains_of_events_take_no_time():
    flown = fly(CHAIN, [0.0, 0.0], first=10.0)
    assert flown.turns == [1, 2, 3, 0, 4]
    np.testing.assert_allclose(flown.times[[0, 1, 2, 4]], 0.3, rtol=0, atol=LOCATED)
    rows = moved(flown.rows)
    # One row for each, and the state just before the jump is kept.
    instant = rows.t_end[rows.hit.any(1)][:-1]
    assert len(instant) == 4
    np.testing.assert_allclose(rows.x_end[rows.hit[:, 1]][0], [0.3, 0.3], rtol=0, atol=LOCATED)
    assert flown.cursor.x[1] == pytest.approx(6.7, abs=LOCATED)


def test_a_jump_takes_a_value_past_zero():
    """What waits for a rise is met where a jump brings it about; what stands at its value when another event
    comes is not met for that."""

    def toy(jump):
        return Toy(
            lambda t, x, switches: jnp.stack([jnp.ones_like(x[0]), jnp.zeros_like(x[1])]),
            values=(
                lambda t, x, switches: x[0] - 0.3,
                lambda t, x, switches: x[1] - 5.0,  # is taken past zero by the jump of the first, or not
                lambda t, x, switches: 0.3 - x[0],  # falls through zero just then
            ),
            jump=jump,
        )

    taken = toy(lambda x, switches, hit: jnp.stack([x[0], jnp.where(hit[0], 6.0, x[1])]))
    jumped = fly(taken, [0.0, 0.0])
    np.testing.assert_allclose(jumped.times[:2], 0.3, rtol=0, atol=LOCATED)
    still = fly(toy(lambda x, switches, hit: x), [0.0, 0.0])
    np.testing.assert_allclose(still.times[0], 0.3, rtol=0, atol=LOCATED)
    assert np.isinf(jumped.times[2])
    assert np.isinf(still.times[1:3]).all()


TWICE = Toy(
    lambda t, x, switches: jnp.stack([x[1], -x[0]]),
    end=9.0,
    values=tuple(
        lambda t, x, switches, sign=sign: sign * (x[0] - switches.case) for sign in (1.0, 1.0, -1.0, 1.0)
    ),
    needs={1: 0, 2: 0, 3: 1},
    at_once=(3,),
)
"""Four watches of the same level: the second, and the third for a fall, wait for the first, and the fourth,
which is met at once, for the second."""


@pytest.mark.parametrize("method", ["dop853", pytest.param("rk4", marks=pytest.mark.long)])
def test_what_waits_for_an_event_at_the_same_value_waits_for_the_next(method):
    level = np.array([0.0, 0.5, -0.3, 0.9])
    fixed: Any = {"step": 1e-2, "compiled": True} if method == "rk4" else {}
    flown = fly(TWICE, np.tile([[0.0], [-1.0]], 4), method, case=level, **fixed)
    first = np.pi + np.arcsin(level)
    falls = 2 * np.pi - np.arcsin(level)
    # A thousand steps of rk4 are off by as many fifth powers of the step.
    off = LOCATED + (1e3 * 1e-2**5 if method == "rk4" else 1e3 * TWICE.tolerance)
    exact = [first, first + 2 * np.pi, falls, first + 2 * np.pi]
    exact = np.where(np.array(exact) < TWICE.end, exact, np.inf)
    np.testing.assert_allclose(flown.times[:4], exact, rtol=0, atol=off)


# --- lanes --------------------------------------------------------------------------------------------------

BRAKED = Toy(
    # An oscillator that is braked when it first passes case[0], and stiffened at the time case[1].
    lambda t, x, switches: jnp.stack([x[1], -jnp.where(switches.fired[1], 4.0, 1.0) * x[0]]),
    end=5.0,
    values=(
        lambda t, x, switches: switches.case[0] - x[0],
        lambda t, x, switches: t - switches.case[1],
        lambda t, x, switches: x[1],  # the turning point
    ),
    times={1: lambda switches: switches.case[1]},
    at_once=(1,),
    jump=lambda x, switches, hit: jnp.stack([x[0], jnp.where(hit[0], 0.5 * x[1], x[1])]) + 0 * switches.count,
)
CASES = np.array([[0.5, 2.0], [0.5, 0.5], [-2.0, 1.0], [0.9, np.arccos(0.9)], [0.2, -1.0]]).T
"""Passing first, stiffening first, never passing, both at once, stiffened at once."""


@pytest.mark.parametrize("method", [pytest.param("dop853", marks=pytest.mark.long), "rk4"])
def test_lanes_with_events_in_different_orders_are_the_single_flights(method):
    fixed: Any = {"compiled": True} | ({"step": 5e-3} if method == "rk4" else {})
    start = np.tile([[1.0], [0.0]], 5)
    lanes = fly(BRAKED, start, method, case=CASES, **fixed)
    order = np.asarray(lanes.cursor.discrete.turn).T[:, :3].tolist()
    assert order == [[1, 2, 3], [2, 1, 3], [0, 1, 2], [1, 1, 2], [2, 1, 3]]
    for lane in range(5):
        single = fly(BRAKED, start[:, lane], method, case=CASES[:, lane], **fixed)
        # Bit for bit: a lane does what it would do alone, in the same order, whatever the others meet.
        jax.tree.map(
            lambda ours, alone, lane=lane: np.testing.assert_array_equal(ours[..., lane], alone),
            lanes.cursor,
            single.cursor,
        )


def test_an_event_in_one_lane_leaves_the_others_alone():
    """Even if what is done at an event is done to all lanes."""
    rounds = Toy(BRAKED.rhs, 5.0, BRAKED.values[:1], jump=lambda x, switches, hit: x + 1.0)
    start = np.tile([[1.0], [0.0]], 2)
    flown = fly(rounds, start, case=np.array([[0.5, -2.0], [9.0, 9.0]]))
    undisturbed = fly(rounds, start, case=np.array([[-2.0, -2.0], [9.0, 9.0]]))
    np.testing.assert_array_equal(flown.cursor.x[:, 1], undisturbed.cursor.x[:, 1])


# --- a scenario ---------------------------------------------------------------------------------------------


THROW = """
[gravity]
kind = "uniform"
acceleration = [0, 0, -10]

[bodies.ball]
mass = 1
inertia = [1, 1, 1]
initial = { velocity = [2, 0, 20] }

# Up at 20 m/s: at 15 m after 1 s and again, falling, after 3 s; down after 4 s.
[[phases]]
name = "up"
until = { all = [
    { quantity = "bodies.ball.position.z", reaches = "15 m", direction = "falling" },
    { time = "2.5 s" },
    { any = [{ time = "100 s" }, { quantity = "bodies.ball.velocity.z", reaches = 0 }] },
] }

[[phases]]
name = "down"
until = { any = [
    { elapsed = "10 s" },
    { quantity = "bodies.ball.position.z", reaches = 0, direction = "falling" },
] }

[[events]]
name = "apex"
when = { quantity = "bodies.ball.velocity.z", reaches = 0 }

[[events]]
name = "both"
when = { all = [{ elapsed = "0.25 s" }, { quantity = "bodies.ball.position.x", reaches = "4.1 m" }] }
after = "apex"

[[events]]
name = "already"
when = { quantity = "bodies.ball.position.x", reaches = "1 m", direction = "rising", already = "fire" }
after = "both"

[[events]]
name = "waits"
when = { quantity = "bodies.ball.position.x", reaches = "1 m", direction = "rising" }
after = "both"
"""


def test_any_and_all_in_a_scenario(tmp_path):
    file = tmp_path / "throw.toml"
    file.write_text(THROW)
    record = ist.load(file).run().record
    assert record.completed
    came = [(event.name, event.time) for event in record.events]
    wanted = [("up", 0.0), ("apex", 2.0), ("both", 2.25), ("already", 2.25), ("down", 3.0), ("end", 4.0)]
    assert [name for name, _ in came] == [name for name, _ in wanted]
    np.testing.assert_allclose([t for _, t in came], [t for _, t in wanted], rtol=0, atol=LOCATED)


ORBIT = """
[gravity]
kind = "inverse_square"
mu = 1

[bodies.moon]
mass = 1
inertia = [1, 1, 1]
initial = { position = [1, 0, 0], velocity = [0, 1, 0] }

[phases]
early = { until = { elapsed = "9 s" } }
late = { until = { elapsed = "21 s" } }

[events]
rises = { when = { quantity = "bodies.moon.position.x", reaches = 0, direction = "rising" }, repeats = true }
passes = { when = { quantity = "bodies.moon.position.y", reaches = 0 }, repeats = true, before = "late" }
ticks = { when = { elapsed = "2.5 s" }, after = "rises", before = "stop", repeats = true }
both = { repeats = true, when = { all = [
    { elapsed = "1 s" }, { quantity = "bodies.moon.position.y", reaches = 0 }
] } }
missed = { when = { elapsed = "20 s" }, before = "late" }
stop = { when = { quantity = "bodies.moon.position.x", reaches = 0.5 }, after = "late", ends = true }
"""
"""Once around in 2 pi s, at x = cos t and y = sin t."""


@pytest.fixture(scope="module")
def moon():
    return loads(ORBIT)


def moon_events(start, finish):
    """Closed form of all events of `ORBIT`, of a moon that stands at the angle `start` [rad] at 0 s."""
    turn, rises = 2 * np.pi, (3 * np.pi / 2 - start) % (2 * np.pi)
    found = [(t, "rises") for t in np.arange(rises, finish, turn)]
    crossings = np.arange(-start % np.pi or np.pi, finish, np.pi)
    found += [(t, "passes") for t in crossings if t < 9]
    found += [(t, "ticks") for t in np.arange(rises + 2.5, finish, 2.5)]
    last = 0.0
    for t in crossings:  # every one: they are further apart than a second
        found, last = [*found, (t, "both")], t
    assert last
    return sorted(
        [*found, (0.0, "early"), (9.0, "late"), (finish, "stop"), (finish, "end")], key=lambda e: e[0]
    )


def stops_at(start):
    """The first time after 9 s at which x = cos(start + t) is a half."""
    at = np.concatenate([np.arange(k - start, 30, 2 * np.pi) for k in (np.pi / 3, 5 * np.pi / 3)])
    return np.min(at[at > 9])


def test_events_that_repeat_that_come_too_late_and_that_end_the_flight(moon):
    record = moon.run().record
    assert record.completed
    wanted = moon_events(0.0, stops_at(0.0))
    came = [(event.time, event.name) for event in record.events]
    assert {*came[-2:]} == {(came[-1][0], "stop"), (came[-1][0], "end")}
    assert [name for _, name in came[:-2]] == [name for _, name in wanted[:-2]]
    # The phase error of some ten steps, each within the tolerance of the solver.
    close = 10 * moon.solver.tolerance
    np.testing.assert_allclose([t for t, _ in came], [t for t, _ in wanted], rtol=0, atol=close)


@pytest.mark.parametrize(
    ("waits", "since"),
    [
        ("", "from the start of the flight, when 'early' has already occurred"),
        ('after = "early", ', "active only after 'early'"),
        ('after = "late", ', "from 'late', when 'early' has already occurred"),
    ],
)
def test_what_is_too_late_as_soon_as_it_is_watched_is_refused(waits, since):
    """A phase that has come by then; which other events come before it only the flight knows."""
    text = ORBIT.replace("missed = { when", f"missed = {{ {waits}when")
    text = text.replace('"20 s" }, before = "late"', '"20 s" }, before = "early"')
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert problem.place == "events.missed.before"
    assert since in problem.message


BOLTED = """
[bodies.cap]
mass = 1
inertia = [1, 1, 1]

[joints.seam]
kind = "fixed"
parent = "moon"
child = "cap"

[devices.bolt]
kind = "explosive_bolt"
joints = ["seam"]
delay = "3 s"
"""


def test_events_that_repeat_fire_no_devices():
    """The delay would count from each time anew: one longer than the interval never ended."""
    fired = ORBIT.replace("ticks = {", 'ticks = { fire = ["bolt"],') + BOLTED
    after = ORBIT + BOLTED + 'after = "ticks"'
    for text, said in (
        (fired, "events.ticks.fire: device 'bolt' can be fired only once, but event 'ticks' repeats"),
        (after, "devices.bolt.after: .* only once, but event 'ticks' repeats"),
    ):
        with pytest.raises(ist.BadInput, match=said):
            loads(text).check()


@pytest.mark.long
def test_events_that_repeat_come_in_lanes_as_often_as_in_single_flights(moon):
    """Each lane begins elsewhere, so that numbers of events differ."""
    starts = np.array([0.3, 1.9, 4.0])
    zero = np.zeros(3)
    position = np.stack([np.cos(starts), np.sin(starts), zero], -1)
    velocity = np.stack([-np.sin(starts), np.cos(starts), zero], -1)
    paths = "bodies.moon.initial.position", "bodies.moon.initial.velocity"
    batch = moon.run_batch(dict(zip(paths, (position, velocity))), together=True)
    close = 10 * moon.solver.tolerance
    firsts = batch.value("time", "passes")
    np.testing.assert_allclose(firsts, -starts % np.pi, rtol=0, atol=close)
    for lane, start in enumerate(starts):
        record = batch.record(lane)
        wanted = moon_events(start, stops_at(start))
        assert [event.name for event in record.events][:-2] == [name for _, name in wanted][:-2]
        times = [event.time for event in record.events]
        np.testing.assert_allclose(times, [t for t, _ in wanted], rtol=0, atol=close)


def test_far_out_a_watch_that_begins_just_below_its_value_has_its_rise_before_it():
    # 4 um below, 8000 km from the inertial origin: met 4 s after 1 s, where the second body goes 1 um/s.
    text = """
[gravity]
kind = "none"
[bodies.a]
mass = 10
inertia = [1, 1, 1]
initial = { position = [8e6, 0, 0] }
[bodies.b]
mass = 10
inertia = [1, 1, 1]
initial = { position = [8000001, 0, 0], velocity = [1e-6, 0, 0] }
[phases.one]
until = { time = 1 }
[phases.two]
until = { quantity = "pairs.a.b.distance", reaches = 1.000005 }
[phases.three]
until = { time = 30 }
"""
    times = {event.name: event.time for event in loads(text).run().record.events}
    # A rounding of the distance, 2e-16 m, at 1e-6 m/s.
    assert times["three"] == pytest.approx(5.0, abs=1e-9)


# --- samples ------------------------------------------------------------------------------------------------

SAMPLED = Toy(
    lambda t, x, switches: jnp.ones_like(x),
    values=(
        lambda t, x, switches: t - switches.case,
        lambda t, x, switches: t - 0.5,
        lambda t, x, switches: t - 0.5,
    ),
    times={0: lambda switches: switches.case, 1: lambda switches: 0.5, 2: lambda switches: 0.5},
    jump=lambda x, switches, hit: jnp.where(hit[0], x + 10, x),
    read=(lambda t, x, switches: x[0],),
    at_once=(1, 2),
)
"""Its state is the time, but 10 more from the case on. A sample is due at 0.5 s, twice."""


@pytest.mark.parametrize("step", [None, 0.25])
def test_a_sample_reads_what_the_events_of_its_instant_have_left(step):
    method, at = "rk4" if step else "dop853", np.array([0.25, 0.5, 0.75])
    yields = (0, 2, 2, 0)
    flown = fly(SAMPLED, [[0.0] * 3], method, case=at, step=step, yields=yields)
    assert flown.times[:3].tolist() == [at.tolist(), [0.5] * 3, [0.5] * 3]
    # In one firing of their own, behind the event of their instant.
    assert np.array(flown.turns).tolist() == [[1, 1, 2], [2, 2, 1], [2, 2, 1]]
    rows = [moved(flown.rows, (lane,)) for lane in range(3)]
    after = [row.discrete.seen[:, 0][row.discrete.turn[:, 1] > 0][0] for row in rows]
    assert after == pytest.approx([10.5, 10.5, 0.5], abs=4 * EPS * 10.5)


def test_what_is_watched_for_ever_comes_between_events_and_samples():
    """A body that stands on another one at the start touches it before the first sample is taken."""
    flown = fly(SAMPLED, [[0.0] * 3], case=np.array([0.25, 0.5, 0.75]), yields=(0, 1, 2, 0))
    assert np.array(flown.turns).tolist() == [[1, 1, 3], [2, 2, 1], [3, 3, 2]]
    yields = yields_of(loads(STANDING))
    assert yields["start"] < yields["watched"] < yields["due"]


STANDING = """
[bodies.wall]
mass = 50
inertia = [10, 10, 10]
initial = {}
shapes.slab = { kind = "box", size = [4, 4, 0.2] }
[bodies.ball]
mass = 2
inertia = [0.1, 0.1, 0.1]
initial = { position = [0, 0, 0.398] }
[contacts.touch]
body = "ball"
points = [[0, 0, 0]]
radius = 0.3
against = ["wall"]
stiffness = 1e5
[controls.felt]
kind = "pid"
measured = "bodies.ball.acceleration.z"
target = 0
kp = 1
period = 0.1
[phases.free]
until = { time = 0.3 }
"""
