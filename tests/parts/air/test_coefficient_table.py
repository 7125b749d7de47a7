"""Coefficient tables: interpolation against SciPy, beyond the ends, lanes."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator

from engine_door import quickly
from interstage.maths.arrays import jvp
from interstage.parts.air import coefficient_table
from interstage.parts.air.coefficient_table import distances_beyond, prepare, variables
from interstage.programs.compiled import FOR_ALL, as_one_kernel
from interstage.tree import addresses as tree
from mechanics import EPS

# Any: they are called as files call them, with texts and tables that the validation turns into fields.
Table: Any = coefficient_table.CoefficientTable

KINDS = ("smooth", "cubic", "monotone", "linear")
BY_SCIPY = ("cubic", "monotone", "linear")


def look_up(table, where) -> Any:
    """By NumPy, where neither is JAX's."""
    return coefficient_table.look_up(prepare(table), where)


compiled = quickly(look_up)


def jet(table, where, direction) -> Any:
    """Value, first and second derivative along a direction, at each place; by NumPy as `look_up`."""
    ready = prepare(table)
    f = lambda where: coefficient_table.look_up(ready, where)  # noqa: E731
    along = lambda where: jvp(f, (where,), (direction,))[1]  # noqa: E731
    return f(where), *jvp(along, (where,), (direction,))


def drawn(rng, sizes, lanes=(), outside="refuse", **options):
    axes = [
        {"variable": f"x{k}", "points": np.cumsum(rng.uniform(0.5, 2, n)), "outside": outside}
        for k, n in enumerate(sizes)
    ]
    return Table(axes=axes, values=rng.standard_normal((*sizes, *lanes)), **options)


def spread(rng, table, count):
    """Places drawn between the ends, (count,) of each variable."""
    return {a.variable: rng.uniform(a.points[0], a.points[-1], count) for a in table.axes}


def by_scipy(kind, table, place):
    """One dimension after the other, the last one first."""
    values = table.values
    for axis, t in reversed(list(zip(table.axes, place, strict=True))):
        if kind == "cubic":
            values = CubicSpline(axis.points, values, axis=-1)(t)
        elif kind == "monotone":
            values = PchipInterpolator(axis.points, values, axis=-1)(t)
        else:
            values = RegularGridInterpolator((axis.points,), np.moveaxis(values, -1, 0))([t])[0]
    return values


# --- between the points -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BY_SCIPY)
@pytest.mark.parametrize("sizes", [(2,), (3,), (4, 6), (3, 5, 2)])
def test_as_scipy(kind, sizes):
    rng = np.random.default_rng(401)
    table = drawn(rng, sizes, interpolation=kind)
    where = spread(rng, table, 30)
    expected = [by_scipy(kind, table, place) for place in zip(*where.values(), strict=True)]
    # Values of order one; in each dimension differences over spacings of one half, up to the second ones.
    for way in (look_up, compiled) if len(sizes) != 1 else (look_up,):
        np.testing.assert_allclose(way(table, where), expected, rtol=0, atol=64 * len(sizes) * EPS)


def test_monotone_as_scipy_where_slopes_differ_much():
    """There the slopes at the ends are limited, at points and between them."""
    rng = np.random.default_rng(415)
    table = drawn(rng, (6, 5, 4), interpolation="monotone")
    table = tree.set(table, "values", table.values**5)
    where = spread(rng, table, 200)
    expected = [by_scipy("monotone", table, place) for place in zip(*where.values(), strict=True)]
    bound = 64 * 3 * EPS * np.abs(table.values).max()
    np.testing.assert_allclose(look_up(table, where), expected, rtol=0, atol=bound)


@pytest.mark.parametrize("kind", KINDS)
def test_points_are_met(kind):
    table = drawn(np.random.default_rng(402), (4, 5), interpolation=kind)
    grid = np.meshgrid(*(a.points for a in table.axes), indexing="ij")
    found = look_up(table, {"x0": grid[0], "x1": grid[1]})
    np.testing.assert_allclose(found, table.values, rtol=0, atol=4 * EPS)


