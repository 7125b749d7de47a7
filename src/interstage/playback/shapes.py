"""Convert shapes of bodies for the viewer, and create substitute shapes for bodies without shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..maths.rotations import matrix_of, quaternion_of, quaternion_of_matrix
from ..model.body import central_inertia
from ..model.convex_pieces import convex_pieces
from ..model.geometry import sector_axes
from ..record.record import Record
from ..tree.errors import BadInput, Refused
from .courses import first_of
from .items import scalar, vector
from .store import Store

DENSITY = 300.0
"""Density [kg/m^3] of the substitute shape of a body whose inertia does not determine its size."""
ROUND = 0.02
"""Maximum relative difference between two moments of inertia for which the substitute shape is a cylinder."""
AROUND = 96
"""Number of flat pieces of a complete turn of a sector."""
PROFILE = 24
"""Number of points along the profile of an ogive."""


def shapes_of(body: Any, store: Store) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the declared shapes of a body for the viewer, and one sentence for each omitted shape.

    body: declaration of the body. store: store for the arrays of the shapes.
    """
    found: list[dict[str, Any]] = []
    left_out: list[str] = []
    for shape in getattr(body, "shapes", ()):
        try:
            found.append({"name": shape.name, **_SHAPES[shape.kind](shape, store)})
        except (BadInput, Refused, OSError, ValueError) as error:
            left_out.append(f"Shape {body.name}.{shape.name}: {_text(error)}")
    return found, left_out


def _text(error: Exception) -> str:
    problems = getattr(error, "problems", ())
    return "; ".join(str(getattr(one, "message", one)) for one in problems) or str(error)


def _along(axis: Any) -> list[float]:
    """Quaternion of a rotation from z to a direction."""
    e = np.asarray(axis, float).reshape(3)
    e = e / np.linalg.norm(e)
    if e[2] < -1 + 1e-12:
        return [0.0, 1.0, 0.0, 0.0]
    q = np.array([1 + e[2], -e[1], e[0], 0.0])
    return [float(x) for x in q / np.linalg.norm(q)]


def quaternion(attitude: Any) -> list[float]:
    """Return the unit quaternion of a declared attitude, scalar first. For None, return the identity."""
    if attitude is None:
        return [1.0, 0.0, 0.0, 0.0]
    return [float(x) for x in np.asarray(quaternion_of(attitude), float).reshape(4)]


def _ball(shape: Any, store: Store) -> dict[str, Any]:
    return {"kind": "ball", "at": vector(shape.at), "radius": scalar(shape.radius)}


def _box(shape: Any, store: Store) -> dict[str, Any]:
    return {
        "kind": "box",
        "at": vector(shape.at),
        "turn": quaternion(shape.attitude),
        "size": vector(shape.size),
    }


def _capsule(shape: Any, store: Store) -> dict[str, Any]:
    found = {"kind": "capsule", "at": vector(shape.at), "turn": _along(shape.axis)}
    return {**found, "length": scalar(shape.length), "radius": scalar(shape.radius)}


def _revolution(shape: Any, profile: list[list[float]], closed: bool) -> dict[str, Any]:
    """A solid of revolution from the points (radius, height) of its profile."""
    found = {"kind": "turned", "at": vector(shape.at), "turn": _along(shape.axis)}
    return {**found, "profile": profile, "closed": closed}


def _cylinder(shape: Any, store: Store) -> dict[str, Any]:
    r, h = scalar(shape.radius), scalar(shape.length)
    return _revolution(shape, [[0, 0], [r, 0], [r, h], [0, h]], False)


def _cone(shape: Any, store: Store) -> dict[str, Any]:
    r, end, h = scalar(shape.radius), scalar(shape.end_radius), scalar(shape.length)
    if shape.sector is not None:
        return _sector(shape, store, np.array([0.0, h]), np.zeros(2), np.array([r, end]))
    return _revolution(shape, [[0, 0], [r, 0], [end, h], [0, h]], False)


