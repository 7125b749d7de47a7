"""Flights: the file is what is on screen, nothing is lost on the way, and wrong questions are refused."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray

import interstage
import stub_flight
from interstage.record.record import QuantityMeta
from interstage.record.results import Flight, open_flight
from interstage.runs.run import fly
from interstage.tree.errors import BadInput

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def flight() -> Flight:
    return Flight(stub_flight.separation_record())


@pytest.fixture
def saved(flight, tmp_path) -> str:
    return str(flight.save(tmp_path / "flight.nc"))


def same_columns(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return list(a) == list(b) and all(a[k].dtype == b[k].dtype and np.array_equal(a[k], b[k]) for k in a)


def test_groups_say_what_they_hold(flight):
    force = flight.data["joints/clamp"]["force"]
    assert force.dims == ("time", "axis")
    assert force.attrs == {
        "units": "N",
        "long_name": "joint force on payload",
        "frame": "stage's joint frame",
        "reference": "joint point",
    }
    assert float(force.sel(time=5.0, axis="y")) == -stub_flight.STIFFNESS * stub_flight.STROKE
    assert flight.data["bodies/payload"]["attitude"].dims == ("time", "quaternion")
    loads = flight.data["events/before/joints/clamp"]["force"]
    assert float(loads.sel(event="apart", axis="y")) == -stub_flight.STIFFNESS * stub_flight.STROKE
    assert flight.data["phases"]["end"].sel(phase="joined") == stub_flight.RELEASE


def test_file_reads_back_as_the_tree_in_memory(flight, saved):
    with xarray.open_datatree(saved, engine="h5netcdf") as read:
        read.load()
        assert set(read.groups) == set(flight.data.groups)
        assert "time" in json.loads(read.attrs.pop("checksums"))  # the file alone has them
        for name in read.groups:
            xarray.testing.assert_identical(read[name].to_dataset(), flight.data[name].to_dataset())


def test_record_survives_the_file(flight, saved):
    read, flown = open_flight(saved).record, flight.record
    for name in ("series", "before", "after", "restart"):
        assert same_columns(getattr(read, name), getattr(flown, name))
    for name in ("events", "meta", "statistics", "corrections", "warnings", "outcome", "completed", "phases"):
        assert getattr(read, name) == getattr(flown, name), name
    assert open_flight(saved).scenario_text == flight.scenario_text
    assert open_flight(saved).versions == flight.versions


def test_what_any_part_knows_at_times_of_its_own_survives_the_file(flight, tmp_path):
    times = np.array([0.0, 0.5, 0.75])
    flight.record.courses["devices.spring"] = times, {"state": times**2}
    read = open_flight(flight.save(tmp_path / "flight.nc")).record
    assert list(read.series) == list(flight.record.series)
    own, found = read.courses["devices.spring"]
    assert same_columns({"time": own, **found}, {"time": times, "state": times**2})


def test_extremes_between_samples_survive_the_file_with_their_types(flight, tmp_path):
    record = flight.record
    rows = {path: values[:3] for path, values in record.series.items()}
    rows["joints.clamp.released"] = np.array([True, False, True])
    rows["joints.clamp.phase"] = np.array([3, 1, 2])
    record.meta.update(
        {path: QuantityMeta(long_name="of another type", unit="1") for path in list(rows)[-2:]}
    )
    record.peaks = np.array([0.25, 0.5, 0.75]), rows
    times, read = open_flight(flight.save(tmp_path / "flight.nc")).record.peaks
    assert times.tolist() == [0.25, 0.5, 0.75]
    assert same_columns(read, rows)
    assert {path: values.dtype for path, values in read.items()} == {
        path: values.dtype for path, values in rows.items()
    }
    table = flight.data["peaks"]
    assert table["value"].dims == ("peaks", "column")
    assert set(table["units"].values) >= {"N", "m"}


def test_dimensions_are_as_hdf5_has_them(saved):
    """The library's own functions find each variable along its dimensions, from both sides."""
    with h5py.File(saved) as file:
        force, time, axis = (file[name] for name in ("joints/clamp/force", "time", "axis"))
        for place, scale in enumerate((time, axis)):
            assert h5py.h5ds.is_attached(force.id, scale.id, place)
            assert h5py.h5ds.get_num_scales(force.id, place) == 1
        assert not h5py.h5ds.is_attached(force.id, axis.id, 0)
        along = [(file[one].name, int(number)) for one, number in np.asarray(axis.attrs["REFERENCE_LIST"])]
        assert ("/joints/clamp/force", 1) in along
        assert len(along) == len(set(along))


