"""Control laws: loops closed on a double integrator, attitude errors, schedules, sampling."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from engine_door import quickly
from interstage.parts.control import declared as control
from interstage.parts.control import laws as control_laws
from interstage.tree import addresses as tree
from mechanics import EPS

# Any: called as files call them, with texts and tables that the validation turns into fields.
PID: Any = control.PID
RateHold: Any = control.RateHold
AttitudeHold: Any = control.AttitudeHold
TOLERANCE = 1e-10
"""Of the integration of the tests, relative and absolute."""
BOUND = 1e3 * TOLERANCE
"""Error allowed of an integration over some hundred steps."""
SPLINE = 500 * EPS
"""Rounding of two solutions for the same spline of some points of order one."""

LOOP: Any = {"name": "loop", "measured": "x", "rate": "v"}
"""A scalar loop on a double integrator of position x and velocity v."""


def of_state(s):
    return {"x": s[0], "v": s[1]}


# --- continuous loops --------------------------------------------------------------------------------------


def closed(law, state, times):
    """Position, velocity and integral (3, time) of a double integrator that the command accelerates."""

    @quickly
    def slope(t, s):
        ready = control_laws.prepare(law)
        u = control_laws.command(ready, t, of_state(s), s[2])
        return jnp.stack([s[1], u, control_laws.integral_rate(ready, t, of_state(s), s[2])])

    run = solve_ivp(
        lambda t, s: np.asarray(slope(t, s)),
        (times[0], times[-1]),
        state,
        t_eval=times,
        method="DOP853",
        rtol=TOLERANCE,
        atol=TOLERANCE,
    )
    return run.y


TIMES = np.linspace(0, 4, 41)


def test_pid_against_the_matrix_exponential():
    kp, ki, kd, bias, target = 6.0, 2.5, 3.0, 0.7, 1.5
    law = PID(**LOOP, target=target, kp=kp, ki=ki, kd=kd, bias=bias)
    assert control.states(law) == 1
    start = np.array([0.2, -1.0, 0.3])
    # x' = v, v' = bias + kp (target - x) + i - kd v, i' = ki (target - x), and a state that stays 1.
    system = np.array(
        [[0, 1, 0, 0], [-kp, -kd, 1, bias + kp * target], [-ki, 0, 0, ki * target], [0, 0, 0, 0]]
    )
    exact = np.stack([expm(system * t) @ [*start, 1] for t in TIMES], 1)[:3]
    np.testing.assert_allclose(closed(law, start, TIMES), exact, rtol=0, atol=BOUND)


@pytest.mark.parametrize("interpolation", ["linear", "smooth"])
def test_target_in_time(interpolation):
    """A loop that starts on a straight target stays on it: its rate is followed too. Beyond the table the
    target stands still, and the loop settles as the matrix exponential has it."""
    time = [0, 1, 3]
    law = PID(
        **LOOP,
        kp=8.0,
        kd=4.0,
        target={"time": time, "value": [0.5 + 2 * t for t in time], "interpolation": interpolation},
    )
    within, beyond = np.linspace(0, 3, 31), np.linspace(0, 1, 11)
    x, v, _ = closed_without_integral(law, [0.5, 2.0, 0], within)
    np.testing.assert_allclose(x, 0.5 + 2 * within, rtol=0, atol=BOUND)
    np.testing.assert_allclose(v, 2, rtol=0, atol=BOUND)
    x, *_ = closed_without_integral(law, [6.5, 2.0, 0], 3 + 1e-9 + beyond)
    settling = [(expm(np.array([[0, 1], [-8, -4]]) * t) @ [0, 2])[0] for t in beyond]
    np.testing.assert_allclose(x, 6.5 + np.array(settling), rtol=0, atol=BOUND)


def closed_without_integral(law, state, times):
    """The same where the law has no integral: ki = 0 keeps it at zero."""
    return closed(tree.set(law, "ki", 0.0), state, times)


def test_integral_stops_at_the_limit():
    """A constant error: the integral grows evenly up to the limit, then within the band past it
    exponentially; towards the inside it is free at once."""
    law = PID(name="loop", measured="x", target=0, kp=2, ki=3, lower=-1, upper=4)
    ready = control_laws.prepare(law)
    band = control_laws.FADE * 2.5
    push, limit = 3 * 0.5, 4 - 2 * 0.5

    @quickly
    def slope(i, x):
        return control_laws.integral_rate(ready, 0.0, {"x": x}, i)

    run = solve_ivp(
        lambda t, i: np.asarray(slope(i[0], -0.5))[None],
        (0, 4),
        [0.0],
        t_eval=TIMES,
        method="DOP853",
        rtol=TOLERANCE,
        atol=TOLERANCE,
    )
    meets = limit / push
    faded = limit + band * -np.expm1(-push * np.maximum(TIMES - meets, 0) / band)
    np.testing.assert_allclose(run.y[0], np.where(meets > TIMES, push * TIMES, faded), rtol=0, atol=BOUND)
    assert control_laws.command(ready, 0.0, {"x": -0.5}, 3.1) == 4
    assert slope(9.0, -0.5) == 0
    assert slope(9.0, 0.1) == pytest.approx(-0.3, rel=4 * EPS)
    assert slope(-9.0, 0.1) == 0
    assert slope(-9.0, -0.1) == pytest.approx(0.3, rel=4 * EPS)
    # The band ends where its name says, on both sides.
    assert slope(limit + 0.5 * band, -0.5) == pytest.approx(0.5 * push, rel=64 * EPS)
    assert slope(-1 + 2 * 0.1 - 0.5 * band, 0.1) == pytest.approx(-0.15, rel=64 * EPS)


def test_angles_wrap():
    """From 179 to -179 deg it is 2 deg, whatever full turns lie between."""
    law = PID(name="loop", measured="x", target="-179 deg", kp=1)
    ready = control_laws.prepare(law, wraps=2 * np.pi)
    measured = np.radians([179.0, -181, 539, 2, -178])
    found = control_laws.command(ready, 0.0, {"x": measured})
    np.testing.assert_allclose(np.degrees(found), [2, 2, 2, 179, -1], rtol=0, atol=2 * 539 * EPS)
    plain = control_laws.command(control_laws.prepare(law), 0.0, {"x": measured})
    np.testing.assert_allclose(plain, np.radians(-179) - measured, rtol=4 * EPS)


# --- sampled loops -----------------------------------------------------------------------------------------


def test_sampled_against_the_recursion():
    """Proportional, integral and derivative parts over held commands: the state at the samples is a power of
    one matrix."""
    kp, ki, kd, period = 5.0, 1.5, 2.5, 0.1
    law = PID(**LOOP, target=0, kp=kp, ki=ki, kd=kd, period="100 ms")
    assert (control.states(law), control.integrals(law)) == (0, 1)
    hold = np.array([[1, period], [0, 1]]), np.array([0.5 * period**2, period])
    row = np.array([-kp - ki * period, -kd, 1])  # the command, with this sample's part of the integral
    step = np.vstack([np.hstack([hold[0], [[0], [0]]]) + np.outer(hold[1], row), [-ki * period, 0, 1]])
    state = np.array([1.0, -0.5, 0.0])
    exact = [np.linalg.matrix_power(step, k) @ state for k in range(31)]
    ready = control_laws.prepare(law)
    sample = quickly(lambda s: control_laws.take_sample(ready, 0.0, of_state(s), s[2]))
    for k in range(31):
        # The bound: each step adds the rounding of a few terms of order one, and the loop damps it.
        np.testing.assert_allclose(state, exact[k], rtol=0, atol=100 * EPS)
        u, integral = map(np.asarray, sample(state))
        state = np.array([*(hold[0] @ state[:2] + hold[1] * u), integral])


def test_sampled_integral_stops_at_the_limit():
    law = PID(name="loop", measured="x", target=1, kp=1, ki=2, limit=2, period=0.1)
    ready = control_laws.prepare(law)
    integral, seen = 0.0, []
    for x in [0.0] * 8 + [1.5] * 2:
        u, integral = control_laws.take_sample(ready, 0.0, {"x": x}, integral)
        seen.append((float(u), float(integral)))
    # Five samples of 0.2 bring the command from 1 to 2; then the integral stands, and falls at once.
    exact = [(1.2, 0.2), (1.4, 0.4), (1.6, 0.6), (1.8, 0.8), *[(2, 1)] * 4, (0.4, 0.9), (0.3, 0.8)]
    np.testing.assert_allclose(seen, exact, rtol=0, atol=8 * EPS)


def test_sampled_without_integral_is_the_command():
    law = RateHold(name="hold", body="b", gain=2, period=0.1)
    ready = control_laws.prepare(law)
    measured = dict(zip(control.angular_velocity_names("b"), [0.1, -0.2, 0.3], strict=True))
    u, integral = control_laws.take_sample(ready, 0.0, measured)
    np.testing.assert_array_equal(u, [-0.2, 0.4, -0.6])
    assert integral == 0


# --- three axes --------------------------------------------------------------------------------------------


def spins(w, body="b"):
    return dict(zip(control.angular_velocity_names(body), w, strict=True))


def turns(q, body="b"):
    return dict(zip(control.attitude_names(body), q, strict=True))


def test_rate_hold():
    rng = np.random.default_rng(81)
    w, time = rng.standard_normal((3, 5)), rng.uniform(-1, 8, 5)
    points, values = np.arange(8.0), rng.standard_normal((8, 3))
    law = RateHold(
        name="hold",
        body="b",
        gain=[1, 2, 3],
        target={"time": points, "value": values, "interpolation": "cubic"},
        limit=[9, 9, 0.5],
    )
    found = control_laws.command(control_laws.prepare(law), time, spins(w))
    # The spline of the package is scipy's "not-a-knot".
    target = CubicSpline(points, values)(np.clip(time, 0, 7)).T
    exact = np.array([[1], [2], [3]]) * (target - w)
    exact[2] = np.clip(exact[2], -0.5, 0.5)
    np.testing.assert_allclose(found, exact, rtol=0, atol=SPLINE)
    constant = RateHold(name="hold", body="b", gain=0.5, target="[1, 2, 3] deg/s")
    found = control_laws.command(control_laws.prepare(constant), 0.0, spins(w[:, 0]))
    np.testing.assert_allclose(found, 0.5 * (np.radians([1, 2, 3]) - w[:, 0]), rtol=4 * EPS)


ANGLES = np.concatenate([np.geomspace(1e-12, 1, 25), np.pi - np.geomspace(1e-10, 1, 15)])


def test_rotation_vector():
    """Of random axes and of angles from nothing to nearly half a turn, of either sign of the quaternion and
    of any length."""
    rng = np.random.default_rng(82)
    axes = rng.standard_normal((len(ANGLES), 3))
    vectors = ANGLES[:, None] * axes / np.linalg.norm(axes, axis=1)[:, None]
    turn = Rotation.from_rotvec(vectors)
    q = turn.as_quat(scalar_first=True).T * rng.choice([-0.9, 1.1], len(ANGLES))
    found = np.asarray(control_laws.rotation_vector(q))
    # Relative to the angle; rounding of the quaternion's scalar part moves angles near pi by some EPS.
    np.testing.assert_allclose(found.T / ANGLES[:, None], vectors / ANGLES[:, None], rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(np.linalg.norm(found, axis=0), turn.magnitude(), rtol=8 * EPS)


def test_rotation_vector_where_it_is_singular():
    """Slopes at no turn, in the series and beyond it, and at half a turn, where only those to one side are
    left: all finite, and where it is smooth those of differences."""
    slope = quickly(jax.jacobian(control_laws.rotation_vector))
    none = np.asarray(slope(jnp.array([1.0, 0, 0, 0])))
    np.testing.assert_array_equal(none, np.hstack([np.zeros((3, 1)), 2 * np.eye(3)]))
    half = np.asarray(slope(jnp.array([0.0, 0, 1, 0])))
    np.testing.assert_allclose(half, [[0, np.pi, 0, 0], [-2, 0, 0, 0], [0, 0, 0, np.pi]], rtol=4 * EPS)
    assert np.isfinite(slope(jnp.array([-0.0, 0, 0, -1.0]))).all()
    for small in (0.3, 0.99, 1.01, 3.0):
        t = np.sqrt(small * control_laws.SMALL)
        q = np.array([1, t * 0.6, -t * 0.8, 0]) / np.sqrt(1 + t * t)
        step = 1e-6 * np.eye(4)
        ahead, behind = (
            np.stack([control_laws.rotation_vector(q + sign * e) for e in step], 1) for sign in (1, -1)
        )
        # Central differences of step h of a function of order one: h^2 and EPS/h.
        np.testing.assert_allclose(slope(q), (ahead - behind) / 2e-6, rtol=0, atol=10 * (1e-12 + EPS / 1e-6))


@pytest.mark.parametrize("sequence", ["3-2-1", "1-2-3", "3-1-3"])
def test_attitude_error(sequence):
    """The rotation from the body's to the commanded attitude in body axes, over the axes handed in."""
    rng = np.random.default_rng(83)
    body, local = Rotation.random(6, rng=rng), Rotation.random(6, rng=rng)
    angles = rng.uniform(-3, 3, 3)
    letters = "".join("XYZ"[int(d) - 1] for d in sequence.split("-"))
    for axes in ("inertial", "lvlh"):
        law = AttitudeHold(name="hold", body="b", axes=axes, sequence=sequence, angles=angles, kp=[2, 3, 4])
        over = (local.as_matrix().transpose(1, 2, 0), np.zeros((3, 6)))
        measured = turns(body.as_quat(scalar_first=True).T) | spins(np.zeros((3, 6)))
        found = control_laws.command(control_laws.prepare(law), np.zeros(6), measured, axes=over)
        turn = Rotation.from_euler(letters, angles)
        commanded = turn if axes == "inertial" else local * turn
        exact = np.array([2, 3, 4]) * (body.inv() * commanded).as_rotvec()
        np.testing.assert_allclose(found, exact.T, rtol=0, atol=100 * EPS)


