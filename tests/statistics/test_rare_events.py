"""Rare events: benchmark problems with known probability by two methods, and where a method fails."""

from __future__ import annotations

from typing import Any

import known_probabilities as known
import numpy as np
import pytest

from interstage.statistics.importance import importance_sampling, mixture_weights, weighted_probability
from interstage.statistics.intervals import Interval
from interstage.statistics.rare import RareEvent, compare_methods
from interstage.statistics.shifts import cross_entropy, design_points
from interstage.statistics.subset import subset_runs, subset_simulation

BEST: Any = "best"
GIBBS: Any = "gibbs"
PROBLEMS = {
    "beta 3": known.linear(3.0, 20),
    "beta 4": known.linear(4.0, 20),
    "beta 4.26": known.linear(4.2648907939, 20),
    "beta 5": known.linear(5.0, 2),
    "beta 4 of 200 inputs": known.linear(4.0, 200),
    "four-branch": known.four_branch(),
    "RP25": known.rp25(),
    "RP54": known.rp54(),
    "RP57": known.rp57(),
    "RP77": known.rp77(),
    "RP110": known.rp110(),
}
PUBLISHED_ERROR = {"RP54": 0.008, "RP57": 0.006, "RP77": 0.07, "RP110": 0.002}
"""Errors of published probabilities, relative to the exact ones: rounded or estimated there."""


@pytest.mark.parametrize("name", PROBLEMS)
def test_exact_probabilities_are_the_published_ones(name):
    problem = PROBLEMS[name]
    # The published numbers have 7 digits or more where no error is listed.
    assert problem.exact == pytest.approx(problem.published, rel=PUBLISHED_ERROR.get(name, 5e-7))


@pytest.mark.parametrize("name", PROBLEMS)
def test_importance_sampling(name):
    problem = PROBLEMS[name]
    found = importance_sampling(problem.limit, problem.inputs, 4000, seed=11)
    # Four standard errors: 1 of 16,000 correct estimates would be outside.
    assert abs(np.log(found.probability / problem.exact)) < 4 * found.variation
    assert found.variation < 0.15
    assert found.effective > 30
    assert found.notes == ()


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "RP110"])
def test_subset_simulation(name):
    problem = PROBLEMS[name]
    found = subset_simulation(problem.limit, problem.inputs, seed=12)
    assert found.interval.contains(problem.exact)
    assert compare_methods(found, importance_sampling(problem.limit, problem.inputs, 4000, seed=11)) is None


def test_subset_simulation_misses_the_likelier_region_of_rp110():
    """Its levels follow slopes that lead to x2 > 5, of probability 2.9e-7, and away from x1 > 4, of
    3.2e-5."""
    problem = PROBLEMS["RP110"]
    runs = subset_runs(problem.limit, 2, 1000, 100, seed=13)
    missed = runs.probability < 0.1 * problem.exact
    assert missed.mean() > 0.3
    one = subset_simulation(problem.limit, 2, runs=1, seed=0)
    assert one.interval.upper < problem.exact
    finding = compare_methods(one, importance_sampling(problem.limit, 2, 4000, seed=11))
    assert finding is not None
    assert finding.sentence.startswith("The methods disagree: importance sampling gives 3.")
    assert "Use the upper bound" in finding.sentence
    # Several runs find both regions in some of them, and the report states it.
    several = subset_simulation(problem.limit, 2, runs=10, seed=13)
    assert "The probabilities of the runs differ by more than the estimated errors" in several.sentence


def test_a_single_shift_misses_the_opposite_regions_of_the_four_branches():
    problem = PROBLEMS["four-branch"]
    assert not cross_entropy(problem.limit, 2).converged
    half = importance_sampling(problem.limit, 2, 20_000, shifts=[3 / np.sqrt(2)] * 2, seed=14)
    assert half.variation > 4 * importance_sampling(problem.limit, 2, 20_000, seed=14).variation
    assert len(design_points(problem.limit, 2).points) == 4


