"""Comparisons of two campaigns with the same cases: statistics by SciPy, and campaigns that are refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from campaign_results import DISPERSIONS, STUDY, first_scenario, invented_result, run_command, save_result
from interstage.studies.campaign import CampaignResult, run
from interstage.studies.campaign.columns import names_of
from interstage.studies.campaign.comparison_page import html, other_cases_table, tables
from interstage.studies.campaign.manifest import manifest_of
from interstage.tree.errors import BadInput

MEMBERS = ["devices.spring.preload", "devices.spring.stiffness"]
LOT = {"x": {"path": MEMBERS, "sigma": "2 %", "lot": "a", "lot_share": 0.5}}
LOT_SIGMA = {"x": {"path": MEMBERS, "sigma": "2 %", "lot": "a", "lot_sigma": "1 %"}}
CHOICE = {"x": {"path": "devices.spring.strength", "values": [1, 0.9], "probabilities": [0.7, 0.3]}}
OFFSETS = {"y": DISPERSIONS["offset"]}
FORMULA = {"x": {"path": "devices.spring.stiffness", "formula": "nominal + mass"}}


@pytest.fixture(scope="module")
def before() -> CampaignResult:
    return invented_result()


@pytest.fixture(scope="module")
def after() -> CampaignResult:
    """Smaller rates, and a higher speed with some scatter."""
    scatter: Any = np.random.default_rng(4).normal(size=200)
    stiffer = first_scenario({"devices.spring.stiffness": "3.9 kN/m"})
    return invented_result(scenario=stiffer, gain=1.6, faster=0.01 + 0.005 * scatter)


def with_dispersions(**more: Any) -> CampaignResult:
    return invented_result({**STUDY, "dispersions": {**DISPERSIONS, **more}})


def with_columns(result: CampaignResult, **columns: Any) -> CampaignResult:
    return CampaignResult(result.manifest, {**result.columns, **columns}, plan=result.plan)


# --- what a comparison shows


def test_mean_differences_are_those_of_a_paired_t_test(before, after):
    one = before.compare(after).response("speed")
    expected = stats.ttest_rel(after["speed"], before["speed"]).confidence_interval(0.9)
    assert [*one.means.difference.interval] == pytest.approx([*expected])
    assert one.means.difference.value == pytest.approx((after["speed"] - before["speed"]).mean())
    assert one.means_of_each == pytest.approx((before["speed"].mean(), after["speed"].mean()))
    factor = 1 / 0.3048
    low, high = (f"{factor * end:.4g}" for end in expected)
    assert one.sentence("US").startswith("speed [ft/s]: The mean of B is above")
    assert one.sentence("US").endswith(f"{low} to {high}).")


def test_failures_are_compared_by_the_exact_test(before, after):
    one = before.compare(after).requirement("tip_off")
    a, b = (np.asarray(result["tip_off"]) > np.radians(1.0) for result in (before, after))
    assert a.sum() > b.sum() > 0
    assert one.only_second.tolist() == np.flatnonzero(a & ~b).tolist()
    assert one.only_first.tolist() == np.flatnonzero(b & ~a).tolist() == []
    expected = stats.binomtest(len(one.only_second), len(one.only_second)).pvalue
    assert one.failures.p_value == pytest.approx(expected)
    assert one.sentence.startswith(f"tip_off: Of 200 cases, {a.sum()} fail in A and {b.sum()} fail in B;")
    assert f"B fails less often than A (p = {expected:.2g}," in one.sentence
    other = after.compare(before).requirement("tip_off")
    assert (other.only_first.tolist(), other.failures.p_value) == (
        one.only_second.tolist(),
        one.failures.p_value,
    )
    assert "B fails more often" in other.sentence


def test_the_changed_inputs_are_listed(before, after):
    assert before.compare(after).changes == (("devices.spring.stiffness", 4000.0, 3900.0),)


def test_equal_campaigns_show_no_difference(before):
    found = before.compare(before)
    assert all(one.is_equal and one.means is None for one in found.responses)
    assert found.sentences()[1].endswith("The difference is not significant at 90 % confidence (p = 1).")
    assert found.sentences()[2] == "tip_off [deg/s]: A and B are equal in all cases, within rounding."
    assert found.changes == ()
    # Rounding is not a difference.
    noise = 1 + 1e-13 * np.random.default_rng(1).normal(size=200)
    rounded = with_columns(before, **{"response.speed": before["speed"] * noise})
    assert before.compare(rounded).response("speed").is_equal
    assert "<svg" not in html(found, "SI")


def test_cases_of_one_campaign_only_are_counted_and_listed(before):
    larger = invented_result({**STUDY, "cases": 230})
    found = before.compare(larger)
    assert found.summary == "200 cases are in both A and B; 30 are only in B."
    assert found.only_second.tolist() == [*range(200, 230)]
    assert other_cases_table(found).rows == [["B", "30", "200 to 229"]]
    gaps = CampaignResult(larger.manifest, {k: v[[1, 2, 5, 229]] for k, v in larger.columns.items()})
    found = gaps.compare(before)
    assert found.summary == "3 cases are in both A and B; 1 is only in A; 197 are only in B."
    assert other_cases_table(found).rows[1] == ["B", "197", "0, 3 to 4, 6 to 199"]
    alone = CampaignResult(larger.manifest, {k: v[[229]] for k, v in larger.columns.items()})
    with pytest.raises(BadInput, match=r"cases: .* no case in common"):
        before.compare(alone)


def test_cases_without_a_number_are_left_out_of_means(before):
    speed = before["speed"] + 0.5
    speed[[1, 2]], speed[3] = np.nan, np.inf
    tip_off = before["tip_off"].copy()
    tip_off[1] = np.nan
    other = invented_result(speed=speed, tip_off=tip_off)
    found = before.compare(other)
    assert found.response("speed").known.sum() == 197
    assert any("means of speed omit 3 of 200 cases" in note for note in found.notes)
    # A case without a verdict counts as a failure of B, or does not count.
    assert found.requirement("tip_off").only_first.tolist() == [1]
    left_out = replace(other.manifest, study={**other.manifest.study, "failures": "leave_out"}, _kept={})
    one = before.compare(CampaignResult(left_out, other.columns)).requirement("tip_off")
    assert (one.only_first.tolist(), one.left_out, one.failures.cases) == ([], 1, 199)
    speed[2:] = np.nan
    few = before.compare(invented_result(speed=speed))
    text = few.response("speed").sentence("SI")
    assert "only 1 case " in text
    assert "at least 3 cases" in text


def test_weighted_cases_have_weighted_differences():
    heavy = {"mass": {**DISPERSIONS["mass"], "importance": {"shift": 0.5}}}
    study = {**STUDY, "cases": 2000, "dispersions": {**DISPERSIONS, **heavy}}
    before, after = invented_result(study), invented_result(study, gain=1.6, faster=0.01)
    found = before.compare(after)
    change = after["tip_off"] - before["tip_off"]
    means = found.response("tip_off").means
    assert means is not None
    assert means.difference.value == pytest.approx(np.average(change, weights=before.weights))
    failures = found.requirement("tip_off").failures
    failed = [(result["tip_off"] > np.radians(1.0)).astype(float) for result in (before, after)]
    assert failures.difference.value == pytest.approx(np.mean(before.weights * (failed[1] - failed[0])))
    assert failures.difference.upper < 0
    assert np.isnan(failures.p_value)
    assert "McNemar" not in found.sentences()[1]
    assert found.sentences()[1].startswith("tip_off: The probability of failure is lower in B than in A by")
    same = before.compare(before).requirement("tip_off")
    assert "difference is not significant" in same.sentence
    assert "too few weighted cases differ" in same.sentence
    assert "B over A" not in html(found, "SI")


def test_requirements_and_responses_of_one_campaign_only_are_named(before):
    fewer = {name: one for name, one in STUDY["responses"].items() if name != "speed"}
    fewer["rate_x"] = {"quantity": "pairs.stage.satellite.relative_rate.z", "at": "end"}
    stricter = first_scenario({"requirements.tip_off.max": "0.5 deg/s"})
    found = before.compare(invented_result({**STUDY, "responses": fewer}, scenario=stricter))
    assert found.skipped == (
        "The response speed is only in A.",
        "rate_x is not compared. rate_x is pairs.stage.satellite.relative_rate.x, at the end in A, but "
        "pairs.stage.satellite.relative_rate.z, at the end in B.",
    )
    assert [one.name for one in found.responses] == ["tip_off", "rate_y"]
    assert found.requirement("tip_off").sentence.endswith(
        "The limits of the requirement differ between A and B."
    )


# --- dispersions with other draws


def test_dispersions_of_one_campaign_only_are_listed(before):
    heat = {"heat": {"mean": "300 K", "sigma": "8 K"}}
    after = with_dispersions(**heat, **FORMULA)
    for one, other, where in ((before, after, "B"), (after, before, "A")):
        found = one.compare(other)
        assert len(found.cases) == 200
        assert found.same == ("mass", "offset")
        assert found.unpaired == (("heat", where, ""), ("x", where, ""))
        (note,) = [text for text in found.notes if "heat" in text]
        assert note.startswith(f"heat, x are dispersed in {where} only.")
        assert "The differences between A and B include their effects" in note
        (table,) = [table for table in tables(found, "SI") if table.key == "unpaired"]
        assert table.rows[0] == ["heat", where, f"dispersed in {where} only"]
        assert "mass, offset" in table.note
        assert "heat, x are dispersed" in html(found, "SI")


def test_common_cases_have_the_same_draws_whatever_else_is_dispersed(before):
    after = with_dispersions(heat={"mean": "300 K", "sigma": "8 K"})
    assert after["mass"].tolist() == before["mass"].tolist()
    one = before.compare(after).response("speed")
    assert one.is_equal


def test_a_removed_dispersion_pairs_the_others(before):
    fewer = {**STUDY, "dispersions": {"offset": DISPERSIONS["offset"]}}
    mass = np.full(200, 100.0)
    plan = run.make_plan(first_scenario(), run.study_of(fewer), None)
    assert np.array_equal(plan.draw().inputs["offset_1"], before["offset_1"])
    manifest = replace(
        before.manifest,
        study={**before.manifest.study, "dispersions": [before.manifest.study["dispersions"][1]]},
        names=before.manifest.names._replace(inputs=before.manifest.names.inputs[1:]),
        _kept={},
    )
    found = before.compare(CampaignResult(manifest, {**before.columns, "input.mass": mass}))
    assert found.unpaired == (("mass", "A", ""),)
    assert found.same == ("offset",)
    (change,) = found.changes
    assert (change[0], change[1]["sigma"], change[2]) == ("dispersions.mass", "2 %", None)


def test_another_path_of_a_dispersion_is_listed(before):
    stage = {**DISPERSIONS["mass"], "path": "bodies.stage.mass"}
    found = before.compare(invented_result({**STUDY, "dispersions": {**DISPERSIONS, "mass": stage}}))
    assert found.same == ("offset",)
    assert found.unpaired == (
        ("mass (bodies.satellite.mass)", "A", ""),
        ("mass (bodies.stage.mass)", "B", ""),
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "day"}, "kind: flight in A, day in B"),
        ({"sigma": None, "values": ["99 kg", "101 kg"]}, "distribution in A, values in B"),
    ],
)
def test_dispersions_with_other_draws_are_listed_with_the_reason(before, change, reason):
    mass = {key: value for key, value in {**DISPERSIONS["mass"], **change}.items() if value is not None}
    found = before.compare(invented_result({**STUDY, "dispersions": {**DISPERSIONS, "mass": mass}}))
    assert found.same == ("offset",)
    assert found.unpaired == (("mass", "A and B", reason),)
    (note,) = [text for text in found.notes if text.startswith("The dispersion mass")]
    assert f"The dispersion mass has different draws in A and B: {reason}." in note


def test_loops_change_the_draws_of_their_kinds_only():
    loops = {"known": 10, "day": 20}
    day = {"day": {"path": "bodies.stage.mass", "sigma": "1 %", "kind": "known"}}
    rest = {key: {**value, "kind": "day"} for key, value in DISPERSIONS.items()}
    study = {**STUDY, "dispersions": {**rest, **day}}
    one = invented_result({**study, "loops": loops})
    found = one.compare(invented_result({**study, "loops": {"known": 20, "day": 10}}))
    assert found.same == ("mass", "offset")
    assert found.unpaired[0][:2] == ("day", "A and B")


def test_correlations_change_the_draws_of_their_group():
    pair = {
        "x": {"path": "devices.spring.preload", "sigma": "2 %"},
        "y": {"path": "devices.spring.stiffness", "sigma": "2 %"},
    }
    study = {**STUDY, "dispersions": {**DISPERSIONS, **pair}}
    groups = [{"c": {"of": ["x", "y"], "value": value}} for value in (0.2, 0.6)]
    one, other = (invented_result({**study, "correlations": group}) for group in groups)
    found = one.compare(other)
    # The first of a group has its own draw in any case.
    assert found.same == ("mass", "offset", "x")
    assert found.unpaired == (("y", "A and B", "its correlations differ"),)


def test_sobol_points_depend_on_the_order():
    study = {**STUDY, "design": "sobol", "cases": 256}
    one = invented_result(study)
    heat = {"heat": {"mean": "300 K", "sigma": "8 K"}}
    last = one.compare(invented_result({**study, "dispersions": {**DISPERSIONS, **heat}}))
    assert last.same == ("mass", "offset")
    order = {"mass": DISPERSIONS["mass"], **heat, "offset": DISPERSIONS["offset"]}
    middle = one.compare(invented_result({**study, "dispersions": order}))
    assert middle.same == ("mass",)
    assert {*middle.unpaired} == {
        ("offset", "A and B", "Sobol points depend on the order of the dispersions"),
        ("heat", "B", ""),
    }


# --- campaigns without pairs are refused with one message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 4}, ["seed: 3 in A, 4 in B", "Use the same seed"]),
        (
            {"design": "sobol", "cases": 256},
            ["design: random in A, sobol in B", "Use the same seed and design"],
        ),
        (
            {"seed": 9, "design": "latin_hypercube"},
            ["seed: 3 in A, 9 in B; design: random in A, latin_hypercube in B; block: not set in A"],
        ),
        (
            {"dispersions": {"x": {"path": "bodies.satellite.mass", "sigma": "2 %"}, **OFFSETS}},
            ["mass: in A only; offset: in A only; x: in B only", "Use the same dispersions"],
        ),
    ],
)
def test_campaigns_without_common_draws_are_refused_with_one_message(before, change, words):
    plan = run.make_plan(first_scenario(), run.study_of({**STUDY, **change}), None)
    draws = plan.draw(0, 200)
    manifest = manifest_of(plan, names_of(plan, run.responses_of(plan)), before.manifest.settings, None)
    columns = {**before.columns, **{f"input.{name}": values for name, values in draws.inputs.items()}}
    with pytest.raises(BadInput) as error:
        before.compare(CampaignResult(manifest, columns))
    (problem,) = error.value.problems
    assert "no draws in common" in problem.message
    for word in words:
        assert word in problem.message


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (LOT, {"lot_share": 0.6}, "dispersions.x.lot_share: 0.5 in A, 0.6 in B"),
        (CHOICE, {"probabilities": [0.6, 0.4]}, "dispersions.x.probabilities[0]: 0.7 in A"),
        (
            CHOICE,
            {"values": [1, 0.9, 0.8], "probabilities": [0.7, 0.2, 0.1]},
            "dispersions.x.values[2]: not set in A",
        ),
        (
            LOT,
            {"lot_share": None, "lot_sigma": "1 %"},
            "dispersions.x.lot_sigma: not set in A, 1 % in B",
        ),
        (LOT_SIGMA, {"sigma": "1 %"}, "dispersions.x.sigma: 2 % in A, 1 % in B"),
        (LOT, {"distribution": "uniform"}, None),
        (LOT, {"sigma": "1 %"}, None),
        (CHOICE, {"values": [1, 0.8]}, None),
        (FORMULA, {"formula": "nominal + 2 * mass"}, None),
    ],
)
def test_dispersions_may_differ_if_the_draws_are_the_same(one, other, message):
    changed = {"x": {key: value for key, value in {**one["x"], **other}.items() if value is not None}}
    before, after = with_dispersions(**one), with_dispersions(**changed)
    if message is None:
        assert len(before.compare(after).cases) == 200
        assert before.compare(after).changes[0][0].startswith("dispersions.x.")
        assert before.compare(after).unpaired == ()
    else:
        found = before.compare(after)
        assert found.same == ("mass", "offset")
        ((name, where, reason),) = found.unpaired
        assert (name, where) == ("x", "A and B")
        assert message.removeprefix("dispersions.x.") in reason


def test_a_changed_nominal_value_keeps_the_draw(before):
    heavier = invented_result(scenario=first_scenario({"bodies.satellite.mass": "120 kg"}))
    assert not np.allclose(heavier["mass"], before["mass"])
    assert len(before.compare(heavier).cases) == 200


def test_columns_with_other_draws_are_listed(before):
    mass = before["mass"].copy()
    mass[17] *= 1.001
    ((name, where, reason),) = before.compare(with_columns(before, **{"input.mass": mass})).unpaired
    assert (name, where) == ("mass", "A and B")
    assert re.fullmatch(r"case 17 has \S+ in A, \S+ in B \(SI\)", reason)
    wider = with_dispersions(mass={**DISPERSIONS["mass"], "sigma": "4 %"})
    assert before.compare(wider).unpaired == ()
    shuffled = wider["mass"][::-1].copy()
    ((name, _, reason),) = before.compare(with_columns(wider, **{"input.mass": shuffled})).unpaired
    assert name == "mass"
    assert reason.startswith("case ")
    weights = np.linspace(0.5, 1.5, 200)
    with pytest.raises(BadInput, match="importance: A and B have different weights"):
        before.compare(with_columns(before, weight=weights))


# --- percentiles of the differences


def test_percentiles_of_differences_are_order_statistics(before, after):
    found = before.compare(after)
    one = found.response("speed")
    change = np.sort(after["speed"] - before["speed"])
    expected = stats.quantile_test(change, q=0, p=0.5).confidence_interval(0.9)
    median = one.percentile(0.5)
    assert [median.lower, median.upper] == pytest.approx([*expected])
    assert median.value == pytest.approx(np.median(change))
    high = one.percentile(0.9973)
    assert (high.value, high.upper) == (pytest.approx(change[-1]), np.inf)
    (table,) = [table for table in tables(found, "SI") if table.key == "differences"]
    rows = [row for row in table.rows if row[0] == "speed [m/s]"]
    assert [row[1] for row in rows] == ["0.27 %", "5 %", "50 %", "95 %", "99.73 %"]
    assert rows[2][2:] == [f"{median.value:+.4g}", f"{median.lower:+.4g} to {median.upper:+.4g}"]
    assert rows[4][3].endswith(" to -")
    assert "order statistics" in table.note
    assert "Percentiles of the differences B - A" in html(found, "SI")


def test_percentiles_of_weighted_differences_are_weighted():
    heavy = {"mass": {**DISPERSIONS["mass"], "importance": {"shift": 0.5}}}
    study = {**STUDY, "cases": 2000, "dispersions": {**DISPERSIONS, **heavy}}
    before = invented_result(study)
    found = before.compare(invented_result(study, gain=1.6))
    change, weights = -0.2 / 1.8 * before["tip_off"], before.weights
    order = np.argsort(change)
    reached = np.cumsum(weights[order]) / weights.sum()
    median = found.response("tip_off").percentile(0.5)
    assert median.value == pytest.approx(change[order][np.argmax(reached >= 0.5)])
    assert median.lower < median.value < median.upper


# --- the command


def test_the_command_prints_and_writes_the_comparison(before, after, tmp_path, capsys):
    a, b = save_result(before, tmp_path / "a"), save_result(after, tmp_path / "b")
    file = tmp_path / "page.html"
    assert run_command("compare", a, b, "--report", file, "--units", "US") == 0
    out = capsys.readouterr().out
    found = CampaignResult.load(a).compare(CampaignResult.load(b))
    for sentence in found.sentences("US"):
        assert sentence in out
    assert f"Wrote {file}." in out
    assert f"A: {a}\nB: {b}\n" in out
    text = file.read_text(encoding="utf-8")
    assert text == html(found, "US")
    assert f">A: {a}" in text
    assert f">B: {b}" in text
    assert text.count("<figure>") == 4
    other = save_result(invented_result({**STUDY, "seed": 4}), tmp_path / "c")
    assert run_command("compare", a, other) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "seed: 3 in A, 4 in B" in line
    assert run_command("compare", a, tmp_path / "none") == 2
    assert "has no campaign" in capsys.readouterr().err
