"""Convex pieces from files of triangles, read with trimesh, and convex hulls, by coal."""

from __future__ import annotations

import importlib
import os
import warnings
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..tree.errors import BadInput, Refused, no_file

FLATNESS = 1e-6
"""How far, relative to its extent, a corner of a piece may stand out of another face before it is not
convex."""
MOST_TRIANGLES = 20_000
"""Triangles of one piece."""
INSTALL = "install it with pip install 'interstage[clearance]'"
AT_ONCE = 4_000_000
"""Distances of corners from faces that are held at once."""


def convex_pieces(file: str, hull: bool) -> list[np.ndarray]:
    """The pieces of a file, each as triangles (corner, 3, triangle) whose normals point outward, in the
    file's units. hull: take the convex hull of each. Raises Refused at "file"."""
    try:
        stamp = os.stat(file).st_mtime_ns
    except OSError:
        raise Refused(("file", f"{file}: {no_file(file)}")) from None
    return _pieces(file, hull, stamp)


@lru_cache(maxsize=32)
def _pieces(file: str, hull: bool, stamp: int) -> list[np.ndarray]:
    found = []
    for number, (points, faces) in enumerate(_connected(file), start=1):
        if hull:
            found.append(hull_of(file, points))
            continue
        called = f"{file}: piece {number}, of {len(faces)} triangles,"
        _closed(called, faces)
        surface = _outward(points, faces)
        _convex(called, points, surface)
        found.append(surface)
    return found


def _read(file: str) -> list[Any]:
    try:
        import trimesh
    except ImportError as error:
        text = f"{file}: meshes need the package trimesh, which cannot be loaded ({error}); {INSTALL}"
        raise Refused(("file", text)) from None
    try:
        scene = trimesh.load_scene(file)
        meshes = [m for m in scene.dump() if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    except Exception as error:  # noqa: BLE001 - whatever a reader of foreign files may raise
        reason = str(error).strip().split("\n")[0][:100] or type(error).__name__
        raise Refused(("file", f"{file}: cannot be read as a mesh: {reason}")) from None
    if not meshes:
        raise Refused(("file", f"{file}: holds no triangles; export the surface as triangles"))
    return meshes


def _connected(file: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """(points (n, 3), faces (m, 3)) of all pieces that hang together."""
    pieces = []
    for mesh in _read(file):
        points, same = np.unique(np.asarray(mesh.vertices, float), axis=0, return_inverse=True)
        faces = same.reshape(-1)[np.asarray(mesh.faces)]
        faces = faces[(faces != np.roll(faces, 1, axis=1)).all(1)]
        if not np.isfinite(points).all():
            raise Refused(("file", f"{file}: holds corners that are not finite numbers; export it again"))
        label = np.arange(len(points))
        while True:  # the smallest number of any corner that hangs together
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
    large = max(len(faces) for _, faces in pieces)
    if large > MOST_TRIANGLES:
        text = f"{file}: a piece has {large} triangles; allowed: {MOST_TRIANGLES}. Simplify it"
        raise Refused(("file", text))
    return pieces


def _closed(called: str, faces: np.ndarray) -> None:
    """Each edge belongs to two triangles, which run along it in opposite directions."""
    edges = np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)])
    _, counts = np.unique(np.sort(edges, 1), axis=0, return_counts=True)
    if (counts != 2).any():
        bare = int((counts == 1).sum())
        what = (
            f"is not closed: {bare} edges have one triangle only" if bare else "has edges of three triangles"
        )
        remedy = 'Close it, or set parts = "hull" to take the convex hull'
        raise Refused(("file", f"{called} {what}. {remedy}"))
    if len(np.unique(edges, axis=0)) != len(edges):
        raise Refused(
            ("file", f"{called} has triangles that face different sides; export it with outward normals")
        )


def _outward(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Triangles (corner, 3, triangle), turned round where the volume that they enclose is negative."""
    surface = points[faces].transpose(1, 2, 0)
    if np.einsum("it,it->t", surface[0], np.cross(surface[1], surface[2], axis=0)).sum() < 0:
        surface = surface[::-1]
    normal = np.cross(surface[1] - surface[0], surface[2] - surface[0], axis=0)
    size = np.sqrt((normal * normal).sum(0))
    return surface[:, :, size > 1e-14 * size.max()]


def _convex(called: str, points: np.ndarray, surface: np.ndarray) -> None:
    normal = np.cross(surface[1] - surface[0], surface[2] - surface[0], axis=0)
    normal = normal / np.sqrt((normal * normal).sum(0))
    extent = float(np.ptp(points, axis=0).max())
    worst = 0.0
    step = max(1, AT_ONCE // len(points))
    for first in range(0, normal.shape[1], step):
        some = slice(first, first + step)
        level = (normal[:, some] * surface[0][:, some]).sum(0)
        worst = max(worst, float((points @ normal[:, some] - level).max()))
    if worst > FLATNESS * extent:
        remedy = 'Split it into convex pieces, or set parts = "hull" to take the convex hull of each'
        text = f"is not convex: a corner stands {worst:.3g} (file's units) out of a face. {remedy}"
        raise Refused(("file", f"{called} {text}"))


def hull_of(file: str, points: np.ndarray) -> np.ndarray:
    """Triangles (corner, 3, triangle) of the convex hull of points (n, 3)."""
    try:
        convex = hull(points.T)
        faces = np.array([[convex.polygons(k)[c] for c in range(3)] for k in range(convex.num_polygons)])
    except Exception:  # noqa: BLE001 - qhull refuses flat sets of points by errors of its own
        raise Refused(("file", f"{file}: a piece is flat and has no hull; give it a thickness")) from None
    corners = np.asarray(convex.points())
    surface = _outward(corners, faces)
    middle = corners.mean(0)
    normal = np.cross(surface[1] - surface[0], surface[2] - surface[0], axis=0)
    inward = ((surface[0] - middle[:, None]) * normal).sum(0) < 0
    surface[:, :, inward] = surface[::-1][:, :, inward]
    return surface


@cache
def load_coal() -> Any:
    """The package coal, which is loaded where shapes are searched. Raises BadInput where it cannot be."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module("coal")
    except ImportError as error:
        raise BadInput(
            f"clearance needs the package coal, which cannot be loaded ({error}); {INSTALL}"
        ) from None


def hull(points: np.ndarray) -> Any:
    """coal's convex hull of points (3, n)."""
    coal = load_coal()
    listed = coal.StdVec_Vec3s()
    for point in points.T:
        listed.append(np.ascontiguousarray(point))
    return coal.Convex.convexHull(listed, True, "Qt")
