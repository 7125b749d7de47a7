"""Tables of time: straight lines and natural splines, inside and outside their points."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from engine_door import quickly
from interstage.maths import curves as tables
from mechanics import EPS


def drawn_table(rng, points=9):
    return np.cumsum(rng.uniform(0.1, 1.0, points)), rng.standard_normal((points, 3))


def test_linear_table_is_interpolated():
    time, value = drawn_table(np.random.default_rng(140))
    t = np.random.default_rng(141).uniform(time[0], time[-1], 40)
    found = quickly(lambda t: tables.look_up(tables.curve(time, value, "linear"), t))(
        np.concatenate([t, time])
    )
    expected = [np.interp(np.concatenate([t, time]), time, column) for column in value.T]
    np.testing.assert_allclose(found, expected, rtol=0, atol=8 * EPS * np.abs(value).max() / 0.1)


@pytest.mark.parametrize("points", [2, 3, 9])
def test_cubic_table_is_the_natural_spline(points):
    """Values and two derivatives (driven axes need them), against SciPy's spline with natural ends."""
    time, value = drawn_table(np.random.default_rng(142), points)
    t = np.random.default_rng(143).uniform(time[0], time[-1], 40)

    @quickly
    def program(t):
        one = jnp.ones_like(t)
        at = lambda t: tables.look_up(tables.curve(time, value, "cubic"), t)  # noqa: E731
        rate = lambda t: jax.jvp(at, (t,), (one,))[1]  # noqa: E731
        return at(t), rate(t), jax.jvp(rate, (t,), (one,))[1]

    spline = CubicSpline(time, value, bc_type="natural" if points > 2 else "not-a-knot")
    shortest = np.diff(time).min()
    for order, found in enumerate(program(t)):
        # Divided differences of values up to 3 over spans of at least 0.1; the tridiagonal system is well
        # conditioned (< 6).
        bound = 64 * EPS * np.abs(value).max() / shortest ** (2 + order)
        np.testing.assert_allclose(found, spline(t, order).T, rtol=0, atol=bound)


def test_driven_table_goes_on_straight_outside_its_points():
    time, value = drawn_table(np.random.default_rng(144))
    for k, past in ((0, -0.7), (-1, 0.7)):
        found = quickly(lambda t: tables.look_up(tables.curve(time, value, "cubic"), t))(time[k] + past)
        spline = CubicSpline(time, value, bc_type="natural")
        expected = value[k] + past * spline(time[k], 1)
        np.testing.assert_allclose(found, expected, rtol=0, atol=64 * EPS * np.abs(value).max() / 0.1**2)


def test_table_outside_its_points():
    time, value = np.array([0.0, 1.0, 3.0]), np.array([[2.0], [4.0], [-1.0]])
    t = np.array([-0.5, 0.0, 3.0, 3.5])
    for kind in ("linear", "smooth", "cubic"):
        points = tables.curve(time, value, kind)
        np.testing.assert_allclose(
            tables.look_up_within(points, t, True)[0], [2, 2, -1, -1], rtol=0, atol=8 * EPS
        )
        np.testing.assert_allclose(
            tables.look_up_within(points, t, False)[0], [0, 2, -1, 0], rtol=0, atol=8 * EPS
        )


@pytest.mark.parametrize("kind", ["linear", "smooth", "cubic"])
def test_points_may_differ_between_lanes(kind):
    """Each lane, with points of its own or those of all, is the table of that lane by itself."""
    rng = np.random.default_rng(145)
    time, value = np.cumsum(rng.uniform(0.1, 1, (6, 4)), 0), rng.standard_normal((6, 3, 4))
    t = np.linspace(-0.5, 4, 4)
    for x, y in ((time, value), (time[:, :1], value), (time, value[..., :1]), (time[:, :1], value[:, 0])):
        found = tables.look_up_within(tables.curve(x, y, kind), t, True)
        for lane in range(4):
            alone = tables.curve(x[:, lane % x.shape[1]], y[..., lane % y.shape[-1]], kind)
            np.testing.assert_array_equal(found[..., lane], tables.look_up_within(alone, t[lane], True))
