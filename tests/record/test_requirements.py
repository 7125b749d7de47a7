"""Requirements: the right samples are judged, on the right side, and what cannot be judged is not passed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stub_flight
from interstage import Requirement
from interstage.record.record import QuantityMeta
from interstage.record.requirements import evaluate
from interstage.record.rounding import noise
from interstage.report.summary import events_table, requirements_table, separations_table

LOAD = stub_flight.STIFFNESS * stub_flight.STROKE
SPEED = "pairs.stage.payload.separation_speed"


def margins(quantity: str, **limits: Any) -> list:
    record = stub_flight.separation_record()
    return evaluate(record, (Requirement(name="limit", quantity=quantity, **limits),))


def test_peak_over_the_whole_flight():
    (margin,) = margins("joints.clamp.force.magnitude", max="3 kN")
    assert margin.value == pytest.approx(LOAD, rel=1e-15)
    assert margin.margin == pytest.approx(3000 - LOAD, rel=1e-15)
    assert margin.passed
    assert margin.unit == "N"
    assert margin.where == "whole flight"


def test_two_limits_make_two_rows():
    low, high = margins(SPEED, min="-1 mm/s", max="0.5 m/s")
    assert (low.side, low.passed, low.value) == ("min", True, 0.0)
    assert (high.side, high.passed) == ("max", False)
    assert high.margin == pytest.approx(0.5 - stub_flight.SPEED, rel=1e-14)


def test_large_limits_are_shown_in_thousands_of_their_unit():
    (row,) = requirements_table(margins("joints.clamp.force.magnitude", max="30 kN"), "SI").rows
    assert row[1:4] == [f"{LOAD / 1e3:.4f} kN", "<= 30", f"{30 - LOAD / 1e3:.3f}"]
    (row,) = requirements_table(margins("joints.clamp.force.magnitude", max="3 kN"), "SI").rows
    assert row[2] == "<= 3000"


def test_sides_of_an_event():
    quantity = "joints.clamp.force.magnitude"
    (before,) = margins(quantity, max=1.0, at="apart", side="before")
    (after,) = margins(quantity, max=1.0, at="apart")
    assert (before.value, before.passed, before.where) == (LOAD, False, "just before event apart")
    assert (after.value, after.passed, after.time) == (0.0, True, stub_flight.RELEASE)


def test_phase_keeps_to_its_own_side_of_its_ends():
    """The sample at 10 s is the released joint; the phase before must see the load still carried there."""
    (joined,) = margins("joints.clamp.force.magnitude", min=LOAD * (1 - 1e-12), during="joined")
    (apart,) = margins("joints.clamp.force.magnitude", max=0.0, during="apart")
    assert joined.passed
    assert apart.passed


def test_start_and_end():
    (start,) = margins("bodies.payload.position.y", max="5.8 m", at="start")
    (end,) = margins(SPEED, min="0.9 m/s", at="end")
    assert start.passed
    assert (end.time, end.passed) == (20.0, True)


def test_end_of_a_flight_that_ended_early_is_not_judged():
    record = stub_flight.separation_record()
    record.completed = False
    (margin,) = evaluate(record, (Requirement(name="n", quantity=SPEED, min=0.0, at="end"),))
    assert margin.note == "the flight ended early"
    assert not margin.passed


@pytest.mark.parametrize("when", [{"at": "landing"}, {"during": "landing"}, {"at": "end"}])
def test_what_a_flight_that_ended_early_did_not_reach_is_not_judged(when):
    """It is not met either. In a flight that reached its end, such a limit is broken."""
    record = stub_flight.separation_record()
    limits = (Requirement(name="n", quantity=SPEED, min=9.0, **when),)
    complete = evaluate(record, limits)
    assert {row[4] for row in requirements_table(complete, "SI").rows} == {"BROKEN"}
    record.completed = False
    (margin,) = evaluate(record, limits)
    assert (margin.has_verdict, margin.passed) == (False, False)
    table = requirements_table([margin], "SI")
    assert [row[4] for row in table.rows] == ["not checked"]
    assert not table.bad
    (reached,) = evaluate(record, (Requirement(name="n", quantity=SPEED, min=9.0, at="apart"),))
    assert requirements_table([reached], "SI").rows[0][4] == "BROKEN"


def test_peak_between_samples_at_an_event_is_seen():
    record = stub_flight.separation_record(samples=3)
    (margin,) = evaluate(record, (Requirement(name="n", quantity="devices.spring.force", max=LOAD / 2),))
    assert margin.value == LOAD


@pytest.mark.parametrize(
    ("quantity", "limits", "says"),
    [
        (SPEED, {"at": "landing"}, "'landing' did not occur"),
        (SPEED, {"during": "landing"}, "phase 'landing' did not occur"),
        ("bodies.payload.velocity", {}, "Add a component to the path: x, y, z or magnitude"),
        ("bodies.payload.sped", {}, "no such quantity"),
    ],
)
def test_what_cannot_be_judged_is_not_passed(quantity, limits, says):
    (margin,) = margins(quantity, max=1e9, **limits)
    assert says in margin.note
    assert not margin.passed
    assert np.isnan(margin.margin)


def test_wrong_dimension_is_not_passed():
    (margin,) = margins(SPEED, max="3 kg")
    assert "but pairs.stage.payload.separation_speed is in m/s" in margin.note
    assert not margin.passed


def test_not_a_number_is_not_passed():
    record = stub_flight.separation_record()
    record.series["devices.spring.force"][3] = np.nan
    (margin,) = evaluate(record, (Requirement(name="n", quantity="devices.spring.force", max=1e9),))
    assert margin.note == "the value is not a finite number at 0.3 s"
    assert not margin.passed


@pytest.mark.parametrize("when", [{"at": "held"}, {"at": "start"}, {"during": "held"}])
def test_what_came_before_a_flight_that_goes_on_is_not_judged(when):
    record = stub_flight.separation_record()
    record.earlier = ("held",)
    (margin,) = evaluate(record, (Requirement(name="n", quantity=SPEED, max=-1.0, **when),))
    assert (margin.note, margin.earlier, margin.passed) == ("before this flight", True, True)
    (row,) = requirements_table([margin], "SI").rows
    assert "not checked" in row
    (margin,) = evaluate(record, (Requirement(name="n", quantity=SPEED, max=-1.0),))
    assert not margin.passed


def test_a_flight_that_ended_early_keeps_a_requirement_so_far_only():
    """Of a phase that had ended, and at an event, the requirement is judged as in a whole flight."""
    record = stub_flight.separation_record()
    record.completed = False

    def verdict(**when: Any) -> str:
        limit = Requirement(name="limit", quantity=SPEED, max="2 m/s", **when)
        (row,) = requirements_table(evaluate(record, (limit,)), "SI").rows
        return row[4]

    assert [verdict(), verdict(during="apart")] == ["pass so far", "pass so far"]
    assert [verdict(during="joined"), verdict(at="apart")] == ["pass", "pass"]
    last = events_table(record).rows[-1]
    assert last[1:] == ["", "flight ends early", "apart"]
    assert float(last[0]) == pytest.approx(stub_flight.END)


@pytest.mark.parametrize(("size", "zero"), [(1e-14, True), (1e-6, False)])
def test_values_that_are_rounding_are_printed_as_zero(size, zero):
    """In rates of a separation and in the value of a requirement alike; 1e-12 rad/s is the limit."""
    record = stub_flight.separation_record()
    path = "pairs.stage.payload.relative_rate"
    for side in (record.series, record.before, record.after):
        side[path] = np.full_like(side[path], size)
    limit = Requirement(name="tip_off", quantity=f"{path}.x", max="1 deg/s")
    (row,) = requirements_table(evaluate(record, (limit,)), "SI").rows
    (separation,) = separations_table(record, "SI").rows
    assert (row[1] == "0 deg/s") == zero
    assert (separation[4] == "0  0  0") == zero


def test_a_thin_atmosphere_is_no_rounding():
    """A density of 1e-13 kg/m^3 is a value, since densities are no sums."""
    record = stub_flight.separation_record()
    record.series["bodies.stage.density"] = np.full(len(record.time), 1e-13)
    record.meta["bodies.stage.density"] = QuantityMeta("kg/m^3", "density")
    assert noise(record, ["bodies.stage.density"])["bodies.stage.density"] < 1e-13


@pytest.mark.parametrize("surface", ["over the equatorial radius", "above the ellipsoid"])
def test_a_requirement_on_an_apsis_states_the_surface(surface):
    record = stub_flight.separation_record()
    name = "apogee_altitude" if "radius" in surface else "apogee_height"
    path = f"bodies.stage.{name}"
    for side, count in (
        (record.series, len(record.time)),
        *((s, len(record.events)) for s in (record.before, record.after)),
    ):
        side[path] = np.full(count, 3e5)
    record.meta[path] = QuantityMeta("m", f"apogee {surface}")
    limit = Requirement(name="apogee", quantity=path, at="end", min="100 km")
    (row,) = requirements_table(evaluate(record, (limit,)), "SI").rows
    assert row[-1] == f"at the end; apogee {surface}"
