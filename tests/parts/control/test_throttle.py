"""Throttles within limits: of load and of dynamic pressure, against closed forms and the quantities of
flights, as a point mass and rigid, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import interstage
from bad_input.edits import refused
from engine_door import instant, mechanism_of, quantities, start_of
from interstage.parts.control import throttle
from interstage.reading import loads

pytestmark = pytest.mark.usefixtures("long_flights")

EPS = np.finfo(float).eps
G0 = 9.80665
LOAD, PRESSURE, RESPONSE, CANT = 1.8, 20e3, 2.0, 0.02

ASCENT = f"""
coordinates = "point"
attitude = "turn"
[planet]
kind = "earth"
[gravity]
kind = "zonal"
[atmosphere]
kind = "us76"
[wind]
kind = "steady"
velocity = [8.0, -5.0, 0.0]

[bodies.rocket]
mass = 9000.0
mass_centre = [5.0, 0.0, 0.0]
inertia = [1e4, 1e5, 1e5]
[bodies.rocket.initial]
latitude = "28 deg"
longitude = "-80 deg"
altitude = "100 m"
velocity_ned = [0, 1.0, -20.0]
[bodies.rocket.elements.tank]
kind = "point"
propellant = 60000.0
at = [5.0, 0.0, 0.0]
[bodies.top]
mass = 3000.0
inertia = [1e3, 1e3, 1e3]
initial = {{ through = "ring" }}
[joints.ring]
kind = "fixed"
parent = "rocket"
child = "top"
parent_at = [10.0, 0.0, 0.0]

[aerodynamics.drag]
body = "rocket"
area = 8.0
length = 3.0
[aerodynamics.drag.coefficients.CA]
axes = [{{ variable = "mach", points = [0, 0.8, 1.2, 20] }}]
values = [0.3, 0.35, 0.6, 0.3]
[aerodynamics.drag.coefficients.CN]
axes = [{{ variable = "alpha", points = [-2, 2] }}]
values = [-6, 6]

[engines.main]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
thrust = 1.2e6
exit_area = 0.6
isp = 310.0
max_throttle = 0.9
throttle = "controls.keep"
feeds = {{ "rocket.tank" = 1.0 }}
ignited = true
[engines.side]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
cant = [{CANT}, 0.0]
thrust = 5e4
isp = 250.0
feeds = {{ "rocket.tank" = 1.0 }}
ignited = true

[controls.keep]
kind = "throttle"
body = "rocket"
setting = 0.9
load_factor = {LOAD}
dynamic_pressure = {PRESSURE}
response = {RESPONSE}

[guidance.turn]
kind = "angles"
body = "rocket"
axes = "local_level"
yaw = "90 deg"
pitch = {{ points = "[0, 10, 40, 100, 200] s", value = "[89, 87, 75, 50, 30] deg" }}

