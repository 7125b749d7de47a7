"""A fast lower bound of the distance of two bodies, for arrays of poses, from the bounding capsule of each
solid.

This bound uses only sums, products and comparisons of arrays, cases last. The argument `xp` can be numpy or
jax.numpy, so that the bound is also available inside a compiled program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

ROUNDING_PART = 1e-12
"""The difference of two distances by rounding, relative to the size of the bodies: about a thousand
roundings."""
FAR_SURE = 64 * float(np.finfo(float).eps)
"""The difference of two distances by rounding, relative to the coordinates. A distance is computed from about
ten sums of products of coordinates."""


def rounding(size: float, reach: float, place: np.ndarray) -> np.ndarray:
    """Return the difference by rounding (n) [m] of two distances in poses with places (3, n) [m].

    size [m]: of the bodies. reach [m]: largest distance of the bodies from their origins of coordinates."""
    return ROUNDING_PART * size + FAR_SURE * (reach + np.sqrt((place * place).sum(0)))


def capsules(covers: Iterable[tuple[np.ndarray, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return (middles and half axes (2, 3, capsule), radii (capsule)) of capsules that are given by (ends (3,
    2), radius)."""
    all_ends, girths = zip(*covers, strict=True)
    ends = np.stack(all_ends, -1)
    axis = np.stack([0.5 * (ends[:, 0] + ends[:, 1]), 0.5 * (ends[:, 1] - ends[:, 0])])
    return axis, np.array(girths)


def lower_bounds(a: tuple, b: tuple, turn: Any, place: Any, xp: Any = np) -> Any:
    """Return lower bounds (capsule of a, capsule of b, *cases) [m] of the distances of the enclosed solids;
    negative if the capsules overlap.

    a, b: `capsules` of two bodies, with or without cases. turn (3, 3, *cases), place (3, *cases): from the
    structural coordinates of b to those of a."""
    (axis_a, girth_a), (axis_b, girth_b) = a, b
    lanes = place.ndim - 1
    middle_a, half_a = (wide(axis_a[k], 2, lanes)[:, :, None] for k in (0, 1))
    moved = [xp.sum(turn[:, :, None] * wide(axis_b[k], 2, lanes)[None], 1) for k in (0, 1)]
    middle_b, half_b = (moved[0] + place[:, None])[:, None], moved[1][:, None]
    girth = wide(girth_a, 1, lanes)[:, None] + wide(girth_b, 1, lanes)[None]
    return nearest_of_stretches(middle_a, half_a, middle_b, half_b, xp)[0] - girth


def wide(array: Any, lead: int, lanes: int) -> Any:
    """Return an array (lead..., [*cases]) with axes for the cases, if it has none."""
    return array.reshape(*array.shape, *(1,) * (lead + lanes - array.ndim))


def nearest_of_stretches(p: Any, u: Any, q: Any, v: Any, xp: Any = np) -> tuple[Any, Any, Any]:
    """Return (distances, s, t) of the nearest points of two line segments, components first. The points are p
    + s u and q + t v, with s and t from -1 to 1. Interior points are on the common normal of both lines.
    Otherwise one of the points is an end."""
    gap = p - q
    uu, vv, uv = xp.sum(u * u, 0), xp.sum(v * v, 0), xp.sum(u * v, 0)
    gu, gv = xp.sum(gap * u, 0), xp.sum(gap * v, 0)
    across = uu * vv - uv * uv

    def clip(top: Any, bottom: Any) -> Any:
        usable = bottom > 0
        return xp.where(usable, xp.clip(top / xp.where(usable, bottom, 1.0), -1.0, 1.0), 0.0)

    def with_s(s: Any) -> Any:
        t = clip(gv + s * uv, vv)
        away = gap + s * u - t * v
        return xp.sum(away * away, 0), s + 0.0 * t, t

    def with_t(t: Any) -> Any:
        s = clip(t * uv - gu, uu)
        away = gap + s * u - t * v
        return xp.sum(away * away, 0), s, t + 0.0 * s

    def nearer(one: Any, other: Any) -> Any:
        take = other[0] < one[0]
        return tuple(xp.where(take, b, a) for a, b in zip(one, other, strict=True))

    skew = across > 1e-12 * uu * vv
    best = with_s(xp.where(skew, xp.clip((uv * gv - vv * gu) / xp.where(skew, across, 1.0), -1.0, 1.0), 0.0))
    for end in (-1.0, 1.0):
        best = nearer(nearer(best, with_s(end)), with_t(end))
    return xp.sqrt(best[0]), best[1], best[2]
