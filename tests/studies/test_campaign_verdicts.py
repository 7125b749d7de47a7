"""Verdicts of a campaign: shown, not met, too few cases; their exit codes, and warnings before the flight."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import interstage as ist
from campaign_results import STUDY, first_scenario, invented_result, run_command, save_result
from interstage.studies.campaign import Campaign, CampaignResult, open_campaign, run
from interstage.studies.campaign.page import html
from interstage.studies.campaign.printed import notes, percentiles_table, requirements_table, tables
from interstage.studies.campaign.summary import weighted_bound
from interstage.studies.campaign.wrong_folders import refuse_foreign
from interstage.studies.check_study import check_study
from interstage.tree.errors import BadInput

ROOT = Path(__file__).parents[2]


def with_failures(failures: int, cases: int, **study: Any) -> CampaignResult:
    """A campaign of which the last cases fail."""
    tip_off = np.where(np.arange(cases) < cases - failures, 0.001, 1.0)
    return invented_result({**STUDY, "proportion": 0.9, "cases": cases, **study}, tip_off=tip_off)


# --- verdicts


@pytest.mark.parametrize("failures", range(0, 40, 3))
def test_a_verdict_is_by_the_bounds_of_the_probability_of_failure(failures):
    one = with_failures(failures, 120).requirement("tip_off")
    test = stats.binomtest(failures, 120)
    low = test.proportion_ci(0.8, "exact").low  # one-sided, with 90 % confidence
    high = test.proportion_ci(0.8, "exact").high
    expected = "shown" if high <= 0.1 else "NOT MET" if low > 0.1 else "TOO FEW CASES"
    assert one.verdict == expected
    assert one.shown == (expected == "shown")
    assert one.is_undecided == (expected == "TOO FEW CASES")
    text = " ".join(one.sentences)
    assert ("shown." in text) == (expected != "NOT MET") or "not shown." in text
    assert ("too small for a decision" in text) == one.is_undecided
    assert ("the requirement is not met" in text) == (expected == "NOT MET")
    assert ("more cases with" in text) == one.is_undecided
    if expected == "NOT MET":
        most = float(re.findall(r"at most (\S+) % of cases meet the requirement", text)[0])
        assert most == pytest.approx(100 * (1 - low), rel=1e-4)


@pytest.mark.parametrize(
    ("failures", "cases", "verdict", "code"),
    [(0, 40, "shown", 0), (0, 20, "TOO FEW CASES", 5), (30, 40, "NOT MET", 3), (4, 40, "TOO FEW CASES", 5)],
)
def test_each_verdict_has_its_exit_code(tmp_path, capsys, failures, cases, verdict, code):
    result = with_failures(failures, cases)
    assert requirements_table(result).rows[0][-1] == verdict
    folder = save_result(result, tmp_path / "saved")
    assert run_command("show", folder) == code
    assert verdict in " ".join(capsys.readouterr().out.split())
    assert f">{verdict}</td>" in html(result, "SI")


def test_an_incomplete_campaign_has_no_verdict(tmp_path):
    result = with_failures(30, 40)
    some = CampaignResult(result.manifest, {name: values[:20] for name, values in result.columns.items()})
    one = some.requirement("tip_off")
    assert (one.verdict, one.shown) == ("", None)
    assert not some.is_undecided
    assert requirements_table(some).rows[0][-1] == "-"
    assert run_command("show", save_result(some, tmp_path / "some")) == 4


def test_a_requirement_that_fails_prevails_over_an_undecided_one():
    result = with_failures(30, 40)
    assert not result.is_undecided
    without = {key: value for key, value in result.manifest.study.items() if key != "proportion"}
    counted = CampaignResult(replace(result.manifest, study=without, _kept={}), result.columns)
    assert (counted.requirement("tip_off").verdict, counted.is_undecided) == ("", False)
    assert not counted.all_shown


def test_declared_looks_decide_at_the_last_look():
    looks = {"looks": 2, "proportion": 0.9}
    first, second = 26, 42  # cases of the looks; see `statistics.plan_looks`
    plan = ist.statistics.plan_looks(0.9, 0.9, looks=2)
    assert plan.cases == (first, second)

    def verdict(failures: int, cases: int) -> str:
        tip_off = np.where(np.arange(cases) < failures, 1.0, 0.001)
        return (
            invented_result({**STUDY, **looks, "cases": cases}, tip_off=tip_off)
            .requirement("tip_off")
            .verdict
        )

    assert verdict(0, first) == "shown"
    assert verdict(0, first - 1) == "TOO FEW CASES"
    assert verdict(1, first) == "TOO FEW CASES"
    assert verdict(1, second) == "shown"
    assert verdict(2, second) == "NOT SHOWN"
    assert verdict(30, second) == "NOT MET"


def test_weighted_cases_have_the_same_verdicts():
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": 0.1}}
    study = {"dispersions": {**STUDY["dispersions"], "mass": importance}}
    for failures, verdict in ((100, "shown"), (300, "NOT MET"), (200, "TOO FEW CASES")):
        one = with_failures(failures, 2000, **study).requirement("tip_off")
        assert one.verdict == verdict
        assert "weighted cases" in one.sentences[1]


def test_weighted_cases_with_few_effective_failures_have_no_verdict():
    """A shift far beyond the limit gives failures with very small weights. An interval that follows from
    these weights can exclude the true probability of 2.3 %.
    """
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": 5.0}}
    study = {**STUDY, "dispersions": {**STUDY["dispersions"], "mass": importance}, "cases": 300}
    scores = (invented_result(study)["mass"] / 100 - 1) / 0.02
    tip_off = np.where(scores > stats.norm.ppf(1 - 0.023), 1.0, 0.001)
    result = invented_result({**study, "proportion": 0.99}, tip_off=tip_off)
    one = result.requirement("tip_off")
    weights = result.weights[tip_off > 0.5]
    effective = weights.sum() ** 2 / (weights**2).sum()
    assert one.failed > 30 > effective
    assert one.interval == (0.0, 1.0)
    assert one.verdict == "TOO FEW CASES"
    assert one.sentences[0] == (
        f"The effective number of failed cases is {effective:.2g}. An interval of weighted cases requires at"
        " least 30. Add cases, or move the shift of the draws closer to the limit."
    )


def test_omitted_cases_do_not_change_the_mean_weight():
    """Cases without a verdict are the heaviest cases. The probability is that of the other cases."""
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": 1.0}}
    dispersions = {**STUDY["dispersions"], "mass": importance}
    study = {**STUDY, "dispersions": dispersions, "cases": 20_000, "failures": "leave_out"}
    scores = (invented_result(study)["mass"] / 100 - 1) / 0.02
    tip_off = np.where(scores < 0.0, np.nan, np.where(scores > 1.0, 1.0, 0.001))
    one = invented_result(study, tip_off=tip_off).requirement("tip_off")
    assert one.interval.contains(stats.norm.sf(1.0) / 0.5)


@pytest.mark.parametrize("failures", ["count", "leave_out"])
@pytest.mark.parametrize("tail", ["none", "upper"])
def test_percentiles_of_weighted_cases_without_a_value(failures, tail):
    """One quarter of the cases, by probability, has no value. These cases count as worst, or are omitted."""
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": 1.0}}
    dispersions = {**STUDY["dispersions"], "mass": importance}
    study = {**STUDY, "dispersions": dispersions, "cases": 20_000, "failures": failures}
    scores = (invented_result(study)["mass"] / 100 - 1) / 0.02
    highest = stats.norm.ppf(0.75)
    result = invented_result(study, speed=np.where(scores > highest, np.nan, scores))
    found = weighted_bound(result, result.output("speed"), 0.7, 0.999, tail)
    share = 0.7 * (0.75 if failures == "leave_out" else 1.0)
    assert found.interval.contains(stats.norm.ppf(share))
    above = weighted_bound(result, result.output("speed"), 0.9, 0.999, tail)
    assert np.isinf(above.value) == (failures == "count")


# --- too few cases


def test_too_few_cases_are_warned_of_with_the_number_needed(tmp_path):
    study = run.study_of({**STUDY, "proportion": 0.9973, "cases": 851})
    (text,) = run.make_plan(first_scenario(), study, None).warnings
    assert text.startswith("cases: 851 are too few to show 99.73 % of tip_off with 90 % confidence")
    assert text.endswith("At least 852 cases are required.")
    assert run.make_plan(first_scenario(), run.study_of(study, 852), None).warnings == ()
    goal = {"requirements": {"tip_off": {"confidence": 0.95}}}
    (text,) = run.make_plan(
        first_scenario(), run.study_of({**STUDY, "proportion": 0.9973, **goal}), None
    ).warnings
    assert "with 95 % confidence" in text
    assert text.endswith("At least 1109 cases are required.")
    looks = run.study_of({**STUDY, "proportion": 0.9973, "looks": 2, "cases": 1002})
    (text,) = run.make_plan(first_scenario(), looks, None).warnings
    assert text.endswith("At least 1003 cases are required.")


def test_check_and_the_end_of_the_campaign_warn_of_too_few_cases(tmp_path):
    for name in ("separation.toml", "campaign.toml"):
        text = (ROOT / "examples" / "tip_off_campaign" / name).read_text()
        text = re.sub(r"(?m)^cases = .*", "cases = 100", text)
        (tmp_path / name).write_text(text)
    found = check_study(tmp_path / "campaign.toml", ist.load)
    assert found is not None
    assert any("are too few to show" in text for text in found.warnings)
    result = invented_result({**STUDY, "proportion": 0.9973})
    assert any("200 are too few to show 99.73 %" in note for note in notes(result))


def test_importance_sampling_needs_fewer_cases():
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": 0.5}}
    study = {**STUDY, "proportion": 0.9973, "dispersions": {"mass": importance}}
    assert run.make_plan(first_scenario(), run.study_of(study), None).warnings == ()


# --- percentiles


def cells_of(result: CampaignResult, name: str) -> list[str]:
    (row,) = [row for row in percentiles_table(result, "SI").rows if row[0].startswith(name)]
    return row


def test_too_few_cases_give_the_quantile_of_the_sample_as_an_estimate():
    result = invented_result({**STUDY, "proportion": 0.9973})
    _, low, high, *_ = cells_of(result, "speed")
    speed = result["speed"]
    for cell, fraction in ((low, 0.0027), (high, 0.9973)):
        value, mark = cell.split()
        assert mark == "est."
        assert float(value) == pytest.approx(np.quantile(speed, fraction, method="median_unbiased"), rel=1e-4)
    note = percentiles_table(result, "SI").note
    assert "needs 852 cases" in note
    assert "est.: an estimate (the quantile of the sample) without a confidence level." in note
    enough = invented_result({**STUDY, "proportion": 0.9})
    assert "est." not in " ".join([*cells_of(enough, "speed"), percentiles_table(enough, "SI").note])


def test_bounds_as_if_normal_are_omitted_for_values_that_are_not_normal():
    skewed = np.random.default_rng(3).exponential(size=200)
    result = invented_result({**STUDY, "proportion": 0.9}, speed=skewed)
    *_, below, above, p_value = cells_of(result, "speed")
    assert (below, above) == ("-", "-")
    assert float(p_value) < 1e-6
    mass = np.random.default_rng(3).normal(size=200)
    *_, below, above, p_value = cells_of(invented_result({**STUDY, "proportion": 0.9}, speed=mass), "speed")
    factor = ist.statistics.tolerance_factor(200, 0.9)
    assert float(p_value) > 0.05
    ends = [mass.mean() - factor * mass.std(ddof=1), mass.mean() + factor * mass.std(ddof=1)]
    assert [float(below), float(above)] == pytest.approx(ends, rel=1e-4)
    assert "omitted if the test rejects normality (p < 0.05)" in percentiles_table(result, "SI").note


def test_the_sentence_of_a_percentile_has_the_unit():
    result = invented_result(STUDY)
    speed = result.percentile("speed", 0.9)
    assert f"at or below {speed.upper:.6g} m/s, with" in speed.sentence
    rate = result.percentile("tip_off", 0.9)
    assert f"at or below {np.degrees(rate.upper):.6g} deg/s, with" in rate.sentence
    lower = result.percentile("tip_off", 0.1, side="lower")
    assert f"at or above {np.degrees(lower.lower):.6g} deg/s, with" in lower.sentence
    both = result.percentile("speed", 0.5, side="both")
    assert f"between {both.lower:.6g} m/s and {both.upper:.6g} m/s" in both.sentence


# --- input


@pytest.mark.parametrize("written", ["90 %", "90%", 0.9])
def test_a_confidence_may_be_in_per_cent(written):
    study = run.study_of(
        {**STUDY, "confidence": written, "requirements": {"tip_off": {"confidence": written}}}
    )
    assert (study.confidence, study.requirements[0].confidence) == (0.9, 0.9)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (90, r"confidence: 90 is out of range. .* such as 0.9 or \"90 %\""),
        ("120 %", "confidence: 1.2 is out of range"),
        ("high", r"confidence: 'high' is not a confidence. Write 0.9 or \"90 %\""),
        (True, "confidence: .* is not a confidence"),
    ],
)
def test_other_confidences_are_refused(written, message):
    with pytest.raises(BadInput, match=message):
        Campaign(**{"scenario": "", **STUDY, "confidence": written})


@pytest.mark.parametrize("limits", [{"max": "5 deg/s"}, {"min": "0 deg/s", "max": "5 deg/s"}])
@pytest.mark.parametrize("name", ["tip_off", "tip_off max"])
def test_a_response_with_the_name_of_a_requirement_is_refused(tmp_path, limits, name):
    if name != "tip_off" and len(limits) == 1:
        return
    scenario = first_scenario({f"requirements.tip_off.{key}": value for key, value in limits.items()})
    study = {
        **STUDY,
        "responses": {name: {"quantity": "pairs.stage.satellite.separation_speed", "at": "end"}},
    }
    with pytest.raises(BadInput) as error:
        run.make_plan(scenario, run.study_of(study), None)
    (problem,) = error.value.problems
    assert problem.place == f"responses.{name}"
    assert f"'{name}' is the name of a requirement" in problem.message


# --- folders


def test_a_file_in_place_of_a_folder_has_a_message_with_the_folder(tmp_path, capsys):
    study = tmp_path / "campaign.toml"
    study.write_text("")
    result = with_failures(0, 40)
    with pytest.raises(BadInput, match=r"is a file, not the folder of a campaign. Give the folder"):
        CampaignResult.load(study)
    folder = save_result(result, tmp_path / "campaign.cases")
    assert run_command("show", study) == 2
    assert f"The results of this study are in '{folder}': give this folder" in capsys.readouterr().err
    assert run_command("compare", folder, folder / "manifest.json") == 2
    assert f"is in the folder of a campaign: give '{folder}'" in capsys.readouterr().err


def test_results_are_not_mixed_with_other_files(tmp_path):
    scenario = first_scenario()
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("")
    with pytest.raises(BadInput, match=r"holds other files, for example 'notes.txt', and no campaign"):
        scenario.campaign(STUDY, other, progress=False)
    assert [one.name for one in other.iterdir()] == ["notes.txt"]
    own = tmp_path / "own"
    for name in ("cases-000000000-000000007-0123456789abcdef.parquet", "running-1-of-1.lock", "flights/a.nc"):
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text("")
    refuse_foreign(own)
    refuse_foreign(tmp_path / "new")
    with pytest.raises(BadInput, match=r"is a file, but the results of a campaign are a folder"):
        scenario.campaign(STUDY, other / "notes.txt", progress=False)


def test_no_message_has_two_marks_at_the_end_of_a_sentence(tmp_path):
    """Warnings and messages that contain messages of the scenario, and all printed texts."""
    wide = {"mass": {"path": "bodies.satellite.mass", "distribution": "uniform", "bounds": ["-1 kg", "9 kg"]}}
    delay = {"delay": {"path": "devices.spring.delay", "values": ["0 s", "5 ms"]}}
    texts = []
    for dispersions in (wide, delay):
        study = run.study_of({**STUDY, "dispersions": {**STUDY["dispersions"], **dispersions}})
        texts += run.make_plan(first_scenario(), study, None).warnings
    (tmp_path / "rows.csv").write_text("bodies.satelite.mass [kg]\n100\n101\n")
    (tmp_path / "first.toml").write_text((ROOT / "examples" / "first.toml").read_text())
    (tmp_path / "study.toml").write_text(
        'scenario = "first.toml"\ncases = 10\ndispersions.a = { file = "rows.csv" }\n'
    )
    with pytest.raises(BadInput) as error:
        open_campaign(tmp_path / "study.toml", ist.load)
    texts.append(str(error.value))
    for failures in (0, 4, 30):
        result = with_failures(failures, 40)
        texts += [table.note for table in tables(result, "SI")] + notes(result)
    assert len(texts) > 20
    for text in texts:
        assert not re.search(r"[.?!:;]\.(?!\.)|\.[?!:;]", text.replace("...", "")), text