[phases.burn]
until = {{ time = "150 s" }}
[output]
interval = "1 s"
[solver]
tolerance = 1e-9
"""


@pytest.fixture(scope="module")
def ascent():
    return loads(ASCENT).run(progress=False)


PATHS = (
    *("engines.main.thrust", "engines.side.thrust", "aerodynamics.drag.force", "bodies.rocket.stack_mass"),
    *("bodies.rocket.axial_load_factor", "controls.keep", "controls.keep.limited"),
)
GRADIENT = 2 * 10 / 6.37e6
"""Of gravity over 10 m, in standard gravities: a body's own mass centre falls otherwise than the stack's."""


def load(found) -> np.ndarray:
    """Along x, by thrust and air, of the quantities of a flight."""
    main, side, air, mass = (found[path] for path in PATHS[:4])
    return (main + side * np.cos(CANT) + air.T[0]) / mass / G0


@pytest.mark.long
def test_load_and_dynamic_pressure_stay_within_their_limits(ascent):
    """The load is at its limit exactly; the dynamic pressure comes to its own from below."""
    series = ascent.record.series
    q = series["bodies.rocket.dynamic_pressure"]
    by, throttle = series["controls.keep.limited"], series["controls.keep"]
    assert {0.0, 1.0, 2.0} == set(by)
    # Some dozen roundings of the whole.
    np.testing.assert_allclose(load(series)[by == 1], LOAD, rtol=64 * EPS)
    np.testing.assert_allclose(series["bodies.rocket.axial_load_factor"][by == 1], LOAD, atol=GRADIENT)
    assert (load(series)[by != 1] < LOAD).all()
    # The step's tolerance is all that lets it pass its limit.
    assert 0.99 * PRESSURE < q.max() < PRESSURE * (1 + 1e-7)
    assert set(throttle[by == 0]) == {0.9}
    assert 0 < throttle[by > 0].min() < throttle[by > 0].max() < 0.9


@pytest.mark.long
def test_dynamic_pressure_approaches_its_limit_with_the_response(ascent):
    """While it limits, (limit - q) falls as exp(-t / response); wind is the same everywhere."""
    series, t = ascent.record.series, ascent.record.time
    q, by = series["bodies.rocket.dynamic_pressure"], series["controls.keep.limited"]
    rows = np.flatnonzero(by == 2)
    rows = rows[: np.argmax(np.diff(rows) > 1) + 1] if (np.diff(rows) > 1).any() else rows
    first, room = rows[0], PRESSURE - q[rows[0]]
    wanted = room * np.exp(-(t[rows] - t[first]) / RESPONSE)
    # A steady wind turns with the level: 10 m/s by 1 km/s / 6400 km, of 400 m/s, for the response.
    np.testing.assert_allclose(
        PRESSURE - q[rows], wanted, atol=PRESSURE * 2 * 10 * 1.6e-4 / 400 * 2 + 1e-7 * PRESSURE
    )
    assert len(rows) > 5


def test_a_rigid_stack_feels_the_same_limit():
    """At the start, with two bodies and a joint between them, before anything turns."""
    text = ASCENT.replace('coordinates = "point"\nattitude = "turn"\n', "").replace(
        f"load_factor = {LOAD}", "load_factor = 1.1"
    )
    scenario = loads(text)
    start = start_of(scenario)
    start = instant(mechanism_of(scenario, begun=start), 0.0, start.x, start.discrete)
    found = quantities(start, *PATHS)
    assert found["controls.keep.limited"] == 1
    assert found["controls.keep"] < 0.9
    np.testing.assert_allclose(load(found), 1.1, rtol=64 * EPS)
    np.testing.assert_allclose(found["bodies.rocket.axial_load_factor"], 1.1, atol=GRADIENT)


def test_a_saved_flight_has_what_limits(monkeypatch, tmp_path):
    """A command and what keeps it are next to each other in the file."""
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 50)  # it is short
    text = ASCENT.replace(f"load_factor = {LOAD}", "load_factor = 1.1").replace("150 s", "3 s")
    ascent = loads(text).run(progress=False)
    assert ascent.value("controls.keep.limited", "end") == 1
    ascent.save(tmp_path / "ascent.nc")
    again = interstage.open_flight(tmp_path / "ascent.nc")
    for path in ("controls.keep", "controls.keep.limited"):
        np.testing.assert_array_equal(again[path], ascent[path])
        assert again.value(path, "end") == ascent.value(path, "end")


def test_the_least_throttle_and_the_setting():
    """A limit leads to no less than the least throttle; a setting below that stays."""
    law = loads(ASCENT.replace("response =", "least = 0.4\nresponse =")).controls[0]
    wanted = np.array([0.9, 0.9, 0.9, 0.3, 0.3])
    allowed = throttle.Bounds(np.array([0.5, 0.2, np.inf, 0.2, -3.0]), np.array([0.7, np.inf, 0.1, 0.5, 0.0]))
    found, by = throttle.limit_throttle(law, wanted, allowed)
    np.testing.assert_array_equal(found, [0.5, 0.4, 0.4, 0.4, 0.4])
    np.testing.assert_array_equal(by, [1, 3, 3, 3, 3])


def test_a_limit_that_the_least_throttle_passes_is_said():
    low = ASCENT.replace(f"dynamic_pressure = {PRESSURE}", "dynamic_pressure = 8000.0")
    text = low.replace("response =", "least = 0.7\nresponse =").replace('time = "150 s"', 'time = "70 s"')
    assert text.count("8000.0") == text.count("70 s") == 1
    flight = loads(text).run(progress=False)
    (said,) = (warning for warning in flight.record.warnings if warning.startswith("Throttle"))
    worst = flight["bodies.rocket.dynamic_pressure"].max() / 1e3
    assert "dynamic_pressure exceeded its limit of 8 kPa between" in said
    assert f"The largest value was {worst:.6g} kPa" in said


REFUSED = [
    (
        f"load_factor = {LOAD}\ndynamic_pressure = {PRESSURE}\n",
        "",
        "controls.keep.load_factor",
        "neither 'load_factor' nor 'dynamic_pressure'",
    ),
    (
        "setting = 0.9",
        'setting = 0.9\nperiod = "1 s"',
        "controls.keep.period",
        "does not apply to a throttle",
    ),
    ("setting = 0.9", "setting = 0.9\nlimit = 1", "controls.keep.limit", "does not apply to a throttle"),
    ('throttle = "controls.keep"', "throttle = 0.8", "controls.keep", "no engine has throttle"),
    ('[atmosphere]\nkind = "us76"\n', "", "controls.keep.dynamic_pressure", "needs an atmosphere"),
    (f"load_factor = {LOAD}", "load_factor = 0", "controls.keep.load_factor", "must be more than zero"),
    (
        f"cant = [{CANT}, 0.0]",
        'gimbal = { pitch = "controls.late" }',
        "controls.keep",
        "A signal for these forces is computed after this law",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), REFUSED, ids=lambda text: None)
def test_one_clear_error(old, new, place, words):
    late = '[controls.late]\nkind = "pid"\nmeasured = "bodies.rocket.alpha"\ntarget = 0\nkp = 0.1\n'
    refused(ASCENT.replace("[guidance.turn]", f"{late}[guidance.turn]"), old, new, place, words)
