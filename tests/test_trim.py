"""Trim of points: closed forms of a gimbal and of a surface, several signals on one axis, limits, the rigid
flight that a fast control law holds, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from engine_door import mechanism_of, quantities, start_of
from interstage.scenario import loads
from interstage.tree.errors import BadInput

EPS = np.finfo(float).eps
OFFSET, LENGTH, THRUST, MASS = 0.2, 6.0, 4e5, 2e4
SLOPE, BIAS, POWER = -0.8, 0.05, -0.3

FLIGHT = f"""
coordinates = "point"
attitude = "pitch"
trim = {{ pitch = "controls.hold.y" }}
[planet]
kind = "earth"
[gravity]
kind = "uniform"
acceleration = [-9, 0, 0]
[atmosphere]
kind = "us76"
[bodies.rocket]
mass = {MASS}
mass_centre = [{LENGTH}, 0, {OFFSET}]
inertia = [1e4, 3e5, 3e5]
[bodies.rocket.initial]
latitude = 0
longitude = 0
altitude = "20 km"
velocity_ned = [0, 500, -600]
attitude = {{ euler = "3-2-1", angles = "[90, 45, 0] deg" }}
attitude_axes = "level"
[engines.main]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
thrust = {THRUST}
isp = 1e9
ignited = true
gimbal = {{ pitch = "controls.hold.y", yaw = "controls.hold.z" }}
[guidance.pitch]
kind = "angles"
body = "rocket"
axes = "local_level"
yaw = "90 deg"
pitch = "45 deg"
[controls.hold]
kind = "attitude"
body = "rocket"
follows = "pitch"
kp = -20
kd = -10
limit = "6 deg"
[phases.burn]
until = {{ elapsed = "10 s" }}
[output]
interval = "1 s"
"""


@pytest.fixture(scope="module")
def flight():
    return loads(FLIGHT).run(progress=False)


def test_a_gimbal_turns_the_thrust_through_the_mass_centre(flight):
    """atan(offset / length); the velocity gained along the body is that of the tilted thrust."""
    series = flight.record.series
    np.testing.assert_allclose(np.abs(series["controls.hold"][:, 1]), np.arctan2(OFFSET, LENGTH), rtol=64 * EPS)
    # Roundings of the moment of the whole thrust.
    np.testing.assert_allclose(series["system.trim_moment"], 0, atol=64 * EPS * THRUST * LENGTH)
    assert not flight.record.warnings
