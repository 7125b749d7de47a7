"""Starts in files: the keys that tell them apart, and what is refused."""

from __future__ import annotations

import json

import pytest

import interstage as ist
from interstage.reading import loads
from interstage.tree.errors import BadInput

HEAD = """
[planet]
kind = "earth"
[bodies.b]
mass = 1
inertia = [1, 1, 1]
initial = { %s }
[phases.coast]
until = { time = 1 }
"""


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ('latitude = "28.5 deg", longitude = "-80.6 deg"', ist.OverGround),
        (
            'latitude = 0.1, longitude = 0, speed = "900 ft/s", incidence = { alpha = "3 deg" }',
            ist.OverGround,
        ),
        ('perigee_altitude = "200 km", apogee_altitude = "300 km", attitude_axes = "lvlh"', ist.OrbitStart),
        ("semi_major_axis = 7e6", ist.OrbitStart),
        ('position = "[7000, 0, 0] km", attitude_axes = "planet"', ist.State),
        ("", ist.State),
    ],
)
def test_keys_tell_the_start_and_files_come_back(keys, kind):
    declared = loads(HEAD % keys)
    assert type(declared.bodies[0].initial) is kind
    assert loads(declared.to_toml()) == declared


def test_schema_knows_the_starts():
    from interstage.cli.schema import schema

    found = json.dumps(schema()["$defs"]["OverGround"]["properties"]["velocity_relative_to"])
    assert "planet" in found
    assert "the wind velocity is added" in found


@pytest.mark.parametrize(
    ("keys", "planet", "place", "says"),
    [
        ("altitude = 1", None, "", "needs a planet"),
        ("altitude = 1", "earth", "", "latitude and longitude are required"),
        ("altitude = 1, east = 2", "earth", "east", "over flat ground only"),
        ("latitude = 0, longitude = 0", "flat", "latitude", "no latitude and longitude. Set"),
        ("latitude = 0", "earth", "longitude", "Set both"),
        ("latitude = 28.5, longitude = 0", "earth", "latitude", '1633 deg; allowed: -90 deg to 90 deg'),
        (
            "semi_major_axis = 7e6, inclination = 97.4",
            "earth", "inclination", '180 deg. Angles without a unit are in radians; did you mean "97.4 deg"',
        ),
        ('semi_major_axis = 7e6, inclination = "-1 deg"', "earth", "inclination", "-1 deg is out of range"),
        (
            "latitude = 0, longitude = 0, speed = 5, flight_path_angle = 2",
            "earth", "flight_path_angle", 'did you mean "2 deg"?',
        ),
        ("latitude = 0, longitude = 0, north = 1", "earth", "", "or north and east"),
        ("latitude = 0, longitude = 0, azimuth = 1", "earth", "speed", "with 'flight_path_angle'"),
        ("altitude = 0, velocity_ned = [1, 2, 3], speed = 1", "flat", "velocity_ned", "with 'speed'"),
        ("semi_major_axis = 7e6", "flat", "", "needs a round planet"),
        ("semi_major_axis = 7e6", None, "", "needs a round planet"),
        ("eccentricity = 0.1", "earth", "", "the size of the orbit is not set"),
        ("semi_major_axis = 7e6, eccentricity = 1.2", "earth", "semi_major_axis", "an eccentricity above"),
        ("semi_major_axis = 7e6, eccentricity = 1", "earth", "semi_major_axis", "A parabola needs"),
        ("semi_latus_rectum = 7e6, eccentricity = 1, mean_anomaly = 1", "earth", "mean_anomaly", "parabola"),
        ("semi_latus_rectum = 7e6, mean_anomaly = 1, true_anomaly = 1", "earth", "mean_anomaly", "both set"),
        (
            "semi_latus_rectum = 7e6, eccentricity = 2, true_anomaly = 2.2",
            "earth", "true_anomaly", "beyond the asymptote",
        ),
        ("perigee_altitude = 2e5", "earth", "apogee_altitude", "Set both"),
        ("perigee_altitude = 2e5, apogee_altitude = 1e5", "earth", "apogee_altitude", "Exchange the two"),
        (
            "perigee_altitude = 1e5, apogee_altitude = 1e5, eccentricity = 0",
            "earth", "eccentricity", "Remove 'eccentricity'",
        ),
        ('attitude_axes = "level"', None, "attitude_axes", '"level" needs a planet'),
        ('angular_velocity_relative_to = "lvlh"', "flat", "angular_velocity_relative_to", "has no centre"),
        (
            'position = [7e6, 0, 0], velocity = [5, 0, 0], attitude_axes = "lvlh"',
            "earth", "attitude_axes", "has no orbital plane",
        ),
        (
            'latitude = 0, longitude = 0, speed = 5, flight_path_angle = "90 deg",'
            ' velocity_relative_to = "inertial", attitude_axes = "lvlh"',
            "earth", "attitude_axes", "has no orbital plane",
        ),
        ("incidence = { alpha = 1 }", None, "incidence", "relative to the atmosphere needs a planet"),
        ("latitude = 0, longitude = 0, incidence = { alpha = 1 }", "earth", "incidence", "is zero"),
        ('incidence = {}, attitude_axes = "level"', "earth", "incidence", "sets the attitude, but"),
    ],
)  # fmt: skip
def test_starts_that_are_refused(keys, planet, place, says):
    text = HEAD % keys
    head = f'[planet]\nkind = "{planet}"' if planet else ""
    with pytest.raises(BadInput) as caught:
        loads(text.replace('[planet]\nkind = "earth"', head))
    assert len(caught.value.problems) == 1, caught.value
    problem = caught.value.problems[0]
    assert problem.place == "bodies.b.initial" + (f".{place}" if place else "")
    assert says in problem.message
    assert problem.line is not None
