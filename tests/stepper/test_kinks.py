"""Kinks of a flow: steps that end on them, and where tables have them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from burning import throttled
from hybrid_toy import Toy
from hybrid_toy import fly_by_numpy as fly
from interstage.environment import atmosphere, surroundings, wind
from interstage.environment.world import Earth
from interstage.maths import interpolation
from interstage.maths.arrays import jnp, jvp
from interstage.parts.air import coefficient_table
from interstage.reading import loads
from interstage.runs import run as simulate
from interstage.stepper.problem import STEP_COLLAPSED

# --- steps --------------------------------------------------------------------------------------------------

SOFT, STIFF = 1.0, 9.0
TURNS = 8
ROUND = TURNS * np.pi * (1 / np.sqrt(SOFT) + 1 / np.sqrt(STIFF))
"""Time of so many swings: half of each on either spring."""


def springs(t, x, switches):
    """A mass between two springs of different stiffness: its acceleration has a kink where they meet."""
    return jnp.stack([x[1], -jnp.where(x[0] > 0, SOFT, STIFF) * x[0]])


def layers(t, x, switches):
    """A fall through layers in which gravity jumps at whole heights."""
    return jnp.stack([x[1], -1.0 - jnp.mod(jnp.floor(x[0]), 2.0)])


BLIND = Toy(springs, end=ROUND)
SEEING = replace(BLIND, kinks=(lambda t, x, switches: x[0],))


@pytest.mark.parametrize("method", ["dop853", pytest.param("dopri5", marks=pytest.mark.long)])
def test_steps_end_on_kinks(method):
    """Closed form: after whole swings the mass is where it began."""
    options: Any = {"method": method, "compiled": method == "dopri5"}
    blind, seeing = (fly(toy, [1.0, 0.0], **options) for toy in (BLIND, SEEING))
    error = [np.abs(f.cursor.x - np.array([1.0, 0.0])).max() for f in (blind, seeing)]
    tried = [int(f.cursor.accepted + f.cursor.rejected) for f in (blind, seeing)]
    # Two kinks in a swing, each met in three attempts that are refused at most: the one that goes over it and
    # two that come too near. Blind, each takes about ten or a hundred, by the order of the method.
    assert seeing.cursor.rejected <= 3 * 2 * TURNS < blind.cursor.rejected / 2
    assert tried[1] < tried[0]
    # No more than each step was allowed.
    assert error[1] < SEEING.tolerance * tried[1]


def test_jumps_are_left_behind_at_once():
    """Closed form: sqrt(v^2 + 2 g h) layer by layer."""
    toys = [Toy(layers, end=3.0, kinks=kinks) for kinks in ((), (lambda t, x, s: x[0],))]
    blind, seeing = (fly(toy, [6.5, 0.0]) for toy in toys)
    height, speed, time, k = 6.5, 0.0, 0.0, 6
    while True:
        gravity, depth = 1.0 + k % 2, height - k
        faster = np.sqrt(speed**2 + 2 * gravity * depth)
        if time + (faster - speed) / gravity > 3.0:
            left = 3.0 - time
            exact = [height - speed * left - gravity * left**2 / 2, -speed - gravity * left]
            break
        time, speed, height, k = time + (faster - speed) / gravity, faster, float(k), k - 1
    attempts = [int(flown.cursor.accepted + flown.cursor.rejected) for flown in (blind, seeing)]
    np.testing.assert_allclose(seeing.cursor.x, exact, rtol=0, atol=toys[1].tolerance * attempts[1])
    # Half of the attempts that are refused without places, and a third of all.
    assert seeing.cursor.rejected < blind.cursor.rejected / 2
    assert attempts[1] < attempts[0] / 3


LET_GO = Toy(
    lambda t, x, switches: jnp.where(switches.fired[0], 0.0, jnp.stack([x[1], -x[0]])),
    end=40.0,
    values=(lambda t, x, switches: x[0] * (1 + switches.case * x[1] ** 2),),
)
"""A mass on a spring that lets it go where it is relaxed, and is at rest first; the value that tells of it is
the larger, the further a step is astray."""


@pytest.mark.parametrize("astray", [0.0, 1.0, 1e10])
def test_a_step_far_too_long_tells_nothing_of_an_event_at_its_beginning(astray):
    """The step that the controller asks for is longer than all that is left, as after a long rest; its stages
    leave all bounds, and an event seems to be where it begins."""
    flown = fly(LET_GO, [-0.15, 0.0], case=astray, first=200.0)
    np.testing.assert_allclose(flown.times[0], np.pi / 2, rtol=0, atol=1e-9)
    # By a factor of five each, from 40 s to the length of a step that is allowed; and some to the event.
    assert flown.cursor.rejected < 10


def test_a_place_that_stays_on_its_kink_is_left_alone():
    """A place that is a whole number but for rounding is crossed all the time, and means nothing."""
    noisy = replace(SEEING, kinks=(*SEEING.kinks, lambda t, x, switches: 1e-9 * jnp.sin(1e6 * t)))
    one, other = (fly(toy, [1.0, 0.0]) for toy in (SEEING, noisy))
    assert one.cursor.rejected == other.cursor.rejected
    np.testing.assert_array_equal(one.cursor.x, other.cursor.x)


@pytest.mark.long
def test_lanes_end_on_kinks_of_their_own():
    starts = np.array([[1.0, 0.3, 2.0], [0.0, 0.0, 0.1]])
    together = fly(SEEING, starts, case=np.zeros(3))
    for lane in range(starts.shape[1]):
        alone = fly(SEEING, starts[:, lane])
        np.testing.assert_allclose(together.cursor.x[:, lane], alone.cursor.x, rtol=0, atol=1e-13)
        assert together.cursor.rejected[lane] == alone.cursor.rejected


def test_kinks_without_end_end_the_flight():
    """Noise that no step is short enough for, with kinks however near: steps shrink until they collapse."""
    noise = Toy(lambda t, x, s: 1e30 * jnp.sin(1e21 * t) + 0 * x, kinks=(lambda t, x, s: 1e30 * t,))
    assert fly(noise, np.zeros(1), first=1e-3).cursor.status == STEP_COLLAPSED


# --- places -------------------------------------------------------------------------------------------------


def test_place_among_points():
    points = np.array([-1.0, 0.0, 3.0, 4.0])
    place = interpolation.place(points, jnp.array([-1.5, -1.0, -0.5, 0.0, 2.25, 4.0, 4.5]))
    np.testing.assert_allclose(place, [-0.5, 0, 0.5, 1, 1.75, 3, 3.5], rtol=0, atol=1e-15)
    far = interpolation.place(points, jnp.array([-1e6, 1e6]))
    assert np.floor(far).tolist() == [-1, 3]
    lone = interpolation.place(points[2:3], jnp.array([-1e9, 2.0, 3.0, 4.0, 1e9]))
    assert np.floor(lone).tolist() == [-1, -1, 0, 0, 0]


def test_place_with_lanes():
    points = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 7.0]])
    t = jnp.array([1.5, 5.0])
    np.testing.assert_allclose(interpolation.place(points, t), [1.5, 1.5], rtol=1e-15)


@pytest.mark.parametrize(
    ("kind", "outside", "expected"),
    [
        ("linear", "refuse", [1.5]),
        ("monotone", "extrapolate", [1.5]),
        ("smooth", "hold", [0.375]),
        ("smooth", "refuse", []),
    ],
)
def test_places_of_a_table(kind, outside, expected):
    """Points where lines or cubics meet; of a spline the ends, where it holds them."""
    axis = coefficient_table.Axis(variable="mach", points=[0.0, 1.0, 2.0, 4.0], outside=outside)
    table = coefficient_table.CoefficientTable(axes=(axis,), values=[0.1, 0.4, 0.3, 0.2], interpolation=kind)
    found = coefficient_table.places(coefficient_table.prepare(table), {"mach": jnp.asarray(1.5)})
    assert [float(place) for place in found.values()] == pytest.approx(expected, rel=1e-15)


def test_slopes_of_air_and_wind_jump_where_places_are_whole():
    """Slopes on both sides of each whole place differ; nowhere else between 0 and 80 km do they."""
    profile = wind.WindTable(
        altitude=[0, 7e3, 15e3, 60e3],
        velocity=[[0, 0, 0], [9, 2, 0], [3, 7, 0], [1, 1, 0]],
        interpolation="linear",
    )
    ready = surroundings.prepare(Earth(), atmosphere.USStandard1976(), profile)
    assert ready is not None
    z = np.arange(50.0, 80e3, 100.0)

    def values(z):
        air = atmosphere.air(ready.atmosphere, z)
        return jnp.stack([jnp.log(air.density), *wind.velocity(ready.wind, z, jnp.zeros(()))])

    slopes = jvp(values, (z,), (np.ones_like(z),))[1].T
    # A smooth change of ln(density) over 100 m is 1e-6 of its slope of 1e-4 1/m, a layer changes that by
    # 1e-3 K/m over 230 K at least.
    bent = (np.abs(np.diff(slopes, axis=0)) > [2e-6, 1e-4, 1e-4, 1e-4]).any(1)
    places = np.stack([np.floor(place) for place in surroundings.layers(ready, z)])
    assert bent.tolist() == np.any(np.diff(places, axis=1) != 0, axis=0).tolist()
    assert bent.sum() == 9


STAIRS = (
    throttled(1.0, 1.0, "position.x")
    + """\
