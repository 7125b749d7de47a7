"""Rocket engines and solid motors: thrust, mass flow, transients, traces, directions."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from interstage.environment.us76 import G0
from interstage.maths.interpolation import knots, look_up
from interstage.parts.propellant import burning
from interstage.parts.propellant import engines as propulsion
from interstage.tree import addresses as tree
from interstage.tree import declaration

jax.config.update("jax_enable_x64", True)
declaration.register_all()
EPS = np.finfo(float).eps
INF = np.inf
SEA = propulsion.STANDARD_PRESSURE
GAUSS = np.polynomial.legendre.leggauss(6)
"""Nodes and weights, exact for polynomials of degree 11: the smooth steps are of degree 5."""


@dataclasses.dataclass
class Made:
    """What makes declarations, called as files call it, with texts and tables: Any for the type checker."""

    engine: Any = propulsion.Engine
    motor: Any = propulsion.Motor


def engine(**options) -> Any:
    """An engine of 1 MN, 300 s."""
    given: dict[str, Any] = {"thrust": 1e6, "isp": 300, "feeds": {"s.lox": 0.7, "s.fuel": 0.3}} | options
    return Made.engine(name="main", body="s", at=[0, 0, 0], **given)


TRACE = {"time": [0, 0.1, 0.4, 1.5, 2.0], "value": [0, 900, 1100, 700, 0]}


def motor(**options) -> Any:
    given: dict[str, Any] = {"thrust": TRACE, "grain": "s.grain"} | options
    return Made.motor(name="srb", body="s", at=[0, 0, 0], **given)


def burn(model, t, ignition=0.0, cutoff=INF, throttle=None, pressure=0.0, propellant=None) -> Any:
    return burning.burn(burning.prepare(model, propellant), t, ignition, cutoff, throttle, pressure)


def integral(points, function):
    """Integrals of a function of times (n,) through the points, by Gauss's rule between each two."""
    total = 0.0
    for low, high in pairwise(points):
        t = low + (high - low) * (GAUSS[0] + 1) / 2
        total = total + (high - low) / 2 * (np.asarray(function(t)) @ GAUSS[1])
    return total


def test_steady_engine():
    """Sutton's F = F_vac - p A, mdot = F_vac / (isp g0); by exit area and by sea-level thrust."""
    area = 1.2
    for model in (engine(exit_area=area), engine(thrust_sea_level=1e6 - SEA * area)):
        for pressure in (0.0, 2e4, SEA):
            found = burn(model, 3.0, throttle=0.1, pressure=pressure)
            # The area comes back from the sea-level thrust with the rounding of 1 MN over that of the loss.
            np.testing.assert_allclose(found.thrust, 1e6 - pressure * area, rtol=4 * EPS)
            np.testing.assert_allclose(found.mass_flow, 1e6 / (300 * G0), rtol=4 * EPS)
            assert found.fraction == 1.0
    assert burn(engine(mass_flow=340, isp=None), 1.0).mass_flow == 340
    assert burn(engine(massless=True, isp=None, feeds={}), 1.0).mass_flow == 0


def test_weak_thrust_under_pressure():
    """Above twice the loss the thrust is F - L; below it is never negative, falls to exactly zero, and has
    continuous first and second derivatives."""
    back = 3.0
    left = lambda f: burning.delivered_thrust(f, back)  # noqa: E731
    forces = np.linspace(0, 9, 301)
    found = np.asarray(left(forces))
    np.testing.assert_array_equal(found[forces >= 6], forces[forces >= 6] - 3)
    assert found[0] == 0
    assert (np.diff(found) >= 0).all()
    slope, bend = jax.grad(left), jax.grad(jax.grad(left))
    for edge, value in ((0.0, 0.0), (6.0, 1.0)):
        step = 1e-6
        for side in (-step, step):
            if edge + side > 0:
                # Third derivatives are below 12/(2 L)^2 = 1/3 L^-1 there, so that the second change by less
                # than the step, and the first by its square.
                np.testing.assert_allclose(slope(edge + side), value, atol=step**2)
                np.testing.assert_allclose(bend(edge + side), 0, atol=step)
    # A trace taken at more pressure gains what the same pressure would have taken.
    gain = np.asarray(burning.delivered_thrust(forces, -back)) - forces
    np.testing.assert_allclose(gain, forces - found, atol=16 * EPS)
    np.testing.assert_array_equal(np.asarray(burning.delivered_thrust(forces, 0.0)), forces)


