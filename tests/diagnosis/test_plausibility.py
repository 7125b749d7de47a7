"""What is allowed and yet seldom meant is said: no gravity, no ignition, flights below the ground."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from interstage.diagnosis import plausibility
from interstage.diagnosis.plausibility import _drift_warnings, _underground, notes, remarks
from interstage.reading import loads
from interstage.record import conservation
from interstage.record.conservation import Drift

FALL = """
[planet]
kind = "flat"
GRAVITY
[bodies.stone]
mass = 2.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [0, 0, 20.0] }
[engines.motor]
kind = "engine"
body = "stone"
at = [0, 0, 0]
thrust = 1e-3
massless = true
LIT
[phases.fall]
until = { time = "3 s" }
[output]
interval = 0.5
"""
PULL = '[gravity]\nkind = "uniform"\nacceleration = [0, 0, -10.0]'


@pytest.mark.parametrize(
    ("gravity", "lit", "said"),
    [
        (PULL, "ignited = true", []),  # it ends at the ground
        ("", "ignited = true", ["The scenario has a planet but no gravity. Add [gravity]"]),
        ('[gravity]\nkind = "none"', "ignited = true", []),
        (
            PULL.replace("-10.0", "-1.0"),
            "",
            ['motor is never ignited. Set ignited = true, or ignite = ["motor"] in a phase or event.'],
        ),
    ],
)
def test_what_is_seldom_meant_is_said(gravity, lit, said):
    warnings = loads(FALL.replace("GRAVITY", gravity).replace("LIT", lit)).run().record.warnings
    assert len(warnings) == len(said)
    assert all(text.startswith(begin) for text, begin in zip(warnings, said, strict=True))


def test_a_flight_that_ends_as_it_begins_says_so():
    text = FALL.replace("GRAVITY", PULL).replace("LIT", "ignited = true")
    when = '{ quantity = "bodies.stone.altitude", reaches = 30.0, direction = "falling", already = "fire" }'
    warnings = loads(text.replace('{ time = "3 s" }', when)).run().record.warnings
    assert [w.partition(", because")[0] for w in warnings] == ["The flight ended at its start (fall, end)"]


def test_a_flight_that_goes_on_below_the_ground_warns_unless_that_is_asked_for():
    lands = 'quantity = "bodies.stone.altitude", reaches = 0.0, direction = "falling"'
    text = FALL.replace("GRAVITY", PULL).replace("LIT", "ignited = true").replace('time = "3 s"', lands)
    text += '[phases.on]\nuntil = { time = "3 s" }\n'
    warning = "Body stone went below the ground, to an altitude of -25 m at 3 s. End the last phase with a"
    flight = loads(text).run()
    assert flight.completed
    assert [said[: len(warning)] for said in flight.record.warnings] == [warning]
    for ground in ("record", "ignore"):
        record = replace(flight.record, scenario=loads(f'ground = "{ground}"\n{text}'))
        assert [*_underground(record)] == []


def test_a_body_that_sinks_from_a_start_on_the_ground_needs_thrust():
    """Its remedy is not a trigger at the ground; on request the flight continues below it."""
    text = FALL.replace("GRAVITY", PULL).replace("LIT", "ignited = true").replace("20.0]", "0.0]")
    (warning,) = loads(text).run().record.warnings
    assert warning.startswith(
        "Body stone reached the ground at 0.1414 s because the body started on the ground and sank. "
    )
    assert "until the thrust exceeds the weight" in warning


def test_times_after_the_end_have_no_samples_and_a_warning():
    text = FALL.replace("GRAVITY", PULL).replace("LIT", "ignited = true")
    for times, count, warned in (("[1]", 1, 0), ("[1, 1.5, 4]", 2, 1), ("[4, 5]", 1, 2)):
        flight = loads(text.replace("interval = 0.5", f"times = {times}")).run()
        assert len(flight.time) == count
        said = [
            f"output.times: {warned} of {times.count(',') + 1} times, from 4 s on, are after the end of the"
        ]
        found = [warning[: len(said[0])] for warning in flight.record.warnings]
        assert found == (said if warned else [])  # and not that it ended as it began


TWO = """
[planet]
kind = "earth"
[gravity]
kind = "zonal"
[bodies.stage]
mass = 900.0
inertia = [300.0, 1100.0, 1100.0]
initial = { latitude = "0.1 rad", longitude = "0.2 rad", altitude = ALTITUDE, speed = 1800.0 }
[bodies.payload]
mass = MASS
inertia = [9.0, 12.0, 11.0]
[joints.clamp]
kind = "fixed"
parent = "stage"
child = "payload"
[devices.spring]
kind = "kickoff_spring"
parent = "stage"
child = "payload"
child_at = [CHILD, 0, 0]
AXIS
stiffness = 2000.0
preload = PRELOAD
stroke = STROKE
[phases.coast]
until = { time = 1.0 }
[phases.apart]
release = ["clamp"]
until = { elapsed = 1.0 }
"""
RIGHT: dict[str, Any] = {"ALTITUDE": 7e4, "MASS": 100.0, "CHILD": 0.0, "AXIS": "axis = [1, 0, 0]"}
RIGHT |= {"STROKE": 0.02, "PRELOAD": 100.0}


def told(turn: float = 0.0, altitude: float = 7e4, **changes: Any) -> list[str]:
    """Notes on two bodies, 2 m ahead of each other along x of the stage, which is turned about z."""
    text = TWO
    for word, value in (RIGHT | changes).items():
        text = text.replace(word, str(value))
    half, ahead = turn / 2, np.array([np.cos(turn), np.sin(turn), 0.0])
    attitude = np.array([[np.cos(half), 0.0, 0.0, np.sin(half)]])
    series = {f"bodies.{name}.attitude": attitude for name in ("stage", "payload")}
    series |= {"bodies.stage.position": np.zeros((1, 3)), "bodies.payload.position": 2 * ahead[None]}
    series["bodies.stage.altitude"] = np.array([altitude])
    flown: Any = SimpleNamespace(
        scenario=loads(text), series=series, time=np.zeros(1), completed=False, events=(), legs={}
    )
    return notes(flown)


@pytest.mark.parametrize("turn", [0.0, 2.5])
def test_a_likely_scenario_is_not_remarked_on(turn):
    assert told(turn) == []
    assert told(turn, AXIS="", CHILD=-1.5) == []


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("Body stage starts at an altitude of 70 m with 1800 m/s", {"ALTITUDE": 70.0}),
        ("spring has a stroke of 20 m", {"STROKE": 20.0, "PRELOAD": 1e5}),
        ("Body payload has an unusually large radius of gyration, 110 m", {"MASS": 0.001}),
        ("spring pushes payload towards stage", {"AXIS": "axis = [-1, 0, 0]"}),
        ("spring pushes payload towards stage", {"AXIS": "axis = [-1, 0, 0]", "turn": 2.5}),
        ("spring pushes payload towards stage", {"AXIS": "", "CHILD": -2.5}),
        ("Body stage starts 6.378e+06 m below the ground", {"altitude": -6.378e6}),
    ],
)
def test_what_is_seldom_meant_of_a_separation_is_said(said, changes):
    found = told(**changes)
    assert [text.startswith(said) for text in found] == [True], found


def test_a_later_leg_is_not_asked_for_a_start():
    """It is handed one, and the leg before has said that bodies went below the ground."""
    body = SimpleNamespace(name="stage")
    scenario = SimpleNamespace(bodies=[body], planet="earth", ground=None)
    for begin, said in ((0.0, 1), (30.0, 0)):
        series = {"bodies.stage.altitude": np.array([-4176.0, -4000.0])}
        record: Any = SimpleNamespace(scenario=scenario, series=series, time=np.array([begin, begin + 1]))
        assert len([*_underground(record)]) == said


FOUR = """
[devices.spring]
count = 4
circle = { axis = "x", radius = 0.2 }
parent_at = [0, 0, 0]
"""


def test_what_needs_no_flight_is_said_of_a_pattern_once():
    """By `interstage check`, too; where only some members are so, by their names."""
    text = TWO
    wrong = {"CHILD": 2.0, "AXIS": "axis = [-1, 0, 0]", "PRELOAD": 1e5, "STROKE": 25.0}
    for word, value in (RIGHT | wrong).items():
        text = text.replace(word, str(value))
    text = text.replace("[joints.clamp]", "[joints.clamp]\nparent_at = [2.0, 0, 0]")
    text = text.replace("[devices.spring]\n", FOUR)
    stroke, way = remarks(loads(text))
    assert stroke.startswith("spring has a stroke of 25 m. Numbers")
    assert way.startswith("spring pushes payload towards stage")
    some = remarks(loads(text, set={"devices.spring_2.stroke": "0.02"}))
    assert [t.split()[0] for t in some] == ["spring_1", "spring_3", "spring_4", "spring"]


MOTORS = """
[bodies.stage]
mass = 100
inertia = [10, 10, 10]
initial = {}
[bodies.stage.elements.grain]
kind = "cylinder"
propellant = "10 kg"
density = "1700 kg/m^3"
radius = "0.1 m"
axis = [1, 0, 0]
bottom = [-0.5, 0, 0]
[engines.a]
kind = "motor"
body = "stage"
at = [-1, 0, 0]
grain = "stage.grain"
ignited = true
COUNT
thrust = { time = [0, 0.1, 1.9, 2.0], value = [0, 1000, 1000, 0] }
[phases.burn]
until = { quantity = "engines.a.burning", reaches = 0.5, direction = "falling" }
[phases.coast]
until = { elapsed = 1 }
"""


def test_motors_that_burn_one_grain_are_remarked_on_and_burnout_is_waited_for():
    """At the end of the trace; of two motors the grain would be empty half-way. What is left of a grain goes
    to zero as the square of the time that is left, so that its last roundings take their root."""
    alone = loads(MOTORS.replace("COUNT", ""))
    assert remarks(alone) == []
    assert alone.run().record.events[1].time == pytest.approx(2.0, abs=4 * np.sqrt(np.finfo(float).eps))
    several = MOTORS.replace("COUNT", "count = 2").replace("engines.a.burning", "engines.a_1.burning")
    (said,) = remarks(loads(several))
    assert said.startswith("a_1 and a_2 burn the same grain, stage.grain, each at the full rate")


PUSHED = """
[bodies.a]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
initial = {}
[forces.push]
kind = "force"
body = "a"
[forces.push.force]
time = [0, 1, 1.1, 2, 2.1, 3]
value = [[200, 0, 0], [200, 0, 0], [500, 0, 0], [500, 0, 0], [0, 0, 0], [0, 0, 0]]
[phases.all]
until = { time = 3.0 }
"""


def test_a_cubic_table_that_leaves_its_points_is_reported():
    """With place and size; not the default, nor straight lines."""
    cubic = PUSHED.replace("value =", 'interpolation = "cubic"\nvalue =')
    (text,) = remarks(loads(cubic))
    assert text.startswith("forces.push.force: the cubic spline of value is ")
    points, values = np.array([0, 1, 1.1, 2, 2.1, 3]), np.array([200, 200, 500, 500, 0, 0])
    spline = CubicSpline(points, values, bc_type="natural")
    found, at, low, high, size = map(float, re.findall(r"(-?[\d.]+) (?:N|s)\b", text))
    assert found == pytest.approx(float(spline(at)), rel=2e-3)  # four digits of the place
    assert size == pytest.approx(max(low - found, found - high), rel=1e-3)
    t = np.linspace(0, 3, 3001)[:-1]
    cell = np.searchsorted(points, t, side="right") - 1
    ends = np.sort([values[cell], values[cell + 1]], 0)
    # The largest of 31 places in an interval is within 1/500 of the peak.
    assert size == pytest.approx(np.max(np.maximum(spline(t) - ends[1], ends[0] - spline(t))), rel=5e-3)
    assert remarks(loads(PUSHED)) == []
    assert remarks(loads(cubic.replace('"cubic"', '"linear"'))) == []


@pytest.mark.parametrize(
    ("relative", "fixed", "warns"), [(1e-4, False, True), (1e-7, False, False), (1e-4, True, False)]
)
def test_a_drift_that_the_tolerance_does_not_explain_gives_a_warning(monkeypatch, relative, fixed, warns):
    """As of a thin body that spins at 1000 rad/s about its axis and at 1 rad/s about the others."""
    drift = Drift("energy", np.zeros(2), np.array([0.0, relative]), 1.0, "J", absolute=0.5)
    monkeypatch.setattr(plausibility, "drifts", lambda record: [drift])
    solver = SimpleNamespace(fixed_step=fixed, tolerance=1e-9)
    record: Any = SimpleNamespace(scenario=SimpleNamespace(solver=solver), completed=True)
    found = list(_drift_warnings(record))
    assert len(found) == warns
    if warns:
        assert found[0].startswith("The relative drift of the conserved energy is 1.0e-04")
        assert "Set solver.tolerance = 1e-11" in found[0]


def test_the_rounding_of_a_stack_at_rest_is_no_drift(monkeypatch):
    """Its angular momentum is as large as its rounding, so that it drifts by all of its size."""
    drift = Drift("angular momentum", np.zeros(2), np.array([0.0, 1.8e-26]), 1.8e-26, "J s", absolute=1e3)
    monkeypatch.setattr(plausibility, "drifts", lambda record: [drift])
    solver = SimpleNamespace(fixed_step=False, tolerance=1e-9)
    record: Any = SimpleNamespace(scenario=SimpleNamespace(solver=solver), completed=True)
    assert drift.relative == 1.0
    assert list(_drift_warnings(record)) == []


def test_the_sizes_below_which_a_tolerance_is_absolute_are_those_of_the_bodies():
    """Of 2 kg and 1 kg m^2 at 1 m/s and 1 rad/s: 2 kg m/s, 1 kg m^2/s, and 1.5 J."""
    record = loads(FALL.replace("GRAVITY", PULL).replace("LIT", "ignited = true")).run().record
    assert conservation._sizes(record) == (2.0, 1.0, 1.5)
