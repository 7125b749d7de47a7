"""Draws of campaigns: distributions, correlations, lots, and the independence of each case from all others.

References are scipy.stats and closed forms. Each statistical bound is `FALSE_ALARM` standard errors of the
compared estimate. The seeds are fixed, so a test that passes once passes always."""

from __future__ import annotations

import functools
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import interstage as ist
from interstage.runs.cases import by_leaf
from interstage.studies.campaign import (
    Campaign,
    Dispersion,
    Draws,
    Plan,
    confirm,
    draw,
    faults_of,
    notes_of,
    prepare,
)
from interstage.studies.campaign.distributions import Truncated
from interstage.tree.addresses import set as put

ROOT = Path(__file__).parents[2]
N = 1_000_000
COMPARED = 200
"""Upper limit of the number of estimates that the tests of this file compare."""
FALSE_ALARM = float(stats.norm.isf(1e-4 / COMPARED / 2))
"""Standard errors (5.0): with other seeds, one run of this file in 10,000 would have a false alarm."""
FOUR = """
bodies.stage = { mass = "900 kg", inertia = "[400, 400, 150] kg m^2", initial = {} }
bodies.satellite = { mass = "100 kg", inertia = "[12, 12, 8] kg m^2" }
joints.band = { kind = "fixed", parent = "stage", child = "satellite", parent_at = "[0, 0, 1.2] m", child_at = "[0, 0, -0.4] m" }
devices.push = { kind = "kickoff_spring", parent = "stage", child = "satellite", parent_at = "[0, 0, 1.2] m", child_at = "[0, 0, -0.4] m", stiffness = "4 kN/m", preload = "400 N", stroke = "9 cm", axis = [0, 0, 1], count = 4, circle = { axis = "z", radius = "0.3 m" } }
phases.joined = { until = { time = "0.1 s" } }
phases.apart = { release = ["band"], until = { elapsed = "0.5 s" } }
"""  # noqa: E501


@pytest.fixture(scope="module")
def four(tmp_path_factory) -> Any:
    """Two bodies with a pattern of four springs."""
    file = tmp_path_factory.mktemp("four") / "four.toml"
    file.write_text(FOUR)
    return ist.load(file)


def plan(
    scenario: Any, dispersions: Any, cases: int | None = 1000, folder: Path | None = None, **more: Any
) -> Plan:
    return prepare(Campaign(scenario="-", cases=cases, dispersions=dispersions, **more), scenario, folder)


# --- distributions

LAWS: dict[str, tuple[dict[str, Any], Any]] = {
    "normal": ({"mean": "10 kg", "sigma": "2 kg"}, stats.norm(10, 2)),
    "three_sigma": ({"mean": "10 kg", "three_sigma": "6 kg"}, stats.norm(10, 2)),
    "covered": ({"bounds": ["8 kg", "12 kg"], "coverage": 0.9}, stats.norm(10, 2 / stats.norm.ppf(0.95))),
    "lognormal": (
        {"distribution": "lognormal", "mean": "10 kg", "sigma": "2 kg"},
        stats.lognorm(math.sqrt(math.log(1.04)), scale=10 / math.sqrt(1.04)),
    ),
    "lognormal_covered": (
        {"distribution": "lognormal", "bounds": ["8 kg", "12.5 kg"], "coverage": 0.5},
        stats.lognorm(math.log(1.25) / stats.norm.ppf(0.75), scale=10),
    ),
    "uniform": ({"distribution": "uniform", "bounds": ["8 kg", "12 kg"]}, stats.uniform(8, 4)),
    "uniform_covered": (
        {"distribution": "uniform", "mean": "10 kg", "delta": "1.8 kg", "coverage": 0.9},
        stats.uniform(8, 4),
    ),
    "uniform_sigma": (
        {"distribution": "uniform", "mean": "10 kg", "sigma": "1 kg"},
        stats.uniform(10 - math.sqrt(3), 2 * math.sqrt(3)),
    ),
    "triangular": (
        {"distribution": "triangular", "bounds": ["8 kg", "12 kg"], "mode": "9 kg"},
        stats.triang(0.25, 8, 4),
    ),
    "beta": (
        {"distribution": "beta", "bounds": ["8 kg", "12 kg"], "parameters": {"alpha": 2, "beta": 5}},
        stats.beta(2, 5, 8, 4),
    ),
    "weibull": (
        {"distribution": "weibull", "parameters": {"shape": 1.5, "scale": "2 kg", "location": "1 kg"}},
        stats.weibull_min(1.5, 1, 2),
    ),
    "rayleigh": ({"distribution": "rayleigh", "parameters": {"scale": "2 kg"}}, stats.rayleigh(0, 2)),
    "truncated": (
        {"mean": "10 kg", "sigma": "2 kg", "min": "11 kg", "max": "15 kg"},
        stats.truncnorm(0.5, 2.5, 10, 2),
    ),
    "three_sigma_limits": ({"mean": "10 kg", "sigma": "2 kg", "truncate": 3}, stats.truncnorm(-3, 3, 10, 2)),
    "gumbel": (
        {"distribution": "gumbel_r", "parameters": {"loc": "3000 g", "scale": "2 kg"}},
        stats.gumbel_r(3, 2),
    ),
    "gamma": (
        {"distribution": "gamma", "parameters": {"a": 2.5, "scale": "2 kg"}},
        stats.gamma(2.5, scale=2),
    ),
}