def test_samples_on_events_are_marked(flight, saved):
    """They show the state after the events; which they are is said beside them, in files too."""
    for marks in (flight.data["after_event"], xarray.open_dataset(saved, engine="h5netcdf")["after_event"]):
        for event in flight.record.events:
            on = np.isclose(flight.time, event.time, rtol=0, atol=1e-9)
            assert [event.name in mark.split(", ") for mark in marks.values] == list(on)
    assert "after_event" not in open_flight(saved).record.series


def test_long_series_and_long_scenarios_are_kept(tmp_path):
    text = "table " * 50_000  # above the 64 kB that plain HDF5 attributes hold
    scenario = stub_flight.stub_scenario(title=text)
    flight = Flight(stub_flight.separation_record(scenario, samples=20_001))
    read = open_flight(flight.save(tmp_path / "long.nc"))
    assert text in read.scenario_text
    assert same_columns(read.record.series, flight.record.series)


def test_flight_without_samples_or_events_is_kept(tmp_path):
    record = stub_flight.separation_record()
    short = dataclasses.replace(
        record,
        time=record.time[:0],
        series={path: values[:0] for path, values in record.series.items()},
        restart={},
        before={path: values[:0] for path, values in record.before.items()},
        after={path: values[:0] for path, values in record.after.items()},
        events=[],
        phases=[],
        completed=False,
    )
    read = open_flight(Flight(short).save(tmp_path / "short.nc"))
    assert not read.completed
    assert len(read.time) == 0
    assert read.record.series["joints.clamp.force"].shape == (0, 3)
    assert "no samples" in repr(read)


def test_events_in_a_table_and_by_name(flight):
    assert list(flight.events["name"]) == ["joined", "apart", "spring spent"]
    assert flight.events["time"][2] == stub_flight.PUSHED
    assert flight.at("apart", side="before")["joints.clamp.active"]
    assert not flight.at("apart")["joints.clamp.active"]
    assert flight.value("joints.clamp.force.magnitude", "apart", "before") == pytest.approx(2000, rel=1e-15)
    force, sides = flight["joints.clamp.force"], (flight.record.before, flight.record.after)
    every = np.concatenate([force, *(side["joints.clamp.force"] for side in sides)])
    np.testing.assert_array_equal(flight.value("joints.clamp.force", "max"), every.max(0))
    np.testing.assert_array_equal(flight.value("joints.clamp.force", "largest"), np.abs(every).max(0))
    assert flight.value("joints.clamp.force.z", "min") == every[:, 2].min()
    assert flight.value("joints.clamp.force.z", "start") == force[0, 2]
    assert flight["bodies.payload.position.y"][0] == 5.8


def test_repeated_events_are_counted(flight):
    flight.record.events[2] = dataclasses.replace(flight.record.events[2], name="apart")
    assert flight.at("apart#2")["devices.spring.stroke"] == pytest.approx(stub_flight.STROKE, rel=1e-14)
    with pytest.raises(BadInput, match="occurred 2 times"):
        flight.at("apart#3")


