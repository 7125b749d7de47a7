"""Mean, sigma and drivers of campaigns by derivatives, compared with closed forms and made-up cases.

All flights are of one structure, a short first separation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from campaign_results import STUDY, invented_result, run_command, save_result
from interstage.sensitivities.pushed import Pushed
from interstage.studies.campaign import CampaignResult, prepare
from interstage.studies.campaign.base_inputs import BaseInput, base_inputs, mean_case
from interstage.studies.campaign.first_order import CampaignFirstOrder, FirstOrderResponse, first_order
from interstage.studies.campaign.first_order_check import FirstOrderCheck, first_order_tables
from interstage.studies.campaign.first_order_file import NAME, read_first_order, write_first_order
from interstage.studies.campaign.page import html
from interstage.studies.campaign.reading import make_plan, study_of
from interstage.studies.campaign.run import responses_of
from interstage.tree.errors import Problem

ROOT = Path(__file__).parents[2]
PAIR = "pairs.stage.satellite"
MASSES = 900.0, 100.0


STROKE = 0.06
"""Short enough that the spring pushes over all of it, also with the smallest preload."""


def first(**changes: Any) -> ist.Scenario:
    return ist.load(
        ROOT / "examples" / "first.toml",
        {
            "phases.joined.until.time": 0.1,
            "phases.apart.until.elapsed": 0.5,
            "devices.spring.stroke": STROKE,
            **changes,
        },
    )


@pytest.fixture(scope="module")
def scenario() -> ist.Scenario:
    return first()


def plan_of(scenario: ist.Scenario, dispersions: dict[str, Any], **study: Any):
    return make_plan(scenario, study_of({"cases": 100, "dispersions": dispersions, **study}), None)


def derived(scenario: ist.Scenario, dispersions: dict[str, Any], **study: Any) -> CampaignFirstOrder:
    plan = plan_of(scenario, dispersions, **study)
    return first_order(plan, responses_of(plan))


RESPONSES = {
    "speed": {"quantity": f"{PAIR}.separation_speed", "at": "end"},
    "rate_x": {"quantity": f"{PAIR}.relative_rate.x", "at": "end"},
    "rate_y": {"quantity": f"{PAIR}.relative_rate.y", "at": "end"},
}
SPRING = "devices.spring"


@pytest.fixture(scope="module")
def result(scenario, tmp_path_factory) -> CampaignResult:
    """A campaign with dispersions of all kinds, correlated and not."""
    dispersions = {
        "mass": {"path": "bodies.satellite.mass", "sigma": "2 %"},
        "preload": {"path": f"{SPRING}.preload", "distribution": "uniform", "delta": "6 %"},
        "offset": {"path": [f"{SPRING}.parent_at.x", f"{SPRING}.parent_at.y"], "sigma": "4 mm"},
        "heat": {"mean": "300 K", "sigma": "8 K"},
        "stiffness": {"path": f"{SPRING}.stiffness", "formula": "nominal * (1 - 2e-3 * (heat - 300))"},
        "missing": {"path": f"{SPRING}.strength", "values": [1, 0], "probabilities": [0.95, 0.05]},
    }
    groups = {"pair": {"of": ["mass", "heat"], "value": 0.5}}
    study = {"cases": 64, "dispersions": dispersions, "correlations": groups, "responses": RESPONSES}
    folder = tmp_path_factory.mktemp("derivatives") / "cases"
    return scenario.campaign(study, folder, progress=False)


@pytest.fixture(scope="module")
def found(result) -> CampaignFirstOrder:
    return result.first_order()


# --- statistics of flights


def test_the_speed_has_the_sigma_of_the_closed_form(found):
    """v^2 = 2 E (1/m1 + 1/m2) with E = P L - k L^2 / 2, and k depends on the heat."""
    m1, m2 = MASSES
    preload, stiffness, stroke = 400.0, 4000.0, STROKE
    energy = preload * stroke - stiffness * stroke**2 / 2
    v = np.sqrt(2 * energy * (1 / m1 + 1 / m2))
    by_mass = -v / 2 / (1 / m1 + 1 / m2) / m2**2 * 0.02 * m2
    by_preload = v / 2 / energy * stroke * 0.06 * preload / np.sqrt(3)
    by_heat = v / 2 / energy * stroke**2 / 2 * 2e-3 * stiffness * 8.0
    variance = by_mass**2 + by_preload**2 + by_heat**2 + 2 * 0.5 * by_mass * by_heat
    one = found.responses["speed"]
    # Absolute and relative error of the flight.
    assert one.mean == pytest.approx(v, rel=1e-6)
    assert one.sigma == pytest.approx(np.sqrt(variance), rel=1e-5)
    shares = found.shares("speed")
    both = 0.5 * by_mass * by_heat
    exact = {"mass": by_mass**2 + both, "preload": by_preload**2, "heat": by_heat**2 + both, "offset": 0.0}
    assert shares == pytest.approx({name: share / variance for name, share in exact.items()}, abs=1e-5)


def test_inputs_without_a_derivative_are_listed_by_name(found):
    assert found.omitted == {
        "missing": "the input has discrete values and keeps its most likely value",
    }
    assert [one.name for one in found.inputs] == ["mass", "preload", "offset_1", "offset_2", "heat"]


def test_a_magnitude_that_is_zero_has_no_derivative(found):
    """Its derivative is computed as zero, which would hide the dispersion."""
    assert found.responses["tip_off"].why.startswith("the response has a kink at the means of the inputs")
    rates = [found.responses[name] for name in ("rate_x", "rate_y")]
    assert [one.why for one in rates] == ["", ""]
    assert rates[0].sigma == pytest.approx(rates[1].sigma, rel=1e-6)
    assert found.shares("rate_x")["offset"] == pytest.approx(1.0, abs=1e-9)
    assert found.flights == 5


def test_the_cases_without_a_failed_spring_agree(result, found):
    checks = {name: result.check_first_order(name) for name in ("speed", "rate_x", "rate_y", "tip_off")}
    failed = int((result["missing"] == 0).sum())
    assert failed > 0
    reason = "Inputs without derivatives (missing) cause the difference. "
    reason += f"Mean and sigma agree if the {failed} cases"
    assert checks["speed"].agrees is False
    assert checks["speed"].reason.startswith(reason)
    assert [checks[name].agrees for name in ("rate_x", "rate_y")] == [True, True]
    assert checks["tip_off"].agrees is None
    assert "kink" in checks["tip_off"].reason
    again = CampaignResult.load(result.folder)
    assert again.known_first_order is not None
    assert again.known_first_order.responses["speed"].sigma == found.responses["speed"].sigma
    text = html(again, "SI")
    assert "<h2>Mean and sigma from derivatives, compared with the sampled cases</h2>" in text
    assert "<h2>Shares of the variance from derivatives</h2>" in text


# --- inputs


def test_moments_of_the_declared_distributions(scenario, tmp_path):
    (tmp_path / "rows.csv").write_text(
        "devices.spring.preload [N], devices.spring.stiffness [N/m]\n1, 4\n2, 3\n6, 3\n"
    )
    dispersions = {
        "mass": {"path": "bodies.*.mass", "sigma": "2 %", "truncate": 1},
        "heavy": {"mean": "1 m", "distribution": "cauchy", "parameters": {"scale": "1 m"}},
        "row": {"file": "rows.csv"},
        "lot": {
            "path": [f"{SPRING}.parent_at.x", f"{SPRING}.parent_at.y"],
            "sigma": "4 mm",
            "lot": "a",
            "lot_share": 0.3,
        },
    }
    del dispersions["heavy"]["mean"]
    study = study_of({"cases": 50, "dispersions": dispersions})
    base = base_inputs(prepare(study, scenario, tmp_path))
    names = [one.name for one in base.inputs]
    assert names == [
        "mass_1",
        "mass_2",
        "row.devices.spring.preload",
        "row.devices.spring.stiffness",
        "lot_1",
        "lot_2",
    ]
    # A normal distribution that is truncated at one sigma has the variance 1 - 2 phi(1) / (2 Phi(1) - 1).
    assert base.sigmas[0] == pytest.approx(18.0 * np.sqrt(0.29112509), rel=1e-7)
    rows = np.array([[1, 2, 6], [4, 3, 3]])
    np.testing.assert_allclose(base.correlation[2:4, 2:4], np.corrcoef(rows), atol=1e-14)
    np.testing.assert_allclose(base.sigmas[2:4], rows.std(axis=1))
    assert base.correlation[4, 5] == pytest.approx(0.3, abs=1e-12)
    assert base.correlation[0, 1] == 0.0
    assert list(base.omitted) == ["heavy"]
    assert "has no standard deviation" in base.omitted["heavy"]


def test_shared_draws_are_fully_correlated(scenario):
    shared = {"mass": {"path": "bodies.*.mass", "sigma": "2 %", "shared": True}}
    base = base_inputs(plan_of(scenario, shared))
    np.testing.assert_allclose(base.correlation, np.ones((2, 2)))


def test_formulas_are_differentiated(scenario):
    dispersions = {
        "heat": {"mean": 3.0, "sigma": 0.5},
        "wear": {"mean": 2.0, "sigma": 0.5},
        "mid": {"formula": "heat^2 * wear"},
        "preload": {"path": f"{SPRING}.preload", "formula": "nominal + 1.5 * sin(mid) - wear"},
        "off": {"mean": 1.0, "sigma": 1.0},
    }
    plan = plan_of(scenario, dispersions)
    case = mean_case(plan, base_inputs(plan))
    slope = 1.5 * np.cos(18.0)
    np.testing.assert_allclose(case.tangents["mid"], [12.0, 9.0, 0.0])
    np.testing.assert_allclose(case.tangents["preload"], [12.0 * slope, 9.0 * slope - 1.0, 0.0], rtol=1e-12)
    assert case.leaves[f"{SPRING}.preload"] == pytest.approx(400.0 + 1.5 * np.sin(18.0) - 2.0)


@pytest.mark.long
def test_an_array_is_scaled_by_one_factor(scenario):
    """The response depends on inertia only with an offset of the spring."""
    moved = first(**{f"{SPRING}.parent_at": "[0.05, 0, 0] m", f"{SPRING}.axis": [0, 0, 1]})
    found = derived(
        moved, {"inertia": {"path": "bodies.satellite.inertia", "sigma": "1 %"}}, responses=RESPONSES
    )
    one = found.responses["rate_y"]
    values = [
        first(
            **{
                f"{SPRING}.parent_at": "[0.05, 0, 0] m",
                f"{SPRING}.axis": [0, 0, 1],
                "bodies.satellite.inertia": [12 * f, 12 * f, 8 * f],
            }
        )
        .run()
        .value(f"{PAIR}.relative_rate.y", "end")
        for f in (0.999, 1.001)
    ]
    assert one.sigma == pytest.approx(abs(values[1] - values[0]) / 0.002 * 0.01, rel=1e-5)


def test_responses_without_a_derivative_have_a_reason(scenario):
    responses = {
        "largest": {"quantity": f"{PAIR}.tip_off_rate", "take": "max"},
        "vector": {"quantity": "bodies.satellite.speed", "at": "apart"},
    }
    dispersions = {"missing": {"path": f"{SPRING}.strength", "values": [1, 0], "probabilities": [0.9, 0.1]}}
    found = derived(scenario, dispersions, responses=responses)
    assert {one.why for one in found.responses.values()} == {
        "no dispersion with a derivative changes the scenario"
    }
    assert [*found.omitted] == ["missing"]


def test_a_limit_at_an_event_that_repeats_has_no_derivative():
    """The limit applies to x = 1, 2, 3 m at the ticks, and is nearest at the last one."""
    body = ist.Body(name="a", mass=1.0, inertia=[1, 1, 1], initial=ist.State(velocity=[1.0, 0, 0]))
    far = {"name": "far", "quantity": "bodies.a.position.x", "max": "10 m", "at": "tick"}
    scenario = ist.Scenario(
        bodies=(body,),
        phases=(ist.Phase(name="fly", until=ist.Trigger(time=3.5)),),
        events=(ist.Event(name="tick", when=ist.Trigger(elapsed=1.0), repeats=True),),
        requirements=(ist.Requirement(**far), ist.Requirement(**{**far, "name": "near", "min": "0 m"})),
    )
    found = derived(scenario, {"speed": {"path": "bodies.a.initial.velocity.x", "sigma": "0.1 m/s"}})
    assert list(found.responses) == ["far", "near min", "near max"]
    assert "occurs several times" in found.responses["far"].why
    assert "occurs several times" in found.responses["near max"].why
    # x = v t at the first tick, to the tolerance of the flight.
    nearest = found.responses["near min"]
    assert (nearest.why, nearest.mean, nearest.sigma) == ("", pytest.approx(1.0), pytest.approx(0.1))


def test_inputs_and_responses_that_the_derivatives_reject_are_listed(scenario, monkeypatch):
    """An input that moves an event against a discontinuity, and an extreme that is not smooth."""
    original = Pushed.jacobian

    def reject(self: Pushed, point: Any) -> np.ndarray:
        problems = [Problem("mass", "it moves an event")] if "mass" in self.names else []
        quantity = RESPONSES["rate_x"]["quantity"]
        if any(one.quantity == quantity for one in self.outputs):
            problems.append(Problem(quantity, "it is not smooth"))
        if problems:
            raise ist.BadInput(problems)
        return original(self, point)

    def after_flight(scenario: Any, path: str) -> object:
        return True if path == RESPONSES["rate_y"]["quantity"] else None

    monkeypatch.setattr(Pushed, "jacobian", reject)
    monkeypatch.setattr("interstage.studies.campaign.first_order.known_after", after_flight)
    dispersions = {
        "mass": {"path": "bodies.satellite.mass", "sigma": "2 %"},
        "preload": {"path": f"{SPRING}.preload", "distribution": "uniform", "delta": "6 %"},
    }
    found = derived(scenario, dispersions, responses=RESPONSES)
    assert found.omitted == {"mass": "it moves an event"}
    assert found.responses["rate_x"].why == "it is not smooth"
    assert found.responses["rate_y"].why == "the response is computed only after a flight, from samples"
    energy = 400 * STROKE - 4000 * STROKE**2 / 2
    speed = found.responses["speed"]
    assert speed.sigma == pytest.approx(speed.mean / 2 / energy * STROKE * 24 / np.sqrt(3), rel=1e-5)
    assert found.shares("speed") == {"preload": pytest.approx(1.0)}


def test_responses_at_the_edge_of_what_is_allowed_have_a_reason():
    """A spring with a smaller preload does not push over its stroke, which the scenario rejects."""
    edge = first(**{f"{SPRING}.stroke": 0.1})
    found = derived(edge, {"preload": {"path": f"{SPRING}.preload", "sigma": "1 %"}}, responses=RESPONSES)
    text = "a flight near the means of the inputs cannot start: "
    assert all(one.why.startswith(text) for one in found.responses.values())


def test_a_case_that_cannot_be_flown_is_a_warning(saved, monkeypatch, capsys):
    (saved / NAME).unlink()

    def refuse(*how: Any) -> None:
        raise ist.BadInput("the mean mass is negative")

    monkeypatch.setattr("interstage.studies.campaign.first_order.first_order", refuse)
    run_command("show", saved, "--derivatives")
    shown = capsys.readouterr()
    assert "Warning: there are no statistics by derivatives. the mean mass is negative" in shown.err
    assert "Most important inputs (drivers) of speed" in shown.out


# --- comparison with cases


def invented(response: np.ndarray, derived: FirstOrderResponse, **omitted: str) -> FirstOrderCheck:
    result = invented_result(speed=response)
    inputs = tuple(BaseInput(name, "x", *moments) for name, moments in MOMENTS.items())
    known = CampaignFirstOrder(inputs, omitted, {"speed": derived}, 5)
    result.__dict__["known_first_order"] = known
    return result.check_first_order("speed")


MOMENTS = {"mass": (100.0, 2.0), "offset_1": (0.0, 0.004), "offset_2": (0.0, 0.004)}
SCALED = invented_result()
U = {name: (SCALED[name] - mean) / sigma for name, (mean, sigma) in MOMENTS.items()}


def line(sigma: float) -> FirstOrderResponse:
    return FirstOrderResponse("speed", 10.0, sigma, np.array([1.0, 0.0, 0.0]))


def test_a_linear_response_agrees():
    check = invented(10.0 + 0.5 * U["mass"], line(0.5))
    assert (check.agrees, check.reason) == (True, "")


def test_curvature_is_the_reason():
    check = invented(10.0 + 0.5 * U["mass"] + 0.4 * U["offset_1"] ** 2, line(0.5))
    assert check.agrees is False
    shift = float(re.search(r"shift the mean by \+([\d.]+) sigma", check.reason)[1])  # type: ignore[index]
    values = 10.0 + 0.5 * U["mass"] + 0.4 * U["offset_1"] ** 2
    assert shift == pytest.approx(0.4 / values.std(ddof=1), rel=0.02)
    assert "The square of offset_1 has the largest effect." in check.reason


def test_products_of_inputs_are_not_linear():
    check = invented(10.0 + 0.1 * U["mass"] + 0.5 * U["offset_1"] * U["offset_2"], line(0.1))
    assert check.agrees is False
    assert check.reason.startswith(
        "The response is not linear over the dispersions. A linear function of the"
    )


def test_discrete_inputs_are_the_reason():
    missing = {"path": "devices.spring.strength", "choose": [0, 1], "probabilities": [0.9, 0.1], "value": 0}
    study = {**STUDY, "dispersions": {**STUDY["dispersions"], "missing": missing}}
    draws = invented_result(study)
    fails = draws["missing"] == 0
    scaled = (draws["mass"] - 100.0) / 2.0
    result = invented_result(study, speed=np.where(fails, 0.0, 10.0 + 0.5 * scaled))
    rows = {"speed": FirstOrderResponse("speed", 10.0, 0.5, np.ones(1))}
    known = CampaignFirstOrder((BaseInput("mass", "mass", 100.0, 2.0),), {"missing": "discrete"}, rows, 5)
    result.__dict__["known_first_order"] = known
    check = result.check_first_order("speed")
    assert check.agrees is False
    assert check.reason == (
        f"Inputs without derivatives (missing) cause the difference. Mean and sigma agree if the"
        f" {fails.sum()} cases with other values of these inputs are omitted."
    )
    first_table, shares = first_order_tables(result, "SI")
    assert (first_table.bad, first_table.rows[0][-1]) == ({0}, "DIFFERS")
    assert "The input missing has no derivative: discrete." in first_table.note
    assert shares.rows == [["mass", "100.0 %"]]


def test_cases_without_a_number_are_counted():
    values = 10.0 + 0.5 * U["mass"]
    check = invented(np.where(values > 10.3, np.nan, values), line(0.5))
    assert check.agrees is False
    lost = int((values > 10.3).sum())
    assert check.reason.startswith(
        f"{lost} of 200 cases have no finite value. Mean and sigma are computed from the other cases."
    )


def test_few_cases_are_not_compared():
    result = invented_result({**STUDY, "cases": 10})
    inputs = tuple(BaseInput(name, "x", *moments) for name, moments in MOMENTS.items())
    result.__dict__["known_first_order"] = CampaignFirstOrder(inputs, {}, {"speed": line(0.5)}, 5)
    check = result.check_first_order("speed")
    assert (check.agrees, check.mean) == (None, None)
    assert check.reason == "10 cases have a finite value; the comparison needs 20"


# --- the file and the command


@pytest.fixture
def saved(tmp_path) -> Path:
    """The folder of a campaign with statistics by derivatives."""
    result = invented_result()
    folder = save_result(result, tmp_path / "saved")
    inputs = tuple(BaseInput(name, "x", *moments) for name, moments in MOMENTS.items())
    rows = {
        "speed": line(0.01),
        "tip_off": FirstOrderResponse("tip_off", np.nan, np.nan, np.zeros(3), "a kink"),
    }
    write_first_order(folder, CampaignFirstOrder(inputs, {"y": "discrete"}, rows, 5), result.manifest.stamp)
    return folder


def test_the_command_prints_saved_statistics(saved, capsys):
    run_command("show", saved)
    text = capsys.readouterr().out
    assert "Mean and sigma from derivatives" in text
    assert "tip_off: no statistics from derivatives: a kink" in text
    assert "The input y has no derivative: discrete." in text


def test_a_file_that_is_damaged_or_of_another_campaign_is_not_used(saved):
    stamp = CampaignResult.load(saved).manifest.stamp
    text = (saved / NAME).read_text()
    assert read_first_order(saved, stamp) is not None
    assert read_first_order(saved, stamp._replace(key="other")) is None
    (saved / NAME).write_text(text[: len(text) // 2])
    assert read_first_order(saved, stamp) is None
    (saved / NAME).write_text(json.dumps([1, 2]))
    assert read_first_order(saved, stamp) is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare", "a", "b", "--derivatives"), "no effect with the word compare"),
        (
            ("study.toml", "--case", "3", "--derivatives"),
            "--derivatives: --derivatives applies to the whole campaign. Remove --derivatives, or"
            " remove --case",
        ),
        (("study.toml", "--worst", "3", "--derivatives"), "or remove --worst"),
    ],
)
def test_the_option_is_rejected_where_it_has_no_effect(capsys, words, message):
    assert run_command(*words) == 2
    assert message in capsys.readouterr().err