def test_design_points():
    for beta in (3.0, 5.0):
        found = design_points(known.linear(beta, 20).limit, 20)
        np.testing.assert_allclose(found.points, np.full((1, 20), beta / np.sqrt(20)), atol=1e-6)
    found = design_points(known.four_branch().limit, 2)
    np.testing.assert_allclose(np.linalg.norm(found.points, axis=1), [3, 3, 3.5, 3.5], atol=0.01)
    # The two points of the parabola y = height - a x^2 nearest to the origin, in closed form.
    a, height = 0.3, 4.0
    x = np.sqrt((2 * a * height - 1) / (2 * a**2))
    found = design_points(lambda u: height - a * u[0] ** 2 - u[1], 2)
    expected = np.hypot(x, height - a * x**2)
    # The search ends 0.01 standard deviations from the foot point, a change of second order.
    assert np.linalg.norm(found.points[0]) == pytest.approx(expected, abs=1e-3)
    assert found.points[:, 0].min() < 0 < found.points[:, 0].max()


def test_weights_are_ratios_of_densities_and_bounded():
    draw = np.random.default_rng(15)
    shifts, points = draw.normal(size=(3, 4)) * 3, draw.normal(size=(4, 1000)) * 3
    density = [0.1 * np.exp(-0.5 * (points**2).sum(0))]
    density += [0.3 * np.exp(-0.5 * ((points - s[:, None]) ** 2).sum(0)) for s in shifts]
    weight = mixture_weights(points, shifts)
    np.testing.assert_allclose(weight, np.exp(-0.5 * (points**2).sum(0)) / np.sum(density, 0), rtol=1e-10)
    assert weight.max() <= 10.0
    assert np.isfinite(mixture_weights(1e3 * points, shifts)).all()


def test_plain_and_normalized_estimates():
    draw = np.random.default_rng(16)
    u = draw.normal(size=(1, 20_000)) + 3.0
    weight, failed = np.exp(4.5 - 3 * u[0]), u[0] > 3
    plain = weighted_probability(failed, weight)
    normal = weighted_probability(failed, weight, normalized=True)
    assert plain.interval.contains(known.above(3))
    assert normal.value == pytest.approx((weight * failed).sum() / weight.sum(), rel=1e-13)
    assert (normal.upper - normal.lower) > 3 * (plain.upper - plain.lower)


def test_without_a_failed_case_only_an_upper_bound_is_given():
    found = importance_sampling(lambda u: 50.0 + 0 * u[0], 2, 1000, search="cross_entropy")
    assert found.probability == 0.0
    assert found.interval.lower == 0.0
    # Clopper and Pearson for 0 of 1000, times the largest weight 10.
    assert found.interval.upper == pytest.approx(10 * (1 - 0.1 ** (1 / 1000)), rel=1e-10)
    assert found.notes == (
        "The search for failed cases did not converge. Set shifts, or use subset_simulation.",
        "The effective number of failed cases is only 0. The interval is not reliable.",
    )


def test_a_plateau_stops_subset_simulation():
    found = subset_simulation(lambda u: np.where(u[0] > 4, -1.0, 1.0), 1)
    assert found.interval.lower == 0.0
    assert "ended on a plateau of the limit state" in found.sentence
    assert found.evaluations < 10_000


@pytest.mark.parametrize("kernel", ["crank_nicolson", "metropolis"])
def test_equal_margins_do_not_make_failures_more_likely(kernel):
    """Margins in steps of a third, as of counts: whole parts of a level have its threshold. Chains that begin
    only at the smaller margins would give 3 to 5 times the probability."""
    found = subset_runs(lambda u: np.ceil(3 * (4 - u[0])) / 3, 3, 1000, 100, kernel=kernel)
    assert not found.stalled.any()
    # Four standard errors of the mean of 100 runs with a coefficient of variation of 0.6.
    assert found.probability.mean() == pytest.approx(known.above(4), rel=0.24)


