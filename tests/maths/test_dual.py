"""Derivatives by dual numbers are those of JAX; what NumPy computes in place of JAX is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interstage.maths.arrays import (
    by_jax,
    custom_jvp,
    entries,
    is_jax,
    jax,
    jnp,
    jvp,
    lax,
    own_array,
    with_entry,
    written,
)
from interstage.maths.dual import Dual, along, trim
from interstage.maths.vectors import cross, dot
from interstage.programs.program import configure

configure()
EPS = np.finfo(float).eps
A = np.array([[0.3, -0.7, 0.2], [0.9, 0.4, -0.5]])
ALONG = np.array([[1.0, 0.5, -2.0], [0.1, 3.0, 0.7]])

FUNCTIONS = {
    "arithmetic": lambda a: (2 - a) * a / (3 + a * a) - -a + 1 / (a + 2),
    "powers": lambda a: a**3 + (a * a + 1) ** 0.5 + 2.0**a + (a * a) ** (a + 1),
    "roots": lambda a: jnp.sqrt(a + 1) + jnp.cbrt(a) + jnp.square(a) + jnp.abs(a),
    "exponents": lambda a: jnp.exp(a) * jnp.log(a + 1),
    "angles": lambda a: jnp.sin(a) + jnp.cos(a) * jnp.tan(a) + jnp.arctan2(a, 1 + a) + jnp.arctan(a),
    "sines by their angles": lambda a: jnp.sinc(a) + jnp.sinc(a * 0) + jnp.sinc(a / 1e4),
    "arcs": lambda a: jnp.arcsin(a) - jnp.arccos(a * a) + jnp.arctanh(a) + jnp.arcsinh(a),
    "hyperbolas": lambda a: jnp.sinh(a) + jnp.cosh(a) + jnp.tanh(a),
    "extremes": lambda a: jnp.maximum(a, 0.25) + jnp.minimum(a, -a) + jnp.max(a, 0) + jnp.min(a, 0),
    "extremes of several axes": lambda a: jnp.max(a * a, (0, 1)) + jnp.min(a, (-1, 0)) + a * jnp.max(a, None),
    "limits": lambda a: jnp.max(a, 0, initial=0.35) + jnp.min(a, 0, initial=-0.6),
    "choices": lambda a: jnp.where(a > 0, a * a, jnp.clip(a, -0.6, 0.6)),
    "shapes": lambda a: jnp.concatenate([a, jnp.stack([a[0], a[1] * a[0]])]).reshape(6, 2).T[:, 1:],
    "sums": lambda a: jnp.sum(a * a, 0) + jnp.cumsum(a, 1) + jnp.mean(a) + jnp.moveaxis(a, 0, 1)[0, 1],
    "places of axes": lambda a: (
        jnp.roll(a, 1, -1) + jnp.roll(a, 2) + jnp.swapaxes(jnp.moveaxis(a * a, -1, 0), -1, 0)
    ),
    "ends": lambda a: jnp.pad(jnp.diff(a * a, axis=-1), ((0, 0), (1, 2)))[..., 1:-1] * a[..., :2].sum(),
    "rows": lambda a: jnp.take(a * a, np.array([2, 0]), -1) + jnp.mean(a, -1)[:, None] * a[..., 1][:, None],
    "one more": lambda a: jnp.squeeze(jnp.transpose(jnp.expand_dims(a * a, -1), (2, 0, 1)), 0)[None, ..., 0],
    "in a row": lambda a: jnp.cumsum(a * a) + jnp.take(a, np.array([5, 4, 3, 2, 1, 0])) * a.reshape(-1),
    "spread": lambda a: jnp.broadcast_to(a[:, None], (2, 4, 3)) * jnp.expand_dims(a, 1),
    "places": lambda a: with_entry(a, (0, 1), a[1, 2] ** 2) + entries(a, np.array([1, 0])),
    "loop": lambda a: lax.fori_loop(0, 3, lambda k, x: x * a + k, a),
    "scan": lambda a: lax.scan(lambda c, row: (c + row * c, c * row), a[0], a)[1],
    "branch": lambda a: lax.cond(True, lambda x: x * x, lambda x: x, a),
    "stopped": lambda a: a * lax.stop_gradient(a),
}


def close(found: Any, wanted: Any) -> None:
    # Some ten roundings, of terms that are a few units in size.
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert not is_jax(one)
        np.testing.assert_allclose(one, np.asarray(other), rtol=0, atol=100 * EPS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_slopes_and_slopes_of_slopes_are_those_of_jax(name):
    function = FUNCTIONS[name]

    def slope(a):
        return jvp(function, (a,), (a * ALONG,))[1]

    close(jvp(function, (A,), (ALONG,)), jax.jvp(function, (jax.numpy.asarray(A),), (ALONG,)))
    close(jvp(slope, (A,), (ALONG,)), jax.jvp(slope, (jax.numpy.asarray(A),), (ALONG,)))


MANY = np.stack([ALONG, np.zeros_like(A), 0.5 - ALONG * A], -1)
"""Directions side by side; along one of them nothing changes."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_directions_at_once_are_as_one_by_one(name):
    """Values, slopes, and slopes of slopes along what depends on the place."""
    function = FUNCTIONS[name]

    def slope(a):
        return jvp(function, (a,), (a * ALONG,))[1]

    for one in (function, slope):
        value, slopes = along(one, [A], [MANY], 3)
        close(value, one(A))
        for k in range(3):
            close(slopes[..., k], jvp(one, (A,), (MANY[..., k],))[1])


