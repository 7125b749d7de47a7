"""Minimum distances of many cases of analytic motion, compared with a search of all rows and a fine search in
between, and with closed forms. No flight is computed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from engine_door import parts_of_state
from interstage.model import attachments, geometry
from interstage.parts.clearance import search
from interstage.parts.clearance.lanes import Lanes
from interstage.parts.clearance.motion import fastest
from interstage.parts.clearance.nearest import Pair
from interstage.parts.clearance.solids import solids

LAYOUT: Any = SimpleNamespace(count=2, extra=0)
CENTRE = np.array([[0.05, 0.0], [0.0, 0.1], [0.0, -0.2]])
"""Centres of mass of the two bodies in their drawings [m]."""
CASES, INTERVAL = 12, 0.01
UP = [0.0, 0.0, 1.0]


class Bodies:
    """The part of a mechanism that gives poses."""

    layout = LAYOUT
    numbers = SimpleNamespace(centre=CENTRE[:, :, None], mass=np.ones((2, 1)), inertia=np.ones((3, 3, 2, 1)))

    def at(self, x, discrete):
        return self

    def motion(self, x):
        r, v, q, w = parts_of_state(LAYOUT, x)[:4]
        return attachments.motion_of(r, v, q, w, False)


class Cases:
    """Flown cases with rows at times (row, case) and states motion(t, case)."""

    has_hidden_motion = False

    def __init__(self, times, motion):
        self.motion, self.count = motion, times.shape[1]
        every = np.arange(self.count)
        x = np.stack([motion(own, every) for own in times])
        moved = np.ones(times.shape, bool)
        self.rows = SimpleNamespace(t=times, x=x, t_end=np.r_[times[1:], times[-1:]], moved=moved)
        self.rows.x_end = np.r_[x[1:], x[-1:]]
        self.program = SimpleNamespace(layout=LAYOUT)
        self.examined = 0

    def at(self, lane, row, step, function):
        self.examined += len(lane)
        t = self.rows.t[row, lane] + (0.0 if step is None else step)
        return function(Bodies(), t, self.motion(t, lane), None)

    def at_ends(self, lane, row, function):
        t = self.rows.t_end[row, lane]
        return function(Bodies(), t, self.motion(t, lane), None)


def product(a, b):
    """The product of quaternions (4, n)."""
    return np.stack([
        a[0] * b[0] - (a[1:] * b[1:]).sum(0),
        *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:], axis=0)),
    ])  # fmt: skip


def flights(seed, start, speed, far=0.0, spin=0.5):
    """States (component, n) at times and cases (n): b passes a, which is `far` from the origin, and
    wobbles; both turn about axes of their own."""
    rng = np.random.default_rng(seed)
    way, across, bend, wobble = rng.normal(size=(4, 3, CASES))
    way = way / np.linalg.norm(way, axis=0)
    axis, q = rng.normal(size=(2, 3, CASES)), rng.normal(size=(2, 4, CASES))
    axis, q = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (axis, q))
    rate = spin * rng.normal(size=(2, CASES))
    base = np.array([far, -far, 0.5 * far])[:, None]

    def motion(t, lane):
        c = SimpleNamespace(way=way[:, lane], across=across[:, lane], bend=bend[:, lane] + way[:, lane])
        shake = 0.05 * wobble[:, lane]
        r = c.way * (start - speed * t) + 0.3 * speed * c.across * t + 0.3 * speed * c.bend * t * t
        v = -speed * c.way + 0.3 * speed * c.across + 0.6 * speed * c.bend * t
        r, v = r + shake * np.sin(7 * t), v + 7 * shake * np.cos(7 * t)
        angle = rate[:, lane] * t
        turned = [
            product(q[k][:, lane], np.concatenate([np.cos(h)[None], axis[k][:, lane] * np.sin(h)]))
            for k, h in enumerate(0.5 * angle)
        ]
        spins = np.stack([axis[k][:, lane] * rate[k, lane] for k in range(2)], 1)
        a = base + 0 * r
        parts = np.stack([a, a + r], 1), np.stack([0 * v, v], 1), np.stack(turned, 1), spins
        origin = np.zeros((6, len(t)))
        return np.concatenate([*(p.reshape(-1, len(t)) for p in parts), origin])

    return motion


def vehicle(tmp_path):
    corners = [[0.9, 0, 0], [0, 0.5, 0], [0, 0, 0.7], [-0.4, 0, 0], [0, -0.8, 0], [0, 0, -0.6]]
    text = [f"v {x} {y} {z}" for x, y, z in corners] + ["f 1 2 3", "f 3 4 5", "f 5 6 1"]
    path = tmp_path / "octahedron.obj"
    path.write_text("\n".join(text))
    booster = [
        geometry.Cylinder(name="case", at=[0, 0, -2], axis=UP, length=4.0, radius=0.5),
        geometry.Cone(name="nose", at=[0, 0, 2], axis=UP, length=1.0, radius=0.5, end_radius=0.1),
        geometry.Box(name="wing", at=[0, 0, -1], size=[3.0, 0.1, 1.0]),
    ]
    stage = [
        geometry.Cylinder(name="tank", at=[0, 0, -1.5], axis=UP, length=3.0, radius=0.7),
        geometry.Ogive(name="ogive", at=[0, 0, 1.5], axis=UP, length=1.2, radius=0.7),
        geometry.Mesh(name="mesh", file=str(path), parts="hull", at=[1.0, 0, -1.5]),
    ]
    return booster, stage


def watch(a, b, held_off=False):
    one, other = (solids(side, tuple(shape.name for shape in side), "") for side in (a, b))
    pair = Pair(one, other)
    return SimpleNamespace(a=0, b=1, pair=pair, size=pair.size, held_off=held_off)


def minima(cases, watched, parted=False, interval=INTERVAL):
    lanes: Any = Lanes(cases, [watched])
    start, end = cases.rows.t[0], cases.rows.t[-1]
    return search.least(lanes, start, end, interval, parted)


def distances(cases, watched, lane, times):
    """Exact distances of one case at times."""
    lanes: Any = Lanes(cases, [watched])
    row = np.searchsorted(cases.rows.t[:, lane], times, side="right") - 1
    row, lane = row.clip(0), np.full(len(times), lane)
    between = lanes.states_at(row, lane, times - cases.rows.t[row, lane]).between
    return watched.pair.nearest(between.turn, between.place).distance


def brute(cases, watched, lane):
    """The minimum of one case: all rows are searched, then next to each local minimum by Brent's method."""
    times = np.unique(
        np.r_[cases.rows.t[:, lane], np.linspace(cases.rows.t[0, lane], cases.rows.t[-1, lane], 150)]
    )
    found = distances(cases, watched, lane, times)
    best = found.min()
    inner = np.flatnonzero((found[1:-1] <= found[:-2]) & (found[1:-1] <= found[2:])) + 1
    for k in inner[found[inner] < best + 0.05]:
        low: Any = minimize_scalar(
            lambda t: distances(cases, watched, lane, np.array([t]))[0],
            bounds=(times[k - 1], times[k + 1]),
            method="bounded",
            options={"xatol": 1e-8},
        )
        best = min(best, low.fun)
    return best