@pytest.fixture(scope="module")
def laws(demo) -> Plan:
    return plan(demo, {name: keys for name, (keys, _) in LAWS.items()}, N)


SAMPLED = (
    *("normal", "lognormal", "uniform", "triangular", "beta", "weibull", "rayleigh", "truncated", "gumbel"),
    "gamma",
)
"""One of each kind. The others differ in their declaration only, which their quantiles show."""


@pytest.fixture(scope="module")
def million(demo) -> Draws:
    return plan(demo, {name: LAWS[name][0] for name in SAMPLED}, N).draw()


def central_moments(law: Any) -> np.ndarray:
    """Central moments up to order 8 of a distribution of SciPy, by quadrature of its density."""
    mean = law.mean()
    low, high = law.isf(1 - 1e-16), law.isf(1e-18)

    def moment(k: int) -> float:
        inner = [mean - law.std(), mean, mean + law.std()]
        points = [x for x in inner if low < x < high]
        return integrate.quad(lambda x: (x - mean) ** k * law.pdf(x), low, high, points=points, limit=400)[0]

    return np.array([moment(k) for k in range(9)])


@pytest.mark.parametrize("name", SAMPLED)
def test_first_four_moments_are_those_of_scipy(million, name):
    """Standard errors of central moments: Kendall, "The advanced theory of statistics", volume 1, 10.5."""
    law, x = LAWS[name][1], million.inputs[name]
    mu = central_moments(law)
    assert mu[0] == pytest.approx(1, abs=1e-7)  # quadrature
    y = x - law.mean()
    square = y * y
    found = np.array([y.sum(), square.sum(), y @ square, square @ square]) / N
    # About the known mean the variance of the k-th sample moment is (mu_2k - mu_k^2) / n.
    error = np.sqrt((mu[[2, 4, 6, 8]] - mu[[1, 2, 3, 4]] ** 2) / N)
    assert (np.abs(found - mu[[1, 2, 3, 4]]) < FALSE_ALARM * error).all(), (found - mu[1:5]) / error


@pytest.mark.parametrize("name", LAWS)
def test_quantiles_and_probabilities_are_those_of_scipy(laws, name):
    """In both tails too, where probabilities near 1 have lost their digits."""
    law, ours = LAWS[name][1], next(d.maker for d in laws.dispersions if d.name == name).distributions[0]
    p = np.array([1e-12, 1e-6, 0.01, 0.3, 0.5])
    # Relative to the standard deviation; scipy.stats.truncnorm has errors of 1e-10 there.
    assert ours.lower(p) == pytest.approx(law.ppf(p), abs=1e-9 * law.std())
    assert ours.upper(p) == pytest.approx(law.isf(p), abs=1e-9 * law.std())
    x = law.ppf(np.array([0.001, 0.2, 0.7, 0.999]))
    assert ours.below(x) == pytest.approx(law.cdf(x), rel=1e-9)
    assert ours.above(x) == pytest.approx(law.sf(x), rel=1e-9)
    if not isinstance(ours, Truncated):
        assert (ours.mean, ours.sigma) == pytest.approx((law.mean(), law.std()), rel=1e-12)


