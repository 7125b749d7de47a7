"""Warn if the number of cases cannot prove the required proportions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...statistics.binomial import smallest_cases
from ...statistics.looks import plan_looks

if TYPE_CHECKING:
    from .declared import Campaign
    from .plan import Plan


def too_few_warnings(plan: Plan) -> Iterator[str]:
    """Yield a warning for each required proportion that the number of cases cannot prove, even if no case
    fails.

    With importance sampling, a proportion is proven by another method and is not checked.
    """
    campaign = plan.campaign
    if any(one.importance is not None for one in campaign.dispersions):
        return
    goals: dict[tuple[float, float], list[str]] = {}
    for name in dict.fromkeys(one.name for one in plan.scenario.requirements):
        proportion, confidence = campaign.goal(name)
        if proportion is not None:
            goals.setdefault((proportion, confidence), []).append(name)
    for (proportion, confidence), names in goals.items():
        needed = least_cases(campaign, proportion, confidence)
        if plan.cases < needed:
            text = f"cases: {plan.cases} are too few to show {100 * proportion:.10g} % of {', '.join(names)}"
            sure = f"with {100 * confidence:.10g} % confidence, even if no case fails"
            yield f"{text} {sure}. At least {needed} cases are required."


def least_cases(campaign: Campaign, proportion: float, confidence: float) -> int:
    """Return the smallest number of cases that can prove a proportion.

    If the study declares `looks` (interim analyses), return this number for the first interim analysis.
    """
    if campaign.looks is not None:
        return plan_looks(proportion, confidence, campaign.looks).cases[0]
    return int(smallest_cases(proportion, confidence))
