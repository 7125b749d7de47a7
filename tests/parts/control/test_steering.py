"""Control laws and actuators in flight: against exact recursions of sampled loops, matrix exponentials of
linear ones, and independent integrations."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from interstage.reading import loads

pytestmark = pytest.mark.usefixtures("long_flights")

AIR = """
planet = { kind = "flat", up = [0, 0, -1], north = [1, 0, 0] }
[atmosphere]
kind = "table"
altitude = [-1e5, 1e5]
density = [1.25, 1.25]
temperature = [280.0, 280.0]
"""
"""The same air everywhere. Over this ground the angles of the level are those to the inertial axes."""
INERTIA = 4.0
TORQUE = 0.5 * 1.25 * 100.0**2 * 0.08
"""Torque per fin angle [N m/rad] at 100 m/s: dynamic pressure, area, length and slope of a `plant`."""


def plant(name: str, fin: str, y: float) -> str:
    """A body at 100 m/s without forces that a fin turns about y, in proportion to its angle: a double
    integrator."""
    return f"""
[bodies.{name}]
mass = 10.0
inertia = [{INERTIA}, {INERTIA}, {INERTIA}]
initial = {{ position = [0, {y}, 0], velocity = [100, 0, 0], angular_velocity = [0, 0.1, 0] }}
[aerodynamics.{name}]
body = "{name}"
area = 0.08
length = 1.0
[aerodynamics.{name}.coefficients.Cm]
axes = [{{ variable = "{fin}", points = [-1.0, 1.0] }}]
values = [-1.0, 1.0]
interpolation = "linear"
"""


# --- a sampled loop, against its recursion ------------------------------------------------------------------

SAMPLED = (
    AIR
    + plant("one", "controls.hold", 0.0)
    + """
