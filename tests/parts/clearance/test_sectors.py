"""Distances of sectors of shells and cones: against a search over their surfaces, and closed forms."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from interstage.model import geometry
from interstage.parts.clearance.nearest import Pair
from interstage.parts.clearance.solids import solids
from interstage.tree.errors import BadInput

PART = 1e-9
"""Error allowed of distances, as a part of the size of the shapes: that of complete shapes."""


def pair(a: Any, b: Any) -> Pair:
    one, other = (solids([shape], (shape.name,), "") for shape in (a, b))
    return Pair(one, other)


def still(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    count = places.shape[1]
    return np.broadcast_to(np.eye(3)[:, :, None], (3, 3, count)), places


def ball(radius: float = 1e-3) -> geometry.Sphere:
    return geometry.Sphere(name="ball", radius=radius)


def shell(**sector: Any) -> geometry.Shell:
    numbers = {"stations": [0.0, 2.0, 3.5], "inner": [0.9, 0.9, 0.1], "outer": [1.0, 1.0, 0.15]}
    return geometry.Shell(name="shell", **{"axis": [1, 0, 0], **numbers, **sector})


def cone(**sector: Any) -> geometry.Cone:
    return geometry.Cone(name="cone", **{"axis": [0, 1, 0], "length": 2.0, "radius": 1.0, **sector})


def outline(shape: Any) -> np.ndarray:
    """Corners (n, 2) of the closed outline (radius, station)."""
    if isinstance(shape, geometry.Cone):
        return np.array([[0, 0], [shape.radius, 0], [shape.end_radius, shape.length], [0, shape.length]])
    up = np.stack([shape.outer, shape.stations], 1)
    return np.concatenate([up, np.stack([shape.inner, shape.stations], 1)[::-1]])


def axes(shape: Any) -> np.ndarray:
    """Angle zero, ninety degrees, and axis, as the rule for the default states them, or from `zero`."""
    z = np.asarray(shape.axis) / np.linalg.norm(shape.axis)
    k = int(np.argmax(np.abs(z)))
    x = np.eye(3)[(k + 1) % 3] if shape.zero is None else np.asarray(shape.zero)
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z])


def in_outline(corners: np.ndarray, radius: Any, height: Any) -> Any:
    crossed = 0
    for (r0, z0), (r1, z1) in pairwise([*corners, corners[0]]):
        if z0 != z1:
            crosses = (z0 > height) != (z1 > height)
            crossed = crossed + (crosses & (radius < r0 + (height - z0) * (r1 - r0) / (z1 - z0)))
    return crossed % 2 == 1


def distance_of_point(shape: Any, point: np.ndarray, begin: float, end: float) -> float:
    """Least distance from a point to a sector: the least over half planes at many angles, and then about the
    best of them by ever finer angles. In each, the least over the edges of the outline in its closed form."""
    own, corners = axes(shape) @ (point - shape.at), outline(shape)

    def at(angles: np.ndarray) -> np.ndarray:
        radius = np.cos(angles) * own[0] + np.sin(angles) * own[1]
        off = np.cos(angles) * own[1] - np.sin(angles) * own[0]
        here = np.stack([radius, np.full_like(radius, own[2])])
        nearest = np.full_like(radius, np.inf)
        for a, b in pairwise([*corners, corners[0]]):
            along = (b - a)[:, None]
            square = max(float((along * along).sum()), 1e-300)
            part = np.clip(((here - a[:, None]) * along).sum(0) / square, 0, 1)
            nearest = np.minimum(nearest, np.linalg.norm(here - a[:, None] - part * along, axis=0))
        nearest[in_outline(corners, *here)] = 0.0
        return np.hypot(nearest, off)

    low, high, found = begin, end, np.inf
    for _ in range(8):
        grid = np.linspace(low, high, 401)
        values = at(grid)
        best, step = int(np.argmin(values)), grid[1] - grid[0]
        found = min(found, float(values[best]))
        low, high = max(begin, grid[best] - step), min(end, grid[best] + step)
    return found


SECTORS = [(0, 180), (-90, 90), (30, 75), (100, 359), (-200, 20), (5, 6)]


@pytest.mark.parametrize("make", [shell, cone])
@pytest.mark.parametrize(("begin", "end"), SECTORS)
def test_small_balls_around_a_sector(make, begin, end):
    """Against the least distance over the surface, at random points inside and around it."""
    shape = make(**{"from": np.radians(begin), "to": np.radians(end)})
    drawn = np.random.default_rng(begin + end + 360)
    count = 30
    places = drawn.uniform(-1.6, 1.6, size=(3, count)) + np.asarray(shape.axis, float)[:, None]
    found = pair(shape, ball()).nearest(*still(places)).distance
    for k in range(count):
        least = distance_of_point(shape, places[:, k], np.radians(begin), np.radians(end))
        if least > 2e-3:  # apart from the ball, whose centre is then outside
            assert found[k] == pytest.approx(least - 1e-3, rel=0, abs=PART * 4)
        elif least == 0:
            assert found[k] < 0


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, -1, 0], [0, 0, 2]])
def test_the_default_angle_zero_is_the_next_axis(axis):
    """A narrow sector about the angle zero is near a ball on the next structural axis, and about 90 deg near
    one at the right-handed perpendicular."""
    along = np.array(axis) / np.linalg.norm(axis)
    zero = np.roll(np.abs(along), 1)
    for angle, out in ((0.0, zero), (np.pi / 2, np.cross(along, zero))):
        shape = shell(axis=axis, **{"from": angle - 0.01, "to": angle + 0.01})
        places = (along + 1.3 * out)[:, None]
        assert pair(shape, ball(0.1)).nearest(*still(places)).distance[0] == pytest.approx(0.2, abs=PART * 4)


def test_an_oblique_axis_takes_its_angle_zero_from_the_direction():
    along, zero = np.array([1.0, 1.0, 0.2]), np.array([0.0, 0.3, 1.0])
    shape = shell(axis=along, zero=zero, **{"from": 0.2, "to": 1.4})
    drawn = np.random.default_rng(3)
    places = drawn.uniform(-2, 2, size=(3, 20)) + along[:, None]
    found = pair(shape, ball()).nearest(*still(places)).distance
    for k in range(20):
        least = distance_of_point(shape, places[:, k], 0.2, 1.4)
        if least > 2e-3:
            assert found[k] == pytest.approx(least - 1e-3, rel=0, abs=PART * 4)


@pytest.mark.parametrize("make", [shell, cone])
def test_sectors_and_boxes_that_tumble(make):
    """Enclosed: no point of the box is nearer (corners, edges and faces by a grid), and the found points are
    on both bodies, as far apart as the distance."""
    shape = make(**{"from": -1.2, "to": 1.5})
    size = np.array([0.5, 0.3, 0.8])
    box = geometry.Box(name="box", size=size)
    drawn = np.random.default_rng(11)
    count = 8
    turn = np.moveaxis(Rotation.random(count, rng=drawn).as_matrix(), 0, -1)
    places = drawn.uniform(-2.2, 2.2, size=(3, count)) + np.asarray(shape.axis, float)[:, None]
    found = pair(shape, box).nearest(turn, places)
    grid = np.array([*product(*(np.linspace(-s / 2, s / 2, 5) for s in size))])
    for k in range(count):
        if found.distance[k] <= 0:
            continue
        on_b = turn[:, :, k].T @ (found.on_b[:, k] - places[:, k])
        assert (np.abs(on_b) <= size / 2 + 1e-8).all()
        assert distance_of_point(shape, found.on_a[:, k], -1.2, 1.5) < 1e-8
        apart = np.linalg.norm(found.on_b[:, k] - found.on_a[:, k])
        assert found.distance[k] == pytest.approx(apart, rel=0, abs=PART * 4)
        sides = [distance_of_point(shape, turn[:, :, k] @ p + places[:, k], -1.2, 1.5) for p in grid]
        assert found.distance[k] <= min(sides) + PART * 4
        local = minimize(
            lambda p, k=k: distance_of_point(shape, turn[:, :, k] @ p + places[:, k], -1.2, 1.5),
            grid[int(np.argmin(sides))], bounds=[(-s / 2, s / 2) for s in size], method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-11},
        )  # fmt: skip
        # The reference searches among kinks, so that it ends at most this much too high.
        assert local.fun - found.distance[k] < 2e-4


def test_a_sector_without_its_other_half_lets_a_body_out():
    """A ball on the axis: a complete shell encloses it, a half lets it pass sideways, to the plane of its
    edges. Closed forms."""
    half = shell(**{"from": 0.0, "to": np.pi})  # the angle zero is y, so the half is at positive z
    out = np.array([0.0, 0.3, 0.5, 2.0])
    places = np.stack([np.ones(4), 0 * out, -out])
    found = pair(half, ball(0.1)).nearest(*still(places)).distance
    # From the axis the bore is 0.9 away; below the edges, the nearest is an edge of the half at (0.9, 0).
    np.testing.assert_allclose(found, np.hypot(0.9, out) - 0.1, rtol=0, atol=PART * 4)
    complete = pair(shell(), ball(0.1)).nearest(*still(places[:, :2])).distance
    np.testing.assert_allclose(complete, [0.8, 0.5], rtol=0, atol=PART * 4)


def test_two_halves_touch_along_their_edges_and_part():
    """Two halves moved apart by d across the plane of their edges are d apart."""
    upper = shell(**{"from": 0.0, "to": np.pi})
    lower = shell(**{"from": np.pi, "to": 2 * np.pi})
    gaps = np.array([1e-6, 1e-3, 0.1, 3.0])
    places = np.stack([0 * gaps, 0 * gaps, -gaps])
    found = pair(upper, lower).nearest(*still(places)).distance
    np.testing.assert_allclose(found, gaps, rtol=0, atol=PART * 4)
    overlap = pair(upper, lower).nearest(*still(-places[:, 2:3])).distance
    assert overlap[0] < 0


@pytest.mark.parametrize("make", [shell, cone])
@pytest.mark.parametrize(
    ("sector", "place", "message"),
    [
        ({"from": 0.0}, "to", "'from' is set without 'to'. Set both angles of the sector"),
        ({"to": 1.0}, "from", "'to' is set without 'from'. Set both angles of the sector"),
        (
            {"zero": [0, 0, 1]},
            "zero",
            "'zero' needs a sector. Set 'from' and 'to', or remove 'zero'",
        ),
        (
            {"from": "30 deg", "to": "30 deg"},
            "to",
            "the sector from 'from' to 'to' has 0 deg; allowed: 1 to 359 deg. Increase 'to'",
        ),
        (
            {"from": "200 deg", "to": "100 deg"},
            "to",
            "the sector from 'from' to 'to' has -100 deg; allowed: 1 to 359 deg. 'to' must be greater than"
            " 'from': exchange the angles, or add 360 deg to 'to'",
        ),
        (
            {"from": "0 deg", "to": "360 deg"},
            "to",
            "the sector from 'from' to 'to' has 360 deg; allowed: 1 to 359 deg. For the complete solid,"
            " remove 'from' and 'to'",
        ),
        (
            {"from": "0 deg", "to": "90 deg", "axis": [1, 1, 0]},
            "zero",
            "the axis is not along x, y or z, so that the angle zero of the sector has no default. Set"
            " 'zero', for example zero = [1, 0, 0]",
        ),
        (
            {"from": "0 deg", "to": "90 deg", "axis": [1, 1, 0], "zero": [-2, -2, 0]},
            "zero",
            "the direction is zero or parallel to the axis. Give a direction across the axis",
        ),
        (
            {"from": "0 kg", "to": "90 deg"},
            "from",
            "'0 kg' is in kg; allowed: rad, for example \"30 deg\". Write the unit of angle, for example rad"
            " or deg",
        ),
    ],
)
def test_faulty_sectors_are_refused(make, sector, place, message):
    with pytest.raises(BadInput) as caught:
        make(**sector)
    (problem,) = caught.value.problems
    assert problem.place == place
    assert str(problem.message) == message


def test_contacts_refuse_sectors():
    from interstage.reading import loads

    text = """
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }
bodies.b.mass = 1
bodies.b.inertia = [1, 1, 1]
bodies.b.initial.position = [9, 0, 0]
contacts.touch = { body = "a", points = [[0, 0, 0]], against = ["b"], stiffness = 1000 }
bodies.b.shapes.half = { kind = "cone", axis = [1, 0, 0], length = 1, radius = 1, from = 0, to = 3 }
phases.all = { until = { time = "1 s" } }
"""
    with pytest.raises(BadInput) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert problem.place == "contacts.touch.against"
    assert problem.message == (
        "'b.half' is a sector, which contacts do not support. Use cones, cylinders or boxes"
    )