def test_values_of_extreme_scores_are_exact(laws):
    """At 8 standard deviations the probability above is 6e-16: 1 minus it has one digit."""
    for name in ("lognormal", "weibull", "gamma", "rayleigh"):
        ours = next(d.maker for d in laws.dispersions if d.name == name).distributions[0]
        z = np.array([-8.0, 8.0])
        law = LAWS[name][1]
        assert ours.at(z) == pytest.approx([law.ppf(stats.norm.cdf(-8)), law.isf(stats.norm.sf(8))], rel=1e-9)


def test_a_spread_in_per_cent_is_of_the_value_of_each_input(four):
    scenario = put(four, "devices.push_2.preload", 800.0)
    found = plan(scenario, {"k": {"path": "devices.push.preload", "sigma": "2 %"}})
    laws = found.dispersions[0].maker.distributions  # pyright: ignore
    assert [law.mean for law in laws] == [400, 800, 400, 400]
    assert [law.sigma for law in laws] == pytest.approx([8, 16, 8, 8])


# --- one case, alone


BUSY = {
    "mass": {"path": "bodies.satellite.mass", "sigma": "2 %", "kind": "known"},
    "load": {
        "path": "devices.push.preload",
        "sigma": "1 %",
        "lot": "batch",
        "lot_share": 0.6,
        "min": "380 N",
    },
    "works": {"path": "devices.push.strength", "choose": [0, 1], "value": 0, "probabilities": [0.8, 0.2]},
    "offset": {
        "path": ["bodies.satellite.mass_centre.x", "bodies.satellite.mass_centre.y"],
        "distribution": "weibull",
        "parameters": {"shape": 2.5, "scale": "1 mm"},
        "importance": {"shift": 0.5},
    },
    "stage": {"path": "bodies.stage.mass", "values": ["890 kg", "905 kg"], "kind": "day"},
    "heat": {"mean": "300 K", "sigma": "5 K"},
    "stiffness": {"path": "devices.push.stiffness", "formula": "nominal * (1 - 1e-4 * (heat - 300)^3)"},
}
TIED = {"pair": {"of": ["heat", "offset_scale"], "value": 0.5}}
BUSY["offset_scale"] = {"distribution": "gamma", "parameters": {"a": 2.0}}


def assert_equal(one: Draws, other: Draws, cases: slice) -> None:
    """The first draws are the others at some cases, to the last bit."""
    for path, values in one.values.items():
        assert values.tobytes() == np.ascontiguousarray(other.values[path][..., cases]).tobytes(), path
    for name, values in one.inputs.items():
        assert values.tobytes() == np.ascontiguousarray(other.inputs[name][..., cases]).tobytes(), name
    assert one.weights.tobytes() == other.weights[cases].tobytes()


DESIGNS = ("random", "latin_hypercube", "sobol")


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("loops", [None, {"known": 5, "day": 8, "flight": 25}])
def test_a_case_is_the_same_in_any_chunk(four, design, loops):
    found = plan(four, BUSY, design=design, correlations=TIED, loops=loops)
    whole = found.draw()
    for first, last in ((0, 1), (0, 3), (17, 18), (63, 129), (500, 501), (511, 1000), (999, 1000)):
        assert_equal(found.draw(first, last), whole, slice(first, last))
    assert len(found.draw(7, 7)) == 0


@pytest.mark.parametrize("design", ["random", "latin_hypercube"])
def test_other_dispersions_change_no_draw(four, design):
    keys = {"design": design}
    before = plan(four, {name: BUSY[name] for name in ("mass", "load", "works")}, **keys).draw()
    more = {"first": {"sigma": "1 m", "mean": "2 m"}, **BUSY}
    after = plan(four, more, correlations=TIED, **keys).draw()
    other_order = plan(four, dict(reversed(more.items())), correlations=TIED, **keys).draw()
    for name, values in before.inputs.items():
        assert values.tobytes() == after.inputs[name].tobytes()
    for name, values in after.inputs.items():
        assert values.tobytes() == other_order.inputs[name].tobytes()


def test_a_sobol_design_keeps_the_draws_of_the_dispersions_before_a_new_one(four):
    """A stream uses the coordinate of its position: the sequence has no other way to stay balanced."""
    one, other = {"a": {"mean": 1.0, "sigma": 1.0}}, {"b": {"mean": 1.0, "sigma": 1.0}}
    alone = plan(four, one, design="sobol").draw().inputs["a"]
    assert np.array_equal(alone, plan(four, one | other, design="sobol").draw().inputs["a"])
    assert not np.array_equal(alone, plan(four, other | one, design="sobol").draw().inputs["a"])


