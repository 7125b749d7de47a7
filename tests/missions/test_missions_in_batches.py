"""Missions in batches: each lane is the mission flown alone, with its own times, and keeps the legs that it
came to."""

from __future__ import annotations

import re

import numpy as np
import pytest

import interstage as ist
from interstage.reading import loads
from interstage.record.requirements import Wanted, evaluate, value_of
from interstage.runs.run import fly
from interstage.tree.declaration import with_values
from lanes import as_lanes
from test_switching import MISSION

SAME = 1e-12
"""Part of the size of a quantity by which programs of one lane and of many may differ: some thousand
roundings, as they sum in different orders."""

PARTING = """
bodies.ball = { mass = 1, inertia = [1, 1, 1], initial = { velocity = [1, 0, 0] } }
bodies.other = { mass = 2, inertia = [1, 1, 1] }
joints.seam = { kind = "fixed", parent = "ball", child = "other", child_at = [-1, 0, 0] }
solver = { method = "rk4", step = "50 ms", time_limit = "4 s" }
output = { interval = "0.1 s" }
[forces.push]
kind = "spring"
parent = "ball"
child = "other"
stiffness = "4 N/m"
free_length = "3 m"
[legs.first]
phases.one = { until = { elapsed = "1 s" } }
events.far = { when = { quantity = "bodies.ball.position.x", reaches = "0.52 m" } }
[legs.second]
after = { leg = "first", event = "far" }
phases.apart = { release = ["seam"], until = { elapsed = "0.5 s" } }
[legs.third]
after = { leg = "second" }
bodies = ["ball"]
phases.three = { until = { quantity = "bodies.ball.position.x", reaches = "-1 m" } }
[legs.fourth]
after = { leg = "second" }
phases.four = { until = { elapsed = "1 s" } }
[requirements]
fast = { quantity = "bodies.other.speed", min = "1 m/s", at = "fourth end" }
back = { quantity = "bodies.ball.position.x", max = "0.9 m", at = "third end" }
gap = { quantity = "pairs.ball.other.distance", min = "0.5 m", at = "fourth end" }
"""
"""Two bodies that a spring pushes apart, each in a leg of its own then."""
DISPERSED = {
    "bodies.ball.mass": [1.0, 2.0, 1.0, 1.0, 3.0],
    "bodies.ball.initial.velocity.x": [0.8, 1.0, 0.4, 2.0, 1.0],
    "legs.first.events.far.when.reaches": [0.5, 0.6, 0.5, 0.4, 0.7],
    "legs.fourth.phases.four.until.elapsed": [1.0, 1.1, 1.2, 1.3, 1.4],
    "forces.push.stiffness": [4.0, 4.1, 4.0, 0.5, 8.0],
}
"""The third case does not come to `far`; the fourth does not come back before the time is over."""


@pytest.fixture(scope="module")
def mission() -> ist.Scenario:
    return loads(PARTING)


@pytest.fixture(scope="module")
def batch(mission):
    return mission.run_batch(DISPERSED)


@pytest.fixture(scope="module")
def alone(batch) -> list[ist.Record]:
    return [fly(batch.case(lane)) for lane in range(batch.lanes)]


def without_nearness(outcome: str) -> str:
    """The outcome of a flight alone without how near a trigger came, which batches do not compute."""
    return re.sub(r"(end of phase '\w+'):.*?\.(?= The results)", r"\1.", outcome)


def same(record: ist.Record, other: ist.Record, least: float) -> None:
    """The same legs, events and quantities."""
    assert without_nearness(record.outcome) == without_nearness(other.outcome)
    assert record.unflown == other.unflown
    assert [event.name for event in record.events] == [event.name for event in other.events]
    assert [e.time for e in record.events] == pytest.approx([e.time for e in other.events], rel=least, abs=0)
    for leg, one in record.legs.items():
        alike(one, other.legs[leg], least)


