"""A cheap lower bound of the distance of two bodies, for arrays of poses: every piece is taken for the
capsule around it.

Only sums, products and comparisons of arrays, lanes last: `xp` may be numpy or jax.numpy, so that the bound
can also be found inside a compiled program."""

from __future__ import annotations

from typing import Any

import numpy as np

from .solids import Solid


def capsules(solids: list[Solid]) -> tuple[np.ndarray, np.ndarray]:
    """(middles and half axes (2, 3, piece), radii (piece)) of the capsules around all pieces of some
    solids."""
    pieces = [piece for solid in solids for piece in solid.pieces]
    ends = np.stack([piece.ends for piece in pieces], -1)
    axis = np.stack([0.5 * (ends[:, 0] + ends[:, 1]), 0.5 * (ends[:, 1] - ends[:, 0])])
    return axis, np.array([piece.girth for piece in pieces])


def lower_bounds(a: tuple, b: tuple, turn: Any, place: Any, xp: Any = np) -> Any:
    """Distances (piece of a, piece of b, *lanes) [m] that those of the pieces are no less than; negative
    where the capsules overlap.

    a, b: `capsules` of two bodies. turn (3, 3, *lanes), place (3, *lanes): from the drawing coordinates of
    b to those of a."""
    (axis_a, girth_a), (axis_b, girth_b) = a, b
    lanes = place.ndim - 1
    one = (1,) * lanes
    half_a = axis_a[1].reshape(3, -1, 1, *one)
    middle_a = axis_a[0].reshape(3, -1, 1, *one)
    moved = [xp.sum(turn[:, :, None] * axis_b[k].reshape(1, 3, -1, *one), 1) for k in (0, 1)]
    middle_b, half_b = (moved[0] + place[:, None])[:, None], moved[1][:, None]
    girth = girth_a.reshape(-1, 1, *one) + girth_b.reshape(1, -1, *one)
    return between_stretches(middle_a, half_a, middle_b, half_b, xp) - girth


def between_stretches(p: Any, u: Any, q: Any, v: Any, xp: Any = np) -> Any:
    """Distances of straight stretches p + s u and q + t v, s and t from -1 to 1, components first.

    The nearest points lie on both lines' common normal if they are inside; else one of them is an end."""
    gap = p - q
    uu, vv, uv = xp.sum(u * u, 0), xp.sum(v * v, 0), xp.sum(u * v, 0)
    gu, gv = xp.sum(gap * u, 0), xp.sum(gap * v, 0)
    across = uu * vv - uv * uv

    def held(top: Any, bottom: Any) -> Any:
        usable = bottom > 0
        return xp.where(usable, xp.clip(top / xp.where(usable, bottom, 1.0), -1.0, 1.0), 0.0)

    def square(s: Any, t: Any) -> Any:
        away = gap + s * u - t * v
        return xp.sum(away * away, 0)

    def with_s(s: Any) -> Any:
        return square(s, held(gv + s * uv, vv))

    def with_t(t: Any) -> Any:
        return square(held(t * uv - gu, uu), t)

    skew = across > 1e-12 * uu * vv
    s = xp.where(skew, xp.clip((uv * gv - vv * gu) / xp.where(skew, across, 1.0), -1.0, 1.0), 0.0)
    least = with_s(s)
    for end in (-1.0, 1.0):
        least = xp.minimum(least, xp.minimum(with_s(end), with_t(end)))
    return xp.sqrt(least)