def test_rate_of_the_commanded_attitude():
    """Angles along a table over axes that turn: the target rate is that of differences of attitudes, in body
    axes."""
    rng = np.random.default_rng(84)
    points, values = np.linspace(0, 4, 6), rng.uniform(-1, 1, (6, 3))
    law = AttitudeHold(
        name="hold",
        body="b",
        axes="local_level",
        angles={"time": points, "value": values, "interpolation": "cubic"},
        kp=0,
        kd=1,
    )
    spline, spin, first = CubicSpline(points, values), rng.standard_normal(3), Rotation.random(rng=rng)
    body, w, t, h = Rotation.random(rng=rng), rng.standard_normal(3), 1.7, 1e-4

    def local(at):
        """Axes that turn evenly about an inertial axis."""
        return Rotation.from_rotvec(spin * (at - t)) * first

    def commanded(at):
        return local(at) * Rotation.from_euler("ZYX", spline(at))

    # Inertial components of the angular velocity, by a central difference of order h^2.
    turning = (commanded(t + h) * commanded(t - h).inv()).as_rotvec() / (2 * h)
    measured = turns(1.01 * body.as_quat(scalar_first=True)) | spins(w)
    found = control_laws.command(
        control_laws.prepare(law), t, measured, axes=(first.as_matrix(), jnp.asarray(spin))
    )
    np.testing.assert_allclose(found, body.inv().apply(turning) - w, rtol=0, atol=10 * h * h)
    later = control_laws.command(
        control_laws.prepare(law), 9.0, measured, axes=(first.as_matrix(), jnp.zeros(3))
    )
    np.testing.assert_allclose(later, -w, rtol=4 * EPS)


