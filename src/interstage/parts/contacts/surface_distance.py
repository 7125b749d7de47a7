"""Signed distances of points from the surfaces of shapes, in closed form, for use in compiled programs.

For a solid of revolution, consider the half plane that contains its axis and the point. The nearest point is
in this half plane. In the half plane, the distance is the distance from a polygon with corners (radius,
station). A box has its own formula (Quilez, "3D SDFs").

The distance is negative inside the shape. The gradient of the distance is the outward normal at the nearest
point of the surface.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import add_axes, dot, norm, rotate, rotate_back


class Outline(NamedTuple):
    """A solid of revolution, in structural coordinates. Case axes are last.

    - `place` [m], axis (3): origin of the stations, and unit vector along the axis.
    - start, end [m] (2, edge): radius and station at both ends of each edge. The solid is to the left of the
      edge.
    - bend_start, bend_end (edge): 1 if the corner at this end is convex, -1 if it is concave.
    - counts (edge): 0 for an edge on the axis, which is not part of the surface; otherwise 1.
    - swell [m]: distance of the surface from the edges, outward.
    - thickness [m]: smallest thickness of the solid.
    """

    place: Any
    axis: Any
    start: Any
    end: Any
    bend_start: Any
    bend_end: Any
    counts: Any
    swell: Any
    thickness: Any


class Block(NamedTuple):
    """A box, in structural coordinates. Case axes are last.

    - `place` [m] (3): centre.
    - `turn` (3, 3): rotation from box axes to structural axes.
    - half [m] (3): half of each edge.
    - thickness [m]: smallest edge.
    """

    place: Any
    turn: Any
    half: Any
    thickness: Any


class Nearest(NamedTuple):
    """Signed distance [m] (point, *cases) and outward unit normal (3, point, *cases) of the nearest surface
    point. The normal has structural axes of the body with the surface.
    """

    distance: Any
    normal: Any


def surface(shape: Any) -> Outline | Block:
    """Return the surface of a declared shape for the computation of distances: a `Block` for a box, or an
    `Outline` (solid of revolution) for other shapes. The dimensions of the shape may have case axes.
    """
    if shape.kind == "box":
        half = jnp.asarray(shape.size) / 2
        turn = jnp.eye(3) if shape.attitude is None else matrix_of(quaternion_of(shape.attitude))
        return Block(jnp.asarray(shape.at), add_axes(turn, 1 + half.ndim), half, 2 * jnp.min(half, 0))
    if shape.kind == "shell":
        return _shell(shape)
    radius = jnp.asarray(shape.radius)
    none = jnp.zeros_like(radius)
    if shape.kind == "sphere":
        axis = add_axes(jnp.array([0.0, 0.0, 1.0]), 1 + radius.ndim)
        return _outline(shape.at, axis, [(none, none)] * 2, radius, 2 * radius)
    length = jnp.asarray(shape.length)
    if shape.kind == "capsule":
        return _outline(shape.at, shape.axis, [(none, none), (none, length)], radius, 2 * radius)
    last = jnp.asarray(getattr(shape, "end_radius", radius))
    corners = [(none, none), (radius, none), (last, length), (none, length)]
    return _outline(shape.at, shape.axis, corners, none, jnp.minimum(jnp.maximum(radius, last), length))


def _shell(shape: Any) -> Outline:
    stations, inner, outer = (jnp.asarray(part) for part in (shape.stations, shape.inner, shape.outer))
    rows = range(stations.shape[0])
    corners = [*((outer[k], stations[k]) for k in rows), *((inner[k], stations[k]) for k in rows[::-1])]
    found = _outline(shape.at, shape.axis, [*corners, corners[0]], jnp.zeros_like(inner[0]), inner[0])
    way = found.end - found.start
    following = jnp.roll(way, -1, 1)
    bend = jnp.where(way[0] * following[1] - way[1] * following[0] < 0, -1.0, 1.0)
    counts = jnp.where((found.start[0] > 0) | (found.end[0] > 0), 1.0, 0.0)
    thin = jnp.minimum(jnp.min(outer - inner, 0), stations[-1] - stations[0])
    return found._replace(bend_start=jnp.roll(bend, 1, 0), bend_end=bend, counts=counts, thickness=thin)


def _outline(at, axis, corners, swell, thickness) -> Outline:
    axis = jnp.asarray(axis)
    lanes = jnp.broadcast_shapes(*(jnp.shape(part) for corner in corners for part in corner))
    radius, station = (
        jnp.stack([jnp.broadcast_to(corner[k], lanes) for corner in corners]) for k in range(2)
    )
    points = jnp.stack([radius, station])
    one = jnp.ones_like(radius[1:])
    start, end = points[:, :-1], points[:, 1:]
    return Outline(jnp.asarray(at), axis / norm(axis), start, end, one, one, one, swell, thickness)


def nearest(of: Outline | Block, points: Any) -> Nearest:
    """Return the signed distances and normals at given points.

    - of: the prepared surface.
    - points: [m] (3, point, *cases), structural coordinates of the body with the surface.
    """
    return _from_block(of, points) if isinstance(of, Block) else _from_outline(of, points)


def _from_outline(of: Outline, points: Any) -> Nearest:
    arm, axis = points - of.place[:, None], of.axis[:, None]
    station = dot(arm, axis)
    across = arm - axis * station
    radius = norm(across)
    outward = across / jnp.where(radius > 0, radius, 1.0)
    start, end = of.start[:, :, None], of.end[:, :, None]
    length = norm(end - start)
    way = (end - start) / jnp.where(length > 0, length, 1.0)
    here = jnp.stack([radius, station])[:, None] - start
    gone = dot(here, way)
    off = here - way * jnp.clip(gone, 0.0, length)
    far = norm(off)
    # Beyond the ends of an edge a corner is nearest. Points on its outer side are outside.
    corner = (gone < 0) | (gone > length) | (length == 0)
    bend = jnp.where(gone < 0, of.bend_start[:, None], of.bend_end[:, None])
    own = jnp.where(corner, bend * far, here[0] * way[1] - here[1] * way[0])
    square = jnp.stack(jnp.broadcast_arrays(way[1], -way[0]))
    normal = jnp.where(corner, bend * off / jnp.where(far > 0, far, 1.0), square)
    far = jnp.where(of.counts[:, None] > 0, far, jnp.inf)
    # Two edges can be equally near, as at their corner. Then both count.
    chosen = jnp.where(far == jnp.min(far, 0), 1.0, 0.0)
    chosen = chosen / jnp.sum(chosen, 0)
    distance = jnp.sum(chosen * own, 0) - of.swell
    normal = jnp.sum(chosen * normal, 1)
    return Nearest(distance, normal[0] * outward + normal[1] * axis)


def _from_block(of: Block, points: Any) -> Nearest:
    turn = of.turn[:, :, None]
    own = rotate_back(turn, points - of.place[:, None])
    beyond = jnp.abs(own) - of.half[:, None]
    side = jnp.where(own < 0, -1.0, 1.0)
    out = jnp.maximum(beyond, 0.0)
    far, deepest = norm(out), jnp.max(beyond, 0)
    face = jnp.where(beyond == deepest, 1.0, 0.0)
    outside = far > 0
    normal = jnp.where(outside, out / jnp.where(outside, far, 1.0), face / jnp.sum(face, 0))
    return Nearest(jnp.where(outside, far, deepest), rotate(turn, side * normal))
