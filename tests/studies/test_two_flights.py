"""Comparison of two saved flights: changed inputs, events, and differences of quantities."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from interstage.record.record import Record
from interstage.record.results import Flight
from interstage.studies.comparison import FlightComparison, compare_flights
from interstage.studies.comparison.quantity_differences import times_of_both
from interstage.studies.comparison.two_flights import changed_inputs, tables
from interstage.tree.errors import BadInput
from stub_flight import END, PUSHED, RELEASE, SPEED, flown_scenario, separation_record

LATER = 2.5
"""Delay of the second flight [s]."""
FASTER = 0.25
"""Additional speed of its payload from the release on [m/s]."""


def second(spent: float = 0.0) -> Record:
    """The same flight later by LATER, with a faster payload. spent: delay of the last event [s]."""
    record = separation_record(flown_scenario())
    record.time = record.time + LATER
    *events, last = [replace(event, time=event.time + LATER) for event in record.events]
    record.events = [*events, replace(last, time=last.time + spent)]
    at = np.array([event.time for event in record.events])
    for rows, _time, later in (
        (record.series, record.time, record.time > RELEASE + LATER),
        (record.before, at, at > RELEASE + LATER),
        (record.after, at, at >= RELEASE + LATER),
    ):
        add = np.where(later, FASTER, 0.0)[:, None] * np.array([0.0, 1.0, 0.0])
        rows["bodies.payload.velocity"] = rows["bodies.payload.velocity"] + add
    return record


def compared(other: Record, **options: object) -> FlightComparison:
    one = Flight(separation_record(flown_scenario()))
    return compare_flights(one, Flight(other), **options)  # type: ignore[arg-type]


def test_a_flight_agrees_with_itself():
    found = compared(separation_record(flown_scenario()))
    assert found.different == []
    assert found.inputs == []
    assert found.missing == []
    assert "agree within" in found.sentence
    assert tables(found, "SI") == []


def test_the_changed_quantity_is_found_with_size_time_and_start():
    found = compared(second())
    assert found.alignment.shift == pytest.approx(LATER, abs=1e-12)
    (one,) = found.different
    assert one.path == "bodies.payload.velocity"
    assert one.value == pytest.approx(FASTER, rel=1e-12)
    assert one.start == pytest.approx(RELEASE)  # the later side of the event
    share = 6000.0 / 7000.0  # of the stage in the total mass: velocity of the payload
    assert one.size == pytest.approx(share * SPEED + FASTER, rel=1e-6)
    assert "from 10 s" in found.sentence


def test_equal_times_are_compared_on_request():
    found = compared(second(), event="time")
    assert found.alignment.shift == 0
    distance = next(one for one in found.different if one.path == "pairs.stage.payload.distance")
    # At equal times the second flight is behind by LATER; the spring has done its work in both at the end.
    assert distance.value == pytest.approx(SPEED * LATER, rel=1e-6)
    assert distance.start == pytest.approx(RELEASE, abs=0.11)  # the next sample of 0.1 s


def test_samples_between_the_times_of_an_event_are_omitted_for_quantities_that_jump():
    delay = 0.05
    record = second(spent=delay)
    found = compared(record)
    (event,) = [one for one in found.events if one.name == "spring spent"]
    assert event.difference == pytest.approx(delay)
    state = next(one for one in found.quantities if one.path == "devices.spring.state")
    assert state.value == 0.0
    assert PUSHED + delay < END
    titles = [table.title for table in tables(found, "SI")]
    assert titles[0] == "Events at different times"


def test_changed_inputs_are_listed_by_path():
    one = 'title = "a"\n[bodies.stage]\nmass = "2 kg"\n[[phases]]\nname = "up"\ntime = 1\n'
    other = '[bodies.stage]\nmass = "3 kg"\n[[phases]]\nname = "up"\ntime = 2\n[gravity]\nkind = "none"\n'
    assert changed_inputs(one, other) == [
        ("title", "a", ""),
        ("bodies.stage.mass", "2 kg", "3 kg"),
        ("phases.up.time", "1", "2"),
        ("gravity.kind", "", "none"),
    ]


def test_flights_without_common_times_have_no_differences():
    record = second()
    record.time = record.time + 100.0
    record.events = []
    record.before, record.after = {}, {}
    found = compared(record, event="time")
    assert found.quantities == []
    assert "no common quantity" in found.sentence
    assert len(times_of_both(np.array([0.0, 1.0]), np.array([2.0, 3.0]))) == 0
    with pytest.raises(BadInput, match="no event 'apart'"):
        compared(record, event="apart")


def test_the_command_compares_two_saved_flights(tmp_path, capsys):
    from interstage.cli.main import app

    one, other = tmp_path / "a.nc", tmp_path / "b.nc"
    Flight(separation_record(flown_scenario())).save(one)
    Flight(second()).save(other)
    words = ["compare", str(one), str(other), "-o", str(tmp_path / "d.csv")]
    assert not app(words, standalone_mode=False)
    text = capsys.readouterr().out
    assert "bodies.payload.velocity" in text
    assert "aligned at 'apart'" in text
    rows = list(csv.reader((tmp_path / "d.csv").open(encoding="utf-8")))
    assert rows[0][0] == "quantity"
    assert rows[1][0] == "bodies.payload.velocity"
    assert float(rows[1][2]) == pytest.approx(FASTER)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.nc", "b.nc", "--methods", "rk4"], "has no effect on two saved flights"),
        (["a.nc", "--align", "apart"], "is for two saved flights"),
        (["a.toml", "b.nc"], "is not a saved flight"),
    ],
)
def test_options_without_effect_are_rejected(tmp_path, monkeypatch, words, message):
    from interstage.cli.main import app

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text("")
    Flight(separation_record(flown_scenario())).save(tmp_path / "a.nc")
    with pytest.raises(BadInput, match=message):
        app(["compare", *words], standalone_mode=False)
