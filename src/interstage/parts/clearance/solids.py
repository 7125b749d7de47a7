"""Convert shapes to solids for the search of distances. A solid has convex pieces for the first search, and
its true surface.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...model import geometry
from ...model.convex_pieces import convex_pieces
from ...model.frames import attitude_matrix
from ...tree.errors import BadInput, Problem, Refused
from . import projection, support
from .projection import Projection
from .support import Support

SIDES = 32
"""The number of sides of the convex polyhedron that replaces a frustum or an ogive in the first search."""
RINGS = 12
"""The number of rings of corners of the convex polyhedron that replaces an ogive in the first search."""


@dataclass(frozen=True)
class Piece:
    """One convex piece of a shape.

    - kind, sizes: kind and dimensions of the coal shape. For the kinds "points" and "file", sizes are points
      (3, n), and the piece is their convex hull.
    - `turn` (3, 3), `place` [m] (3,): from the axes of the piece to the structural coordinates of its body.
    - ends [m] (3, 2), girth [m]: ends and radius of a capsule around the piece, structural coordinates.
    """

    kind: str
    sizes: Any
    turn: np.ndarray
    place: np.ndarray
    ends: np.ndarray
    girth: float


@dataclass(frozen=True)
class Wall:
    """The wall of a hollow solid, divided into sectors around its axis, and each sector into pieces along the
    axis.

    - corners: corners of the pieces [m] (piece, 8, 3), structural coordinates. The pieces of one sector are
      adjacent.
    - count: number of sectors.
    - closed: whether the wall goes all around its axis, so that the last sector is adjacent to the first.
    - ends [m] (3, 2), girth [m]: ends and radius of a capsule around the wall.
    """

    corners: np.ndarray
    count: int
    closed: bool
    ends: np.ndarray
    girth: float

    @cached_property
    def middle(self) -> np.ndarray:
        """The middles of the pieces [m] (3, piece), structural coordinates."""
        return self.corners.mean(1).T

    @cached_property
    def reach(self) -> np.ndarray:
        """The largest distance of a corner of each piece from the middle of the piece [m] (piece,)."""
        away = self.corners - self.middle.T[:, None]
        return np.sqrt((away * away).sum(2)).max(1)


@dataclass(frozen=True)
class Solid:
    """A shape, or one convex piece of a mesh, for the search of distances.

    The solid consists of a core, and of all points up to the distance `swell` from the core.

    - pieces: convex pieces for the first search.
    - project: projection onto the core, structural coordinates; see module `projection`.
    - swell: distance of the surface from the core [m].
    - flat: largest distance of the true surface outside the pieces [m].
    - size: largest extent [m].
    - support: support function of the core, structural coordinates; None for a hollow solid.
    - wall: wall of a hollow solid; None for a convex solid.
    """

    name: str
    pieces: tuple[Piece, ...]
    project: Projection
    swell: float
    flat: float
    size: float
    support: Support | None
    wall: Wall | None = None

    @property
    def cover(self) -> tuple[np.ndarray, float]:
        """The ends [m] (3, 2) and the radius [m] of a capsule around the solid, structural coordinates."""
        if self.wall is not None:
            return self.wall.ends, self.wall.girth
        return self.pieces[0].ends, self.pieces[0].girth

    @property
    def reach_from_origin(self) -> float:
        """An upper bound of the distance of the points of the solid from the origin of structural coordinates
        [m].
        """
        ends, girth = self.cover
        return float(np.sqrt((ends * ends).sum(0)).max()) + girth

    @property
    def convex(self) -> bool:
        """Whether the solid is convex."""
        return self.support is not None

    def reach(self, way: np.ndarray) -> np.ndarray:
        """Return the largest coordinate of the solid along each direction [m] (n,). The solid must be convex.

        way: unit vectors (3, n), structural axes.
        """
        assert self.support is not None
        return self.support(way) + self.swell


def solids(shapes: Any, names: tuple[str, ...], place: str) -> list[Solid]:
    """Return the solids of some shapes of a body.

    - shapes: all shapes of the body.
    - names: names of the shapes to convert.
    - `place`: path of the shapes in the scenario, for messages.

    Raises BadInput for a mesh that cannot be used.
    """
    found = []
    for shape in shapes:
        if shape.name in names:
            try:
                found += _MAKERS[shape.kind](shape)
            except Refused as error:
                raise BadInput(
                    Problem(f"{place}.{shape.name}.{p.place}", p.message) for p in error.problems
                ) from None
    return found


def _numbers(shape: Any, *names: str) -> list[Any]:
    return [np.asarray(getattr(shape, name), float) for name in names]


def _frame(axis: np.ndarray) -> np.ndarray:
    """Return a rotation whose third column is the direction."""
    z = axis / np.sqrt(axis @ axis)
    other = np.eye(3)[np.argmin(np.abs(z))]
    x = np.cross(other, z)
    x = x / np.sqrt(x @ x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _in_drawing_coordinates(turn: np.ndarray, place: np.ndarray, own: Projection) -> Projection:
    """Return a projection in structural coordinates from a projection in the shape's own axes."""

    def project(x: np.ndarray, slope: bool = True) -> tuple[np.ndarray, Any]:
        nearest, derivative = own(turn.T @ (x - place[:, None]), slope)
        nearest = turn @ nearest + place[:, None]
        return nearest, both_sides(turn, derivative) if slope else None

    return project


