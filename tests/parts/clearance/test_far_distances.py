"""Distances of bodies that are far apart, up to 1e9 m.

Each distance is enclosed without the code under test: points of both bodies that are as far apart bound it
from above, and planes across the line between these points bound it from below (Minkowski's theorem of
separating planes), by support functions in closed form. For a hollow shell the planes belong to its convex
hull, which has the same distance from a far body unless the body is seen through the bore."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from interstage.model import geometry
from interstage.parts.clearance.nearest import Pair
from interstage.parts.clearance.solids import solids
from interstage.reading import loads
from interstage.record.requirements import evaluate

EPS = np.finfo(float).eps
ROUNDINGS = 32
"""A distance is a sum of fewer products of coordinates than this."""
SAG = 3e-9
"""The support of the ogive is that of a fine polygon, whose 2e4 sides sag by this part of its arc [m]."""
CLOSE = 4
"""The bound of the code counts more roundings than this test does."""
FAR = np.array([1e2, 3e3, 1e5, 7.5e4, 1e6, 3e7, 1e9])
"""Distances [m] between the origins of the bodies' axes."""
STATIONS, INNER, OUTER = [0.0, 0.7, 1.5], [0.5, 0.45, 0.3], [0.6, 0.55, 0.4]


def octahedron(tmp_path):
    corners = np.array([[0.9, 0, 0], [0, 0.5, 0], [0, 0, 0.7], [-0.4, 0, 0], [0, -0.8, 0], [0, 0, -0.6]])
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + ["f 1 2 3", "f 3 4 5", "f 5 6 1"]
    path = tmp_path / "octahedron.obj"
    path.write_text("\n".join(lines))
    return geometry.Mesh(name="mesh", file=str(path), parts="hull"), corners.T


def shapes(tmp_path):
    """Shape, its support function h(n) = max n.x, and how far outside of it a point is, by kind; all about
    the z axis or in the axes of the body."""
    up: Any = {"axis": [0, 0, 1]}

    def revolved(*outline):
        """Of rings (radius, station)."""
        ring = np.array(outline).T
        return lambda n: (ring[0][:, None] * np.hypot(n[0], n[1]) + ring[1][:, None] * n[2]).max(0)

    def ogive(n):
        arc = (0.4**2 + 1.3**2) / 0.8
        angle = np.linspace(0, np.arcsin(1.3 / arc), 20001)
        return revolved(*zip(0.4 - arc * (1 - np.cos(angle)), arc * np.sin(angle), strict=True), (0, 0))(n)

    mesh, corners = octahedron(tmp_path)
    shell = geometry.Shell(name="shell", stations=STATIONS, inner=INNER, outer=OUTER, **up)
    return {
        "sphere": (geometry.Sphere(name="sphere", radius=0.7), lambda n: 0.7 + 0 * n[0]),
        "capsule": (
            geometry.Capsule(name="capsule", length=1.2, radius=0.3, **up),
            lambda n: 0.3 + np.maximum(0, 1.2 * n[2]),
        ),
        "cylinder": (
            geometry.Cylinder(name="cylinder", length=1.4, radius=0.5, **up),
            revolved((0.5, 0), (0.5, 1.4)),
        ),
        "cone": (
            geometry.Cone(name="cone", length=0.9, radius=0.6, end_radius=0.2, **up),
            revolved((0.6, 0), (0.2, 0.9)),
        ),
        "ogive": (geometry.Ogive(name="ogive", length=1.3, radius=0.4, **up), ogive),
        "box": (
            geometry.Box(name="box", size=[0.4, 1.0, 0.2]),
            lambda n: np.array([0.2, 0.5, 0.1]) @ np.abs(n),
        ),
        "mesh": (mesh, lambda n: (corners.T @ n).max(0)),
        "shell": (shell, revolved(*zip(OUTER, STATIONS, strict=True))),
    }


def in_poses(rng, count):
    """Turns (3, 3, n) and places (3, n) at all distances."""
    turn = np.moveaxis(Rotation.random(count, rng=rng).as_matrix(), 0, -1)
    way = rng.normal(size=(3, count))
    return turn, np.resize(FAR, count) * way / np.linalg.norm(way, axis=0)


def outside(support, points, ways):
    """How far points (3, n) are outside a convex body: beyond its planes across some ways (3, m)."""
    return (ways.T @ points - support(ways)[:, None]).max(0)


def support_gap(one, other, turn, place, n):
    """Width of the gap between the planes across n (3, lane) that touch the bodies."""
    return (place * n).sum(0) - one(n) - other(-np.einsum("jin,jn->in", turn, n))


