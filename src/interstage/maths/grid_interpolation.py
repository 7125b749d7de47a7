"""Interpolate functions of several variables on a grid.

The functions are linear, monotone cubics, tensor-product splines, or smooth curves that stay within the range
of each cell's corner values.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from . import interpolation, range_limits
from .arrays import any_jax, entries, jnp, jvp

Kind = Literal["smooth", "cubic", "monotone", "linear"]
NEARLY = 1e-10
"""Tolerance of the ends of an axis, relative to its length. The tolerance is a tenth of the default tolerance
of flights, and above the rounding errors of variables.

For example, an angle of zero from atan2 can be -4e-16 rad. An altitude of zero from a position of the size of
the Earth's radius can be -1e-9 m.
"""


class Grid(NamedTuple):
    """A grid prepared for evaluation.

    - points: points of each axis, (n,) or (n, cases).
    - rows (grid point * cases, coefficient): coefficients for each grid point in row-major order and each
      case. If the rows have one case, it is valid for all cases. The coefficients are the value, and slopes
      and second derivatives if the kind of the function needs them.
    """

    points: tuple[Any, ...]
    rows: Any


def lane_free(leaf: Any) -> Any:
    """Return an array (*cases) without a case axis of size one."""
    leaf = jnp.asarray(leaf, float)
    return leaf.reshape(()) if leaf.shape == (1,) else leaf


def grid(points: tuple[Any, ...], values: Any, kind: Kind) -> Grid:
    """Return the prepared function of a kind from its values at the grid points.

    - points: points of each axis, (n,) or (n, cases).
    - values: (n1, ..., nd) or (n1, ..., nd, cases).
    """
    return grid_of(points, numbers(points, values, kind))


def numbers(points: tuple[Any, ...], values: Any, kind: Kind) -> Any:
    """Return the coefficients of a function at the grid points, (coefficient, n1, ..., nd, cases). For the
    arguments see `grid`.
    """
    where, values = _with_lanes(points), jnp.asarray(values, float)
    table = values.reshape(1, *values.shape[: len(where)], -1)  # (number, n1, ..., nd, cases)
    if kind == "smooth":
        for k in range(len(where)):
            table = _in_range(where, table, k)
    if kind == "cubic":
        for k, x in enumerate(where):
            table = _interleave(table, _along(k, table, lambda y, x=x: _bends(x, y)))
    if kind == "monotone":
        table = _interleave(table, _along(len(where) - 1, table, lambda y: _slopes(where[-1], y)))
    return table


def grid_of(points: tuple[Any, ...], table: Any) -> Grid:
    """Return the prepared function from its coefficients `table` (see `numbers`)."""
    rows = jnp.moveaxis(jnp.asarray(table), 0, -1).reshape(-1, table.shape[0])
    return Grid(tuple(p[:, 0] if p.shape[1] == 1 else p for p in _with_lanes(points)), rows)


def _with_lanes(points: tuple[Any, ...]) -> list[Any]:
    """Points (n, cases) of each axis."""
    return [jnp.asarray(p, float).reshape(p.shape[0], -1) for p in points]


def _interleave(table, *derived):
    """Each number of the table followed by those derived from it."""
    table = jnp.broadcast_to(table, derived[0].shape)
    return jnp.stack([table, *derived], 1).reshape(-1, *table.shape[1:])


def _along(k, table, derive):
    """What `derive` makes of (n, ...) along axis k of the grid."""
    return jnp.moveaxis(derive(jnp.moveaxis(table, k + 1, 0)), 0, k + 1)


def _bends(x, y):
    """Second derivatives of the splines through y (n, ..., cases) at x (n, cases).

    Not the natural spline, whose second derivative is zero at both ends: it is off by the square of the
    spacing there, and flattens the ends of a table. The one without a knot at the second and the last but one
    point (not-a-knot) gives cubics back as they are, three points a parabola, two a line."""
    bend = interpolation.knots(x, y, "cubic", components=y.ndim - 2).bend
    return jnp.zeros_like(y) if bend is None else bend


# --- curves that stay in range ------------------------------------------------------------------------------


def _in_range(where, table, k):
    """Each number of the table (3^k, n1, ..., nd, batch) followed by its slope and its second derivative
    along axis k. They are those of splines, limited at each grid point by one set of factors for all numbers.
    The factors hold for all ordinates (see `range_limits`) that surround the point in the cells of the axes
    before: along axis k each of them stays between its neighbours. Hence all ordinates of a cell are between
    its corners, and so is the function."""
    x, y = where[k], jnp.moveaxis(table, k + 1, 0)  # (n, number, the other axes, batch)
    y = jnp.broadcast_to(y, (*y.shape[:-1], max(x.shape[-1], y.shape[-1])))
    bend = _bends(x, y)
    h = jnp.diff(x, axis=0)
    h = h.reshape(h.shape[:1] + (1,) * (y.ndim - 2) + h.shape[1:])
    slope = interpolation.slopes(x.reshape(x.shape[:1] + h.shape[1:-1] + x.shape[1:]), y, bend)
    found = _limits(where, h, (y, slope, bend), k)
    slope, bend = range_limits.apply_limits(found, h, y, slope, bend)
    return _interleave(*(jnp.moveaxis(part, 0, k + 1) for part in (y, slope, bend)))


AT_ONCE = 1 << 16
"""Number of values that are limited together, so that they fit into the cache of a processor. Traced values
are always limited all together.
"""


def _limits(where, h, around, k):
    """Limits (n_k, 1, the other axes, batch) along axis k of values, slopes and second derivatives (n_k, 3^k,
    the other axes, batch), from all ordinates around each grid point."""
    n, _, *rest = around[0].shape
    points = math.prod(rest[:-1])
    flat = [part.reshape(n, -1, points, rest[-1]) for part in around]
    spans = [_spans(x, j, rest) for j, x in enumerate(where[:k])]
    many = 1 if any_jax(around) else -(-n * 5**k * points * rest[-1] // AT_ONCE)
    step = -(-points // many) if points else 1
    h = h.reshape(h.shape[0], 1, 1, -1)
    found = []
    for first in range(0, points, step):
        some = slice(first, first + step)
        own = (_ordinates([span[:, some] for span in spans], part[:, :, some]) for part in flat)
        found.append(range_limits.limits(h, *own))
    whole = (jnp.concatenate(parts, 1).reshape(n, 1, *rest) for parts in zip(*found, strict=True))
    return range_limits.Limits(*whole)


def _spans(x, j, rest):
    """Steps (2, grid point, batch) to the next points before and behind along axis j, zero beyond the ends.

    x: points of the axis. rest: sizes of the other axes and of the batch."""
    h, none = jnp.diff(x, axis=0), jnp.zeros_like(x[:1])
    steps = jnp.stack([-jnp.concatenate([none, h]), jnp.concatenate([h, none])])
    steps = steps.reshape((2,) + (1,) * j + x.shape[:1] + (1,) * (len(rest) - j - 2) + x.shape[1:])
    return jnp.broadcast_to(steps, (2, *rest)).reshape(2, -1, rest[-1])


def _ordinates(spans, numbers):
    """The ordinates (n, 5^k, grid point, batch) around each grid point: two before and two behind it along k
    axes.

    numbers: values, slopes and second derivatives (n, 3^k, grid point, batch); spans: steps
    along each axis."""
    rest = numbers.shape[2:]
    numbers = numbers.reshape(numbers.shape[:1] + (3,) * len(spans) + rest)
    for before, behind in spans:
        f, s, m = jnp.moveaxis(numbers, 1, 0)
        far, near = ([f + g * s / 5, f + 2 * g * s / 5 + g * g * m / 20] for g in (before, behind))
        numbers = jnp.stack([far[1], far[0], f, *near], len(spans))
    return numbers.reshape((numbers.shape[0], -1, *rest))


# --- slopes of monotone cubics ------------------------------------------------------------------------------


def _inner_slope(h0, h1, d0, d1):
    """Slope at a point between intervals of widths h and secants d: the weighted harmonic mean, zero where
    the secants differ in sign (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5 (1984), 300, with the
    weights of PCHIP)."""
    w0, w1 = h0 + 2 * h1, 2 * h0 + h1
    same = d0 * d1 > 0
    below = jnp.where(same, w0 * d1 + w1 * d0, 1.0)
    return jnp.where(same, 3 * (h0 + h1) * d0 * (d1 / below), 0.0)


def _end_slope(h0, h1, d0, d1):
    """Slope at an end, whose interval is h0: the slope of the parabola through three points, limited so that
    the curve stays monotone (Moler, Numerical Computing with MATLAB, section 3.6)."""
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    slope = jnp.where(slope * d0 > 0, slope, 0.0)
    return jnp.where((d0 * d1 <= 0) & (jnp.abs(slope) > 3 * jnp.abs(d0)), 3 * d0, slope)


def _slopes(x, y):
    """Slopes of the monotone cubics through y (n, ..., cases) at x (n, cases)."""
    h = jnp.diff(x, axis=0)
    h = h.reshape(h.shape[:1] + (1,) * (y.ndim - 2) + h.shape[1:])
    d = jnp.diff(y, axis=0) / h
    if y.shape[0] == 2:
        return jnp.concatenate([d, d])
    h = jnp.broadcast_to(h, d.shape)
    first, last = (_end_slope(h[i], h[j], d[i], d[j])[None] for i, j in ((0, 1), (-1, -2)))
    return jnp.concatenate([first, _inner_slope(h[:-1], h[1:], d[:-1], d[1:]), last])


# --- look-up ------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Location of an evaluation along one axis, each (..., *cases).

    - cell: index of the interval. width: width of the interval.
    - fraction: position in the interval, 0 to 1.
    - beyond: distance beyond the end of the axis for linear extrapolation; zero inside.
    """

    cell: Any
    width: Any
    fraction: Any
    beyond: Any