def _ogive(shape: Any, store: Store) -> dict[str, Any]:
    r, h = scalar(shape.radius), scalar(shape.length)
    arc = (r * r + h * h) / (2 * r)
    heights = [h * k / PROFILE for k in range(PROFILE + 1)]
    points = [[max(0.0, math.sqrt(max(0.0, arc * arc - z * z)) + r - arc), z] for z in heights]
    return _revolution(shape, [[0, 0], *points], False)


def _shell(shape: Any, store: Store) -> dict[str, Any]:
    rows = [np.asarray(v, float).reshape(-1) for v in (shape.stations, shape.inner, shape.outer)]
    stations, inner, outer = rows
    if shape.sector is not None:
        return _sector(shape, store, stations, inner, outer)
    up = [[float(r), float(z)] for r, z in zip(outer, stations)]
    down = [[float(r), float(z)] for r, z in zip(inner[::-1], stations[::-1])]
    return _revolution(shape, [*up, *down], True)


def _sector(shape: Any, store: Store, stations: Any, inner: Any, outer: Any) -> dict[str, Any]:
    """A sector of a hollow solid of revolution as a mesh: flat pieces of its round faces, and its two plane
    faces. `stations`, `inner`, `outer`: heights and radii [m] (n,)."""
    begin, end = shape.sector
    count = max(1, math.ceil((end - begin) / (2 * math.pi) * AROUND))
    angle = np.linspace(-0.5, 0.5, count + 1) * (end - begin)
    # The outline runs up the outer wall and down the inner wall.
    radius, height = np.r_[outer, inner[::-1]], np.r_[stations, stations[::-1]]
    grid = np.broadcast_arrays(
        np.cos(angle)[:, None] * radius, np.sin(angle)[:, None] * radius, height[None, :]
    )
    points = np.stack(grid, 2).reshape(-1, 3)
    rows = _sector_triangles(count, len(radius))
    one, two, three = (points[rows[:, k]] for k in range(3))
    rows = rows[np.linalg.norm(np.cross(two - one, three - one), axis=1) > 0]  # none on the axis of a cone
    corners = points @ sector_axes(shape).T
    return {
        "kind": "mesh",
        "at": vector(shape.at),
        "turn": quaternion(None),
        "corners": store.add(corners),
        "triangles": store.add(rows.reshape(-1), "u4"),
        "radius": float(np.linalg.norm(corners, axis=1).max()),
    }