# Brent's method ends 1e-8 s from the minimum, which changes the distance by less than this.
BRENT = 1e-9


@pytest.mark.parametrize(
    ("steps", "duration", "start", "speed", "far"),
    [
        pytest.param(1600, 2.0, 7.0, 2.5, 0.0, marks=pytest.mark.long),
        (24, 2.0, 7.0, 2.5, 0.0),
        pytest.param(300, 2.0, 9.0, 2.0, 1e6, marks=pytest.mark.long),
    ],
)
def test_minima_of_dispersed_cases_are_those_of_all_rows(tmp_path, steps, duration, start, speed, far):
    """With short and long time steps, also far from the origin; some cases touch and penetrate."""
    watched = watch(*vehicle(tmp_path))
    times = np.linspace(0, duration, steps + 1)[:, None] * np.linspace(0.8, 1.0, CASES)
    cases = Cases(times, flights(3, start, speed, far))
    distance, when, _ = minima(cases, watched)
    looked = cases.examined / CASES
    rounding = 64 * np.finfo(float).eps * far
    for lane in range(0, CASES, 3):
        apart = brute(cases, watched, lane)
        size = watched.size
        if apart > 1e-3:
            assert distance[lane] == pytest.approx(apart, rel=0, abs=BRENT * size + rounding), lane
        else:
            assert distance[lane] <= apart + 1e-6 * size
        again = distances(cases, watched, lane, when[[lane]])[0]
        assert distance[lane] == pytest.approx(again, rel=0, abs=BRENT * size + 8 * rounding)
    if steps > 1000:
        # Most rows are never examined.
        assert looked < 0.25 * steps


def spheres_apart(cases, centre_a, centre_b, radii):
    times = np.linspace(0, 1, 20001)
    best = []
    for lane in range(CASES):
        t = cases.rows.t[0, lane] + times * np.ptp(cases.rows.t[:, lane])
        body = Bodies().motion(cases.motion(t, np.full(len(t), lane)))
        turn = body.rotation
        points = [
            body.position[:, k] + np.einsum("ijn,j->in", turn[:, :, k], centre - CENTRE[:, k])
            for k, centre in enumerate((centre_a, centre_b))
        ]
        best.append(np.linalg.norm(points[1] - points[0], axis=0).min() - sum(radii))
    return np.array(best)


@pytest.mark.long
def test_spheres_that_pass_at_any_distance():
    """Closed form: the distance of the centres less both radii, at 20001 times."""
    at_a, at_b = np.array([0.4, 0, 0]), np.array([0, -0.7, 0.2])
    a = [geometry.Sphere(name="a", radius=0.3, at=at_a)]
    b = [geometry.Sphere(name="b", radius=0.6, at=at_b)]
    watched = watch(a, b)
    for start, duration in ((4.0, 2.0), (1e3, 2.0), (1e9, 2.0)):
        cases = Cases(np.linspace(0, duration, 801)[:, None] * np.ones(CASES), flights(5, start, 2.5))
        distance, _, _ = minima(cases, watched)
        right = spheres_apart(cases, at_a, at_b, (0.3, 0.6))
        # Between times that are 1e-4 s apart, a relative acceleration of up to 30 m/s2 lowers the distance.
        error = 0.5 * 30 * (0.5e-4) ** 2 + 64 * np.finfo(float).eps * start
        assert (distance <= right + 64 * np.finfo(float).eps * start + 1e-9).all()
        apart = right > 0
        assert (distance >= right - error - 1e-9)[apart].all()


