"""Figures of the motion of joints and of the wind, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from interstage.drawing.figure import Line, Panel
from interstage.reading import loads
from interstage.report.figures import figures

TEXT = """
bodies.hub = { mass = 1000, inertia = [1e6, 1e6, 1e6], initial = {} }
bodies.door = { mass = 2, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.2, 0.25] }
[joints.hinge]
kind = "fixed"
parent = "hub"
child = "door"
[joints.rail]
kind = "KIND"
parent = "ground"
child = "hub"
[forces.motor]
kind = "torque"
body = "door"
torque = "[0, 0, MOMENT] N m"
phases = ["open"]
[phases.closed]
until = { time = "20 s" }
[phases.open]
replace = { hinge = "revolute" }
until = { quantity = "joints.hinge.rotation.z", reaches = "LIMIT deg" }
[phases.free]
release = ["hinge"]
until = { elapsed = "30 s" }
"""


def motion_panels(text: str) -> list[Panel]:
    found = [one for one in figures(loads(text).run().record) if one.key == "joint motion"]
    return [panel for one in found for panel in one.panels]


@pytest.mark.parametrize(("moment", "limit"), [(0.1, 30.0), (0.4, 55.0), (0.02, 80.0)])
def test_the_hinge_angle_is_shown_from_its_start_to_the_release(moment, limit):
    """A steady moment M about a hinge: angle M t^2 / (2 I), where I is that of the door about the hinge.
    The hub is held by the ground."""
    values = {"KIND": "fixed", "MOMENT": moment, "LIMIT": limit}
    text = TEXT
    for key, value in values.items():
        text = text.replace(key, str(value))
    (panel,) = motion_panels(text)
    assert panel.title == "hinge: rotation about z"
    (line,) = [mark for mark in panel.marks if isinstance(mark, Line)]
    release = 20 + np.sqrt(2 * np.radians(limit) * (0.25 + 2 * 0.25) / moment)
    assert panel.x.high == pytest.approx(release, rel=1e-6)
    assert panel.x.low is not None
    assert 18 < panel.x.low <= 20
    assert panel.y.label == "rotation [deg]"
    elapsed = np.maximum(0.0, np.asarray(line.x) - 20)
    expected = np.degrees(moment * elapsed**2 / (2 * 0.75))
    # The tolerance of the integration, in degrees.
    np.testing.assert_allclose(line.y, expected, rtol=0, atol=1e-5 * limit)
    assert np.max(line.y) == pytest.approx(limit, rel=1e-6)


def test_joints_that_stay_still_have_no_figure():
    text = TEXT.replace("KIND", "fixed").replace("LIMIT", "30").replace("MOMENT", "0.1")
    still = text[: text.index("[phases.closed]")].replace('phases = ["open"]', 'phases = ["closed"]')
    assert motion_panels(still + '[phases]\nclosed = { until = { time = "1 s" } }\n') == []


WIND = """
bodies.ball = { mass = 5, inertia = [1, 1, 1], initial = { latitude = 0, longitude = 0, altitude = 1000 } }
planet = "earth"
atmosphere = "us76"
ground = "ignore"
phases.fall = { until = { time = "1 s" } }
"""


@pytest.mark.parametrize(
    ("wind", "east"), [("", None), ("wind = { kind = 'steady', velocity = [3, 4, 0] }", 4)]
)
def test_the_wind_is_shown_where_there_is_any(wind, east):
    found = [one for one in figures(loads(wind + WIND).run().record) if one.key == "wind"]
    if east is None:
        assert found == []
        return
    (panel,) = found[0].panels
    lines = {mark.label: np.asarray(mark.y) for mark in panel.marks if isinstance(mark, Line)}
    # Rounding of the rotation to local level.
    np.testing.assert_allclose(lines["east"], 4, rtol=0, atol=1e-9)
    np.testing.assert_allclose(lines["north"], 3, rtol=0, atol=1e-9)
