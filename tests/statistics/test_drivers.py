"""Drivers: correlations, regressions, shares and Sobol indices of functions with known values."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from ishigami import ishigami, ishigami_shares
from scipy import stats

from interstage.statistics.drivers import partial_rank_correlation, rank_correlation, regression
from interstage.statistics.propagation import compare_propagation, propagate
from interstage.statistics.ranks import mean_ranks
from interstage.statistics.shares import first_order_shares
from interstage.statistics.sobol import MissingSalib, sobol_design, sobol_indices

SPLINE: Any = "spline"
DRAW = np.random.default_rng(21)
INPUTS = DRAW.normal(size=(3, 400))
RESPONSE = INPUTS[0] + 0.5 * INPUTS[1] ** 3 + 0.2 * DRAW.normal(size=400)


def test_ranks_are_those_of_scipy():
    values = np.round(DRAW.normal(size=(2, 3, 50)), 1)
    np.testing.assert_array_equal(mean_ranks(values), stats.rankdata(values, axis=-1))


def spearman(values: np.ndarray) -> float:
    found: Any = stats.spearmanr(values, RESPONSE)
    return found.statistic


def test_rank_correlations_are_those_of_scipy():
    found = rank_correlation(INPUTS, RESPONSE)
    for k in range(3):
        assert found.value[k] == pytest.approx(spearman(INPUTS[k]), rel=1e-12)
    assert found.lower[2] < 0 < found.upper[2]
    assert found.lower[0] > 0.5
    ties = np.round(INPUTS)
    assert rank_correlation(ties, RESPONSE).value[0] == pytest.approx(spearman(ties[0]), rel=1e-12)


def test_partial_correlation_is_that_of_residuals():
    ranks, target = mean_ranks(INPUTS), mean_ranks(RESPONSE)
    others = np.vstack([np.ones(400), ranks[1:]]).T
    rest = [z - others @ np.linalg.lstsq(others, z, rcond=None)[0] for z in (ranks[0], target)]
    matrix: Any = np.corrcoef(rest)
    found = partial_rank_correlation(INPUTS, RESPONSE).value[0]
    # The matrix of rank correlations is well conditioned, near the unit matrix.
    assert found == pytest.approx(matrix[0, 1], rel=1e-11)


def test_partial_correlation_separates_correlated_inputs():
    a = DRAW.normal(size=2000)
    b = a + 0.5 * DRAW.normal(size=2000)
    response = a + 0.1 * DRAW.normal(size=2000)
    assert rank_correlation([a, b], response).lower[1] > 0.8
    assert partial_rank_correlation([a, b], response).interval.contains([1, 0])[1]


def test_regression_is_that_of_least_squares():
    found = regression(INPUTS, RESPONSE)
    design = np.vstack([np.ones(400), INPUTS]).T
    slope, rest, *_ = np.linalg.lstsq(design, RESPONSE, rcond=None)
    np.testing.assert_allclose(
        found.standardized.value, slope[1:] * INPUTS.std(1) / RESPONSE.std(), rtol=1e-10
    )
    explained = 1 - rest[0] / (400 * RESPONSE.var())
    assert found.explained == pytest.approx(explained, rel=1e-12)
    assert found.adjusted == pytest.approx(1 - (1 - explained) * 399 / 396, rel=1e-12)
    assert "explains" in found.sentence
    assert "do not describe this response" in regression(INPUTS, INPUTS[0] ** 2).sentence


def test_shares_of_correlated_inputs_add_to_the_explained_variance():
    common = DRAW.normal(size=2000)
    inputs = np.sqrt(0.5) * (common + DRAW.normal(size=(4, 2000)))
    response = inputs.sum(0) + DRAW.normal(size=2000)
    found = regression(inputs, response)
    assert found.shares.sum() == pytest.approx(found.explained, rel=1e-12)
    # Four coefficients of 1, covariance with the response 1 + 3 / 2, variance 4 + 12 / 2 + 1.
    np.testing.assert_allclose(found.shares, 2.5 / 11, atol=3 * 0.02)  # standard error about 1 / sqrt(2000)
    opposed = regression(inputs[:2], inputs[0] - 0.3 * inputs[1]).shares
    assert opposed[1] < 0
    assert opposed.sum() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("basis", ["polynomial", "bins"])
def test_shares_of_known_functions(basis):
    draw = np.random.default_rng(22)
    x = draw.normal(size=(3, 5000))
    response = 2 * x[0] + x[1] ** 2 + 0.5 * x[0] * x[2]
    found = first_order_shares(x, response, 0.999, basis)
    exact = np.array([4, 2, 0]) / (4 + 2 + 0.25)
    # Bins do not resolve the tails of x^2: 71 bins find 0.03 less.
    missing = 0.03 if basis == "bins" else 0.0
    assert (found.lower <= exact).all()
    assert (exact <= found.upper + missing).all()


def test_shares_of_the_function_of_ishigami():
    probability = np.random.default_rng(23).uniform(size=(3, 4000))
    first, _ = ishigami_shares()
    found = first_order_shares(probability, ishigami(probability), 0.999, size=12)
    assert found.interval.contains(first).all()
    # A polynomial of degree 5 does not follow the two periods of sin^2, and the estimate lacks it.
    assert first_order_shares(probability, ishigami(probability)).upper[1] < first[1]


def test_a_failure_is_an_input_with_two_values():
    draw = np.random.default_rng(24)
    failed, x = draw.uniform(size=4000) < 0.1, draw.normal(size=4000)
    found = first_order_shares([failed, x], 3.0 * failed + x, 0.999)
    exact = np.array([0.81, 1]) / 1.81
    assert found.interval.contains(exact).all()


def test_sobol_indices_of_the_function_of_ishigami():
    pytest.importorskip("SALib")
    design = sobol_design(3, 1024, second_order=True, seed=1)
    assert design.shape == (3, 8 * 1024)
    first, total = ishigami_shares()
    found = sobol_indices(ishigami(design), 3, second_order=True)
    # A scrambled sequence of 1024 base cases has an error of about 0.01 here.
    np.testing.assert_allclose(found.first.value, first, atol=0.03)
    np.testing.assert_allclose(found.total.value, total, atol=0.03)
    assert found.second is not None
    assert found.second.value[0, 2] == pytest.approx(total[2], abs=0.05)
    assert found.first.interval.contains(first).all()
    assert sobol_design(3, 16).shape == (3, 5 * 16)
    with pytest.raises(ValueError, match=r"base_cases: 100 is not a power of 2\. Give 128"):
        sobol_design(3, 100)
    with pytest.raises(ValueError, match="is not a multiple of 5 cases"):
        sobol_indices(np.arange(99.0), 3)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "SALib.analyze", None)
    with pytest.raises(MissingSalib) as error:
        sobol_design(3, 16)
    assert str(error.value) == (
        "Sobol indices need SALib, which is not installed. Run pip install 'interstage[campaigns]', or use "
        "first_order_shares, which does not need SALib."
    )


def test_propagation():
    found = propagate([3.0, 4.0], [1.0, 0.5], nominal=10.0)
    assert (found.mean, found.sigma) == (10.0, pytest.approx(np.sqrt(13)))
    np.testing.assert_allclose(found.shares, [9 / 13, 4 / 13], rtol=1e-14)
    full = propagate([1.0, 1.0], [1.0, 2.0], correlation=[[1, 0.5], [0.5, 1]])
    assert full.sigma == pytest.approx(np.sqrt(1 + 4 + 2 * 0.5 * 2), rel=1e-14)
    np.testing.assert_allclose(full.shares, [2 / 7, 5 / 7], rtol=1e-14)


def test_propagation_compared_with_sampled_cases():
    x = np.random.default_rng(25).normal(size=(2, 4000))
    first = propagate([3.0, 4.0], [1.0, 1.0], nominal=1.0)
    same = compare_propagation(first, 1 + 3 * x[0] + 4 * x[1])
    assert (
        same.sentence == "Mean and sigma from the derivatives are within the intervals of the sampled cases."
    )
    curved = compare_propagation(first, 1 + 3 * x[0] + 4 * x[1] + 2 * x[0] ** 2)
    assert (
        "The mean of the sampled cases differs from the mean from the derivatives by 0.3" in curved.sentence
    )
    assert "The response is not linear over the dispersions (skewness" in curved.sentence
    failures = 6 * (np.random.default_rng(26).uniform(size=4000) < 0.5) - 3
    wider = compare_propagation(first, 1 + 3 * x[0] + 4 * x[1] + failures)
    assert wider.sentence.endswith(
        "Check for inputs without derivatives, such as failures, and for kinks of the response."
    )


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: rank_correlation(INPUTS, RESPONSE[:-1]),
            "inputs: shape (3, 400) does not match the response (399,)",
        ),
        (
            lambda: rank_correlation([INPUTS[0], np.ones(400)], RESPONSE),
            "inputs: input 1 is the same in all cases",
        ),
        (lambda: regression(INPUTS, np.ones(400)), "response: the response is the same in all cases"),
        (
            lambda: regression([INPUTS[0], 2 * INPUTS[0]], RESPONSE),
            "inputs: some inputs are linear combinations",
        ),
        (lambda: first_order_shares(INPUTS, RESPONSE, basis=SPLINE), 'basis: "spline" is unknown'),
        (lambda: propagate([1.0], [-1.0]), "sigmas: shape (1,) does not match"),
        (
            lambda: propagate([1.0], [1.0], correlation=np.eye(2)),
            "correlation: shape (2, 2) does not match 1 inputs",
        ),
        (lambda: compare_propagation(propagate([0.0], [1.0]), RESPONSE), "first_order: sigma is 0"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)
