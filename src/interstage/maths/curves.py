"""Functions of time given by points: straight lines, or the natural spline with continuous second
derivatives."""

from __future__ import annotations

from typing import NamedTuple

from . import tridiagonal
from .arrays import entries, jax, jnp


class Curve(NamedTuple):
    """Points of a table ready for look-up: time (n,), value (n, ...), second derivative (n, ...) (zero
    where linear)."""

    time: jax.Array
    value: jax.Array
    curvature: jax.Array


def curve(time, value, smooth: bool) -> Curve:
    """The curve through the points; `smooth` gives the natural cubic spline."""
    time, value = jnp.asarray(time), jnp.asarray(value)
    if not smooth or time.shape[0] < 3:
        return Curve(time, value, jnp.zeros_like(value))
    return Curve(time, value, _natural_spline(time, value))


def _natural_spline(time, value):
    """Second derivatives at the points, zero at both ends: a tridiagonal system, solved by elimination."""
    h = jnp.diff(time)
    slope = jnp.diff(value, axis=0) / _column(h, value)
    right = 6 * jnp.diff(slope, axis=0)
    below, middle, above = h[:-1], 2 * (h[:-1] + h[1:]), h[1:]
    inner = tridiagonal.solve(below, middle, above, right)
    end = jnp.zeros((1, *value.shape[1:]))
    return jnp.concatenate([end, inner, end])


def _column(h, like):
    return h.reshape(h.shape + (1,) * (like.ndim - 1))


def look_up(points: Curve, t):
    """Value of the curve at time t (*lanes); outside the points it goes on straight, at the rate of its end.

    The table's own components come first: (*components, *lanes). Tables have no lanes.
    """
    n = points.time.shape[0]
    if n == 1:
        return _spread(points.value[0], t)
    after = jnp.sum(t[None] >= points.time.reshape((n,) + (1,) * t.ndim), 0)
    i = jnp.clip(after - 1, 0, n - 2)
    t0, t1 = entries(points.time, i), entries(points.time, i + 1)

    def at(field, k):
        return jnp.moveaxis(entries(field, k), tuple(range(t.ndim)), tuple(range(-t.ndim, 0)))

    y0, y1 = at(points.value, i), at(points.value, i + 1)
    m0, m1 = at(points.curvature, i), at(points.curvature, i + 1)
    h = t1 - t0
    within = jnp.clip(t, points.time[0], points.time[-1])
    a, b = (t1 - within) / h, (within - t0) / h
    rate = (y1 - y0) / h + ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * (h / 6)
    bent = a * y0 + b * y1 + ((a**3 - a) * m0 + (b**3 - b) * m1) * (h * h / 6)
    return bent + rate * (t - within)


def _spread(value, t):
    return jnp.broadcast_to(value.reshape(value.shape + (1,) * t.ndim), value.shape + t.shape)


def look_up_within(points: Curve, t, hold: bool):
    """Like `look_up`, but outside the points the nearest value is held, or the result is zero."""
    first, last = points.time[0], points.time[-1]
    value = look_up(points, jnp.clip(t, first, last))
    return value if hold else jnp.where((t >= first) & (t <= last), value, 0.0)
