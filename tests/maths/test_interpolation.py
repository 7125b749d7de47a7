"""Splines and straight lines by altitude, against SciPy."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from interstage.maths import interpolation
from mechanics import EPS


@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
@pytest.mark.parametrize("count", [3, 4, 9])
def test_spline_as_scipy(shape, count):
    rng = np.random.default_rng(62)
    where = np.cumsum(rng.uniform(0.5, 2, count))
    value = rng.standard_normal((count, *shape))
    t = np.linspace(where[0], where[-1], 31)
    points = interpolation.knots(where, value, "cubic", components=len(shape))
    found = interpolation.look_up(points, t, components=len(shape))
    expected = np.moveaxis(CubicSpline(where, value)(t), 0, -1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=256 * EPS)


def test_spline_with_lanes_everywhere():
    """Points, values and places may each have lanes."""
    rng = np.random.default_rng(63)
    where = np.cumsum(rng.uniform(0.5, 2, (6, 4)), 0)
    value = rng.standard_normal((6, 3, 4))
    t = rng.uniform(0, 8, (2, 4))
    found = interpolation.look_up(interpolation.knots(where, value, "cubic", 1), t, 1)
    assert found.shape == (3, 2, 4)
    for lane in range(4):
        spline = CubicSpline(where[:, lane], value[..., lane])
        at = np.clip(t[:, lane], where[0, lane], where[-1, lane])
        np.testing.assert_allclose(found[..., lane], spline(at).T, rtol=0, atol=1e-13)


def test_straight_lines():
    """As NumPy has them, without second derivatives to look up; their slopes, too."""
    where, value = np.array([0.0, 1.0, 3.0, 3.5]), np.array([1.0, -2.0, 5.0, 5.0])
    points, t = interpolation.knots(where, value, "linear"), np.linspace(-1, 4, 41)
    assert points.bend is None
    assert interpolation.knots(where[:2], value[:2], "smooth").bend is None
    np.testing.assert_allclose(interpolation.look_up(points, t), np.interp(t, where, value), atol=8 * EPS)
    within = t[(t > 0) & (t < 3.5)]
    slope = interpolation.piece(points, interpolation.cell(points, within)).slope(within)
    steps = np.diff(value) / np.diff(where)
    expected = steps[np.searchsorted(where, within, side="right") - 1]
    np.testing.assert_allclose(slope, expected, rtol=4 * EPS)


def test_intervals():
    """The first and the last one go on beyond the ends."""
    points = interpolation.knots([0.0, 1.0, 3.0], [0.0, 1.0, 3.0], "linear")
    cells = interpolation.cell(points, jnp.array([-1.0, 0.0, 0.5, 1.0, 2.9, 3.0, 9.0]))
    assert cells.tolist() == [0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("count", [127, 128, 129, 130, 257, 1000])
def test_intervals_of_long_tables(count):
    """By comparison and by bisection, also with lanes."""
    rng = np.random.default_rng(66)
    where = np.cumsum(rng.uniform(0.5, 2, (count, 3)), 0)
    at = np.concatenate([rng.uniform(-10, where[-1] + 10, (50, 3)), where[:2], where[-2:]])
    points = interpolation.Knots(jnp.asarray(where), None, None)
    found = interpolation.cell(points, jnp.asarray(at))
    for lane in range(3):
        expected = np.searchsorted(where[:, lane], at[:, lane], side="right") - 1
        assert found[:, lane].tolist() == np.clip(expected, 0, count - 2).tolist()


def test_derivatives_on_the_bounds():
    """On a bound the slope is that of inside; beyond it is zero."""
    points = interpolation.knots([0.0, 1.0], [0.0, 3.0], "linear")
    at = jnp.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    _, slope = jax.jvp(lambda t: interpolation.look_up(points, t), (at,), (jnp.ones_like(at),))
    assert slope.tolist() == [0, 3, 3, 3, 0]
