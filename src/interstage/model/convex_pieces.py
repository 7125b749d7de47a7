"""Convex pieces from mesh files, and convex hulls by the package coal."""

from __future__ import annotations

import importlib
import os
import warnings
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..exchange import mesh
from ..exchange.mesh import INSTALL
from ..tree.errors import BadInput, Refused
from ..tree.similar_names import no_file
from .geometry import THIN

FLATNESS = 1e-6
"""Tolerance of the convexity check: maximum distance of a corner outside of a face, relative to the extent of
the piece.
"""
ROUNDINGS = 1e3 * float(np.finfo(float).eps)
"""Ratio of thickness to coordinate below which the thickness can be a rounding error."""
LARGEST = 1e30
"""Maximum coordinate, and inverse of the minimum extent, in units of the file. Products of a few such numbers
do not overflow.
"""
MOST_TRIANGLES = 20_000
"""Maximum number of triangles of one piece."""
FLAT = "is flat: its corners lie in one plane and enclose no volume. Give the piece a thickness"
AT_ONCE = 4_000_000
"""Maximum number of distances between corners and faces that are in memory at the same time."""


def convex_pieces(file: str, hull: bool) -> list[np.ndarray]:
    """Return the convex pieces of a mesh file, each as an array of triangles (corner, 3, triangle) in the
    units of the file.

    The normals of the triangles point outward. If `hull`, each piece is replaced by its convex hull. Raises
    Refused at "file" for a missing or faulty file.
    """
    try:
        stamp = os.stat(file).st_mtime_ns
    except OSError:
        raise Refused(("file", f"{file}: {no_file(file)}")) from None
    return _pieces(file, hull, stamp)


@lru_cache(maxsize=32)
def _pieces(file: str, hull: bool, stamp: int) -> list[np.ndarray]:
    found = []
    for number, (points, faces) in enumerate(_connected_pieces(file), start=1):
        called = f"{file}: piece {number}, of {len(faces)} triangles,"
        if is_flat(points):
            raise Refused(("file", f"{called} {FLAT}"))
        if hull:
            found.append(hull_of(called, points))
            continue
        _require_closed(called, faces)
        surface = _outward(points, faces)
        if surface.shape[-1] < 4:
            raise Refused(("file", f"{called} {FLAT}"))
        _convex(called, points, surface)
        found.append(surface)
    return found