def ends(points: Any, t: Any) -> tuple[Any, Any]:
    """Return the first and the last point of an axis, in shapes that broadcast with t.

    t has the shape (..., *cases).
    """
    knots = interpolation.Knots(points, None, None)
    return interpolation.first(knots, t), interpolation.last(knots, t)


def distance_beyond(points: Any, t: Any) -> Any:
    """Return the distance of t (..., *cases) beyond an end of an axis: negative below, positive above, zero
    inside."""
    low, high = ends(points, t)
    slack = NEARLY * (high - low)
    return jnp.where(t < low - slack, t - low, jnp.where(t > high + slack, t - high, 0.0))


def place(points: Any, t: Any, outside: str) -> Place:
    """Return the location of t (..., *cases) along an axis.

    outside: treatment of values beyond the ends. "hold": the end value applies. "refuse": values are clamped
    to the ends with a small margin, so that results are finite until the value is rejected. Other values:
    linear extrapolation.
    """
    low, high = ends(points, t)
    if outside == "refuse":
        slack = NEARLY * (high - low)
        t = interpolation.clamp(t, low - slack, high + slack)
    within = interpolation.clamp(t, low, high)
    i = interpolation.cell(interpolation.Knots(points, None, None), within)
    start = interpolation.at(points, i)
    width = interpolation.at(points, i + 1) - start
    beyond = jnp.zeros_like(t) if outside == "hold" else t - within
    return Place(i, width, (within - start) / width, beyond)