[controls.hold]
kind = "pid"
measured = "bodies.one.level_angles.pitch"
rate = "bodies.one.angular_velocity.y"
target = "3 deg"
kp = 0.02
ki = 0.01
kd = 0.015
period = 0.1
limit = 0.0006
off_value = 0.0004
phases = ["first", "second", "fourth"]
[controls.beside]
kind = "rate"
body = "one"
gain = 2.0
period = 0.7
[controls.now_and_then]
kind = "pid"
measured = "bodies.one.angular_velocity.y"
target = 0.5
kp = 1.0
ki = 2.0
phases = ["second"]
[phases.first]
until = { time = 0.3 }
[phases.second]
until = { time = 1.0 }
[phases.third]
until = { time = 1.5 }
[phases.fourth]
until = { time = 3.0 }
[events.other]
when = { time = 0.456 }
[solver]
tolerance = 1e-12
[output]
interval = 0.05
"""
)
"""A phase begins on a sample, and the law ends where another is due; another event lies between two. The law
begins again later, with its integral at zero."""
LIMIT = 0.0006
GAINS = {"kp": 0.02, "ki": 0.01, "kd": 0.015}


def recursion(kp, ki, kd, period=0.1):
    """(times, angle, rate, command from then on) at all samples and switches, exact: the angular acceleration
    is constant in between."""
    first, second = (np.ceil(span / period - 1e-9) for span in (1.0, 1.5))
    samples = [*(period * np.arange(first)), *(1.5 + period * np.arange(second))]
    times = sorted({*samples, 1.0, 3.0})
    angle, rate, integral, rows = 0.0, 0.1, 0.0, []
    for t, after in pairwise([*times, 3.0]):
        if t in (0.0, 1.5):
            integral = 0.0
        if t == 1.0:
            command = 0.0004
        elif t in samples:
            error = np.radians(3.0) - angle
            rest = kp * error - kd * rate
            grown = integral + period * ki * error
            past = abs(rest + grown) > LIMIT and (rest + grown) * ki * error > 0
            integral = integral if past else grown
            command = np.clip(rest + integral, -LIMIT, LIMIT)
        rows.append((t, angle, rate, command))
        h, push = after - t, TORQUE / INERTIA * command
        angle, rate = angle + h * rate + h * h / 2 * push, rate + h * push
    return np.array(rows)


@pytest.fixture(scope="module")
def sampled():
    return loads(SAMPLED)


def agree(flight, tolerance):
    rows = recursion(**GAINS)
    data = flight.data
    for k, (t, angle, rate, command) in enumerate(rows[:-1]):
        # Between samples, so that rounding does not decide on which side of one a value stands.
        within = data["time"].values
        for j in np.flatnonzero((within > t + 1e-9) & (within < rows[k + 1, 0] - 1e-9)):
            h, push = within[j] - t, TORQUE / INERTIA * command
            body = data["bodies/one"]
            np.testing.assert_allclose(data["controls"]["hold"].values[j], command, atol=tolerance)
            now = rate + h * push, angle + h * rate + h * h / 2 * push
            np.testing.assert_allclose(body["angular_velocity"].values[j, 1], now[0], atol=tolerance)
            np.testing.assert_allclose(body["level_angles"].values[j, 1], now[1], atol=tolerance)
    np.testing.assert_allclose(
        flight.value("bodies.one.angular_velocity.y", "end"), rows[-1, 2], atol=tolerance
    )
    beside = data["controls"]["beside"].values[:, 1]
    first, later = (rows[np.abs(rows[:, 0] - at).argmin(), 2] for at in (0.0, 2.1))
    np.testing.assert_allclose(beside[1:14], -2 * first, atol=tolerance)
    np.testing.assert_allclose(beside[43:56], -2 * later, atol=tolerance)
    assert (np.abs(rows[:, 3]) == LIMIT).any()  # the limit is met on the way
    assert np.unique(rows[:, 3]).size > 8


def test_sampled_loop(sampled):
    """Held commands, integral, limits, phases in which it is off, and other events between samples."""
    agree(sampled.run(), 1e-10)


@pytest.mark.long
def test_sampled_loop_with_fixed_steps():
    """Of a length that does not fit the samples: steps end on them all the same."""
    agree(loads(SAMPLED, {"solver.method": "rk4", "solver.step": 0.017}).run(), 1e-10)


def test_continuous_law_beside_sampled_ones(sampled):
    """Off in the first phase; then the error and its integral from the beginning of its phase."""
    data = sampled.run().data
    rows = recursion(**GAINS)
    t, found = data["time"].values, data["controls"]["now_and_then"].values
    assert not found[(t < 0.3 - 1e-9) | (t > 1.0 + 1e-9)].any()
    at = np.flatnonzero((t > 0.31) & (t < 0.99))
    rate = data["bodies/one"]["angular_velocity"].values[at, 1]
    angle = data["bodies/one"]["level_angles"].values[at, 1]
    begun = rows[np.searchsorted(rows[:, 0], 0.3 - 1e-9), 1]
    # The integral of the rate is the angle.
    wanted = 0.5 - rate + 2 * (0.5 * (t[at] - 0.3) - (angle - begun))
    np.testing.assert_allclose(found[at], wanted, atol=1e-10)


def test_lanes_with_dispersed_gains(sampled):
    """Each lane samples and switches as if alone, with its own gains and its own period."""
    gains = np.array([[0.02, 0.01, 0.015, 0.1], [0.03, 0.0, 0.01, 0.07], [0.01, 0.05, 0.03, 0.13]])
    paths = [f"controls.hold.{name}" for name in (*GAINS, "period")]
    batch = sampled.run_batch(dict(zip(paths, gains.T, strict=True)))
    for k, row in enumerate(gains):
        angle, rate = recursion(*row)[-1, 1:3]
        np.testing.assert_allclose(batch.x[11, k], rate, atol=1e-10)
        # Of a turn about y the quaternion's third component is the sine of half the angle.
        np.testing.assert_allclose(2 * np.arcsin(batch.x[8, k]), angle, atol=1e-10)


@pytest.mark.long
def test_derivatives_through_samples(sampled):
    """By the gains, against differences of the recursion."""
    names = list(GAINS)
    of = "bodies.one.angular_velocity.y"
    found = sampled.derivatives([of], [f"controls.hold.{n}" for n in names])
    step = 1e-6
    for n in names:
        above, below = (recursion(**(GAINS | {n: GAINS[n] + s}))[-1, 2] for s in (step, -step))
        slope = found.by[of][f"controls.hold.{n}"]
        # The recursion is a polynomial in the gains while no limit is met or left: its differences are exact
        # but for rounding over the step.
        np.testing.assert_allclose(slope, (above - below) / (2 * step), rtol=1e-6)


# --- loops of all sorts in one flight -----------------------------------------------------------------------

LENGTH, THRUST, MASS = 2.5, 300.0, 10.0
LOOPS = (
    AIR
    + plant("linear", "actuators.servo", 0.0)
    + plant("wing", "actuators.fin", 10.0)
    + f"""