# --- schedules ---------------------------------------------------------------------------------------------

POINTS = np.array([0.0, 2e3, 5e3, 9e3, 20e3])


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_schedules(interpolation):
    """At the points the gains themselves, between them lines or scipy's spline, outside the ends."""
    rng = np.random.default_rng(85)
    one, three = rng.uniform(0.5, 2, 5), rng.uniform(0.5, 2, (5, 3))
    options = {"over": "q", "points": POINTS, "interpolation": interpolation}
    at = np.concatenate([POINTS, rng.uniform(-2e3, 25e3, 20)])
    inside = np.clip(at, POINTS[0], POINTS[-1])

    def between(values):
        if interpolation == "cubic":
            return CubicSpline(POINTS, values)(inside)
        return np.interp(inside, POINTS, values)

    loop = PID(name="loop", measured="x", target=1, kp={**options, "value": one})
    found = control_laws.command(control_laws.prepare(loop), np.zeros(25), {"x": np.zeros(25), "q": at})
    np.testing.assert_allclose(found, between(one), rtol=SPLINE)
    np.testing.assert_allclose(found[:5], one, rtol=4 * EPS)
    for value, columns in ((three, three), (one, one[:, None])):
        hold = RateHold(name="hold", body="b", gain={**options, "value": value}, target=[1, 1, 1])
        measured = spins(np.zeros((3, 25))) | {"q": at}
        found = control_laws.command(control_laws.prepare(hold), np.zeros(25), measured)
        exact = np.stack([between(column) for column in columns.T])
        np.testing.assert_allclose(found, np.broadcast_to(exact, (3, 25)), rtol=SPLINE)


