"""Trim of points: closed forms of a gimbal and of a surface, several signals on one axis, limits, the rigid
flight that a fast control law holds, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from engine_door import instant, mechanism_of, quantities, start_of
from interstage.reading import loads
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
massless = true
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
    np.testing.assert_allclose(
        np.abs(series["controls.hold"][:, 1]), np.arctan2(OFFSET, LENGTH), rtol=64 * EPS
    )
    # Roundings of the moment of the whole thrust.
    np.testing.assert_allclose(series["system.trim_moment"], 0, atol=64 * EPS * THRUST * LENGTH)
    assert not flight.record.warnings


@pytest.mark.long
def test_the_rigid_flight_of_a_stiff_control_comes_to_the_trimmed_point(flight):
    """A hold settles where the gimbal balances the moments; its error of the attitude, trim angle / gain, is
    what keeps the velocity apart, so that four times the gain brings it four times as near."""
    rigid = FLIGHT.replace(
        'coordinates = "point"\nattitude = "pitch"\ntrim = { pitch = "controls.hold.y" }', ""
    )
    series, apart = flight.record.series, []
    for gain in (-25, -100):
        held = loads(rigid, set={"controls.hold.kp": gain}).run(progress=False).record.series
        # The local level turns by some 1e-4 rad/s, which the gimbal hardly sees.
        np.testing.assert_allclose(held["controls.hold"][-1, 1], series["controls.hold"][-1, 1], rtol=1e-3)
        velocity = "bodies.rocket.velocity"
        apart.append(np.linalg.norm(held[velocity][-1] - series[velocity][-1]))
    assert apart[0] > 0.05
    assert 3 < apart[0] / apart[1] < 5


def test_a_gimbal_at_its_limit_is_told(flight):
    """When, by how much and why; it stays at its limit."""
    limited = loads(FLIGHT, set={"controls.hold.limit": "1 deg"}).run(progress=False)
    (told,) = limited.record.warnings
    angle = np.deg2rad(1.0)
    np.testing.assert_allclose(np.abs(limited.record.series["controls.hold"][:, 1]), angle, rtol=4 * EPS)
    left = THRUST * (OFFSET * np.cos(angle) - LENGTH * np.sin(angle))
    np.testing.assert_allclose(np.abs(limited.record.series["system.trim_moment"]), left, rtol=64 * EPS)
    assert "pitch was not balanced between" in told
    assert f"{left:.4g} N m at" in told
    assert told.endswith("limits of controls.hold.y were reached.")


AIR = f"""
[aerodynamics.wing]
body = "rocket"
area = 10.0
length = 2.0
reference = [3.0, 0, 0]
[aerodynamics.wing.coefficients]
CA = 0.4
[aerodynamics.wing.coefficients.Cm]
axes = [{{ variable = "actuators.flap", points = [-1, 1] }}]
values = [{BIAS - SLOPE}, {BIAS + SLOPE}]
[aerodynamics.wing.coefficients.CN]
axes = [{{ variable = "actuators.flap", points = [-1, 1] }}]
values = [{-POWER}, {POWER}]
[actuators.flap]
command = "controls.hold.x"
unit = "rad"
model = {{ kind = "first_order", time_constant = "0.2 s" }}
"""


def at_start(text: str):
    scenario = loads(text)
    scenario.check()
    begun = start_of(scenario)
    return instant(mechanism_of(scenario, begun=begun), 0.0, begun.x, begun.discrete)


def test_a_surface_balances_a_linear_law():
    """l (b + s d) + x c d + z CA = 0, of an engine that is off."""
    flap = (
        FLIGHT.replace('pitch = "controls.hold.y" }\n[planet]', 'pitch = "actuators.flap" }\n[planet]') + AIR
    )
    found = quantities(at_start(flap.replace("ignited = true\n", "")), "actuators.flap", "system.trim_moment")
    wanted = -(2.0 * BIAS + OFFSET * 0.4) / (2.0 * SLOPE + (3.0 - LENGTH) * POWER)
    np.testing.assert_allclose(found["actuators.flap"], wanted, rtol=64 * EPS)


def test_signals_that_share_an_axis_are_least():
    """Both balance it, and are along the slopes of the moment."""
    both = FLIGHT.replace(
        'pitch = "controls.hold.y" }\n[planet]', 'pitch = ["controls.hold.y", "actuators.flap"] }\n[planet]'
    )
    here = at_start(both + AIR)
    found = quantities(
        here, "actuators.flap", "controls.hold", "system.trim_moment", "bodies.rocket.dynamic_pressure"
    )
    flap, gimbal = float(found["actuators.flap"]), float(found["controls.hold"][1])
    # A Newton step to the least norm: what six leave of it.
    pressure = float(found["bodies.rocket.dynamic_pressure"]) * 10.0
    by_flap = pressure * (2.0 * SLOPE + (3.0 - LENGTH) * POWER)
    by_gimbal = THRUST * (LENGTH * np.cos(gimbal) - OFFSET * np.sin(gimbal))
    np.testing.assert_allclose(found["system.trim_moment"], 0, atol=256 * EPS * THRUST * LENGTH)
    np.testing.assert_allclose(abs(flap / gimbal), abs(by_flap / by_gimbal), rtol=1e-6)


THROTTLED = """
[controls.keep]
kind = "throttle"
body = "rocket"
load_factor = 1.5
"""
BAD = {
    "throttle": (
        "[controls.hold]\n",
        THROTTLED + "[controls.hold]\n",
        "after all laws",
    ),
    "of a throttle": (
        'pitch = "controls.hold.y" }\n[planet]',
        'pitch = "controls.keep" }\n[planet]',
        "controls.keep",
    ),
    "trim.pitch: controls.fin": (
        '"controls.hold.y" }\n[planet]',
        '"controls.fin" }\n[planet]',
        "controls.fin",
    ),
    "turns nothing": (
        '"controls.hold.y" }\n[planet]',
        '"controls.hold.x" }\n[planet]',
        "no aerodynamic coefficient uses",
    ),
    "too few": (
        '{ pitch = "controls.hold.y" }\n',
        '{ pitch = "controls.hold.y", yaw = "controls.hold.y" }\n',
        "1 signal cannot balance 2 axes. Name one more",
    ),
    "none": ('{ pitch = "controls.hold.y" }\n', "{}\n", "trim.pitch: none of pitch, yaw and roll is set"),
    "rigid": ('coordinates = "point"\nattitude = "pitch"\n', "", "trim: 'trim' applies to point-mass flight"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    old, new, told = BAD[name]
    assert old in FLIGHT
    text = FLIGHT.replace(old, new, 1)
    if new.startswith(THROTTLED):
        text = text.replace("ignited = true\n", 'ignited = true\nthrottle = "controls.keep"\n')
    with pytest.raises(BadInput) as caught:
        loads(text).check()
    assert told in str(caught.value)


def test_legs_have_a_trim_of_their_own():
    """Of a point; refused at the top of a mission, and of a rigid leg, by its name."""
    top = 'coordinates = "point"\nattitude = "pitch"\ntrim = { pitch = "controls.hold.y" }\n'
    legs = """
[legs.up]
coordinates = "point"
attitude = "pitch"
trim = { pitch = "controls.hold.y" }
phases.burn = { until = { elapsed = "1 s" } }
[legs.on]
after = { leg = "up" }
phases.on = { until = { elapsed = "1 s" } }
"""
    phases = '[phases.burn]\nuntil = { elapsed = "10 s" }\n'
    mission = FLIGHT.replace(top, "").replace(phases, legs)
    loads(mission).check()
    wrong = mission.replace(
        'after = { leg = "up" }\n', 'after = { leg = "up" }\ntrim = { pitch = "controls.hold.y" }\n'
    )
    with pytest.raises(BadInput, match=r"legs\.on\.trim: applies to point-mass flight"):
        loads(wrong).check()
    with pytest.raises(BadInput, match="trim"):
        loads('trim = { pitch = "controls.hold.y" }\n' + mission).check()