def test_the_bound_of_the_range_rate_is_never_below_that_of_points(tmp_path):
    watched = watch(*vehicle(tmp_path))
    cases: Any = Cases(np.linspace(0, 2.0, 41)[:, None] * np.ones(CASES), flights(8, 6.0, 2.0, spin=2.0))
    watches: Any = [watched]
    lanes: Any = Lanes(cases, watches)
    row, lane = (field.ravel() for field in np.meshgrid(np.arange(41), np.arange(CASES)))
    close = lanes.states_at(row, lane)
    a, b = lanes._covers_of(lane)
    # Both bound the speed of any point in axes that turn; the points of capsules are within the spheres of
    # the wider bound. In inertial axes there is another bound.
    motions = lanes._motions(slice(0, 41))
    own = sum(np.linalg.norm(w, axis=0) * r for w, r in zip(motions[2:], lanes.reach[:, None], strict=True))
    inertial = (np.linalg.norm(motions.speed, axis=0) + own)[row, lane]
    least = np.minimum(fastest(close.between, a, b), inertial)
    assert (lanes._speeds[row, lane] >= least * (1 - 1e-12)).all()
    # A change of the exact distance never exceeds the bound of the way.
    found = watched.pair.nearest(close.between.turn, close.between.place).distance.reshape(CASES, 41).T
    assert (np.abs(np.diff(found, axis=0)) <= np.diff(lanes.ways, axis=0) + 1e-9).all()


def test_bodies_that_touch_at_first_count_from_the_first_row_apart():
    """Two boxes, face to face for a while: the minimum is the distance at the first row after it."""
    size = [1.0, 1.0, 1.0]
    a = [geometry.Box(name="a", size=size, at=CENTRE[:, 0])]
    b = [geometry.Box(name="b", size=size, at=CENTRE[:, 1])]

    def motion(t, lane):
        free = np.maximum(t - 0.1 - 0.01 * lane, 0.0)
        r = np.stack([1.0 + 0.5 * free * free, 0 * t, 0 * t])
        v = np.stack([free, 0 * t, 0 * t])
        quaternion = np.zeros((4, 2, len(t)))
        quaternion[0] = 1.0
        parts = np.stack([0 * r, r], 1), np.stack([0 * v, v], 1), quaternion, np.zeros((3, 2, len(t)))
        return np.concatenate([*(p.reshape(-1, len(t)) for p in parts), np.zeros((6, len(t)))])

    times = np.linspace(0, 1.0, 251)[:, None] * np.ones(CASES)
    distance, when, first = minima(Cases(times, motion), watch(a, b), parted=True)
    for lane in range(CASES):
        gap = 0.5 * np.maximum(times[:, lane] - 0.1 - 0.01 * lane, 0) ** 2
        row = int(np.argmax(gap > 1e-9 * np.sqrt(3)))
        assert distance[lane] == pytest.approx(gap[row], rel=0, abs=1e-9)
        assert when[lane] == times[row, lane]
    np.testing.assert_allclose(first, 0.0, rtol=0, atol=1e-9)


def test_a_state_that_is_not_finite_hides_no_minimum():
    """The smallest of several minima comes just before the states are lost."""
    a, b = (
        [geometry.Sphere(name=name, radius=0.5, at=centre)]
        for name, centre in zip("ab", CENTRE.T, strict=True)
    )

    def motion(t, lane):
        r = np.stack([2 - 0.1 * t + 0.5 * np.cos(20 * t), 0 * t, 0 * t])
        v = np.stack([-0.1 - 10 * np.sin(20 * t), 0 * t, 0 * t])
        quaternion = np.zeros((4, 2, len(t)))
        quaternion[0] = 1.0
        parts = np.stack([0 * r, r], 1), np.stack([0 * v, v], 1), quaternion, np.zeros((3, 2, len(t)))
        return np.concatenate([*(p.reshape(-1, len(t)) for p in parts), np.zeros((6, len(t)))])

    # The slope is zero where sin(20 t) = -0.01: after the ninth half period.
    last = (9 * np.pi + np.arcsin(0.01)) / 20
    cases = Cases(np.linspace(0, 2.0, 801)[:, None] * np.ones(CASES), motion)
    cases.rows.x[np.searchsorted(cases.rows.t[:, 4], last) + 2 :, :, 4] = np.nan
    found, when, _ = minima(cases, watch(a, b))
    assert found[4] == pytest.approx(1 - 0.1 * last + 0.5 * np.cos(20 * last), rel=0, abs=1e-9)
    assert when[4] == pytest.approx(last, abs=1e-6)
