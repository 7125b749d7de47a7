"""From which azimuth downrange counts where a body starts at rest or straight up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine_door import start_of
from interstage.reading import loads

TEXT = """
planet = "earth"
gravity = "inverse_square"
[bodies.booster]
mass = 100.0
inertia = [10.0, 100.0, 100.0]
initial = { latitude = "34.7 deg", longitude = "-120.6 deg", altitude = 10.0, START }
[bodies.upper]
mass = 10.0
inertia = [1.0, 10.0, 10.0]
[joints.seam]
kind = "fixed"
parent = "booster"
child = "upper"
GUIDANCE
[phases.go]
until = { elapsed = 1.0 }
"""
UPRIGHT = 'attitude_axes = "level", attitude = { euler = "3-2-1", angles = "[YAW, PITCH, 0] deg" }'
TURN = '[guidance.turn]\nkind = "gravity_turn"\nbody = "upper"\nazimuth = "330 deg"'
PROGRAM = '[guidance.up]\nkind = "angles"\nbody = "booster"\naxes = "local_level"\nyaw = "200 deg"\n'
PROGRAM += 'pitch = { over = "elapsed", points = [0, 9], value = "[90, 80] deg" }'
RISE = '[guidance.rise]\nkind = "angles"\nbody = "booster"\naxes = "local_level"\npitch = "90 deg"\n'


def upright(yaw: float, pitch: float) -> str:
    return UPRIGHT.replace("YAW", str(yaw)).replace("PITCH", str(pitch))


@pytest.mark.parametrize(
    ("start", "guidance", "azimuth"),
    [
        ("speed = 0.0", "", 90.0),  # the inertial velocity of the pad
        ("speed = 0.0", TURN, 330.0),
        ("speed = 0.0", RISE + TURN, 330.0),  # upright, a yaw is a roll
        ("speed = 0.0", PROGRAM, 200.0),
        (upright(250.0, 90.0), "", 250.0),
        (upright(250.0, 84.0), "", 250.0),  # on an inclined rail
        (upright(70.0, 96.0), "", 250.0),
        (upright(250.0, 90.0), TURN, 330.0),
        ('speed = 20.0, flight_path_angle = "90 deg"', TURN, 330.0),  # straight up
        ('speed = 0.0, azimuth = "300 deg"', TURN, 300.0),  # as the start declares
        ('speed = 20.0, flight_path_angle = "80 deg", azimuth = "300 deg"', TURN, 300.0),  # on its way
    ],
)
def test_downrange_counts_along_the_launch_azimuth(start, guidance, azimuth):
    reference: Any = start_of(loads(TEXT.replace("START", start).replace("GUIDANCE", guidance))).reference
    found = np.degrees(reference.start_azimuth) % 360
    # Rounding of a direction whose level part is that of 80 deg, or of the tilt of 6 deg.
    np.testing.assert_allclose(found, azimuth, rtol=0, atol=1e-9)
