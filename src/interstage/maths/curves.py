"""Functions of time from points: linear, natural cubic spline, or a spline limited to the range of the
points.

Both splines have continuous second derivatives.
"""

from __future__ import annotations

from typing import NamedTuple

from . import tridiagonal
from .arrays import jax, jnp
from .interpolation import Knots, at, in_range, piece


class Curve(NamedTuple):
    """Points of an interpolated function, prepared for evaluation.

    - time: abscissae (n, *cases).
    - value: ordinates (n, *components, *cases).
    - curvature: second derivatives, shape of value; None for linear interpolation.
    - slope: first derivatives, shape of value; only if the function is limited to the range of its points.

    If all cases share the points, the case axis is absent."""

    time: jax.Array
    value: jax.Array
    curvature: jax.Array | None
    slope: jax.Array | None = None


def curve(time, value, kind: str) -> Curve:
    """Return the function through points as `through`, without case axes of size one."""
    return drop_shared_axes(through(time, value, kind))


def drop_shared_axes(points: Curve) -> Curve:
    """Return the same function without case axes of size one."""
    lanes = points.time.ndim - 1
    if not lanes or any(size > 1 for part in points if part is not None for size in part.shape[-lanes:]):
        return points
    time, value, *rest = (None if part is None else part.reshape(part.shape[:-lanes]) for part in points)
    assert time is not None
    assert value is not None
    return Curve(time, value, *rest)


def through(time, value, kind: str) -> Curve:
    """Return the function through the points time (n, *cases), value (n, *components, *cases).

    kind: "linear", "cubic" (natural cubic spline), or "smooth" (the cubic spline, limited so that each
    interval stays between its two end values)."""
    time, value = jnp.asarray(time), jnp.asarray(value)
    if kind == "linear" or time.shape[0] < 3:
        return Curve(time, value, None)
    curvature = _natural_spline(time, value)
    if kind == "cubic":
        return Curve(time, value, curvature)
    where = _column(time, value)
    return Curve(time, value, *in_range(where, value, curvature))


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
    """Numbers of points or intervals (n, *cases), shaped for values (n, *components, *cases)."""
    return h.reshape(h.shape[:1] + (1,) * (like.ndim - h.ndim) + h.shape[1:])


def look_up(points: Curve, t):
    """Return the value of a function at time t (*cases), with shape (*components, *cases).

    Outside the points the function continues linearly with the slope at the end.
    """
    n, components = points.time.shape[0], points.value.ndim - points.time.ndim
    if n == 1:
        return at(points.value, jnp.zeros(t.shape, int), components)
    lanes = points.time.shape[1:]
    after = jnp.sum(t[None] >= points.time.reshape((n,) + (1,) * (t.ndim - len(lanes)) + lanes), 0)
    i = jnp.clip(after - 1, 0, n - 2)
    within = jnp.clip(t, points.time[0], points.time[-1])
    found = piece(Knots(*points), i, components)
    return found.at(within) + found.slope(within) * (t - within)


def look_up_within(points: Curve, t, hold: bool):
    """Return the value of a function at time t (*cases), with shape (*components, *cases).

    Outside the points the value is the end value if `hold` is true, otherwise zero.
    """
    first, last = points.time[0], points.time[-1]
    value = look_up(points, jnp.clip(t, first, last))
    return value if hold else jnp.where((t >= first) & (t <= last), value, 0.0)
