"""Empirical distributions, convergence, and two campaigns with the same cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from interstage.statistics.binomial import clopper_pearson
from interstage.statistics.distribution import convergence, empirical_distribution
from interstage.statistics.normal import mean_interval
from interstage.statistics.paired import compare_failures, compare_means, difference_of_failures, mcnemar
from interstage.statistics.percentiles import percentile_interval

WIDE: Any = "wide"
MEDIAN: Any = "median"
VALUES = np.random.default_rng(9).gumbel(size=300)


def test_bands():
    found = empirical_distribution(VALUES)
    half = np.sqrt(np.log(20) / 600)
    np.testing.assert_allclose(found.upper[:200] - found.fraction[:200], half, rtol=1e-12)
    assert found.lower[0] == 0.0
    assert found.upper[-1] == 1.0
    point = empirical_distribution(VALUES, band="pointwise")
    assert (point.lower[99], point.upper[99]) == clopper_pearson(100, 300)


def test_convergence_ends_at_the_estimate_of_all_cases():
    assert convergence(VALUES).estimate.lower[-1] == mean_interval(VALUES).lower
    failed = VALUES > 2
    found = convergence(failed, "failures")
    assert found.estimate.upper[-1] == clopper_pearson(failed.sum(), 300).upper
    assert found.estimate.value[-1] == failed.mean()
    found = convergence(VALUES, "percentile", fraction=0.9)
    assert tuple(ends[-1] for ends in found.estimate) == percentile_interval(VALUES, 0.9)
    assert found.cases[0] == 2
    assert found.cases[-1] == 300
    assert found.estimate.upper[0] == np.inf


def test_mcnemar_is_the_binomial_test():
    for a, b in ((10, 1), (0, 0), (3, 3), (0, 7), (120, 80)):
        peer = stats.binomtest(a, a + b, 0.5).pvalue if a + b else 1.0
        assert mcnemar(a, b) == pytest.approx(peer, rel=1e-12)


def test_means_of_the_same_cases():
    draw = np.random.default_rng(10)
    a = draw.normal(size=2000)
    b = a + 0.02 + 0.1 * draw.normal(size=2000)
    found = compare_means(a, b)
    assert found.difference.value == pytest.approx((b - a).mean(), rel=1e-13)
    assert found.difference.interval == mean_interval(b - a).interval
    assert found.sentence.startswith("The mean of B is above the mean of A by 0.0")
    assert found.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], rel=1e-12)
    assert found.gain == pytest.approx((a.var() + b.var()) / (b - a).var(), rel=1e-12)
    # The interval of independent campaigns would contain 0.
    assert abs(found.difference.value) < 1.645 * np.sqrt((a.var() + b.var()) / 2000)
    assert compare_means(a, a + draw.normal(size=2000) * 0.1).sentence.startswith(
        "The means of A and B do not differ significantly,"
    )


def test_failures_of_the_same_cases():
    case = np.arange(2500)
    found = compare_failures(case < 12, (case > 9) & (case < 13))
    assert (found.both, found.only_first, found.only_second) == (2, 10, 1)
    assert found.sentence == (
        "Of 2500 cases, 12 fail in A and 3 fail in B; 10 fail only in A and 1 only in B. "
        "B fails less often than A (p = 0.012, McNemar's exact test)."
    )
    assert found.difference.upper < 0.0
    assert (
        "The difference is not significant at 99 % confidence (p = 0.012)"
        in compare_failures(case < 12, (case > 9) & (case < 13), 0.99).sentence
    )
    assert difference_of_failures(0, 0, 100).value == 0.0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: compare_means([1, 2, 3], [1, 2, 3, 4]), "second: shape (4,) does not match (3,)"),
        (lambda: empirical_distribution(VALUES, band=WIDE), 'band: "wide" is unknown'),
        (lambda: convergence(VALUES, MEDIAN), 'of: "median" is unknown'),
        (lambda: convergence([1.0, np.nan, 2.0, 3.0]), "first nan in case 1"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)
