"""Several flights in a browser: poses, halves of the picture, keys, and cases of a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_browser import GO_TO, NASTY, browser, wait_for  # noqa: F401

from interstage.playback.others import OtherFlight, OtherFlights
from interstage.playback.page import html
from interstage.record.results import Flight
from stub_flight import END, RELEASE, flown_scenario, separation_record

pytestmark = pytest.mark.long

LATER = 2.5
"""Delay of the second flight [s]."""
SIDE = np.array([0.3, 0.0, 0.4])
"""Displacement of its payload [m]."""


def second() -> Any:
    record = separation_record(flown_scenario())
    record.time = record.time + LATER
    record.events = [replace(event, time=event.time + LATER) for event in record.events]
    for rows in (record.series, record.before, record.after):
        rows["bodies.payload.position"] = rows["bodies.payload.position"] + SIDE
    return record


def opened(browser: Any, tmp_path: Any, kind: Any, count: int = 1, width: int = 1200) -> Any:  # noqa: F811
    verdicts = ("met", "violated", "unknown") if kind == "cases" else ("",)
    others = tuple(OtherFlight(second(), f"{NASTY} {k}", verdicts[k % len(verdicts)]) for k in range(count))
    first = Flight(separation_record(flown_scenario()), scenario_text="")
    path = tmp_path / "flights.html"
    path.write_text(html(first, None, OtherFlights(others, NASTY, "", kind=kind)), encoding="utf-8")
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.faults = []
    page.on("console", lambda one: page.faults.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(path.as_uri())
    wait_for(page, "globalThis.playback?.curves")
    return page


@pytest.fixture
def flights(browser, tmp_path) -> Iterator[Any]:  # noqa: F811
    page = opened(browser, tmp_path, "flights")
    yield page
    assert page.faults == []
    assert page.evaluate("globalThis.hacked") is None
    page.context.close()


def place(page: Any, which: str) -> np.ndarray:
    return np.array(page.evaluate(f"{which}.bodies.all.get('payload').outer.position.toArray()"))


def test_both_flights_are_seen_from_their_own_frame(flights):
    """Equal flights but for a delay, which the alignment removes, and a displacement."""
    flights.evaluate("playback.setFrame('inertial:stage')")
    for time in (0.0, RELEASE + 1.0, END):
        flights.evaluate(GO_TO, time)
        apart = place(flights, "playback.others.all[0]") - place(flights, "playback")
        # The samples of both have a tolerance of 1e-4 of a body of 0.1 m, and single precision of 12 m.
        assert np.abs(apart - SIDE).max() < 4e-5


def test_a_common_frame_shows_inertial_positions(flights):
    flights.evaluate("playback.setFrame('body:payload'); playback.setOthers({ common: true })")
    flights.evaluate(GO_TO, END)
    assert np.abs(place(flights, "playback")).max() < 1e-6
    assert np.abs(place(flights, "playback.others.all[0]") - SIDE).max() < 4e-5
    flights.evaluate("playback.setOthers({ common: false })")
    flights.evaluate(GO_TO, END)
    assert np.abs(place(flights, "playback.others.all[0]")).max() < 1e-6


def test_keys_show_the_flights_side_by_side(flights):
    panes = "playback.stage.panes()"
    assert len(flights.evaluate(panes)) == 1
    flights.keyboard.press("s")
    left, right = flights.evaluate(panes)
    assert left[2] == right[2] == right[0]
    assert flights.locator(".pane").all_inner_texts() == [NASTY, f"{NASTY} 0"]
    flights.keyboard.press("o")
    assert len(flights.evaluate(panes)) == 1
    assert not flights.evaluate("playback.others.on")
    flights.set_viewport_size({"width": 420, "height": 900})
    flights.keyboard.press("o")
    wait_for(flights, "playback.stage.holder.clientWidth < 420")
    assert len(flights.evaluate(panes)) == 2
    wait_for(flights, "document.documentElement.scrollWidth <= 420")  # the curves follow the window later


def test_the_curve_of_the_second_flight_is_dashed_and_aligned(flights):
    series = "playback.curves.panels[0].uplot.series.map((one) => Boolean(one.dash && one.dash.length))"
    assert flights.evaluate(series) == [False, False, True]
    value = flights.locator(".panel .value").first.inner_text()
    assert f"({NASTY} 0:" in value


def test_a_time_of_the_table_moves_the_playback(flights):
    button = flights.locator("#differences button.seek").first
    wanted = float(flights.locator("#differences [data-seek]").first.get_attribute("data-seek"))
    button.click()
    assert flights.evaluate("playback.clock.time") == pytest.approx(wanted)


def test_cases_are_translucent_and_have_the_colour_of_their_verdict(browser, tmp_path):  # noqa: F811
    page = opened(browser, tmp_path, "cases", 3)
    assert page.evaluate("playback.frame") == "body:stage"
    script = """playback.others.all.map((one) => {
        const { surface } = one.bodies.all.get('payload');
        return [surface.color.getHexString(), surface.transparent];
    })"""
    assert page.evaluate(script) == [["0072b2", True], ["d55e00", True], ["8a8a8a", True]]
    page.get_by_label("Colour by verdict").uncheck()
    assert len({colour for colour, _ in page.evaluate(script)}) == 1
    # All cases have the reference body at the same place: the solid one is enough.
    assert page.evaluate("playback.others.all.every((one) => !one.bodies.all.get('stage').outer.visible)")
    # Meshes are shared.
    geometry = "({ bodies }) => bodies.all.get('payload').inner.children[0].children[0].geometry"
    assert page.evaluate(f"playback.others.all.every((one) => ({geometry})(one) === ({geometry})(playback))")
    assert page.faults == []
    assert page.evaluate("globalThis.hacked") is None
    page.context.close()