def test_cubics_come_out_as_they_are():
    """Any product of cubics, up to the ends, with two derivatives; no natural spline does that."""
    rng = np.random.default_rng(403)
    c = rng.standard_normal((4, 4, 4))
    points = [np.cumsum(rng.uniform(0.1, 0.5, n)) for n in (4, 6, 5)]
    x, y, z = np.meshgrid(*points, indexing="ij")
    axes = [{"variable": f"x{k}", "points": p} for k, p in enumerate(points)]
    values = np.polynomial.polynomial.polyval3d(x, y, z, c)
    table = Table(axes=axes, values=values, interpolation="cubic")
    corners = np.array(list(itertools.product(*((p[0], p[-1]) for p in points)))).T
    inside = np.array([rng.uniform(p[0], p[-1], 12) for p in points])
    at = np.concatenate([corners, inside], 1)
    direction = rng.standard_normal(at.shape)
    found = quickly(jet)(table, *({f"x{k}": row for k, row in enumerate(rows)} for rows in (at, direction)))
    for order in range(3):
        exact = directional(c, at, direction, order)
        # Second differences over spacings of a tenth, of values up to the largest.
        bound = 1e3 * EPS * np.abs(exact).max()
        np.testing.assert_allclose(found[order], exact, rtol=0, atol=bound)


def directional(c, at, direction, order):
    """Derivative of a product of cubics along a direction: by the multinomial rule."""
    total = 0.0
    for axes in itertools.product(range(3), repeat=order):
        d = c
        for axis in axes:
            d = np.polynomial.polynomial.polyder(d, axis=axis)
        value = np.polynomial.polynomial.polyval3d(at[0], at[1], at[2], d)
        total += value * np.prod(direction[list(axes)], axis=0)
    return total


def test_second_derivatives_go_on_across_points():
    rng = np.random.default_rng(404)
    jumps = {}
    for kind in ("smooth", "cubic", "monotone"):
        table = drawn(rng, (6, 5), interpolation=kind)
        x, y = (a.points for a in table.axes)
        at = np.array([[x[2], x[2], (x[1] + x[2]) / 2], [y[1], (y[2] + y[3]) / 2, y[3]]])
        step = 1e-9  # the second derivative changes by 1e-9 times the third, of order 100 at most
        places = np.concatenate([at + step, at - step], 1)
        direction = {"x0": np.ones(6), "x1": np.ones(6)}
        bend = np.asarray(jet(table, {"x0": places[0], "x1": places[1]}, direction)[2])
        jumps[kind] = np.abs(bend[:3] - bend[3:]).max()
    assert max(jumps["smooth"], jumps["cubic"]) < 1e-6
    assert jumps["monotone"] > 0.1


def cell_corners(table, where):
    """Least and largest value at the corners of the cells that hold places."""
    cells = [
        np.clip(np.searchsorted(a.points, where[a.variable], side="right") - 1, 0, len(a.points) - 2)
        for a in table.axes
    ]
    offsets = itertools.product((0, 1), repeat=len(cells))
    corners = [table.values[tuple(i + o for i, o in zip(cells, offset))] for offset in offsets]
    return np.min(corners, 0), np.max(corners, 0)


def test_all_kinds_but_cubic_stay_between_the_corners():
    rng = np.random.default_rng(405)
    outliers = {}
    for kind in KINDS:
        table = drawn(rng, (5, 6, 4), interpolation=kind)
        where = spread(rng, table, 4000)
        low, high = cell_corners(table, where)
        found = np.asarray(look_up(table, where))
        outliers[kind] = np.maximum(low - found, found - high).max()
    assert outliers["monotone"] <= 8 * EPS
    assert outliers["linear"] <= 8 * EPS
    assert outliers["smooth"] <= 64 * EPS  # sums of 216 terms of order one
    assert outliers["cubic"] > 0.1


def test_monotone_has_one_slope_along_its_first_axis():
    rng = np.random.default_rng(406)
    table = drawn(rng, (6, 5), interpolation="monotone")
    y_points = table.axes[1].points
    x, y = np.broadcast_arrays(table.axes[0].points[1:-1], rng.uniform(y_points[0], y_points[-1], (20, 1)))
    x = np.stack([x - 1e-10, x + 1e-10])
    y = np.stack([y, y])
    before, after = jet(table, {"x0": x, "x1": y}, {"x0": np.ones_like(x), "x1": np.zeros_like(y)})[1]
    np.testing.assert_allclose(before, after, rtol=0, atol=1e-7)


# --- beyond the ends ----------------------------------------------------------------------------------------


def test_refused_beyond_the_ends():
    table = drawn(np.random.default_rng(407), (4, 3))
    low, high = (np.array([a.points[k] for a in table.axes]) for k in (0, -1))
    x = np.array([low[0] - 1e-6, low[0], high[0] * (1 + 4 * EPS), high[0] + 1e-6, np.inf, -np.inf, np.nan])
    where = {"x0": x, "x1": np.full(7, (low[1] + high[1]) / 2)}
    for way in (look_up, compiled):
        assert np.isnan(way(table, where)).tolist() == [True, False, False, True, True, True, True]
    distances = quickly(distances_beyond)(table, where)
    assert not np.any(distances["x1"])
    expected = [-1e-6, 0, 0, 1e-6, np.inf, -np.inf, 0]
    np.testing.assert_allclose(distances["x0"], expected, rtol=0, atol=8 * EPS * high[0])
    np.testing.assert_array_equal(distances_beyond(prepare(table), where)["x0"], distances["x0"])


