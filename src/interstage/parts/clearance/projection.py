"""The nearest point of a shape to a given point, and the derivative with respect to the given point, for many
points at once.

A projection is a function of points (3, n) in the axes of the shape. The function returns the nearest points
of the shape (3, n), and their derivatives (3, 3, n). With slope = False, the derivatives are None. If a point
is inside the shape, the nearest point is the point itself.

A solid of revolution has the axis z. The nearest point is in the half plane that contains the axis and the
given point. In this half plane, the outline consists of straight edges, or of an edge and an arc.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Projection = Callable[..., tuple[np.ndarray, Any]]
ON_AXIS = 1e-14
"""A point counts as on the axis if its distance from the axis, divided by the size of the shape, is at most
this number.
"""


def onto_box(half: np.ndarray, x: np.ndarray, slope: bool = True) -> tuple[np.ndarray, Any]:
    """Return the nearest points of a box, and their derivatives; see the module.

    - half: half edges of the box [m] (3,). The box is centred at the origin.
    - x: the points [m] (3, n).
    - slope: whether the derivatives are computed.
    """
    nearest = np.clip(x, -half[:, None], half[:, None])
    if not slope:
        return nearest, None
    inside = (np.abs(x) < half[:, None]).astype(float)
    return nearest, inside[:, None] * np.eye(3)[:, :, None]


def onto_triangles(
    corners: np.ndarray, normals: np.ndarray, x: np.ndarray, slope: bool = True
) -> tuple[np.ndarray, Any]:
    """Return the nearest points of a convex solid of triangles, and their derivatives; see the module.

    - corners: corners of the triangles [m] (corner, 3, triangle).
    - normals: outward unit normals (3, triangle).
    - x: the points [m] (3, n).
    - slope: not used; the derivatives are always computed.
    """
    del slope
    height = np.einsum("it,itn->tn", normals, x[:, None] - corners[0][:, :, None])
    inside = (height <= 0).all(0)
    nearest, derivative = x.copy(), np.broadcast_to(np.eye(3)[:, :, None], (3, 3, x.shape[1])).copy()
    if inside.all():
        return nearest, derivative
    best = np.where(inside, 0.0, np.inf)
    flat, over = _onto_faces(corners, normals, height, x)
    distance = np.where(over, np.abs(height), np.inf)
    _take(nearest, derivative, best, distance, flat, lambda t: _square(normals[:, t], -1.0, np.eye(3)))
    for k in range(3):
        start, along = corners[k], corners[(k + 1) % 3] - corners[k]
        points, inner = _onto_lines(start, along, x)
        distance = np.sqrt(((points - x[:, None]) ** 2).sum(0))
        unit = along / np.sqrt((along * along).sum(0))
        on_edge = partial(_edge, unit=unit, inner=inner)
        _take(nearest, derivative, best, distance, points, on_edge)
    return nearest, derivative


def _onto_faces(corners, normals, height, x):
    """Return (projections (3, triangle, n) of the points onto the planes of triangles, whether these are in
    the triangles)."""
    feet = x[:, None] - normals[:, :, None] * height[None]
    inside = np.ones(height.shape, bool)
    for k in range(3):
        edge = corners[(k + 1) % 3] - corners[k]
        inward = np.cross(normals, edge, axis=0)
        inside &= np.einsum("it,itn->tn", inward, feet - corners[k][:, :, None]) >= 0
    return feet, inside


def _onto_lines(start, along, x):
    """Return (nearest points (3, line, n) of line segments, whether they are between the ends)."""
    square = (along * along).sum(0)
    square = np.where(square > 0, square, 1.0)
    part = np.einsum("it,itn->tn", along, x[:, None] - start[:, :, None]) / square[:, None]
    held = np.clip(part, 0.0, 1.0)
    return start[:, :, None] + along[:, :, None] * held[None], (part > 0) & (part < 1)


def _square(vectors, sign, base):
    """Return base + sign v v^T (3, 3, n) of vectors (3, n)."""
    return base[:, :, None] + sign * vectors[:, None] * vectors[None]


def _edge(lines, unit, inner):
    at = inner[lines, np.arange(len(lines))]
    return at * _square(unit[:, lines], 1.0, np.zeros((3, 3)))


def _take(nearest, derivative, best, distance, points, derivative_at) -> None:
    """Store the nearest of many points (3, feature, n), if it is nearer than the best point until now."""
    which = np.argmin(distance, 0)
    lanes = np.arange(distance.shape[1])
    found = distance[which, lanes]
    nearer = found < best
    nearest[:, nearer] = points[:, which, lanes][:, nearer]
    every = derivative_at(which)
    derivative[:, :, nearer] = every[:, :, nearer]
    best[nearer] = found[nearer]


# --- solids of revolution -----------------------------------------------------------------------------------


def project_on_revolution(
    outline: Callable, size: float, x: np.ndarray, slope: bool = True
) -> tuple[np.ndarray, Any]:
    """Return the nearest points of a solid of revolution about the z axis, and their derivatives; see the
    module.

    - outline: function (y, slope) of points y = (radius, z) (2, n) in the half plane. The function returns
      the nearest points (2, n) and their derivatives (2, 2, n).
    - size: size of the solid [m].
    - x: the points [m] (3, n).
    - slope: whether the derivatives are computed.
    """
    radius = np.hypot(x[0], x[1])
    near_axis = radius <= ON_AXIS * size
    safe = np.where(near_axis, 1.0, radius)
    out = np.stack([np.where(near_axis, 1.0, x[0] / safe), np.where(near_axis, 0.0, x[1] / safe)])
    flat, change = outline(np.stack([radius, x[2]]), slope)
    nearest = np.stack([flat[0] * out[0], flat[0] * out[1], flat[1]])
    if not slope:
        return nearest, None
    # In the plane across the axis: the outline's change outward, and that of the direction around.
    round_ = np.where(near_axis, change[0, 0], flat[0] / safe)
    derivative = np.empty((3, 3, len(radius)))
    derivative[:2, :2] = (change[0, 0] - round_) * out[:, None] * out[None]
    derivative[0, 0] += round_
    derivative[1, 1] += round_
    derivative[:2, 2], derivative[2, :2] = change[0, 1] * out, change[1, 0] * out
    derivative[2, 2] = change[1, 1]
    return nearest, derivative


def project_on_sector(
    outline: Callable, face: Callable, size: float, half: float, x: np.ndarray, slope: bool = True
) -> tuple[np.ndarray, Any]:
    """Return the nearest points of a sector of a solid of revolution, and their derivatives; see the module.

    The sector extends over the angles -half to half about the z axis, from the direction x. If the angle of a
    point is in the sector, its nearest point is in its own half plane. Otherwise, the nearest point is on the
    nearer of the two plane faces, because the distance of points of equal radius increases with the angle
    between them.

    - outline: nearest points in the half plane of a point, as for `project_on_revolution`.
    - face: nearest points on a plane face, with the axis as an edge; see `outline`.
    - half: half of the angle of the sector [rad].
    - size, x, slope: as for `project_on_revolution`.
    """
    nearest, derivative = project_on_revolution(outline, size, x, slope)
    angle = np.arctan2(x[1], x[0])
    beyond = (np.abs(angle) > half) & (np.hypot(x[0], x[1]) > ON_AXIS * size)
    if not beyond.any():
        return nearest, derivative
    side = np.where(angle[beyond] < 0, -half, half)
    out = np.stack([np.cos(side), np.sin(side)])
    own = x[:, beyond]
    flat, change = face(np.stack([(out * own[:2]).sum(0), own[2]]), slope)
    nearest[:, beyond] = np.stack([flat[0] * out[0], flat[0] * out[1], flat[1]])
    if slope:
        plane = np.zeros((3, 2, side.size))
        plane[:2, 0], plane[2, 1] = out, 1.0
        derivative[..., beyond] = np.einsum("ijn,jkn,lkn->iln", plane, change, plane)
    return nearest, derivative


def rectangle(radius: float, length: float, y: np.ndarray, slope: bool = True) -> tuple[np.ndarray, Any]:
    """Return the nearest points of the outline of a cylinder, and their derivatives (2, 2, n). The cylinder
    extends from z = 0 to z = length.

    - radius: radius of the cylinder [m]. With radius 0, the outline is a segment of the axis.
    - length: length of the cylinder [m].
    - y: points (radius, z) [m] (2, n).
    - slope: whether the derivatives are computed.
    """
    nearest = np.stack([np.minimum(y[0], radius), np.clip(y[1], 0.0, length)])
    if not slope:
        return nearest, None
    change = np.zeros((2, 2, y.shape[1]))
    change[0, 0] = y[0] < radius
    change[1, 1] = (y[1] > 0) & (y[1] < length)
    return nearest, change


def polygon(
    corners: np.ndarray, closed: np.ndarray, y: np.ndarray, slope: bool = True
) -> tuple[np.ndarray, Any]:
    """Return the nearest points of an area in the half plane, and their derivatives (2, 2, n).

    - corners: corners (radius, z) of the surface [m] (2, m), in order.
    - closed: corners of the complete boundary of the area [m] (2, k). The boundary can include the axis,
      which is not a surface.
    - y: points (radius, z) [m] (2, n).
    - slope: whether the derivatives are computed.
    """
    inside = _within(closed, y)
    start, along = corners[:, :-1], corners[:, 1:] - corners[:, :-1]
    points, inner = _onto_lines(start, along, y)
    distance = ((points - y[:, None]) ** 2).sum(0)
    which, lanes = np.argmin(distance, 0), np.arange(y.shape[1])
    nearest = np.where(inside, y, points[:, which, lanes])
    if not slope:
        return nearest, None
    length = np.sqrt((along * along).sum(0))
    unit = (along / np.where(length > 0, length, 1.0))[:, which]
    change = inner[which, lanes] * unit[:, None] * unit[None]
    return nearest, np.where(inside, np.eye(2)[:, :, None], change)


def _within(rim: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return whether points (2, n) lie inside a closed polygon (2, k). A ray outward then crosses its
    boundary an odd number of times."""
    if rim.shape[1] < 3:
        return np.zeros(y.shape[1], bool)
    r0, z0 = rim[:, :, None]
    r1, z1 = np.roll(rim, -1, axis=1)[:, :, None]
    crosses = (z0 > y[1]) != (z1 > y[1])
    rise = np.where(z1 == z0, 1.0, z1 - z0)
    return ((crosses & (y[0] < r0 + (y[1] - z0) * (r1 - r0) / rise)).sum(0) % 2).astype(bool)