[aerodynamics.stiff]
body = "wing"
area = 0.08
length = 1.0
[aerodynamics.stiff.coefficients.Cm]
axes = [{{ variable = "alpha", points = [-1.0, 1.0] }}]
values = [0.02, -0.02]
interpolation = "linear"
[controls.pitch]
kind = "pid"
measured = "bodies.linear.level_angles.pitch"
rate = "bodies.linear.angular_velocity.y"
target = "3 deg"
kp = 0.1
ki = 0.05
kd = 0.06
[actuators.servo]
command = "controls.pitch"
unit = "rad"
model = {{ kind = "first_order", time_constant = 0.08 }}
[controls.incidence]
kind = "pid"
measured = "bodies.wing.alpha"
rate = "bodies.wing.angular_velocity.y"
target = {{ time = [0.0, 10.0], value = [0.0, 0.1] }}
kp = 0.1
kd = 0.05
[actuators.fin]
command = "controls.incidence"
unit = "rad"
model = {{ kind = "second_order", frequency = 30.0, damping = 0.7 }}

[bodies.rocket]
mass = {MASS}
inertia = [3.0, {INERTIA}, {INERTIA}]
[bodies.rocket.initial]
position = [0, 20, 0]
attitude = {{ euler = "3-2-1", angles = [0.3, -0.2, 0] }}
[engines.main]
kind = "engine"
body = "rocket"
at = [-{LENGTH}, 0, 0]
thrust = {THRUST}
massless = true
ignited = true
gimbal = {{ pitch = "actuators.pitch", yaw = "actuators.yaw" }}
[controls.hold]
kind = "attitude"
body = "rocket"
angles = [0, 0, 0]
kp = 0.1
kd = 0.08
limit = 0.015
[actuators.pitch]
command = "controls.hold.y"
gain = -1.0
unit = "rad"
model = {{ kind = "first_order", time_constant = 0.05 }}
rate_limit = "20 deg/s"
[actuators.yaw]
command = "controls.hold.z"
gain = -1.0
unit = "rad"
model = {{ kind = "first_order", time_constant = 0.05 }}
rate_limit = "20 deg/s"

[bodies.limited]
mass = {MASS}
inertia = [1.0, 1.0, 1.0]
initial = {{ position = [0, 30, 0] }}
[engines.throttled]
kind = "engine"
body = "limited"
at = [-1, 0, 0]
thrust = {THRUST}
massless = true
ignited = true
throttle = "controls.throttle"
[controls.throttle]
kind = "pid"
measured = "bodies.limited.sensed_acceleration.x"
target = "20 m/s^2"
kp = 0.005
ki = 0.2
bias = 0.9
lower = 0.3
upper = 1.0
period = 0.25

[controls.step]
kind = "pid"
measured = "bodies.limited.speed"
target = 0.0
bias = {{ over = "time", points = [0.0, 10.0], value = [1.0, 1.0] }}
[actuators.slow]
command = "controls.step"
model = {{ kind = "first_order", time_constant = 0.2 }}
rate_limit = 2.0
initial = 0.0
upper = 0.9
[actuators.stuck]
command = "controls.step"
model = {{ kind = "first_order", time_constant = 0.2 }}
initial = 0.0
fails_after = "failure"
[actuators.jammed]
command = "controls.step"
fails_after = "failure"
stuck_at = -0.4
[controls.own]
kind = "user"
class = "test_steering:Mine"
parameters = {{ gain = 3.0 }}
measures = ["bodies.limited.speed", "controls.step", "actuators.slow"]
outputs = "vector"