def test_what_does_not_change_has_no_slope():
    seen = []

    def function(a, b):
        seen.append((type(a), type(b), type(b * b)))
        return a * b, b * b

    (_, still), slopes = along(function, [A, A], [MANY, None], 3)
    assert seen == [(type(trim(Dual(A, MANY, 1, True))), np.ndarray, np.ndarray)]
    assert type(trim(Dual(A, 0 * MANY, 1, True))) is np.ndarray
    np.testing.assert_array_equal(still, A * A)
    np.testing.assert_array_equal(slopes[0], MANY * A[..., None])
    np.testing.assert_array_equal(slopes[1], np.zeros(MANY.shape))


def test_products_beside_what_is_not_finite():
    """No slope stays none, in sums of products and cross products, too."""
    with np.errstate(all="ignore"):
        far = np.array([[np.inf, 1.0], [np.nan, 2.0], [3.0, -1.0]])
        still = np.zeros((3, 2, 2))
        still[:, 1, 1] = 1.0  # along the second direction the second lane moves
        _, slopes = along(lambda a: (dot(a, far), cross(far, a)), [np.ones((3, 2))], [still], 2)
    np.testing.assert_array_equal(slopes[0], [[0, 0], [0, 2]])
    np.testing.assert_array_equal(slopes[1][:, 0], np.zeros((3, 2)))
    np.testing.assert_array_equal(slopes[1][:, 1], np.array([[0, 0, 0], np.cross(far[:, 1], np.ones(3))]).T)


def test_a_loop_writes_into_arrays_of_its_own():
    """As many copies would be; of slopes, too."""

    def function(a):
        found = np.zeros((3, 2))
        for k in range(3):
            found = written(found, a[:, k] * (found[k - 1] + 1), k)
        return found

    def copied(a):
        found = np.zeros((3, 2))
        for k in range(3):
            found = with_entry(found, k, a[:, k] * (found[k - 1] + 1))
        return found

    close(along(function, [A], [MANY], 3), along(copied, [A], [MANY], 3))
    mine = np.ones(3)
    assert own_array(mine) is not mine
    assert written(mine, 2.0, 1) is mine


