"""Minimum distances in time steps in which bodies turn far or change their velocity, and of random pairs of
shapes. The references are closed forms, or dense times that share no code with the search of minima."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_polynomials_of_steps import state
from test_search_of_batches import CENTRE, Bodies, Cases, minima, product, watch

from interstage.model import geometry
from interstage.parts.clearance.motion import poses_of, relative
from interstage.parts.clearance.paces import Motions, paces

# Distances of spheres are exact to rounding; the search of a minimum ends within 1e-12 of the size.
ROUNDING = 1e-9
RADIUS = 0.1


def sphere(name: str, k: int, arm: Any = (0.0, 0.0, 0.0)) -> list[Any]:
    return [geometry.Sphere(name=name, radius=RADIUS, at=CENTRE[:, k] + np.array(arm))]


def straight(r, v):
    """States of two bodies that do not turn; the first rests at the origin."""
    q = np.zeros((4, 2, r.shape[-1]))
    q[0] = 1.0
    parts = np.stack([0 * r, r], 1), np.stack([0 * v, v], 1), q, np.zeros((3, 2, r.shape[-1]))
    return state(*parts)


def least_of(distance, end: float) -> float:
    """Smallest value of a function of time, by times 1e-4 s apart and 1e-7 s apart around the smallest."""
    t = np.linspace(0, end, 1 + int(end / 1e-4))
    k = int(distance(t).argmin())
    near = np.linspace(max(t[k] - 1e-4, 0), min(t[k] + 1e-4, end), 2001)
    return float(distance(near).min())


def test_arms_that_turn_several_times_in_a_step():
    """An arm on the end of a turning arm: both rates are constant, as in minimal coordinates, where a step
    has any length. At the ends of a step the tip may rest although it moves fast in between."""
    count, end, long_arm, short_arm = 60, 20.0, 2.0, 1.2
    rng = np.random.default_rng(11)
    rates = np.stack([rng.uniform(-3, 3, count), rng.uniform(-8, 8, count)])
    phase, radius = rng.uniform(0, 2 * np.pi, count), rng.uniform(0, 3.4, count)
    # The tip of the first case rests at the ends of all steps: 2 m * 0.6 rad/s = 1.2 m * 1 rad/s.
    rates[:, 0] = 2 * np.pi / end * np.array([6.0, 10.0])
    phase[0], radius[0] = 0.3, 3.0
    wall = radius * np.array([np.cos(phase), np.sin(phase)])

    def tip(t, lane):
        one, two = rates[0, lane] * t, rates[1, lane] * t + np.pi
        return one, two

    def motion(t, lane):
        one, two = tip(t, lane)
        still = 0 * t
        elbow = long_arm * np.array([np.cos(one), np.sin(one)])
        v = np.stack([-rates[0, lane] * elbow[1], rates[0, lane] * elbow[0], still])
        r = np.stack([elbow[0] - wall[0, lane], elbow[1] - wall[1, lane], still])
        turned = np.stack([np.cos(0.5 * two), still, still, np.sin(0.5 * two)])
        rest = np.stack([1 + still, still, still, still])
        spin = np.stack([still, still, rates[1, lane] + still])
        return state(
            np.stack([0 * r, r], 1), np.stack([0 * v, v], 1), np.stack([rest, turned], 1),
            np.stack([0 * spin, spin], 1),
        )  # fmt: skip

    cases = Cases(np.array([0.0, 1.0, 6.0, 20.0])[:, None] * np.ones(count), motion)
    distance, _, _ = minima(cases, watch(sphere("a", 0), sphere("b", 1, (short_arm, 0, 0))))
    for lane in range(count):

        def gap(t, lane=lane):
            one, two = tip(t, lane)
            x = long_arm * np.cos(one) + short_arm * np.cos(two) - wall[0, lane]
            y = long_arm * np.sin(one) + short_arm * np.sin(two) - wall[1, lane]
            return np.hypot(x, y) - 2 * RADIUS

        # Accelerations are below 100 m/s^2, times (0.5e-7 s)^2 / 2.
        assert distance[lane] == pytest.approx(least_of(gap, end), rel=0, abs=ROUNDING), lane


def test_a_body_that_is_stopped_at_the_end_of_a_step():
    """It starts at rest, passes the other body and is captured: its speed is zero in both rows."""

    def motion(t, lane):
        free = t < 1.0
        x, v = np.where(free, 4 * t * t - 2, 2.0), np.where(free, 8 * t, 0.0)
        return straight(np.stack([x, 0.3 + 0 * t, 0 * t]), np.stack([v, 0 * t, 0 * t]))

    cases = Cases(np.array([0.0, 1.0, 2.0])[:, None] * np.ones(3), motion)
    cases.rows.x_end[0] = motion(np.full(3, 1 - 1e-15), np.arange(3))
    distance, when, _ = minima(cases, watch(sphere("a", 0), sphere("b", 1)))
    np.testing.assert_allclose(distance, 0.3 - 2 * RADIUS, rtol=0, atol=ROUNDING)
    # 1e-12 m of distance is sqrt(2 * 0.3 * 1e-12) / v = 1.4e-7 s at v = 5.7 m/s.
    np.testing.assert_allclose(when, 0.5**0.5, rtol=0, atol=1e-6)


def test_a_prescribed_motion_that_no_end_of_a_step_shows():
    """The body swings by an integer number of periods in each step, and rests at its ends."""

    def motion(t, lane):
        angle = 2 * np.pi * (lane + 1) * t
        x, v = 1.1 + np.cos(angle), -2 * np.pi * (lane + 1) * np.sin(angle)
        return straight(np.stack([x, 0.3 + 0 * t, 0 * t]), np.stack([v, 0 * t, 0 * t]))

    cases = Cases(np.arange(4.0)[:, None] * np.ones(5), motion)
    cases.has_hidden_motion = True
    distance, _, _ = minima(cases, watch(sphere("a", 0), sphere("b", 1)))
    np.testing.assert_allclose(distance, np.hypot(0.1, 0.3) - 2 * RADIUS, rtol=0, atol=ROUNDING)


def test_bounds_of_free_bodies_hold_for_any_length_of_a_step():
    """With constant velocities and spins, no pair of points is faster, at any time of a step."""
    rng = np.random.default_rng(5)
    count = 400
    gap, speed, spin_a, spin_b = rng.normal(size=(4, 3, count)) * np.array([10, 3, 2, 2])[:, None, None]
    h = 10 ** rng.uniform(-2, 2, count)
    reach = rng.uniform(0.1, 3, (2, count))
    begin, end = (Motions(gap + speed * t, speed, spin_a, spin_b) for t in (0.0, h))
    pace, _ = paces(begin, end, h, reach, 1.0)
    fastest = np.full(count, np.inf)
    for k, spin in enumerate((spin_a, spin_b)):
        each = [
            np.linalg.norm(speed - np.cross(spin, gap + speed * t, axis=0), axis=0)
            for t in np.linspace(0, h, 50)
        ]
        turning = np.linalg.norm(spin_b - spin_a, axis=0) * reach[1 - k]
        fastest = np.minimum(fastest, np.max(each, axis=0) + turning)
    own = np.linalg.norm(spin_a, axis=0) * reach[0] + np.linalg.norm(spin_b, axis=0) * reach[1]
    fastest = np.minimum(fastest, np.linalg.norm(speed, axis=0) + own)
    assert (pace >= fastest).all()
    for _ in range(50):
        a, b = (radius * unit_vectors(rng, count) for radius in reach)
        gap_there = gap + speed * rng.uniform(0, 1, count) * h
        way = gap_there + b - a
        rate = speed + np.cross(spin_b, b, axis=0) - np.cross(spin_a, a, axis=0)
        assert (np.abs((way * rate).sum(0)) <= pace * np.linalg.norm(way, axis=0)).all()


def unit_vectors(rng, count: int) -> np.ndarray:
    found = rng.normal(size=(3, count))
    return found / np.linalg.norm(found, axis=0)


def test_distant_bodies_that_spin_need_few_states():
    """At a distance of 1e9 m that hardly changes, axes that turn with a body would bound the range rate by
    5e8 m/s."""
    rng = np.random.default_rng(6)
    gap, spin_a, spin_b = rng.normal(size=(3, 3, 40)) * np.array([1e9, 0.5, 0.5])[:, None, None]
    speed = rng.normal(size=(3, 40))
    motions = Motions(gap, speed, spin_a, spin_b)
    h, reach = np.full(40, 0.1), np.ones((2, 40))
    pace, smooth = paces(motions, motions._replace(gap=gap + speed * h), h, reach, 1.0)
    own = np.linalg.norm(spin_a, axis=0) + np.linalg.norm(spin_b, axis=0)
    assert smooth.all()
    # The factor of `FASTER`, and the rounding of positions of 1e9 m divided by the length of the step.
    rounding = 16 * np.finfo(float).eps * 1e9 / 0.1
    assert (pace <= 1.1 * (np.linalg.norm(speed, axis=0) + own) + rounding).all()


# --- random pairs of shapes


def unit(rng) -> np.ndarray:
    vector = rng.normal(size=3)
    return vector / np.linalg.norm(vector)


def shape(rng, name: str) -> Any:
    """A shape of random kind, size and place."""
    at, axis = 0.5 * rng.normal(size=3), unit(rng)
    length, radius = rng.uniform(0.3, 3), rng.uniform(0.1, 0.8)
    along: dict[str, Any] = {"name": name, "at": at, "axis": axis, "length": length, "radius": radius}
    kinds = {
        "sphere": lambda: geometry.Sphere(name=name, at=at, radius=radius),
        "capsule": lambda: geometry.Capsule(**along),
        "needle": lambda: geometry.Capsule(**along | {"length": 2 * length, "radius": 0.01 * radius}),
        "cylinder": lambda: geometry.Cylinder(**along),
        "cone": lambda: geometry.Cone(**along, end_radius=radius * rng.uniform(0, 1)),
        "ogive": lambda: geometry.Ogive(**along | {"length": length + radius}),
        "box": lambda: geometry.Box(name=name, at=at, size=rng.uniform(0.1, 2, 3)),
        "plate": lambda: geometry.Box(name=name, at=at, size=[*rng.uniform(1, 3, 2), 1e-3]),
        "shell": lambda: geometry.Shell(
            name=name, at=at, axis=axis, stations=[0, length], outer=[1.3 * radius, 1.3 * radius],
            inner=[radius, radius * rng.uniform(0.8, 1.2)],
        ),
    }  # fmt: skip
    return kinds[rng.choice(list(kinds))]()


def passing(rng, count: int, end: float, speed: float, miss: float, turns: np.ndarray):
    """b passes a on a straight line or a parabola; both turn at constant rates, by `turns` (2, count)
    [rad]."""
    way, side = (np.array([unit(rng) for _ in range(count)]).T for _ in range(2))
    side = side - way * (side * way).sum(0)
    side = side / np.linalg.norm(side, axis=0) * miss * rng.uniform(0, 1.5, count)
    middle, way = rng.uniform(0.1, 0.9, count) * end, way * speed * rng.uniform(0.2, 1.5, count)
    bend = rng.normal(size=(3, count)) * speed / end * (rng.random() < 0.5)
    q, axis = rng.normal(size=(2, 4, count)), rng.normal(size=(2, 3, count))
    q, axis = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (q, axis))
    rate = turns / end

    def motion(t, lane):
        s = t - middle[lane]
        r = side[:, lane] + way[:, lane] * s + 0.5 * bend[:, lane] * s * s
        v = way[:, lane] + bend[:, lane] * s
        half = 0.5 * rate[:, lane] * t
        turned = [
            product(np.concatenate([np.cos(h)[None], axis[k][:, lane] * np.sin(h)]), q[k][:, lane])
            for k, h in enumerate(half)
        ]
        # The axes of rotation are fixed in inertial axes; a state has the spins in body axes.
        spins = [_into_body(own, axis[k][:, lane] * rate[k, lane]) for k, own in enumerate(turned)]
        return state(
            np.stack([0 * r, r], 1), np.stack([0 * v, v], 1), np.stack(turned, 1), np.stack(spins, 1)
        )

    return motion


def _into_body(q: np.ndarray, vector: np.ndarray) -> np.ndarray:
    inverse = q * np.array([1, -1, -1, -1])[:, None]
    return product(product(inverse, np.concatenate([0 * vector[:1], vector])), q)[1:]


def dense(cases, watched, lane: int, times: int) -> float:
    """The minimum of one case: distances at equal times, then at times nearer and nearer to the smallest."""

    def distance(t):
        between = relative(poses_of(Bodies(), t, cases.motion(t, np.full(len(t), lane)), None), 0, 1)
        return watched.pair.nearest(between.turn, between.place).distance

    begin, end = cases.rows.t[0, lane], cases.rows.t[-1, lane]
    t = np.linspace(begin, end, times)
    found = distance(t)
    best = found.min()
    inner = np.flatnonzero((found[1:-1] <= found[:-2]) & (found[1:-1] <= found[2:])) + 1
    for k in inner[np.argsort(found[inner])][:4]:
        centre, width = t[k], t[1] - t[0]
        for _ in range(5):
            near = np.linspace(max(centre - width, begin), min(centre + width, end), 41)
            values = distance(near)
            best, centre, width = min(best, values.min()), near[values.argmin()], 0.1 * width
    return best


@pytest.mark.parametrize("pairs", [5, pytest.param(20, marks=pytest.mark.long)])
def test_random_pairs_of_shapes(pairs):
    """Bodies turn by up to 4 rad in a step, with an interval of up to 0.1 of the duration."""
    count, missed, apart = 6, [], 0
    for seed in range(pairs):
        rng = np.random.default_rng(1000 + seed)
        a, b = ([shape(rng, f"{side}{k}") for k in range(rng.integers(1, 4))] for side in "ab")
        watched = watch(a, b)
        steps, end = int(rng.choice([1, 2, 4, 10, 30])), 10 ** rng.uniform(-1, 2)
        turns = steps * np.exp(rng.uniform(np.log(0.1), np.log(4), (2, count)))
        speed = 2 * watched.size / end * 10 ** rng.uniform(-1, 1)
        cases = Cases(
            np.linspace(0, end, steps + 1)[:, None] * np.ones(count),
            passing(rng, count, end, speed, 1.5 * watched.size, turns),
        )
        distance, _, _ = minima(cases, watched, interval=end * 10 ** rng.uniform(-4, -1))
        for lane in range(count):
            right = dense(cases, watched, lane, 100 * steps + 400)
            # Verdicts agree, and so do distances; depths of overlap are not continuous.
            assert (distance[lane] > 1e-9 * watched.size) == (right > 1e-9 * watched.size), (seed, lane)
            apart += right > 1e-6 * watched.size
            if right > 1e-6 * watched.size:
                missed.append((distance[lane] - right) / watched.size)
    missed = np.array(missed)
    assert missed.size == apart > 3 * pairs
    # The bound of the search, and its usual error: another minimum nearby is seldom overlooked.
    assert missed.max() < 0.01
    assert np.mean(missed > 1e-6) < 0.05
    # The search never returns less than the distance at some time; 1e-9 is the error of distances.
    assert missed.min() > -1e-8
