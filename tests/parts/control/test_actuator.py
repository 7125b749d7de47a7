"""Actuators: step responses, limits of rate and position, failures."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import impulse, lti, step

from engine_door import quickly
from interstage.parts.control import actuator as actuators
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import EPS

# Any: called as files call it, with texts and tables that the validation turns into fields.
Actuator: Any = actuators.Actuator
TOLERANCE = 1e-10
"""Of the integration of the tests, relative and absolute."""
BOUND = 1e3 * TOLERANCE
"""Error allowed of an integration over some hundred steps."""


def following(**options) -> Any:
    return Actuator(name="a", command="controls.c", **options)


def flown(actuator, levels, times, breaks=()):
    """States (states, time) of an actuator whose command has these levels between the breaks."""
    rate = quickly(lambda c, s: actuators.rate(actuator, {"controls.c": c}, s))
    state = np.asarray(actuators.initial(actuator, {"controls.c": levels[0]}))
    found = np.zeros((len(state), len(times)))
    for level, (start, end) in zip(levels, pairwise([times[0], *breaks, times[-1]]), strict=True):
        run = solve_ivp(
            lambda t, s, level=level: np.asarray(rate(level, s)),
            (start, end),
            state,
            method="DOP853",
            dense_output=True,
            rtol=TOLERANCE,
            atol=TOLERANCE,
        )
        inside = (times >= start) & (times <= end)
        if inside.any():
            found[:, inside] = run.sol(times[inside])
        state = run.y[:, -1]
    return found


def positions(actuator, states):
    return np.asarray(actuators.position(actuator, jnp.asarray(states), {"controls.c": jnp.zeros(1)}))


TIMES = np.linspace(0, 1, 201)


def test_first_order_step():
    """Gain and bias: from the position at rest to 2 x 3 + 1."""
    a = following(gain=2, bias=1, initial=-1, model={"kind": "first_order", "time_constant": "100 ms"})
    assert actuators.states(a) == 1
    (x,) = flown(a, [3.0], TIMES)
    np.testing.assert_allclose(x, 7 - 8 * np.exp(-TIMES / 0.1), rtol=0, atol=BOUND)


@pytest.mark.parametrize("damping", [0.0, 0.3, 1.0, 1.7])
def test_second_order_step(damping):
    f = 20.0
    a = following(initial=0, model={"kind": "second_order", "frequency": f, "damping": damping})
    assert actuators.states(a) == 2
    x, v = flown(a, [1.0], TIMES)
    system = lti([f * f], [1, 2 * damping * f, f * f])
    _, x_exact = step(system, T=TIMES)
    _, v_exact = impulse(system, T=TIMES)
    # scipy's own responses come from an eigendecomposition, which is defective at critical damping.
    oracle = 1e-6 if damping == 1 else BOUND
    np.testing.assert_allclose(x, x_exact, rtol=0, atol=oracle)
    np.testing.assert_allclose(v, v_exact, rtol=0, atol=oracle * f)


def test_rate_limited_first_order():
    """A ramp until what is left is what the time constant makes of the rate, then the exponential."""
    constant, fastest = 0.05, 2.0
    a = following(
        initial=0, rate_limit=fastest, model={"kind": "first_order", "time_constant": constant}, unit="rad"
    )
    (x,) = flown(a, [1.0], TIMES)
    end = (1 - fastest * constant) / fastest
    exact = np.where(end > TIMES, fastest * TIMES, 1 - fastest * constant * np.exp(-(TIMES - end) / constant))
    np.testing.assert_allclose(x, exact, rtol=0, atol=BOUND)


def test_rate_limited_second_order():
    """Linear until the velocity is at its limit, a ramp until the acceleration changes its sign, linear
    again: each by its closed form."""
    f, d, fastest, far = 20.0, 0.5, 2.0, 1.0
    a = following(initial=0, rate_limit=fastest, model={"kind": "second_order", "frequency": f, "damping": d})
    turned = f * np.sqrt(1 - d * d)

    def free(t, x, v):
        """Linear response from (x, v), measured from the aim."""
        b = (v + d * f * x) / turned
        cosine, sine, fall = np.cos(turned * t), np.sin(turned * t), np.exp(-d * f * t)
        return fall * (x * cosine + b * sine), fall * (v * cosine - (d * f * b + turned * x) * sine)

    low, high = 0.0, np.pi / 2 / turned
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if free(middle, -far, 0)[1] < fastest else (low, middle)
    reached, start = low, free(low, -far, 0)[0]
    left = -2 * d * fastest / f
    end = reached + (left - start) / fastest
    exact = np.where(
        reached > TIMES,
        free(TIMES, -far, 0)[0],
        np.where(end > TIMES, start + fastest * (TIMES - reached), free(TIMES - end, left, fastest)[0]),
    )
    x, v = flown(a, [far], TIMES)
    assert 0 < reached < end < 1
    np.testing.assert_allclose(x, far + exact, rtol=0, atol=BOUND)
    assert np.abs(v).max() <= fastest + BOUND * f


def test_stop():
    """Without damping it would swing to twice the step: it stays on the stop, and leaves it as from rest."""
    f, upper, left = 20.0, 1.0, 0.5
    a = following(
        initial=0, lower=-1, upper=upper, model={"kind": "second_order", "frequency": f, "damping": 0.2}
    )
    states = flown(a, [3.0, 0.0], TIMES, (left,))
    x = states[0]
    d, turned = 0.2, f * np.sqrt(1 - 0.2**2)
    hit = (np.pi - np.arccos(d)) / turned
    on = (hit + 1e-3 < TIMES) & (left > TIMES)
    assert np.abs(x[on] - upper).max() < BOUND
    assert x.max() < upper + BOUND
    assert positions(a, states).max() == upper

    def swing(t):
        """Free response from 1, at rest."""
        return np.exp(-d * f * t) * (np.cos(turned * t) + d * f / turned * np.sin(turned * t))

    before, after = hit > TIMES, left < TIMES
    np.testing.assert_allclose(x[before], 1 - swing(TIMES[before]), rtol=0, atol=BOUND)
    # What was left of the velocity has died away on the stop by exp(-10 f t).
    bound = BOUND + np.exp(-actuators.STOPPING * f * (left - hit))
    np.testing.assert_allclose(x[after], swing(TIMES[after] - left), rtol=0, atol=bound)


@pytest.mark.parametrize(
    "model",
    [
        {"kind": "first_order", "time_constant": 0.02},
        {"kind": "second_order", "frequency": 30, "damping": 0.3},
    ],
)
def test_limits_hold_under_any_command(model):
    """Commands that jump to and fro, far beyond the limits."""
    rng = np.random.default_rng(91)
    breaks = np.sort(rng.uniform(0, 1, 8))
    levels = rng.uniform(-3, 3, 9)
    a = following(initial=0.1, lower=-0.5, upper=0.8, rate_limit=6, model=model)
    states = flown(a, levels, TIMES, tuple(breaks))
    x = states[0]
    assert -0.5 - BOUND < x.min() < -0.45
    assert 0.75 < x.max() < 0.8 + BOUND
    assert np.abs(np.diff(x)).max() < 6 * TIMES[1] + 2 * BOUND
    assert (positions(a, states) >= -0.5).all()
    assert (positions(a, states) <= 0.8).all()


def test_ideal_adds_commands():
    """A fin that mixes pitch and roll; no state."""
    fin = Actuator(
        name="fin",
        command=["controls.pitch", "controls.hold.x"],
        gain=[2, -1],
        bias="3 deg",
        unit="rad",
        upper="90 deg",
    )
    assert actuators.states(fin) == 0
    commands = {"controls.pitch": np.array([0.1, 0.2, 2.0]), "controls.hold.x": np.array([0.3, -0.1, 0])}
    exact = np.minimum(np.array([0.2 - 0.3, 0.4 + 0.1, 4.0]) + np.radians(3), np.pi / 2)
    state = actuators.initial(fin, commands)
    assert state.shape == (0, 3)
    assert actuators.rate(fin, commands, state).shape == (0, 3)
    np.testing.assert_allclose(actuators.position(fin, state, commands), exact, rtol=4 * EPS)
    both = fin.model_copy(update={"gain": np.array([2.0])})
    total = np.array([0.8, 0.2, 4.0]) + np.radians(3)
    np.testing.assert_allclose(
        actuators.commanded_position(both, commands), np.minimum(total, np.pi / 2), rtol=4 * EPS
    )


def test_lanes():
    """Numbers of each lane as one lane alone has them."""
    rng = np.random.default_rng(92)
    many = {name: rng.uniform(0.5, 2, 5) for name in ("frequency", "damping", "rate_limit", "upper", "bias")}
    gain = rng.uniform(0.5, 2, (1, 5))
    c, state = rng.uniform(-2, 2, 5), rng.uniform(-1, 1, (2, 5))

    def made(lane):
        return following(
            model={"kind": "second_order"} | {n: many[n][lane] for n in ("frequency", "damping")},
            gain=gain[:, lane],
            **{n: many[n][lane] for n in ("rate_limit", "upper", "bias")},
        )

    found = actuators.rate(made(slice(None)), {"controls.c": c}, state)
    for lane in range(5):
        alone = actuators.rate(made(lane), {"controls.c": c[lane]}, state[:, lane])
        np.testing.assert_allclose(found[:, lane], alone, rtol=8 * EPS)


def test_failed():
    lag = {"kind": "first_order", "time_constant": 0.1}
    stuck = np.array([False, True])
    commands, state = {"controls.c": np.array([1.0, 1.0])}, np.array([[0.2, 0.3]])
    stays = following(model=lag, fails_after="jam")
    np.testing.assert_array_equal(actuators.rate(stays, commands, state, stuck)[0], [8, 0])
    np.testing.assert_array_equal(actuators.position(stays, state, commands, stuck), [0.2, 0.3])
    over = following(model=lag, fails_after="jam", stuck_at=-1)
    np.testing.assert_array_equal(actuators.position(over, state, commands, stuck), [0.2, -1])
    ideal = following(fails_after="jam", stuck_at=0.5)
    np.testing.assert_array_equal(actuators.position(ideal, state[:0], commands, stuck), [1, 0.5])


def test_derivatives_on_the_kinks():
    """One-sided and finite: on the limits of position and of rate, as within them."""
    a = following(
        lower=-1,
        upper=1,
        rate_limit=2,
        gain=1.0,
        model={"kind": "second_order", "frequency": 10, "damping": 0.5},
    )

    @quickly
    def slopes(c, state):
        return jax.jacobian(lambda c, s: actuators.rate(a, {"controls.c": c}, s), (0, 1))(c, state)

    by_command, by_state = slopes(1.0, jnp.array([0.0, 0.0]))
    np.testing.assert_array_equal(by_command, [0, 100])
    np.testing.assert_array_equal(by_state, [[0, 1], [-100, -10]])
    by_command, by_state = slopes(1.0, jnp.array([0.0, 2.0]))
    np.testing.assert_array_equal(by_state, [[0, 1], [0, 0]])
    # Past its limit by the error of a step the velocity still counts as the limit.
    past = actuators.rate(a, {"controls.c": 1.0}, jnp.array([[0.0, 0.0], [2.25, -2.25]]))
    np.testing.assert_array_equal(past, [[2, -2], [0, 100 + 22.5]])
    by_command, by_state = slopes(1.0, jnp.array([1.0, 1.0]))
    np.testing.assert_array_equal(by_state, [[0, 0], [-100, -110]])
    assert np.asarray(slopes(1.5, jnp.array([0.0, 0.0]))[0]).tolist() == [0, 0]


LAG = {"kind": "first_order", "time_constant": 0.1}
REFUSED = [
    ({"lower": 1, "upper": "-1 rad", "unit": "rad"}, "lower: 1 is more than upper, -1 rad"),
    ({"rate_limit": 1}, "rate_limit: 'rate_limit' needs an actuator with a lag"),
    ({"initial": 1}, "initial: 'initial' needs an actuator with a lag"),
    ({"model": LAG, "initial": 3, "upper": 2}, "initial: 3 is above upper, 2"),
    ({"model": LAG, "lower": "5 m", "unit": "rad"}, "The unit of this actuator is 'rad'"),
    ({"model": LAG, "rate_limit": "5 deg", "unit": "rad"}, "rate_limit: '5 deg' is in deg; allowed"),
    ({"unit": "furlongz"}, "unit: unknown unit 'furlongz'"),
    ({"model": LAG, "rate_limit": 0}, "rate_limit: 0 must be more than zero"),
    ({"model": {"kind": "first_order", "time_constant": "-1 s"}}, "-1 s must be more than zero"),
    (
        {"model": {"kind": "second_order", "frequency": "5 Hz", "damping": 1}},
        "Hz counts cycles; write angular rates in rev/s, deg/s or rad/s",
    ),
    ({"model": "second"}, "kind 'second' is not allowed"),
    ({"command": "pitch"}, "command: 'pitch' is not the command of a control law. Write controls.<name>"),
    ({"command": "controls.a.w"}, "Write controls.<name>"),
    ({"command": []}, "command: 'command' is an empty list. Name at least one command"),
    ({"gain": [1, 2]}, "gain: 'gain' has 2 numbers, but command has 1"),
    ({"stuck_at": 1}, "fails_after: 'fails_after' is required with 'stuck_at'"),
    ({"fails_after": "jam"}, "stuck_at: 'stuck_at' is required with 'fails_after'"),
    ({"fails_after": "jam", "stuck_at": -2, "lower": -1}, "stuck_at: -2 is below lower, -1"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_refused(options, message):
    with pytest.raises(BadInput) as caught:
        Actuator(**{"name": "a", "command": "controls.c"} | options)
    assert message in str(caught.value)


def test_numbers_are_leaves():
    a = following(model=LAG, rate_limit="20 deg/s", unit="rad", lower="-5 deg")
    assert {"model.time_constant", "rate_limit", "lower", "gain", "bias"} <= set(tree.paths(a))
    np.testing.assert_allclose(tree.get(a, "rate_limit"), np.radians(20), rtol=EPS)
    assert tree.get(tree.set(a, "lower", "-2 deg"), "lower") == pytest.approx(np.radians(-2), rel=EPS)