def ogive(radius: float, length: float, y: np.ndarray, slope: bool = True) -> tuple[np.ndarray, Any]:
    """Return the nearest points of the outline of a tangent ogive, and their derivatives (2, 2, n). The base
    is at z = 0, and the arc is perpendicular to the base.

    - radius, length: radius of the base, and length of the ogive [m].
    - y: points (radius, z) [m] (2, n).
    - slope: whether the derivatives are computed.
    """
    arc = (radius * radius + length * length) / (2 * radius)
    centre = np.array([radius - arc, 0.0])[:, None]
    away = y - centre
    reach = np.hypot(*away)
    reach = np.where(reach > 0, reach, 1.0)
    unit = away / reach
    inside = (y[1] >= 0) & (y[1] <= length) & (reach <= arc)
    # Points nearest to the arc: above the base plane, and below the line from the centre through the tip.
    tip = np.array([0.0, length])[:, None] - centre
    beside = (away[1] >= 0) & (tip[0] * away[1] - tip[1] * away[0] <= 0)
    on_arc = centre + arc * unit
    on_base = np.stack([np.clip(y[0], 0.0, radius), np.zeros_like(y[0])])
    at_tip = np.broadcast_to(np.array([0.0, length])[:, None], y.shape)
    below = y[1] < 0
    nearest = np.where(inside, y, np.where(below, on_base, np.where(beside, on_arc, at_tip)))
    if not slope:
        return nearest, None
    square = np.eye(2)[:, :, None] - unit[:, None] * unit[None]
    along_base = np.zeros((2, 2, y.shape[1]))
    along_base[0, 0] = y[0] < radius
    change = np.where(below, along_base, np.where(beside, arc / reach * square, 0.0))
    return nearest, np.where(inside, np.eye(2)[:, :, None], change)