def test_a_slope_that_is_zero_now_may_change():
    # d^2/dt^2 at t = 0 of what has no slope there, as motions that begin at rest.
    at_rest = {
        "product": lambda t: t * t * jnp.cos(t),
        "quotient": lambda t: t * t / (2 + t),
        "power": lambda t: jnp.cos(t) ** 2 + (2 + t) ** (t * t),
        "angle": lambda t: jnp.sin(t * t) + jnp.arctan2(t * t, 1 + t) + jnp.sqrt(1 + t * t),
    }
    for function in at_rest.values():

        def twice(along, at, function=function):
            return along(lambda t: along(function, (t,), (at + 1,))[1], (at,), (at + 1,))

        close(twice(jvp, np.zeros(2)), twice(jax.jvp, jax.numpy.zeros(2)))


@pytest.mark.parametrize("options", [{"prepend": 1.0}, {"append": 1.0}])
def test_numbers_that_are_put_in_are_no_slopes(options):
    with pytest.raises(TypeError, match="diff"):
        jvp(lambda a: jnp.diff(a, **options), (A,), (ALONG,))


def test_the_inner_of_two_derivatives_does_not_see_the_outer():
    # d/dx [x d/dy (x + y) at y = 1] = 1; confusion of both perturbations gives 2.
    def outer(x):
        return x * jvp(lambda y: x + y, (np.float64(1.0),), (np.float64(1.0),))[1]

    assert float(jvp(outer, (np.float64(3.0),), (np.float64(1.0),))[1]) == 1.0


def test_a_slope_of_nothing_stays_nothing_beside_what_is_not_finite():
    with np.errstate(all="ignore"):
        _, slope = jvp(lambda a: jnp.where(a > 0, jnp.sqrt(a), 0.0), (np.zeros(2),), (np.zeros(2),))
    assert np.all(slope == 0)


def test_a_function_for_jax_alone_takes_part_in_derivatives_of_numpy():
    def own(a):
        return {"b": jax.numpy.sin(a).at[0].mul(2.0)}

    def whole(a):
        return by_jax(own, a * a)["b"]

    def slope(a):
        return jvp(whole, (a,), (ALONG,))[1]

    for function in (whole, slope):
        wanted = jax.jvp(function, (jax.numpy.asarray(A),), (ALONG,))
        close(jvp(function, (A,), (ALONG,)), wanted)
        close(along(function, [A], [MANY], 3)[1][..., 0], wanted[1])


def test_a_rule_of_its_own_is_used_by_both():
    @custom_jvp
    def doubled(a):
        return jnp.floor(a) + 0.0 * a

    @doubled.defjvp
    def rule(values, slopes):
        return doubled(*values), 2.0 * slopes[0]

    close(jvp(doubled, (A,), (ALONG,)), jax.jvp(doubled, (jax.numpy.asarray(A),), (ALONG,)))
    close(jvp(doubled, (A,), (ALONG,))[1], 2.0 * ALONG)
    close(along(doubled, [A], [MANY], 3)[1], 2.0 * MANY)


def test_what_has_no_rule_is_refused():
    with pytest.raises(TypeError, match="no derivative here"):
        jvp(lambda a: np.fmod(a, 2.0), (A,), (ALONG,))


def test_loops_and_branches_without_jax_are_numpys():
    squares = lax.map(lambda k: {"square": k * k}, np.arange(4.0))["square"]
    first, rows = lax.scan(lambda c, x: (c + x, c), 0.0, np.arange(3.0), reverse=True)
    counted = lax.while_loop(lambda c: c < 10, lambda c: c + 3, 0)
    for found, wanted in ((squares, [0, 1, 4, 9]), (rows, [3, 2, 0]), (first, 3), (counted, 12)):
        assert not is_jax(found)
        assert np.array_equal(found, wanted)


def test_within_a_program_all_is_traced():
    def program(a):
        return lax.fori_loop(0, 3, lambda k, x: x + k, np.zeros(2)) + jnp.sum(a)

    np.testing.assert_array_equal(jax.jit(program)(np.ones(2)), [5.0, 5.0])
    assert is_jax(jax.jit(program)(np.ones(2)))
