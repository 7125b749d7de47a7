"""Several flights in one page: alignment, poses, differences, and pages that stay small and safe."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import interstage as ist
from interstage.playback import motion
from interstage.playback.alignment import align, release_times
from interstage.playback.differences import pose_differences
from interstage.playback.motion import Motion, motion_of
from interstage.playback.others import OtherFlight, OtherFlights, names_of
from interstage.playback.page import html
from interstage.playback.several import others_of
from interstage.playback.store import TYPES
from interstage.record.record import Record
from interstage.record.results import Flight
from interstage.tree.errors import BadInput
from stub_flight import APART, END, PUSHED, RELEASE, SPEED, flown_scenario, separation_record

LATER = 2.5
"""Delay of the second flight [s]."""
SIDE = np.array([0.3, 0.0, 0.4])
"""Displacement of its payload from the release on, 0.5 m."""
ANGLE = 0.2
"""Rotation of its stage at the end [rad]."""
NASTY = "</script><script>alert(1)</script> \" ' & \U0001f680"


def first() -> Record:
    return separation_record(flown_scenario())


def second() -> Record:
    """The same flight, later by LATER, with a displaced payload and a rotating stage."""
    record = first()
    record.time = record.time + LATER
    record.events = [replace(event, time=event.time + LATER) for event in record.events]
    at = np.array([event.time for event in record.events])
    for rows, time in ((record.series, record.time), (record.before, at), (record.after, at)):
        moved = (time > RELEASE + LATER)[:, None] * SIDE
        rows["bodies.payload.position"] = rows["bodies.payload.position"] + moved
        turn = np.zeros((len(time), 3))
        turn[:, 2] = ANGLE * (time - LATER) / END
        rows["bodies.stage.attitude"] = motion.of_rotation_vector(turn)
    return record


def flight(record: Record) -> Flight:
    return Flight(record, scenario_text="")


def scene(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found[1])


def page(one: Record, *others: Record, **options: Any) -> str:
    return html(flight(one), None, others_of(flight(one), [flight(other) for other in others], **options))


def motion_in(whole: dict[str, Any], poses: dict[str, int]) -> Motion:
    def array(name: str) -> np.ndarray:
        one = whole["arrays"][poses[name]]
        return np.frombuffer(base64.b64decode(one["data"]), TYPES[one["type"]]).astype(float)

    time = array("times")
    position, velocity = (array(name).reshape(-1, 3) for name in ("positions", "velocities"))
    return Motion(time, position, velocity, array("attitudes").reshape(-1, 4), np.zeros((len(time), 3)))


def test_another_flight_has_the_poses_of_its_record():
    record = second()
    data = scene(page(first(), record))
    (other,) = data["others"]
    origin = motion_in(data, other["origin"])
    place, _ = motion.at_times(origin, record.time)
    for body in other["bodies"]:
        found = motion_in(data, body["poses"])
        rows = np.flatnonzero(np.abs(record.time - RELEASE - LATER) > 0.06)  # beside the displacement
        position, _ = motion.at_times(found, record.time)
        wanted = record.series[f"bodies.{body['name']}.position"]
        # The smallest body has 0.1 m, and its samples a tolerance of 1e-4 of this; single precision of 6 m.
        assert np.abs(place + position - wanted)[rows].max() < 2e-5 + 1e-6 * APART


def test_flights_are_aligned_at_the_first_release():
    data = scene(page(first(), second()))
    (other,) = data["others"]
    assert release_times(second()) == [RELEASE + LATER]
    assert other["shift"] == pytest.approx(LATER, abs=1e-12)
    assert other["event"] == "apart"
    assert data["clock"] == [0.0, END]


@pytest.mark.parametrize(
    ("event", "shift", "clock"),
    [("spring spent", LATER, [0.0, END]), ("joined", LATER, [0.0, END]), ("time", 0.0, [0.0, END + LATER])],
)
def test_flights_are_aligned_at_a_named_event(event, shift, clock):
    data = scene(page(first(), second(), align=event))
    assert data["others"][0]["shift"] == pytest.approx(shift, abs=1e-12)
    assert data["clock"] == pytest.approx(clock)


def test_an_event_of_one_flight_is_rejected():
    with pytest.raises(BadInput, match=r"the first flight has no event 'landing'"):
        page(first(), second(), align="landing")
    record = second()
    record.events = record.events[:2]
    with pytest.raises(BadInput, match=r"the other flight has no event 'spring spent'"):
        page(first(), record, align="spring spent")


def test_flights_without_a_release_are_shown_at_equal_times():
    record = second()
    for rows in (record.series, record.before, record.after):
        rows["joints.clamp.active"] = np.ones_like(rows["joints.clamp.active"])
    found = align(first(), record)
    assert (found.event, found.shift) == ("", 0.0)
    assert "equal times" in scene(page(first(), record))["others"][0]["alignment"]


def test_the_largest_differences_have_their_times():
    one, two = ({name: motion_of(r, name) for name in ("stage", "payload")} for r in (first(), second()))
    found = pose_differences(cast(Any, one), cast(Any, two), LATER, "stage")
    values = {(row.what, row.body): row for row in found}
    size = np.linalg.norm(SIDE)
    # Flights are equal but for the displacement, which begins within a sample of 0.1 s after the release.
    assert values["position", "payload"].value == pytest.approx(size, abs=1e-9)
    assert values["relative position", "payload"].value == pytest.approx(size, abs=1e-9)
    assert values["position", "payload"].time > RELEASE
    assert values["position", "stage"].value == pytest.approx(0.0, abs=1e-9)
    assert values["attitude", "stage"].value == pytest.approx(ANGLE, rel=1e-9)
    assert values["attitude", "stage"].time == pytest.approx(END)
    assert ("relative position", "stage") not in values


def test_the_table_has_the_largest_differences_with_their_times():
    text = page(first(), second())
    table = text[text.index('<section id="differences">') :]
    assert "relative position to stage" in table
    assert f'data-seek="{END:g}"' in table
    assert "11.459 deg" in table  # 0.2 rad
    assert "0.5 m" in table.replace("0.50000", "0.5")


def test_flights_without_a_common_body_are_listed():
    record = second()
    bodies = tuple(
        ist.Body(name=f"new_{body.name}", mass=body.mass, inertia=[1, 1, 1], initial=body.initial)
        for body in record.scenario.bodies
    )
    empty = {"bodies": bodies, "joints": (), "devices": (), "phases": ()}
    record.scenario = record.scenario.model_copy(update=empty)
    tables: Any = (record.series, record.before, record.after, record.meta)
    for rows in tables:
        for path in [path for path in rows if path.startswith("bodies.")]:
            rows[path.replace("bodies.", "bodies.new_")] = rows.pop(path)
    text = page(first(), record)
    (other,) = scene(text)["others"]
    assert other["differences"] == []
    assert "Only the first flight has the body stage." in text
    assert "Only this flight has the body new_payload." in text


def test_a_flight_without_samples_is_listed():
    record = second()
    record.time = record.time[:0]
    record.series = {path: values[:0] for path, values in record.series.items()}
    text = page(first(), record)
    assert scene(text)["others"] == []
    assert "because it has no samples" in text


def test_the_legs_of_a_mission_are_one_other_flight():
    record = second()
    half = len(record.time) // 2
    legs = {}
    for name, rows in (("first", slice(0, half + 1)), ("then", slice(half, None))):
        series = {path: values[rows] for path, values in record.series.items()}
        legs[name] = replace(record, time=record.time[rows], series=series, events=[], before={}, after={})
    whole = Record(record.scenario, np.zeros(0), {}, record.events, {}, {}, {}, legs=legs)
    (other,) = scene(page(first(), whole))["others"]
    assert other["span"] == pytest.approx([LATER, END + LATER])
    assert other["shift"] == pytest.approx(LATER, abs=0.11)  # the samples of 0.1 s have the release
    assert {one["body"] for one in other["differences"]} == {"stage", "payload"}


def test_names_of_other_flights_cannot_become_elements():
    record = second()
    record.scenario = record.scenario.model_copy(update={"title": NASTY})
    record.outcome = NASTY
    record.events = [replace(event, name=NASTY) for event in record.events]
    for kind in ("flights", "cases"):
        others = OtherFlights((OtherFlight(record, NASTY, "violated"),), NASTY, "met", kind=kind)
        text = html(flight(first()), None, others)
        assert text.count("<script") == page(first()).count("<script")
        assert "<script>alert" not in text
        assert scene(text)["others"][0]["name"] == NASTY


def test_names_are_distinct():
    assert names_of(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]


def test_equal_shapes_are_in_the_page_once():
    one, two = first(), second()
    (other,) = scene(page(one, two))["others"]
    assert all("shapes" not in body for body in other["bodies"])
    heavy = second()
    heavy.series["bodies.stage.mass"] = 2 * heavy.series["bodies.stage.mass"]
    heavy.before, heavy.after, heavy.events = {}, {}, []
    (other,) = scene(page(one, heavy, align="time"))["others"]
    assert ["shapes" in body for body in other["bodies"]] == [True, False]


def test_cases_are_relative_to_a_body():
    cases = tuple(OtherFlight(second(), f"case {k}", "violated") for k in range(3))
    text = html(flight(first()), None, OtherFlights(cases, "case 9", "unknown", kind="cases"))
    data = scene(text)
    assert data["frame"] == "body:stage"
    assert [one["verdict"] for one in data["others"]] == ["violated"] * 3
    assert all(not one["items"] for one in data["others"])
    assert text.count("violates a requirement") >= 3
    others = OtherFlights(cases, "case 9", "unknown", kind="cases", body="payload")
    assert scene(html(flight(first()), None, others))["frame"] == "body:payload"


def shaken(seed: int) -> Record:
    """600 s of five bodies that rotate and shake, in 3001 samples."""
    from playback_records import flown

    return flown(np.linspace(0.0, 600.0, 3001), bodies=5, seed=seed)


@pytest.mark.parametrize("kind", ["flights", pytest.param("cases", marks=pytest.mark.long)])
def test_600_s_of_5_bodies_are_below_2_MB_with_other_flights(kind):
    count = 1 if kind == "flights" else 8
    others = tuple(OtherFlight(shaken(4 + k % 4), f"case {k}", "met") for k in range(count))
    found = html(flight(shaken(3)), None, OtherFlights(others, "first", "met", "time", kind))
    assert len(found.encode()) < 2e6


def test_the_speed_of_the_separation_is_in_the_curves_of_both():
    data = scene(page(first(), second()))
    for one in (data, data["others"][0]):
        curve = next(c for c in one["curves"] if c["path"] == "pairs.stage.payload.separation_speed")
        stored = data["arrays"][curve["values"]]
        values = np.frombuffer(base64.b64decode(stored["data"]), TYPES[stored["type"]])
        assert values.max() == pytest.approx(SPEED, rel=1e-6)
    assert PUSHED > RELEASE


def test_the_command_shows_two_flights(tmp_path, capsys):
    from interstage.cli.main import app

    paths = [str(Flight(one()).save(tmp_path / name)) for one, name in ((first, "a.nc"), (second, "b.nc"))]
    app(["show", *paths, "--align", "spring spent"], standalone_mode=False)
    text = (tmp_path / "a.playback.html").read_text(encoding="utf-8")
    assert "a.playback.html" in capsys.readouterr().out
    assert (scene(text)["first"], scene(text)["others"][0]["name"]) == ("a", "b")
    for words, wanted in (
        ([paths[0], "--align", "apart"], "several flights"),
        ([paths[0], "--worst", "3"], "folder of a campaign"),
        ([*paths, "--cases", "3"], "folder of a campaign"),
    ):
        with pytest.raises(BadInput, match=wanted):
            app(["show", *words], standalone_mode=False)


def test_a_flight_shows_another_flight(monkeypatch, tmp_path):
    monkeypatch.setattr("webbrowser.open", lambda _: None)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, other = flight(first()), flight(second())
    path = one.show(other, align="time")
    assert path is not None
    assert scene(path.read_text(encoding="utf-8"))["others"][0]["shift"] == 0
    written = one.playback(tmp_path / "both.html", others=[other], align="time")
    assert written.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