def with_outside(table, outside):
    axes = [{"variable": a.variable, "points": a.points, "outside": outside} for a in table.axes]
    return Table(axes=axes, values=table.values, interpolation=table.interpolation)


@pytest.mark.parametrize("kind", KINDS)
def test_held_and_gone_on(kind):
    """Held: as at the nearest place. Gone on: straight along each axis, at the slope of the end."""
    table = drawn(np.random.default_rng(408), (4, 5), interpolation=kind)
    (x0, x1), (y0, y1) = (a.points[[0, -1]] for a in table.axes)
    x, y = np.array([x0, 2.2, x1, 1.7, x0]), np.array([3.1, y1, y1, y0, y1])
    dx, dy = np.array([-0.7, 0, 0.5, 0, -2]), np.array([0, 0.9, 0.3, -0.4, 5])
    at, near = {"x0": x + dx, "x1": y + dy}, {"x0": x, "x1": y}
    held = look_up(with_outside(table, "hold"), at)
    np.testing.assert_allclose(held, look_up(table, near), rtol=0, atol=4 * EPS)
    gone = look_up(with_outside(table, "extrapolate"), at)
    value, change, bend = jet(table, near, {"x0": dx, "x1": dy})
    if kind == "monotone":
        np.testing.assert_allclose(gone, value + change, rtol=1e-13, atol=1e-13)
        return
    # Of the second derivative along (dx, dy) the mixed part, f_xy dx dy.
    pure = [jet(table, near, {"x0": a * dx, "x1": b * dy})[2] for a, b in ((1, 0), (0, 1))]
    mixed = (bend - pure[0] - pure[1]) / 2
    np.testing.assert_allclose(gone, value + change + mixed, rtol=1e-12, atol=1e-12)


@quickly
def slopes(table, where) -> Any:
    """(value, derivative along all variables together, derivatives to each one in reverse) at each place."""
    ready = prepare(table)
    f = lambda where: coefficient_table.look_up(ready, where)  # noqa: E731
    value, forward = jax.jvp(f, (where,), ({name: jnp.ones_like(t) for name, t in where.items()},))
    return value, forward, jax.grad(lambda where: jnp.nansum(f(where)))(where)


@pytest.mark.parametrize(
    ("kind", "outside"),
    [
        ("smooth", "extrapolate"),
        ("monotone", "refuse"),
        ("cubic", "refuse"),
        pytest.param("smooth", "refuse", marks=pytest.mark.long),
        pytest.param("smooth", "hold", marks=pytest.mark.long),
        pytest.param("monotone", "extrapolate", marks=pytest.mark.long),
        ("linear", "refuse"),
    ],
)
def test_derivatives_are_finite(kind, outside):
    """Forward and in reverse, on the edges, on points, and beyond; on an edge the slope is that of inside."""
    table = drawn(np.random.default_rng(409), (4, 3), outside=outside, interpolation=kind)
    x, y = (a.points for a in table.axes)
    step = 1e-7
    edges = [[x[0], x[-1], x[0] + step, x[-1] - step], [y[0], y[-1], y[0] + step, y[-1] - step]]
    nearly = [[x[-1] * (1 + 4 * EPS)], [y[-1] * (1 + 4 * EPS)]]
    beyond = [[x[1], x[0] - 1, x[-1] + 1, 1.7], [y[1], y[0] - 1, 1.5, y[-1] + 1]]
    far = [[np.inf, x[1]], [y[1], -np.inf]] if outside == "refuse" else [[], []]
    where = dict(zip(("x0", "x1"), np.concatenate([edges, nearly, beyond, far], 1), strict=True))
    value, forward, reverse = slopes(table, where)
    reverse = np.array([reverse["x0"], reverse["x1"]])
    assert np.isfinite(forward).all()
    assert np.isfinite(reverse).all()
    inner = (value[2:4] - value[:2]) / np.array([step, -step])
    # The second derivative, of order 10, times the step.
    np.testing.assert_allclose(forward[:2], inner, rtol=0, atol=1e-4)
    np.testing.assert_allclose(reverse[:, :5].sum(0), forward[:5], rtol=1e-12)
    if outside != "hold":
        np.testing.assert_allclose(forward[4], forward[1], rtol=1e-12)