def test_an_added_member_changes_no_other(four):
    one = plan(four, {"x": {"path": "devices.push_3.stiffness", "sigma": "1 %"}}).draw()
    all_four = plan(four, {"x": {"path": "devices.push.stiffness", "sigma": "1 %"}}).draw()
    assert np.array_equal(one.inputs["x"], all_four.inputs["x_3"])
    assert {*all_four.values} == {f"devices.push_{k}.stiffness" for k in (1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"cases": 300}, {"cases": 1000}),
        ({"cases": 256, "design": "sobol"}, {"cases": 1024, "design": "sobol"}),
        (
            {"cases": 250, "design": "latin_hypercube"},
            {"cases": 1000, "design": "latin_hypercube", "block": 250},
        ),
        (
            {"cases": None, "loops": {"known": 3, "day": 4, "flight": 5}},
            {"cases": None, "loops": {"known": 30, "day": 4, "flight": 5}},
        ),
    ],
)
def test_an_enlarged_campaign_keeps_its_cases(four, before, after):
    small = plan(four, BUSY, correlations=TIED, **before).draw()
    large = plan(four, BUSY, correlations=TIED, **after).draw()
    assert len(small) < len(large)
    assert_equal(small, large, slice(0, len(small)))


def test_streams_depend_on_seed_and_name_only(four):
    keys = {"mean": 1.0, "sigma": 1.0}
    one, other = (plan(four, {"a": keys, "b": keys}, seed=seed).draw().inputs for seed in (1, 2))
    z = np.stack([one["a"], one["b"], other["a"], other["b"]])
    assert np.abs(np.corrcoef(z) - np.eye(4)).max() < FALSE_ALARM / math.sqrt(1000)
    moved = plan(four, {"a": keys | {"mean": 5.0}}, seed=1).draw().inputs["a"]
    assert moved - 4 == pytest.approx(one["a"], abs=1e-14)  # rounding of numbers below 10


def test_first_numbers_stay_those_of_this_version(four):
    """Philox and the hash of its key are standards; campaigns of earlier versions can be drawn again."""
    found = plan(four, {"a": {"mean": 0.0, "sigma": 1.0}}, seed=1).draw(0, 3).inputs["a"]
    assert found == pytest.approx(FIRST, abs=1e-14)  # rounding of the normal quantile


FIRST = (-1.2395886696164409, -2.29887204076754, -0.09235576061806335)


def test_a_million_draws_take_less_than_a_second(four):
    found = plan(four, {"a": {"mean": 0.0, "sigma": 1.0}}, N)
    clock = time.process_time()
    found.draw()
    assert time.process_time() - clock < 1  # 0.1 s on two busy cores


# --- nested kinds


def test_nested_loops_keep_a_vehicle_and_a_day(four):
    loops = {"known": 4, "day": 5, "flight": 6}
    found = plan(four, BUSY, cases=None, correlations=TIED, loops=loops)
    draws = found.draw()
    assert (found.cases, len(draws)) == (120, 120)
    assert draws.indices["known"].tolist() == np.repeat(np.arange(4), 30).tolist()
    assert draws.indices["day"].tolist() == np.repeat(np.arange(20), 6).tolist()
    mass, stage, heat = (draws.inputs[name].reshape(4, 5, 6) for name in ("mass", "stage", "heat"))
    assert (mass == mass[:, :1, :1]).all()
    assert len(np.unique(mass)) == 4
    assert (stage == stage[:, :, :1]).all()
    assert len(np.unique(heat)) == 120
    # The first vehicle is the first case of the campaign without loops.
    assert mass[0, 0, 0] == plan(four, BUSY, correlations=TIED).draw(0, 1).inputs["mass"][0]


# --- correlations and lots


def correlation_error(rho: Any) -> Any:
    """Standard error of a sample correlation of normal variables."""
    return (1 - np.asarray(rho) ** 2) / math.sqrt(N)