[phases.all]
until = {{ time = 2.0 }}
[events.failure]
when = {{ time = 0.15 }}
[solver]
tolerance = 1e-12
[output]
interval = 0.05
"""
)


class Mine:
    """A law of the user's own that reads a quantity, an earlier command, and an actuator that lags."""

    def __init__(self, gain: Any):
        self.gain = gain

    def __call__(self, time: Any, seen: Any) -> Any:
        return jnp.stack(
            [self.gain * seen["bodies.limited.speed"], seen["controls.step"], seen["actuators.slow"]]
        )


@pytest.fixture(scope="module")
def data():
    return loads(LOOPS).run().data


@pytest.mark.long
def test_linear_loop_with_integral_and_lag(data):
    """Angle, rate, integral and servo: the exponential of their matrix."""
    a = np.zeros((5, 5))
    target, kp, ki, kd, lag = np.radians(3), 0.1, 0.05, 0.06, 0.08
    a[0, 1], a[1, 3] = 1.0, TORQUE / INERTIA
    a[2, 0], a[2, 4] = -ki, ki * target
    a[3] = np.array([-kp, -kd, 1.0, -1.0, kp * target]) / lag
    # The servo begins where it is wanted.
    start = np.array([0.0, 0.1, 0.0, kp * target - kd * 0.1, 1.0])
    found = np.stack([expm(a * t) @ start for t in data["time"].values])
    body = data["bodies/linear"]
    np.testing.assert_allclose(body["level_angles"].values[:, 1], found[:, 0], atol=1e-10)
    np.testing.assert_allclose(body["angular_velocity"].values[:, 1], found[:, 1], atol=1e-10)
    np.testing.assert_allclose(data["actuators"]["servo"].values, found[:, 3], atol=1e-10)
    assert data["actuators"]["servo"].attrs["units"] == "rad"


def test_incidence_follows_a_table(data):
    """A stable wing whose fin, of second order, holds a growing incidence: the same matrix by hand. With no
    forces incidence is the pitch angle."""
    q = TORQUE / INERTIA
    a = np.zeros((6, 6))
    kp, kd, f, d, slope = 0.1, 0.05, 30.0, 0.7, 0.01
    a[0, 1] = 1.0
    a[1, 0], a[1, 2] = -0.02 * q, q
    a[2, 3] = 1.0
    # The target slope t, with the rate that the table has: time is the fifth state, one the sixth.
    a[3] = f * f * np.array([-kp, -kd, -1.0, -2 * d / f, kp * slope, kd * slope])
    a[4, 5] = 1.0
    start = np.array([0.0, 0.1, kd * (slope - 0.1), 0.0, 0.0, 1.0])
    found = np.stack([expm(a * t) @ start for t in data["time"].values])
    np.testing.assert_allclose(data["bodies/wing"]["alpha"].values, found[:, 0], atol=1e-10)
    np.testing.assert_allclose(data["actuators"]["fin"].values, found[:, 2], atol=1e-10)