def both_sides(turn: np.ndarray, derivative: np.ndarray) -> np.ndarray:
    """Return the product R D R^T (3, 3, n) of rotations R and derivatives D.

    - `turn`: one rotation R (3, 3), or one for each derivative (3, 3, n).
    - derivative: the derivatives D (3, 3, n).
    """
    if turn.ndim == 2:
        half = (turn @ derivative.reshape(3, -1)).reshape(derivative.shape)
        return np.matmul(turn, half)
    half = np.einsum("ijn,jkn->ikn", turn, derivative)
    return np.einsum("ikn,lkn->iln", half, turn)


def _of_rectangle(radius: float, length: float, size: float) -> Projection:
    return partial(projection.project_on_revolution, partial(projection.rectangle, radius, length), size)


def _from_outline(corners: list, closed: list, size: float) -> Projection:
    outline = partial(
        projection.polygon, np.array(corners, float).T, np.array(closed, float).reshape(-1, 2).T
    )
    return partial(projection.project_on_revolution, outline, size)


def _reaching(turn: np.ndarray, place: np.ndarray, corners: list) -> Support:
    """Return the support of the solid of revolution with these corners."""
    return support.place_support(turn, place, partial(support.of_outline, np.array(corners, float).T))


def _sphere(shape: geometry.Sphere) -> list[Solid]:
    place, radius = _numbers(shape, "at", "radius")
    still, corners = np.eye(3), [(0, 0), (0, 0)]
    core = _in_drawing_coordinates(still, place, _of_rectangle(0.0, 0.0, float(radius)))
    piece = Piece("sphere", float(radius), np.eye(3), place, np.stack([place, place], 1), float(radius))
    reach = _reaching(still, place, corners)
    return [Solid(shape.name, (piece,), core, float(radius), 0.0, 2 * float(radius), reach)]


def _stand(shape: Any) -> tuple[np.ndarray, np.ndarray]:
    place, axis = _numbers(shape, "at", "axis")
    return _frame(axis), place


def _along(turn: np.ndarray, place: np.ndarray, start: float, end: float) -> np.ndarray:
    """Return the segment (3, 2) of an axis between two stations."""
    return np.stack([place + start * turn[:, 2], place + end * turn[:, 2]], 1)


def _capsule(shape: geometry.Capsule) -> list[Solid]:
    turn, place = _stand(shape)
    length, radius = map(float, _numbers(shape, "length", "radius"))
    corners = [(0, 0), (0, length)]
    core = _in_drawing_coordinates(turn, place, _of_rectangle(0.0, length, radius))
    ends = _along(turn, place, 0, length)
    piece = Piece("capsule", (radius, length / 2), turn, ends.mean(1), ends, radius)
    reach = _reaching(turn, place, corners)
    return [Solid(shape.name, (piece,), core, radius, 0.0, length + 2 * radius, reach)]


def _cylinder(shape: geometry.Cylinder) -> list[Solid]:
    turn, place = _stand(shape)
    length, radius = map(float, _numbers(shape, "length", "radius"))
    size = math.hypot(length, 2 * radius)
    ends = _along(turn, place, 0, length)
    piece = Piece("cylinder", (radius, length / 2), turn, ends.mean(1), ends, radius)
    surface, reach = _frustum(turn, place, length, radius, radius)
    return [Solid(shape.name, (piece,), surface, 0.0, 0.0, size, reach)]


def _frustum(turn, place, length: float, radius: float, end: float) -> tuple[Projection, Support]:
    corners = [(0, 0), (radius, 0), (end, length), (0, length)]
    size = math.hypot(length, 2 * max(radius, end))
    onto = _of_rectangle(radius, length, size) if radius == end else _from_outline(corners, corners, size)
    return _in_drawing_coordinates(turn, place, onto), _reaching(turn, place, corners)


