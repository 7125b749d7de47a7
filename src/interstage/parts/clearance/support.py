"""How far convex solids reach in a direction: for many directions at once.

A support is a function of unit vectors (3, n) that returns the greatest n . x of all points x of the solid
(n) [m]. With it a direction that parts two solids bounds their distance from below, by Minkowski's theorem
of separating planes; in the direction of the nearest points the bound is the distance itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Support = Callable[[np.ndarray], np.ndarray]


def of_box(half: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Of a box about the origin with half edges `half` (3,)."""
    return half @ np.abs(way)


def of_points(points: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Of the convex hull of points (3, m)."""
    return (points.T @ way).max(0)


def of_outline(corners: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Of the convex solid that corners (2, m), from the z axis and along it, make around that axis."""
    return (corners.T @ np.stack([np.hypot(way[0], way[1]), way[2]])).max(0)


def of_ogive(radius: float, length: float, way: np.ndarray) -> np.ndarray:
    """Of a tangent ogive on its base at z = 0."""
    arc = (radius * radius + length * length) / (2 * radius)
    out, up = np.hypot(way[0], way[1]), way[2]
    # The arc has the normals from square to the axis to that at the tip.
    on_arc = (up >= 0) & (up * (arc - radius) <= out * length)
    ends = np.maximum(radius * out, length * up)
    return np.where(on_arc, (radius - arc) * out + arc, ends)


def place_support(turn: np.ndarray, place: np.ndarray, own: Support) -> Support:
    """A support in drawing coordinates from one in the solid's own axes."""
    return lambda way: own(turn.T @ way) + place @ way
