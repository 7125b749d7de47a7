"""Normal distributions: tolerance factors of tables and of scipy, intervals, and tests of normality."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from interstage.statistics.normal import (
    _p_value,
    anderson_darling,
    mean_interval,
    normality,
    sigma_interval,
    tolerance_factor,
)


@pytest.mark.parametrize("cases", [2, 3, 10, 30, 1000, 100_000])
@pytest.mark.parametrize(
    ("fraction", "confidence"), [(0.9, 0.9), (0.95, 0.95), (0.9973, 0.9), (0.4, 0.6), (0.99, 0.99)]
)
def test_one_sided_factors_are_quantiles_of_the_noncentral_t_distribution(cases, fraction, confidence):
    shift = stats.norm.ppf(fraction) * np.sqrt(cases)
    peer = stats.nct.ppf(confidence, cases - 1, shift) / np.sqrt(cases)
    # Both solve for the factor: relative errors of about 1e-11 for 2 cases, 1e-13 for many.
    assert tolerance_factor(cases, fraction, confidence) == pytest.approx(peer, rel=1e-10)


@pytest.mark.parametrize(
    ("cases", "fraction", "confidence", "one_sided", "two_sided"),
    [
        (10, 0.95, 0.95, "2.911", "3.393"),
        (10, 0.90, 0.95, "2.355", "2.856"),
        (20, 0.99, 0.95, "3.295", "3.621"),
        (50, 0.95, 0.90, "1.965", "2.285"),
    ],
)
def test_factors_of_published_tables(cases, fraction, confidence, one_sided, two_sided):
    found = [f"{tolerance_factor(cases, fraction, confidence, sides):.3f}" for sides in (1, 2)]
    assert found == [one_sided, two_sided]


def test_two_sided_factors_by_integration_over_both_estimates():
    for cases, fraction, confidence in ((5, 0.9, 0.9), (30, 0.9973, 0.9)):
        factor = tolerance_factor(cases, fraction, confidence, 2)

        def given_mean(z, n=cases, p=fraction, k=factor):
            width = stats.foldnorm.ppf(p, abs(z) / np.sqrt(n))
            return stats.norm.pdf(z) * stats.chi2.sf((n - 1) * (width / k) ** 2, n - 1)

        # The quantiles of SciPy have errors of about 1e-9.
        assert 2 * integrate.quad(given_mean, 0, 9, epsrel=1e-10)[0] == pytest.approx(confidence, abs=1e-8)


def test_factors_for_many_cases_approach_the_quantiles():
    assert tolerance_factor(10**7, 0.9973, 0.9) == pytest.approx(stats.norm.ppf(0.9973), abs=2e-3)
    assert tolerance_factor(10**7, 0.9973, 0.9, 2) == pytest.approx(3.0, abs=2e-3)


def test_intervals_of_mean_and_sigma_are_those_of_scipy():
    values = np.random.default_rng(6).normal(5.0, 2.0, 40)
    found, error = mean_interval(values, 0.95), values.std(ddof=1) / np.sqrt(40)
    np.testing.assert_allclose(found.interval, stats.t.interval(0.95, 39, values.mean(), error), rtol=1e-12)
    ends = 39 * values.var(ddof=1) / stats.chi2.ppf([0.975, 0.025], 39)
    np.testing.assert_allclose(sigma_interval(values, 0.95).interval, np.sqrt(ends), rtol=1e-12)
    assert sigma_interval(values).value == values.std(ddof=1)


def test_the_statistic_of_anderson_and_darling_is_that_of_scipy():
    for seed in range(5):
        values = np.random.default_rng(seed).normal(size=60)
        found: Any = stats.anderson(values, method="interpolate")
        # The sum of 60 terms of order 1 cancels to order 0.1.
        assert anderson_darling(values)[0] == pytest.approx(
            found.statistic * (1 + 0.75 / 60 + 2.25 / 60**2), rel=1e-11
        )


def test_p_values_are_continuous_and_meet_the_table_of_stephens():
    critical = {0.1: 0.631, 0.05: 0.752, 0.025: 0.873, 0.01: 1.035}
    for level, statistic in critical.items():
        # The table has three digits, and the polynomials fit it to 1 per cent of the level or so.
        assert _p_value(statistic) == pytest.approx(level, rel=0.02)
    statistic = np.linspace(0.02, 20, 20_000)
    # The four polynomials meet with steps of less than 0.01.
    assert np.diff(_p_value(statistic)).max() < 0.01
    assert _p_value(np.float64(1e6)) < 1e-20


def test_normality():
    draw = np.random.default_rng(7)
    skewed = normality(draw.exponential(size=1000))
    assert skewed.sentence().startswith("The values are not normally distributed (p = ")
    assert skewed.sentence().endswith(". Use order statistics.")
    plain = normality(draw.normal(size=1000))
    assert plain.sentence().endswith("1000 cases give no information on probabilities below 1 in 1000.")
    assert plain.shapiro > 0.05
    assert np.isnan(normality(draw.normal(size=5001)).shapiro)


def test_many_cases_find_deviations_without_effect_and_miss_the_tail():
    draw = np.random.default_rng(8)
    # Skewness 0.13: hardly visible, and found with 20,000 cases.
    assert normality(draw.gamma(240.0, size=20_000)).p_value < 0.05
    # One case of 2000 is from another distribution, far out: not found.
    mixed = np.where(np.arange(2000) == 0, 8.0, draw.normal(size=2000))
    assert normality(mixed).p_value > 0.05


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tolerance_factor(1, 0.9), "cases: 1 is not a whole number of at least 2"),
        (lambda: tolerance_factor(10, 0.9, 0.9, 3), "sides: 3 is not 1 or 2"),
        (lambda: mean_interval([1.0]), "values: 1 cases are too few. Give at least 2"),
        (lambda: normality(np.ones(10)), "values: all values are equal"),
        (lambda: sigma_interval([1.0, np.inf]), "first inf in case 1"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)