def test_correlations_are_those_of_the_matrix_in_normal_scores(four):
    """Rank correlation of a Gaussian copula: 6 / pi asin(rho / 2) (Kruskal, JASA 53, 1958)."""
    matrix = [[1, 0.8, -0.3], [0.8, 1, 0.1], [-0.3, 0.1, 1]]
    of = {
        "a": {"mean": 0.0, "sigma": 2.0},
        "b": {"distribution": "lognormal", "mean": 10.0, "sigma": 3.0},
        "c": {"distribution": "uniform", "bounds": [1.0, 2.0]},
    }
    group = {"group": {"of": ["a", "b", "c"], "matrix": matrix}}
    found = plan(four, of, N, correlations=group)
    x = found.draw().inputs
    law = found.dispersions[1].maker.distributions[0]  # pyright: ignore
    z = np.stack([x["a"] / 2, (np.log(x["b"]) - law.log_mean) / law.log_sigma, stats.norm.ppf(x["c"] - 1)])
    apart = np.abs(np.corrcoef(z) - matrix)
    assert (apart < FALSE_ALARM * correlation_error(matrix) + 1e-12).all()
    ranks = np.argsort(np.argsort(np.stack([x["a"], x["b"], x["c"]])[:, :100_000], axis=1), axis=1)
    spearman = 6 / np.pi * np.arcsin(np.array(matrix) / 2)
    # The standard error of a rank correlation is at most that of independent variables, 1 / sqrt(n).
    assert np.abs(np.corrcoef(ranks) - spearman).max() < FALSE_ALARM / math.sqrt(100_000)


def test_members_are_correlated_one_by_one(four):
    of = {
        "k": {"path": "devices.push.stiffness", "sigma": "1 %"},
        "p": {"path": "devices.push.preload", "sigma": "1 %"},
    }
    x = plan(four, of, 100_000, correlations={"g": {"of": ["k", "p"], "value": 0.7}}).draw().inputs
    z = np.stack([x[f"{name}_{k}"] for k in (1, 2, 3, 4) for name in "kp"])
    wanted = np.kron(np.eye(4), [[1, 0.7], [0.7, 1]])
    assert np.abs(np.corrcoef(z) - wanted).max() < FALSE_ALARM / math.sqrt(100_000)


def test_a_lot_has_a_common_part(four):
    """Variance s^2 + s_lot^2, correlation s_lot^2 / (s^2 + s_lot^2)."""
    keys = {"path": "devices.push.preload", "sigma": "3 N", "lot": "batch", "lot_sigma": "4 N"}
    x = plan(four, {"p": keys}, N).draw().inputs
    z = np.stack([x[f"p_{k}"] for k in (1, 2, 3, 4)])
    assert np.abs(z.var(axis=1) / 25 - 1).max() < FALSE_ALARM * math.sqrt(2 / N)
    wanted = np.where(np.eye(4), 1, 16 / 25)
    assert (np.abs(np.corrcoef(z) - wanted) < FALSE_ALARM * correlation_error(wanted) + 1e-12).all()


def test_shared_inputs_have_one_draw(four):
    found = plan(four, {"p": {"path": "devices.push.preload", "sigma": "1 %", "shared": True}}).draw()
    assert all(np.array_equal(found.inputs["p_1"], found.inputs[f"p_{k}"]) for k in (2, 3, 4))


# --- designs


@pytest.mark.parametrize("block", [None, 125])
def test_a_latin_hypercube_has_one_case_in_each_stratum(four, block):
    of = {name: {"distribution": "uniform", "bounds": [0.0, 1.0]} for name in "abc"}
    x = plan(four, of, design="latin_hypercube", block=block).draw().inputs
    size = block or 1000
    for values in x.values():
        for part in values.reshape(-1, size):
            assert sorted((part * size).astype(int)) == [*range(size)]
    assert np.abs(np.corrcoef(np.stack([*x.values()])) - np.eye(3)).max() < FALSE_ALARM / math.sqrt(1000)


def errors(scenario: Any, design: str, cases: int, seeds: int = 32) -> float:
    """Root mean square error of the mean of a smooth function with interactions, whose mean is 1."""
    of = {name: {"distribution": "uniform", "bounds": [0.0, 1.0]} for name in "abcd"}
    found = []
    for seed in range(seeds):
        x = plan(scenario, of, cases, design=design, seed=seed).draw().inputs
        found.append(np.mean(np.prod([1 + (x[name] - 0.5) for name in "abcd"], axis=0)) - 1)
    return float(np.sqrt(np.mean(np.square(found))))


