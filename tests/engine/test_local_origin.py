"""The local origin falls freely; what something holds up stays behind, and the origin must come back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine_door import FALLEN, packed, rebased, unpacked
from interstage.environment.gravity import InverseSquareGravity, NoGravity
from interstage.environment.world import WGS84_FLATTENING, WGS84_MU, WGS84_RADIUS
from interstage.reading import loads

DENSITY, AREA, MASS, HIGH = 1.1, 2000.0, 1000.0, 20e3
AT = 1000.0
"""Longer than a fall from the ground to the centre takes: 896 s."""
PARACHUTE = f"""
planet.kind = "earth"
gravity.kind = "inverse_square"
atmosphere.kind = "table"
atmosphere.altitude = [-1e5, 1e5]
atmosphere.density = [{DENSITY}, {DENSITY}]
atmosphere.temperature = [280, 280]
[bodies.pod]
mass = {MASS}
inertia = [100.0, 100.0, 100.0]
initial = {{ latitude = "90 deg", longitude = 0, altitude = {HIGH}, attitude_axes = "level" }}
[aerodynamics.parachute]
body = "pod"
area = {AREA}
length = 1.0
coefficients.CD = 1.0
[phases.descent]
until = {{ time = {AT} }}
[output]
times = [{AT}]
"""


@pytest.mark.long
def test_a_body_that_sinks_slowly_does_not_follow_the_origin_to_the_centre():
    flight = loads(PARACHUTE).run()
    assert flight.record.completed, flight.record.outcome
    polar = WGS84_RADIUS * (1 - WGS84_FLATTENING)
    drag = 0.5 * DENSITY * AREA / MASS

    def slope(_, y):
        return [y[1], -WGS84_MU / (polar + y[0]) ** 2 - drag * y[1] * abs(y[1])]

    other = solve_ivp(slope, (0, AT), [HIGH, 0.0], method="LSODA", rtol=1e-12, atol=1e-9)
    # Positions are numbers of 6e6 m, of which every move of the origin rounds one.
    assert flight.record.series["bodies.pod.altitude"][-1] == pytest.approx(other.y[0, -1], abs=1e-6)


TWO = """
[bodies.a]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
initial = {}
[bodies.b]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [1.0, 0, 0] }
[phases.one]
until = { time = "1 s" }
"""
FIELD = InverseSquareGravity()
DISTANCE = 7e6


def moved(offsets, gravity=None, roots=None):
    """Offsets and origin (3, lanes) after it may have been moved; offsets along x by body, in each lane."""
    two, lanes = loads(TWO), np.shape(offsets)[1]
    zero = np.zeros((3, 2, lanes))
    place, speed, origin = zero.copy(), zero.copy(), np.zeros((3, lanes))
    place[0], speed[1], origin[2] = offsets, [[3.0], [5.0]], DISTANCE
    x = packed(place, speed, np.ones((4, 2, lanes)), zero, origin)
    r, v, _, _, found, rate = unpacked(two, rebased(two, x, gravity, roots))
    assert np.array_equal(origin[:, None] + place, found[:, None] + r)
    assert np.array_equal(speed, rate[:, None] + v)
    return r[0], found[0]


def test_origin_moves_to_a_body_and_not_into_the_planet_between_two():
    r, origin = moved([[-2e3, -900.0], [5e6, 900.0]])
    assert np.array_equal(r[:, 0], [0.0, 5e6 + 2e3])
    assert np.array_equal(origin, [-2e3, 0.0])  # the other lane is near enough


def test_between_events_it_moves_only_where_all_have_been_left_behind():
    far = FALLEN * DISTANCE
    _, origin = moved([[1.1 * far, 0.9 * far, 1.1 * far], [1.2 * far, 1.2 * far, 1.2 * far]], FIELD)
    assert np.array_equal(origin, [1.1 * far, 0.0, 1.1 * far])
    assert np.array_equal(moved([[1e9], [1e9]], NoGravity())[1], [0.0])


def test_bodies_that_hang_on_others_have_no_offsets_to_move():
    two = loads(TWO)
    still = np.array([[2e3, 7.0], [0.0, 0.0], [0.0, 0.0]])
    x = packed(still, 0 * still, np.ones((4, 2)), 0 * still)
    r, *_, origin, _ = unpacked(two, rebased(two, x, roots=np.array([True, False])))
    assert np.array_equal(r[0], [0.0, 7.0])
    assert np.array_equal(origin, [2e3, 0.0, 0.0])
