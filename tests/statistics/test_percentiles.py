"""Percentiles by order statistics and of weighted samples: numbers to the digit, and monaco's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from interstage.statistics.percentiles import (
    bound_cases,
    bound_confidence,
    bound_rank,
    percentile,
    percentile_interval,
    percentile_ranks,
    tolerance_interval,
)
from interstage.statistics.weighted import effective_cases, weighted_mean, weighted_percentile

THREE: Any = 3
TWO_SIDED = {0.9973: [1440, 2473, 3433], 0.99865: [2880, 4947, 6868], 0.99: [388, 667, 926]}


@pytest.mark.parametrize("fraction", TWO_SIDED)
def test_smallest_numbers_of_cases_on_two_sides(fraction):
    found = bound_cases(fraction, 0.9, [1, 2, 3], sides=2)
    assert found.tolist() == TWO_SIDED[fraction]
    assert bound_rank(found, fraction, sides=2).tolist() == [1, 2, 3]
    assert bound_rank(found - 1, fraction, sides=2).tolist() == [0, 1, 2]


def test_ranks_and_confidences():
    assert f"{bound_confidence(2000, 0.9973, 3):.12f}" == "0.905544508931"
    assert f"{bound_confidence(5000, 0.9973, 9):.5f}" == "0.92128"
    assert [int(percentile_ranks(n, 0.9973, side="upper")[1]) for n in (2000, 5000)] == [1998, 4992]
    assert bound_cases(0.95, 0.95, sides=2) == 93  # Wilks
    assert bound_cases(0.95, 0.95) == 59


def test_the_same_numbers_as_monaco():
    orders = pytest.importorskip("monaco.order_statistics")
    bounds: Any = ((orders.StatBound.ONESIDED, 1), (orders.StatBound.TWOSIDED, 2))
    for bound, sides in bounds:
        for p in (0.9, 0.99, 0.9973):
            for c in (0.5, 0.9, 0.95):
                peer = [orders.order_stat_TI_n(k, p, c, bound=bound) for k in (1, 2, 5)]
                assert bound_cases(p, c, [1, 2, 5], sides).tolist() == peer
            for n in (1500, 4000):
                assert bound_rank(n, p, 0.9, sides) == orders.order_stat_TI_k(n, p, 0.9, bound=bound)
                peer = orders.order_stat_TI_c(n, 2, p, bound=bound)
                # Differences of numbers near 1, by the same incomplete beta function.
                assert bound_confidence(n, p, 2, sides) == pytest.approx(peer, abs=1e-14)


def test_the_interval_of_a_percentile_is_that_of_scipy():
    values = np.random.default_rng(2).normal(size=500)
    sides: Any = ("both", "two-sided"), ("upper", "less"), ("lower", "greater")
    for fraction in (0.1, 0.5, 0.97):
        for side, other in sides:
            found = percentile_interval(values, fraction, side=side)
            peer = stats.quantile_test(values, p=fraction, alternative=other).confidence_interval(0.9)
            assert found.interval == (peer.low, peer.high)
        # The same definition; both round the place between two values.
        assert found.value == pytest.approx(
            np.quantile(values, fraction, method="median_unbiased"), rel=1e-13
        )


def test_a_bound_that_does_not_exist_is_infinite():
    values = np.arange(851.0)
    assert percentile_interval(values, 0.9973, side="upper").upper == np.inf
    assert percentile_interval(values, 0.0027, side="lower").lower == -np.inf
    assert tolerance_interval(values, 0.9973) == (-np.inf, np.inf)
    found = percentile(values, 0.9973)
    assert found.sentence.startswith("851 cases are too few")
    assert found.sentence.endswith("needs 852 cases.")
    assert percentile(np.arange(852.0), 0.9973).upper == 851.0


def test_a_failed_case_counts_as_infinite():
    values = np.append(np.arange(1999.0), np.inf)
    assert percentile_interval(values, 0.9973, side="upper").upper == 1997.0
    assert percentile_interval(np.full(5, np.inf), 0.5).value == np.inf


def test_sentences():
    values = np.arange(1, 2001)
    assert percentile(values, 0.9973).sentence == (
        "At least 99.73 % of cases are at or below 1998, with 90 % confidence (third highest of 2000)."
    )
    assert percentile(values, 0.0027, side="lower").sentence == (
        "At least 99.73 % of cases are at or above 3, with 90 % confidence (third lowest of 2000)."
    )
    texts = [percentile(np.arange(n), 0.9).sentence for n in bound_cases(0.9, 0.9, [1, 11, 12, 21])]
    words = [text.split("(")[1].split(" of")[0] for text in texts]
    assert words == ["highest", "11th highest", "12th highest", "21st highest"]
    assert percentile(values, 0.5, side="both").sentence == (
        "The percentile of 50 % of cases is between 963 and 1038, with 90 % confidence."
    )


def test_equal_weights_give_the_unweighted_results():
    values = np.random.default_rng(3).normal(size=400)
    weighted = weighted_percentile(values, np.ones(400), 0.9)
    plain = percentile_interval(values, 0.9)
    ordered = np.sort(values)
    ranks = [int(np.searchsorted(ordered, end)) for end in (*weighted.interval, *plain.interval)]
    assert abs(ranks[0] - ranks[2]) <= 2
    assert abs(ranks[1] - ranks[3]) <= 2
    assert weighted_mean(values, np.ones(400)).value == pytest.approx(values.mean(), rel=1e-13)
    assert effective_cases(np.ones(400)) == 400.0


def test_too_few_effective_cases_give_no_interval():
    draw = np.random.default_rng(4)
    u = draw.normal(size=100) + 2.0
    assert weighted_percentile(u, np.exp(2.0 - 2 * u), 0.99).interval == (-np.inf, np.inf)


def test_tails_are_mirrored():
    draw = np.random.default_rng(5)
    u = draw.normal(size=2000) + 2.0
    upper = weighted_percentile(u, np.exp(2.0 - 2 * u), 0.99, tail="upper")
    lower = weighted_percentile(-u, np.exp(2.0 - 2 * u), 0.01, tail="lower")
    np.testing.assert_allclose([-lower.value, -lower.upper, -lower.lower], upper, rtol=1e-14)
    assert upper.lower < stats.norm.ppf(0.99) < upper.upper


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: bound_cases(0.99, rank=0), "rank: 0 is not a rank. Give 1 for the highest value"),
        (lambda: bound_rank(100, 0.9, sides=THREE), "sides: 3 is not 1 or 2"),
        (
            lambda: percentile([1.0, np.nan], 0.9),
            "values: 1 values are not finite numbers, first nan in case 1",
        ),
        (lambda: percentile(np.zeros((2, 3)), 0.9), "values: shape (2, 3) has several axes"),
        (lambda: percentile([], 0.9), "values: 0 cases are too few"),
        (lambda: weighted_mean([1.0, 2.0], [1.0] * 3), "weights: shape (3,) does not match the values (2,)"),
        (lambda: percentile([1.0, "x"], 0.9), "values: the values are not an array of numbers"),
        (lambda: weighted_mean([1.0, 2.0], [1.0, -1.0]), "weights: -1.0 is not a weight"),
        (lambda: weighted_mean([1.0, 2.0], [0.0, 0.0]), "weights: all weights are zero"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)
