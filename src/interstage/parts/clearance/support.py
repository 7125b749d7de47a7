"""Support functions of convex solids, for many directions at once.

A support function maps unit vectors n (3, m) to the largest n . x of all points x of the solid [m] (m,). If a
direction separates two solids, their support functions give a lower bound of their distance, by Minkowski's
theorem of separating planes. In the direction between the nearest points, the bound is equal to the distance.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Support = Callable[[np.ndarray], np.ndarray]


def of_box(half: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the support of a box [m] (n,). half: half edges [m] (3,); the box is centred at the origin. way:
    unit vectors (3, n).
    """
    return half @ np.abs(way)


def of_points(points: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the support of the convex hull of points [m] (n,). points: [m] (3, m). way: unit vectors (3,
    n).
    """
    return (points.T @ way).max(0)


def of_outline(corners: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the support of a convex solid of revolution about the z axis [m] (n,). corners: corners (radius,
    z) of its outline [m] (2, m). way: unit vectors (3, n).
    """
    return (corners.T @ np.stack([np.hypot(way[0], way[1]), way[2]])).max(0)


def of_sector(corners: np.ndarray, half: float, way: np.ndarray) -> np.ndarray:
    """Return the support of a sector of a solid of revolution about the z axis [m] (n,).

    - corners: corners (radius, z) of its outline [m] (2, m), with the corners on the axis.
    - half: the sector extends over the angles -half to half [rad] from the direction x. At most 90 deg.
    - way: unit vectors (3, n).
    """
    within = np.abs(np.arctan2(way[1], way[0])) <= half
    at_face = way[0] * np.cos(half) + np.abs(way[1]) * np.sin(half)
    out = np.where(within, np.hypot(way[0], way[1]), at_face)
    return (corners.T @ np.stack([out, way[2]])).max(0)


def of_ogive(radius: float, length: float, way: np.ndarray) -> np.ndarray:
    """Return the support of a tangent ogive along z, with its base at z = 0 [m] (n,). radius, length: of the
    ogive [m]. way: unit vectors (3, n).
    """
    arc = (radius * radius + length * length) / (2 * radius)
    out, up = np.hypot(way[0], way[1]), way[2]
    # Normals of the arc range from perpendicular to the axis to the normal at the tip.
    on_arc = (up >= 0) & (up * (arc - radius) <= out * length)
    ends = np.maximum(radius * out, length * up)
    return np.where(on_arc, (radius - arc) * out + arc, ends)


def place_support(turn: np.ndarray, place: np.ndarray, own: Support) -> Support:
    """Return the support function of a solid in structural coordinates.

    - `turn` (3, 3), `place` [m] (3,): from the axes of the solid to structural coordinates.
    - own: support function in the axes of the solid.
    """
    return lambda way: own(turn.T @ way) + place @ way
