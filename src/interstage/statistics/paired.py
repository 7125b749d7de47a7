"""Two campaigns with the same cases: the difference of a response, and of the failures, case by case."""

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
    """The difference of a response between two campaigns with the same cases.

    - difference: mean of B - A with its interval, in the unit of the response.
    - correlation: between the responses of A and B. gain: factor by which independent campaigns would need
      more cases.
    - confidence: of the interval."""

    difference: Estimate
    correlation: float
    gain: float
    confidence: float

    @property
    def sentence(self) -> str:
        """Return the comparison of the means as a sentence, without unit."""
        value, lower, upper = (float(number) for number in self.difference)
        sure = f"with {100 * self.confidence:.10g} % confidence (interval {lower:.4g} to {upper:.4g})"
        if lower <= 0.0 <= upper:
            return f"The means of A and B do not differ significantly, {sure}."
        side = "above" if value > 0 else "below"
        return f"The mean of B is {side} the mean of A by {abs(value):.4g}, {sure}."


def compare_means(first: Any, second: Any, confidence: float = 0.9) -> PairedMeans:
    """Return the mean difference of a response between two campaigns with the same cases.

    - first, second: (cases,), the response in campaigns A and B, case by case, in one unit.
    - confidence: of the interval. Default: 0.9.

    Raises ValueError if the numbers of cases differ. The interval is Student's t of the differences.

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
            "cases of both."
        )


@dataclass(frozen=True)
class PairedFailures:
    """Failures of two campaigns with the same cases.

    - cases: number of cases. both, only_first, only_second: numbers of failures in both campaigns, or in A
      or B only.
    - p_value: two-sided, of McNemar's exact test: probability of a difference of at least this size by luck.
    - difference: fraction of failures of B minus fraction of failures of A, with its interval. confidence:
      of the interval."""

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
    """Return the two-sided p-value of McNemar's exact test, from the numbers of cases that fail in one
    campaign only.

    Raises ValueError for impossible numbers.

    >>> f"{mcnemar(10, 1):.5f}"
    '0.01172'

    Source: McNemar, Psychometrika 12 (1947) 153, with the binomial distribution: 2 F(min; sum, 1/2), at
    most 1."""
    a, total = check_failures(only_first, np.maximum(np.add(only_first, only_second), 1))
    b = np.asarray(only_second, float)
    p = 2 * risk_of_passing(np.minimum(a, b), total, 0.5)
    return np.where(a + b == 0, 1.0, np.minimum(p, 1.0))[()]


def difference_of_failures(
    only_first: Any, only_second: Any, cases: Any, confidence: float = 0.9
) -> Estimate:
    """Return the fraction of failures of B minus the fraction of failures of A, with its interval.

    - only_first, only_second: cases that fail in A or B only. cases: all cases. Numbers of any shape.

    The interval is asymptotic, with one case added to each number. For rare failures its coverage is at
    least the stated coverage (tested from 0 to 30 expected failures). The plain normal interval lacks this
    property.

    Raises ValueError for impossible numbers.

    >>> [round(float(number), 5) for number in difference_of_failures(10, 1, 2500)]
    [-0.0036, -0.00596, -0.00123]

    Source: Bonett and Price, J. Educ. Behav. Stat. 37 (2012) 479: with p = (x + 1) / (n + 2), p_B - p_A -/+
    z sqrt((p_A + p_B - (p_B - p_A)^2) / (n + 2))."""
    z = two_sided(check_probability("confidence", confidence))
    b, n = check_failures(only_second, cases)
    a, _ = check_failures(only_first, np.maximum(n - b, 1))
    first, second = (a + 1) / (n + 2), (b + 1) / (n + 2)
    error = np.sqrt((first + second - (second - first) ** 2) / (n + 2))
    ends = around(second - first, error, z)
    return Estimate(((b - a) / n)[()], np.maximum(ends.lower, -1.0)[()], np.minimum(ends.upper, 1.0)[()])


def compare_failures(first: Any, second: Any, confidence: float = 0.9) -> PairedFailures:
    """Return the comparison of the failures of two campaigns with the same cases.

    - first, second: (cases,), whether each case failed in campaigns A and B. confidence: Default: 0.9.

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
