"""Flexible bodies and beams in a browser, compared with closed forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from test_browser import GO_TO, browser, opened  # noqa: F401

from bent_flights import CURVATURE, LENGTH, MODE, arc, bent_record, shape
from interstage.playback.deformation import SMALL
from interstage.playback.page import html
from interstage.record.results import Flight

pytestmark = pytest.mark.long
RATE, START = 7.0, 0.0
HIGHEST = np.pi / (2 * RATE)
"""Time of the largest curvature of the beam [s]."""


@pytest.fixture
def page(browser, tmp_path) -> Iterator[Any]:  # noqa: F811
    path = tmp_path / "flight.html"
    path.write_text(html(Flight(bent_record(), scenario_text="")), encoding="utf-8")
    with opened(browser, path) as one:
        one.evaluate("playback.setFrame('body:body_0')")
        yield one


def corners(page: Any, mesh: str) -> np.ndarray:
    """Corners of a mesh (n, 3) in its own axes."""
    return np.array(page.evaluate(f"Array.from({mesh}.geometry.getAttribute('position').array)")).reshape(
        -1, 3
    )


def test_a_body_is_bent_with_the_stated_factor(page):
    """A parabola through five points; a cubic polynomial with the same slopes is this parabola."""
    part = "playback.flexible.bodies[0].parts[0]"
    base = np.array(page.evaluate(f"Array.from({part}.base.array)")).reshape(-1, 3)
    # The axis z of the cylinder is x of the body, and starts at its end.
    along = (base[:, 2] - LENGTH / 2) / LENGTH
    assert len(np.unique(along.round(3))) > 20
    # The beam bends by more than a twentieth of its length, so that the default is the true size.
    assert page.locator(".factor").inner_text() == "deformation × 1"
    factor = 50
    page.get_by_label("Factor of deformations").select_option(str(factor))
    page.evaluate(GO_TO, START)
    assert page.locator(".factor").inner_text() == "deformation × 50"
    way = corners(page, f"{part}.part") - base
    size = np.linalg.norm(way, axis=1)
    on_axis = np.abs(base[:, :2]).max(axis=1) < 1e-6
    assert on_axis.any()
    wanted = np.abs(factor * MODE * shape(along[on_axis]))
    assert np.abs(size[on_axis] - wanted).max() < factor * SMALL * 8 * MODE
    page.get_by_label("Factor of deformations").select_option("1")
    page.evaluate("playback.stage.drawNow()")
    assert page.locator(".factor").inner_text() == "deformation × 1"
    way = corners(page, f"{part}.part") - base
    assert np.linalg.norm(way[on_axis], axis=1) == pytest.approx(wanted / factor, abs=SMALL * 8 * MODE)


def test_a_beam_follows_its_curve(page):
    page.evaluate("playback.setFactor(1)")
    page.evaluate(GO_TO, HIGHEST)
    ring = corners(page, "playback.flexible.beams[0].mesh").reshape(-1, 12, 3).mean(axis=1)
    lengths = [0.0, *(LENGTH * (k + 0.5) / 10 for k in range(10)), LENGTH]
    wanted = np.array([arc(np.array([CURVATURE]), s)[0][0] for s in lengths])
    assert np.abs(ring - wanted).max() < 2 * SMALL * CURVATURE * LENGTH**2
    page.evaluate("playback.setFactor(2)")
    page.evaluate("playback.stage.drawNow()")
    twice = corners(page, "playback.flexible.beams[0].mesh").reshape(-1, 12, 3).mean(axis=1)
    straight = np.outer(lengths, [1, 0, 0])
    assert np.abs(twice - straight - 2 * (ring - straight)).max() < 1e-4


def test_copies_at_other_times_keep_their_shape(page):
    page.evaluate("playback.setFactor(50)")
    page.evaluate(f"playback.setStrobe([{np.pi / RATE}])")
    page.evaluate(GO_TO, START)
    ghost = "playback.strobe.group.children[0].children[0].children[0].children[0]"
    part = "playback.flexible.bodies[0].parts[0]"
    base = np.array(page.evaluate(f"Array.from({part}.base.array)")).reshape(-1, 3)
    there, here = corners(page, ghost) - base, corners(page, f"{part}.part") - base
    # Half a period later all deflections have the other sign.
    assert np.abs(here).max() > 0.1
    assert np.abs(there + here).max() < 4 * 50 * SMALL * 8 * MODE
