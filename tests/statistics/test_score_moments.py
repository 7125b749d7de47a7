"""Moments and correlations of functions of normal scores, compared with closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from interstage.statistics.score_moments import correlation_of, score_moments

LINE = score_moments(lambda z: z)
UNIFORM = score_moments(special.ndtr)


def lognormal(sigma: float):
    return score_moments(lambda z: np.exp(sigma * z))


def test_moments_of_known_distributions():
    cut = stats.truncnorm(-1.0, 2.0)
    found = score_moments(lambda z: cut.ppf(special.ndtr(z)))
    assert (found.mean, found.sigma) == pytest.approx((cut.mean(), cut.std()), rel=1e-9)
    assert (UNIFORM.mean, UNIFORM.sigma) == pytest.approx((0.5, 12**-0.5), rel=1e-12)
    log = lognormal(0.5)
    assert log.mean == pytest.approx(np.exp(0.125), rel=1e-12)
    assert log.sigma == pytest.approx(log.mean * np.sqrt(np.expm1(0.25)), rel=1e-12)


@pytest.mark.parametrize("rho", [-0.9, -0.3, 0.5, 0.8])
def test_correlations_of_normal_lognormal_and_uniform_values(rho):
    assert correlation_of(LINE, LINE, rho) == pytest.approx(rho, abs=1e-12)
    exact = np.expm1(rho * 0.5 * 0.3) / np.sqrt(np.expm1(0.25) * np.expm1(0.09))
    assert correlation_of(lognormal(0.5), lognormal(0.3), rho) == pytest.approx(exact, abs=1e-12)
    # The correlation of uniform values is the rank correlation.
    assert correlation_of(UNIFORM, UNIFORM, rho) == pytest.approx(6 / np.pi * np.arcsin(rho / 2), abs=1e-10)
    # The covariance of a score and a uniform value is rho / sqrt(4 pi).
    exact = rho / np.sqrt(4 * np.pi) * np.sqrt(12)
    assert correlation_of(LINE, UNIFORM, rho) == pytest.approx(exact, abs=1e-12)


def test_one_common_score():
    assert correlation_of(LINE, UNIFORM, 1.0) == pytest.approx(np.sqrt(3 / np.pi), rel=1e-12)
    assert correlation_of(UNIFORM, UNIFORM, 1.0) == pytest.approx(1.0, rel=1e-12)
    assert correlation_of(lognormal(0.5), LINE, -1.0) == pytest.approx(
        -0.5 / np.sqrt(np.expm1(0.25)), rel=1e-12
    )


def test_a_constant_has_no_correlation():
    constant = score_moments(lambda z: np.full(len(z), 3.0))
    assert constant.mean == pytest.approx(3.0)
    assert correlation_of(constant, LINE, 0.5) == pytest.approx(0.0, abs=1e-12)
