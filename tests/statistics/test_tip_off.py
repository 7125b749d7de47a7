"""The tip-off of springs on a ring in closed form, compared with sampled cases and rare-event methods."""

from __future__ import annotations

import numpy as np
import pytest
from interval_coverage import error_of
from scipy import special, stats
from tip_off import Ring

from interstage.statistics.importance import importance_sampling
from interstage.statistics.normal import sigma_interval
from interstage.statistics.percentiles import percentile_interval
from interstage.statistics.rare import compare_methods
from interstage.statistics.subset import subset_simulation

RING = Ring()
CASES = 400_000
DRAW = np.random.default_rng(41)
OWN, LOT = DRAW.normal(size=(4, CASES)), DRAW.normal(size=CASES)
QUANTILES = {2.7e-3: 3.4393323, 1e-5: 4.7985259, 1e-6: 5.2565218}
"""Rates in sigma of a Rayleigh distribution, by the probability to be above."""


def test_quantiles_of_the_rate():
    for probability, rate in QUANTILES.items():
        assert round(float(np.sqrt(-2 * np.log(probability))), 7) == rate


@pytest.mark.parametrize("springs", [3, 4, 7])
def test_the_rate_is_rayleigh_and_the_lot_cancels(springs):
    ring = Ring(springs=springs)
    own = np.random.default_rng(springs).normal(size=(springs, 100_000))
    rates = ring.rates(ring.impulses(own, LOT[:100_000]))
    # The lot, 2.5 times the own part of a spring, cancels to rounding of the sum of impulses.
    np.testing.assert_allclose(rates, ring.rates(ring.impulses(own, 0 * LOT[:100_000])), atol=1e-14)
    total = np.hypot(*rates) / ring.sigma_rate
    found = stats.kstest(total, stats.rayleigh.cdf)
    assert found.pvalue > 0.01
    assert percentile_interval(total, 1 - 2.7e-3, 0.99).interval.contains(QUANTILES[2.7e-3])


def test_two_springs_are_not_rayleigh():
    rates = Ring(springs=2).rates(OWN[:2])
    assert np.abs(rates[0]).max() < 1e-12 * np.abs(rates[1]).max()


def test_the_variance_of_the_speed():
    speeds = RING.speeds(RING.impulses(OWN, LOT))
    assert sigma_interval(speeds, 0.99).interval.contains(RING.sigma_speed)


@pytest.mark.parametrize("sigma_lot", [0.0, 2.0, 10.0])
def test_one_missing_spring(sigma_lot):
    """It is Rice if the lot has the sigma of a spring; else its two variances differ."""
    ring = Ring(sigma_lot=sigma_lot)
    impulses = ring.impulses(OWN, LOT)
    impulses[0] = 0.0
    rates = np.hypot(*ring.rates(impulses))
    mean = ring.radius * ring.impulse / ring.inertia
    for rate in mean * np.array([0.95, 1.0, 1.05]):
        exact = ring.probability_above(rate)
        assert np.mean(rates > rate) == pytest.approx(exact, abs=error_of(exact, CASES))
        rice = stats.rice.sf(rate / ring.sigma_rate, mean / ring.sigma_rate)
        if sigma_lot == ring.sigma:
            # Absolute error of the integration.
            assert rice == pytest.approx(exact, abs=1e-9)
        elif rate != mean:
            assert abs(rice - exact) > 0.02


def test_a_tip_off_rate_of_probability_1e_5_by_two_methods():
    limit_rate = QUANTILES[1e-5] * RING.sigma_rate

    def limit(u: np.ndarray) -> np.ndarray:
        return limit_rate - np.hypot(*RING.rates(RING.impulses(u[:4], u[4])))

    subset = subset_simulation(limit, 5, seed=42)
    assert subset.interval.contains(1e-5)
    sampled = importance_sampling(limit, 5, 4000, seed=43)
    # A whole circle of directions fails alike: the searches find some of them, which the weights account for.
    assert abs(np.log(sampled.probability / 1e-5)) < 4 * sampled.variation
    assert sampled.effective > 30
    assert compare_methods(subset, sampled) is None
    assert -special.ndtri(1e-5) == pytest.approx(4.2648907939, abs=1e-10)


def test_intervals_of_importance_sampling_are_too_narrow_on_a_circle():
    """Failures lie in all directions alike, so that weights are rarely large; docs/statistics.md states the
    coverage."""

    def limit(u: np.ndarray) -> np.ndarray:
        return QUANTILES[1e-5] - np.hypot(u[0], u[1])

    found = [importance_sampling(limit, 3, 1000, level=500, seed=seed) for seed in range(100)]
    assert 0.7 < np.mean([one.interval.contains(1e-5) for one in found]) < 0.9
    assert np.mean([one.probability for one in found]) == pytest.approx(1e-5, rel=0.03)