def alike(record: ist.Record, other: ist.Record, least: float) -> None:
    """The same samples."""
    for path, values in record.series.items():
        size = np.max(np.abs(values), initial=1.0, where=np.isfinite(values))
        # Cases evaluated together round differently. Displacements are differences of places of some 10 m.
        bound = max(least, 16 * np.finfo(float).eps) * size
        np.testing.assert_allclose(other.series[path], values, rtol=0, atol=bound, err_msg=path)


def test_each_lane_is_the_mission_alone(batch, alone):
    """Bit by bit, one by one: the legs, their times, and why others were not flown."""
    assert [one.completed for one in alone] == [True, True, False, False, True]
    for lane, record in enumerate(alone):
        assert batch.outcome(lane) == (without_nearness(record.outcome), record.completed)
        same(record, batch.record(lane), 0.0)
    np.testing.assert_array_equal(batch.completed, [one.completed for one in alone])
    begun = batch.event_time[batch.events.index("apart")]
    assert len({*begun}) == 5  # each at its own time, one never
    assert np.isinf(begun[2])


@pytest.mark.long
def test_lanes_together_are_the_same(mission, alone):
    """A program of many lanes, of which each begins its legs when it comes to them."""
    two = with_values(mission, legs=mission.legs[:2], requirements=())
    given = {path: values for path, values in DISPERSED.items() if "fourth" not in path}
    lanes = as_lanes(two, given)
    for lane, record in enumerate(alone):
        found = lanes.record(lane)
        for leg, one in found.legs.items():
            alike(record.legs[leg], one, SAME)
        assert [*found.legs] == ["first", "second"][: len(record.legs)]
    ends = as_lanes(two, given, samples=False)
    for moment in ("first end", "end"):
        one, other = (each.value("bodies.ball.position.x", moment) for each in (ends, lanes))
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ist.BadInput, match="has values at the ends of its legs only"):
        ends.value("bodies.ball.position.x", "far")


@pytest.mark.parametrize(
    ("path", "at"),
    [
        ("bodies.ball.position", "far"),
        ("bodies.ball.position.x", "end"),
        ("bodies.other.speed", "fourth end"),
        ("bodies.other.speed", "min"),
        ("pairs.ball.other.distance", "max"),
        ("time", "third end"),
    ],
)
def test_quantities_are_those_through_the_legs(batch, alone, path, at):
    """Not a number where a case did not come to it."""
    found = batch.value(path, at)
    for lane, record in enumerate(alone):
        flight = ist.Flight(record)
        unreached = (at == "end" and lane in (2, 3)) or at not in (
            "min",
            "max",
            "end",
            *(event.name for event in record.events),
        )
        if unreached:
            assert np.isnan(found[lane]).all()
        else:
            np.testing.assert_array_equal(found[lane], flight.value(path, at))
    assert np.isnan(found).any() == (at not in ("min", "max"))


def test_pairs_across_a_branch(batch, alone):
    """Of each case as it is alone; where the two do not both fly, none."""
    path, margins = "pairs.ball.other.distance", []
    for at in ("third end", "fourth end", "three"):
        found = batch.value(path, at)
        for lane, record in enumerate(alone):
            want = value_of(record, Wanted(path, at=at)) if len(record.legs) == 4 else np.nan
            np.testing.assert_array_equal(found[lane], want)
            margins += [m.note for m in evaluate(record) if m.name == "gap"]
        assert np.isfinite(found).any()
    assert "" in margins
    with pytest.raises(ist.BadInput, match="only at the final time of each flight"):
        batch.value("pairs.ball.other.landing_distance", "third end")


def test_legs_are_batches_of_their_own(batch, alone):
    assert [*batch.legs] == ["first", "second", "third", "fourth"]
    assert batch.legs["second"].refused == {
        2: "event 'far' had not occurred when leg 'first' ended at 1 s",
    }
    assert batch.legs["third"].refused == {2: "its preceding leg 'second' was not flown"}
    momentum = batch.value("legs.third.system.momentum.x", "end")
    np.testing.assert_array_equal(momentum, batch.legs["third"].value("system.momentum.x"))
    assert momentum[1] == alone[1].legs["third"].series["system.momentum"][-1, 0]
    loads = batch.envelope()
    assert {*loads[loads["case"] == 2]["leg"]} == {"first"}


