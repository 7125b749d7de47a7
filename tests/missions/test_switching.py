"""Legs of different coordinates: held on the pad, as a point mass, rigid, and as a point mass again."""

from __future__ import annotations

import numpy as np
import pytest

from interstage.missions.mission import Mission
from interstage.programs.compiled import Program, Wait, _listeners
from interstage.reading import loads
from interstage.record.results import open_flight
from interstage.runs.ahead import Ahead
from interstage.runs.mission import start_after_parent
from interstage.runs.run import of_flight, start
from interstage.tree.errors import BadInput

EPS = np.finfo(float).eps

VEHICLE = """
[planet]
kind = "flat"
[gravity]
kind = "uniform"
acceleration = [0, 0, -9.8]
[bodies.stage]
mass = 3000
mass_centre = [4, 0, 0]
inertia = [2e3, 4e4, 4e4]
initial = { attitude = { euler = "3-2-1", angles = "[0, -90, 0] deg" } }
[bodies.stage.elements.fuel]
kind = "cylinder"
propellant = 12000
density = 1100
radius = 1
bottom = [1.5, 0, 0]
axis = [1, 0, 0]
[bodies.top]
mass = 2000
mass_centre = [1, 0, 0]
inertia = [1e3, 2e3, 2e3]
[joints.ring]
kind = "fixed"
parent = "stage"
child = "top"
parent_at = [8, 0, 0]
child_at = [0, 0, 0]
[engines.main]
kind = "engine"
body = "stage"
at = [0, 0, 0]
thrust = 250e3
isp = 300
feeds = { "stage.fuel" = 1 }
[guidance.pitch]
kind = "angles"
body = "stage"
axes = "inertial"
pitch = { coefficients = ["-90 deg", "1 deg/s"], over = "time" }
[output]
interval = 1
"""
"""Two bodies that a joint holds, and an engine, over flat ground."""
MISSION = (
    'title = "Pad, point, rigid, point"'
    + VEHICLE
    + """
[legs.pad]
coordinates = "held"
phases.wait = { until = { elapsed = 3 } }
[legs.pad.phases.lit]
ignite = ["main"]
until = { quantity = "bodies.stage.thrust_to_weight", reaches = 1.5, already = "fire", direction = "rising" }
[legs.ascent]
after = { leg = "pad" }
coordinates = "point"
attitude = "pitch"
phases.climb = { until = { time = 30 } }
[legs.staging]
after = { leg = "ascent" }
phases.joined = { shut_down = ["main"], until = { elapsed = 1 } }
phases.apart = { release = ["ring"], until = { elapsed = 1 } }
[legs.spent]
after = { leg = "staging" }
bodies = ["stage"]
coordinates = "point"
attitude = "pitch"
phases.fall = { until = { elapsed = 5 } }
"""
)
"""Up from flat ground, over by 1 deg/s from the first second on."""
TURN = np.deg2rad(1.0)
BODIES = ("stage", "top")


@pytest.fixture(scope="module")
def flight():
    return loads(MISSION).run(progress=False)


def ends(flight, leg, other, path):
    """A quantity at the end of one leg and at the start of another."""
    return flight[f"legs.{leg}.{path}"][-1], flight[f"legs.{other}.{path}"][0]


def momentum(flight, leg, row):
    """Linear momentum of all bodies, from their masses and velocities."""
    names = [name for name in BODIES if f"bodies.{name}.mass" in flight.legs[leg].record.series]
    parts = [
        flight[f"legs.{leg}.bodies.{name}.mass"][row] * flight[f"legs.{leg}.bodies.{name}.velocity"][row]
        for name in names
    ]
    return sum(parts), sum(np.linalg.norm(part) for part in parts)