@pytest.mark.parametrize("make", [engine, motor])
def test_nothing_before_ignition(make):
    """All is exactly zero, and so is every derivative, also of what has not happened."""
    options = {"rise_time": 0.5, "tail_off_time": 0.4} if make is engine else {"cut": True}
    model = make(exit_area=0.1, **options)

    def total(model, t, ignition, cutoff, pressure, propellant):
        found = burning.burn(burning.prepare(model, propellant), t, ignition, cutoff, None, pressure)
        return found.thrust + found.mass_flow + found.fraction

    for ignition, cutoff in ((INF, INF), (5.0, INF), (5.0, 7.0), (INF, 2.0)):
        given = (model, 4.0, ignition, cutoff, SEA, 100.0)
        value, slopes = jax.value_and_grad(total, argnums=tuple(range(6)))(*given)
        assert value == 0
        for leaf in jax.tree.leaves(slopes):
            assert not np.asarray(leaf).any()
    for t in (0.0, 0.2, 1.0, 1.5, 1.7, 9.0):
        slopes = jax.grad(total, argnums=tuple(range(6)))(model, t, 0.0, 1.5, SEA, 100.0)
        assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(slopes)), t


def test_smooth_start_and_tail_off():
    """A smooth step is one half in its middle, and its integral one half of its time."""
    model = engine(rise_time=0.8, tail_off_time=0.5)
    found = burn(model, np.array([1.0, 1.4, 1.8, 6.0, 6.25, 6.5, 9.0]), 1.0, 6.0)
    np.testing.assert_allclose(found.fraction, [0, 0.5, 1, 1, 0.5, 0, 0], atol=4 * EPS)
    np.testing.assert_array_equal(found.thrust[np.array([0, 5, 6])], 0)
    times = np.sort(burning.corners(burning.prepare(model), 1.0, 6.0))
    np.testing.assert_allclose(times, [1, 1.8, 6, 6.5], rtol=EPS)
    impulse = integral(times, lambda t: burn(model, t, 1.0, 6.0).thrust)
    np.testing.assert_allclose(impulse, 1e6 * (5 - 0.4 + 0.25), rtol=8 * EPS)
    flow = integral(times, lambda t: burn(model, t, 1.0, 6.0).mass_flow)
    np.testing.assert_allclose(flow, impulse / (300 * G0), rtol=8 * EPS)


def test_a_tail_off_never_flows_backwards():
    """Just before its end it is some roundings of full thrust, and a flow below zero ended flights there."""
    left = np.geomspace(1e-12, 0.5, 2000)
    found = burn(engine(tail_off_time=1.5), 5.0 - left, 0.0, 3.5)
    assert (np.asarray(found.mass_flow) >= 0).all()
    np.testing.assert_allclose(found.fraction[-1], 1 - np.polyval([6, -15, 10, 0, 0, 0], 2 / 3), rtol=1e-12)