# --- lanes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "which"),
    [
        pytest.param("smooth", "values", marks=pytest.mark.long),
        pytest.param("smooth", "points", marks=pytest.mark.long),
        ("linear", "numbers"),
        *((kind, "all") for kind in KINDS),
    ],
)
def test_lanes_as_one_after_the_other(kind, which):
    rng = np.random.default_rng(410)
    L, sizes = 7, (4, 3)  # no axis has as many points
    lanes = lambda *names: (L,) if which in (*names, "all") else ()  # noqa: E731
    points = [np.cumsum(rng.uniform(0.5, 2, (n, *lanes("points"))), 0) for n in sizes]
    axes = [{"variable": f"x{k}", "points": p, "outside": "extrapolate"} for k, p in enumerate(points)]
    factor, increment = rng.uniform(0.5, 2, (2, *lanes("numbers")))
    table = Table(
        axes=axes,
        values=rng.standard_normal((*sizes, *lanes("values"))),
        interpolation=kind,
        factor=factor,
        increment=np.asarray(increment),
    )
    where = {"x0": rng.uniform(0, 5, (2, L)), "x1": rng.uniform(0, 4, (L,))}
    found = compiled(table, where) if kind in ("smooth", "monotone") else look_up(table, where)
    assert found.shape == (2, L)
    for lane in range(L):
        alone = look_up(_of_lane(table, lane, L), {"x0": where["x0"][:, lane], "x1": where["x1"][lane]})
        np.testing.assert_allclose(found[:, lane], alone, rtol=1e-14, atol=1e-14)


def _of_lane(table, lane, lanes):
    return jax.tree.map(lambda leaf: leaf[..., lane] if np.shape(leaf)[-1:] == (lanes,) else leaf, table)


@pytest.mark.long
def test_one_lane_for_all():
    rng = np.random.default_rng(411)
    table = drawn(rng, (4, 3), outside="hold", factor=1.5, increment=0.25)
    one = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], table)
    for shape in [(), (2, 5)]:
        where = {"x0": rng.uniform(0, 5, shape), "x1": rng.uniform(0, 5, shape)}
        for way in (look_up, compiled) if shape else (look_up,):
            found = way(one, where)
            assert found.shape == shape
            np.testing.assert_array_equal(found, way(table, where))
    assert distances_beyond(one, where)["x0"].shape == (2, 5)


@pytest.mark.long
def test_leaves_may_be_traced():
    """Derivatives to factor, increment, values and points, against differences."""
    table = drawn(np.random.default_rng(412), (4, 5), factor=1.2, increment=0.1)
    where = {"x0": np.array(1.9), "x1": np.array(2.6)}
    rates = quickly(jax.grad(lambda table: coefficient_table.look_up(prepare(table), where)))(table)
    assert rates.increment == 1
    np.testing.assert_allclose(rates.factor, (look_up(table, where) - 0.1) / 1.2, rtol=1e-14)
    for leaf in (lambda t: t.axes[0].points, lambda t: t.axes[1].points, lambda t: t.values):
        old, step = leaf(table), np.zeros_like(leaf(table))
        step.flat[1] = 1e-5
        ahead, behind = (look_up(_put(table, old, old + s * step), where) for s in (1, -1))
        rate = np.asarray(leaf(rates)).flat[1]
        np.testing.assert_allclose(rate, (ahead - behind) / 2e-5, rtol=1e-7, atol=1e-9)


def _put(table, old, new):
    return jax.tree.map(lambda leaf: new if leaf is old else leaf, table)


@pytest.mark.long
def test_in_one_kernel():
    table = drawn(np.random.default_rng(413), (4, 3, 2))
    where = {"x0": np.float64(1.9), "x1": np.float64(1.7), "x2": np.float64(table.axes[2].points[0])}

    def f(table, where):
        return coefficient_table.look_up(prepare(table), where)

    options = {**FOR_ALL, "xla_backend_optimization_level": 0}
    found = jax.jit(as_one_kernel(f), compiler_options=options)(table, where)
    np.testing.assert_allclose(found, look_up(table, where), rtol=1e-14)


def test_a_number():
    assert variables(0.3) == ()
    assert coefficient_table.look_up(prepare(0.3), {}) == 0.3
    assert distances_beyond(0.3, {}) == {}
    np.testing.assert_array_equal(coefficient_table.look_up(prepare(np.array([1.0, 2.0])), {}), [1, 2])
