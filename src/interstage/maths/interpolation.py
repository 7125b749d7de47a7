"""Functions of one variable from points, for example of altitude: linear, or smooth with continuous second
derivatives.

The points may depend on the case. Kinds:

- "linear": straight lines between the points.
- "cubic": cubic spline without knots at the second and the second-last point (not-a-knot; de Boor, A
  Practical Guide to Splines, chapter IV); a parabola for three points. The spline may leave the range of its
  points.
- "smooth": the cubic spline limited by `range_limits`, so that each interval stays between its two end
  values, component by component.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import range_limits, tridiagonal
from .arrays import entries, jnp


class Knots(NamedTuple):
    """Points of a function, prepared for evaluation.

    - where (n, *cases): increasing points.
    - value (n, *components, *cases): values.
    - bend: second derivatives, shape of `value`; None for "linear".
    - slope: slopes, shape of `value`; only for "smooth".

    Each array may be without case axes.
    """

    where: Any
    value: Any
    bend: Any
    slope: Any = None


def knots(where: Any, value: Any, kind: str, components: int = 0) -> Knots:
    """Return the prepared function through points; see the module for the kinds.

    - where (n, *cases): increasing points.
    - value (n, *components, *cases): values.
    - components: number of component axes.
    """
    where, value = jnp.asarray(where, float), jnp.asarray(value, float)
    if kind == "linear" or where.shape[0] < 3:
        return Knots(where, value, None)
    # Both (n, *components, *cases), cases of size one where there are none.
    lanes = max(where.ndim - 1, value.ndim - 1 - components)
    x = where.reshape(where.shape[:1] + (1,) * components + (where.shape[1:] or (1,) * lanes))
    y = value.reshape(value.shape[: 1 + components] + (value.shape[1 + components :] or (1,) * lanes))
    bend = _bend(x, y)
    return Knots(where, y, *in_range(x, y, bend)) if kind == "smooth" else Knots(where, y, bend)


def in_range(x: Any, y: Any, bend: Any) -> tuple[Any, Any]:
    """Return second derivatives and slopes of quintics that stay within the range of y (n, ...) in each
    interval.

    - x: points. y: values.
    - bend: second derivatives of the cubic spline through the points.
    """
    y = jnp.broadcast_to(y, bend.shape)
    h, slope = jnp.diff(x, axis=0), slopes(x, y, bend)
    found = range_limits.limits(h[:, None], y[:, None], slope[:, None], bend[:, None])
    slope, bend = range_limits.apply_limits(found, h, y, slope, bend)
    return bend, slope


def slopes(x: Any, y: Any, bend: Any) -> Any:
    """Return the slopes of a cubic spline at its points, shape of y.

    - x: points. y (n, ...): values. bend: second derivatives, shape of y.
    """
    h = jnp.diff(x, axis=0)
    d = jnp.diff(y, axis=0) / h
    last = d[-1:] + h[-1:] * (bend[-2:-1] + 2 * bend[-1:]) / 6
    return jnp.concatenate([d - h * (2 * bend[:-1] + bend[1:]) / 6, last])


def _bend(x, y):
    """Second derivatives at the points: a tridiagonal system for the inner ones, solved by elimination."""
    h = jnp.diff(x, axis=0)
    right = 6 * jnp.diff(jnp.diff(y, axis=0) / h, axis=0)
    if y.shape[0] == 3:
        return jnp.broadcast_to(right / (3 * (h[:1] + h[1:])), (3, *right.shape[1:]))
    below, middle, above = h[:-1], 2 * (h[:-1] + h[1:]), h[1:]
    # The second derivative is one straight line over the first two intervals, and over the last two.
    first, last = h[0] / h[1], h[-1] / h[-2]
    row = jnp.arange(middle.shape[0]).reshape((-1,) + (1,) * (middle.ndim - 1))
    top, bottom = row == 0, row == middle.shape[0] - 1
    middle = middle + jnp.where(top, h[0] * (1 + first), 0) + jnp.where(bottom, h[-1] * (1 + last), 0)
    above = above - jnp.where(top, h[0] * first, 0)
    below = below - jnp.where(bottom, h[-1] * last, 0)
    rows = (jnp.broadcast_to(a, right.shape) for a in (below, middle, above))
    inner = tridiagonal.solve(*rows, right)
    head = (1 + first) * inner[0] - first * inner[1]
    tail = (1 + last) * inner[-1] - last * inner[-2]
    return jnp.concatenate([head[None], inner, tail[None]])


def clamp(t: Any, low: Any, high: Any) -> Any:
    """Return t limited to the range from `low` to `high`. On a bound, the derivative is 1 (jnp.clip has
    0.5).
    """
    return jnp.where(t < low, low, jnp.where(t > high, high, t))


def smooth_step(x: Any) -> Any:
    """Return 0 for x <= 0, 1 for x >= 1, and between a polynomial; two derivatives are continuous."""
    x = clamp(x, 0.0, 1.0)
    return x**3 * (10 - 15 * x + 6 * x * x)


def cell(points: Knots, t: Any) -> Any:
    """Return the index of the interval that contains t (..., *cases). Beyond the ends, return the first or
    last interval.
    """
    where = points.where
    if where.shape[0] > MOST_COMPARED:
        return _bisect(where, t)
    where = where.reshape(where.shape[:1] + (1,) * (t.ndim - where.ndim + 1) + where.shape[1:])
    return jnp.clip(jnp.sum(t[None] >= where, 0) - 1, 0, where.shape[0] - 2)


def kinks(points: Any, linear: bool) -> Any:
    """Return the points at which the slope of a table jumps, if the end values are held outside.

    The result contains all points (n, *cases) of a linear table, and only the ends of other tables.
    """
    return points if linear else points[:: points.shape[0] - 1]


BEYOND = 0.999
"""Maximum distance beyond the ends of the location that `place` returns. This distance is below 1, so that no
further integer is crossed.
"""


def place(points: Any, t: Any) -> Any:
    """Return the location of t (..., *cases) among increasing points (n, *cases): k at point k, linear
    between points.

    Beyond the ends the location continues, but changes by less than one. For a single point, the location is
    the distance from the point divided by `LONE`.
    """
    points = jnp.asarray(points, float)
    if points.shape[0] == 1:
        return clamp((t - points[0]) / LONE, -BEYOND, BEYOND)
    there = Knots(points, None, None)
    i = cell(there, t)
    start = at(points, i)
    found = i + (t - start) / (at(points, i + 1) - start)
    return clamp(found, -BEYOND, points.shape[0] - 1 + BEYOND)


class Interval(NamedTuple):
    """Interval of table points that contains a variable, each (..., *cases).

    - at: value of the variable.
    - low, high: adjacent points; infinite beyond the ends.
    - width: width of the interval; beyond the ends the mean of all widths.
    - period: period of the variable; infinite if it does not repeat."""

    at: Any
    low: Any
    high: Any
    width: Any
    period: Any


def interval(points: Any, t: Any, period: float = np.inf) -> Interval:
    """Return the interval of increasing points (n, *cases) that contains t (..., *cases).

    period: period of the variable; infinite if it does not repeat.
    """
    points = jnp.asarray(points, float)
    few = points.shape[0]
    mean = (points[-1] - points[0]) / (few - 1) if few > 1 else LONE
    if few > MOST_COMPARED:
        i = cell(Knots(points, None, None), t)
        start, end = at(points, i), at(points, i + 1)
        low = jnp.where(t >= end, end, jnp.where(t >= start, start, -jnp.inf))
        high = jnp.where(t < start, start, jnp.where(t < end, end, jnp.inf))
    else:
        points = points.reshape(few, *(1,) * (t.ndim - points.ndim + 1), *points.shape[1:])
        low = jnp.max(jnp.where(t >= points, points, -jnp.inf), 0)
        high = jnp.min(jnp.where(t < points, points, jnp.inf), 0)
    width = high - low
    return Interval(t, low, high, jnp.where(width < jnp.inf, width, mean), period)


LONE = 1e6
"""Divisor of the distance from a single point in `place`. The divisor is larger than distances near an
event."""

MOST_COMPARED = 128
"""Largest number of points that are all compared with t. The comparison is as fast as bisection, and compiles
faster.
"""


def _bisect(where, t):
    """The interval by bisection, with one step for each bit of its number."""
    most = where.shape[0] - 2
    i, step = jnp.zeros(t.shape, int), 1 << (most.bit_length() - 1)
    while step:
        further = jnp.minimum(i + step, most)
        i = jnp.where(t >= at(where, further), further, i)
        step //= 2
    return i


def at(field: Any, i: Any, components: int = 0) -> Any:
    """Return the elements at indices i (..., *cases) of a field (n, *components, *cases), with shape
    (*components, ..., *cases).
    """
    shape = field.shape[: 1 + components]
    lanes = field.shape[1 + components :]
    if not lanes or lanes == (1,):
        found = entries(field.reshape(shape), i)
        if not (i.ndim and components):
            return found
        return jnp.moveaxis(found, tuple(range(i.ndim)), tuple(range(-i.ndim, 0)))
    field = field.reshape(shape + (1,) * (i.ndim - len(lanes)) + lanes)
    index = jnp.broadcast_to(i, i.shape).reshape((1,) * (1 + components) + i.shape)
    return jnp.take_along_axis(field, index, 0)[0]


class Piece(NamedTuple):
    """Polynomials of intervals (..., *batch).

    - low, width: start and width of each interval.
    - value: values at both ends.
    - bend: second derivatives at both ends; None for "linear".
    - ends: slopes at both ends; only for "smooth".
    """

    low: Any
    width: Any
    value: tuple[Any, Any]
    bend: tuple[Any, Any] | None
    ends: tuple[Any, Any] | None = None

    def at(self, t: Any) -> Any:
        """Return the value at t (..., *cases). If the function has no components, t may have further axes in
        front.
        """
        b = (t - self.low) / self.width
        a = 1 - b
        straight = a * self.value[0] + b * self.value[1]
        if self.bend is None:
            return straight
        if self.ends is not None:
            return straight + self._bow(a, b)
        bent = (a**3 - a) * self.bend[0] + (b**3 - b) * self.bend[1]
        return straight + bent * (self.width * self.width / 6)

    def slope(self, t: Any) -> Any:
        """Return the first derivative at t (..., *cases)."""
        b = (t - self.low) / self.width
        chord = (self.value[1] - self.value[0]) / self.width
        if self.bend is None:
            return jnp.broadcast_to(chord, jnp.broadcast_shapes(chord.shape, b.shape))
        a = 1 - b
        if self.ends is not None:
            bent = a * a * b * (1 - 2.5 * b) * self.bend[0] - b * b * a * (1 - 2.5 * a) * self.bend[1]
            first, last = (x * x * (1 + (2 - 15 * y) * y) for x, y in ((a, b), (b, a)))
            return chord + first * (self.ends[0] - chord) + last * (self.ends[1] - chord) + bent * self.width
        bent = (1 - 3 * a * a) * self.bend[0] + (3 * b * b - 1) * self.bend[1]
        return chord + bent * (self.width / 6)

    def _bow(self, a: Any, b: Any) -> Any:
        """How far a quintic is from the straight line, by its slopes and second derivatives at the ends."""
        assert self.ends is not None
        assert self.bend is not None
        chord = (self.value[1] - self.value[0]) / self.width
        first = a * (1 + 3 * b) * (self.ends[0] - chord) + 0.5 * self.width * a * b * self.bend[0]
        last = b * (1 + 3 * a) * (self.ends[1] - chord) - 0.5 * self.width * a * b * self.bend[1]
        return a * b * self.width * (a * first - b * last)


def piece(points: Knots, i: Any, components: int = 0) -> Piece:
    """Return the polynomials of the intervals with indices i (..., *cases).

    components: number of component axes of the function.
    """
    low = at(points.where, i)
    width = at(points.where, i + 1) - low

    def both(field: Any) -> Any:
        return None if field is None else (at(field, i, components), at(field, i + 1, components))

    return Piece(low, width, both(points.value), both(points.bend), both(points.slope))


def integrals(points: Knots) -> Any:
    """Return the exact integral of a function without components over each interval (n - 1, *batch)."""
    y, h = points.value, jnp.diff(points.where, axis=0)
    lines = h * (y[:-1] + y[1:]) / 2
    if points.bend is None:
        return lines
    if points.slope is None:
        return lines - h**3 * (points.bend[:-1] + points.bend[1:]) / 24
    lines = lines - h**2 * jnp.diff(points.slope, axis=0) / 10
    return lines + h**3 * (points.bend[:-1] + points.bend[1:]) / 120


def look_up(points: Knots, t: Any, components: int = 0) -> Any:
    """Return the value of a function at t (..., *cases), with shape (*components, ..., *cases). Beyond the
    ends, the end value is held.

    components: number of component axes of the function.
    """
    t = jnp.asarray(t, float)
    if points.where.shape[0] == 1:
        return at(points.value, jnp.zeros(t.shape, int), components)
    t = clamp(t, first(points, t), last(points, t))
    return piece(points, cell(points, t), components).at(t)


def first(points: Knots, t: Any) -> Any:
    """Return the first point, in the shape for comparisons with t (..., *cases)."""
    return points.where[0] if points.where.ndim == 1 else jnp.broadcast_to(points.where[0], t.shape)


def last(points: Knots, t: Any) -> Any:
    """Return the last point, in the shape for comparisons with t (..., *cases)."""
    return points.where[-1] if points.where.ndim == 1 else jnp.broadcast_to(points.where[-1], t.shape)
