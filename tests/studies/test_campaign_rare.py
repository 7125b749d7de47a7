"""Rare violations of requirements: probabilities by two methods, compared with exact ones.

Most limits here are formulas of the draws in place of flights; one test flies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import interstage as ist
from campaign_results import run_command
from interstage.reading import loads
from interstage.runs.lot import LotSettings
from interstage.studies.campaign import CampaignResult, RareResult, rare_event
from interstage.studies.campaign.columns import LIMIT, MET, NO_VERDICT, VERDICT
from interstage.studies.campaign.draws import Draws
from interstage.studies.campaign.first_flight import FirstFlight
from interstage.studies.campaign.flight import CaseFlights, not_allowed
from interstage.studies.campaign.rare import flown
from interstage.studies.campaign.rare import limit as limits
from interstage.studies.campaign.rare.limit import flight_limit
from interstage.studies.campaign.rare.result import folder_name, read_results
from interstage.studies.campaign.reading import make_plan, study_of
from interstage.tree.errors import BadInput

ROOT = Path(__file__).parents[2]
OFFSET = {"path": ["devices.spring.parent_at.x", "devices.spring.parent_at.y"], "sigma": "4 mm"}
MASS = {"path": "bodies.satellite.mass", "sigma": "2 %"}
RARE: dict[str, Any] = {"level": 300, "runs": 4, "cases": 1000}
STUDY: dict[str, Any] = {
    "scenario": "first.toml",
    "cases": 100,
    "seed": 3,
    "rare": RARE,
    "dispersions": {"mass": MASS, "offset": OFFSET},
}
LIMIT_RATE = np.radians(1.0)
PROBABILITY = 1e-4
GAIN = LIMIT_RATE / (4e-3 * np.sqrt(-2 * np.log(PROBABILITY)))
"""Rate [rad/s] for each metre of offset, so that the limit is exceeded with this probability."""


@pytest.fixture
def scenario() -> ist.Scenario:
    return ist.load(ROOT / "examples" / "first.toml")


def rate_of(inputs: Any) -> np.ndarray:
    return GAIN * np.hypot(inputs["offset_1"], inputs["offset_2"])


@pytest.fixture
def by_formula(monkeypatch) -> dict[str, Any]:
    """Put a formula in place of the flights. The dictionary counts the flights, and may hold another `rate`,
    and the number of flights after which an interrupt comes."""
    state: dict[str, Any] = {"flights": 0, "rate": rate_of, "end": np.inf}

    def columns(self: CaseFlights, draws: Any, bad: dict[int, Any], *how: Any) -> dict[str, np.ndarray]:
        if state["flights"] >= state["end"]:
            raise KeyboardInterrupt
        state["flights"] += len(draws)
        rates = np.array(state["rate"](draws.inputs))
        rates[[*bad]] = np.nan
        verdict = np.where(np.isnan(rates), NO_VERDICT, np.where(rates <= LIMIT_RATE, MET, 0))
        return {LIMIT + "tip_off": rates, VERDICT + "tip_off": verdict}

    monkeypatch.setattr(CaseFlights, "fly_draws", columns)
    settings = LotSettings(64, {}, False)
    monkeypatch.setattr(limits, "settings_of", lambda *how: settings)
    monkeypatch.setattr(
        "interstage.studies.campaign.rare.run.first_flight", lambda *how: FirstFlight(settings)
    )
    monkeypatch.setattr(limits, "not_allowed", lambda *how: {})
    monkeypatch.setattr("interstage.studies.campaign.plausibility.warnings_of", lambda *how: ())
    return state


def found(scenario: ist.Scenario, folder: Path | None = None, **changes: Any) -> RareResult:
    return rare_event(scenario, {**STUDY, **changes}, "tip_off", folder, progress=False)


def same(one: RareResult, other: RareResult) -> bool:
    return one.events == other.events and one.nearest == other.nearest


# --- probabilities


def test_both_methods_find_a_known_probability(scenario, by_formula):
    result = found(scenario)
    subset, sampled = result.events
    assert (subset.method, sampled.method) == ("subset simulation", "importance sampling")
    for event in result.events:
        # Failures lie in all directions alike, for which weights are rarely large: see docs/statistics.md.
        assert abs(np.log(event.probability / PROBABILITY)) < 4 * event.variation
        assert event.notes == ()
    assert subset.variation < 1.0
    assert sampled.variation < 0.2
    assert result.agree
    assert by_formula["flights"] == sum(event.evaluations for event in result.events) == result.flown
    nearest = result.nearest
    assert nearest is not None
    # The nearest failure of a circle is at its radius in sigmas.
    assert nearest.distance == pytest.approx(np.sqrt(-2 * np.log(PROBABILITY)), abs=0.01)
    assert rate_of({name: np.array(value) for name, value in nearest.inputs.items()}) > LIMIT_RATE
    assert result.sentences[2].startswith("The intervals of both methods overlap.")


def test_the_seed_sets_every_bit_and_the_design_none(scenario, by_formula):
    first = found(scenario)
    assert same(found(scenario), first)
    assert not same(found(scenario, seed=4), first)
    weighted = {"mass": MASS, "offset": {**OFFSET, "importance": {"shift": 2}}}
    assert same(found(scenario, dispersions=weighted, design="sobol", cases=128), first)


def test_cases_that_cannot_start_are_failures(scenario, by_formula, monkeypatch):
    """A mass below zero, 2.8 sigma from the mean."""
    monkeypatch.setattr(limits, "not_allowed", not_allowed)
    by_formula["rate"] = lambda inputs: 0.5 * LIMIT_RATE * np.exp(-inputs["mass"] / 100)
    exact = float(ndtr(-2.8))
    heavy = {"mass": {"path": "bodies.satellite.mass", "sigma": f"{100 / 2.8} kg"}}
    result = found(
        scenario, dispersions=heavy, rare={"level": 100, "runs": 1, "cases": 100, "search": "cross_entropy"}
    )
    for event in result.events:
        assert abs(np.log(event.probability / exact)) < 2.58 * event.variation
        assert any("the limit-state function has no finite value" in note for note in event.notes)


def test_discrete_failures_are_rare_events(scenario, by_formula):
    """A spring fails in one of 1000 cases, and only then the limit can be exceeded."""
    by_formula["rate"] = lambda i: np.where(i["missing"] == 0, 0.9 + 0.1 * i["mass"] / 100, 0.5) * LIMIT_RATE
    missing = {"path": "devices.spring.strength", "values": [1, 0], "probabilities": [0.999, 0.001]}
    result = found(scenario, dispersions={"mass": MASS, "missing": missing}, rare={**RARE, "cases": 4000})
    assert any("plateau" in note for note in result.events[0].notes)
    assert result.events[0].interval.contains(0.0005)


def test_a_case_that_is_on_its_limit_meets_it(scenario, by_formula):
    by_formula["rate"] = lambda inputs: np.full(len(inputs["mass"]), LIMIT_RATE)
    result = found(scenario, rare={"level": 100, "runs": 1, "cases": 100})
    assert result.events[1].probability == 0.0


def test_methods_that_disagree_are_reported(scenario, by_formula):
    """A region of failures without a slope towards it, and a more remote one with a slope."""

    def rate(inputs: Any) -> np.ndarray:
        u = (inputs["mass"] - 100) / 2
        v = inputs["offset_1"] / 4e-3
        first = np.where(u <= 3.5, 0.85 - 0.1 * u, 4.0 - u)
        return LIMIT_RATE * (1 - np.minimum(first, np.where(v <= 2.0, 2.3 - v, 0.5 - 0.1 * v)))

    by_formula["rate"] = rate
    result = found(scenario, seed=6, rare={"level": 1000, "runs": 1, "cases": 4000})
    assert not result.agree
    assert not result.good
    assert result.sentences[2].startswith("The methods disagree: importance sampling gives 3.")


def test_the_allowed_probability(scenario, by_formula):
    assert found(scenario).allowed is None
    strict = found(scenario, proportion=0.99999)
    assert (strict.good, strict.sentences[3].startswith("The larger upper end of the intervals, ")) == (
        False,
        True,
    )
    assert strict.sentences[3].endswith("is above the allowed probability, 1e-05.")
    fine = found(scenario, proportion="3 sigma", sides=2)
    assert (fine.good, fine.sentences[3].endswith("is at most the allowed probability, 0.0027.")) == (
        True,
        True,
    )
    narrow, wide = (found(scenario, confidence=level).events[0].interval for level in (0.5, 0.99))
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


# --- the standard normal space


def test_the_draws_of_a_campaign_are_points_of_the_space(scenario, by_formula):
    """The scores of the streams of ordinary cases give the same inputs, bit by bit."""
    lot = {
        "path": ["devices.spring.parent_at.x", "devices.spring.parent_at.y"],
        "sigma": "4 mm",
        "lot": "a",
        "lot_share": 0.3,
    }
    dispersions = {
        "mass": {**MASS, "kind": "known"},
        "lot": lot,
        "force": {"path": "devices.spring.preload", "distribution": "lognormal", "sigma": "1 %"},
        "heat": {"mean": "300 K", "sigma": "8 K"},
        "rate": {"path": "devices.spring.stiffness", "formula": "nominal * (1 - 1e-4 * (heat - 300))"},
        "missing": {"path": "devices.spring.strength", "values": [1, 0.5], "probabilities": [0.9, 0.1]},
        "stage": {"path": "bodies.stage.mass", "distribution": "uniform", "delta": "5 %", "kind": "day"},
    }
    groups = {"pair": {"of": ["force", "heat"], "value": 0.6}}
    study = study_of({**STUDY, "dispersions": dispersions, "correlations": groups})
    plan = make_plan(scenario, study, None)
    limit = flight_limit(plan, "tip_off")
    assert limit.inputs == 8
    points = np.concatenate(
        [ndtri(plan.scores[kind].streams.uniforms(0, 50)) for kind in ("known", "day", "flight")]
    )
    draws, bad = limit.draw(points)
    assert bad == {}
    ordinary = plan.draw(0, 50)
    assert draws.inputs.keys() == ordinary.inputs.keys()
    for path, values in ordinary.values.items():
        np.testing.assert_array_equal(draws.values[path], values)


def test_importance_and_design_of_the_study_are_not_used(scenario, by_formula):
    missing = {"path": "devices.spring.strength", "values": [1, 0], "probabilities": [0.99, 0.01]}
    plain = {"mass": MASS, "missing": missing}
    drawn = {"probabilities": [0.5, 0.5]}
    weighted = {
        "mass": {**MASS, "importance": {"shift": 3}},
        "missing": {**missing, "importance": drawn},
    }
    first, second = (
        flight_limit(make_plan(scenario, study_of({**STUDY, **changes}), None), "tip_off")
        for changes in (
            {"dispersions": plain},
            {"dispersions": weighted, "design": "latin_hypercube", "block": 50},
        )
    )
    points = np.random.default_rng(1).normal(size=(2, 50))
    for one, other in (
        (first.draw(points)[0], second.draw(points)[0]),
        (first.flights.plan.draw(0, 50), second.flights.plan.draw(0, 50)),
    ):
        assert all(np.array_equal(values, other.inputs[name]) for name, values in one.inputs.items())


# --- kept results


def test_an_interrupted_computation_goes_on(scenario, by_formula, tmp_path):
    whole = found(scenario)
    by_formula |= {"flights": 0, "end": whole.flown / 2}
    with pytest.raises(KeyboardInterrupt):
        found(scenario, tmp_path)
    first = by_formula["flights"]
    assert not list(tmp_path.glob("*.json")) or [p.name for p in tmp_path.glob("*.json")] == ["manifest.json"]
    by_formula["end"] = np.inf
    second = found(scenario, tmp_path)
    assert same(second, whole)
    assert by_formula["flights"] == whole.flown == first + second.flown
    third = found(scenario, tmp_path)
    assert (same(third, whole), third.flown) == (True, 0)
    assert not list(tmp_path.rglob(".*.part"))


def test_damaged_batches_are_flown_again(scenario, by_formula, tmp_path):
    whole = found(scenario, tmp_path)
    batches = sorted((tmp_path / "rare-tip_off").glob("*.margins"))
    levels = sorted((tmp_path / "rare-tip_off").glob("subset-*.margins"))
    batches[0].write_bytes(batches[0].read_bytes()[:100])
    batches[1].write_bytes(b"")
    data = bytearray(levels[3].read_bytes())
    data[-1] ^= 1
    levels[3].write_bytes(data)
    levels[1].write_bytes(levels[2].read_bytes())  # of other points
    again = found(scenario, tmp_path)
    assert same(again, whole)
    assert 0 < again.flown < whole.flown


def test_other_settings_use_the_flights_that_fit(scenario, by_formula, tmp_path):
    whole = found(scenario, tmp_path)
    sure = found(scenario, tmp_path, confidence=0.99)
    assert sure.flown == 0
    assert [one.probability for one in sure.events] == [one.probability for one in whole.events]
    assert sure.events[1].interval.lower < whole.events[1].interval.lower
    more = found(scenario, tmp_path, rare={**RARE, "cases": 2000})
    assert more.flown == 2000


def test_another_campaign_in_the_folder_is_rejected(scenario, by_formula, tmp_path):
    found(scenario, tmp_path)
    with pytest.raises(BadInput, match=r"seed: .* 4 .* 3 in the folder"):
        found(scenario, tmp_path, seed=4)
    found(scenario, tmp_path, cases=200)
    assert CampaignResult.load(tmp_path).manifest.cases == 100


def test_saved_results_are_those_that_were_computed(scenario, by_formula, tmp_path):
    result = found(scenario, tmp_path, proportion=0.999)
    (loaded,) = CampaignResult.load(tmp_path).rare_results
    assert loaded == result
    stamp = CampaignResult.load(tmp_path).manifest.stamp
    assert read_results(tmp_path, stamp._replace(version="0.0.1")) == []
    file = tmp_path / "rare-tip_off.json"
    file.write_text(file.read_text()[:-30])
    assert read_results(tmp_path, stamp) == []


def test_names_of_folders_are_plain_and_differ():
    assert folder_name("tip_off") == "rare-tip_off"
    names = [folder_name(name) for name in ("a/b", "a:b", "a b", "a_b", "Größe")]
    assert len({*names}) == len(names)
    assert all(name.isascii() and "/" not in name for name in names)


def test_the_command_prints_the_result_and_show_prints_it_again(scenario, by_formula, tmp_path, capsys):
    file = study_file(tmp_path, "")
    assert run_command(file, "--rare", "tip_off") == 0
    text = capsys.readouterr().out
    assert "Probability that tip_off is violated" in text
    assert "Most probable point of violation of tip_off" in text
    assert "flights are new. The result is in" in text
    run_command("show", tmp_path / "study.cases")
    again = capsys.readouterr().out
    table = text[text.index("Probability that") : text.index("flights are new")].splitlines()[:6]
    assert all(line in again for line in table)


def test_an_interrupted_command_states_that_it_goes_on(by_formula, tmp_path, capsys):
    by_formula["end"] = 500
    assert run_command(study_file(tmp_path, ""), "--rare", "tip_off") == 4
    assert "Interrupted. Finished batches are kept" in capsys.readouterr().err
    assert not (tmp_path / "study.cases" / "rare-tip_off.json").exists()


def test_the_exit_code_is_that_of_a_broken_requirement(by_formula, tmp_path, capsys):
    assert run_command(study_file(tmp_path, "proportion = 0.99999"), "--rare", "tip_off") == 3
    assert "is above the allowed probability, 1e-05." in " ".join(capsys.readouterr().out.split())
    page = tmp_path / "page.html"
    run_command("show", tmp_path / "study.cases", "--report", page)
    assert "Probability that tip_off is violated" in page.read_text()


def study_file(folder: Path, more: str, scenario: str | None = None) -> Path:
    text = (ROOT / "examples" / "first.toml").read_text() if scenario is None else scenario
    (folder / "first.toml").write_text(text)
    lines = ['scenario = "first.toml"', "cases = 100", more, "[dispersions.offset]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in OFFSET.items()]
    lines += ["[dispersions.mass]", *(f"{key} = {json.dumps(value)}" for key, value in MASS.items())]
    (folder / "study.toml").write_text("\n".join(lines))
    return folder / "study.toml"


# --- bad input

BAD = {
    "rare = { level = 105 }": "rare.level: 105 is not a multiple of 10 of at least 100. Give",
    "rare = { level = 50 }": "rare.level: 50 is not a multiple of 10 of at least 100. Give",
    "rare = { runs = 0 }": "rare.runs: 0 is out of range. Allowed: 1 to 100",
    "rare = { cases = 10 }": "rare.cases: 10 is below 100. Give",
    "rare = { most = 1000 }": "rare.most: 1000 flights are fewer than",
    'rare = { search = "gradient" }': "rare.search: 'gradient' is not allowed",
    "rare = { levels = 500 }": "rare.levels: unknown key; did you mean 'level'?",
    "rare = { level = 500.5 }": "rare.level: the value must be a whole number, got 500.5",
    'failures = "leave_out"': 'failures: "leave_out" has no effect on rare violations',
}


@pytest.mark.parametrize("line", BAD)
def test_a_study_with_bad_settings_has_one_message(by_formula, tmp_path, capsys, line):
    assert run_command(study_file(tmp_path, line), "--rare", "tip_off") == 2
    text = capsys.readouterr().err
    assert BAD[line] in text
    assert len(text.strip().splitlines()) == 1, text
    assert by_formula["flights"] == 0
    assert not (tmp_path / "study.cases").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rare", "tipoff"), "--rare: there is no requirement 'tipoff'; did you mean 'tip_off'?"),
        (("--rare", "tip_off", "--cases", "10"), "--cases has no effect with --rare"),
        (("--rare", "tip_off", "--jobs", "0"), "--jobs: 0 is below 1. Give a whole number of at least 1"),
        (("--rare", "tip_off", "--chunk-timeout", "1 min"), "--chunk-timeout has no effect with --rare"),
        (("--rare", "tip_off", "--dask", "local"), "--dask has no effect with --rare"),
        (("--rare", "tip_off", "--part", "1/2"), "--part has no effect with --rare"),
        (("--rare", "tip_off", "--case", "1"), "--case has no effect with --rare"),
        (("--rare", "tip_off", "--worst", "1"), "--worst has no effect with --rare"),
        (("--rare", "tip_off", "--report", "a.html"), "--report has no effect with --rare"),
        (("--rare", "tip_off", "--derivatives"), "--derivatives has no effect with --rare"),
    ],
)
def test_options_that_do_not_fit_have_one_message(by_formula, tmp_path, capsys, words, message):
    assert run_command(study_file(tmp_path, ""), *words) == 2
    text = capsys.readouterr().err
    assert message in text
    assert len(text.strip().splitlines()) == 1, text
    assert by_formula["flights"] == 0


@pytest.mark.parametrize("word", ["show", "compare"])
def test_the_option_has_no_effect_on_saved_results(capsys, word):
    assert run_command(word, "a", "b", "--rare", "tip_off") == 2
    assert f"no effect with the word {word}" in capsys.readouterr().err


def test_a_scenario_without_requirements_and_rows_in_order_are_rejected(scenario, by_formula, tmp_path):
    bare = scenario.model_copy(update={"requirements": ()})
    with pytest.raises(BadInput, match=r"--rare: the scenario has no requirement\. Add one"):
        found(bare)
    (tmp_path / "rows.csv").write_text("devices.spring.preload [N]\n" + "400\n" * 100)
    rows = {"row": {"file": "rows.csv", "rows": "in_order"}}
    with pytest.raises(
        BadInput, match=r'dispersions\.row\.rows: rows that are read in order .* Set rows = "random"'
    ):
        rare_event(scenario, {**STUDY, "dispersions": rows}, "tip_off", study_folder=tmp_path, progress=False)


def test_too_many_flights_end_with_a_message_and_are_kept(scenario, by_formula, tmp_path):
    with pytest.raises(
        BadInput, match=r"rare\.most: subset needs more than 2000 flights, after \d+\. Increase 'most'"
    ):
        found(scenario, tmp_path, rare={**RARE, "most": 2000})
    before = by_formula["flights"]
    assert 1200 < before <= 2000
    result = found(scenario, tmp_path)
    assert by_formula["flights"] == before + result.flown == sum(one.evaluations for one in result.events)


# --- progress and processes


def test_the_progress_ends_with_the_number_of_flights(scenario, by_formula, tmp_path):
    reports: list[tuple[float, float]] = []
    rare_event(scenario, STUDY, "tip_off", tmp_path, progress=lambda *one: reports.append(one))
    done, expected = (np.array(values) for values in zip(*reports, strict=True))
    assert (np.diff(done) > 0).all()
    assert done[0] == 0
    assert done[-1] == expected[-1] == by_formula["flights"]
    assert (expected >= done).all()
    # From the second level of subset simulation on, only the search of importance sampling is unknown.
    second = done > 2 * RARE["level"] * RARE["runs"]
    assert np.abs(expected[second] / done[-1] - 1).max() < 0.5


def test_stored_flights_do_not_count_in_the_rate(scenario, by_formula, tmp_path):
    by_formula["end"] = 5000
    with pytest.raises(KeyboardInterrupt):
        found(scenario, tmp_path)
    before = by_formula["flights"]
    by_formula["end"] = np.inf
    reports: list[tuple[float, float]] = []
    rare_event(scenario, STUDY, "tip_off", tmp_path, progress=lambda *one: reports.append(one))
    assert reports[0][0] == before


class Formula:
    """Flights of a campaign by a formula, in any process. The margin of a flight is -mass."""

    settings = LotSettings(8, {}, False)

    def margins(self, draws: Any, bad: Any, threads: int, before: Any = None) -> np.ndarray:
        margins = -draws.inputs["mass"]
        margins[[*bad]] = np.nan
        return margins


@pytest.mark.parametrize(
    ("jobs", "pieces"), [(1, [8, 29]), (2, [8, 16, 13]), (3, [8, 16, 13]), (7, [8] * 4 + [5])]
)
def test_pieces_are_whole_groups_of_cases(monkeypatch, jobs, pieces):
    asked: list[Any] = []

    class Others:
        def __init__(self, task: Any, count: int):
            self.task, self.count = task, count

        def ask(self, request: Any) -> np.ndarray:
            asked.append(request)
            return self.task.margins(request.draws, request.bad, 1)

    monkeypatch.setattr(flown, "Processes", Others)
    monkeypatch.setattr(flown, "can_pickle", lambda task: True)
    task: Any = Formula()
    task.flights = task
    runner = flown.MarginFlights(task, jobs)
    mass = np.random.default_rng(1).normal(size=37)
    index: dict[Any, np.ndarray] = {"flight": np.arange(37)}
    draws = Draws(0, {"bodies.a.mass": mass}, {"mass": mass.copy()}, np.ones(37), index)
    margins = runner.margins(draws, {5: (), 20: ()})
    exact = -mass
    exact[[5, 20]] = np.nan
    np.testing.assert_array_equal(margins, exact)
    order = sorted(asked, key=lambda one: one.first)
    assert [len(one.draws) for one in order] == pieces
    assert asked[0].name == "The flights 0 to 7"
    assert [one.draws.first for one in order] == np.cumsum([0, *pieces[:-1]]).tolist()
    asked.clear()
    runner.margins(draws, {})
    assert len(asked) == min(jobs, 5)


# --- flights


@pytest.mark.long
def test_margins_do_not_depend_on_the_number_of_processes(scenario):
    """Also with cases that cannot fly: a mass below zero, in 5 of 150."""
    heavy = {"mass": {"path": "bodies.satellite.mass", "sigma": "50 kg"}, "offset": OFFSET}
    plan = make_plan(scenario, study_of({**STUDY, "dispersions": heavy}), None)
    points = np.random.default_rng(2).normal(size=(3, 150))
    margins = []
    for jobs in (None, 1, 2):
        limit = flight_limit(plan, "tip_off", jobs)
        try:
            margins.append(limit(points))
            margins.append(limit(points[:, 40:110]))
        finally:
            limit.runner.close()
    for whole in margins[::2]:
        np.testing.assert_array_equal(whole, margins[0])
    for some in margins[1::2]:
        np.testing.assert_array_equal(some, margins[0][40:110])
    assert np.isnan(margins[0]).sum() == (points[0] <= -2).sum() > 0


@pytest.mark.long
def test_flights_have_the_probability_of_the_closed_form():
    """The speed falls with the mass: v^2 = 2 E (1/m1 + 1/m2)."""
    sigmas, m1, energy = 3.0, 900.0, 400 * 0.06 - 4000 * 0.06**2 / 2
    limit = np.sqrt(2 * energy * (1 / m1 + 1 / (100 * (1 + 0.02 * sigmas))))
    speed = f'quantity = "pairs.stage.satellite.separation_speed", min = "{limit} m/s", at = "end"'
    scenario = loads(
        (ROOT / "examples" / "first.toml").read_text() + f"requirements.speed = {{ {speed} }}",
        {"phases.joined.until.time": 0.1, "phases.apart.until.elapsed": 0.5, "devices.spring.stroke": 0.06},
    )
    study = {
        "cases": 100,
        "seed": 1,
        "dispersions": {"mass": MASS},
        "rare": {"level": 100, "runs": 4, "cases": 200},
    }
    result = rare_event(scenario, study, "speed", progress=False)
    exact = float(ndtr(-sigmas))
    for event in result.events:
        assert abs(np.log(event.probability / exact)) < 2.58 * event.variation
        assert event.variation < 1.0
    assert result.nearest is not None
    assert result.nearest.inputs["mass"] == pytest.approx(106.0, abs=0.3)
