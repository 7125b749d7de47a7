"""Pass or fail: published and computed numbers to the last digit, at the edges too, and the sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from interstage.statistics.binomial import (
    allowed_failures,
    clopper_pearson,
    prove,
    risk_of_passing,
    smallest_cases,
)

TOP: Any = "top"
SMALLEST = {
    0.9973: [852, 1440, 1970, 2473, 2959],
    0.99865: [1705, 2880, 3941, 4947, 5920],
    0.99: [230, 388, 531, 667, 798],
}
"""Hanson and Beard, NASA/TP-2010-216447; equal to monaco's."""


@pytest.mark.parametrize("requirement", SMALLEST)
def test_smallest_numbers_of_cases(requirement):
    found = smallest_cases(requirement, 0.9, np.arange(5))
    assert found.tolist() == SMALLEST[requirement]
    assert allowed_failures(found, requirement).tolist() == [0, 1, 2, 3, 4]
    assert allowed_failures(found - 1, requirement).tolist() == [-1, 0, 1, 2, 3]


def test_the_risk_is_that_of_scipy():
    k, n = np.array([-1, 0, 3, 27, 2000]), np.array([10, 852, 2500, 10000, 2000])
    # Both are the incomplete beta function, with 1 - p rounded once more there.
    np.testing.assert_allclose(risk_of_passing(k, n, 0.9973), stats.binom.cdf(k, n, 1 - 0.9973), rtol=1e-11)


@pytest.mark.parametrize(
    ("failures", "cases", "lower", "upper"),
    [
        (0, 2000, "0", "0.00149674"),
        (1, 2000, "2.56463e-05", "0.00236971"),
        (3, 1000, "0.000818175", "0.00773524"),
        (27, 10000, "0.00190647", "0.00372151"),
        (5, 5, "0.54928", "1"),
    ],
)
def test_intervals_of_clopper_and_pearson(failures, cases, lower, upper):
    found = clopper_pearson(failures, cases)
    assert (f"{found.lower:.6g}", f"{found.upper:.6g}") == (lower, upper)
    peer = stats.binomtest(failures, cases).proportion_ci(0.9)
    # SciPy solves for the ends by a search with a relative error of about 1e-12.
    np.testing.assert_allclose(found, (peer.low, peer.high), rtol=1e-9, atol=0)


def test_one_sided_bounds_have_the_whole_risk_on_one_side():
    assert clopper_pearson(0, 852, side="upper").upper < 0.0027 < clopper_pearson(0, 851, side="upper").upper
    assert clopper_pearson(3, 2500, side="upper").lower == 0.0
    assert clopper_pearson(3, 2500, side="lower").upper == 1.0
    assert clopper_pearson(3, 2500, side="lower").lower == clopper_pearson(3, 2500, 0.8).lower


def test_a_requirement_is_shown_just_if_its_bound_is_above():
    cases = np.arange(1, 3000, 7)
    for failures in (0, 1, 5):
        usable = cases[cases >= failures]
        least = 1 - clopper_pearson(failures, usable, side="upper").upper
        np.testing.assert_array_equal(failures <= allowed_failures(usable, 0.9973), least >= 0.9973)


def test_the_risk_on_the_edge_is_not_decided_by_rounding():
    # One case, and p = c = 1/2 or p = 0.9 with c = 0.1: the risk is exactly 1 - c.
    assert allowed_failures(1, 0.5, 0.5) == 0
    assert allowed_failures(1, 0.9, 0.1) == 0
    assert allowed_failures(2, 0.9, 0.19) == 0


def test_sentences():
    assert prove(3, 2500, 0.9973).sentence == (
        "At least 99.73 % of cases meet the requirement, with 90 % confidence: shown. "
        "3 of 2500 cases failed; 3 failures are allowed."
    )
    assert prove(5, 2500, 0.9973).sentence == (
        "At least 99.73 % of cases meet the requirement, with 90 % confidence: not shown. "
        "5 of 2500 cases failed; 3 failures are allowed. "
        "To demonstrate the requirement, simulate 933 more cases with no further failure, "
        "1399 more cases with 1 further failure or "
        "1858 more cases with 2 further failures. "
        "If you add cases after you know this result, the risk that a wrong requirement passes is above 10 %."
    )
    text = prove(0, 851, 0.9973).sentence
    assert "0 of 851 cases failed" in text
    assert "too small to demonstrate the requirement. To demonstrate the requirement, simulate 1 more" in text
    assert "0.4 % of the cases fail" in prove(4, 1000, 0.9973).sentence


@pytest.mark.parametrize("failures", [0, 3, 4, 5, 6, 7, 50])
def test_a_requirement_is_refuted_by_the_one_sided_bound(failures):
    proof = prove(failures, 1000, 0.9973)
    low = stats.beta.ppf(0.1, failures, 1001 - failures) if failures else 0.0
    assert proof.most_fraction == pytest.approx(1 - low)
    assert proof.is_refuted == (low > 0.0027) == (failures > 5)
    assert ("the requirement is not met" in proof.sentence) == proof.is_refuted
    assert ("more cases with" in proof.sentence) == (not proof.is_refuted and not proof.shown)


def test_further_cases_are_just_enough():
    proof = prove(5, 2500, 0.9973)
    assert [*proof.more_cases] == [0, 1, 2, 3, 4]
    for further, cases in proof.more_cases.items():
        assert prove(5 + further, 2500 + cases, 0.9973).shown
        assert not prove(5 + further, 2500 + cases - 1, 0.9973).shown


def test_the_same_numbers_as_monaco():
    orders = pytest.importorskip("monaco.order_statistics")
    one = orders.StatBound.ONESIDED
    for p in (0.9, 0.99, 0.9973, 0.99865):
        for c in (0.5, 0.9, 0.95):
            peer = [orders.order_stat_TI_n(k, p, c, bound=one) for k in range(1, 8)]
            assert smallest_cases(p, c, np.arange(7)).tolist() == peer


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: prove(3, 2, 0.9973), "failures: the number of failures (3) exceeds the number of cases (2)"),
        (lambda: prove(-1, 2, 0.9973), "failures: -1 is not a whole number of at least 0"),
        (lambda: prove(1, 0, 0.9973), "cases: 0 is not a whole number of at least 1"),
        (
            lambda: prove(1, 10, 99.73),
            "requirement: 99.73 is not between 0 and 1",
        ),
        (lambda: prove(1, 10, 0.99, 1.0), "confidence: 1 is not between 0 and 1"),
        (lambda: clopper_pearson(1.5, 10), "failures: 1.5 is not a whole number"),
        (
            lambda: clopper_pearson(1, 10, side=TOP),
            'side: "top" is unknown. Choose "both", "lower" or "upper"',
        ),
        (lambda: clopper_pearson([1, 2], [10, 20, 30]), "failures: shape (2,) does not match the cases (3,)"),
        (lambda: clopper_pearson("many", 10), "failures: the values are not an array of numbers"),
        (lambda: prove(1, 10, None), "requirement: None is not a number"),  # type: ignore[arg-type]
        (lambda: smallest_cases(1 - 1e-13), "needs more than 1e+12 cases"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)