KINDS = ["sphere", "capsule", "cylinder", "cone", "ogive", "box", "mesh", "shell"]


@pytest.mark.parametrize("kind", KINDS)
def test_far_distances_are_those_between_planes(tmp_path, kind):
    rng = np.random.default_rng(58)
    known = shapes(tmp_path)
    ways = rng.normal(size=(3, 200))
    ways = ways / np.linalg.norm(ways, axis=0)
    for other in known:
        a, b = (solids((known[k][0],), (k,), "") for k in (kind, other))
        one, another = known[kind][1], known[other][1]
        turn, place = in_poses(rng, 3 * len(FAR))
        found = Pair(a, b).nearest(turn, place)
        rounding = ROUNDINGS * EPS * np.linalg.norm(place, axis=0)
        away = np.linalg.norm(found.on_b - found.on_a, axis=0)
        assert (np.abs(away - found.distance) <= rounding).all(), (kind, other)
        own = np.einsum("jin,jn->in", turn, found.on_b - place)
        assert (outside(one, found.on_a, ways) <= rounding + SAG).all(), (kind, other)
        assert (outside(another, own, ways) <= rounding + SAG).all(), (kind, other)
        low = support_gap(one, another, turn, place, found.direction)
        assert (np.abs(found.distance - low) <= rounding + SAG).all(), (kind, other)
        assert (found.slack <= CLOSE * rounding).all(), (kind, other)


def test_far_bodies_of_several_shapes(tmp_path):
    """The nearest of all pairs of shapes, some of them far from the origin of their body's axes."""
    rng = np.random.default_rng(59)
    at, radius = rng.uniform(-5e3, 5e3, (2, 3, 4)), rng.uniform(0.1, 2.0, (2, 4))
    names = tuple(f"s{k}" for k in range(4))
    a, b = (
        solids(
            [geometry.Sphere(name=n, radius=r, at=x) for n, r, x in zip(names, own, p.T, strict=True)],
            names,
            "",
        )
        for own, p in zip(radius, at, strict=True)
    )
    turn, place = in_poses(rng, 100 * len(FAR))
    found = Pair(a, b).nearest(turn, place)
    others = np.einsum("ijn,jk->ikn", turn, at[1]) + place[:, None]
    gaps = np.linalg.norm(at[0][:, :, None, None] - others[:, None], axis=0)
    gaps = gaps - radius[0][:, None, None] - radius[1][None, :, None]
    rounding = ROUNDINGS * EPS * (np.linalg.norm(place, axis=0) + 2e4)
    apart = gaps.min((0, 1)) > 1e-3
    assert apart.mean() > 0.99
    assert (np.abs(found.distance - gaps.min((0, 1))) <= rounding)[apart].all()


CUBES = """
gravity = "none"
[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = {}
shapes.box = { kind = "box", size = [0.1, 0.1, 0.1] }
[bodies.b]
mass = 1
inertia = [1, 1, 1]
initial = { position = [0.2, 0, 0], velocity = [1, 0.1, 0.05] }
shapes.box = { kind = "box", size = [0.1, 0.1, 0.1] }
[clearance.gap]
between = ["a", "b"]
interval = "10 s"
[requirements.gap]
quantity = "clearance.gap.distance"
min = "0.05 m"
[output]
interval = "10 s"
[phases.fly]
until = { time = "3000 s" }
"""


def test_bodies_that_drift_apart_keep_their_least_distance():
    record = loads(CUBES).run().record
    times, values = record.courses["clearance.gap"]
    gap = np.abs(np.stack([0.2 + times, 0.1 * times, 0.05 * times])) - 0.1
    np.testing.assert_allclose(values["distance"], np.linalg.norm(np.maximum(gap, 0), axis=0), rtol=1e-12)
    (margin,) = evaluate(record)
    assert margin.passed
    assert margin.value == pytest.approx(0.1, rel=1e-12)


def test_a_pose_that_is_not_finite_has_no_distance():
    """And none that passes for a large one."""
    ball = [geometry.Sphere(name="ball", radius=1.0)]
    a, b = (solids(ball, ("ball",), "") for _ in range(2))
    place = np.array([[np.nan, 5.0, np.inf], [0, 0, 0], [0, 0, 0]])
    with np.errstate(invalid="ignore"):
        found = Pair(a, b).nearest(np.broadcast_to(np.eye(3)[:, :, None], (3, 3, 3)), place)
    np.testing.assert_array_equal(found.distance, [np.nan, 3.0, np.nan])