def _cone(shape: geometry.Cone) -> list[Solid]:
    if shape.sector is not None:
        return _cone_sector(shape)
    turn, place = _stand(shape)
    length, radius, end = map(float, _numbers(shape, "length", "radius", "end_radius"))
    ends, widest = _along(turn, place, 0, length), max(radius, end)
    if min(radius, end) == 0:
        up = turn if end == 0 else turn * np.array([1.0, -1.0, -1.0])
        piece = Piece("cone", (widest, length / 2), up, ends.mean(1), ends, widest)
        flat = 0.0
    else:
        points = np.concatenate([_ring(radius, 0.0), _ring(end, length)], 1)
        piece, flat = Piece("points", points, turn, place, ends, widest), widest * _sagitta(SIDES)
    surface, reach = _frustum(turn, place, length, radius, end)
    return [Solid(shape.name, (piece,), surface, 0.0, flat, math.hypot(length, 2 * widest), reach)]


def _ring(radius: float, station: float) -> np.ndarray:
    """Return corners (3, SIDES) on a circle."""
    angle = np.arange(SIDES) * 2 * math.pi / SIDES
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(SIDES, station)])


def _sagitta(sides: int) -> float:
    """Return the largest distance of the sides of a regular polygon from its circumscribed circle of radius
    one."""
    return 1 - math.cos(math.pi / sides)


def _ogive(shape: geometry.Ogive) -> list[Solid]:
    turn, place = _stand(shape)
    length, radius = map(float, _numbers(shape, "length", "radius"))
    arc = (radius * radius + length * length) / (2 * radius)
    angle = np.linspace(0.0, math.asin(min(1.0, length / arc)), RINGS + 1)
    rings = [(max(0.0, radius - arc * (1 - math.cos(a))), arc * math.sin(a)) for a in angle[:-1]]
    points = np.concatenate([*(_ring(*ring) for ring in rings), np.array([[0.0], [0.0], [length]])], 1)
    # The error is at most the sum of the errors of a chord of the arc and of a side of the polygon.
    flat = arc * (1 - math.cos(angle[1] / 2)) + radius * _sagitta(SIDES)
    ends, size = _along(turn, place, 0, length), math.hypot(length, 2 * radius)
    own = partial(projection.project_on_revolution, partial(projection.ogive, radius, length), size)
    piece = Piece("points", points, turn, place, ends, radius)
    reach = support.place_support(turn, place, partial(support.of_ogive, radius, length))
    return [Solid(shape.name, (piece,), _in_drawing_coordinates(turn, place, own), 0.0, flat, size, reach)]


def _box(shape: geometry.Box) -> list[Solid]:
    place, size = _numbers(shape, "at", "size")
    turn = attitude_matrix(shape.attitude)
    own = partial(projection.onto_box, size / 2)
    ends, girth = _capsule_of_box(turn, place, size / 2)
    piece = Piece("box", size, turn, place, ends, girth)
    reach = support.place_support(turn, place, partial(support.of_box, size / 2))
    extent = float(np.sqrt(size @ size))
    return [Solid(shape.name, (piece,), _in_drawing_coordinates(turn, place, own), 0.0, 0.0, extent, reach)]


def _capsule_of_box(turn, centre, half) -> tuple[np.ndarray, float]:
    """Return (ends (3, 2), radius) of a capsule around a box."""
    long = int(np.argmax(half))
    reach = turn[:, long] * half[long]
    girth = math.sqrt(max(0.0, float(half @ half - half[long] ** 2)))
    return np.stack([centre - reach, centre + reach], 1), girth


