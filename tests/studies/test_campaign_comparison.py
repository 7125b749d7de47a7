"""Comparisons of two campaigns with the same cases: statistics by SciPy, and campaigns that are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from campaign_results import DISPERSIONS, STUDY, first_scenario, invented_result, run_command, save_result
from interstage.studies.campaign import CampaignResult
from interstage.studies.campaign.comparison_page import html, other_cases_table
from interstage.tree.errors import BadInput

MEMBERS = ["devices.spring.preload", "devices.spring.stiffness"]
LOT = {"x": {"path": MEMBERS, "sigma": "2 %", "lot": "a", "lot_share": 0.5}}
LOT_SIGMA = {"x": {"path": MEMBERS, "sigma": "2 %", "lot": "a", "lot_sigma": "1 %"}}
CHOICE = {"x": {"path": "devices.spring.strength", "values": [1, 0.9], "probabilities": [0.7, 0.3]}}
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
    assert one.sentence("US").endswith(f"with 90 % confidence ({low} to {high}).")


def test_failures_are_compared_by_the_exact_test(before, after):
    one = before.compare(after).requirement("tip_off")
    a, b = (np.asarray(result["tip_off"]) > np.radians(1.0) for result in (before, after))
    assert a.sum() > b.sum() > 0
    assert one.only_second.tolist() == np.flatnonzero(a & ~b).tolist()
    assert one.only_first.tolist() == np.flatnonzero(b & ~a).tolist() == []
    expected = stats.binomtest(len(one.only_second), len(one.only_second)).pvalue
    assert one.failures.p_value == pytest.approx(expected)
    assert one.sentence.startswith(f"tip_off: A fails in {a.sum()} and B in {b.sum()} of 200 cases;")
    assert one.sentence.endswith(f"B fails less often (p = {expected:.2g}, McNemar's exact test).")
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
    assert found.sentences()[1].endswith("No difference is shown with 90 % confidence (p = 1).")
    assert found.sentences()[2] == "tip_off [deg/s]: A and B are equal in all cases, within rounding errors."
    assert found.changes == ()
    # Rounding is not a difference.
    noise = 1 + 1e-13 * np.random.default_rng(1).normal(size=200)
    rounded = with_columns(before, **{"response.speed": before["speed"] * noise})
    assert before.compare(rounded).response("speed").is_equal
    assert "<svg" not in html(found, "SI")


def test_cases_of_one_campaign_only_are_counted_and_listed(before):
    larger = invented_result({**STUDY, "cases": 230})
    found = before.compare(larger)
    assert found.summary == "200 cases are in A and B; 30 are in B only."
    assert found.only_second.tolist() == [*range(200, 230)]
    assert other_cases_table(found).rows == [["B", "30", "200 to 229"]]
    gaps = CampaignResult(larger.manifest, {k: v[[1, 2, 5, 229]] for k, v in larger.columns.items()})
    found = gaps.compare(before)
    assert found.summary == "3 cases are in A and B; 1 is in A only; 197 are in B only."
    assert other_cases_table(found).rows[1] == ["B", "197", "0, 3 to 4, 6 to 199"]
    alone = CampaignResult(larger.manifest, {k: v[[229]] for k, v in larger.columns.items()})
    with pytest.raises(BadInput, match=r"cases: the campaigns have no common case"):
        before.compare(alone)


def test_cases_without_a_number_are_left_out_of_means(before):
    speed = before["speed"] + 0.5
    speed[[1, 2]], speed[3] = np.nan, np.inf
    tip_off = before["tip_off"].copy()
    tip_off[1] = np.nan
    other = invented_result(speed=speed, tip_off=tip_off)
    found = before.compare(other)
    assert found.response("speed").known.sum() == 197
    assert "speed: the means omit 3 of 200 cases without a finite number in A or B." in found.notes
    # A case without a verdict counts as a failure of B, or does not count.
    assert found.requirement("tip_off").only_first.tolist() == [1]
    left_out = replace(other.manifest, study={**other.manifest.study, "failures": "leave_out"}, _kept={})
    one = before.compare(CampaignResult(left_out, other.columns)).requirement("tip_off")
    assert (one.only_first.tolist(), one.left_out, one.failures.cases) == ([], 1, 199)
    speed[2:] = np.nan
    few = before.compare(invented_result(speed=speed))
    assert (
        few.response("speed")
        .sentence("SI")
        .endswith("1 cases have a finite number in A and B. An interval needs 3 cases.")
    )


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
    assert found.sentences()[1].startswith("tip_off: The probability of failure of B is below that in A by")
    same = before.compare(before).requirement("tip_off")
    assert same.sentence.endswith(
        "too few cases differ for an interval from weighted cases. No difference is shown."
    )
    assert "B over A" not in html(found, "SI")


def test_requirements_and_responses_of_one_campaign_only_are_named(before):
    fewer = {name: one for name, one in STUDY["responses"].items() if name != "speed"}
    fewer["rate_x"] = {"quantity": "pairs.stage.satellite.relative_rate.z", "at": "end"}
    stricter = first_scenario({"requirements.tip_off.max": "0.5 deg/s"})
    found = before.compare(invented_result({**STUDY, "responses": fewer}, scenario=stricter))
    assert found.skipped == (
        "The response speed is in A only.",
        "rate_x is not compared: it is pairs.stage.satellite.relative_rate.x, at the end in A and "
        "pairs.stage.satellite.relative_rate.z, at the end in B.",
    )
    assert [one.name for one in found.responses] == ["tip_off", "rate_y"]
    assert found.requirement("tip_off").sentence.endswith(
        "The limits of the requirement differ between A and B."
    )


# --- campaigns with other draws are refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 4}, "seed: the value is 3 in A, but 4 in B"),
        ({"design": "sobol"}, "design: the value is random in A, but sobol in B"),
        ({"dispersions": {"offset": DISPERSIONS["offset"]}}, "dispersions.mass: only A has this dispersion"),
        ({"dispersions": {**DISPERSIONS, **FORMULA}}, "dispersions.x: only B has this dispersion"),
        (
            {"dispersions": {**DISPERSIONS, "mass": {"path": "bodies.stage.mass", "sigma": "2 %"}}},
            "dispersions.mass.path: the value is bodies.satellite.mass in A, but bodies.stage.mass in B",
        ),
        (
            {"dispersions": {**DISPERSIONS, "mass": {**DISPERSIONS["mass"], "kind": "day"}}},
            "dispersions.mass.kind: the value is flight in A, but day in B",
        ),
        (
            {"dispersions": {**DISPERSIONS, "mass": {**DISPERSIONS["mass"], "importance": {"shift": 1.0}}}},
            "dispersions.mass.importance: the value is not set in A",
        ),
        (
            {
                "dispersions": {
                    **DISPERSIONS,
                    "mass": {"path": "bodies.satellite.mass", "values": ["9 kg", "8 kg"]},
                }
            },
            "dispersions.mass: the value is distribution in A, but values in B",
        ),
        (
            {"correlations": {"c": {"of": ["mass", "offset"], "value": 0.5}}},
            "correlations: the value is not set in A",
        ),
    ],
)
def test_other_draws_are_refused_with_the_difference(before, change, message):
    study = {**STUDY, **change}
    if "correlations" in change:
        study["dispersions"] = {**DISPERSIONS, "offset": {**DISPERSIONS["offset"], "shared": True}}
    changed = replace(
        before.manifest, study={**before.manifest.study, **{k: study[k] for k in change}}, _kept={}
    )
    with pytest.raises(BadInput) as error:
        before.compare(CampaignResult(changed, before.columns))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (LOT, {"lot_share": 0.6}, "dispersions.x.lot_share: the value is 0.5 in A, but 0.6 in B"),
        (CHOICE, {"probabilities": [0.6, 0.4]}, "dispersions.x.probabilities[0]: the value is 0.7 in A"),
        (
            CHOICE,
            {"values": [1, 0.9, 0.8], "probabilities": [0.7, 0.2, 0.1]},
            "dispersions.x.values[2]: the value is not set",
        ),
        (
            LOT,
            {"lot_share": None, "lot_sigma": "1 %"},
            "dispersions.x.lot_sigma: the value is not set in A, but 1 % in B",
        ),
        (LOT_SIGMA, {"sigma": "1 %"}, "dispersions.x.sigma: the value is 2 % in A, but 1 % in B"),
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
    else:
        with pytest.raises(BadInput) as error:
            before.compare(after)
        assert message in str(error.value)


def test_a_changed_nominal_value_keeps_the_draw(before):
    heavier = invented_result(scenario=first_scenario({"bodies.satellite.mass": "120 kg"}))
    assert not np.allclose(heavier["mass"], before["mass"])
    assert len(before.compare(heavier).cases) == 200


def test_columns_with_other_draws_are_refused(before):
    mass = before["mass"].copy()
    mass[17] *= 1.001
    with pytest.raises(BadInput, match=r"dispersions.mass: the draws of case 17 differ: .* in A, .* in B"):
        before.compare(with_columns(before, **{"input.mass": mass}))
    wider = with_dispersions(mass={**DISPERSIONS["mass"], "sigma": "4 %"})
    before.compare(wider)
    shuffled = wider["mass"][::-1].copy()
    with pytest.raises(BadInput, match=r"dispersions.mass: the draws of case \d+ differ"):
        before.compare(with_columns(wider, **{"input.mass": shuffled}))
    weights = np.linspace(0.5, 1.5, 200)
    with pytest.raises(BadInput, match="weights: the weights of the same cases differ"):
        before.compare(with_columns(before, weight=weights))


def test_all_differences_are_named_at_once(before):
    other = invented_result({**STUDY, "seed": 9, "design": "latin_hypercube"})
    with pytest.raises(BadInput) as error:
        before.compare(other)
    places = [problem.place for problem in error.value.problems]
    assert places == ["seed", "design", "block"]


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
    text = file.read_text(encoding="utf-8")
    assert text == html(found, "US")
    assert text.count("<figure>") == 4
    other = save_result(invented_result({**STUDY, "seed": 4}), tmp_path / "c")
    assert run_command("compare", a, other) == 2
    assert "seed: the value is 3 in A, but 4 in B" in capsys.readouterr().err
    assert run_command("compare", a, tmp_path / "none") == 2
    assert "has no campaign" in capsys.readouterr().err
