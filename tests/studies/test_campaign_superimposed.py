"""Playback of cases of a campaign: order, verdicts, saved flights, and cases that cannot start."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from campaign_results import invented_result, save_result
from interstage.playback.page import html
from interstage.record.results import open_flight
from interstage.studies.campaign import CampaignResult, superimposed
from interstage.studies.campaign.columns import VERDICT
from interstage.studies.campaign.superimposed import (
    numbers_of,
    overlay_of_cases,
    verdict_of,
    worst_first,
)
from interstage.tree.errors import BadInput, Problem
from stub_flight import separation_record


@pytest.fixture
def result(tmp_path) -> CampaignResult:
    return CampaignResult.load(save_result(invented_result(), tmp_path / "campaign.cases"))


@pytest.fixture
def flown(monkeypatch) -> list[Any]:
    """Scenarios that were flown; their flights are the flight made by hand, nothing is simulated."""
    from interstage.record.results import Flight

    found: list[Any] = []

    def run(scenario: Any) -> Flight:
        found.append(scenario)
        return Flight(separation_record(scenario))

    monkeypatch.setattr("interstage.scenario.Scenario.run", run)
    return found


def scene(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found[1])


def test_numbers_are_read_from_texts():
    assert numbers_of(["5,17, 173", "5", "0"]) == [5, 17, 173, 0]
    for texts in (["5,x"], ["-3"], [","], ["1.5"]):
        with pytest.raises(BadInput, match="such as 5,17,173"):
            numbers_of(texts)


def test_the_worst_case_is_first_and_verdicts_are_those_of_the_campaign(result):
    cases = [3, 77, 12, 150]
    order = worst_first(result, cases)
    tip_off = [result["tip_off"][case] for case in order]
    assert tip_off == sorted(tip_off, reverse=True)
    (name,) = result.manifest.names.requirements
    for case in cases:
        met = result.columns[VERDICT + name][case] == 1
        assert verdict_of(result, case) == ("met" if met else "violated")


def test_missing_flights_are_flown_once_and_saved(result, flown):
    flight, others = overlay_of_cases(result, [4, 9])
    assert len(flown) == 2
    assert sorted(path.name for path in (result.folder / "flights").iterdir()) == ["case-4.nc", "case-9.nc"]
    again, same = overlay_of_cases(result, [4, 9])
    assert len(flown) == 2
    assert (others.first, others.flights[0].name) == (same.first, same.flights[0].name)
    data = scene(html(again, None, same))
    assert data["kind"] == "cases"
    assert data["frame"] == f"body:{data['reference']}"
    assert flight.scenario_text == again.scenario_text


def test_a_saved_flight_of_another_scenario_is_replaced(result, flown):
    overlay_of_cases(result, [4, 9])
    folder = result.folder / "flights"
    (folder / "case-4.nc").write_bytes((folder / "case-9.nc").read_bytes())
    lines: list[str] = []
    overlay_of_cases(result, [4, 9], notice=lines.append)
    assert len(flown) == 3
    assert "another scenario" in lines[0]
    assert open_flight(folder / "case-4.nc").scenario_text == result.scenario_of(4).to_toml()


def test_cases_that_cannot_start_are_listed(result, flown, monkeypatch):
    fly = superimposed.flight_of

    def only_four(result: Any, case: int, notice: Any) -> Any:
        if case != 4:
            raise BadInput(Problem("bodies.stage", "does not fit"))
        return fly(result, case, notice)

    monkeypatch.setattr(superimposed, "flight_of", only_four)
    flight, others = overlay_of_cases(result, [4, 9])
    assert others.first == "case 4"
    assert "case 9, because bodies.stage: does not fit" in html(flight, None, others)
    with pytest.raises(BadInput, match="no case can be shown"):
        overlay_of_cases(result, [9])


@pytest.mark.parametrize(
    ("cases", "body", "message"),
    [([4, 1000], "", "there is no case 1000"), ([4], "rocket", "there is no body 'rocket'")],
)
def test_unknown_cases_and_bodies_are_rejected(result, flown, cases, body, message):
    with pytest.raises(BadInput, match=message):
        overlay_of_cases(result, cases, body=body)


def test_the_command_shows_the_worst_cases(result, flown, capsys):
    from interstage.cli.main import app

    folder = result.folder
    app(["show", str(folder), "--worst", "3", "--relative-to", "stage"], standalone_mode=False)
    out = capsys.readouterr().out
    worst = result.worst(3)
    assert "The page has 3 cases" in out
    assert f"case {worst[0]} is solid" in out
    data = scene((folder.parent / "campaign.playback.html").read_text(encoding="utf-8"))
    assert [one["name"] for one in data["others"]] == [f"case {case}" for case in worst[1:]]
    assert data["frame"] == "body:stage"
    with pytest.raises(BadInput, match="both set"):
        app(["show", str(folder), "--worst", "3", "--cases", "1"], standalone_mode=False)
