"""Devices of the playback in a browser: places and texts compared with the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_browser import GO_TO, NASTY, browser, opened  # noqa: F401

from device_flights import device_record
from interstage.maths.rotations import matrix_of
from interstage.playback.page import html
from interstage.record.results import Flight
from stub_flight import END, flown_scenario, separation_record

pytestmark = pytest.mark.long
OPENED, SPENT = 0.52, 0.6051518426583954


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("devices") / "flight.html"
    path.write_text(html(Flight(device_record(), scenario_text="")), encoding="utf-8")
    return path


@pytest.fixture
def page(browser, file) -> Iterator[Any]:  # noqa: F811
    with opened(browser, file) as one:
        one.evaluate("playback.setFrame('body:stage')")
        yield one


def place(page: Any, group: str, name: str, side: str) -> np.ndarray:
    """Place of a part of a device in axes of the stage, whose centre of mass is its origin."""
    found = f"playback.{group}.all.find((one) => one.item.name === '{name}').{side}"
    return np.array(page.evaluate(f"{found}.position.toArray()"))


def text(page: Any, name: str, t: float) -> str:
    one = f"playback.hover.all.find((one) => one.item.name === {name!r})"
    return page.evaluate(f"playback.hover.text({one}, {t})")


def test_a_bolt_leaves_one_half_on_each_body(page):
    page.evaluate(GO_TO, 0.4)
    assert place(page, "fasteners", "bolt", "sides[1]") == pytest.approx([0.5, 0.2, 0], abs=1e-6)
    page.evaluate(GO_TO, 1.0)
    record = device_record()
    assert place(page, "fasteners", "bolt", "sides[0]") == pytest.approx([0.5, 0.2, 0], abs=1e-6)
    last = {path: values[-1] for path, values in record.series.items()}
    (one, turn), (other, away) = (
        (last[f"bodies.{name}.position"], np.asarray(matrix_of(last[f"bodies.{name}.attitude"])))
        for name in ("payload", "stage")
    )
    wanted = away.T @ (one + turn @ [-0.5, 0.2, 0.0] - other)
    assert np.linalg.norm(wanted - [0.5, 0.2, 0]) > 0.3
    # The tolerance of the thinning is 1e-4 of the smallest body, of some 0.8 m, and 5e-4 rad over 0.6 m.
    assert place(page, "fasteners", "bolt", "sides[1]") == pytest.approx(wanted, abs=5e-4)
    # A failed bolt stays whole on the first body.
    assert place(page, "fasteners", "dud", "sides[1]") == pytest.approx([0.5, 0, 0], abs=1e-6)
    assert text(page, "dud", 1.0) == "failed device, not released; its joint is free"


def test_the_segments_of_a_band_leave_the_flanges_in_the_opening_time(page):
    script = "Math.hypot(...playback.bands.all[0].parts[3].mesh.position.toArray())"
    ways = []
    for t in (OPENED - 0.021, OPENED - 0.01, OPENED, 1.0):
        page.evaluate(GO_TO, t)
        ways.append(page.evaluate(script))
    # A tenth of the radius of 0.3 m.
    assert ways == pytest.approx([0, 0.015, 0.03, 0.03], abs=1e-6)
    assert text(page, "band", 0.0).startswith("closed, preload 86315 N")


def test_the_rod_of_a_piston_has_the_length_of_the_record(page):
    record = device_record()
    tip = """(() => {
        const { mouth, tip } = playback.pistons.ends(playback.pistons.all[0], playback.clock.time);
        return Math.hypot(...tip.map((x, k) => x - mouth[k]));
    })()"""
    for row in range(100, 201, 7):
        t = record.time[row]
        page.evaluate(GO_TO, t)
        wanted = min(record.series["devices.push.stroke"][row], 0.05)
        assert page.evaluate(tip) == pytest.approx(wanted, abs=2e-4), t
    assert text(page, "push", 0.55).startswith("acts, force 500 N")
    assert text(page, "push", SPENT + 0.01).startswith("spent, force 0 N")


def test_a_stop_is_at_its_limit_and_red_while_it_pushes(page):
    record = device_record()
    pushing = int(np.argmin(record.series["forces.end.force"]))
    page.evaluate(GO_TO, record.time[pushing])
    end = "ends[0].mesh"
    # The stop limits the travel from the start point at 0.4 m to 0.2 m.
    assert place(page, "stops", "end", end) == pytest.approx([0, 0, 0.6], abs=1e-5)
    colour = "playback.stops.all[0].ends[0].mesh.material.color.getHexString()"
    red = page.evaluate(colour)
    page.evaluate(GO_TO, 0.0)
    assert page.evaluate(colour) != red == "d3222a"


def test_a_contact_has_a_mark_and_an_arrow(page):
    times, values = device_record().courses["contacts.bump"]
    row = int(np.nanargmax(values["normal_force"]))
    page.evaluate(GO_TO, times[row])
    slider = "playback.bodies.all.get('slider').outer.position.toArray()"
    wanted = np.array(page.evaluate(slider)) + np.array([0.05, 0.03, 0.28])
    assert place(page, "contacts", "bump", "mesh") == pytest.approx(wanted, abs=1e-4)
    arrow = "playback.arrows.kinds.get('contact force').arrows[0].arrow"
    assert page.evaluate(f"{arrow}.visible && {arrow}.position.toArray()") == pytest.approx(wanted, abs=1e-4)
    page.evaluate(GO_TO, 0.01)
    assert not page.evaluate("playback.contacts.all[0].mesh.visible")


def test_the_pointer_shows_the_text_of_a_device(page):
    page.evaluate(GO_TO, 1.0)
    at = page.evaluate(
        """(() => {
            const { camera, canvas } = playback.stage;
            const p = playback.bands.all[0].parts[0].mesh.geometry.boundingSphere.center.clone();
            playback.bands.all[0].parts[0].mesh.localToWorld(p).project(camera);
            const box = canvas.getBoundingClientRect();
            return [box.left + ((p.x + 1) * box.width) / 2, box.top + ((1 - p.y) * box.height) / 2];
        })()"""
    )
    page.mouse.move(*at)
    page.get_by_text("band: released").first.wait_for(state="visible")
    page.mouse.move(5, 5)
    page.evaluate("playback.stage.drawNow()")
    assert page.locator(".labels .hover").is_hidden()


def test_the_list_of_devices_follows_the_time(page):
    page.get_by_text("Devices", exact=True).click()
    page.evaluate(GO_TO, 0.0)
    row = page.locator("aside li", has_text="band").first
    assert "closed" in row.inner_text()
    page.evaluate(GO_TO, 1.0)
    assert "released" in row.inner_text()


def test_names_of_devices_run_nothing(browser, tmp_path):  # noqa: F811
    scenario = flown_scenario()
    (spring,) = scenario.devices
    scenario = scenario.model_copy(update={"devices": (spring.model_copy(update={"name": NASTY}),)})
    record = separation_record(scenario)
    record = replace(
        record, series={k.replace("devices.spring", f"devices.{NASTY}"): v for k, v in record.series.items()}
    )
    path = tmp_path / "flight.html"
    path.write_text(html(Flight(record, scenario_text="")), encoding="utf-8")
    with opened(browser, path) as one:
        one.evaluate(GO_TO, END)
        one.get_by_text("Devices", exact=True).click()
        assert one.evaluate("globalThis.hacked") is None
        assert NASTY in one.locator("aside bdi", has_text="hacked").first.inner_text()