def test_schedule_over_time_and_of_the_integral():
    """A bias over time is a program; the integral of a scheduled gain keeps what it has gathered."""
    program = {"over": "time", "points": ["0 s", "2 s"], "value": "[0, 10] deg", "interpolation": "linear"}
    law = PID(name="loop", measured="x", target=0, bias=program, ki={**program, "value": [1, 3]})
    assert control.needs(law) == ("x",)
    ready = control_laws.prepare(law)
    found = control_laws.command(ready, 0.5, {"x": 7.0}, 0.25)
    assert found == pytest.approx(np.radians(2.5) + 0.25, rel=4 * EPS)
    assert control_laws.integral_rate(ready, 0.5, {"x": 7.0}, 0.25) == pytest.approx(-1.5 * 7, rel=4 * EPS)


# --- lanes and slopes ---------------------------------------------------------------------------------------


def test_lanes_and_gradients():
    """Gains, limits and tables of each lane; the command's slope by a gain, and on the limit."""
    rng = np.random.default_rng(86)
    kp, values, limit = rng.uniform(1, 2, 4), rng.uniform(-1, 1, (3, 4)), rng.uniform(0.5, 1, (1, 4))
    x, gain = rng.uniform(-1, 1, 4), rng.uniform(1, 2, (1, 4))
    w, target = rng.uniform(-1, 1, (3, 4)), rng.uniform(-1, 1, (3, 4))

    def found(lane):
        table = {"time": [0, 1, 2], "value": values[:, lane]}
        loop = PID(name="loop", measured="x", target=table, kp=kp[lane], limit=limit[:, lane])
        hold = RateHold(name="hold", body="b", gain=gain[:, lane], target=target[:, lane])
        time = np.full(np.shape(x[lane]), 0.6)
        u = control_laws.command(control_laws.prepare(loop), time, {"x": x[lane]})
        return u, control_laws.command(control_laws.prepare(hold), time, spins(w[:, lane]))

    u, three = found(slice(None))
    for lane in range(4):
        alone = found(lane)
        np.testing.assert_allclose(u[lane], alone[0], rtol=SPLINE)
        np.testing.assert_allclose(three[:, lane], alone[1], rtol=4 * EPS)

    @quickly
    def slope(k):
        law = PID(name="loop", measured="x", target=1, kp=0, limit=2)
        by_gain = lambda k: control_laws.command(  # noqa: E731
            control_laws.prepare(tree.replace_leaf(law, "kp", k)), 0.0, {"x": 0.0}
        )
        return jax.grad(by_gain)(k)

    assert [float(slope(k)) for k in (1.0, 2.0, 2.5)] == [1, 1, 0]
