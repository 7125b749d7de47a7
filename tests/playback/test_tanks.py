"""Tanks in the playback: data, and levels in a browser compared with closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_browser import GO_TO, browser, opened  # noqa: F401

from interstage.playback.page import html
from interstage.playback.scene import scene_of
from interstage.record.results import Flight
from tank_flights import END, FULL, JETTISON, draining_record


def test_each_tank_has_its_size_and_its_propellant():
    record = draining_record()
    data = scene_of(record).data
    tanks = {one["name"]: one for one in data["items"] if one["type"] == "tank"}
    assert {name: one["full"] for name, one in tanks.items()} == FULL
    assert {name: one["style"] for name, one in tanks.items()} == {
        "fuel": "cylinder",
        "gas": "sphere",
        "solid": "grain",
        "reserve": "gauge",
    }
    assert (tanks["fuel"]["radius"], tanks["fuel"]["height"]) == (0.5, 1.2)
    assert tanks["fuel"]["at"] == [-1.8, 0.0, 0.0]
    assert tanks["solid"]["height"] == 0.6
    # Without its values, as in a flight of few quantities, a tank is not drawn.
    del record.series["bodies.body_0.elements.gas.left"]
    assert "gas" not in [one["name"] for one in scene_of(record).data["items"]]


def test_a_cylinder_without_a_height_is_full_at_the_start():
    record = draining_record()
    (body,) = record.scenario.bodies
    fuel = body.elements[0].model_copy(update={"height": None})
    changed = body.model_copy(update={"elements": (fuel, *body.elements[1:])})
    record.scenario = record.scenario.model_copy(update={"bodies": (changed,)})
    (tank,) = (one for one in scene_of(record).data["items"] if one["name"] == "fuel")
    assert tank["height"] == pytest.approx(600 / (800 * np.pi * 0.25), rel=1e-12)


def volume(positions: Any) -> float:
    """Volume of a closed surface from its triangles (n, 3, 3), by the divergence theorem."""
    corners = np.array(positions).reshape(-1, 3, 3)
    return abs(np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()) / 6


@pytest.mark.long
def test_the_drawn_volume_is_the_mass_of_the_record(browser, tmp_path):  # noqa: F811
    path = tmp_path / "flight.html"
    path.write_text(html(Flight(draining_record(), scenario_text="")), encoding="utf-8")
    find = "playback.tanks.all.find((one) => one.item.name === '{}')"
    with opened(browser, path) as page:
        for t in (0.0, 1.3, 2.9, 3.9):
            page.evaluate(GO_TO, t)
            for name, density in (("fuel", 800), ("gas", 500), ("solid", 1700)):
                shape = f"{find.format(name)}.mesh.geometry.toNonIndexed().getAttribute('position').array"
                found = density * volume(page.evaluate(f"Array.from({shape})"))
                # A circle of 40 corners has 0.41 % less area; the sphere has 20 steps; 0.2 % is not drawn.
                allowed = (0.0042 + 0.01 * (name == "gas")) * FULL[name] + 0.002 * FULL[name]
                assert found == pytest.approx(FULL[name] * (1 - t / END), abs=allowed), (name, t)
            visible = page.evaluate(f"{find.format('reserve')}.holder.visible")
            assert visible == (t < JETTISON)
        text = page.evaluate(f"playback.tanks.text({find.format('fuel')}, 1)")
        assert text == "75.0 % left, 450.0 kg"
        page.evaluate(GO_TO, END)
        assert not page.evaluate(f"{find.format('fuel')}.mesh.visible")
