"""Coverage of every interval by 10,000 simulated campaigns each: stated 90 %, found within the binomial
error.

Exact intervals of continuous values contain the truth in 90 % of the campaigns, those of counts in at least
90 %. Asymptotic intervals have an error that falls with the cases; where it exceeds the binomial error
here, the test names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from interval_coverage import CAMPAIGNS, assert_covers, assert_covers_at_least, error_of
from ishigami import ishigami, ishigami_shares
from scipy import special, stats

from interstage.statistics.binomial import allowed_failures, clopper_pearson
from interstage.statistics.distribution import empirical_distribution
from interstage.statistics.drivers import partial_rank_correlation, rank_correlation, regression
from interstage.statistics.importance import mixture_weights, weighted_probability
from interstage.statistics.intervals import Interval
from interstage.statistics.normal import anderson_darling, mean_interval, sigma_interval, tolerance_factor
from interstage.statistics.paired import difference_of_failures, mcnemar
from interstage.statistics.percentiles import percentile_interval, tolerance_interval
from interstage.statistics.shares import first_order_shares
from interstage.statistics.sobol import sobol_design, sobol_indices
from interstage.statistics.subset import subset_runs
from interstage.statistics.weighted import weighted_mean, weighted_percentile


@pytest.fixture
def draw(request) -> np.random.Generator:
    """Random numbers of their own for each test."""
    return np.random.default_rng([71, *request.node.name.encode()])


def normal(draw: np.random.Generator, *shape: int) -> Iterator[np.ndarray]:
    """10,000 campaigns of normal numbers, in parts that fit into the memory of the processor."""
    for _ in range(10):
        yield draw.standard_normal((CAMPAIGNS // 10, *shape))


def joined(parts: Iterable[Any]) -> np.ndarray:
    return np.concatenate([*parts])


@pytest.mark.parametrize(("cases", "chance"), [(50, 0.02), (300, 0.0027), (300, 0.2), (2000, 0.0027)])
def test_pass_or_fail(draw, cases, chance):
    failures = draw.binomial(cases, chance, CAMPAIGNS)
    for side in ("both", "upper", "lower"):
        assert_covers_at_least(clopper_pearson(failures, cases, side=side).contains(chance))
    # A requirement that is just missed is shown in 10 % of the campaigns at most.
    shown = failures <= allowed_failures(cases, 1 - chance * (1 - 1e-9))
    assert shown.mean() <= 0.1 + error_of(0.1, CAMPAIGNS)


def test_percentiles_by_order_statistics(draw):
    for values in (draw.uniform(size=(CAMPAIGNS, 60)), np.round(draw.uniform(size=(CAMPAIGNS, 60)), 1)):
        truth = 0.8
        for side in ("both", "upper", "lower"):
            assert_covers_at_least(percentile_interval(values, 0.8, side=side).interval.contains(truth))
    values = draw.uniform(size=(CAMPAIGNS, 60))
    ends = tolerance_interval(values, 0.9)
    assert_covers_at_least(ends.upper - ends.lower >= 0.9)
    # Exactly: the fraction between the two order statistics has a beta distribution.
    exact = stats.beta.sf(0.9, 59 - 2 * (60 - np.count_nonzero(values[0] <= ends.upper[0])), 2)
    assert_covers(ends.upper - ends.lower >= 0.9, float(exact))


def test_normal_mean_and_sigma(draw):
    values = 5 + 2 * draw.standard_normal((CAMPAIGNS, 12))
    assert_covers(mean_interval(values).interval.contains(5.0))
    assert_covers(sigma_interval(values).interval.contains(2.0))


def test_mean_and_sigma_of_other_distributions(draw):
    uniform, skewed = draw.uniform(size=(CAMPAIGNS, 100)), draw.exponential(size=(CAMPAIGNS, 200))
    assert_covers(mean_interval(uniform).interval.contains(0.5))
    assert_covers(
        sigma_interval(uniform, method="moments").interval.contains(np.sqrt(1 / 12)), shortfall=0.01
    )
    # The interval by the chi-squared distribution is far too wide for flat, and too narrow for skewed values.
    assert sigma_interval(uniform).interval.contains(np.sqrt(1 / 12)).mean() > 0.98
    assert sigma_interval(skewed).interval.contains(1.0).mean() < 0.65
    # Fourth moments of skewed values converge slowly.
    assert_covers(sigma_interval(skewed, method="moments").interval.contains(1.0), shortfall=0.05)


@pytest.mark.parametrize("fraction", [0.9, 0.9973])
def test_tolerance_factors(draw, fraction):
    values = draw.standard_normal((CAMPAIGNS, 15))
    mean, sigma = values.mean(-1), values.std(-1, ddof=1)
    assert_covers(mean + tolerance_factor(15, fraction) * sigma >= special.ndtri(fraction))
    half = tolerance_factor(15, fraction, sides=2) * sigma
    assert_covers(special.ndtr(mean + half) - special.ndtr(mean - half) >= fraction)


def test_the_test_of_normality_rejects_as_stated(draw):
    _, p_value = anderson_darling(draw.standard_normal((CAMPAIGNS, 100)))
    for level in (0.1, 0.05, 0.01):
        # The polynomials fit the distribution of the statistic to 2 per cent of the level or so.
        assert np.mean(p_value < level) == pytest.approx(level, abs=error_of(level, CAMPAIGNS) + 0.02 * level)


def test_bands_of_the_distribution_function(draw):
    values = draw.uniform(size=(CAMPAIGNS, 100))
    band = empirical_distribution(values)
    before = np.append(0.0, band.upper[:-1])
    before[0] = np.sqrt(np.log(20) / 200)
    inside = (band.lower <= band.values) & (band.values <= before)
    assert_covers_at_least(inside.all(-1))
    # Massart's constant is nearly attained: the coverage is 0.91 or less from 100 cases on.
    assert_covers(inside.all(-1), excess=0.02)
    point = empirical_distribution(values, band="pointwise")
    count = np.count_nonzero(values <= 0.3, axis=-1)
    lower, upper = point.lower[np.maximum(count - 1, 0)], point.upper[np.maximum(count - 1, 0)]
    assert_covers_at_least((lower <= 0.3) & (upper >= 0.3))


def test_weighted_probabilities(draw):
    plain, shares = [], []
    for z in normal(draw, 300):
        shifted = draw.uniform(size=z.shape) >= 0.1
        u = z + 3.0 * shifted
        weight = mixture_weights(u.reshape(1, -1), [[3.0]]).reshape(u.shape)
        plain.append(weighted_probability(u > 3, weight).interval.contains(special.ndtr(-3)))
        likely = z + 0.5
        weight = np.exp(0.125 - 0.5 * likely)
        shares.append(
            weighted_probability(likely > 1, weight, normalized=True).interval.contains(special.ndtr(-1))
        )
    assert_covers(joined(plain), shortfall=0.01)
    assert_covers(joined(shares), shortfall=0.01)


def test_weighted_percentiles_and_means(draw):
    hits: dict[str, list[np.ndarray]] = {"percentile": [], "tail": [], "mean": []}
    for z in normal(draw, 300):
        u = z + 0.7
        weight = np.exp(0.245 - 0.7 * u)
        hits["mean"].append(weighted_mean(u, weight).interval.contains(0.0))
        hits["percentile"].append(weighted_percentile(u, weight, 0.9).interval.contains(special.ndtri(0.9)))
        far = z + 2.5
        weight = np.exp(3.125 - 2.5 * far)
        found = weighted_percentile(far, weight, 0.9973, tail="upper")
        hits["tail"].append(found.interval.contains(special.ndtri(0.9973)))
    # The mean has few effective cases; percentiles end one case further out, on the safe side.
    assert_covers(joined(hits["mean"]), shortfall=0.01)
    assert_covers(joined(hits["percentile"]), excess=0.02)
    assert_covers(joined(hits["tail"]), excess=0.03)


def test_one_sided_bounds_of_weighted_cases(draw):
    """A one-sided bound has the stated confidence. The end of a two-sided interval would have 95 %."""
    hits: dict[str, list[np.ndarray]] = {"percentile": [], "probability": [], "mean": []}
    for z in normal(draw, 1000):
        far = z + 2.5
        weight = np.exp(3.125 - 2.5 * far)
        bound = weighted_percentile(far, weight, 0.9973, tail="upper", single=True).upper
        hits["percentile"].append(bound >= special.ndtri(0.9973))
        found = weighted_probability(far > 3, weight, single=True)
        hits["probability"].append(found.upper >= special.ndtr(-3))
        near = z + 0.7
        mean = weighted_mean(near, np.exp(0.245 - 0.7 * near), single=True)
        hits["mean"].append(mean.lower <= 0.0)
    # A percentile ends one case further out. The other bounds are asymptotic.
    assert_covers(joined(hits["percentile"]), excess=0.03)
    assert_covers(joined(hits["probability"]), excess=0.01, shortfall=0.02)
    assert_covers(joined(hits["mean"]), excess=0.01, shortfall=0.02)


def test_subset_simulation(draw):
    """The interval with dependent levels is conservative; with independent levels it would not be."""
    found = subset_runs(lambda u: 2.8 - u[0], 1, 200, CAMPAIGNS, seed=draw)
    far = np.abs(np.log(found.probability / special.ndtr(-2.8)))
    assert_covers_at_least(far <= special.ndtri(0.95) * found.variation)
    assert np.mean(far <= special.ndtri(0.95) * found.variation / np.sqrt(found.levels)) < 0.89


def _response(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (campaigns, 3, cases) and a linear response with noise from the last of 4 rows."""
    return x[:, :3], x[:, 0] + 0.5 * x[:, 1] + 0.5 * x[:, 3]


