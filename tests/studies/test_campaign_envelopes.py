"""Envelopes of campaigns over time: a panel on a torsion spring, and samples with known order statistics.

A panel of inertia I about its axis is held until the release. A spring of stiffness k then turns it towards
its free angle a. With w^2 = k / I and the time s since the release, its rate is

    a w sin(w s)."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import interstage as ist
from campaign_results import invented_result, save_result
from interstage.drawing.figure import Between, Limit, Line
from interstage.reading import loads
from interstage.studies.campaign import CampaignResult, open_campaign, run
from interstage.studies.campaign.columns import ENVELOPE, EnvelopeColumn
from interstage.studies.campaign.envelope_figures import envelope_figures
from interstage.studies.campaign.envelope_table import envelopes_table
from interstage.studies.campaign.envelopes import Goal, _statistics_at
from interstage.studies.campaign.envelopes_declared import Envelope, envelope_problems
from interstage.studies.campaign.flight import CaseFlights
from interstage.studies.campaign.histories import chosen_cases, history_notes
from interstage.studies.campaign.page import html
from interstage.tree.errors import BadInput

PANEL = """
bodies.panel = { mass = 2, inertia = "[2, 2, 3] kg m^2", initial = {} }
joints.latch = { kind = "fixed", parent = "ground", child = "panel" }
phases.latched = { until = { time = "0.2 s" } }
phases.free = { release = ["latch"], until = { elapsed = "1 s" } }
requirements.slow = { quantity = "bodies.panel.angular_velocity.z", max = "40.5 deg/s" }
[forces.spring]
kind = "torsion_spring"
parent = "ground"
child = "panel"
stiffness = "12 N m/rad"
free_angles = "20 deg"
"""
RATE = "bodies.panel.angular_velocity.z"
STUDY: dict[str, Any] = {
    "cases": 24,
    "seed": 5,
    "dispersions": {
        "inertia": {"path": "bodies.panel.inertia", "sigma": "5 %"},
        "angle": {"path": "forces.spring.free_angles", "sigma": "1 deg"},
        "release": {
            "path": "phases.latched.until.time",
            "bounds": ["0.1 s", "0.3 s"],
            "distribution": "uniform",
        },
        "end": {"path": "phases.free.until.elapsed", "bounds": ["0.8 s", "1.2 s"], "distribution": "uniform"},
    },
    "responses": {"rate": {"quantity": RATE, "at": "end"}},
    "envelopes": {
        "rate": {"quantity": RATE, "since": "free", "duration": "1 s", "times": 41},
        "whole": {"quantity": RATE, "times": 7},
    },
}
DIGITS = 5e-10
"""Relative error of a duration with ten digits."""
SOLVER = 4e-9
"""Relative error of the rates: a few steps, each with the default tolerance of 1e-9."""


def fly(folder: Path | None = None, study: dict[str, Any] = STUDY, **how: Any) -> CampaignResult:
    return loads(PANEL).campaign(study, folder, progress=False, **how)


@pytest.fixture(scope="module")
def panel() -> CampaignResult:
    return fly()


def closed_form(found: CampaignResult, times: np.ndarray) -> np.ndarray:
    """Rates (cases, times) [rad/s] at times (cases, times) [s] since the release; zero before."""
    w = np.sqrt(12 / (3 * found["inertia"]))[:, None]
    return found["angle"][:, None] * w * np.sin(w * np.maximum(times, 0.0))


# --- values of each case


def test_each_case_has_the_rate_of_the_closed_form(panel):
    times = np.linspace(0.0, 1.0, 41)
    known = times <= panel["end"][:, None]
    assert 0 < (~known).sum() < known.sum()
    found = panel.columns[ENVELOPE + "rate"]
    assert (np.isnan(found) == ~known).all()
    wanted = closed_form(panel, np.tile(times, (24, 1)))
    assert found[known] == pytest.approx(wanted[known], rel=SOLVER, abs=1e-12)


def test_the_default_is_the_whole_flight_of_the_first_case(panel):
    whole = panel.manifest.names.envelopes[1]
    last = panel["release"][0] + panel["end"][0]
    assert whole.duration == pytest.approx(last, rel=DIGITS)
    since = whole.offsets - panel["release"][:, None]
    found = panel.columns[ENVELOPE + "whole"]
    wanted = closed_form(panel, since)
    known = whole.offsets <= (panel["release"] + panel["end"])[:, None]
    assert not np.isnan(found[0]).any()
    assert (np.isnan(found) == ~known)[1:].all()
    assert found[known] == pytest.approx(wanted[known], rel=SOLVER, abs=1e-12)


def test_values_do_not_depend_on_chunks_processes_or_neighbours(panel, tmp_path):
    parts = [fly(tmp_path / "parts", {**STUDY, "chunk": 5}, part=part, jobs=1) for part in ("2/2", "1/2")]
    study = {**STUDY, "chunk": 1, "cases": 2}
    few = fly(None, study)
    for name in (ENVELOPE + "rate", ENVELOPE + "whole"):
        whole = panel.columns[name]
        assert parts[-1].columns[name].tobytes() == whole.tobytes()
        assert few.columns[name].tobytes() == whole[:2].tobytes()
    again = CampaignResult.load(tmp_path / "parts")
    assert again.envelope("rate").identical(panel.envelope("rate"))


def test_a_case_that_exceeds_its_time_limit_has_no_value(panel):
    plan = panel.draws_plan
    flights = CaseFlights(plan, run.responses_of(plan), *panel.manifest.first)
    found = flights.without_number(3, "the flight did not end")
    assert found.keys() == panel.columns.keys()
    assert found[ENVELOPE + "rate"].shape == (1, 41)
    assert np.isnan(found[ENVELOPE + "rate"]).all()
    assert found["input.angle"] == panel.columns["input.angle"][3]


def test_fixed_steps_have_values_between_their_samples():
    scenario = loads(PANEL + '[solver]\nmethod = "rk4"\nstep = "10 ms"\n[output]\ninterval = "0.1 s"\n')
    found = scenario.campaign({**STUDY, "cases": 3}, progress=False)
    times = np.tile(np.linspace(0.0, 1.0, 41), (3, 1))
    known = times <= found["end"][:, None]
    # The error of the method, of order h^4 w^4 / 120, is below 1e-9 of the amplitude.
    wanted = closed_form(found, times)[known]
    assert found.columns[ENVELOPE + "rate"][known] == pytest.approx(wanted, abs=1e-8)


def test_few_states_at_a_time_give_the_same_bits(panel, monkeypatch):
    monkeypatch.setattr("interstage.runs.courses_of_cases.STATES", 50)
    found = fly()
    assert found.columns[ENVELOPE + "rate"].tobytes() == panel.columns[ENVELOPE + "rate"].tobytes()


def test_a_case_without_the_event_has_no_value():
    event = f'events.fast = {{ when = {{ quantity = "{RATE}", reaches = "40 deg/s" }} }}'
    scenario = loads(PANEL.replace("requirements.slow", f"{event}\nrequirements.slow"))
    envelope = {"quantity": RATE, "since": "fast", "duration": "0.2 s", "times": 3}
    found = scenario.campaign({**STUDY, "envelopes": {"rate": envelope}}, progress=False)
    values = found.columns[ENVELOPE + "rate"]
    w = np.sqrt(12 / (3 * found["inertia"]))
    peak = found["angle"] * w * np.where(w * found["end"] > np.pi / 2, 1.0, np.sin(w * found["end"]))
    reached = peak > math.radians(40)
    assert 3 < reached.sum() < 21
    assert (~np.isnan(values[:, 0]) == reached).all()
    assert values[reached, 0] == pytest.approx(math.radians(40), rel=SOLVER)
    data = found.envelope("rate")
    assert data.cases.values[0] == reached.sum()
    assert "completed" in set(found.outcomes)


def test_legs_of_a_mission():
    """The quantity begins with the second leg, which begins with the release in each case at its own time."""
    legs = """
