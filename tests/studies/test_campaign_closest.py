"""Figure of the closest approach: nearest places of the worst cases on the outlines of both bodies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.drawing.figure import BAD, Line, Points
from interstage.studies.campaign import CampaignResult, closest_figures
from interstage.studies.campaign.closest_figures import GREY, approaches, distances_of, nearest_cases
from interstage.studies.campaign.figures import figures_and_notes

ROOT = Path(__file__).parents[2]
SIDES = {"stage": [1.0, 1.0, 2.4], "satellite": [0.6, 0.5, 0.8]}
CASES = 14
INITIAL = """{ position = "[3, -2, 5] m", attitude = { euler = "3-2-1", angles = "[40, -25, 70] deg" },
    angular_velocity = "[2, -1, 3] deg/s" }""".replace("\n   ", "")
STUDY: dict[str, Any] = {
    "cases": CASES,
    "seed": 3,
    "dispersions": {
        "mass": {"path": "bodies.satellite.mass", "sigma": "2 %"},
        "offset": {"path": ["devices.spring.parent_at.x", "devices.spring.parent_at.y"], "sigma": "8 mm"},
    },
}
GAP = """
clearance.gap = { between = ["stage", "satellite"], after = "apart" }
requirements.gap = { quantity = "clearance.gap.distance", max = "10 m", at = "end" }
"""


@pytest.fixture(scope="module")
def scenario(tmp_path_factory) -> ist.Scenario:
    """Two boxes, of which the second one leaves along z and turns. They have a gap of 2 cm before."""
    text = (ROOT / "examples" / "first.toml").read_text(encoding="utf-8")
    text = text.replace('elapsed = "5 s"', 'elapsed = "0.5 s"').replace('time = "1 s"', 'time = "0.1 s"')
    assert "initial = {}" in text
    text = text.replace("initial = {}", f"initial = {INITIAL}")
    for name, size in SIDES.items():
        begin = f"bodies.{name} = {{ "
        assert begin in text
        text = text.replace(begin, f'{begin}shapes.box = {{ kind = "box", size = "{size} m" }}, ')
    path = tmp_path_factory.mktemp("closest") / "gap.toml"
    path.write_text(text + GAP, encoding="utf-8")
    return ist.load(path)


@pytest.fixture(scope="module")
def found(scenario) -> CampaignResult:
    return scenario.campaign(STUDY, progress=False)


def test_nearest_points_are_as_far_apart_as_the_distance(scenario, found):
    """In axes of the first body, by the attitude and place of the second one."""
    for case in nearest_cases(found, "clearance.gap")[:2]:
        (one,) = approaches(found.fly(case), "clearance.gap", case)
        first, second = one.ends
        # Attitude and place are rounded numbers of the flight, with some operations each.
        assert np.linalg.norm(second - first) == pytest.approx(abs(one.found.distance), abs=1e-9)
        own = one.turn.T @ (second - one.place)
        for point, body in ((first, "stage"), (own, "satellite")):
            half = 0.5 * np.array(SIDES[body])
            assert np.max(np.abs(point) - half) == pytest.approx(0.0, abs=1e-9)  # on the surface
        np.testing.assert_allclose(one.turn @ one.turn.T, np.eye(3), atol=1e-12)


def test_the_cases_with_the_smallest_distances_are_drawn(found):
    assert distances_of(found) == ["clearance.gap"]
    distances = found["gap"]
    assert nearest_cases(found, "clearance.gap") == np.argsort(distances)[:12].tolist()


def test_the_figure_has_outlines_and_places(found):
    figures, notes = closest_figures.closest_figures(found, "SI")
    (figure,) = figures
    assert notes == []
    assert figure.key == "closest-gap"
    (panels,) = figure.rows
    first = [panel.x.label for panel in panels], [panel.y.label for panel in panels]
    assert first == (["z of stage [m]"] * 2, ["x of stage [m]", "y of stage [m]"])
    for panel, side in zip(panels, (0, 1), strict=True):
        stage = next(mark for mark in panel.marks if isinstance(mark, Line) and mark.colour == GREY)
        corners = np.array([stage.x, stage.y])
        expected = np.array([SIDES["stage"][2], SIDES["stage"][side]])
        np.testing.assert_allclose(
            np.abs(corners), 0.5 * np.tile(expected[:, None], corners.shape[1]), rtol=1e-6
        )
        places = [mark for mark in panel.marks if isinstance(mark, Points) and mark.shape == "dot"]
        crosses = [mark for mark in panel.marks if isinstance(mark, Points) and mark.shape == "cross"]
        assert sum(len(mark.x) for mark in (*places, *crosses)) == 2 * 12
    assert "12 cases with the smallest distances, on stage and satellite" in figure.caption
    assert "The smallest distance is" in figure.description
    assert "closest-gap" in [one.key for one in figures_and_notes(found, "US")[0]]


def test_contacts_are_crosses_and_close_points_are_dark(found):
    case = nearest_cases(found, "clearance.gap")[0]
    (one,) = approaches(found.fly(case), "clearance.gap", case)
    some = [
        one._replace(found=replace(one.found, distance=distance), contact=distance < 0)
        for distance in (-0.01, 0.02, 0.05, 0.08)
    ]
    ends = np.arange(16.0).reshape(4, 2, 2)
    line, *marks = closest_figures._places(some, ends)
    assert isinstance(line, Line)
    points = [mark for mark in marks if isinstance(mark, Points)]
    assert [(mark.shape, mark.colour, np.asarray(mark.x).tolist()) for mark in points] == [
        ("dot", closest_figures.SHADES[2], [12.0, 14.0]),
        ("dot", closest_figures.SHADES[1], [8.0, 10.0]),
        ("dot", closest_figures.SHADES[0], [4.0, 6.0]),
        ("cross", BAD, [0.0, 2.0]),
    ]
    assert np.isnan(line.y[2::3]).all()
    assert np.isfinite(np.delete(line.y, slice(2, None, 3))).all()


def test_a_campaign_without_distances_flies_nothing(found, monkeypatch):
    names = found.manifest.names._replace(limits=(), responses=found.manifest.names.limits[:1])
    names = names._replace(
        responses=(names.responses[0]._replace(quantity="pairs.stage.satellite.distance"),)
    )
    other = replace(found.manifest, names=names)
    monkeypatch.setattr(found, "manifest", other)
    monkeypatch.setattr(CampaignResult, "fly", None)
    assert closest_figures.closest_figures(found, "SI") == ([], [])