def test_tables_of_start_and_shutdown():
    start = {"time": [0, 0.2, 1.0], "value": [0, 0.1, 1]}
    shutdown = {"time": [0, 0.5, 1.5], "value": [0.8, 0.3, 0]}
    thrust = {"time": [0, 4, 8], "value": [1e6, 1.2e6, 0.8e6]}
    model = engine(start=start, shutdown=shutdown, thrust=thrust)
    t = np.linspace(0, 10, 101)
    since = np.minimum(t, 6.0)
    exact = np.interp(since, thrust["time"], thrust["value"]) * np.interp(
        since, start["time"], start["value"]
    )
    exact *= np.where(t >= 6, np.interp(t - 6, shutdown["time"], shutdown["value"]), 1)
    # Relative to the thrust: the table of shutdown multiplies differences of times of about 10 s.
    np.testing.assert_allclose(burn(model, t, 0.0, 6.0).thrust, exact, atol=1e6 * 64 * EPS)
    corners = np.asarray(burning.corners(burning.prepare(model), 0.0, 6.0))
    assert set(corners[np.isfinite(corners)]) == {0, 0.2, 1, 4, 6, 6.5, 7.5}
    late = np.asarray(burning.corners(burning.prepare(model), INF, INF))
    assert np.isinf(late).all()


def test_cut_off_while_it_starts():
    """The start transient stops where it was, and an engine that was cut off can be lit again."""
    model = engine(rise_time=1.0, tail_off_time=1.0)
    found = burn(model, np.array([0.5, 1.0, 1.5]), 0.0, 0.5)
    np.testing.assert_allclose(found.fraction, [0.5, 0.25, 0], atol=4 * EPS)
    assert burn(model, 20.0, 10.0, 0.5).fraction == 1
    assert not np.isin(0.5, burning.corners(burning.prepare(model), 10.0, 0.5))


def test_throttle():
    levels = np.array([-1.0, 0.0, 0.4, 0.7, 1.5])
    signal = engine(throttle="valves.main", min_throttle=0.4, max_throttle=1.1)
    np.testing.assert_allclose(
        burn(signal, np.ones(5), throttle=levels).thrust, 1e6 * np.clip(levels, 0.4, 1.1), rtol=4 * EPS
    )
    table = engine(throttle={"time": [1, 3], "value": [1, 0.5]})
    np.testing.assert_allclose(burn(table, np.array([0, 2.0, 5])).thrust, [1e6, 0.75e6, 0.5e6], rtol=4 * EPS)
    assert burn(engine(throttle=0.6), 1.0).thrust == 0.6e6
    open_loop = engine(throttle="valves.main", exit_area=1.0)
    assert burn(open_loop, 1.0, throttle=0.0, pressure=SEA).thrust == 0
    with pytest.raises(ValueError, match=r"the signal valves\.main\."):
        burn(signal, 1.0)


def test_flow_by_throttle_and_by_time():
    by_throttle = engine(throttle=0.75, isp={"throttle": [0.5, 1], "value": [280, 300]})
    np.testing.assert_allclose(burn(by_throttle, 1.0).mass_flow, 0.75e6 / (290 * G0), rtol=4 * EPS)
    by_time = engine(throttle=0.5, isp={"time": [0, 2], "value": [280, 300]})
    np.testing.assert_allclose(burn(by_time, 1.0).mass_flow, 0.5e6 / (290 * G0), rtol=4 * EPS)
    flow = engine(
        throttle=0.75, isp=None, mass_flow={"throttle": [0.5, 1], "value": [200, 340]}, rise_time=2.0
    )
    np.testing.assert_allclose(burn(flow, np.array([1.0, 2])).mass_flow, [135, 270], rtol=8 * EPS)
    timed = engine(throttle=0.5, isp=None, mass_flow={"time": [0, 2], "value": [200, 340]})
    assert burn(timed, 1.0).mass_flow == 135
    assert len(burning.corners(burning.prepare(flow), 0.0, INF)) == 3