def test_cases_without_a_number_count_as_failures():
    def limit(u):
        return np.where(u[0] > 3, np.nan, 1.0 + 3 - u[0])

    found = subset_simulation(limit, 1)
    assert found.interval.contains(known.above(3))
    assert "the limit-state function has no finite value." in found.sentence


def test_both_kernels_and_the_same_numbers_from_the_same_seed():
    problem = PROBLEMS["beta 3"]
    found = [
        subset_simulation(problem.limit, 20, kernel=kernel) for kernel in ("crank_nicolson", "metropolis")
    ]
    assert all(one.interval.contains(problem.exact) for one in found)
    assert subset_simulation(problem.limit, 20, seed=3) == subset_simulation(problem.limit, 20, seed=3)
    assert importance_sampling(problem.limit, 20, seed=3) == importance_sampling(problem.limit, 20, seed=3)


def test_likely_failures_need_one_level():
    found = subset_runs(lambda u: 0.5 - u[0], 1, 1000, 50)
    assert (found.levels == 1).all()
    # 50,000 cases: four standard errors.
    p = known.above(0.5)
    assert found.probability.mean() == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 50_000))
    assert found.evaluations == 50_000


def test_comparison_of_methods():
    def event(method: str, low: float, p: float, high: float) -> RareEvent:
        return RareEvent(method, p, Interval(low, high), 0.9, 0.1, 100.0, 1000)

    a, b = event("importance sampling", 1e-5, 2e-5, 3e-5), event("subset simulation", 4e-5, 5e-5, 6e-5)
    assert compare_methods(a, event("subset simulation", 3e-5, 5e-5, 6e-5)) is None
    finding = compare_methods(a, b)
    assert finding is not None
    both = (
        "subset simulation gives 5e-05 (4e-05 to 6e-05), but importance sampling gives 2e-05 (1e-05 to 3e-05)"
    )
    assert both in finding.sentence
    assert "The results differ by the factor 2.5." in finding.sentence
    assert "Use the upper bound 6e-05" in finding.sentence
    assert event("x", 0.0, known.above(3.0), 1.0).reliability_index == pytest.approx(3.0, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: importance_sampling(lambda u: u, 2),
            "limit: the function returned shape (2, 1) for inputs (2, 1)",
        ),
        (
            lambda: importance_sampling(lambda u: u[0], 2, shifts=[1.0]),
            "shifts: the array has the shape (1, 1)",
        ),
        (lambda: importance_sampling(lambda u: u[0], 2, search=BEST), 'search: "best" is unknown'),
        (lambda: subset_simulation(lambda u: u[0], 2, cases=105), "fraction: 0.1 does not divide 105 cases"),
        (lambda: subset_simulation(lambda u: 3 - u[0], 2, kernel=GIBBS), 'kernel: "gibbs" is unknown'),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)


@pytest.mark.parametrize("beta", [1.0, 3.0, 4.2648907939])
@pytest.mark.parametrize("inputs", [2, 20])
def test_the_expected_number_of_cases_is_near_the_final_one(beta, inputs):
    """Exact for a linear limit state, up to one level of each run."""
    totals: list[int] = []
    found = subset_simulation(
        lambda u: beta - u.sum(0) / np.sqrt(inputs), inputs, 500, 4, expected=totals.append
    )
    assert totals[-1] == found.evaluations
    assert np.abs(np.array(totals) - found.evaluations).max() <= 4 * 450
    same = subset_simulation(lambda u: beta - u.sum(0) / np.sqrt(inputs), inputs, 500, 4)
    assert same == found
    totals.clear()
    sampled = importance_sampling(
        lambda u: beta - u.sum(0) / np.sqrt(inputs), inputs, 500, expected=totals.append
    )
    assert totals[-1] == sampled.evaluations
    assert len(totals) == 3