kp = 0
[controls.throttle.bias]
over = "bodies.a.position.x"
points = [0.0, 0.1, 0.25, 0.4, 0.6, 0.8, 1.0]
value = [1.0, 0.2, 0.9, 0.3, 1.0, 0.1, 0.7]
interpolation = "linear"
[phases.push]
until = { time = "2 s" }
[solver]
tolerance = 1e-11
"""
)


def test_lines_of_a_law_over_what_it_reads_are_met_where_they_bend():
    """x'' = bias(x), straight lines: a solution in closed form on each."""
    points = np.array([0.0, 0.1, 0.25, 0.4, 0.6, 0.8, 1.0, np.inf])
    value = np.array([1.0, 0.2, 0.9, 0.3, 1.0, 0.1, 0.7, 0.7])
    x, v, left = 0.0, 0.0, 2.0
    for k in range(len(points) - 1):
        slope = (value[k + 1] - value[k]) / (points[k + 1] - points[k])
        root = np.emath.sqrt(slope + 0j)

        def after(s, x=x, v=v, f=value[k], slope=slope, root=root):
            if slope == 0:
                return x + v * s + f * s**2 / 2, v + f * s
            even, odd = np.cosh(root * s).real, (np.sinh(root * s) / root).real
            return x + v * odd + f / slope * (even - 1), v * even + f * odd

        # Beyond its end a line would lead back again.
        grid = np.linspace(0, left, 1001)
        over = np.flatnonzero(after(grid)[0] > points[k + 1])
        s: Any = left
        if len(over):
            s = brentq(
                lambda s, after=after, end=points[k + 1]: after(s)[0] - end, 0, grid[over[0]], xtol=1e-15
            )
        (x, v), left = after(s), left - s
        if left == 0:
            break
    record = simulate.fly(loads(STAIRS))
    found = [record.series[f"bodies.a.{what}"][-1, 0] for what in ("position", "velocity")]
    # Ten times the tolerance, of numbers of about one.
    assert found == pytest.approx([x, v], abs=1e-10)
    tried = record.statistics["steps accepted"] + record.statistics["steps rejected"]
    assert tried < 60
