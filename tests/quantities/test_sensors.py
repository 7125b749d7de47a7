"""Sensor stations: how a point of a turning body moves, and what accelerometers there show."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.reading import loads
from mechanics import EPS

SPINNING = """
[gravity]
kind = "uniform"
acceleration = [0, 0, -9.80665]
[bodies.top]
mass = 2.0
mass_centre = [0.1, 0, 0]
inertia = [0.5, 0.5, 0.5]
initial = { position = [1, 2, 3], velocity = [4, 5, 6], angular_velocity = [0, 0, 3.0] }
[sensors.rim]
body = "top"
at = [0.6, 0.2, 0]
frame = { euler = "3-2-1", angles = "[90, 0, 0] deg" }
[forces.push]
kind = "force"
body = "top"
at = [0.1, 0, 0]
force = [8.0, 0, 0]
[torques]
"""
SPINNING = SPINNING.replace("[torques]\n", "") + '[phases.fly]\nuntil = { time = "1 s" }\n'


@pytest.fixture(scope="module")
def flight():
    """A ball that turns at 3 rad/s about z, falls, and is pushed with 4 m/s^2 along its own x."""
    return loads(SPINNING + "[output]\ninterval = 0.25\n[solver]\ntolerance = 1e-12\n").run()


def test_a_point_of_a_turning_body(flight):
    """r + rho, v + w x rho, a + w x (w x rho), with the push along the body's x. All but gravity is sensed,
    along the sensor's axes, x of which is the body's y."""
    rim, top = flight.data["sensors/rim"], flight.data["bodies/top"]
    t = flight.data["time"].values
    turn = np.array([[[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]] for a in 3.0 * t])
    arm = np.array([0.5, 0.2, 0])
    felt = np.array([4.0, 0, 0]) - 9.0 * arm
    rounding = 1e-11  # the tolerance of the flight, times ten for sizes above one
    np.testing.assert_allclose(rim["position"], top["position"] + turn @ arm, atol=rounding)
    speed = turn @ np.cross([0, 0, 3.0], arm)
    np.testing.assert_allclose(rim["velocity"], top["velocity"] + speed, atol=rounding)
    np.testing.assert_allclose(rim["acceleration"], turn @ felt + [0, 0, -9.80665], atol=rounding)
    along = np.array([felt[1], -felt[0], felt[2]])
    np.testing.assert_allclose(rim["sensed_acceleration"], np.tile(along, (len(t), 1)), atol=rounding)
    np.testing.assert_allclose(rim["load_factor"] * 9.80665, rim["sensed_acceleration"], rtol=4 * EPS)
    np.testing.assert_allclose(rim["angular_velocity"], np.tile([0, 0, 3.0], (len(t), 1)), atol=rounding)


def test_a_sensor_on_no_body_is_refused():
    with pytest.raises(ist.BadInput, match=r"sensors.rim.body: there is no body 'topp'; did you mean 'top'"):
        loads(SPINNING.replace('body = "top"\nat = [0.6', 'body = "topp"\nat = [0.6'))
