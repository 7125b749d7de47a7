"""Triangles of the shapes of the viewer, in the axes of each shape."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .store import Store

AROUND = 64
"""Number of points on a circle."""
BALL, END = 32, 12
"""Number of rings of triangles of a sphere, and of each end of a capsule."""


class Triangles(NamedTuple):
    """Points (n, 3) [m], outward unit normals (n, 3), and triangles (m, 3) as indices of points."""

    points: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray


def triangles_of(shape: dict[str, Any], store: Store) -> Triangles:
    """Return the triangles of a shape, in the axes of the shape.

    shape: data for the viewer, see `shapes_of`. store: the arrays of meshes.
    """
    match shape["kind"]:
        case "turned":
            profile = [*shape["profile"], *shape["profile"][: 1 if shape["closed"] else 0]]
            return _combination([_band(*ends) for ends in pairwise(profile) if _has_area(*ends)])
        case "box":
            return _box(np.asarray(shape["size"], float))
        case "mesh":
            return _flat(store.array(shape["corners"]).reshape(-1, 3), store.array(shape["triangles"]))
        case kind:
            ends = BALL // 2 if kind == "ball" else END
            return _round(float(shape["radius"]), float(shape.get("length", 0.0)), ends)


def _combination(parts: list[Triangles]) -> Triangles:
    starts = np.cumsum([0, *(len(part.points) for part in parts)])
    rows = [part.triangles + start for part, start in zip(parts, starts)]
    points, normals = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    return Triangles(points, normals, np.concatenate(rows))


def _has_area(first: list[float], last: list[float]) -> bool:
    return (first[0] > 0 or last[0] > 0) and first != last


def _band(first: list[float], last: list[float]) -> Triangles:
    """The surface of revolution of a straight line from one point (radius, height) to another."""
    (r0, z0), (r1, z1) = first, last
    normal = np.array([z1 - z0, r0 - r1]) / np.hypot(r1 - r0, z1 - z0)
    return _revolution(np.array([first, last], float), np.array([normal, normal]))


def _round(radius: float, length: float, rings: int) -> Triangles:
    """A sphere, or a capsule from z = 0 to z = length."""
    angle = np.linspace(0.0, 0.5 * np.pi, rings + 1)
    upper = np.stack([np.cos(angle), np.sin(angle)], 1)
    upper[-1, 0] = 0.0
    lower = upper[::-1] * [1, -1]
    normals = np.concatenate([lower, upper] if length else [lower, upper[1:]])
    heights = np.where(np.arange(len(normals)) <= rings, 0.0, length)
    return _revolution(normals * radius + np.stack([0 * heights, heights], 1), normals)


def _revolution(profile: np.ndarray, normals: np.ndarray) -> Triangles:
    """A profile (k, 2) of points (radius, height) with normals (k, 2), rotated about z."""
    angle = np.arange(AROUND) * (2 * np.pi / AROUND)
    circle = np.stack([np.cos(angle), np.sin(angle)], 1)

    def around(rows: np.ndarray) -> np.ndarray:
        flat = rows[:, :1, None] * circle
        return np.concatenate([flat, np.broadcast_to(rows[:, 1:, None], (*flat.shape[:2], 1))], 2)

    low = np.arange(len(profile) - 1)[:, None] * AROUND + np.arange(AROUND)
    beyond = np.roll(low, -1, axis=1)
    lower = np.stack([low, beyond, beyond + AROUND], 2)[profile[:-1, 0] > 0]
    upper = np.stack([low, beyond + AROUND, low + AROUND], 2)[profile[1:, 0] > 0]
    rows = np.concatenate([lower.reshape(-1, 3), upper.reshape(-1, 3)])
    return Triangles(around(profile).reshape(-1, 3), around(normals).reshape(-1, 3), rows)


def _box(size: np.ndarray) -> Triangles:
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    points, normals = np.empty((6, 4, 3)), np.zeros((6, 4, 3))
    for face, (axis, sign) in enumerate((axis, sign) for axis in range(3) for sign in (1, -1)):
        points[face][:, [(axis + 1) % 3, (axis + 2) % 3]] = square[::sign]
        points[face][:, axis] = normals[face][:, axis] = sign
    rows = (4 * np.arange(6)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)
    return Triangles((0.5 * size * points).reshape(-1, 3), normals.reshape(-1, 3), rows)


def _flat(corners: np.ndarray, rows: np.ndarray) -> Triangles:
    """Flat triangles with their own corners. corners (k, 3), rows (3 m,)."""
    points = corners[rows].reshape(-1, 3, 3).astype(float)
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    size = np.linalg.norm(normals, axis=1, keepdims=True)
    points, normals = points[size[:, 0] > 0], (normals / np.where(size > 0, size, 1.0))[size[:, 0] > 0]
    found = points.reshape(-1, 3)
    return Triangles(found, np.repeat(normals, 3, axis=0), np.arange(len(found)).reshape(-1, 3))
