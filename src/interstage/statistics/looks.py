"""Repeated looks at a pass-or-fail requirement.

A look is an evaluation that can end a campaign. A campaign that continues until it passes has several chances
to pass by luck, so its true risk is above the stated risk. If the looks are declared before the campaign,
they share the risk: each look is judged with the same smaller risk, which is chosen so that the overall risk
is not exceeded. The overall risk follows from an exact recursion over the number of failures:

    q_j(k) = sum over i of q'_(j-1)(i) b(k - i; N_j - N_(j-1), 1 - p),
    q'_j(k) = q_j(k) for k > a_j, else 0,
    risk = sum over j of sum over k <= a_j of q_j(k),

where b is the binomial probability, N_j the number of cases and a_j the number of allowed failures at look j,
and q'_0(0) = 1. Source: the recursion of group-sequential tests (Jennison and Turnbull, Group Sequential
Methods, 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ..maths.roots import narrow_bracket
from .binomial import _least_cases, _most_failures, allowed_failures, allowed_text, claim
from .inputs import ROUNDING, check_count, check_failures, check_probability

MOST_LOOKS = 200
HALVINGS = 60
"""Number of bisections to find the risk of each look. The remaining error is below the rounding of a
probability.
"""


def risk_of_looks(cases: Sequence[int], allowed: Sequence[int], requirement: float) -> np.ndarray:
    """Return the exact probability that a campaign has passed by each look although the requirement is just
    missed.

    - cases: number of cases N_j at each look, in ascending order.
    - allowed: number of failures a_j up to which look j passes; -1 if look j cannot pass.
    - requirement: fraction p of cases that must pass. The probability of failure is taken as 1 - p.

    The result has the shape (looks,). Raises ValueError if the numbers of cases are not in ascending order.

    >>> risk_of_looks([852, 1440], [0, 1], 0.9973).round(4).tolist()
    [0.0999, 0.1469]
    """
    numbers = _check_rising(cases)
    p = check_probability("requirement", requirement)
    limits = np.asarray(allowed, int)
    if limits.shape != numbers.shape:
        raise ValueError(
            f"allowed: there are {limits.size} numbers for {numbers.size} looks. Give one number for"
            " each look."
        )
    state = np.zeros(max(int(limits.max()), 0) + 1)
    state[0] = 1.0
    risks, before = [], 0
    for count, limit in zip(numbers, limits):
        state = np.convolve(state, _probabilities(len(state), count - before, 1.0 - p))[: len(state)]
        risks.append(state[: limit + 1].sum())
        state[: limit + 1] = 0.0
        before = count
    return np.cumsum(risks)


def _check_rising(cases: Sequence[int]) -> np.ndarray:
    """Return the cases at the looks as an array, or raise ValueError if they do not rise."""
    numbers = np.asarray([check_count("cases", number, 1) for number in cases])
    if not 1 <= numbers.size <= MOST_LOOKS or (np.diff(numbers) <= 0).any():
        raise ValueError(
            f"cases: {[*map(int, numbers)]} do not increase. Give 1 to {MOST_LOOKS} increasing numbers."
        )
    return numbers


def _probabilities(length: int, cases: int, chance: float) -> np.ndarray:
    """Binomial probabilities of 0 to length - 1 failures in some cases."""
    k = np.arange(length, dtype=float)
    inside = np.minimum(k, cases)
    log = special.gammaln(cases + 1) - special.gammaln(inside + 1) - special.gammaln(cases - inside + 1)
    log += special.xlogy(inside, chance) + special.xlog1py(cases - inside, -chance)
    return np.where(k <= cases, np.exp(log), 0.0)


@dataclass(frozen=True)
class LookPlan:
    """Looks at a requirement that are declared before the campaign. A look is an evaluation that can end the
    campaign.

    - requirement, confidence: requirement and confidence of the whole campaign.
    - risk_of_each: risk of a wrong proof at each look.
    - overall_risk: exact risk of a wrong proof at any look.
    - cases: number of cases at each look.
    - allowed: largest number of failures with which each look passes; -1 if the look cannot pass.
    """

    requirement: float
    confidence: float
    risk_of_each: float
    overall_risk: float
    cases: tuple[int, ...]
    allowed: tuple[int, ...]

    @property
    def sentence(self) -> str:
        """Return the plan as a sentence."""
        looks = [f"{n} cases ({k} failures allowed)" for n, k in zip(self.cases, self.allowed) if k >= 0]
        return (
            f"{len(self.cases)} interim evaluations (looks) are declared: at {', '.join(looks)}. The risk of "
            f"a wrong result is {self.risk_of_each:.4g} for each look and {self.overall_risk:.4g} for all "
            "looks."
        )

    def judge(self, look: int, failures: int) -> str:
        """Return the result of a look as a sentence.

        - look: number of the look, from 1.
        - failures: number of failures up to this look.

        Raises ValueError for an unknown look.
        """
        if not 1 <= look <= len(self.cases):
            raise ValueError(f"look: {look} is not one of the {len(self.cases)} declared looks.")
        n, allowed = self.cases[look - 1], self.allowed[look - 1]
        check_failures(failures, n)
        shown = "shown" if failures <= allowed else "not shown"
        text = f"{claim(self.requirement, self.confidence)}: {shown} at look {look} of {len(self.cases)}. "
        text += f"{failures} of {n} cases failed; {allowed_text(max(allowed, 0))}."
        if shown == "shown":
            return text
        if look == len(self.cases):
            return f"{text} This was the last look."
        if failures > self.allowed[-1]:
            return f"{text} No later look can pass: at the last look, {allowed_text(self.allowed[-1])}."
        return f"{text} At the next look, at {self.cases[look]} cases, {allowed_text(self.allowed[look])}."


def plan_looks(
    requirement: float, confidence: float = 0.9, looks: int | None = None, cases: Sequence[int] | None = None
) -> LookPlan:
    """Return a plan of looks with equal risk, which together have the required confidence.

    - requirement: fraction of cases that must pass.
    - confidence: confidence level of the whole campaign, between 0 and 1. Default: 0.9.
    - looks: number of looks. Look j is then at the smallest number of cases that passes with j - 1 failures.
    - cases: number of cases at each look, in ascending order, instead of `looks`. The allowed
      failures follow from them.

    The result is a `LookPlan`. Raises ValueError if both or neither of looks and cases are given.

    >>> plan_looks(0.9973, 0.9, looks=2).cases
    (1003, 1626)

    The risk of each look is the largest risk with which the overall risk is not exceeded. Numbers of cases
    and failures are integers, so the overall risk is slightly below the stated risk.
    """
    p, risk = check_probability("requirement", requirement), 1.0 - check_probability("confidence", confidence)
    if (looks is None) == (cases is None):
        raise ValueError(
            "looks: looks and cases are both set, or both missing. Set the number of looks, or the"
            " cases at each look."
        )
    if looks is not None:
        k = np.arange(check_count("looks", looks, 1), dtype=float)
        if looks > MOST_LOOKS:
            raise ValueError(f"looks: {looks} are too many. Give at most {MOST_LOOKS}.")

        def plan(each: float) -> tuple[np.ndarray, np.ndarray]:
            return _least_cases(k, p, each).astype(int), k.astype(int)
    else:
        numbers = _check_rising(cases or ())

        def plan(each: float) -> tuple[np.ndarray, np.ndarray]:
            return numbers, _most_failures(numbers.astype(float), p, each).astype(int)

    return _plan(plan, p, confidence, risk)


def _plan(plan: Any, p: float, confidence: float, risk: float) -> LookPlan:
    """The plan with the largest risk of each look that keeps the overall risk."""

    def fits(each: float) -> bool:
        numbers, allowed = plan(each)
        return each <= risk and risk_of_looks(numbers, allowed, p)[-1] <= risk * (1 + ROUNDING)

    low = float(narrow_bracket(fits, 0.0, 2 * risk, HALVINGS)[0])
    numbers, allowed = plan(low)
    if allowed[-1] < 0:
        raise ValueError(
            f"cases: {numbers[-1]} cases do not prove the requirement, even without a failure. "
            f"Give at least {int(_least_cases(np.zeros(()), p, risk))} for the last look."
        )
    overall = float(risk_of_looks(numbers, allowed, p)[-1])
    return LookPlan(p, confidence, low, overall, tuple(map(int, numbers)), tuple(map(int, allowed)))


@dataclass(frozen=True)
class Enlargement:
    """Campaign that was enlarged without declared looks. A look is an evaluation that can end the campaign.

    - requirement, confidence: stated requirement and confidence.
    - cases: number of cases at each look.
    - risks: (looks,), exact probability that the campaign has passed by each look although the
      requirement is just missed.
    """

    requirement: float
    confidence: float
    cases: tuple[int, ...]
    risks: np.ndarray

    @property
    def sentence(self) -> str:
        """Return a sentence that states the true risk of the campaign."""
        return (
            f"The campaign was evaluated {len(self.cases)} times, but these looks were not declared. The "
            f"true risk of a wrong result is {100 * self.risks[-1]:.3g} %, not "
            f"{100 * (1 - self.confidence):.3g} %."
        )


def true_risk(cases: Sequence[int], requirement: float, confidence: float = 0.9) -> Enlargement:
    """Return the true risk of a campaign that was enlarged without declared looks.

    - cases: number of cases at each look, in ascending order. Each look was evaluated as if it were the only
      look.
    - requirement: fraction of cases that must pass.
    - confidence: confidence level of each look, between 0 and 1. Default: 0.9.

    Raises ValueError if the numbers of cases are not in ascending order.

    >>> true_risk([852, 1440, 1970], 0.9973).risks.round(3).tolist()
    [0.1, 0.147, 0.178]
    """
    numbers = _check_rising(cases)
    risks = risk_of_looks(numbers.tolist(), allowed_failures(numbers, requirement, confidence), requirement)
    return Enlargement(requirement, confidence, tuple(map(int, numbers)), risks)