def test_all_legs_are_flown_one_from_the_other(flight):
    assert flight.completed
    for leg, other, bodies in (
        ("pad", "ascent", BODIES),
        ("ascent", "staging", BODIES),
        ("staging", "spent", BODIES[:1]),
    ):
        for body in bodies:
            before, after = ends(flight, leg, other, f"bodies.{body}.mass")
            assert before == after
    for leg, other in (("pad", "ascent"), ("ascent", "staging")):
        (one, size), (then, _) = momentum(flight, leg, -1), momentum(flight, other, 0)
        # A point and its bodies have one momentum, but for roundings of their places in it, 10 m.
        np.testing.assert_allclose(then, one, rtol=0, atol=16 * EPS * (size + 17e3 * TURN * 10))


def test_a_rigid_leg_begins_with_the_attitude_and_the_rate_of_guidance(flight):
    for body in BODIES:
        before, after = ends(flight, "ascent", "staging", f"bodies.{body}.attitude")
        np.testing.assert_allclose(after, before, rtol=0, atol=8 * EPS)
        rate = flight[f"legs.staging.bodies.{body}.angular_velocity"][0]
        np.testing.assert_allclose(rate, [0, TURN, 0], rtol=0, atol=64 * EPS * TURN)
        before, after = ends(flight, "ascent", "staging", f"bodies.{body}.position")
        np.testing.assert_allclose(after, before, rtol=8 * EPS)
    # So that the joint turns with both bodies, and asks for no correction.
    assert np.max(flight["legs.staging.joints.ring.violation"]) < 1e-12


def test_a_point_begins_where_the_body_was_and_says_what_it_drops(flight):
    """The spent stage comes to no turn from 1 deg/s: nothing but its own angular momentum goes."""
    for path in ("position", "velocity"):
        before, after = ends(flight, "staging", "spent", f"bodies.stage.{path}")
        np.testing.assert_allclose(after, before, rtol=8 * EPS)
    said = flight.record.switches
    assert [text.split("'")[1] for text in said] == ["ascent"]
    assert "as a point mass. This changes the motion: angular momentum" in said[0]


@pytest.mark.long
def test_a_mission_in_other_coordinates_is_read_as_it_was_saved(flight, tmp_path):
    read = open_flight(flight.save(tmp_path / "mission.nc"))
    assert read.record.switches == flight.record.switches
    path = "legs.spent.bodies.stage.position"
    np.testing.assert_array_equal(read[path], flight[path])


@pytest.mark.long
def test_programs_of_later_legs_are_made_for_what_they_begin_with(flight, monkeypatch):
    """Before a leg is flown: nothing is compiled where all have been, and of other shapes it would be."""
    mission, missing = loads(MISSION), []
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 0)
    mission.run(progress=False)
    monkeypatch.setattr(Program, "_first", lambda program, *_: missing.append(program._name))
    legs = Mission.of(mission).order
    scenario = Mission.of(mission).leg(legs[0]).scenario
    program = of_flight(scenario)
    with (
        Ahead(Mission.of(mission), Mission.of(mission).parents, start_after_parent) as ahead,
        ahead.compile_later(legs[0], program, scenario, start(program, scenario)),
    ):
        _listeners[-1](Wait("advance", None, False))
        assert ahead._planned is not None
        ahead._planned.result()
        for leg in legs[1:]:
            ahead._made[leg].result()
    assert {*ahead._made} == {*legs[1:]} == {*flight.legs} - {legs[0]}
    assert not missing


def test_held_legs_begin_missions():
    later = MISSION.replace(
        'after = { leg = "pad" }\ncoordinates = "point"', 'after = { leg = "pad" }\ncoordinates = "held"'
    )
    with pytest.raises(BadInput, match='"held" is allowed for the first leg only'):
        loads(later).check()


def test_bodies_that_no_joint_holds_do_not_go_on_as_one_point():
    text = MISSION.replace('bodies = ["stage"]\n', "")
    record = loads(text).run(progress=False).record
    assert not record.completed
    assert "joint 'ring' is released, and its bodies cannot fly as one point mass" in record.outcome