def test_feeds_and_names():
    model = engine(gimbal=["actuators.pitch", "actuators.yaw"], throttle="valves.main")
    assert propulsion.names(model).tanks == ("s.lox", "s.fuel")
    assert propulsion.names(model).signals == ("actuators.pitch", "actuators.yaw", "valves.main")
    assert propulsion.names(engine(gimbal={"yaw": "a.y"})).signals == ("a.y",)
    mixed = engine(feeds={}, mixture_ratio=2.6, oxidizer="s.lox", fuel="s.fuel")
    (lox, a), (fuel, b) = propulsion.feeds(mixed)
    assert (lox, fuel) == ("s.lox", "s.fuel")
    np.testing.assert_allclose([a / b, a + b], [2.6, 1], rtol=2 * EPS)
    assert propulsion.feeds(motor()) == (("s.grain", 1.0),)
    assert propulsion.feeds(motor(massless=True, grain=None)) == ()


@pytest.mark.parametrize("interpolation", ["linear", "smooth", "cubic"])
def test_total_impulse_and_propellant(interpolation):
    """By quadrature of what is delivered: the integral of the trace times the impulse factor, and all of the
    propellant but the slag, however fast it burns."""
    trace = {"time": [0, 0.5, 1.0, 2.0, 2.5], "value": [0, 900, 1100, 700, 0], "interpolation": interpolation}
    time, value = np.array(trace["time"]), np.array(trace["value"])
    exact = np.trapezoid(value, time)
    if interpolation == "cubic":
        exact = CubicSpline(time, value).integrate(0, 2.5)
    if interpolation == "smooth":
        points = knots(time, value, "smooth")
        exact = sum(
            quad(lambda t: float(look_up(cast(Any, points), t)), a, b, epsrel=1e-13)[0]
            for a, b in pairwise(time)
        )
    for rate, impulse, slag in ((1.0, 1.0, 0.0), (1.07, 0.98, 0.03), (0.9, 1.02, 0.2)):
        model = motor(thrust=trace, burn_rate_factor=rate, impulse_factor=impulse, slag=slag)
        ends = 3.0 + time / rate
        given = {"ignition": 3.0, "propellant": 1.2}
        total = integral(ends, lambda t, m=model, g=given: burn(m, t, **g).thrust)
        burnt = integral(ends, lambda t, m=model, g=given: burn(m, t, **g).mass_flow)
        # Times since ignition carry the rounding of flight times, of which there are two per interval.
        np.testing.assert_allclose(total, exact * impulse, rtol=32 * EPS)
        np.testing.assert_allclose(burnt, 1.2 - slag, rtol=32 * EPS)
        found = burn(model, 3.0 + 0.8 / rate, **given)
        at = float(look_up(knots(time, value, interpolation), 0.8))
        np.testing.assert_allclose(found.thrust, at * rate * impulse, rtol=32 * EPS)
        after = burn(model, 3.0 + 2.6 / rate, **given)
        assert (after.thrust, after.mass_flow, after.fraction) == (0, 0, 0)
        points = np.asarray(burning.corners(burning.prepare(model, 1.2), 3.0, INF))
        inside = [3.0, *ends] if interpolation == "linear" else [3.0, ends[0], ends[-1]]
        np.testing.assert_allclose(points[np.isfinite(points)], inside, rtol=2 * EPS)


def test_what_fails_to_light_gives_nothing():
    """Beside one that works, as lanes: neither thrust nor flow, also against an ambient pressure."""
    for model, more in ((motor, {"exit_area": 1e-3}), (engine, {})):
        works = np.array([1.0, 0.0])
        found = burn(model(works=works, **more), 1.0, pressure=SEA / 10, propellant=1.0)
        alone = burn(model(**more), 1.0, pressure=SEA / 10, propellant=1.0)
        for both, one in zip(found, alone, strict=True):
            np.testing.assert_array_equal(both, one * works)
        assert (np.array(alone) > 0).all()


