"""Compare two campaigns with the same cases: differences of a response and of the failures, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .binomial import risk_of_passing
from .inputs import check_failures, check_probability, check_values
from .intervals import Estimate, around, two_sided
from .normal import mean_interval


@dataclass(frozen=True)
class PairedMeans:
    """Difference of a response between two campaigns A and B with the same cases.

    - difference: mean of B - A with its interval, in the unit of the response.
    - correlation: correlation between the responses of A and B.
    - gain: factor by which the number of cases must be larger if the campaigns are independent.
    - confidence: confidence level of the interval, between 0 and 1.
    """

    difference: Estimate
    correlation: float
    gain: float
    confidence: float

    @property
    def sentence(self) -> str:
        """Return the comparison of the means as a sentence. The values in the sentence have no unit."""
        value, lower, upper = (float(number) for number in self.difference)
        sure = f"with {100 * self.confidence:.10g} % confidence (interval {lower:.4g} to {upper:.4g})"
        if lower <= 0.0 <= upper:
            return f"The means of A and B do not differ significantly, {sure}."
        side = "above" if value > 0 else "below"
        return f"The mean of B is {side} the mean of A by {abs(value):.4g}, {sure}."


def compare_means(first: Any, second: Any, confidence: float = 0.9) -> PairedMeans:
    """Return the mean difference of a response between two campaigns with the same cases.

    - first, second: (cases,), response in the campaigns A and B, in the same unit and in the same
      order of cases.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.

    The interval follows from Student's t distribution of the differences. Raises ValueError if the numbers of
    cases differ.

    >>> compare_means([1.0, 2.0, 3.0, 4.0], [1.5, 2.5, 3.4, 4.6]).sentence
    'The mean of B is above the mean of A by 0.5, with 90 % confidence (interval 0.4039 to 0.5961).'
    """
    a, b = check_values("first", first, 3), check_values("second", second, 3)
    _check_same(a.shape, b.shape)
    difference = mean_interval(b - a, confidence)
    variances = a.var(ddof=1), b.var(ddof=1), (b - a).var(ddof=1)
    spread = np.sqrt(variances[0] * variances[1])
    correlation = float(np.cov(a, b)[0, 1] / spread) if spread > 0.0 else np.nan
    gain = float((variances[0] + variances[1]) / variances[2]) if variances[2] > 0.0 else np.inf
    return PairedMeans(difference, correlation, gain, check_probability("confidence", confidence))


def _check_same(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    if first != second or len(first) != 1:
        raise ValueError(
            f"second: shape {second} does not match {first} of the first campaign. Give the same "
            "cases of both campaigns."
        )


@dataclass(frozen=True)
class PairedFailures:
    """Comparison of the failures of two campaigns A and B with the same cases.

    - cases: number of cases.
    - both: number of cases that fail in both campaigns.
    - only_first, only_second: number of cases that fail only in A, or only in B.
    - p_value: two-sided p-value of McNemar's exact test: the probability that a difference of at
      least this size occurs by chance.
    - difference: fraction of failures of B minus fraction of failures of A, with its interval.
    - confidence: confidence level of the interval, between 0 and 1.
    """

    cases: int
    both: int
    only_first: int
    only_second: int
    p_value: float
    difference: Estimate
    confidence: float

    @property
    def sentence(self) -> str:
        """Return the comparison of the failures as a sentence."""
        a, b = self.both + self.only_first, self.both + self.only_second
        text = (
            f"Of {self.cases} cases, {a} fail in A and {b} fail in B; {self.only_first} fail only in A and "
            f"{self.only_second} only in B. "
        )
        if self.p_value > 1.0 - self.confidence:
            sure = f"{100 * self.confidence:.10g} % confidence"
            return f"{text}The difference is not significant at {sure} (p = {self.p_value:.2g})."
        often = "less often" if b < a else "more often"
        return f"{text}B fails {often} than A (p = {self.p_value:.2g}, McNemar's exact test)."


def mcnemar(only_first: Any, only_second: Any) -> Any:
    """Return the two-sided p-value of McNemar's exact test.

    only_first, only_second: number of cases that fail only in the first campaign, or only in the second.
    Raises ValueError for impossible values.

    >>> f"{mcnemar(10, 1):.5f}"
    '0.01172'

    Source: McNemar, Psychometrika 12 (1947) 153, with the binomial distribution. The p-value is 2 F(min; sum,
    1/2), and at most 1.
    """
    a, total = check_failures(only_first, np.maximum(np.add(only_first, only_second), 1))
    b = np.asarray(only_second, float)
    p = 2 * risk_of_passing(np.minimum(a, b), total, 0.5)
    return np.where(a + b == 0, 1.0, np.minimum(p, 1.0))[()]


def difference_of_failures(
    only_first: Any, only_second: Any, cases: Any, confidence: float = 0.9
) -> Estimate:
    """Return the fraction of failures of B minus the fraction of failures of A, with its confidence interval.

    - only_first, only_second: number of cases that fail only in A, or only in B, of any shape.
    - cases: number of all cases, of the same shape.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.

    The interval is asymptotic. One case is added to the number of failures of A and to the number of failures
    of B. For rare failures, its coverage is therefore at least the stated confidence (tested from 0 to 30
    expected failures). The plain normal interval does not have this property.

    Raises ValueError for impossible values.

    >>> [round(float(number), 5) for number in difference_of_failures(10, 1, 2500)]
    [-0.0036, -0.00596, -0.00123]

    Source: Bonett and Price, J. Educ. Behav. Stat. 37 (2012) 479. With p = (x + 1) / (n + 2), the interval is
    p_B - p_A -/+ z sqrt((p_A + p_B - (p_B - p_A)^2) / (n + 2)).
    """
    z = two_sided(check_probability("confidence", confidence))
    b, n = check_failures(only_second, cases)
    a, _ = check_failures(only_first, np.maximum(n - b, 1))
    first, second = (a + 1) / (n + 2), (b + 1) / (n + 2)
    error = np.sqrt((first + second - (second - first) ** 2) / (n + 2))
    ends = around(second - first, error, z)
    return Estimate(((b - a) / n)[()], np.maximum(ends.lower, -1.0)[()], np.minimum(ends.upper, 1.0)[()])


def compare_failures(first: Any, second: Any, confidence: float = 0.9) -> PairedFailures:
    """Compare the failures of two campaigns with the same cases.

    - first, second: (cases,), whether each case failed in the campaigns A and B.
    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.

    Raises ValueError if the numbers of cases differ.

    >>> a, b = np.arange(100) < 10, np.arange(100) == 99
    >>> compare_failures(a, b).sentence.split(". ")[1]
    "B fails less often than A (p = 0.012, McNemar's exact test)."
    """
    a, b = (check_values(name, value).astype(bool) for name, value in (("first", first), ("second", second)))
    _check_same(a.shape, b.shape)
    both, only_a, only_b = (int(np.count_nonzero(found)) for found in (a & b, a & ~b, ~a & b))
    difference = difference_of_failures(only_a, only_b, a.size, confidence)
    return PairedFailures(
        a.size, both, only_a, only_b, float(mcnemar(only_a, only_b)), difference, confidence
    )
