"""The worst cases: their title, and their most unusual inputs compared with the statistics of all cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from campaign_results import DISPERSIONS, STUDY, first_scenario, invented_result, run_command, save_result
from interstage.studies.campaign import CampaignResult
from interstage.studies.campaign.page import html
from interstage.studies.campaign.printed import tables, worst_table
from interstage.studies.campaign.worst_inputs import unusual_inputs, worst_by, worst_inputs_table

MISSING = {"path": "devices.spring.strength", "choose": [0, 1], "probabilities": [0.98, 0.02], "value": 0}


@pytest.fixture(scope="module")
def result() -> CampaignResult:
    return invented_result({**STUDY, "dispersions": {**DISPERSIONS, "missing": MISSING}})


def test_distances_are_from_the_mean_of_all_cases_in_sigma(result):
    rows = result.order[:10]
    found = unusual_inputs(result, rows)
    names = ["mass", "offset_1", "offset_2", "missing"]
    values = np.array([result[name] for name in names])
    distances = (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)
    for row, inputs in zip(rows, found, strict=True):
        order = np.argsort(-np.abs(distances[:, row]))[:3]
        assert [one.input.name for one in inputs] == [names[k] for k in order]
        assert [one.distance for one in inputs] == pytest.approx(distances[order, row])
        assert [one.value for one in inputs] == values[order, row].tolist()


def test_a_rare_failure_is_the_most_unusual_input(result):
    failed = np.flatnonzero(result["missing"] == 0)
    assert 0 < len(failed) < 12
    for inputs in unusual_inputs(result, failed):
        assert inputs[0].input.name == "missing"
        assert inputs[0].distance == pytest.approx(-np.sqrt((200 - len(failed)) / len(failed)))


def test_weighted_cases_have_the_declared_mean_and_sigma():
    heavy = {"mass": {**DISPERSIONS["mass"], "importance": {"shift": 1.0}}}
    result = invented_result({**STUDY, "cases": 5000, "dispersions": {**DISPERSIONS, **heavy}})
    row = int(np.argmax(result["mass"]))
    (inputs,) = unusual_inputs(result, np.array([row]))
    assert inputs[0].input.name == "mass"
    assert inputs[0].distance == pytest.approx((result["mass"][row] - 100) / 2, rel=0.1)


def test_constant_inputs_and_single_cases_have_no_distance(result):
    one = CampaignResult(result.manifest, {name: values[:1] for name, values in result.columns.items()})
    assert unusual_inputs(one, np.array([0])) == [[]]
    assert worst_inputs_table(one, "SI", 5).rows == []
    constant = CampaignResult(result.manifest, {**result.columns, "input.mass": np.full(200, 100.0)})
    assert all(u.input.name != "mass" for row in unusual_inputs(constant, np.arange(200)) for u in row)


def test_the_table_has_units_and_the_order_of_the_worst_cases(result):
    table = worst_inputs_table(result, "US", 5)
    worst = [str(case) for case in result.worst(5)]
    assert list(dict.fromkeys(row[0] for row in table.rows)) == worst
    assert len(table.rows) == 15
    ((case, _, value, unit, distance),) = [row for row in table.rows if row[1] == "bodies.satellite.mass"][:1]
    mass = result["mass"][int(case)]
    assert (unit, float(value)) == ("slug", pytest.approx(mass / 14.593903, rel=1e-4))
    expected = (mass - result["mass"].mean()) / result["mass"].std()
    assert distance == f"{expected:+.1f}"


def test_titles_name_the_response_and_the_direction(result):
    assert worst_by(result) == "by tip_off, highest first"
    names = result.manifest.names

    def titled(**change: object) -> str:
        manifest = replace(result.manifest, names=names._replace(**change), _kept={})
        found = CampaignResult(manifest, result.columns, plan=result.plan)
        assert worst_table(found, "SI", 3).title == f"Worst cases {worst_by(found)}"
        return worst_by(found)

    (limit,) = names.limits
    assert titled(limits=(limit._replace(side="min"),)) == "by tip_off, lowest first"
    assert titled(limits=()) == "by speed, highest first"
    two = (limit, limit._replace(side="min"))
    assert titled(limits=two) == "by the smallest margin relative to the limits of tip_off, tip_off"


def test_the_terminal_and_the_page_list_the_inputs(result, tmp_path, capsys):
    title = "Most unusual inputs of the worst cases by tip_off, highest first"
    assert title in [table.title for table in tables(result, "SI")]
    folder = save_result(result, tmp_path / "saved")
    run_command("show", folder, "--worst", "2")
    out = capsys.readouterr().out
    shown = out.split(title)[1].split("\n\n")[0]
    for case in result.worst(2):
        assert sum(line.split()[:1] == [str(case)] for line in shown.splitlines()) == 3
    text = html(result, "SI")
    part = text.split(f"<h2>{title}</h2>")[1].split("</table>")[0]
    assert part.count("<tr>") == 1 + 30


def test_cases_that_could_not_start_have_their_inputs_too():
    result = invented_result({**STUDY, "cases": 40}, scenario=first_scenario())
    broken = {**result.columns, "outcome": result.outcomes.copy()}
    broken["outcome"][7] = "could not start"
    found = CampaignResult(result.manifest, broken)
    assert worst_inputs_table(found, "SI", 1).rows[0][0] == "7"
