"""The page of a playback: complete, without network, and safe for any names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.playback.page import html
from interstage.record.record import Record
from interstage.record.results import Flight
from interstage.tree.errors import BadInput
from stub_flight import flown_scenario, separation_record

NASTY = "</script><script>alert(1)</script> \" ' & \U0001f680 \u202egnp.exe <!-- -->"


class Outline(HTMLParser):
    """Elements and addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "action")]


def page(record: Record) -> str:
    return html(Flight(record, scenario_text=""))


def scene(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found[1])


@pytest.fixture(scope="module")
def whole() -> str:
    return page(separation_record(flown_scenario()))


def test_the_page_needs_no_other_file(whole):
    outline = Outline(whole)
    assert outline.tags.count("script") == 2
    assert outline.addresses == []
    assert "default-src 'none'" in whole
    assert "Copyright" in whole  # of the bundled packages
    assert "three.js authors" in whole
    assert "Leon Sorokin" in whole


def test_the_page_can_be_read_without_javascript(whole):
    body = whole[
        whole.index('<section id="summary" data-title="Still picture and tables">') : whole.index(
            "</section>"
        )
    ]
    assert "<svg" in body
    assert body.count("<polygon") == 6  # two bodies at three times
    for text in ("spring spent", "placeholder shape computed from mass and inertia", "payload"):
        assert text in body


def test_texts_of_a_flight_cannot_become_elements(whole):
    record = separation_record()
    record.scenario = record.scenario.model_copy(update={"title": NASTY})
    record.events = [replace(event, name=NASTY) for event in record.events]
    record.outcome = NASTY
    text = page(record)
    assert Outline(text).tags.count("script") == Outline(whole).tags.count("script")
    assert "alert(1)" not in text.replace("&lt;script&gt;alert(1)", "").replace(
        "u003cscript\\u003ealert(1)", ""
    )
    assert scene(text)["title"] == NASTY
    assert scene(text)["events"][0]["name"] == NASTY


@pytest.mark.parametrize("count", [0, 1])
def test_a_flight_of_few_samples_has_a_page(count):
    record = separation_record(flown_scenario())
    record = replace(
        record,
        time=record.time[:count],
        series={path: values[:count] for path, values in record.series.items()},
        events=[],
        before={},
        after={},
    )
    text = page(record)
    assert "<h1>" in text
    assert ("no samples" in text) == (count == 0)
    assert (scene(text)["span"] is None) == (count == 0)


def test_values_that_are_not_finite_do_not_break_the_page():
    record = separation_record(flown_scenario())
    for path in ("bodies.stage.position", "pairs.stage.payload.distance", "joints.clamp.force"):
        for rows in (record.series, record.before, record.after):
            rows[path] = np.full_like(rows[path], np.nan)
    record.series["bodies.payload.velocity"] = np.full_like(record.series["bodies.payload.velocity"], np.inf)
    found = scene(page(record))
    assert [body["name"] for body in found["bodies"]] == ["payload"]
    assert found["reference"] == "payload"
    assert any("stage" in text for text in found["left_out"])


@pytest.mark.long
def test_500_bodies_have_a_page():
    record = separation_record(samples=11)
    bodies = tuple(
        ist.Body(name=f"b{k}", mass=1.0, inertia=[1, 1, 1], initial=ist.State() if k == 0 else None)
        for k in range(500)
    )
    record.scenario = record.scenario.model_copy(
        update={"bodies": bodies, "joints": (), "devices": (), "requirements": ()}
    )
    for name in ("position", "velocity", "attitude"):
        record.series |= {f"bodies.b{k}.{name}": record.series[f"bodies.stage.{name}"] for k in range(500)}
    text = page(replace(record, before={}, after={}, events=[]))
    assert len(scene(text)["bodies"]) == 500
    assert len(text) < 2e6


def test_the_playback_of_a_flight_in_python(tmp_path, monkeypatch):
    flight = Flight(separation_record(), scenario_text="")
    path = flight.playback(tmp_path / "flight.html")
    assert path.read_text(encoding="utf-8") == html(flight)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    shown = flight.show()
    assert shown is not None
    assert opened == [shown.as_uri()]
    assert shown.read_text(encoding="utf-8") == html(flight)
    shown.unlink()
    with pytest.raises(BadInput, match="cannot write"):
        flight.playback(tmp_path / "nowhere" / "flight.html")


def test_the_command_show(tmp_path, capsys):
    from interstage.cli.main import app

    flight = Flight(separation_record(flown_scenario()))
    saved = flight.save(tmp_path / "flight.nc")
    app(["show", str(saved)], standalone_mode=False)
    assert "flight.playback.html" in capsys.readouterr().out
    assert (tmp_path / "flight.playback.html").stat().st_size > 100_000
