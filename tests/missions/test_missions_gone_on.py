"""Missions that are gone on with from an event of a saved one: the legs before it and beside it are those of
the file, and the whole is the mission flown at once."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.cli.command_files import resumed_at
from interstage.reading import loads
from interstage.runs.run import fly
from test_missions_in_batches import PARTING, SAME, alike


@pytest.fixture(scope="module")
def mission() -> ist.Scenario:
    return loads(PARTING)


@pytest.fixture(scope="module")
def saved(mission, tmp_path_factory):
    path = tmp_path_factory.mktemp("flights") / "mission.nc"
    return ist.Flight(fly(mission)).save(path)


@pytest.mark.parametrize(
    "event",
    ["far", "apart", *(pytest.param(one, marks=pytest.mark.long) for one in ("second end", "three", "one"))],
)
def test_a_mission_goes_on_as_it_was(mission, saved, event):
    """At fixed steps to rounding, from within a leg, and from where legs branch."""
    whole = ist.open_flight(saved)
    resume, time = resumed_at(saved, event)
    assert time == whole.time_of(event)
    record = fly(mission, resume=resume)
    assert record.outcome == whole.outcome
    assert [(e.name, e.leg) for e in record.events] == [(e.name, e.leg) for e in whole.record.events]
    times = [[one.time for one in each.events] for each in (record, whole.record)]
    assert times[0] == pytest.approx(times[1], rel=SAME, abs=SAME)
    for leg, one in whole.record.legs.items():
        found = record.legs[leg]
        np.testing.assert_allclose(found.time, one.time, rtol=0, atol=SAME * 4)
        alike(one, found, SAME)
        assert [name for name, *_ in found.phases] == [name for name, *_ in one.phases]
    again = ist.Flight(record).value("bodies.ball.position.x", "far")
    assert again == pytest.approx(whole.value("bodies.ball.position.x", "far"), rel=SAME)


def test_what_is_changed_is_changed_behind_the_event_only(saved):
    """A leg beside the one that goes on is that of the file."""
    changed = loads(PARTING, {"bodies.other.mass": 3.0, "legs.fourth.phases.four.until.elapsed": "2 s"})
    whole = ist.open_flight(saved)
    record = fly(changed, resume=resumed_at(saved, "four")[0])
    for leg in ("first", "second", "third"):
        assert np.array_equal(record.legs[leg].time, whole.record.legs[leg].time)
    fourth = record.legs["fourth"]
    assert fourth.time[-1] - fourth.time[0] == pytest.approx(2.0, rel=SAME)
    assert {*fourth.series["bodies.other.mass"][1:]} == {3.0}


@pytest.mark.parametrize("event", [pytest.param("third end", marks=pytest.mark.long), "fourth end"])
def test_nothing_is_left_behind_the_last_legs(mission, saved, event):
    with pytest.raises(ist.BadInput, match=f"the flight ends at '{event}' and cannot continue"):
        fly(mission, resume=resumed_at(saved, event)[0])