def test_trace_at_a_pressure():
    """At the pressure of the trace the thrust is the trace; in vacuum it is more by p A."""
    model = motor(trace_pressure=SEA, exit_area=2e-3)
    t = np.linspace(0, 2.0, 41)
    trace = np.interp(t, TRACE["time"], TRACE["value"])
    at_test = burn(model, t, pressure=SEA, propellant=1.0)
    np.testing.assert_allclose(at_test.thrust, trace, atol=1100 * 4 * EPS)
    strong = trace > 2 * SEA * 2e-3
    vacuum = burn(model, t, propellant=1.0)
    np.testing.assert_allclose(vacuum.thrust[strong], trace[strong] + SEA * 2e-3, rtol=4 * EPS)
    np.testing.assert_array_equal(vacuum.thrust[trace == 0], 0)
    np.testing.assert_array_equal(at_test.mass_flow, vacuum.mass_flow)


def test_mass_flow_of_a_motor():
    """A table of the flow is taken as it is; a motor that can be cut stops, another one does not."""
    flow = {"time": [0, 1, 2.0], "value": [0.2, 0.6, 0]}
    model = motor(mass_flow=flow, burn_rate_factor=1.1)
    np.testing.assert_allclose(burn(model, 0.5 / 1.1).mass_flow, 0.4 * 1.1, rtol=4 * EPS)
    massless = burn(motor(massless=True, grain=None), 1.0)
    assert massless.thrust > 0
    assert massless.mass_flow == 0
    for cut in (False, True):
        found = burn(motor(cut=cut), 1.0, cutoff=0.7, propellant=1.0)
        assert (found.thrust == 0, found.mass_flow == 0, found.fraction == 0) == (cut, cut, cut)
        points = burning.corners(burning.prepare(motor(cut=cut), 1.0), 0.0, 0.7)
        assert np.isin([0.7, 1.5], points).tolist() == [cut, not cut]
    with pytest.raises(ValueError, match="propellant mass of the motor srb"):
        burning.prepare(motor())


def test_trace_that_jumps():
    """A trace that begins late and ends short of zero gives nothing outside its times."""
    model = motor(thrust={"time": [0.5, 1.5], "value": [500, 300]})
    found = burn(model, np.array([0.25, 0.5, 1.5, 1.75]), propellant=1.0)
    np.testing.assert_array_equal(found.thrust, [0, 500, 300, 0])
    np.testing.assert_allclose(found.mass_flow, np.array([0, 500, 300, 0]) / 400, rtol=4 * EPS)
    np.testing.assert_array_equal(found.fraction, [0, 1, 1, 0])


def turned(model, pitch=0.0, yaw=0.0):
    return np.asarray(burning.direction(burning.prepare(model, 1.0), pitch, yaw))


def test_direction_of_thrust():
    """About the axes of an engine along +x, by an independent rotation: pitch, then yaw about the turned
    axis."""
    for pitch, yaw in ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1), (0.2, -0.3)):
        turn = Rotation.from_euler("YZ", [pitch, yaw])
        np.testing.assert_allclose(turned(engine(), pitch, yaw), turn.apply([1, 0, 0]), atol=4 * EPS)
        canted = engine(cant=[0.05, -0.02])
        turn = Rotation.from_euler("YZ", [pitch + 0.05, yaw - 0.02])
        np.testing.assert_allclose(turned(canted, pitch, yaw), turn.apply([1, 0, 0]), atol=4 * EPS)