def look_up(ready: Grid, places: list[Place], kind: Kind, straight: bool = False) -> Any:
    """Return the value of a function at locations (..., *cases), one location for each axis.

    straight: true if locations may be beyond an end by more than rounding, so that the function is
    extrapolated linearly.
    """
    if kind != "monotone":
        nodes = [jnp.stack([p.cell, p.cell + 1]) for p in places]
        found = _gather(ready, nodes)
        for p in reversed(places):
            found = _reduce(found, _WEIGHTS[kind](p))
        return found[0, ..., 0]
    if not straight:
        return _monotone(ready, places)

    # Rows that go on straight would not make a surface that does: it is not a linear function of them.
    def inside(fractions):
        pairs = zip(places, fractions, strict=True)
        return _monotone(ready, [p._replace(fraction=f, beyond=jnp.zeros_like(f)) for p, f in pairs])

    value, change = jvp(inside, ([p.fraction for p in places],), ([p.beyond / p.width for p in places],))
    return value + change


def _four(i, n):
    """Points around interval i (...), (4, ...), the nearest one again where there is none."""
    return jnp.stack([jnp.maximum(i - 1, 0), i, i + 1, jnp.minimum(i + 2, n - 1)])


def _gather(ready: Grid, nodes):
    """The numbers of grid points, (points, ..., *cases, number): all combinations of nodes (few, ..., *cases)
    of each axis."""
    sizes = [p.shape[0] for p in ready.points]
    index = jnp.zeros((1, *nodes[0].shape[1:]), int)
    for node, size in zip(nodes, sizes, strict=True):
        index = (index[:, None] * size + node[None]).reshape(-1, *node.shape[1:])
    lanes = ready.rows.shape[0] // math.prod(sizes)
    if lanes > 1:
        index = index * lanes + jnp.arange(lanes)
    return entries(ready.rows, index)