def _contained(
    draw: np.random.Generator, cases: int, interval: Callable[..., Interval], truth: Any
) -> np.ndarray:
    return joined(interval(*_response(x)).contains(truth) for x in normal(draw, 4, cases))


CORRELATION = np.array([1, 0.5, 0]) / np.sqrt(1.5)
SPEARMAN = 6 / np.pi * np.arcsin(CORRELATION / 2)
"""Rank correlation of two normal numbers, from their correlation (Pearson 1907)."""


def test_rank_correlations(draw):
    found = _contained(draw, 60, lambda x, y: rank_correlation(x, y).interval, SPEARMAN)
    # The variance of Bonett and Wright is a fit, on the safe side for strong correlations.
    assert_covers(found, excess=0.02)


def test_partial_rank_correlations(draw):
    matrix = np.eye(4)
    matrix[3, :3] = matrix[:3, 3] = SPEARMAN
    inverse = np.linalg.inv(matrix)
    partial = -inverse[:3, 3] / np.sqrt(np.diag(inverse)[:3] * inverse[3, 3])
    found = _contained(draw, 60, lambda x, y: partial_rank_correlation(x, y).interval, partial)
    # Without the other inputs a correlation is stronger, and the fitted variance more on the safe side.
    assert_covers(found, excess=0.05)