def test_state_at_a_sample_and_at_an_event(flight):
    state = flight.state_at("spring spent")["payload"]
    assert set(state) == {"position", "velocity", "attitude", "angular_velocity"}
    pushed = stub_flight.SPEED * stub_flight.STAGE / (stub_flight.STAGE + stub_flight.PAYLOAD)
    assert state["velocity"][1] == pytest.approx(pushed, rel=1e-14)
    assert flight.state_at(5.0)["stage"]["position"].tolist() == [0, 0, 0]
    assert flight.value("bodies.stage.position", 5).tolist() == [0, 0, 0]
    assert flight.value("time", 5.0) == 5.0
    assert flight.value("joints.clamp.force.z", 5.1) == flight.at(5.1)["joints.clamp.force"][2]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda f: f.at("apar"), "did you mean 'apart'"),
        (lambda f: f.at("apart", side="during"), "not a side of an event"),
        (lambda f: f["bodies.payload.positoin"], "did you mean 'bodies.payload.position'"),
        (lambda f: f["bodies.payload.position.w"], "Allowed: x, y, z, magnitude"),
        (lambda f: f.state_at(5.05), "the nearest samples are at 5 s and 5.1 s"),
        (
            lambda f: f.value("time", 25.0),
            "25 s is outside this flight. Use a time from 0 s to 20 s",
        ),
        (lambda f: f.at(float("nan")), "nan s is outside this flight"),
        (lambda f: f.value("time", None), "None is neither an event nor a time"),
    ],
)
def test_wrong_questions_are_answered(flight, ask, says):
    with pytest.raises(BadInput, match=says):
        ask(flight)


def test_files_that_are_no_flights_are_refused(tmp_path, flight):
    with pytest.raises(BadInput, match=r"no such file in .*; there are no \.nc files there"):
        open_flight(tmp_path / "missing.nc")
    with pytest.raises(BadInput, match=r"does not exist, .*correct the path"):
        open_flight(tmp_path / "missing" / "flight.nc")
    with pytest.raises(BadInput, match="is a folder"):
        open_flight(tmp_path)
    (tmp_path / "stage.csv").write_text("t, x\n")
    with pytest.raises(BadInput, match=r"stage\.csv' is not a saved flight \(\.nc\)"):
        open_flight(tmp_path / "stage.csv")
    (tmp_path / "text.nc").write_text("not HDF5")
    with pytest.raises(BadInput, match="not a NetCDF-4 file"):
        open_flight(tmp_path / "text.nc")
    xarray.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with pytest.raises(BadInput, match="not a saved flight"):
        open_flight(tmp_path / "other.nc")
    whole = flight.save(tmp_path / "whole.nc").read_bytes()
    (tmp_path / "half.nc").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match="damaged"):
        open_flight(tmp_path / "half.nc")


def test_files_of_another_version_are_told_from_other_files(tmp_path, flight):
    path = flight.save(tmp_path / "old.nc")
    with h5py.File(path, "a") as file:
        file.attrs["format"] = "interstage-flight-0"
    with pytest.raises(
        BadInput,
        match=r"saved by another version of interstage in the format interstage-flight-0",
    ):
        open_flight(path)


def test_save_where_nothing_can_be_written(tmp_path, flight):
    with pytest.raises(BadInput, match="cannot write"):
        flight.save(tmp_path / "no" / "such" / "folder.nc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_saved_flight_is_flown_again_and_gone_on_from(tmp_path):
    """Flown again it is the same to the last bit. Gone on from, it takes other steps: some 20 of them, each
    allowed to use up 20 tolerances."""
    flown = interstage.load(EXAMPLES / "first.toml").run()
    saved = open_flight(flown.save(tmp_path / "flight.nc"))
    again = saved.scenario.run()
    onward = Flight(fly(saved.scenario, resume=(saved.record.restart, saved.event_row("apart"))))
    bound = 20 * 20 * float(saved.scenario.solver.tolerance)
    for path in ("bodies.satellite.velocity", "pairs.stage.satellite.separation", "devices.spring.stroke"):
        assert np.array_equal(again[path], flown[path])
        size = np.max(np.abs(flown[path]))
        assert np.max(np.abs(onward.value(path, "end") - flown.value(path, "end"))) <= bound * size
    assert onward.time[0] == flown.events["time"][1]
    assert list(onward.events["name"]) == ["spring spent", "end"]
    kept = open_flight(onward.save(tmp_path / "onward.nc"))
    assert kept.record.earlier == onward.record.earlier == ("joined", "apart")