def _reduce(found, weights):
    """Numbers (points, ..., *cases, number) reduced along their last axis of the grid, by weights
    (2, few, ..., *cases) of the value and the derivatives at its two points."""
    few = weights.shape[1]
    found = found.reshape(-1, 2, *found.shape[1:-1], found.shape[-1] // few, few)
    terms = [found[:, i, ..., j] * weights[i, j][..., None] for i in range(2) for j in range(few)]
    return sum(terms[1:], terms[0])


def _line_weights(p: Place):
    b = p.fraction + p.beyond / p.width
    return jnp.stack([1 - b, b])[:, None]


def _cubic_weights(p: Place):
    """Of values and second derivatives at both ends of an interval (de Boor, A Practical Guide to Splines,
    chapter IV); beyond the ends with their slopes."""
    b, h = p.fraction, p.width
    a, c = 1 - b, p.beyond / p.width
    third = h * h / 6
    return jnp.stack(
        [
            jnp.stack([a - c, ((a**3 - a) + (1 - 3 * a * a) * c) * third]),
            jnp.stack([b + c, ((b**3 - b) + (3 * b * b - 1) * c) * third]),
        ]
    )


def _quintic_weights(p: Place):
    """Of values, slopes and second derivatives at both ends of an interval; beyond the ends with their
    slopes."""
    b, h = p.fraction, p.width
    a, c = 1 - b, p.beyond / p.width
    square = a * a * b * b
    later = b**3 * (10 - 15 * b + 6 * b * b) + 30 * square * c
    return jnp.stack(
        [
            jnp.stack([1 - later, *_end_weights(a, b, c, h)]),
            jnp.stack(
                [later, *(sign * w for sign, w in zip((-1, 1), _end_weights(b, a, -c, h), strict=True))]
            ),
        ]
    )


def _end_weights(a, b, c, h):
    """Weights of slope and second derivative at the nearer end. a: fraction to the opposite end."""
    slope = a**3 * b * (1 + 3 * b) + a * a * (1 + (2 - 15 * b) * b) * c
    bend = 0.5 * a**3 * b * b + a * a * b * (1 - 2.5 * b) * c
    return slope * h, bend * h * h


_WEIGHTS = {"smooth": _quintic_weights, "cubic": _cubic_weights, "linear": _line_weights}


def _hermite_weights(p: Place):
    """Of values and slopes at both ends of an interval; beyond the ends with their slopes."""
    b, h = p.fraction, p.width
    a, c = 1 - b, p.beyond / p.width
    later = b * b * (3 - 2 * b) + 6 * a * b * c
    return jnp.stack(
        [
            jnp.stack([1 - later, (a * a * b + a * (a - 2 * b) * c) * h]),
            jnp.stack([later, (-a * b * b + b * (b - 2 * a) * c) * h]),
        ]
    )


def _monotone(ready: Grid, places: list[Place]):
    """Monotone cubics, one axis after the other, the last one first: there the slopes are known."""
    *outer, p = places
    sizes = [points.shape[0] for points in ready.points]
    nodes = [_four(q.cell, n) for q, n in zip(outer, sizes[:-1], strict=True)]
    found = _gather(ready, [*nodes, jnp.stack([p.cell, p.cell + 1])])
    found = _reduce(found, _hermite_weights(p))[..., 0]
    for q, points in zip(reversed(outer), reversed(ready.points[:-1]), strict=True):
        found = _monotone_along(found, q, points)
    return found[0]


def _monotone_along(found, p: Place, points):
    """Values (points, ..., *cases) reduced along their last axis, of whose four points around the place they
    are."""
    found = found.reshape(-1, 4, *found.shape[1:])
    x = [interpolation.at(points, i) for i in _four(p.cell, points.shape[0])]
    first, last = p.cell == 0, p.cell == points.shape[0] - 2
    h = [x[1] - x[0], p.width, x[3] - x[2]]
    h = [jnp.where(first, p.width, h[0]), p.width, jnp.where(last, p.width, h[2])]
    d = [(found[:, k + 1] - found[:, k]) / h[k] for k in range(3)]
    # As if the end interval came once more, which makes the line of two points, too.
    d = [jnp.where(first, d[1], d[0]), d[1], jnp.where(last, d[1], d[2])]
    start = jnp.where(first, _end_slope(h[1], h[2], d[1], d[2]), _inner_slope(h[0], h[1], d[0], d[1]))
    stop = jnp.where(last, _end_slope(h[1], h[0], d[1], d[0]), _inner_slope(h[1], h[2], d[1], d[2]))
    w = _hermite_weights(p)
    return w[0, 0] * found[:, 1] + w[1, 0] * found[:, 2] + w[0, 1] * start + w[1, 1] * stop