def test_gimballed_rocket(data):
    """Attitude hold in pitch and yaw by a gimbal with lag, rate limit and limited command: the equations of a
    rigid body with a turned thrust, written out with rotation matrices."""

    def derivative(_, s):
        v, w, turn, (pitch, yaw) = s[3:6], s[6:9], s[9:18].reshape(3, 3), s[18:]
        # The rotation vector back to the inertial axes, of a matrix without a half turn.
        skew = np.array([turn[1, 2] - turn[2, 1], turn[2, 0] - turn[0, 2], turn[0, 1] - turn[1, 0]])
        angle = np.arccos((np.trace(turn) - 1) / 2)
        error = skew * angle / (2 * np.sin(angle))
        command = np.clip(0.1 * error - 0.08 * w, -0.015, 0.015)
        rates = [
            np.clip((-c - at) / 0.05, -np.radians(20), np.radians(20))
            for c, at in ((command[1], pitch), (command[2], yaw))
        ]
        push = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw), -np.cos(yaw) * np.sin(pitch)]) * THRUST
        torque = np.cross([-LENGTH, 0, 0], push) - np.cross(w, [3.0, INERTIA, INERTIA] * w)
        spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.concatenate(
            [v, turn @ push / MASS, torque / [3.0, INERTIA, INERTIA], (turn @ spin).ravel(), rates]
        )

    yaw, pitch = 0.3, -0.2
    about_z = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    about_y = np.array([[np.cos(pitch), 0, np.sin(pitch)], [0, 1, 0], [-np.sin(pitch), 0, np.cos(pitch)]])
    turn = about_z @ about_y
    skew = np.array([turn[1, 2] - turn[2, 1], turn[2, 0] - turn[0, 2], turn[0, 1] - turn[1, 0]])
    angle = np.arccos((np.trace(turn) - 1) / 2)
    begun = -np.clip(0.1 * skew * angle / (2 * np.sin(angle)), -0.015, 0.015)[1:]
    start = np.concatenate([[0, 20, 0], np.zeros(6), turn.ravel(), begun])
    t = data["time"].values
    found = solve_ivp(derivative, (0, 2), start, "DOP853", t, rtol=1e-12, atol=1e-13, max_step=0.02).y
    body = data["bodies/rocket"]
    # The limits bend the rates: both integrations lose digits there.
    np.testing.assert_allclose(body["angular_velocity"].values.T, found[6:9], atol=1e-8)
    np.testing.assert_allclose(body["position"].values.T, found[:3], atol=1e-8)
    np.testing.assert_allclose(data["actuators"]["pitch"].values, found[18], atol=1e-8)
    np.testing.assert_allclose(data["actuators"]["yaw"].values, found[19], atol=1e-8)
    assert (np.abs(found[18:]).max(1) > 0.014).all()


def test_throttle_limits_the_acceleration(data):
    """A sampled law that reads what its own command caused: the command of the sample before."""
    command, integral, expected = 0.0, 0.0, []
    for _ in range(8):
        error = 20.0 - THRUST * max(command, 0.0) / MASS
        rest, grown = 0.9 + 0.005 * error, integral + 0.25 * 0.2 * error
        wanted = rest + grown
        outward = (wanted > 1 and error > 0) or (wanted < 0.3 and error < 0)
        integral = integral if outward else grown
        command = float(np.clip(rest + integral, 0.3, 1.0))
        expected.append(command)
    between = data["time"].values % 0.25
    inside = (between > 1e-6) & (between < 0.25 - 1e-6)
    number = np.floor(data["time"].values[inside] / 0.25).astype(int)
    found = data["controls"]["throttle"].values[inside]
    np.testing.assert_allclose(found, np.array(expected)[number], atol=1e-12)
    felt = data["bodies/limited"]["sensed_acceleration"].values[inside, 0]
    np.testing.assert_allclose(felt, THRUST * found / MASS, rtol=1e-12)


def test_actuators(data):
    """A rate limit and a stop, one that stays where it is, and one that jams, all after a step of the
    command."""
    t = data["time"].values
    # At the rate limit while 0.9 - 2 t > 2 * 0.2, then the lag: from 0.5 at 0.25 s on.
    slow = np.where(t < 0.25, 2 * t, 0.9 - 0.4 * np.exp(-(t - 0.25) / 0.2))
    np.testing.assert_allclose(data["actuators"]["slow"].values, slow, atol=1e-9)
    stuck = 1 - np.exp(-np.minimum(t, 0.15) / 0.2)
    np.testing.assert_allclose(data["actuators"]["stuck"].values, stuck, atol=1e-10)
    jammed = data["actuators"]["jammed"].values
    away = np.abs(t - 0.15) > 1e-9
    np.testing.assert_array_equal(jammed[away], np.where(t < 0.15, 1.0, -0.4)[away])


def test_law_of_the_users_own(data):
    """It reads a quantity, the command of a law before it, and an actuator that lags behind."""
    own = data["controls"]["own"].values
    np.testing.assert_allclose(own[:, 0], 3 * data["bodies/limited"]["speed"].values, rtol=1e-12)
    np.testing.assert_array_equal(own[:, 1], 1.0)
    np.testing.assert_array_equal(own[:, 2], data["actuators"]["slow"].values)
