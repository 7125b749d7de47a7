"""A fast lower bound of the distance of two bodies in many poses, from a bounding capsule around each solid.

The computation uses only sums, products and comparisons of arrays, case axes last. The argument `xp` is the
array module, numpy or jax.numpy. With jax.numpy, the bound can be used inside a compiled program.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

ROUNDING_PART = 1e-12
"""The rounding error of a distance, divided by the size of the larger body."""
FAR_SURE = 64 * float(np.finfo(float).eps)
"""The rounding error of a distance, divided by the coordinates of the points. A distance is computed from
about ten sums of products of coordinates.
"""


def rounding(size: float, reach: float, place: np.ndarray) -> np.ndarray:
    """Return the largest rounding error of the distance in each pose [m] (n,).

    - size: size of the bodies [m].
    - reach: largest distance of the bodies from the origins of their structural coordinates [m].
    - `place`: relative positions of the bodies in the poses [m] (3, n).
    """
    return ROUNDING_PART * size + FAR_SURE * (reach + np.sqrt((place * place).sum(0)))


def capsules(covers: Iterable[tuple[np.ndarray, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return several capsules as two arrays. The first array contains the middles and the half axes (2, 3,
    capsule). The second array contains the radii (capsule,).

    covers: the capsules as pairs of end points (3, 2) and radius.
    """
    all_ends, girths = zip(*covers, strict=True)
    ends = np.stack(all_ends, -1)
    axis = np.stack([0.5 * (ends[:, 0] + ends[:, 1]), 0.5 * (ends[:, 1] - ends[:, 0])])
    return axis, np.array(girths)


def lower_bounds(a: tuple, b: tuple, turn: Any, place: Any, xp: Any = np) -> Any:
    """Return a lower bound of the distance [m] for each pair of solids (capsule of a, capsule of b, *cases).
    The bound is negative if the capsules overlap.

    - a, b: the results of `capsules` for the two bodies, with or without case axes.
    - `turn` (3, 3, *cases), `place` [m] (3, *cases): rotation and translation from the structural coordinates
      of b to the structural coordinates of a.
    - xp: array module, numpy or jax.numpy.
    """
    (axis_a, girth_a), (axis_b, girth_b) = a, b
    lanes = place.ndim - 1
    middle_a, half_a = (wide(axis_a[k], 2, lanes)[:, :, None] for k in (0, 1))
    moved = [xp.sum(turn[:, :, None] * wide(axis_b[k], 2, lanes)[None], 1) for k in (0, 1)]
    middle_b, half_b = (moved[0] + place[:, None])[:, None], moved[1][:, None]
    girth = wide(girth_a, 1, lanes)[:, None] + wide(girth_b, 1, lanes)[None]
    return nearest_of_stretches(middle_a, half_a, middle_b, half_b, xp)[0] - girth


def wide(array: Any, lead: int, lanes: int) -> Any:
    """Return an array with case axes of size one appended, if it has no case axes.

    - array: array with `lead` axes, followed by no case axes or by `lanes` case axes.
    - lead: number of axes before the case axes.
    - `lanes`: number of case axes of the result.
    """
    return array.reshape(*array.shape, *(1,) * (lead + lanes - array.ndim))


def nearest_of_stretches(p: Any, u: Any, q: Any, v: Any, xp: Any = np) -> tuple[Any, Any, Any]:
    """Return (distance, s, t) for the nearest points of two line segments, each (...).

    - p, u: middle and half axis of the first segment (3, ...). The points of the first segment are p + s u,
      with s from -1 to 1.
    - q, v: middle and half axis of the second segment (3, ...). The points of the second segment are q + t v,
      with t from -1 to 1.
    - xp: array module, numpy or jax.numpy.

    If both nearest points are between the ends, they are on the common normal. If not, at least one of the
    two nearest points is an end.
    """
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
