"""Differences of two flights: what counts as one, whose it is and when it was."""

from __future__ import annotations

import numpy as np
import pytest

import stub_flight
from interstage.record.record import EventRecord, QuantityMeta, Record
from interstage.studies.comparison.differences import (
    common_rows,
    differences,
    event_difference,
    missing_events,
)
from stub_flight import measured_record as stub

EPS = float(np.finfo(float).eps)


def test_differences_have_sizes_owners_and_times():
    mine, its = stub(), stub()
    path = "bodies.payload.position"
    its.series[path] = its.series[path] + 0.0
    its.series[path][70] += [3e-3, 4e-3, 0.0]
    its.series[path][-1] += [0.0, 0.0, 1e-3]
    found = differences(mine, its)["position"]
    assert found.worst == (pytest.approx(5e-3, rel=1e-9), "payload", mine.time[70])
    # 11 m of position hold the thousandth to a rounding of 11.
    assert found.end == pytest.approx(1e-3, abs=16 * EPS)
    far = max(np.abs(mine.series[f"bodies.{body}.position"]).max() for body in ("stage", "payload"))
    assert found.size == pytest.approx(far)


@pytest.mark.parametrize("angle", [1e-12, 1e-3, 3.0])
def test_attitudes_differ_by_the_angle_of_the_turn_between_them(angle):
    mine, its = stub(), stub()
    base = np.array([0.5, -0.5, 0.5, 0.5])
    half = 0.5 * angle
    turn = np.array([np.cos(half), 0.0, 0.6 * np.sin(half), 0.8 * np.sin(half)])
    (a, *v), (b, *w) = base, turn
    other = np.array([a * b - np.dot(v, w), *(a * np.array(w) + b * np.array(v) + np.cross(v, w))])
    for record, value in ((mine, base), (its, -other)):  # either sign is the same attitude
        record.series["bodies.stage.attitude"] = np.tile(value, (len(record.time), 1))
    worst, owner, _ = differences(mine, its)["attitude"].worst
    assert worst == pytest.approx(angle, rel=1e-12, abs=8 * EPS)
    assert owner == "stage"


def test_angles_are_compared_as_on_a_circle():
    mine, its = stub(), stub()
    for record, value in ((mine, np.pi - 1e-3), (its, -np.pi + 1e-3)):
        record.meta["angle"] = QuantityMeta("rad", "angle")
        for values in (record.series, record.before, record.after):
            values["angle"] = np.full(len(values["joints.clamp.active"]), value)
    assert differences(mine, its, ["angle"])["angle"].worst[0] == pytest.approx(2e-3, rel=1e-12)


def test_other_samples_are_passed_over():
    mine, its = stub(), stub_flight.separation_record(samples=101)
    rows, places = common_rows(mine, its)
    assert len(rows) == 101
    np.testing.assert_allclose(mine.time[rows], its.time[places], atol=20 * 4 * EPS)


def late(record: Record, shift: float) -> Record:
    """The flight with a release that comes later, at a sample's time and beyond it."""
    event = record.events[1]
    record.events[1] = EventRecord(event.name, event.time + shift, event.kind, event.phase)
    held = (record.time >= event.time) & (record.time < event.time + shift)
    load = record.series["joints.clamp.force"]
    load[held] = load[0]
    return record


def test_samples_between_the_two_times_of_one_event_do_not_count():
    mine, its = stub(), late(stub(), 0.25)
    found = differences(mine, its)["force"]
    assert found.worst[0] == 0.0
    assert event_difference(mine, its) == (pytest.approx(0.25), "apart")
    its.events[1] = mine.events[1]  # control: with the event in its place the samples count
    assert differences(mine, its)["force"].worst[0] == pytest.approx(
        stub_flight.STIFFNESS * stub_flight.STROKE
    )


def test_loads_are_compared_on_both_sides_of_an_event():
    mine, its = stub(), stub()
    its.before["joints.clamp.force"] = its.before["joints.clamp.force"] * 1.01
    worst, owner, when = differences(mine, its)["force"].worst
    load = stub_flight.STIFFNESS * stub_flight.STROKE
    assert (worst, owner, when) == (pytest.approx(0.01 * load), "clamp", 0.0)


def test_a_value_that_is_no_number_is_not_covered_up():
    mine, its = stub(), stub()
    its.series["bodies.stage.velocity"] = np.full_like(its.series["bodies.stage.velocity"], np.nan)
    found = differences(mine, its)["velocity"]
    assert np.isnan(found.course).all()
    assert np.isnan(found.worst[0])


def test_events_that_only_one_flight_had():
    mine, its = stub(), stub()
    its.events = [*its.events[:2], EventRecord("apart", 19.0, "start", "apart")]
    assert missing_events(mine, its) == ["spring spent", "apart"]
    assert event_difference(mine, its)[0] == 0.0