[legs.held]
phases.latched = { until = { time = "0.2 s" } }
[legs.turning]
after = { leg = "held" }
phases.free = { release = ["latch"], until = { elapsed = "1 s" } }
"""
    lines = [line for line in PANEL.splitlines() if not line.startswith("phases.")]
    scenario = loads("\n".join(lines) + legs)
    dispersions = STUDY["dispersions"] | {
        "release": STUDY["dispersions"]["release"] | {"path": "legs.held.phases.latched.until.time"},
        "end": STUDY["dispersions"]["end"] | {"path": "legs.turning.phases.free.until.elapsed"},
    }
    study = {**STUDY, "cases": 6, "dispersions": dispersions}
    found = scenario.campaign(study, progress=False)
    rate, whole = found.manifest.names.envelopes
    assert (rate.leg, whole.leg) == ("turning", "held")
    times = np.tile(rate.offsets, (6, 1))
    known = times <= found["end"][:, None]
    wanted = closed_form(found, times)
    assert found.columns[ENVELOPE + "rate"][known] == pytest.approx(wanted[known], rel=SOLVER, abs=1e-12)
    assert np.isnan(found.columns[ENVELOPE + "rate"][~known]).all()
    assert whole.duration == pytest.approx(found["release"][0], rel=DIGITS)


# --- statistics


TIMES = 6
GROWTH = np.linspace(0.0, 1.0, TIMES)
"""Factor of the values at each time."""


def invented(cases: int = 200, last: int | None = None, **study: Any) -> CampaignResult:
    """A campaign with an envelope of the limited quantity. The values of each case grow from zero. If `last`
    is set, odd cases have values at so many times only.

    The values are a permutation of 1 to the number of cases, in units of the limit / cases."""
    found = invented_result(_study(cases, **study))
    (limit,) = found.manifest.names.limits
    column = EnvelopeColumn("rate", limit.quantity, "apart", "", "rad/s", 0.5, TIMES)
    values = (np.arange(cases) * 7 % cases + 1.0)[:, None] * GROWTH * limit.limit / cases
    if last is not None:
        values[1::2, last:] = np.nan
    names = found.manifest.names._replace(envelopes=(column,))
    columns = {}
    for name, own in found.columns.items():
        columns |= {ENVELOPE + "rate": values, name: own} if name == "outcome" else {name: own}
    manifest = replace(
        found.manifest, names=names, study=_with_envelope(found.manifest.study, column), _kept={}
    )
    return CampaignResult(manifest, columns, plan=found.plan)


def _study(cases: int, **study: Any) -> dict[str, Any]:
    from campaign_results import STUDY as INVENTED

    return {**INVENTED, "cases": cases, **study}


def _with_envelope(study: dict[str, Any], one: EnvelopeColumn) -> dict[str, Any]:
    entry = {"name": one.name, "quantity": one.quantity, "since": one.since}
    return {**study, "envelopes": [{**entry, "duration": one.duration, "times": one.times}]}


def rank(cases: int, fraction: float, confidence: float) -> int:
    """Smallest rank whose order statistic is at or above the percentile with a confidence."""
    ranks = np.arange(1, cases + 1)
    return int(ranks[stats.binom.cdf(ranks - 1, cases, fraction) >= confidence][0])


def test_bounds_are_the_order_statistics_of_the_sample():
    """The value of rank r at the last time is r limits / cases. A two-sided band from rank k to n + 1 - k has
    a fraction with the distribution beta(n + 1 - 2 k, 2 k) (Wilks 1941)."""
    found = invented(200, proportion=0.9, confidence=0.95)
    limit = found.manifest.names.limits[0].limit
    data = found.envelope("rate")
    one = limit / 200
    assert data.attrs["proportion"] == 0.9
    assert data.attrs["confidence"] == 0.95
    assert data.time.values == pytest.approx(np.linspace(0, 0.5, TIMES))
    assert (data.cases.values == 200).all()
    high = rank(200, 0.9, 0.95)
    assert data.bound_high.values == pytest.approx(GROWTH * one * high)
    assert data.bound_low.values == pytest.approx(GROWTH * one * (201 - high))
    assert data.largest.values == pytest.approx(GROWTH * one * 200)
    assert data.smallest.values == pytest.approx(GROWTH * one)
    assert data["median"].values == pytest.approx(GROWTH * one * 100.5)
    assert data.median_high.values == pytest.approx(GROWTH * one * rank(200, 0.5, 0.975))
    k = np.arange(1, 20)
    last = int(k[stats.beta.sf(0.9, 201 - 2 * k, 2 * k) >= 0.95][-1])
    assert 1 < last < 19
    assert data.band_low.values == pytest.approx(GROWTH * one * last)
    assert data.band_high.values == pytest.approx(GROWTH * one * (201 - last))
    worst = data.attrs["worst_case"]
    assert found.columns[ENVELOPE + "rate"][worst, -1] == pytest.approx(limit)
    assert data.worst.values == pytest.approx(GROWTH * limit)


def test_cases_count_while_they_have_a_value():
    """Odd cases have odd multiples of 7 plus 1, modulo an even number: even values. Odd values remain."""
    found = invented(200, last=3, proportion=0.9, confidence=0.9)
    data = found.envelope("rate")
    assert data.cases.values.tolist() == [200, 200, 200, 100, 100, 100]
    one = found.manifest.names.limits[0].limit / 200
    assert data.largest.values[[2, 3]] == pytest.approx(one * GROWTH[[2, 3]] * [200, 199])
    odd = 2 * rank(100, 0.9, 0.9) - 1
    assert data.bound_high.values[3] == pytest.approx(one * GROWTH[3] * odd)
    none = invented(8, last=0)
    none.columns[ENVELOPE + "rate"][:] = np.nan
    data = none.envelope("rate")
    assert (data.cases.values == 0).all()
    assert np.isnan(data["median"].values).all()
    assert data.attrs["worst_case"] == -1
    assert envelopes_table(none, "SI").rows[0][4:] == ["-"] * 7
    assert envelope_figures(none, "SI") == ([], ["rate has no figure, because no case has a value."])


def test_too_few_cases_have_no_bound_but_an_estimate():
    found = invented(50)
    data = found.envelope("rate")
    assert np.isinf(data.bound_high.values).all()
    assert np.isinf(data.band_low.values).all()
    (row,) = envelopes_table(found, "SI").rows
    limit = found.manifest.names.limits[0].limit
    assert row[6] == f"{math.degrees(limit):.4f} est."
    (figure,), _ = envelope_figures(found, "SI")
    needed = next(n for n in range(2, 5000) if stats.beta.sf(0.9973, n - 1, 2) >= 0.9)
    assert f"which needs {needed} cases" in figure.panels[0].title


def test_the_table_has_the_largest_bound_and_its_time():
    found = invented(200, proportion=0.9)
    found.columns[ENVELOPE + "rate"][:, 4] *= 1.5
    table = envelopes_table(found, "SI")
    (row,) = table.rows
    limit = math.degrees(found.manifest.names.limits[0].limit)
    assert row[:4] == ["rate [deg/s]", "apart", "200", "90 %"]
    # The table has five digits.
    assert float(row[6]) == pytest.approx(1.5 * 0.8 * limit * rank(200, 0.9, 0.9) / 200, rel=5e-5)
    assert row[7] == "0.40000"
    assert float(row[9]) == pytest.approx(1.5 * 0.8 * limit, rel=5e-5)
    assert row[10] == str(np.argmax(found.columns[ENVELOPE + "rate"][:, -1]))


def test_weighted_cases_have_weighted_percentiles():
    found = invented(200, proportion=0.9)
    values = found.columns[ENVELOPE + "rate"][:, -1]
    weights = np.where(values < np.median(values), 1.5, 0.5)
    found.columns["weight"] = weights
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    data = found.envelope("rate")
    assert data["median"].values[-1] == values[order][reached >= 0.5][0]
    assert (data.band_low <= data.bound_low).all()
    assert (data.band_high >= data.bound_high).all()
    assert (data.bound_high >= data.percentile_high).all()


def test_one_sided_bounds_of_equal_weights_agree_with_order_statistics():
    """The fraction of cases beyond each bound is that of the unweighted bound, within two cases."""
    values = np.random.default_rng(2).uniform(size=(1, 1000))
    plain, weighted = (_statistics_at(values, w, Goal(0.9, 0.9)) for w in (None, np.ones(1000)))
    for key in ("bound_low", "bound_high"):
        ranks = [int(np.sum(values < found[key])) for found in (plain, weighted)]
        assert abs(ranks[0] - ranks[1]) <= 2, key
    # The ends of the weighted band share the risk, which is more than the band of order statistics requires.
    assert weighted["band_low"] <= plain["band_low"]
    assert weighted["band_high"] >= plain["band_high"]


@pytest.mark.parametrize("known_above", [-np.inf, 1.0])
@pytest.mark.parametrize("known_below", [2.5, np.inf])
def test_weighted_cases_without_a_value_do_not_shift_the_percentiles(known_above, known_below):
    """Draws of a normal input are shifted by 2. The percentiles are of a truncated distribution."""
    cases, shift, goal = 20_000, 2.0, Goal(0.9, 0.9)
    draws = np.random.default_rng(1).normal(shift, 1.0, cases)
    weights = np.exp(shift * (0.5 * shift - draws))
    known = (draws > known_above) & (draws < known_below)
    found = _statistics_at(np.where(known, draws, np.nan)[None], weights, goal)
    truth = stats.truncnorm(known_above, known_below)
    share = np.subtract(*stats.norm.cdf([known_below, known_above]))
    tail = truth.ppf(goal.proportion)
    # Variance of the weights of the known cases beyond the percentile, and of all known cases.
    squares = [
        math.exp(shift**2) * np.subtract(*stats.norm.cdf(np.array([known_below, low]) + shift))
        for low in (tail, known_above)
    ]
    error = (
        math.sqrt(squares[0] / cases) / share + (1 - goal.proportion) * math.sqrt(squares[1] / cases) / share
    )
    reached = truth.sf(found["percentile_high"][0])
    assert abs(reached - (1 - goal.proportion)) < 4 * error  # four standard deviations
    assert truth.sf(found["bound_high"][0]) < 1 - goal.proportion + 4 * error


def test_a_lower_limit_has_the_smallest_case_as_worst():
    found = invented(200)
    (limit,) = found.manifest.names.limits
    names = found.manifest.names._replace(limits=(limit._replace(side="min"),))
    low = CampaignResult(replace(found.manifest, names=names, _kept={}), found.columns, plan=found.plan)
    values = found.columns[ENVELOPE + "rate"]
    assert low.envelope("rate").attrs["worst_case"] == np.argmin(values.min(axis=1))


# --- page and files


def test_the_page_has_a_figure_of_each_envelope():
    found = invented(200, proportion=0.9)
    (figure,), notes = envelope_figures(found, "SI")
    assert notes == []
    (panel,) = figure.panels
    data = found.envelope("rate")
    wide, band = [mark for mark in panel.marks if isinstance(mark, Between)]
    degrees = np.degrees
    assert wide.high == pytest.approx(degrees(data.largest.values))
    assert band.low == pytest.approx(degrees(data.band_low.values))
    lines = {mark.label: mark for mark in panel.marks if isinstance(mark, Line)}
    assert lines["median"].y == pytest.approx(degrees(data["median"].values))
    assert lines[f"case {data.attrs['worst_case']}"].y == pytest.approx(degrees(data.worst.values))
    (limit,) = [mark for mark in panel.marks if isinstance(mark, Limit)]
    assert limit.at == pytest.approx(degrees(found.manifest.names.limits[0].limit))
    text = html(found, "SI")
    assert "Envelopes over time" in text
    assert figure.caption in text
    assert figure.caption in [one.caption for one in found.figures("SI")]


def test_a_far_limit_is_off_the_axis():
    found = invented(200)
    found.columns[ENVELOPE + "rate"] /= 10
    (figure,), _ = envelope_figures(found, "SI")
    assert not [mark for mark in figure.panels[0].marks if isinstance(mark, Limit)]
    assert "is outside the plot" in figure.panels[0].title


def test_files_have_the_values(tmp_path):
    found = invented(20, last=3)
    folder = save_result(found, tmp_path / "campaign")
    again = CampaignResult.load(folder)
    values = found.columns[ENVELOPE + "rate"]
    assert again.columns[ENVELOPE + "rate"].tobytes() == values.tobytes()
    assert again.envelope("rate").identical(found.envelope("rate"))
    assert "envelope.rate" not in found.table
    assert np.array_equal(found.data["envelope.rate"].values, values, equal_nan=True)
    assert found.data["rate_time"].attrs["units"] == "s"
    lines = found.save(tmp_path / "cases.csv").read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index("envelope.rate[2]")
    assert [float(line.split(",")[place]) for line in lines[1:]] == values[:, 2].tolist()
    import xarray

    with xarray.open_dataset(found.save(tmp_path / "cases.nc")) as saved:
        assert np.array_equal(saved["envelope.rate"].values, values, equal_nan=True)


def test_a_changed_value_in_a_file_is_found(tmp_path):
    from interstage.studies.campaign import chunk_file

    found = invented(20)
    stamp = found.manifest.stamp
    columns = {**found.columns, ENVELOPE + "rate": found.columns[ENVELOPE + "rate"].copy()}
    path = chunk_file.write(tmp_path, found.columns, stamp)
    columns[ENVELOPE + "rate"][3, 1] += 1e-16
    other = chunk_file.write(tmp_path, columns, stamp)
    assert other.name != path.name
    other.replace(path)
    (file,) = chunk_file.chunk_files(tmp_path)
    with pytest.raises(chunk_file.Unusable, match="checksum"):
        chunk_file.read(file, stamp)


def test_campaigns_without_envelopes_keep_their_identity():
    found = invented_result()
    assert "envelope" not in found.manifest.text()
    assert "envelopes" not in found.manifest.identity
    with pytest.raises(BadInput, match="the study has none"):
        found.envelope("rate")


def test_another_envelope_needs_another_folder(tmp_path):
    fly(tmp_path / "x", {**STUDY, "cases": 2})
    envelopes = {**STUDY["envelopes"], "rate": {**STUDY["envelopes"]["rate"], "times": 5}}
    with pytest.raises(BadInput, match=r"envelopes\.rate\.times: the value is 5 in this study, but 41"):
        fly(tmp_path / "x", {**STUDY, "cases": 2, "envelopes": envelopes})
    more = fly(tmp_path / "x", {**STUDY, "cases": 3})
    assert len(more) == 3


# --- faults


@pytest.mark.parametrize(
    ("envelope", "message"),
    [
        (
            {"quantity": "bodies.panel.rate"},
            "envelopes.one.quantity: there is no quantity 'bodies.panel.rate'",
        ),
        (
            {"quantity": "bodies.panel.angular_velocity"},
            "envelopes.one.quantity: .* is a vector. Add a component",
        ),
        (
            {"quantity": RATE, "since": "fre"},
            "envelopes.one.since: there is no event 'fre'; did you mean 'free'",
        ),
        ({"quantity": RATE, "since": "end"}, "envelopes.one.since: no time .* 'end'. Use an earlier event"),
        (
            {"quantity": RATE, "duration": "-1 s"},
            "envelopes.one.duration: -1 s is not above zero. Give a time",
        ),
        ({"quantity": RATE, "times": 1}, "envelopes.one.times: 1 is below 2. Give the number of times"),
        ({"quantity": RATE, "times": 100_001}, "envelopes: 100001 values .* more than 100000. Reduce times"),
        (
            {"quantity": RATE, "since": "late"},
            "envelopes.one.duration: the default duration since 'late' is unknown: the flight has no time "
            'after the event in case 0. Set duration, for example duration = "0.5 s"',
        ),
    ],
)
def test_faults_name_place_value_and_fix(envelope, message):
    event = 'events.late = { when = { time = "9 s" } }'
    scenario = loads(PANEL.replace("requirements.slow", f"{event}\nrequirements.slow"))
    with pytest.raises(BadInput, match=message) as found:
        scenario.campaign({**STUDY, "envelopes": {"one": envelope}}, progress=False)
    assert len(found.value.problems) == 1


def test_a_quantity_that_is_computed_after_the_flight_is_rejected():
    scenario = ist.load(Path(__file__).parents[2] / "examples" / "clampband_payload.toml")
    (fault,) = envelope_problems(scenario, [Envelope(name="gap", quantity="clearance.envelope.distance")])
    assert fault.place == "envelopes.gap.quantity"
    assert fault.message.startswith("'clearance.envelope.distance' is computed after the flight")


def test_an_unknown_envelope_of_a_result(panel):
    with pytest.raises(BadInput, match="there is no envelope 'rte'; did you mean 'rate'"):
        panel.envelope("rte")


def test_faults_have_the_line_of_the_file(tmp_path):
    (tmp_path / "panel.toml").write_text(PANEL, encoding="utf-8")
    study = tmp_path / "study.toml"
    lines = ['scenario = "panel.toml"', "cases = 4", "[dispersions.inertia]", 'path = "bodies.panel.inertia"']
    lines += ['sigma = "5 %"', "[envelopes.rate]", f'quantity = "{RATE}"', 'since = "fre"']
    study.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 8: envelopes\.rate\.since: there is no event 'fre'"):
        open_campaign(study, ist.load)


# --- flights of chosen cases


def test_flights_of_chosen_cases_are_saved_once(tmp_path, monkeypatch):
    flown: list[int] = []
    fly_one = CampaignResult.fly
    monkeypatch.setattr(CampaignResult, "fly", lambda self, case: flown.append(case) or fly_one(self, case))
    study = {**STUDY, "histories": {"worst": 2, "every": 10, "failed": 3}}
    first = fly(tmp_path / "x", study)
    failed = [case for case in first.worst(24) if first.failures("slow")[case]]
    assert len(failed) > 3
    wanted = sorted({*first.worst(2).tolist(), *failed[:3], 0, 10, 20})
    assert flown == wanted
    folder = tmp_path / "x" / "flights"
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"case-{case}.nc" for case in wanted)
    flight = ist.open_flight(folder / f"case-{wanted[0]}.nc")
    assert flight[RATE][-1] == pytest.approx(first["rate"][wanted[0]], rel=SOLVER)
    fly(tmp_path / "x", study)
    assert flown == wanted
    fly(tmp_path / "x", {**study, "histories": {"every": 7}})
    assert flown == [*wanted, *sorted({7, 14, 21} - {*wanted})]


def test_flights_of_earlier_choices_are_counted(tmp_path):
    study = {**STUDY, "chunk": 4, "cases": 8}
    first = fly(tmp_path / "x", {**study, "histories": {"every": 3}})
    (note,) = history_notes(first)
    assert note == "The flights of 3 chosen cases are in the subfolder flights."
    found = fly(tmp_path / "x", {**study, "histories": {"every": 2}})
    chosen, others = history_notes(found)
    assert chosen == "The flights of 4 chosen cases are in the subfolder flights."
    assert others == (
        "The subfolder flights also has 1 flight of other cases: of earlier choices, or by --case or "
        "--worst. Delete them if they are not needed."
    )


def test_flights_are_saved_when_the_last_part_is_complete(tmp_path):
    study = {**STUDY, "chunk": 4, "cases": 8, "histories": {"worst": 1}}
    fly(tmp_path / "x", study, part="1/2")
    assert not (tmp_path / "x" / "flights").exists()
    found = fly(tmp_path / "x", study, part="2/2")
    assert [path.name for path in (tmp_path / "x" / "flights").iterdir()] == [f"case-{found.worst(1)[0]}.nc"]


@pytest.mark.parametrize(("worst", "fail"), [(4, 1), (1, 4)])
def test_saved_flights_after_more_cases_and_parts_are_those_of_one_campaign(tmp_path, worst, fail):
    """The choice follows from the largest rates. The files have the same bits as each case flown alone."""
    study = {**STUDY, "chunk": 4, "cases": 20, "histories": {"worst": worst, "every": 9, "failed": fail}}
    fly(tmp_path / "x", {**study, "cases": 8})
    fly(tmp_path / "x", study, part="1/2")
    found = fly(tmp_path / "x", study)
    rates = next(found.columns[name] for name in found.columns if name.startswith("limit.slow"))
    order = np.argsort(-rates)
    failed = order[rates[order] > math.radians(40.5)][:fail]
    assert len(failed) == fail
    wanted = sorted({*order[:worst].tolist(), *failed.tolist(), 0, 9, 18})
    assert chosen_cases(found) == wanted
    assert chosen_cases(fly(None, study)) == wanted
    for case in wanted:
        saved = ist.open_flight(tmp_path / "x" / "flights" / f"case-{case}.nc")
        alone = found.fly(case)
        for path in ("time", RATE, "bodies.panel.attitude"):
            assert np.array_equal(saved[path], alone[path])


@pytest.mark.parametrize(("key", "value"), [("worst", -1), ("every", 0), ("failed", -2)])
def test_faults_of_histories(key, value):
    with pytest.raises(BadInput, match=f"histories.{key}: {value} is below"):
        run.study_of({**STUDY, "histories": {key: value}})


def test_flights_in_memory_are_not_saved():
    shown: list[str] = []
    fly(None, {**STUDY, "cases": 1, "histories": {"worst": 1}}, notice=shown.append)
    assert shown == ["No flights of histories are saved, because the results have no folder. Set folder."]
