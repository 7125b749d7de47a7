"""Supports of convex solids, for many directions at once.

A support is a function of unit vectors n (3, n). The function returns the greatest n . x of all points x of
the solid (n) [m]. For a direction that separates two solids, the supports give a lower bound of their
distance, by Minkowski's theorem of separating planes. In the direction of the nearest points the bound is
equal to the distance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Support = Callable[[np.ndarray], np.ndarray]


def of_box(half: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the support of a box about the origin with half edges `half` (3,)."""
    return half @ np.abs(way)


def of_points(points: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the support of the convex hull of points (3, m)."""
    return (points.T @ way).max(0)


def of_outline(corners: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the support of the convex solid of revolution with corners (2, m), from the z axis and along
    it."""
    return (corners.T @ np.stack([np.hypot(way[0], way[1]), way[2]])).max(0)


def of_ogive(radius: float, length: float, way: np.ndarray) -> np.ndarray:
    """Return the support of a tangent ogive on its base at z = 0."""
    arc = (radius * radius + length * length) / (2 * radius)
    out, up = np.hypot(way[0], way[1]), way[2]
    # Normals of the arc range from perpendicular to the axis to the normal at the tip.
    on_arc = (up >= 0) & (up * (arc - radius) <= out * length)
    ends = np.maximum(radius * out, length * up)
    return np.where(on_arc, (radius - arc) * out + arc, ends)


def place_support(turn: np.ndarray, place: np.ndarray, own: Support) -> Support:
    """Return a support in structural coordinates from a support in the solid's own axes."""
    return lambda way: own(turn.T @ way) + place @ way
