"""Prepared flights and missions: compiled once, flown again with other numbers, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.programs.compiled import listening
from interstage.reading import loads
from interstage.tree.addresses import set as put

G, FALL = 10.0, 2.0
"""Of the mission: the pull [m/s2], and the time of its second leg [s]."""
BALL = """
title = "A ball"
gravity = { kind = "uniform", acceleration = [0, 0, -10] }
[bodies.ball]
mass = 2
inertia = [1, 1, 1]
initial = { velocity = [3, 0, 20] }
[requirements]
far = { quantity = "bodies.ball.position.x", at = "end", max = "1 km" }
"""
APEX = '{ until = { quantity = "bodies.ball.velocity.z", reaches = 0, direction = "falling" } }'
FLIGHT = f"{BALL}[phases]\nrise = {APEX}\n"
MISSION = (
    f"{BALL}[legs.up]\nphases.rise = {APEX}\n[legs.down]\nafter.leg = 'up'\nphases.drop.until.elapsed = 2\n"
)
VELOCITY = "bodies.ball.initial.velocity"
FLIGHTS = 1e-9
"""Flights at a tolerance of 1e-9, of what is integrated exactly but for the time of the apex."""


@pytest.fixture(scope="module")
def mission():
    return loads(MISSION).prepare()


@pytest.fixture(scope="module")
def flight():
    return loads(FLIGHT).prepare()


def end_of(vx: float, vz: float, fall: float = 0.0) -> list[float]:
    """Position of the ball a time [s] behind its apex."""
    return [vx * (vz / G + fall), 0, vz**2 / (2 * G) - G * fall**2 / 2]


@pytest.mark.long
def test_a_mission_flies_with_the_numbers_that_it_is_given(mission):
    for changes, vx, vz, fall in (
        ({}, 3, 20, FALL),
        ({VELOCITY: [4, 0, 30]}, 4, 30, FALL),
        ({f"{VELOCITY}[2]": "36 km/h", "legs.down.phases.drop.until.elapsed": "1 s"}, 3, 10, 1),
        ({"bodies.ball.mass": 7}, 3, 20, FALL),
        ({}, 3, 20, FALL),
    ):
        flown = mission.run(changes)
        assert flown.completed
        position = flown.value("bodies.ball.position", "end")
        assert position == pytest.approx(end_of(vx, vz, fall), abs=FLIGHTS * vz)
        assert flown.record.legs["down"].time[-1] == pytest.approx(vz / G + fall, rel=FLIGHTS)


def test_what_is_flown_is_what_the_changed_scenario_flies(mission, flight):
    for prepared in (mission, flight):
        mine = prepared.run({f"{VELOCITY}.x": 5}).record
        its = put(prepared.scenario, VELOCITY, [5, 0, 20]).prepare().run().record
        assert mine.outcome == its.outcome
        for ours, others in zip((mine, *mine.legs.values()), (its, *its.legs.values()), strict=True):
            assert ours.series.keys() == others.series.keys()
            assert all(np.array_equal(ours.series[path], others.series[path]) for path in ours.series)


def test_other_numbers_wait_for_no_compiler(mission, flight):
    for prepared in (mission, flight):
        prepared.run()
        prepared.fly()
        waits = []
        with listening(waits.append):
            prepared.run({VELOCITY: [1, 1, 12], "bodies.ball.mass": 3})
            prepared.fly()
        assert waits == []


def test_steps_alone(mission, flight):
    times, states, cursor = flight.fly()
    assert len(times) == len(states)
    assert float(cursor.t) == pytest.approx(20 / G, rel=FLIGHTS)
    assert float(flight.fly({f"{VELOCITY}.z": 15})[2].t) == pytest.approx(15 / G, rel=FLIGHTS)
    assert float(flight.fly()[2].t) == float(cursor.t)
    for changes, apex in (({f"{VELOCITY}.z": 5}, 0.5), ({}, 2.0)):
        legs = mission.fly(changes)
        ends = [float(cursor.t) for _, _, cursor in legs.values()]
        assert ends == pytest.approx([apex, apex + FALL], rel=FLIGHTS)
    assert float(legs["down"][0][0]) == float(legs["up"][2].t)


def test_a_mission_that_does_not_come_to_a_leg_keeps_those_before(mission):
    flown = mission.run({f"{VELOCITY}.z": -1})
    assert not flown.completed
    assert [*flown.record.legs] == ["up"]
    assert "Leg 'down' was not flown: its preceding leg 'up' ended early" in flown.record.outcome


def test_everything_that_is_wrong_with_changes_is_told_at_once(mission):
    changes = {
        "bodies.bal.mass": 3,
        "title": "Two balls",
        "bodies.ball.inertia": "3 m",
        "requirements.far.max": 3,
        f"{VELOCITY}.x": 3,
        VELOCITY: [3, 0, 1],
    }
    with pytest.raises(ist.BadInput) as caught:
        mission.run(changes)
    said = {problem.place: problem.message for problem in caught.value.problems}
    assert set(said) == {*changes} - {f"{VELOCITY}.x"}
    assert "did you mean 'ball'" in said["bodies.bal.mass"]
    assert "not a number" in said["title"]
    assert "kg m^2" in said["bodies.ball.inertia"]
    assert "does not change the flight" in said["requirements.far.max"]
    assert f"also changed by '{VELOCITY}.x'" in said[VELOCITY]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bodies.ball.mass": -3}, "bodies.ball.mass"),
        ({VELOCITY: [3, 0]}, VELOCITY),
        ({"bodies.ball.mass": "two kg"}, "bodies.ball.mass"),
    ],
)
def test_values_that_cannot_be_are_refused(mission, changes, said):
    with pytest.raises(ist.BadInput) as caught:
        mission.run(changes)
    assert [problem.place for problem in caught.value.problems] == [said]


@pytest.mark.parametrize("changes", [{3: 4}, [("bodies.ball.mass", 1.0)], "bodies.ball.mass"])
def test_changes_are_by_path(mission, changes):
    with pytest.raises(ist.BadInput, match="changes must be a mapping of paths"):
        mission.run(changes)