def test_gimbal_axes_of_any_direction():
    rng = np.random.default_rng(5)
    drawn = [*rng.standard_normal((20, 3)), *np.eye(3), *-np.eye(3)]
    for e in drawn:
        for about in (None, rng.standard_normal(3)):
            model = engine(direction=e, gimbal_about=about)
            frame = np.array(burning.prepare(model).axes)
            along, pitch, yaw = frame
            np.testing.assert_allclose(along, e / np.linalg.norm(e), atol=2 * EPS)
            # The pitch axis is what is left of the reference axis, with its rounding; by default at least
            # sqrt(1 - 0.9^2) = 0.44 of it.
            left = 0.44 if about is None else np.linalg.norm(np.cross(along, about)) / np.linalg.norm(about)
            rounding = 8 * EPS / left
            np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=rounding)
            np.testing.assert_allclose(np.linalg.det(frame), 1, atol=rounding)
            # By the right-hand rule about either axis.
            for angles, axis in (((1e-3, 0.0), pitch), ((0.0, 1e-3), yaw)):
                exact = Rotation.from_rotvec(1e-3 * axis).apply(along)
                np.testing.assert_allclose(turned(model, *angles), exact, atol=rounding)
    np.testing.assert_allclose(burning.prepare(engine(direction=[-2, 0, 0])).axes[1], [0, 1, 0], atol=EPS)
    np.testing.assert_allclose(burning.prepare(engine(direction=[0, 3, 0])).axes[1], [0, 0, 1], atol=EPS)


def lanes_of(leaves: dict[str, Any]) -> list[dict[str, Any]]:
    return [{path: value[..., k] for path, value in leaves.items()} for k in range(3)]


