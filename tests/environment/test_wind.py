"""Wind by altitude, sheared, tabulated; gusts by altitude and time."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from engine_door import quickly
from interstage.environment import atmosphere, gusts, surroundings, wind, world
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import EPS

# Any: they are called as files call them, with texts and tables that the validation turns into fields.
Steady: Any = wind.SteadyWind
Sheared: Any = wind.ShearedWind
Table: Any = wind.WindTable
Still: Any = wind.NoWind
AltitudeGust: Any = gusts.AltitudeGust
TimeGust: Any = gusts.TimeGust


@quickly
def blow(model, altitude, time=0.0) -> Any:
    return wind.velocity(wind.prepare(model), altitude, time)


def test_where_winds_come_from():
    """A wind from the west blows to the east; 0 deg is from the north."""
    table = Table(
        altitude=[0, 1e3, 2e3, 3e3],
        speed=[10, 20, 30, 40],
        direction=["0 deg", "90 deg", "180 deg", "270 deg"],
        interpolation="linear",
    )
    found = blow(table, np.array([0, 1e3, 2e3, 3e3]))
    np.testing.assert_allclose(found[0], [-10, 0, 30, 0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(found[1], [0, -20, 0, 40], rtol=0, atol=1e-14)
    assert not found[2].any()


def test_direction_passes_through_north():
    """From 350 and from 10 deg: between them from the north, not from the south."""
    table = Table(altitude=[0, 1e3], speed=[10, 10], direction=["350 deg", "10 deg"], interpolation="linear")
    north, east, _ = blow(table, np.array([500.0]))
    np.testing.assert_allclose(north, -10, rtol=1e-15)
    np.testing.assert_allclose(east, 0, atol=1e-14)


def test_steady_and_sheared():
    z = np.array([-100.0, 0, 1e3, 5e3, 1e4, 2e4])
    steady = blow(Steady(velocity=[3, -4, 1]), z)
    np.testing.assert_array_equal(steady, np.array([[3], [-4], [1.0]]) * np.ones(6))
    sheared = Sheared(velocity=[1, 2, 0], shear=[1e-3, -2e-3, 0], bottom=1e3, top=1e4)
    rise = np.clip(z, 1e3, 1e4) - 1e3
    exact = np.array([1 + 1e-3 * rise, 2 - 2e-3 * rise, 0 * rise])
    np.testing.assert_allclose(blow(sheared, z), exact, rtol=4 * EPS)
    assert np.concatenate(wind.kinks(sheared)).tolist() == [1e3, 1e4]
    assert not blow(Still(), z).any()


def test_profile_as_scipy():
    rng = np.random.default_rng(71)
    z = np.cumsum(rng.uniform(200, 2000, 12))
    speeds = rng.uniform(-40, 40, (12, 3))
    at = np.linspace(-1e3, z[-1] + 1e3, 101)
    inside = (at >= z[0]) & (at <= z[-1])
    spline = CubicSpline(z, speeds)(np.clip(at, z[0], z[-1])).T
    lines = np.stack([np.interp(at, z, speeds[:, k]) for k in range(3)])
    for interpolation, expected in (("cubic", spline), ("linear", lines)):
        model = Table(altitude=z, velocity=speeds, interpolation=interpolation, factor=1.3)
        np.testing.assert_allclose(blow(model, at), 1.3 * expected, rtol=0, atol=1e-11)
        assert (wind.outside(model, at) == ~inside).all()
        none = Table(altitude=z, velocity=speeds, interpolation=interpolation, outside="zero")
        np.testing.assert_allclose(blow(none, at), expected * inside, rtol=0, atol=1e-11)
    assert np.concatenate(wind.kinks(model)).tolist() == z.tolist()


def test_lanes():
    """Profiles, factors and gusts of each lane; two bodies."""
    rng = np.random.default_rng(72)
    z = np.array([0, 5e3, 9e3, 2e4])
    speeds, factor = rng.uniform(-30, 30, (4, 3, 5)), rng.uniform(0.5, 1.5, 5)
    peak, start = rng.uniform(-9, 9, (3, 5)), rng.uniform(4e3, 8e3, 5)
    at, time = rng.uniform(0, 2e4, (2, 5)), rng.uniform(0, 10, 5)

    def model(lane):
        return Table(
            altitude=z,
            velocity=speeds[..., lane],
            factor=factor[lane],
            gusts=[
                {
                    "kind": "altitude",
                    "name": "a",
                    "velocity": peak[:, lane],
                    "start": start[lane],
                    "length": 3e3,
                },
                {"kind": "time", "name": "t", "velocity": peak[:, lane], "start": 2, "length": 6},
            ],
        )

    found = blow(model(slice(None)), at, time)
    assert found.shape == (3, 2, 5)
    for lane in range(5):
        alone = blow(model(lane), at[:, lane], time[lane])
        np.testing.assert_allclose(found[..., lane], alone, rtol=0, atol=1e-12)


PLACES = np.linspace(-50, 350, 401)


@pytest.mark.parametrize(
    ("shape", "rise", "expected"),
    [
        (
            "one_minus_cosine",
            None,
            np.where((PLACES > 50) & (PLACES < 250), 0.5 * (1 - np.cos(2 * np.pi * (PLACES - 50) / 200)), 0),
        ),
        ("ramp", None, np.interp(PLACES, [50, 250], [0, 1])),
        (
            "sharp_edged",
            20,
            np.select(
                [PLACES < 50, PLACES < 70, PLACES <= 230, PLACES < 250],
                [
                    0.0,
                    0.5 - 0.5 * np.cos(np.pi * (PLACES - 50) / 20),
                    1.0,
                    0.5 - 0.5 * np.cos(np.pi * (250 - PLACES) / 20),
                ],
                0.0,
            ),
        ),
    ],
)
def test_shapes_of_gusts(shape, rise, expected):
    """By altitude and by time alike, on top of a wind."""
    options = {"shape": shape, "rise": rise, "velocity": [0, 9, -1], "start": 50, "length": 200}
    exact = np.array([2 + 0 * expected, 9 * expected, -expected])
    by_altitude = Steady(velocity=[2, 0, 0], gusts=[AltitudeGust(name="g", **options)])
    np.testing.assert_allclose(blow(by_altitude, PLACES, 0.0), exact, rtol=0, atol=1e-14)
    by_time = Steady(velocity=[2, 0, 0], gusts=[TimeGust(name="g", **options)])
    np.testing.assert_allclose(blow(by_time, 1e3, PLACES), exact, rtol=0, atol=1e-14)
    edges = [50, 250] if rise is None else [50, 70, 230, 250]
    assert np.concatenate(wind.kinks(by_altitude)).tolist() == edges
    assert not wind.kinks(by_time)


def test_gusts_add_up_and_have_names():
    """Tables by name, as in a file; each is a leaf to disperse."""
    model = Still(
        gusts={
            "low": {"kind": "altitude", "velocity": [1, 0, 0], "start": 0, "length": 200},
            "late": {"kind": "time", "shape": "ramp", "velocity": [0, 2, 0], "start": 0, "length": 10},
        }
    )
    np.testing.assert_allclose(blow(model, np.array([100.0]), 5.0)[:, 0], [1, 1, 0], rtol=4 * EPS)
    assert tree.get(model, "gusts.late.length") == 10
    stronger = tree.set(model, "gusts.low.velocity", [5, 0, 0])
    np.testing.assert_allclose(blow(stronger, np.array([100.0]), 5.0)[:, 0], [5, 1, 0], rtol=4 * EPS)


@pytest.mark.long
def test_finite_derivatives():
    """At every edge, outside, and where there is no wind."""
    z = np.array([-1e6, 0.0, 50, 70, 100, 230, 250, 1e3, 1e4, 1e9])
    gust = {"velocity": [0, 9, -1], "start": 50, "length": 200}
    every = [
        {**gust, "kind": kind, "name": f"{kind}{n}", "shape": shape, "rise": 20 if n == 2 else None}
        for kind in ("altitude", "time")
        for n, shape in enumerate(("one_minus_cosine", "ramp", "sharp_edged"))
    ]
    table = {"altitude": [0, 50, 1e3, 1e4], "speed": [0, 0, 0, 10], "direction": [0, 1, 2, 3]}

    @quickly
    def everything(model, z):
        ready = wind.prepare(model)
        forward = jax.jvp(lambda z: wind.velocity(ready, z, z), (z,), (jnp.ones_like(z),))
        back = jax.grad(lambda m: jnp.sum(wind.velocity(wind.prepare(m), z, z)))(model)
        return forward, back

    for model in (Table(**table, outside="zero", gusts=every), Sheared(shear=[1, 1, 1], top=1e3)):
        assert all(np.isfinite(a).all() for a in jax.tree.leaves(everything(model, z)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table(altitude=[0, 1]), "'velocity', or 'speed' and 'direction'"),
        (lambda: Table(altitude=[0, 1], speed=[1, 2]), "'velocity', or 'speed' and 'direction'"),
        (
            lambda: Table(altitude=[0, 1], speed=[1, 2], direction=[0, 0], velocity=[[0, 0, 0]] * 2),
            "'velocity', or 'speed' and 'direction'",
        ),
        (lambda: Table(altitude=[0, 1], velocity=[[0, 0, 0]] * 3), "3 rows, but altitude has 2"),
        (lambda: Table(altitude=[1, 0], velocity=[[0, 0, 0]] * 2), "does not increase"),
        (lambda: Sheared(shear=[0, 0, 0], bottom=5, top=5), "top: 'top' must be above 'bottom'"),
        (lambda: AltitudeGust(name="g", velocity=[1, 0, 0], start=0, length=9, rise=1), "sharp_edged"),
        (
            lambda: TimeGust(name="g", shape="sharp_edged", velocity=[1, 0, 0], start=0, length=9),
            "sharp_edged",
        ),
        (
            lambda: TimeGust(name="g", shape="sharp_edged", velocity=[1, 0, 0], start=0, length=9, rise=5),
            "overlap",
        ),
        (lambda: TimeGust(name="a b", velocity=[1, 0, 0], start=0, length=9), "is not a name"),
    ],
)
def test_winds_that_are_refused(make, message):
    with pytest.raises(BadInput, match=message):
        make()


@pytest.mark.long
def test_air_that_stands_still_is_that_of_a_wind_of_no_speed():
    calm = Steady(velocity=np.zeros(3))
    assert wind.is_still(wind.prepare(Still()))
    assert not wind.is_still(wind.prepare(calm))
    place = jnp.array([[4e6, 5e6], [3e6, -3e6], [4.2e6, 3e6]])
    speed = jnp.array([[1e3, 0.0], [2e3, 3e3], [0.0, 1e3]])

    def around(model) -> Any:
        ready: Any = surroundings.prepare(world.Earth(), atmosphere.USStandard1976(), model)
        return surroundings.around(ready, jnp.asarray(100.0), place, speed)

    still, blown = around(Still()), around(calm)
    jax.tree.map(np.testing.assert_array_equal, still, blown)
    assert float(jnp.linalg.norm(still.air_velocity)) > 1e3


def test_gusts_blow_in_air_that_stands_still():
    one = TimeGust(name="g", shape="sharp_edged", velocity=[1, 0, 0], start=0, length=9, rise=1)
    gusty = Still(gusts=[one])
    assert not wind.is_still(wind.prepare(gusty))


def test_speed_and_direction_stay_between_their_levels():
    """Between two levels the speed is in their range, and the direction turns the shorter way."""
    rng = np.random.default_rng(5)
    for kind in ("smooth", "linear"):
        for _ in range(100):
            altitude = np.cumsum(rng.uniform(100, 3000, 7))
            speed, direction = rng.uniform(0.1, 60, 7), rng.uniform(0, 2 * np.pi, 7)
            table = Table(altitude=altitude, speed=speed, direction=direction, interpolation=kind)
            at = np.linspace(altitude[0], altitude[-1], 400)
            north, east, up = wind.velocity(wind.prepare(table), at, 0.0)
            k = np.searchsorted(altitude, at).clip(1, 6)
            low, high = np.sort([speed[k - 1], speed[k]], 0)
            size, rounding = np.hypot(north, east), 1e-12 * speed.max()
            assert ((size > low - rounding) & (size < high + rounding)).all()
            turn = np.angle(np.exp(1j * (direction[k] - direction[k - 1])))
            way = np.angle(-(north + 1j * east) * np.exp(-1j * direction[k - 1]))
            # The part of the turn that is done; angles near half a turn may wrap around.
            done = np.where(np.abs(turn) < 3.0, way / turn, 0.5)
            assert ((done > -1e-9) & (done < 1 + 1e-9)).all()
            assert (up == 0).all()