@pytest.mark.long
def test_a_scrambled_sobol_design_has_a_small_error(four):
    """The error falls as n^-1.5 for smooth functions (Owen 1997), of random cases as n^-0.5."""
    random, small, large = (errors(four, *one) for one in (("random", 1024), ("sobol", 256), ("sobol", 1024)))
    # The variance of one case is (1 + 1/12)^4 - 1. The relative error of a root mean square is 1/sqrt(2 m).
    exact = math.sqrt((13 / 12) ** 4 - 1) / 32
    assert abs(random / exact - 1) < FALSE_ALARM / math.sqrt(2 * 32)
    assert large < exact / 20
    # 4^1.5 = 8; the ratio of two such estimates with 32 seeds has an error of about 1/4.
    assert small / large > 4


def test_the_discrepancy_of_a_sobol_design_is_that_of_scipy(four):
    of = {name: {"distribution": "uniform", "bounds": [0.0, 1.0]} for name in "abcde"}
    found, reference, random = [], [], []
    for seed in range(8):
        for design, into in (("sobol", found), ("random", random)):
            x = np.stack([*plan(four, of, 512, design=design, seed=seed).draw().inputs.values()], axis=1)
            into.append(stats.qmc.discrepancy(x))
        reference.append(stats.qmc.discrepancy(stats.qmc.Sobol(5, rng=seed).random(512)))
    spread = math.hypot(np.std(found), np.std(reference)) / math.sqrt(8)
    assert abs(np.mean(found) - np.mean(reference)) < FALSE_ALARM * spread
    assert np.mean(found) < np.mean(random) / 10


@pytest.mark.long
def test_each_sobol_point_is_uniform_over_seeds(four):
    of = {"a": {"distribution": "uniform", "bounds": [0.0, 1.0]}}
    x = np.array([plan(four, of, 4, design="sobol", seed=seed).draw().inputs["a"] for seed in range(300)])
    for column in x.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-4 / COMPARED
    assert (np.sort((x * 4).astype(int), axis=1) == np.arange(4)).all()  # one point in each quarter


# --- importance sampling


def test_weights_are_unbiased_for_a_known_tail(four):
    """P(a.u > 4) = 3.167124e-5 for a unit vector a. A shift of 4 a gives the least variance of shifts."""
    direction = np.array([3, 2, 1, -1, 1]) / 4
    of = {
        f"u{k}": {"mean": 0.0, "sigma": 1.0, "importance": {"shift": float(4 * a), "widen": 1.2}}
        for k, a in enumerate(direction)
    }
    found = plan(four, of, 100_000)
    draws = found.draw()
    u = np.stack([draws.inputs[f"u{k}"] for k in range(5)])
    fails = draws.weights * (direction @ u > 4)
    error = fails.std() / math.sqrt(100_000)
    assert abs(fails.mean() - 3.167124e-5) < FALSE_ALARM * error
    assert error < 3.167124e-5 / 50  # random cases: 1 / sqrt(3.2) of the value


WEIGHTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "shift": ({"a": {"mean": 0.0, "sigma": 1.0, "importance": {"shift": 1}}}, {}),
    "widen": ({"a": {"mean": 0.0, "sigma": 1.0, "importance": {"shift": 0.5, "widen": 1.5}}}, {}),
    "other": (
        {
            "a": {
                "distribution": "gamma", "parameters": {"a": 2.0},
                "importance": {"shift": -0.8, "widen": 1.1},
            }
        },
        {},
    ),
    "correlated": (
        {
            "a": {"mean": 0.0, "sigma": 1.0, "importance": {"shift": 0.7, "widen": 1.2}},
            "b": {"mean": 0.0, "sigma": 1.0},
        },
        {"g": {"of": ["a", "b"], "value": 0.6}},
    ),
    "lot": (
        {
            "a": {
                "path": "devices.push.preload", "sigma": "1 %", "lot": "x", "lot_share": 0.5,
                "importance": {"shift": 0.6},
            }
        },
        {},
    ),
    "discrete": (
        {
            "a": {
                "values": [0.0, 1.0], "probabilities": [0.999, 0.001],
                "importance": {"probabilities": [0.6, 0.4]},
            }
        },
        {},
    ),
    "chosen": (
        {
            "a": {
                "path": "devices.push.strength", "choose": [0, 1], "value": 0,
                "probabilities": [0.999, 0.001],
                "importance": {"probabilities": [0.6, 0.4]},
            }
        },
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_have_mean_one_and_give_the_declared_mean(four, name):
    of, groups = WEIGHTED[name]
    n = 200_000
    weighted = plan(four, of, n, correlations=groups).draw()
    w = weighted.weights
    assert abs(w.mean() - 1) < FALSE_ALARM * w.std() / math.sqrt(n)
    plain = {key: {k: v for k, v in keys.items() if k != "importance"} for key, keys in of.items()}
    reference = plan(four, plain, n, seed=1, correlations=groups).draw()
    assert (reference.weights == 1).all()
    for one, values in weighted.inputs.items():
        x, y = w * (values - values.mean()), reference.inputs[one] - values.mean()
        error = math.hypot(x.std(), y.std()) / math.sqrt(n)
        assert abs(x.mean() - y.mean()) < FALSE_ALARM * error + 1e-12


@pytest.mark.parametrize("name", ["shift", "widen", "correlated", "lot"])
def test_the_mean_square_of_the_weights_is_known(four, name):
    of, groups = WEIGHTED[name]
    found = plan(four, of, 200_000, correlations=groups)
    square = found.draw().weights ** 2
    error = square.std() / math.sqrt(200_000)
    assert abs(square.mean() - found.scores["flight"].mean_square_weight()) < FALSE_ALARM * error


# --- discrete values, rows, formulas


def test_discrete_values_have_their_probabilities(four):
    p = np.array([0.5, 0.3, 0.2])
    keys = {"path": "devices.push.strength", "values": [1, 0.5, 0], "probabilities": p.tolist()}
    x = np.stack([*plan(four, {"s": keys}, 100_000).draw().inputs.values()])
    for member in x:
        found = np.array([(member == value).mean() for value in (1, 0.5, 0)])
        assert (np.abs(found - p) < FALSE_ALARM * np.sqrt(p * (1 - p) / 100_000)).all()
    assert np.abs(np.corrcoef(x) - np.eye(4)).max() < FALSE_ALARM / math.sqrt(100_000)


def test_exactly_k_members_fail_and_each_set_is_equally_likely(four):
    x = plan(four, {"s": {"path": "devices.push.strength", "choose": 2, "value": 0}}, 60_000).draw().inputs
    failed = np.stack([x[f"s_{k}"] == 0 for k in (1, 2, 3, 4)])
    assert (failed.sum(axis=0) == 2).all()
    sets = np.unique(np.array([1, 2, 4, 8]) @ failed, return_counts=True)[1]
    assert len(sets) == 6
    assert stats.chisquare(sets).pvalue > 1e-4 / COMPARED


def test_rows_of_a_file_stay_together(four, tmp_path):
    (tmp_path / "measured.csv").write_text(
        "bodies.satellite.mass [t], bodies.satellite.mass_centre[0] [mm], note\n"
        "0.1, 1, 7\n0.101, 2, 8\n0.102, 3, 9\n0.103, 4, 10\n"
    )
    named = {
        "bodies.satellite.mass": "bodies.satellite.mass",
        "bodies.satellite.mass_centre[0]": "bodies.satellite.mass_centre.x",
    }
    found = plan(four, {"day": {"file": "measured.csv", "columns": named}}, 40_000, tmp_path).draw()
    mass, centre = found.values["bodies.satellite.mass"], found.values["bodies.satellite.mass_centre"][0]
    assert mass == pytest.approx(100 + (centre * 1000 - 1), abs=1e-9)  # kg; rounding
    assert found.inputs["day.note"] == pytest.approx(centre * 1000 + 6, abs=1e-9)
    assert stats.chisquare(np.unique(centre, return_counts=True)[1]).pvalue > 1e-4 / COMPARED
    ordered = plan(four, {"day": {"file": "measured.csv", "columns": named, "rows": "in_order"}}, 4, tmp_path)
    assert ordered.draw(1, 3).inputs["day.note"].tolist() == [8, 9]


def test_a_formula_uses_other_dispersions(four):
    of = {
        "energy": {
            "path": "devices.push.preload",
            "formula": "sqrt(2 * stiffness * heat) * where(heat > 20, 1, 1)",
        },
        "stiffness": {"path": "devices.push.stiffness", "sigma": "3 %"},
        "heat": {"mean": "20 J", "sigma": "0.1 J"},
    }
    x = plan(four, of).draw().inputs
    for k in (1, 2, 3, 4):
        assert x[f"energy_{k}"] == pytest.approx(np.sqrt(2 * x[f"stiffness_{k}"] * x["heat"]), rel=1e-14)


# --- leaves, and the confirmation that they changed


def test_elements_and_arrays_keep_their_other_numbers(demo):
    of = {
        "x": {"path": "devices.spring.child_at.x", "sigma": "1 mm"},
        "turn": {"path": "bodies.stage.inertia", "sigma": "1 %"},
    }
    found = plan(demo, of).draw()
    at, inertia = found.values["devices.spring.child_at"], found.values["bodies.stage.inertia"]
    assert at.shape == (3, 1000)
    assert (at[1:] == np.asarray(demo.devices[0].child_at)[1:, None]).all()
    own = np.asarray(demo.bodies[0].inertia)
    assert inertia == pytest.approx(own[..., None] * found.inputs["turn"])
    assert found.by_case["devices.spring.child_at"].shape == (1000, 3)


def test_confirmation_finds_dispersions_that_were_not_applied(demo):
    of = {
        "mass": {"path": "bodies.payload.mass", "sigma": "1 %"},
        "push": {"path": "devices.spring.preload", "sigma": "0.1 %"},
        "rare": {"path": "devices.spring.delay", "values": ["0 s", "1 s"], "probabilities": [0.9, 0.1]},
    }
    found = plan(demo, of, 50)
    draws = found.draw()

    def flown(case: int) -> Any:
        paths = ("bodies.payload.mass", "devices.spring.delay")  # and the preload is forgotten
        return functools.reduce(lambda s, path: put(s, path, draws.values[path][case]), paths, demo)

    changes = confirm(found, draws, flown)
    assert [(c.name, c.changed, c.distinct, len(c.not_applied)) for c in changes] == [
        ("mass", 50, 50, 0),
        ("push", 50, 50, 16),
        ("rare", 6, 2, 0),
    ]
    texts = [str(fault) for fault in faults_of(changes, 50)]
    assert len(texts) == 1
    assert texts[0].startswith("dispersions.push: in case 0, the value of devices.spring.preload")
    assert list(faults_of(confirm(found, draws), 50)) == []


def test_confirmation_tells_rare_values_from_inputs_that_do_not_move(four):
    of = {
        "rare": {"path": "devices.push_1.delay", "values": ["0 s", "1 s"], "probabilities": [0.99, 0.01]},
        "failed": {
            "path": "devices.push.strength", "choose": [0, 1], "value": 0, "probabilities": [0.96, 0.04],
        },
        "small": {"path": "bodies.stage.mass", "sigma": "1e-20 kg"},
        "day": {"path": "bodies.satellite.mass", "sigma": "1 kg", "kind": "day"},
    }  # fmt: skip
    changes = confirm(p := plan(four, of, None, loops={"day": 1, "flight": 20}), p.draw())
    # The chosen inputs are one of four: 0.04 / 4.
    assert [c.chance_unchanged for c in changes] == pytest.approx([0.99**20] * 5 + [0, 0])
    small, day = (str(fault) for fault in faults_of(changes, 20))
    assert small.startswith("dispersions.small: bodies.stage.mass has the scenario's value in all 20 cases")
    assert day.startswith("dispersions.day: bodies.satellite.mass has the same value, 100.048 (SI)")
    notes = [*notes_of(changes, 20)]
    assert notes[0].startswith(
        "dispersions.rare: devices.push_1.delay has the scenario's value in all 20 cases"
    )
    assert notes[0].endswith(" 0.82.")


def test_a_batch_takes_the_draws(four):
    found = plan(four, BUSY | {"turn": {"path": "bodies.stage.inertia", "sigma": "1 %"}}, correlations=TIED)
    draws = found.draw(0, 9)
    leaves = by_leaf(four, draws.by_case, 9)
    assert leaves.keys() == draws.values.keys()
    assert all(np.array_equal(np.moveaxis(leaves[path], 0, -1), v) for path, v in draws.values.items())


def test_draw_prepares_and_draws(demo):
    campaign = Campaign(
        scenario="-", cases=9, dispersions=(Dispersion(name="m", path="bodies.payload.mass", sigma="1 %"),)
    )
    assert_equal(draw(campaign, demo, 3, 5), draw(campaign, demo), slice(3, 5))
    with pytest.raises(ist.BadInput, match=r"cases 3 to 10 are not in the campaign"):
        draw(campaign, demo, 3, 10)
