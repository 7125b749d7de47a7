"""What `tests/golden.py` says of two records that differ in one thing, each made up."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import golden

TIME = np.array([0.0, 1.0, 1.0, 2.0])
PLACE, ANGLE = "bodies.a.position", "pairs.ab.angle"


def record(folder, name="record", events=(("apart", 1.0),), time=TIME, courses=(), **series):
    """A flight with an event at 1 s, sampled on both sides of it."""
    x = np.stack([100.0 * time, 0.0 * time], axis=-1)
    values = {PLACE: x, ANGLE: 0.1 * time, "system.momentum": 1e-14 * np.sin(time)} | series
    arrays: dict[str, Any] = {"time": time} | {f"series/{path}": v for path, v in values.items()}
    arrays |= {
        f"{kind}/{path}": v[[1 + k]]
        for k, kind in enumerate(("before", "after"))
        for path, v in values.items()
    }
    for group, t, path, v in courses:
        arrays |= {f"at/{group}": t, f"course/{path}": v}
    told = {"file": "a.toml", "events": events, "outcome": "", "steps": 9, "tolerance": 1e-9, "closest": {}}
    told["units"] = {PLACE: "m", ANGLE: "rad", "system.momentum": "kg m/s"}
    target = folder / f"{name}.npz"
    arrays = {f":{name}": values for name, values in arrays.items()}
    np.savez(target, told=json.dumps({"": told}), **arrays)
    return golden.Flown(target)


@pytest.fixture
def before(tmp_path):
    return record(tmp_path)


def test_a_flight_is_equal_to_itself(before):
    found = golden.compared(before, before)
    assert found.worst() == golden.Off()
    assert (found.new, found.gone, found.notes, found.latest[0]) == ([], [], [], 0.0)
    assert len(found.off) == 3


def test_differences_are_relative_to_the_size_of_the_series(before, tmp_path):
    off = np.stack([100.0 * TIME, 0.002 * (TIME == 2.0)], axis=-1)
    found = golden.compared(before, record(tmp_path, "now", **{PLACE: off}))
    assert found.worst() == found.motion
    assert (found.worst().path, found.worst().size) == (PLACE, 200.0)
    assert found.worst().relative == pytest.approx(1e-5, rel=1e-12)


def test_values_just_before_an_event_count(before, tmp_path):
    now = record(tmp_path, "now")
    now.arrays[f"before/{PLACE}"] = now.arrays[f"before/{PLACE}"] + 2.0
    assert golden.compared(before, now).worst().relative == pytest.approx(0.01, rel=1e-12)


def test_turns_and_rounding_are_no_differences(before, tmp_path):
    now = record(tmp_path, "now", **{ANGLE: 0.1 * TIME + 2 * np.pi, "system.momentum": -3e-14 * TIME})
    assert golden.compared(before, now).worst() == golden.Off()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_any_more_is_told(before, tmp_path, value):
    broken = np.where(TIME[:, None] == 2.0, value, np.stack([100.0 * TIME, 0.0 * TIME], axis=-1))
    assert golden.compared(before, record(tmp_path, "now", **{PLACE: broken})).worst().relative == np.inf


def test_samples_are_matched_by_their_times(before, tmp_path):
    """More of them, and one side of the event only, which is the one after it."""
    time = np.array([0.0, 0.5, 1.0, 2.0])
    found = golden.compared(before, record(tmp_path, "now", time=time))
    assert found.notes == ["samples: 0 gone, 1 new, 3 at the same times"]
    jump = np.array([0.0, 1.0, 3.0, 2.0])
    one, other = (
        record(tmp_path, "one", **{ANGLE: jump}),
        record(tmp_path, "two", **{ANGLE: jump[[0, 2, 2, 3]]}),
    )
    assert golden.compared(one, other).off[ANGLE].relative == pytest.approx(2 / 3)  # just before the event
    one.arrays[f"before/{ANGLE}"] = other.arrays[f"before/{ANGLE}"]
    assert golden.compared(one, other).off[ANGLE] == golden.Off()


def test_events_new_and_lost_series_are_told(before, tmp_path):
    events = (("apart", 1.0 + 3e-6), ("spent", 1.5))
    now = record(tmp_path, "now", events=events, **{"joints.j.length": TIME})
    del now.arrays[f"series/{ANGLE}"]
    found = golden.compared(before, now)
    assert found.latest == (pytest.approx(3e-6), "apart")
    assert found.notes == ["event spent: 0 times, now 1"]
    assert (found.new, found.gone) == (["joints.j.length"], [ANGLE])
    text = "\n".join(golden.lines("flight", before, now, found, 1e-9))
    assert "new: 1 series: joints.*.length" in text
    assert "(apart)" in text


def test_distances_with_times_of_their_own_are_compared_between_them(before, tmp_path):
    t, path = np.array([0.0, 1.0, 2.0]), "clearance.all.distance"
    one = record(tmp_path, "one", courses=[("clearance.all", t, path, 2.0 * t)])
    fine = np.linspace(0.0, 2.0, 9)
    other = record(tmp_path, "two", courses=[("clearance.all", fine, path, 2.0 * fine + 0.4)])
    assert golden.compared(one, other).off[path].relative == pytest.approx(0.1)
    assert golden.compared(one, one).off[path] == golden.Off()


def test_nearest_points_of_parallel_faces_are_not_compared(tmp_path):
    path = "clearance.all.point_on_a"
    one, other = (
        record(tmp_path, name, **{path: x * np.ones((4, 3))}) for name, x in (("a", 1.0), ("b", -1.0))
    )
    assert path not in golden.compared(one, other).off