def _connected_pieces(file: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """(points (n, 3), faces (m, 3)) of each connected piece."""
    pieces = []
    for vertices, triangles in mesh.read(file):
        points, faces = _corners(file, vertices, triangles)
        label = np.arange(len(points))
        while True:  # the smallest index of the connected corners
            least = label[faces].min(1)
            new = label.copy()
            np.minimum.at(new, faces.ravel(), np.repeat(least, 3))
            new = new[new]
            if (new == label).all():
                break
            label = new
        for one in np.unique(label[faces]):
            own = faces[label[faces[:, 0]] == one]
            used, numbers = np.unique(own, return_inverse=True)
            pieces.append((points[used], numbers.reshape(own.shape)))
    if not pieces:
        raise Refused(("file", f"{file}: no triangle has three different corners. Export the surface again"))
    large = max(len(faces) for _, faces in pieces)
    if large > MOST_TRIANGLES:
        text = (
            f"{file}: a piece has {large} triangles. Simplify this piece to {MOST_TRIANGLES} triangles or"
            " fewer"
        )
        raise Refused(("file", text))
    return pieces


def _corners(file: str, vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(distinct points (n, 3), faces (m, 3) with three distinct points) from the output of the reader."""
    if vertices.shape[1:] != (3,) or faces.min() < 0 or faces.max() >= len(vertices):
        raise Refused(
            ("file", (f"{file}: the mesh has triangles whose corners are missing. Export the mesh again"))
        )
    used, faces = np.unique(faces, return_inverse=True)
    points, same = np.unique(vertices[used], axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces.reshape(-1, 3)]
    if not np.isfinite(points).all():
        raise Refused(
            (
                "file",
                f"{file}: the mesh has corners with coordinates that are not finite. Export the mesh again",
            )
        )
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(1)]
    small = len(faces) and not np.ptp(points, axis=0).max() > 1 / LARGEST
    if small or np.abs(points).max() > LARGEST:
        text = (
            f"{file}: the mesh extends over {np.ptp(points, axis=0).max():.3g} units, with coordinates up to"
        )
        allowed = f"allowed: {1 / LARGEST:g} to {LARGEST:g}. Export the mesh in another unit"
        raise Refused(("file", f"{text} {np.abs(points).max():.3g}; {allowed}"))
    return points, faces


def _require_closed(called: str, faces: np.ndarray) -> None:
    """Reject a piece that is not closed. In a closed piece each edge belongs to two triangles, which follow
    it in opposite directions."""
    edges = np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)])
    _, counts = np.unique(np.sort(edges, 1), axis=0, return_counts=True)
    if (counts != 2).any():
        bare = int((counts == 1).sum())
        what = (
            f"is not closed: {bare} edges belong to only one triangle"
            if bare
            else "has edges that belong to more than two triangles"
        )
        remedy = 'Close the surface, or set parts = "hull" to take the convex hull'
        raise Refused(("file", f"{called} {what}. {remedy}"))
    if len(np.unique(edges, axis=0)) != len(edges):
        raise Refused(
            (
                "file",
                f"{called} has triangles with inconsistent orientation. Export the mesh with outward normals",
            )
        )


def _outward(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Triangles (corner, 3, triangle), reversed if their enclosed volume is negative."""
    surface = points[faces].transpose(1, 2, 0)
    if np.einsum("it,it->t", surface[0], np.cross(surface[1], surface[2], axis=0)).sum() < 0:
        surface = surface[::-1]
    normal = np.cross(surface[1] - surface[0], surface[2] - surface[0], axis=0)
    size = np.sqrt((normal * normal).sum(0))
    return surface[:, :, size > 1e-14 * size.max()]


def _convex(called: str, points: np.ndarray, surface: np.ndarray) -> None:
    worst = float(_out_of_faces(points, surface).max())
    if not worst <= FLATNESS * float(np.ptp(points, axis=0).max()):
        remedy = 'Split this piece into convex pieces, or set parts = "hull" to use its convex hull'
        text = f"is not convex: a corner is {worst:.3g} (units of the file) outside a face. {remedy}"
        raise Refused(("file", f"{called} {text}"))


def hull_of(called: str, points: np.ndarray) -> np.ndarray:
    """Return the convex hull of points (n, 3) as an array of triangles (corner, 3, triangle).

    `called`: description of the piece for the message. Raises Refused if the points lie in a plane.
    """
    try:
        corners, faces = convex_hull(points)
    except Flat:
        raise Refused(("file", f"{called} {FLAT}")) from None
    surface = corners[faces].transpose(1, 2, 0)
    # Corners that lie in a plane except for rounding form slivers, whose planes may cut the hull.
    with np.errstate(invalid="ignore", divide="ignore"):
        bearing = _out_of_faces(corners, surface) <= FLATNESS * np.ptp(corners, axis=0).max()
    return surface[:, :, bearing]


def _out_of_faces(points: np.ndarray, surface: np.ndarray) -> np.ndarray:
    """Largest distance of points (n, 3) outside the plane of each triangle (corner, 3, triangle)."""
    normal = np.cross(surface[1] - surface[0], surface[2] - surface[0], axis=0)
    normal = normal / np.sqrt((normal * normal).sum(0))
    step = max(1, AT_ONCE // len(points))
    found = [np.zeros(0)]
    for first in range(0, normal.shape[1], step):
        some = slice(first, first + step)
        level = (normal[:, some] * surface[0][:, some]).sum(0)
        found.append((points @ normal[:, some] - level).max(0))
    return np.concatenate(found)


class Flat(Exception):
    """Error for points that enclose no volume."""


def convex_hull(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners (m, 3) and the triangles (k, 3) of the convex hull of points (n, 3).

    Each triangle contains three indices of corners, counterclockwise as seen from outside. Raises Flat if the
    volume of the points is zero within rounding errors. This is checked before any library call.
    """
    from scipy.spatial import ConvexHull, QhullError

    if is_flat(points):
        raise Flat
    low = points.min(0)
    scaled = (points - low) / np.ptp(points, axis=0).max()
    try:
        found = ConvexHull(scaled)
    except (QhullError, ValueError):  # qhull has a finer test of the rank
        raise Flat from None
    used, faces = np.unique(found.simplices, return_inverse=True)
    faces = faces.reshape(found.simplices.shape)
    corners = scaled[used]
    one, two, three = corners[faces].transpose(1, 0, 2)
    inward = (np.cross(two - one, three - one) * found.equations[:, :3]).sum(1) < 0
    faces[inward] = faces[inward][:, ::-1]
    return points[used], faces


def is_flat(points: np.ndarray) -> bool:
    """Return whether points (n, 3) enclose no volume, because they lie in a plane, on a line or at a point.
    The result is also true if a coordinate is not finite.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        extent = np.ptp(points, axis=0).max(initial=0.0) if len(points) >= 4 else 0.0
        least = max(THIN * extent, ROUNDINGS * np.abs(points).max(initial=0.0))
    if not np.isfinite(extent) or not extent > least:
        return True
    centred = (points - points.mean(0)) / extent
    _, _, axes = np.linalg.svd(centred.T @ centred)
    return not np.ptp(centred @ axes[2]) * extent > least


@cache
def load_coal() -> Any:
    """Return the package coal, which is imported at the first call. Raises BadInput if the import fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module("coal")
    except ImportError as error:
        raise BadInput(
            f"clearance needs the package coal, which cannot be loaded ({error}). {INSTALL}"
        ) from None


def hull(points: np.ndarray) -> Any:
    """Return the convex hull object of coal for points (3, n) of a shape.

    Raises Flat for flat points, because coal would abort the process.
    """
    if is_flat(points.T):
        raise Flat
    coal = load_coal()
    return coal.Convex.convexHull(_vectors(points.T), True, "Qt")


def hull_of_any(points: np.ndarray) -> Any:
    """Return the convex hull object of coal for points (3, n) from a file.

    The hull is computed by `convex_hull`, not by coal, because a failure in coal would abort the process.
    Raises Flat for flat points.
    """
    coal = load_coal()
    corners, faces = convex_hull(points.T)
    triangles = coal.StdVec_Triangle()
    for face in faces:
        triangles.append(coal.Triangle(*map(int, face)))
    return coal.Convex(_vectors(corners), triangles)


def _vectors(points: np.ndarray) -> Any:
    found = load_coal().StdVec_Vec3s()
    for point in points:
        found.append(np.ascontiguousarray(point))
    return found
