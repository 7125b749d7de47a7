"""Minimum distances inside long time steps, where the search uses polynomials. The references are closed
forms of the motion, which share no code with the search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from test_search_of_batches import CASES, CENTRE, Cases, minima, watch

from interstage.model import geometry
from interstage.parts.clearance import polynomials

# The distance at the time of the minimum is exact to rounding. The time ends the search within 1e-12 of the
# size; coordinates of up to 1e3 m have rounding errors of 1e-13 m.
ROUNDING = 1e-10
RADIUS = 0.4
ARMS = np.array([[1.5, 0.0], [0.0, 2.0], [0.3, 0.0]])
"""Centres of the spheres, from the centres of mass of the two bodies [m]."""


def spheres() -> Any:
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
        change, slope = (0 * t, 0 * t) if bump is None else bump(t)
        still = 0 * t
        r = np.stack([[still, speed * (t - middle)], [still, miss + change], [still, still]])
        v = np.stack([[still, speed + still], [still, slope], [still, still]])
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
        found: Any = minimize_scalar(
            distance, bounds=(t[k - 1], t[k + 1]), method="bounded", options={"xatol": 1e-12}
        )
        best = min(best, found.fun)
    return best


def tumbling_cases(steps):
    rng = np.random.default_rng(4)
    rates = np.radians(rng.uniform(-100, 100, (2, CASES)))
    setting = 6.0, 3.0, 2.03
    times = np.linspace(0, 4.0, steps + 1)[:, None] * np.ones(CASES)
    return Cases(times, tumbling(*setting, rates)), setting, rates


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
    """A change of the position across the flight direction in a short time, which no node of a step sees."""

    def bump(t):
        z = (t - centre) / width
        base = np.where(np.abs(z) < 1, 1 - z * z, 0.0)
        return height * base**3, -6 * height * base**2 * z / width

    return bump


# In the step from 2.5 s to 3 s. Without the jolt the minimum is at 2.56 s and 2.53 s.
OF_CHECKED_STATE = 2.06, 2.5 + 0.5 * polynomials.CHECKED, 0.03
OF_MINIMUM = 2.03, 2.545, 0.02


@pytest.mark.parametrize(("middle", "centre", "width"), [OF_CHECKED_STATE, OF_MINIMUM])
def test_a_jolt_inside_a_step_is_searched_with_exact_states(middle, centre, width):
    """The jolt is at the state with which a polynomial is compared, or only at the minimum."""
    bump, (miss, speed) = bump_at(centre, width, -0.02), (6.0, 3.0)
    times = np.linspace(0, 4.0, 9)[:, None] * np.ones(CASES)
    cases = Cases(times, tumbling(miss, speed, middle, np.zeros((2, CASES)), bump))
    distance, when, _ = minima(cases, watch(*spheres()))

    def gap(t):
        apart = np.stack([speed * (t - middle), miss + bump(t)[0], 0 * t])
        return np.linalg.norm(apart + (ARMS[:, 1] - ARMS[:, 0])[:, None], axis=0) - 2 * RADIUS

    np.testing.assert_allclose(distance, gap(when), rtol=0, atol=ROUNDING)
    # Times 1e-5 s apart; the acceleration is below 4e2 m/s^2: half of it times (0.5e-5 s)^2 is 5e-9 m.
    np.testing.assert_allclose(distance, gap(np.linspace(0, 4, 400001)).min(), rtol=0, atol=1e-8)