@pytest.mark.parametrize(
    ("path", "at", "words"),
    [
        (
            "system.momentum.x",
            "end",
            "Select one leg, for example legs.fourth.system.momentum.x",
        ),
        ("bodies.bal.mass", "end", "did you mean 'bodies.ball.mass'"),
        ("bodies.ball.mass", "third over", "there is no event 'third over'; did you mean 'third end'"),
        ("legs.thrid.system.momentum.x", "end", "there is no leg 'thrid'; did you mean 'third'"),
    ],
)
def test_what_is_not_known_is_said(batch, path, at, words):
    with pytest.raises(ist.BadInput, match=words):
        batch.value(path, at)


def test_sweeps_judge_each_case_as_it_is_alone(mission):
    """Requirements of legs, in cases that do not come to these too."""
    found = mission.sweep(
        {"bodies.ball.initial.velocity.x": [0.4, 0.8, 1.2], "bodies.ball.mass": [1.0, 2.0]},
        responses=("bodies.ball.position.x@third end", "time@apart"),
    )
    assert len(found) == 6
    for case in range(6):
        record = fly(found.case(case))
        margins = evaluate(record)
        for measure, margin in zip(found.measures, margins, strict=False):
            np.testing.assert_array_equal(measure.values[case], margin.value)
            assert measure.notes.get(case, "") == margin.note
        apart = [event.time for event in record.events if event.name == "apart"]
        np.testing.assert_array_equal(found["time apart"][case], apart[0] if apart else np.nan)
        ended = without_nearness(record.outcome), record.completed
        assert (found.outcomes[case], found.completed[case]) == ended
    assert "'fourth end' did not occur" in found.measures[0].notes[0]
    assert 0 < np.sum(found["fast"] >= 1.0) < 6


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("legs.first.output.interval", "sets the sample times, which are the same for all cases"),
        ("legs.first.phases.uno.until.elapsed", "there is no"),
    ],
)
def test_what_does_not_vary_is_said(mission, path, words):
    with pytest.raises(ist.BadInput, match=words):
        mission.sweep({path: [1.0, 2.0]})


@pytest.mark.long
def test_points_and_held_stacks_go_on_in_lanes():
    """From the pad, as a point, rigid and as a point again, with thrust, masses, guidance and the event that
    lifts off dispersed, bit by bit; one case never lifts off. Integrals go on through the legs, also into
    one that has them in its state."""
    text = MISSION + (
        '[legs.spent.events.turned]\nwhen = { quantity = "bodies.stage.gravity_loss", reaches = "300 m/s" }\n'
    )
    batch = loads(text).run_batch(
        {
            "bodies.top.mass": [2000.0, 2500.0, 1800.0],
            "engines.main.thrust": [250e3, 260e3, 100e3],
            "legs.pad.phases.lit.until.reaches": [1.5, 1.55, 1.6],
            "guidance.pitch.pitch.coefficients[1]": np.deg2rad([1.0, 1.1, 1.0]),
            "solver.time_limit": [100.0, 100.0, 10.0],
        }
    )
    assert batch.completed.tolist() == [True, True, False]
    loss, used = (batch.value(f"bodies.stage.{item}") for item in ("gravity_loss", "ideal_velocity"))
    for lane in range(3):
        record = fly(batch.case(lane))
        same(record, batch.record(lane), 0.0)
        if record.completed:
            assert loss[lane] == ist.Flight(record).value("bodies.stage.gravity_loss", "spent end")
            assert used[lane] == ist.Flight(record).value("bodies.stage.ideal_velocity", "spent end")
    assert loss[0] != loss[1]