def test_lanes():
    """Dispersed leaves, with times and signals of their own, fly like each case alone; compiled."""
    compiled = jax.jit(burning.burn)
    cases = [
        (
            engine(rise_time=0.5, exit_area=0.5, start=None, throttle="v.m", cant=[0, 0]),
            {
                "thrust": np.array([0.9e6, 1e6, 1.1e6]),
                "rise_time": np.array([0.4, 0.5, 0.6]),
                "cant": np.array([[0.0, 0.1, 0.2], [0.3, 0.2, 0.1]]),
                "direction": np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 1]]),
            },
        ),
        (
            motor(exit_area=1e-3),
            {
                "thrust.value": np.array(TRACE["value"])[:, None] * np.array([0.9, 1, 1.1]),
                "thrust.time": np.array(TRACE["time"])[:, None] * np.array([1.1, 1, 0.9]),
                "burn_rate_factor": np.array([0.95, 1, 1.05]),
                "slag": np.array([0.0, 0.1, 0.2]),
            },
        ),
    ]
    ignition, cutoff = np.array([0.0, 0.1, INF]), np.array([INF, 0.3, INF])
    for base, leaves in cases:
        lanes = base
        for path, value in leaves.items():
            lanes = tree.replace_leaf(lanes, path, value)
        for t in (0.3, np.array([0.2, 0.35, 0.9])):
            together = burning.prepare(lanes, np.array([1.0, 1.1, 1.2]))
            found = compiled(together, t, ignition, cutoff, 0.8, SEA)
            points, pointed = (
                burning.corners(together, ignition, cutoff),
                burning.direction(together, 0.1, 0.2),
            )
            for k, changes in enumerate(lanes_of(leaves)):
                model = base
                for path, value in changes.items():
                    model = tree.replace_leaf(model, path, value)
                alone = burning.prepare(model, 1.0 + 0.1 * k)
                moment = np.broadcast_to(t, 3)[k]
                one = compiled(alone, moment, ignition[k], cutoff[k], 0.8, SEA)
                for a, b in zip(found, one, strict=True):
                    np.testing.assert_allclose(a[k], b, rtol=32 * EPS)
                single = burning.corners(alone, ignition[k], cutoff[k])
                np.testing.assert_allclose(points[:, k], single, rtol=4 * EPS)
                single = burning.direction(alone, 0.1, 0.2)
                # What no lane changes has no lanes.
                np.testing.assert_allclose(pointed.reshape(3, -1)[:, min(k, pointed.size // 3 - 1)], single)


@pytest.mark.parametrize("lanes", [0, 1])
def test_motors_side_by_side(lanes):
    """Motors that differ in their numbers, by NumPy as each of them alone, to the last bit."""
    factors = (0.9, 1.0, 1.2)
    traces = [{"time": TRACE["time"], "value": [v * f for v in TRACE["value"]]} for f in factors]
    models = [
        motor(thrust=trace, burn_rate_factor=f, works=float(f != 1.0), direction=[1, f, 0], cant=[0, 0.1 * f])
        for f, trace in zip(factors, traces, strict=True)
    ]
    if lanes:
        models = [jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], model) for model in models]
    ready = tuple(burning.prepare(model, 1.0 * f) for f, model in zip(factors, models, strict=True))
    together = burning.side_by_side(ready, lanes)
    assert burning.side_by_side(ready[:1], lanes) is ready[0]
    t = np.array([0.3, 1.7]) if lanes else np.array(0.3)
    ignition = np.array([0.0, 0.1, INF]).reshape(-1, *(1,) * lanes)
    found, way = burning.burn(together, t, ignition, INF), burning.direction(together)
    assert found.thrust.shape == (3, *t.shape)
    assert found.thrust[0].all()
    assert not found.thrust[1:].any()
    for k, one in enumerate(ready):
        for a, b in zip(found, burning.burn(one, t, ignition[k], INF), strict=True):
            np.testing.assert_array_equal(a[k], b)
        np.testing.assert_array_equal(way[:, k], burning.direction(one))


def test_what_burns_alike():
    """What differs in numbers and names only; not what stands on another body, has another number of points
    or another law, follows a signal, or has feeds."""
    first = propulsion.form_of(motor())
    assert first is not None
    other = Made.motor(name="b", body="s", at=[1, 2, 0], thrust=TRACE, grain="s.b", ignited=True, slag=0.1)
    assert propulsion.form_of(other) == first
    shorter = {"time": [0, 1, 2], "value": [0, 9, 0]}
    for different in (
        Made.motor(name="b", body="t", at=[0, 0, 0], thrust=TRACE, grain="s.b"),
        motor(thrust=shorter),
        motor(thrust=TRACE | {"interpolation": "smooth"}),
        motor(cut=True),
        motor(exit_area=0.1, mass_flow=TRACE),
    ):
        assert propulsion.form_of(different) not in (None, first)
    steady = {"feeds": [], "isp": None, "massless": True}
    assert propulsion.form_of(engine(**steady)) == propulsion.form_of(engine(thrust=5.0, **steady))
    for alone in (engine(), engine(throttle="v.m", **steady), engine(gimbal=["v.p", None], **steady)):
        assert propulsion.form_of(alone) is None


def test_lanes_of_a_table_alone():
    """Lanes of a trace reach thrust and mass flow at times without lanes."""
    model = tree.replace_leaf(
        motor(), "thrust.value", np.array(TRACE["value"])[:, None] * np.array([0.9, 1, 1.1])
    )
    found = burn(model, 0.25, propellant=1.0)
    np.testing.assert_allclose(found.thrust, 1000 * np.array([0.9, 1, 1.1]), rtol=8 * EPS)
    np.testing.assert_allclose(found.mass_flow, found.mass_flow[0], rtol=8 * EPS)


def test_derivatives():
    """Of thrust and mass flow by the motor's numbers, against differences."""
    model = motor(exit_area=1e-3, burn_rate_factor=1.05, slag=0.1, impulse_factor=0.97)

    def total(change):
        factors = {"burn_rate_factor": 1.05, "impulse_factor": 0.97, "slag": 0.1}
        changed = model
        for path, value in factors.items():
            changed = tree.replace_leaf(changed, path, value + change)
        found = burning.burn(burning.prepare(changed, 1.2 + change), 0.9, change, INF, None, SEA)
        return found.thrust + 1e3 * found.mass_flow

    step = 1e-5
    differences = (total(step) - total(-step)) / (2 * step)
    # Central differences err by the step squared, relative to numbers and slopes of order one, and by
    # rounding over the step.
    np.testing.assert_allclose(jax.jvp(total, (0.0,), (1.0,))[1], differences, rtol=1e-8)
    np.testing.assert_allclose(jax.grad(total)(jnp.zeros(())), differences, rtol=1e-8)