def test_standardized_regression(draw):
    found = _contained(draw, 150, lambda x, y: regression(x, y).standardized.interval, CORRELATION)
    assert_covers(found, shortfall=0.01)


def test_first_order_shares(draw):
    hits = []
    for z in normal(draw, 3, 300):
        x, y = z[:, :2], z[:, 0] + 0.5 * z[:, 0] ** 2 + z[:, 2]
        hits.append(first_order_shares(x, y, size=3).interval.contains([1.5 / 2.5, 0.0]))
    found = joined(hits)
    # The share of x0 has the error of fourth moments, of skewed values; that of x1 is on the safe side.
    assert_covers(found[:, 0], shortfall=0.02)
    assert_covers_at_least(found[:, 1])


def test_paired_failures(draw):
    for first, second, cases in ((0.004, 0.001, 1000), (0.02, 0.02, 300), (0.1, 0.2, 100)):
        counts = draw.multinomial(cases, [first, second, 1 - first - second], CAMPAIGNS)
        interval = difference_of_failures(counts[:, 0], counts[:, 1], cases).interval
        assert_covers_at_least(interval.contains(second - first))
        if first == second:
            p_value = mcnemar(counts[:, 0], counts[:, 1])
            assert np.mean(p_value <= 0.1) <= 0.1 + error_of(0.1, CAMPAIGNS)


@pytest.mark.long
def test_sobol_indices():
    """300 campaigns, since SALib analyses one at a time: its intervals are on the safe side of a sequence."""
    pytest.importorskip("SALib")
    hits = []
    for seed in range(300):
        found = sobol_indices(ishigami(sobol_design(3, 128, seed=seed)), 3, seed=seed)
        first, total = ishigami_shares()
        hits.append([*found.first.interval.contains(first), *found.total.interval.contains(total)])
    assert_covers_at_least(np.array(hits))
