"""Minimum distances inside long time steps, where the search uses polynomials. The references are closed
forms of the motion, which share no code with the search."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from interstage.model import geometry
from interstage.parts.clearance import polynomials
from test_search_of_batches import CASES, CENTRE, Cases, minima, watch

# The distance at the time of the minimum is exact to rounding. The time ends the search within 1e-12 of the
# size; coordinates of up to 1e3 m have rounding errors of 1e-13 m.
ROUNDING = 1e-10
RADIUS = 0.4
ARMS = np.array([[1.5, 0.0], [0.0, 2.0], [0.3, 0.0]])
"""Centres of the spheres, from the centres of mass of the two bodies [m]."""


def spheres():
    at = CENTRE + ARMS
    return [[geometry.Sphere(name=n, radius=RADIUS, at=at[:, k])] for k, n in enumerate("ab")]


def state(r, v, q, w):
    """A state (component, n) of two bodies from positions, velocities, quaternions and spins (3 or 4, 2,
    n)."""
    parts = [part.reshape(-1, part.shape[-1]) for part in (r, v, q, w)]
    return np.concatenate([*parts, np.zeros((6, r.shape[-1]))])


def tumbling(miss, speed, middle, rates, bump=None):
    """b passes a at a constant velocity; both turn about z at constant rates [rad/s] of each case."""

    def motion(t, lane):
        x, dx = speed * (t - middle), np.full(t.shape, speed)
        if bump is not None:
            change, slope = bump(t)
            x, dx = x + change, dx + slope
        r = np.stack([np.stack([0 * t, x]), np.stack([0 * t, miss + 0 * t]), np.zeros((2, len(t)))])
        v = np.stack([np.stack([0 * t, dx]), np.zeros((2, len(t))), np.zeros((2, len(t)))])
        half = 0.5 * rates[:, lane] * t
        q = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)])
        w = np.stack([0 * half, 0 * half, rates[:, lane]])
        return state(r, v, q, w)

    return motion


def closed_form(miss, speed, middle, rates, end):
    """Smallest distance of the spheres between 0 and an end [s]."""

    def distance(t):
        points = []
        for k in (0, 1):
            c, s = np.cos(rates[k] * t), np.sin(rates[k] * t)
            x, y, z = ARMS[:, k]
            points.append(np.array([c * x - s * y, s * x + c * y, z + 0 * t]))
        gap = np.array([speed * (t - middle), miss + 0 * t, 0 * t])
        return np.linalg.norm(gap + points[1] - points[0], axis=0) - 2 * RADIUS

    t = np.linspace(0, end, 200001)
    d = distance(t)
    best = d.min()
    for k in np.flatnonzero((d[1:-1] <= d[:-2]) & (d[1:-1] <= d[2:]) & (d[1:-1] < best + 1e-3)) + 1:
        found = minimize_scalar(
            distance, bounds=(t[k - 1], t[k + 1]), method="bounded", options={"xatol": 1e-12}
        )
        best = min(best, found.fun)
    return best


def tumbling_cases(steps, bump=None):
    rng = np.random.default_rng(4)
    rates = np.radians(rng.uniform(-100, 100, (2, CASES)))
    setting = 6.0, 3.0, 2.03
    times = np.linspace(0, 4.0, steps + 1)[:, None] * np.ones(CASES)
    return Cases(times, tumbling(*setting, rates, bump)), setting, rates


def test_bodies_that_tumble_fast_in_long_steps():
    """With up to 100 deg/s one body turns by up to 0.9 rad in a step, relative to the other. Few states are
    computed exactly."""
    cases, setting, rates = tumbling_cases(16)
    distance, _, _ = minima(cases, watch(*spheres()))
    for lane in range(CASES):
        right = closed_form(*setting, rates[:, lane], 4.0)
        assert distance[lane] == pytest.approx(right, rel=0, abs=ROUNDING), lane
    # Without polynomials it is 129 states of a case.
    assert cases.examined / CASES < 80


def test_a_close_pass_in_the_middle_of_one_long_step():
    """A coast of 100 s in one step; the bodies touch for 0.04 s or miss each other by 1 cm."""
    for miss in (2 * RADIUS + 0.01, 2 * RADIUS - 0.01):
        at = CENTRE
        a, b = ([geometry.Sphere(name=n, radius=RADIUS, at=at[:, k])] for k, n in enumerate("ab"))
        times = np.array([0.0, 100.0])[:, None] * np.ones(CASES)
        cases = Cases(times, tumbling(miss, 5.0, 51.234567, np.zeros((2, CASES))))
        distance, when, _ = minima(cases, watch(a, b))
        # The distance is sqrt(miss^2 + (5 (t - 51.234567))^2) - 2 radius.
        np.testing.assert_allclose(distance, miss - 2 * RADIUS, rtol=0, atol=ROUNDING)
        # The distance differs by 1e-13 m, its rounding, within sqrt(2 miss 1e-13) / 5 = 1e-7 s.
        np.testing.assert_allclose(when, 51.234567, rtol=0, atol=1e-6)


def bump_at(centre, width, height):
    """A change of the position in a short time, which the nodes of the steps do not see."""

    def bump(t):
        z = (t - centre) / width
        inside = np.abs(z) < 1
        base = np.where(inside, 1 - z * z, 0.0)
        return height * base**3, np.where(inside, height * 3 * base**2 * -2 * z / width, 0.0)

    return bump


@pytest.mark.parametrize("centre", [2.0 + 0.5 * polynomials.CHECKED, 2.045])
def test_motion_that_is_no_polynomial_is_searched_exactly(centre):
    """A jolt inside a step, at the checked state or near the minimum: the minimum is that of exact states."""
    size = 0.02
    cases, setting, _ = tumbling_cases(8, bump_at(centre, 0.03, size))
    rates = np.zeros((2, CASES))
    cases.motion = tumbling(*setting, rates, bump_at(centre, 0.03, size))
    cases.rows.x = np.stack([cases.motion(own, np.arange(CASES)) for own in cases.rows.t])
    distance, when, _ = minima(cases, watch(*spheres()))
    bump = bump_at(centre, 0.03, size)

    def gap(t):
        across = setting[1] * (t - setting[2]) + bump(np.asarray(t))[0] + ARMS[0, 1] - ARMS[0, 0]
        up = setting[0] + ARMS[1, 1] - ARMS[1, 0]
        return np.sqrt(across**2 + up**2 + (ARMS[2, 1] - ARMS[2, 0]) ** 2) - 2 * RADIUS

    np.testing.assert_allclose(distance, gap(when), rtol=0, atol=ROUNDING)
    fine = np.linspace(0, 4, 400001)
    # Times 1e-5 s apart; the acceleration is below 2e2 m/s^2: half of it times (0.5e-5 s)^2 is 3e-9 m.
    np.testing.assert_allclose(distance, gap(fine).min(), rtol=0, atol=1e-8)
