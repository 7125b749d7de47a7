"""Distances of shapes against closed forms, and enclosed from both sides where there are none."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize, minimize_scalar
from scipy.spatial.transform import Rotation

from interstage.model import geometry
from interstage.parts.clearance import bounds, nearest
from interstage.parts.clearance.nearest import Pair
from interstage.parts.clearance.solids import solids
from interstage.parts.clearance.to_and_fro import two_projections
from interstage.programs.program import configure

PART = 1e-9
"""Error allowed of distances, as a part of the size of the shapes."""
POSES = 60
Z = [0.0, 0.0, 1.0]


def pair(a, b):
    """The two bodies, each of one shape or several."""
    one, other = (
        solids(side, tuple(x.name for x in side), "")
        for side in (s if isinstance(s, list) else [s] for s in (a, b))
    )
    return Pair(one, other)


def sphere(radius, at=(0, 0, 0)):
    return geometry.Sphere(name="sphere", radius=radius, at=at)


def capsule(length, radius):
    return geometry.Capsule(name="capsule", at=[0, 0, -length / 2], axis=Z, length=length, radius=radius)


def cylinder(length, radius, at=None, axis=Z):
    at = [0, 0, -length / 2] if at is None else at
    return geometry.Cylinder(name="cylinder", at=at, axis=axis, length=length, radius=radius)


def box(*size):
    return geometry.Box(name="box", size=size)


@pytest.fixture(scope="module")
def poses():
    """Turns (3, 3, n), directions (3, n) of unit length, and sizes (n) from 0 to 1."""
    rng = np.random.default_rng(5)
    turn = np.moveaxis(Rotation.random(POSES, rng=rng).as_matrix(), 0, -1)
    way = rng.normal(size=(3, POSES))
    return turn, way / np.linalg.norm(way, axis=0), rng.uniform(size=POSES)


def bounded_least(matrix, offset):
    """Least length of matrix x + offset for x from -1 to 1: an active-set method, exact but for rounding."""
    found = lsq_linear(matrix, -offset, (-1, 1), method="bvls", tol=1e-15)
    return np.linalg.norm(matrix @ found.x + offset)


def test_spheres_in_motion(poses):
    turn, way, size = poses
    place = way * (3 + size)
    found = pair(sphere(0.5), sphere(2.0, [0.3, 0, 0])).nearest(turn, place)
    centre = place + 0.3 * turn[:, 0]
    np.testing.assert_allclose(found.distance, np.linalg.norm(centre, axis=0) - 2.5, rtol=0, atol=4 * PART)
    np.testing.assert_allclose(found.on_a, 0.5 * centre / np.linalg.norm(centre, axis=0), rtol=0, atol=1e-9)


@pytest.mark.parametrize("far", [3.0, 0.0])
def test_capsules_in_motion(poses, far):
    turn, way, size = poses
    place = way * (1.0 + 2.0 * size + far)
    found = pair(capsule(2.0, 0.2), capsule(3.0, 0.3)).nearest(turn, place)
    for k in range(POSES):
        axes = np.stack([np.array(Z), -1.5 * turn[:, 2, k]], 1)
        truth = bounded_least(axes, -place[:, k]) - 0.5
        if truth > 0:
            assert found.distance[k] == pytest.approx(truth, rel=0, abs=3.6 * PART)
        else:
            assert found.distance[k] <= PART


def test_boxes_in_motion(poses):
    turn, way, size = poses
    place = way * (2.5 + 2 * size)
    found = pair(box(1.0, 2.0, 3.0), box(0.5, 0.5, 4.0)).nearest(turn, place)
    own, other = np.array([0.5, 1.0, 1.5]), np.array([0.25, 0.25, 2.0])
    for k in range(POSES):
        truth = bounded_least(np.hstack([np.diag(own), -turn[:, :, k] * other]), -place[:, k])
        assert max(found.distance[k], 0) == pytest.approx(truth, rel=0, abs=4 * PART)


def below(shape, normal):
    """How far a shape about its z axis reaches from its origin in the direction `normal` (3, n)."""
    across, along = np.hypot(normal[0], normal[1]), normal[2]
    if isinstance(shape, geometry.Cylinder):
        return float(shape.radius) * across + 0.5 * float(shape.length) * np.abs(along)
    radius, length = float(shape.radius), float(shape.length)
    if isinstance(shape, geometry.Cone):
        return np.maximum(radius * across, float(shape.end_radius) * across + length * along)
    arc = (radius**2 + length**2) / (2 * radius)
    on_arc = arc + (radius - arc) * across
    # The direction of the arc's end, at the tip, is where its normal stops.
    tip = np.arctan2(length, arc - radius)
    angle = np.arctan2(along, across)
    return np.where(angle < 0, radius * across, np.where(angle < tip, on_arc, length * along))


ROUND = [
    cylinder(3.0, 1.0),
    geometry.Cone(name="cone", axis=Z, length=2.0, radius=0.7),
    geometry.Cone(name="frustum", axis=Z, length=2.0, radius=0.7, end_radius=0.2),
    geometry.Cone(name="flare", axis=Z, length=2.0, radius=0.2, end_radius=0.7),
    geometry.Ogive(name="ogive", axis=Z, length=2.5, radius=0.6),
]


@pytest.mark.parametrize("shape", ROUND, ids=lambda s: s.name)
@pytest.mark.parametrize("gap", [2.0, 1e-3, 1e-6])
def test_round_shapes_that_tumble_over_a_floor(poses, shape, gap):
    """The lowest point of a shape over a wide floor is where its surface faces down."""
    turn, _, size = poses
    height = below(shape, -turn[2]) + gap * (1 + size)
    place = np.stack([size, -size, height + 0.5])
    found = pair(box(40.0, 40.0, 1.0), shape).nearest(turn, place)
    np.testing.assert_allclose(found.distance, gap * (1 + size), rtol=0, atol=3 * PART)
    np.testing.assert_allclose(found.on_a[2], 0.5, rtol=0, atol=1e-12)
    assert (found.slack < 1e-6).all()


def test_cylinders_side_by_side_crossed_and_end_to_end():
    both = pair(cylinder(4.0, 1.0), cylinder(2.0, 0.5))
    straight, crossed = np.eye(3), Rotation.from_euler("x", 90, degrees=True).as_matrix()
    cases = [
        (straight, [2.0, 1.0, 0.3], np.sqrt(5.0) - 1.5),
        (straight, [0.2, 0.1, 3.7], 0.7),
        (straight, [2.5, 0.0, 3.5], np.hypot(1.0, 0.5)),
        (crossed, [1.9, 0.3, 0.2], 0.4),
        (crossed, [0.0, 0.4, 2.9], 0.4),
    ]
    turn = np.stack([c[0] for c in cases], -1)
    place = np.array([c[1] for c in cases]).T
    truth = [c[2] for c in cases]
    np.testing.assert_allclose(both.nearest(turn, place).distance, truth, rtol=0, atol=4.5 * PART)


@pytest.mark.long
def test_curved_shapes_against_each_other_are_enclosed(poses):
    """Where no closed form is known: the points found are on the surfaces, and no plane between the two
    shapes has more room between them than their distance; one across the direction found has as much."""
    turn, way, size = poses
    for a, b in product(ROUND, ROUND):
        both = pair(a, b)
        place = way * (4.5 + size)
        near = both.nearest(turn, place)
        for gap in (near.distance, 1e-4 * (1 + size)):
            moved = place + near.direction * (gap - near.distance)
            found = both.nearest(turn, moved)
            facing = np.einsum("jin,jn->in", turn, -found.direction)
            room = (found.direction * moved).sum(0) - below(a, found.direction) - below(b, facing)
            upper = np.linalg.norm(found.on_b - found.on_a, axis=0)
            np.testing.assert_allclose(found.distance, upper, rtol=0, atol=1e-13)
            np.testing.assert_allclose(room, upper, rtol=0, atol=3 * PART)


def wall(inner=1.0, outer=1.2):
    return geometry.Shell(
        name="wall", axis=Z, stations=[0.0, 3.0], inner=[inner, inner], outer=[outer, outer]
    )


@pytest.mark.parametrize("gap", [0.2, 1e-3, 1e-6])
def test_a_nozzle_in_an_interstage(poses, gap):
    """A cylinder beside the middle of a bore: the walls are round, whatever sectors they are first searched
    in."""
    _, _, size = poses
    angle, aside = 2 * np.pi * size, 1.0 - 0.7 - gap
    place = np.stack([aside * np.cos(angle), aside * np.sin(angle), 1.0 + size])
    turn = np.broadcast_to(np.eye(3)[:, :, None], (3, 3, POSES))
    found = pair(wall(), cylinder(1.0, 0.7)).nearest(turn, place)
    np.testing.assert_allclose(found.distance, gap, rtol=0, atol=3.3 * PART)
    outward = np.stack([np.cos(angle), np.sin(angle), 0 * angle])
    np.testing.assert_allclose(found.direction, -outward, rtol=0, atol=1e-6)


def test_a_nozzle_that_leaves_an_interstage_tilted(poses):
    """The rims of a tilted cylinder inside a bore: the least over each of them, found by itself."""
    _, _, size = poses
    tilt = Rotation.from_euler("y", (0.05 + 0.1 * size)[:, None]).as_matrix()
    turn = np.moveaxis(tilt, 0, -1)
    place = np.stack([0.1 * size, 0 * size, 1.2 + size])
    found = pair(wall(), cylinder(1.0, 0.7)).nearest(turn, place)
    for k in range(POSES):
        least = np.inf
        for end, start in product((-0.5, 0.5), np.linspace(0, 2 * np.pi, 9)):

            def room(angle, k=k, end=end):
                rim = np.array([0.7 * np.cos(angle), 0.7 * np.sin(angle), end])
                x, y, z = turn[:, :, k] @ rim + place[:, k]
                return 1.0 - np.hypot(x, y) if z < 3.0 else np.inf

            spot: Any = minimize_scalar(room, bounds=(start - 0.8, start + 0.8), options={"xatol": 1e-12})
            least = min(least, spot.fun)
        assert found.distance[k] == pytest.approx(least, rel=0, abs=1e-9 * 3.8)


@pytest.mark.long
def test_rings_that_leave_each_other_almost_on_one_axis(poses):
    """Their rims are nearest, nearly as near all around: the least over both circles, found by itself."""
    _, way, size = poses
    count = 20
    tilt = np.moveaxis(Rotation.from_rotvec(0.004 * way.T[:count] * [1, 1, 0]).as_matrix(), 0, -1)
    place = np.stack([0.02 * way[0], 0.02 * way[1], 3.5 + 5 * size])[:, :count]
    within = geometry.Shell(name="ring", axis=Z, stations=[0.0, 0.1], inner=[0.7, 0.7], outer=[0.84, 0.84])
    found = pair(wall(0.86, 0.95), within).nearest(tilt, place)

    def between(angles, k):
        a, b = (np.array([np.cos(x), np.sin(x), 0.0]) for x in angles)
        rim = tilt[..., k] @ (0.84 * b) + place[:, k]
        return ((rim - 0.86 * a - [0, 0, 3.0]) ** 2).sum()

    for k in range(count):
        least = min(
            minimize(between, [start, start], (k,), "BFGS", options={"gtol": 1e-13}).fun
            for start in np.linspace(0, 2 * np.pi, 12)
        )
        # A square of a length has half the digits of its rounding to spare.
        assert found.distance[k] == pytest.approx(np.sqrt(least), rel=0, abs=PART * 3.4)


def test_walls_that_are_apart_need_no_other_search(poses, monkeypatch):
    """Neither inside nor outside of the bore; and what does not move is searched once."""
    turn, way, size = poses
    both = pair([wall(), sphere(0.1, [0, 0, -2.0])], [cylinder(1.0, 0.7), wall(0.3, 0.4)])
    monkeypatch.setattr(Pair, "_ask", lambda *_: pytest.fail("was searched by coal"))
    found = both.nearest(turn, way * (9.0 + size))
    assert (found.distance > 0.2).all()
    assert (found.slack < 1e-6).all()
    looked = []
    search = nearest.looked_for
    monkeypatch.setattr(nearest, "looked_for", lambda *given: (looked.append(given[2]), search(*given))[1])
    still, same = np.repeat(turn[..., :1], POSES, 2), np.repeat(9 * way[:, :1], POSES, 1)
    again = both.nearest(still, same + 1e-13 * size)
    assert {given.shape[-1] for given in looked} == {1}
    np.testing.assert_array_equal(again.distance, again.distance[0])


def test_a_short_ring_of_few_sectors_bulges_out_of_them(poses):
    """A ball beside the middle of a sector's side, where the flat sector is furthest inside the round wall; a
    knob of the same body is a little further away."""
    ring = geometry.Shell(
        name="ring", axis=Z, stations=[0.0, 0.02], inner=[0.9, 0.9], outer=[1.0, 1.0], sectors=8
    )
    gap, angle = 0.001, np.pi / 8
    aside = np.array([np.cos(angle), np.sin(angle), 0.0])
    centre = (1.0 + gap + 0.05) * aside + [0, 0, 0.01]
    above = centre + np.array([0, 0, 0.05 + 0.038 + 0.01])
    both = pair([ring, sphere(0.01, above)], geometry.Sphere(name="ball", radius=0.05))
    turn, place = np.eye(3)[:, :, None], centre[:, None]
    assert both.bound(turn, place)[0] <= gap
    assert both.nearest(turn, place).distance[0] == pytest.approx(gap, abs=PART * 2)


def test_overlap_is_negative():
    both = pair(sphere(1.0), sphere(0.5))
    one = np.eye(3)[:, :, None]
    depth = both.nearest(one, np.array([[1.2], [0.0], [0.0]])).distance
    assert depth == pytest.approx(-0.3, abs=1e-9)
    both = pair(box(2, 2, 2), box(1, 1, 1))
    assert both.nearest(one, np.array([[1.4], [0.1], [0.0]])).distance == pytest.approx(-0.1, abs=1e-8)
    # Less deep than flat sectors of a wall and sides of a cone lie inside of the surfaces, and deeper.
    for deep in (1e-6, 1e-3, 0.02):
        place = np.array([[deep + 0.3], [0.0], [1.0]])
        within = pair(wall(), cylinder(1.0, 0.7)).nearest(one, place)
        assert within.distance == pytest.approx(-deep, abs=4e-9)
        # Half the error of the direction, squared, times how far the solids are moved apart is that of the
        # depth.
        moved = 2 * 1.2 * (1 / np.cos(np.pi / 32) - 1)
        aside = np.sqrt(2 * 4e-9 / moved)
        np.testing.assert_allclose(within.direction[:, 0], [-1, 0, 0], rtol=0, atol=aside)
        cone = geometry.Cone(name="cone", at=[0, 0, -1.0], axis=Z, length=2.0, radius=0.7, end_radius=0.5)
        slope = np.hypot(2.0, 0.2)
        # The side faces the ball, whose centre is above the middle of the slant.
        centre = np.array([[0.6], [0.0], [0.0]]) + (0.3 - deep) * np.array([[2.0], [0.0], [0.2]]) / slope
        assert pair(cone, sphere(0.3)).nearest(one, centre).distance == pytest.approx(-deep, abs=4e-9)
    # A wall whose flat sectors would reach into the bore does not touch what is inside it.
    inside = pair(wall(), cylinder(1.0, 1.0 - 1e-5))
    assert inside.nearest(one, np.array([[0.0], [0.0], [1.0]])).distance == pytest.approx(1e-5, abs=4e-9)


@pytest.mark.parametrize("sphere_first", [True, False])
def test_a_sphere_whose_centre_is_in_a_cylinder_leaves_through_the_nearest_face(sphere_first):
    """Closed form: its radius and the distance of its centre from this face. A translation by the depth ends
    the overlap. The coal library alone returns other depths in a quarter of these poses."""
    rng, count = np.random.default_rng(3), 40
    for _ in range(20):
        ball, girth, length = rng.uniform(0.2, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 3)
        angle, across = rng.uniform(0, 2 * np.pi, count), girth * np.sqrt(rng.uniform(0, 1, count))
        along = length * rng.uniform(0, 1, count)
        tube = geometry.Cylinder(name="tube", axis=Z, length=length, radius=girth)
        centre = np.stack([across * np.cos(angle), across * np.sin(angle), along])
        turn = np.moveaxis(Rotation.from_quat(rng.normal(size=(count, 4))).as_matrix(), 0, -1)
        deep = ball + np.minimum(girth - across, np.minimum(along, length - along))
        if sphere_first:
            both, place = pair(sphere(ball), tube), -np.einsum("ijn,jn->in", turn, centre)
        else:
            both, place = pair(tube, sphere(ball)), centre
        found = both.nearest(turn, place)
        np.testing.assert_allclose(found.distance, -deep, rtol=0, atol=PART * both.size)
        free = both.nearest(turn, place + deep * found.direction)
        np.testing.assert_allclose(free.distance, 0, rtol=0, atol=1e-6 * both.size)  # of coal at contact


def test_flat_faces_that_all_but_touch_are_not_deep_in_each_other():
    """Of some gaps below its tolerance coal tells depths of metres, or of 1e308 m."""
    cone = geometry.Cone(name="cone", at=[0, 0, 0], axis=Z, length=2.0, radius=0.4, end_radius=1.4)
    below = geometry.Ogive(name="below", at=[0, 0, 0], axis=[0, 0, -1.0], length=3.0, radius=1.0)
    rng, count = np.random.default_rng(4), 200
    turn = np.moveaxis(Rotation.from_rotvec(rng.uniform(0, 6, (count, 1)) * Z).as_matrix(), 0, -1)
    place = np.stack([*rng.normal(0, 1e-15, (2, count)), rng.uniform(4e-10, 1e-9, count)])
    found = pair(below, cone).nearest(turn, place)
    np.testing.assert_allclose(found.distance, place[2], rtol=0, atol=3 * PART)


@pytest.mark.parametrize(
    "shape",
    [*ROUND, box(1.0, 2.0, 3.0), geometry.Ogive(name="ogive", axis=Z, length=2.0, radius=0.7)],
    ids=lambda shape: shape.name,
)
def test_how_far_solids_reach(poses, shape):
    """The nearest point to one far away is the furthest in its direction."""
    (solid,) = solids([shape], (shape.name,), "")
    way, far = poses[1], 1e7
    furthest = (way * solid.project(far * way)[0]).sum(0) + solid.swell
    np.testing.assert_allclose(solid.reach(way), furthest, rtol=0, atol=2 * solid.size**2 / far)


def test_a_distance_without_a_proof_is_searched_again(poses, monkeypatch):
    """The first projections end 1 % too far; no plane parts the solids by as much."""
    turn, way, size = poses
    a, b, place = box(1.0, 2.0, 3.0), ROUND[-1], way * (4 + size)
    right = pair(a, b).nearest(turn, place).distance
    calls = []

    def short(*given):
        distance, *rest = two_projections(*given)
        calls.append(distance)
        return distance * (1.01 if len(calls) == 1 else 1.0), *rest

    monkeypatch.setattr(nearest, "two_projections", short)
    np.testing.assert_allclose(pair(a, b).nearest(turn, place).distance, right, rtol=0, atol=3.2 * PART)
    assert len(calls) == 2


def test_bounds_are_below_every_distance(poses):
    turn, way, size = poses
    a = [box(1.0, 2.0, 3.0), sphere(0.4, [0, 0, 2.0])]
    b = [ROUND[-1], cylinder(2.0, 0.6, [0, 0, -2.0])]
    both = pair(a, b)
    place = way * (3.5 + 4 * size)
    found = both.bound(turn, place)
    exact = both.nearest(turn, place).distance
    assert (found <= np.maximum(exact, 0) + 1e-12).all()
    low, high = both.bracket(turn, place, np.full(POSES, np.inf))
    assert (low >= found).all()
    assert (low <= exact + 1e-12).all()
    assert (high >= exact - 1e-12).all()
    # Two projections, from where the capsules are nearest: a few percent, and no more than a bound by them.
    assert np.median((high - low) / exact) < 0.03
    ball = pair(sphere(1.0), sphere(0.5))
    np.testing.assert_allclose(
        ball.bound(turn, place), np.linalg.norm(place, axis=0) - 1.5, rtol=0, atol=1e-12
    )
    import jax.numpy as jnp

    configure()
    traced = bounds.lower_bounds(*both.capsules, jnp.asarray(turn), jnp.asarray(place), xp=jnp)
    np.testing.assert_allclose(traced.min((0, 1)), found, rtol=0, atol=1e-12)