def around_points(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the ends [m] (3, 2) and the radius [m] of a capsule around points (3, n). The capsule encloses
    the bounding box along the principal axes of the points.
    """
    centred = points - points.mean(1, keepdims=True)
    _, turn = np.linalg.eigh(centred @ centred.T)
    own = turn.T @ points
    low, high = own.min(1), own.max(1)
    return _capsule_of_box(turn, turn @ ((low + high) / 2), (high - low) / 2)


def _shell(shape: geometry.Shell) -> list[Solid]:
    turn, place, half = _sector_stand(shape)
    stations, inner, outer = _numbers(shape, "stations", "inner", "outer")
    closed = half == math.pi
    count = max(1, math.ceil(shape.sectors * half / math.pi - 1e-9))
    step = 2 * half / count
    # Sides are outside the inner circles and inside the outer circles, so that pieces lie in the wall.
    wide = 1 / math.cos(step / 2)
    clear = np.minimum(inner * wide, 0.5 * (inner + outer))
    # The round wall extends beyond its flat sectors.
    flat = float(outer.max() * (wide - 1))
    first = 0.0 if closed else -half
    pieces, walls = [], []
    for k in range(count):
        for i in range(len(stations) - 1):
            edge = [
                (r * math.cos(a), r * math.sin(a), stations[j])
                for a in (first + k * step, first + (k + 1) * step)
                for j in (i, i + 1)
                for r in (clear[j], outer[j])
            ]
            points = np.array(edge).T
            corners = turn @ points + place[:, None]
            ends, girth = around_points(corners)
            walls.append(corners.T)
            pieces.append(Piece("points", points, turn, place, ends, girth + flat))
    corners = [*zip(inner, stations), *zip(outer[::-1], stations[::-1])]
    size = math.hypot(stations[-1] - stations[0], 2 * outer.max())
    if closed:
        own = _from_outline([*corners, corners[0]], corners, size)
        ends, girth = _along(turn, place, stations[0], stations[-1]), float(outer.max())
    else:
        own = _of_sector([*corners, corners[0]], corners, size, half)
        ends, girth = around_points(np.concatenate(walls).T)
        girth = girth + flat
    wall = Wall(np.array(walls), count, closed, ends, girth)
    return [
        Solid(
            shape.name, tuple(pieces), _in_drawing_coordinates(turn, place, own), 0.0, flat, size, None, wall
        )
    ]


def _sector_stand(shape: geometry.Sector) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the rotation and the position of a shape, and half of the angle of its sector [rad]. The sector
    extends from -half to half about z, from x."""
    if shape.sector is None:
        return *_stand(shape), math.pi
    begin, end = shape.sector
    return geometry.sector_axes(shape), np.asarray(shape.at, float), 0.5 * (end - begin)


def _of_sector(corners: list, closed: list, size: float, half: float) -> Projection:
    rim = np.array(closed, float).T
    outline = partial(projection.polygon, np.array(corners, float).T, rim)
    face = partial(projection.polygon, np.concatenate([rim, rim[:, :1]], 1), rim)
    return partial(projection.project_on_sector, outline, face, size, half)


def _cone_sector(shape: geometry.Cone) -> list[Solid]:
    """Return the convex solids of a sector of a cone: one, or two halves if its angle exceeds 180 deg."""
    turn, place, half = _sector_stand(shape)
    if half <= 0.5 * math.pi * (1 + 1e-12):
        return [_convex_cone_sector(shape, turn, place, min(half, 0.5 * math.pi))]
    return [
        _convex_cone_sector(shape, turn @ _about_z(side * 0.5 * half), place, 0.5 * half)
        for side in (-1.0, 1.0)
    ]


def _about_z(angle: float) -> np.ndarray:
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _convex_cone_sector(shape: geometry.Cone, turn: np.ndarray, place: np.ndarray, half: float) -> Solid:
    length, radius, end = map(float, _numbers(shape, "length", "radius", "end_radius"))
    widest = max(radius, end)
    sides = math.ceil(SIDES * half / math.pi)
    angle = np.linspace(-half, half, sides + 1)
    around = np.stack([np.cos(angle), np.sin(angle)])
    rings = [
        np.concatenate([r * around, np.full((1, sides + 1), z)]) for r, z in ((radius, 0), (end, length))
    ]
    points = np.concatenate([np.array([[0, 0], [0, 0], [0, length]], float), *rings], 1)
    points = np.unique(points, axis=1)
    flat = widest * (1 - math.cos(half / sides))
    ends, girth = around_points(turn @ points + place[:, None])
    piece = Piece("points", points, turn, place, ends, girth + flat)
    corners = [(0, 0), (radius, 0), (end, length), (0, length)]
    size = math.hypot(length, 2 * widest)
    surface = _in_drawing_coordinates(turn, place, _of_sector(corners, corners, size, half))
    own = partial(support.of_sector, np.array(corners, float).T, half)
    return Solid(shape.name, (piece,), surface, 0.0, flat, size, support.place_support(turn, place, own))


def _mesh(shape: geometry.Mesh) -> list[Solid]:
    place, unit = _numbers(shape, "at", "unit")
    turn = attitude_matrix(shape.attitude)
    found = []
    for corners in convex_pieces(shape.file, shape.parts == "hull"):
        # Triangles in structural coordinates: (corner, 3, triangle).
        surface = np.einsum("ij,cjt->cit", turn, corners * unit) + place[None, :, None]
        normal = np.cross(surface[1] - surface[0], surface[2] - surface[0], axis=0)
        normal = normal / np.sqrt((normal * normal).sum(0))
        points = np.unique(np.concatenate(list(surface), 1), axis=1)
        piece = Piece("file", points, np.eye(3), np.zeros(3), *around_points(points))
        project = partial(projection.onto_triangles, surface, normal)
        extent = float(np.sqrt((np.ptp(points, axis=1) ** 2).sum()))
        reach = partial(support.of_points, points)
        found.append(Solid(shape.name, (piece,), project, 0.0, 0.0, extent, reach))
    return found


_MAKERS: dict[str, Any] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "cone": _cone,
    "ogive": _ogive,
    "box": _box,
    "shell": _shell,
    "mesh": _mesh,
}