def _sector_triangles(count: int, size: int) -> np.ndarray:
    """Triangles (m, 3) with outward normals, as indices of the points of count + 1 outlines of `size` points
    each."""
    a, b = np.arange(size), np.roll(np.arange(size), -1)
    here, there = np.arange(count)[:, None] * size, np.arange(1, count + 1)[:, None] * size
    walls = [
        np.stack([here + a, there + b, here + b], 2).reshape(-1, 3),
        np.stack([here + a, there + a, there + b], 2).reshape(-1, 3),
    ]
    out = np.arange(size // 2 - 1)
    into = size - 1 - out
    face = np.concatenate([np.stack([into, out, out + 1], 1), np.stack([into, out + 1, into - 1], 1)])
    return np.concatenate([*walls, face, face[:, ::-1] + count * size])


def _mesh(shape: Any, store: Store) -> dict[str, Any]:
    pieces = convex_pieces(shape.file, shape.parts == "hull")
    triangles = np.concatenate([piece.transpose(2, 0, 1) for piece in pieces]) * scalar(shape.unit)
    corners, rows = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    return {
        "kind": "mesh",
        "at": vector(shape.at),
        "turn": quaternion(shape.attitude),
        "corners": store.add(corners),
        "triangles": store.add(rows.reshape(-1), "u4"),
        "radius": float(np.linalg.norm(corners, axis=1).max()),
    }


_SHAPES = {
    "sphere": _ball,
    "box": _box,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "cone": _cone,
    "ogive": _ogive,
    "shell": _shell,
    "mesh": _mesh,
}


def mass_properties(body: Any, record: Record) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass [kg], centre of mass (3,) [m] and central inertia (3, 3) [kg m^2] at the first sample."""
    stem = f"bodies.{body.name}."
    found = first_of(record, (f"{stem}mass", f"{stem}mass_centre", f"{stem}inertia"))
    mass = found.get(f"{stem}mass", np.asarray(getattr(body, "mass", 0.0)))
    centre = found.get(f"{stem}mass_centre", np.asarray(getattr(body, "mass_centre", np.zeros(3)), float))
    if (six := found.get(f"{stem}inertia")) is not None and np.shape(six) == (6,):
        xx, yy, zz, xy, xz, yz = six
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    elif hasattr(body, "inertia"):
        tensor = np.asarray(central_inertia(body), float).reshape(3, 3, -1)[..., 0]
    else:
        tensor = np.zeros((3, 3))
    return scalar(mass), np.asarray(centre, float).reshape(3, -1)[:, 0], tensor


def stand_in(mass: float, centre: np.ndarray, tensor: np.ndarray) -> dict[str, Any]:
    """Return a substitute shape with given mass properties: a cylinder if two moments of inertia are equal,
    otherwise a box.

    - mass: [kg].
    - centre: centre of mass (3,) [m].
    - tensor: inertia (3, 3) [kg m^2] about the centre of mass.
    """
    name = {"name": "stand-in", "at": [float(x) for x in centre]}
    if not (mass > 0 and np.isfinite(tensor).all() and np.trace(tensor) > 0):
        return {
            **name,
            "kind": "ball",
            "radius": (max(mass, 1e-3) / DENSITY * 3 / (4 * math.pi)) ** (1 / 3),
        }
    moments, axes = np.linalg.eigh(tensor)
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    edges = np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / mass, 0.0))
    for odd, (one, other) in enumerate(((1, 2), (0, 2), (0, 1))):
        alike = abs(moments[one] - moments[other]) <= ROUND * moments[one]
        square = 6 * (moments[one] + moments[other] - moments[odd]) / mass
        if alike and square > 0 and (odd != 1):
            radius, length = math.sqrt(max(2 * moments[odd] / mass, 0.0)), math.sqrt(square)
            if radius > 0:
                start = centre - 0.5 * length * axes[:, odd]
                profile = [[0, 0], [radius, 0], [radius, length], [0, length]]
                found = {"kind": "turned", "turn": _along(axes[:, odd]), "profile": profile, "closed": False}
                return {**name, **found, "at": [float(x) for x in start]}
    edges = np.maximum(edges, 0.02 * edges.max())
    turn = [float(x) for x in np.asarray(quaternion_of_matrix(axes), float)]
    return {**name, "kind": "box", "turn": turn, "size": [float(x) for x in edges]}


def extent_of(shapes: list[dict[str, Any]]) -> float:
    """Return the size of a body [m]: the largest diagonal of the boxes around its shapes."""
    points = np.concatenate([outline(shape) for shape in shapes])
    return float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))


def outline(shape: dict[str, Any], around: int = 16) -> np.ndarray:
    """Return points (n, 3) [m] in structural coordinates whose convex hull approximates a shape.

    around: number of points on a circle. Default: 16.
    """
    angle = np.arange(around) * (2 * np.pi / around)
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
    if shape["kind"] == "turned":
        points = np.concatenate([circle * r + [0, 0, z] for r, z in shape["profile"]])
    elif shape["kind"] == "box":
        points = 0.5 * signs * shape["size"]
    else:  # spheres, capsules, and meshes by their sphere
        rings = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
        ball = np.concatenate([circle * np.cos(b) + [0, 0, np.sin(b)] for b in rings]) * shape["radius"]
        points = np.concatenate([ball, ball + np.array([0, 0, shape.get("length", 0.0)])])
    return rotate(np.array(shape.get("turn", [1.0, 0, 0, 0])), points) + shape["at"]


def rotate(q: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return points (n, 3) rotated by a unit quaternion q."""
    return points @ matrix_of(q).T
