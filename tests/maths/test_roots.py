"""Roots of equations: brackets against closed forms and loops of their own, Newton's method in its order."""

from __future__ import annotations

import math

import jax
import numpy as np
import pytest
from scipy.optimize import lsq_linear

from interstage.maths.roots import adjacent_numbers, bounded_step, narrow_bracket, root, zero_between
from mechanics import EPS


@pytest.mark.parametrize("arrays", [np.asarray, jax.numpy.asarray], ids=["numpy", "jax"])
def test_brackets_narrow_to_the_root_of_each_case(arrays):
    wanted = np.array([0.0, 1 / 3, 0.7, 1.0])  # with roots at both ends
    low, high = arrays(np.zeros(4)), arrays(np.ones(4))
    below, above = map(np.asarray, narrow_bracket(lambda u: u < arrays(wanted), low, high, 53))
    assert np.all(above - below <= 2.0**-52)
    assert np.all((below < wanted) | (wanted == 0))
    assert np.all(above >= wanted)
    one, halvings = narrow_bracket(lambda u: u * u < 2.0, 1.0, 2.0, 10), 10
    assert one[1] - one[0] == 2.0**-halvings
    assert one[0] <= math.sqrt(2) <= one[1]


def test_whole_numbers_on_both_sides_of_a_change():
    bounds = np.array([-1.0, 0.0, 6.0, 10.0])
    low, high = adjacent_numbers(lambda n: n <= bounds, np.full(4, -1.0), np.full(4, 11.0))
    np.testing.assert_array_equal(low, bounds)
    np.testing.assert_array_equal(high, bounds + 1)


def test_a_zero_between_two_points():
    found = zero_between(math.cos, 1.0, 2.0, 1e-12)
    assert abs(found - math.pi / 2) <= 1e-12 + 4 * EPS * found  # of Brent's method: xtol + rtol x
    with pytest.raises(ValueError, match="different signs"):
        zero_between(math.cos, 0.0, 1.0, 1e-12)


def test_steps_are_the_least_squares_within_bounds():
    """Compared with a bounded solver of SciPy; of redundant unknowns the least step."""
    rng = np.random.default_rng(5)
    slopes, off = rng.standard_normal((5, 3)), rng.standard_normal(5)
    free = np.full(3, np.inf)
    found = bounded_step(slopes, off, np.zeros(3), np.ones(3), -free, free, 1e-12)
    np.testing.assert_allclose(found, -np.linalg.lstsq(slopes, off)[0], rtol=1e3 * EPS)
    # The first unknown is at the bound that its step would pass.
    low = np.where(np.arange(3) == 0, 0.0, -np.inf) if found[0] < 0 else -free
    high = np.where(np.arange(3) == 0, 0.0, np.inf) if found[0] > 0 else free
    held = bounded_step(slopes, off, np.zeros(3), np.ones(3), low, high, 1e-12)
    outer = lsq_linear(slopes, -off, (low - 1e-300, high + 1e-300), tol=1e-14).x
    assert held[0] == 0
    np.testing.assert_allclose(held, outer, atol=1e-9)  # the solver's own tolerance
    both = bounded_step(np.ones((1, 2)), np.ones(1), np.zeros(2), np.ones(2), -free[:2], free[:2], 1e-9)
    np.testing.assert_allclose(both, -0.5, rtol=4 * EPS)


# --- one equation with one unknown


def asked(function, slope):
    """A function with its slope, that counts how often it is asked."""
    calls = []

    def both(x):
        calls.append(x)
        return function(x), slope(x)

    return both, calls


def test_newton_converges_in_its_order():
    both, calls = asked(lambda x: x**3 - 2, lambda x: 3 * x**2)
    found = root(both, 1.0, -np.inf, np.inf, 1.0, 1e-15)
    assert found.reached
    assert found.x == pytest.approx(2 ** (1 / 3), rel=1e-15)
    assert len(calls) == found.steps <= 7  # digits double at each step


@pytest.mark.parametrize("start", [-3.0, 0.1, 2.5, 30.0])
def test_newton_is_kept_where_tangents_lead_away(start):
    # Tangents of the arc tangent lead away for good from beyond 1.39.
    both, _ = asked(lambda x: math.atan(x - 0.3), lambda x: 1 / (1 + (x - 0.3) ** 2))
    found = root(both, start, -50.0, 50.0, 1.0, 1e-14)
    assert found.reached
    assert found.x == pytest.approx(0.3, abs=1e-13)


def test_newton_says_what_stops_it():
    low = root(lambda x: (x - 1, 1.0), 5.0, 2.0, 9.0, 1.0, 1e-12)
    assert (low.x, low.reached, low.why) == (2.0, False, "the input is at its lower bound")
    flat = root(lambda x: (3.0, 0.0), 5.0, 2.0, 9.0, 1.0, 1e-12)
    assert (flat.reached, flat.why) == (False, "the input has no effect on the quantity")
    least = root(lambda x: (x**2 + 1, 2 * x), 5.0, -9.0, 9.0, 1.0, 1e-12)
    assert not least.reached
    assert least.residual == pytest.approx(1.0, rel=1e-6)
    assert "the extreme" in least.why or "no effect" in least.why
    jump = root(lambda x: (x + math.copysign(1.0, x - 0.1), 1.0), 5.0, -9.0, 9.0, 1.0, 1e-12)
    assert (jump.reached, jump.why) == (False, "the quantity is discontinuous at this value")


def test_newton_goes_up_to_where_there_is_no_value():
    def both(x):
        return (math.log(x) if x > 0.5 else np.nan, 1 / x)

    beyond = root(lambda x: both(x + 0.0), 5.0, -9.0, 9.0, 1.0, 1e-12)
    assert beyond.x == pytest.approx(1.0, rel=1e-12)
    ended = root(lambda x: (both(x)[0] + 2, both(x)[1]), 5.0, -9.0, 9.0, 1.0, 1e-12, lambda x: f"at {x:.3f}")
    assert not ended.reached
    assert ended.x == pytest.approx(0.5, abs=1e-5)
    assert ended.why == "at 0.500"


@pytest.mark.parametrize("slope", np.linspace(-1e-4, -7e-5, 40))
def test_newton_goes_halfway_back_from_where_there_is_no_value(slope):
    # The tangent leads to the wall again and again; rounding says on which side of it.
    ended = root(lambda x: (0.06666666563662971 if x <= 4000 else np.nan, slope), 4000.0, 1e3, 9e3, 4e3, 1e-9)
    assert ended.why == "the quantity has no value if the input changes more"
    assert ended.x == 4000


def test_newton_ends_in_the_noise_of_values():
    e = 1e-7

    def both(x):  # values that are never nearer than e, as those of flights step
        return e * (2 * math.floor((math.exp(x) - 2) / (2 * e)) + 1), math.exp(x)

    found = root(both, 1.0, -1.0, 3.0, 1.0, 1e-9, noise=1e-6)
    assert found.reached
    assert abs(found.residual) <= 3 * e
    assert found.steps <= 7  # 5 for the smooth values, and one or two to see that they do not halve
    assert (
        root(both, 1.0, -1.0, 3.0, 1.0, 1e-9, noise=e / 2).why
        == "the quantity is discontinuous at this value"
    )
    # What does not step is found as without noise.
    smooth = root(lambda x: (math.exp(x) - 2, math.exp(x)), 1.0, -1.0, 3.0, 1.0, 1e-15, noise=1.0)
    assert smooth.x == pytest.approx(math.log(2), rel=1e-15)
