"""Functions of time given by points: straight lines, or the natural spline with continuous second
derivatives."""

from __future__ import annotations

from typing import NamedTuple

from . import tridiagonal
from .arrays import jax, jnp
from .interpolation import at


class Curve(NamedTuple):
    """Points of a table ready for look-up: time (n, *lanes), value (n, *components, *lanes), second
    derivative like value (none where linear). Points that all cases share have no lanes."""

    time: jax.Array
    value: jax.Array
    curvature: jax.Array | None


def curve(time, value, smooth: bool) -> Curve:
    """The curve through points (n, *lanes) and (n, *components, *lanes); `smooth` gives the natural cubic
    spline."""
    time, value = _shared(jnp.asarray(time), jnp.asarray(value))
    if not smooth or time.shape[0] < 3:
        return Curve(time, value, None)
    return Curve(time, value, _natural_spline(time, value))


def _shared(time, value):
    """The same points, without lanes where these are of size one."""
    lanes = time.ndim - 1
    own = value.ndim - lanes
    if any(size > 1 for size in (*time.shape[1:], *value.shape[own:])):
        return time, value
    return time.reshape(time.shape[:1]), value.reshape(value.shape[:own])


def _natural_spline(time, value):
    """Second derivatives at the points, zero at both ends: a tridiagonal system, solved by elimination."""
    h = _column(jnp.diff(time, axis=0), value)
    slope = jnp.diff(value, axis=0) / h
    right = 6 * jnp.diff(slope, axis=0)
    below, middle, above = h[:-1], 2 * (h[:-1] + h[1:]), h[1:]
    inner = tridiagonal.solve(below, middle, above, right)
    end = jnp.zeros((1, *right.shape[1:]))
    return jnp.concatenate([end, inner, end])


def _column(h, like):
    """Numbers of points or intervals (n, *lanes) beside values (n, *components, *lanes)."""
    return h.reshape(h.shape[:1] + (1,) * (like.ndim - h.ndim) + h.shape[1:])


def look_up(points: Curve, t):
    """Value of the curve at time t (*lanes): (*components, *lanes); outside the points it goes on straight,
    at the rate of its end."""
    n, components = points.time.shape[0], points.value.ndim - points.time.ndim
    if n == 1:
        return at(points.value, jnp.zeros(t.shape, int), components)
    lanes = points.time.shape[1:]
    after = jnp.sum(t[None] >= points.time.reshape((n,) + (1,) * (t.ndim - len(lanes)) + lanes), 0)
    i = jnp.clip(after - 1, 0, n - 2)
    t0, t1 = at(points.time, i), at(points.time, i + 1)
    y0, y1 = at(points.value, i, components), at(points.value, i + 1, components)
    h = t1 - t0
    within = jnp.clip(t, points.time[0], points.time[-1])
    a, b = (t1 - within) / h, (within - t0) / h
    rate, value = (y1 - y0) / h, a * y0 + b * y1
    if points.curvature is not None:
        m0, m1 = at(points.curvature, i, components), at(points.curvature, i + 1, components)
        rate = rate + ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * (h / 6)
        value = value + ((a**3 - a) * m0 + (b**3 - b) * m1) * (h * h / 6)
    return value + rate * (t - within)


def look_up_within(points: Curve, t, hold: bool):
    """Like `look_up`, but outside the points the nearest value is held, or the result is zero."""
    first, last = points.time[0], points.time[-1]
    value = look_up(points, jnp.clip(t, first, last))
    return value if hold else jnp.where((t >= first) & (t <= last), value, 0.0)
