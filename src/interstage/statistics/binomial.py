"""Pass-or-fail statistics: confidence interval of a probability of failure, and proof of a requirement.

A campaign of n cases with k failures shows a requirement p with confidence c if F(k; n, 1 - p) <= 1 - c. F is
the distribution function of the binomial distribution. If the requirement is just missed, k or fewer failures
then have a probability of at most 1 - c (Hanson and Beard, NASA/TP-2010-216447).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import special

from ..maths.roots import adjacent_numbers
from .inputs import ROUNDING, Side, check_count, check_failures, check_probability, check_side
from .intervals import Interval

MOST_CASES = 10**12
"""Maximum number of cases that is tried when the necessary number of cases is searched."""
FURTHER, SENTENCE_FURTHER = 5, 3
"""Maximum number of additional failures for which the necessary additional cases are listed.

FURTHER is the limit of a proof, and SENTENCE_FURTHER the limit of its sentence.
"""


def clopper_pearson(failures: Any, cases: Any, confidence: float = 0.9, side: Side = "both") -> Interval:
    """Return the exact confidence interval of a probability of failure.

    - failures: number of failures k, of any shape.
    - cases: number of cases n, of the same shape.
    - confidence: minimum probability that the interval contains the true value. Default: 0.9.
    - side: "both" divides the risk equally between both ends. "upper" and "lower" give one bound. The other
      end of the interval is then 0 or 1. Default: "both".

    The result is an `Interval` of the same shape. Raises ValueError for impossible values.

    >>> interval = clopper_pearson(3, 1000)
    >>> f"{interval.lower:.5g} {interval.upper:.6g}"
    '0.00081818 0.00773524'

    Source: Clopper and Pearson, Biometrika 26 (1934) 404, by quantiles B of the beta distribution. The lower
    end is B(a; k, n - k + 1), the upper end B(1 - a; k + 1, n - k). For two sides a = (1 - c) / 2, otherwise
    a = 1 - c.
    """
    k, n = check_failures(failures, cases)
    risk = 1.0 - check_probability("confidence", confidence)
    tail = risk / 2 if check_side(side) == "both" else risk
    lower, upper = np.zeros(k.shape), np.ones(k.shape)
    if side != "upper":
        lower = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, tail), 0.0)
    if side != "lower":
        upper = np.where(k < n, special.betainccinv(k + 1, np.maximum(n - k, 1), tail), 1.0)
    return Interval(lower[()], upper[()])


def risk_of_passing(failures: Any, cases: Any, requirement: float) -> Any:
    """Return the probability of at most k failures in n cases if the requirement is just missed.

    - failures: number of failures k, of any shape. For a negative number, the probability is 0.
    - cases: number of cases n, of the same shape.
    - requirement: fraction p of cases that must pass. The probability of failure is then 1 - p.

    >>> f"{risk_of_passing(0, 852, 0.9973):.4f} {risk_of_passing(0, 851, 0.9973):.4f}"
    '0.0999 0.1002'

    Source: F(k; n, 1 - p) = I_p(n - k, k + 1), the regularized incomplete beta function (DLMF 8.17.5).
    """
    k, n = np.broadcast_arrays(np.asarray(failures, float), np.asarray(cases, float))
    inside = (k >= 0) & (k < n)
    found = special.betainc(np.where(inside, n - k, 1.0), np.where(inside, k + 1, 1.0), requirement)
    return np.where(inside, found, np.where(k < 0, 0.0, 1.0))[()]


def allowed_failures(cases: Any, requirement: float, confidence: float = 0.9) -> Any:
    """Return the largest number of failures with which n cases still show a requirement.

    - cases: number of cases n, of any shape.
    - requirement: fraction of cases that must pass.
    - confidence: confidence level of the proof, between 0 and 1. Default: 0.9.

    The result is -1 if n cases do not show the requirement even without a failure. Raises ValueError for
    impossible values.

    >>> allowed_failures([851, 852, 2500], 0.9973).tolist()
    [-1, 0, 3]
    """
    p, risk = check_probability("requirement", requirement), 1.0 - check_probability("confidence", confidence)
    _, n = check_failures(0, cases)
    return _most_failures(n, p, risk).astype(int)[()]


def _most_failures(n: np.ndarray, p: float, risk: float) -> np.ndarray:
    """Largest k with F(k; n, 1 - p) <= risk, -1 if none, by bisection in arrays."""

    def passes(k: np.ndarray) -> np.ndarray:
        return risk_of_passing(k, n, p) <= risk * (1 + ROUNDING)

    return adjacent_numbers(passes, np.full(n.shape, -1.0), n.copy())[0]


def smallest_cases(requirement: float, confidence: float = 0.9, failures: Any = 0) -> Any:
    """Return the smallest number of cases that show a requirement if k of them fail.

    - requirement: fraction p of cases that must pass.
    - confidence: confidence level of the proof, between 0 and 1. Default: 0.9.
    - failures: number of failures k, of any shape. Default: 0.

    Raises ValueError if more than 1e12 cases would be needed.

    >>> smallest_cases(0.9973, 0.9, [0, 1, 2]).tolist()
    [852, 1440, 1970]
    """
    p, risk = check_probability("requirement", requirement), 1.0 - check_probability("confidence", confidence)
    k, _ = check_failures(failures, np.maximum(failures, 1))
    return _least_cases(k, p, risk).astype(np.int64)[()]


def _least_cases(k: np.ndarray, p: float, risk: Any) -> np.ndarray:
    """Smallest n with F(k; n, 1 - p) <= risk, by bisection in arrays."""
    bound = np.asarray(risk) * (1 + ROUNDING)
    low, high = k.copy(), np.broadcast_to(2 * (k + 1), np.broadcast_shapes(k.shape, bound.shape)).copy()
    low = np.broadcast_to(low, high.shape).copy()
    while (short := risk_of_passing(k, high, p) > bound).any():
        low, high = np.where(short, high, low), np.where(short, 2 * high, high)
        if (high > MOST_CASES).any():
            raise ValueError(
                f"requirement: {p:g} needs more than {MOST_CASES:.0e} cases. Give a lower requirement "
                "or confidence, "
                "or estimate the probability of failure by importance sampling."
            )
    return adjacent_numbers(lambda n: ~(risk_of_passing(k, n, p) <= bound), low, high)[1]


@dataclass(frozen=True)
class Proof:
    """Result of the check of a pass-or-fail requirement with the cases of a campaign.

    - requirement: fraction of cases that must pass.
    - confidence: confidence level of the proof, between 0 and 1.
    - cases, failures: number of cases and of failures in the campaign.
    - allowed: largest number of failures with which these cases show the requirement; -1 if they cannot show
      the requirement.
    - shown: whether the requirement is shown.
    - interval: two-sided interval of the probability of failure, with the same confidence.
    - least_fraction, most_fraction: one-sided bounds of the fraction of cases that pass.
    - more_cases: number of additional cases that would show the requirement, for each number of
      additional failures. The list is empty if the requirement is already shown.
    """

    requirement: float
    confidence: float
    cases: int
    failures: int
    allowed: int
    shown: bool
    interval: Interval
    least_fraction: float
    most_fraction: float
    more_cases: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_refuted(self) -> bool:
        """Return whether the cases show, with the same confidence, that the requirement is not met."""
        return not self.shown and self.most_fraction < self.requirement

    @property
    def sentence(self) -> str:
        """Return the result of the proof as a sentence."""
        allowed = "the number of cases is too small to demonstrate the requirement"
        if self.allowed >= 0:
            allowed = allowed_text(self.allowed)
        shown = "shown" if self.shown else "not shown"
        text = f"{claim(self.requirement, self.confidence)}: {shown}. "
        text += f"{self.failures} of {self.cases} cases failed; {allowed}."
        if self.is_refuted:
            most = f"at most {100 * self.most_fraction:.5g} % of cases meet the requirement"
            return f"{text} The cases show that the requirement is not met: {most}, with the same confidence."
        return text if self.shown else f"{text} {self.sentence_of_more}"

    @property
    def sentence_of_more(self) -> str:
        """Return a sentence with the number of additional cases that would show the requirement.

        The sentence is empty if the requirement is already shown.
        """
        if self.shown:
            return ""
        listed = [
            f"{cases} more cases with {failures or 'no'} further failure{'s' if failures > 1 else ''}"
            for failures, cases in [*self.more_cases.items()][:SENTENCE_FURTHER]
        ]
        text = f"To demonstrate the requirement, simulate {', '.join(listed[:-1])} or {listed[-1]}."
        if self.failures > self.cases * (1 - self.requirement):
            text += (
                f" So far, {100 * self.failures / self.cases:.3g} % of the cases fail, but the"
                f" requirement allows only {100 * (1 - self.requirement):.10g} %."
            )
        risk = 100 * (1 - self.confidence)
        return (
            f"{text} If you add cases after you know this result, the risk that a wrong requirement passes"
            f" is above {risk:.3g} %."
        )


def allowed_text(failures: int) -> str:
    """Return a text such as "1 failure is allowed" for a number of allowed failures."""
    return f"{failures} {'failure is' if failures == 1 else 'failures are'} allowed"


def claim(requirement: float, confidence: float) -> str:
    """Return a requirement and its confidence as a text.

    Example: "At least 99.73 % of cases meet the requirement, with 90 % confidence".
    """
    text = f"At least {100 * requirement:.10g} % of cases meet the requirement"
    return f"{text}, with {100 * confidence:.10g} % confidence"


def prove(failures: int, cases: int, requirement: float, confidence: float = 0.9) -> Proof:
    """Check whether a campaign shows a requirement, and return how many additional cases would show it.

    - failures: number of failures.
    - cases: number of cases.
    - requirement: fraction of cases that must pass. "3 sigma" can mean 0.9973 (two-sided) or 0.99865
      (one-sided).
    - confidence: confidence level of the proof, between 0 and 1. Default: 0.9.

    Raises ValueError for impossible values.

    >>> prove(3, 2500, 0.9973).sentence.split(". ")[1]
    '3 of 2500 cases failed; 3 failures are allowed.'

    The number of additional cases is valid only if the campaign is enlarged once and this was declared before
    the campaign: see `interstage.statistics.looks`.

    Source: Hanson and Beard, NASA/TP-2010-216447.
    """
    n, k = check_count("cases", cases, 1), check_count("failures", failures)
    interval = clopper_pearson(k, n, confidence)
    allowed = int(allowed_failures(n, requirement, confidence))
    more = {}
    if k > allowed:
        needed = smallest_cases(requirement, confidence, k + np.arange(FURTHER))
        more = {further: int(least) - n for further, least in enumerate(needed)}
    least = float(1.0 - clopper_pearson(k, n, confidence, "upper").upper)
    most_fraction = float(1.0 - clopper_pearson(k, n, confidence, "lower").lower)
    return Proof(requirement, confidence, n, k, allowed, k <= allowed, interval, least, most_fraction, more)
