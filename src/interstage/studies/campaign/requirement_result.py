"""The result of a campaign for a requirement: failures, their probability, and the proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...statistics.binomial import clopper_pearson, prove
from ...statistics.importance import weighted_probability
from ...statistics.intervals import Interval
from ...statistics.looks import plan_looks, true_risk
from .columns import COMPLETED

if TYPE_CHECKING:
    from .result import CampaignResult


@dataclass(frozen=True)
class RequirementResult:
    """The result of a campaign for one requirement.

    - cases: that count. failed: of them. left_out: cases without a verdict that do not count.
    - interval: of the probability of failure, by Clopper and Pearson; by the weights for weighted cases.
    - proportion: that was to be shown; None if the study has none. confidence: of the interval and the proof.
    - shown: whether it was shown; None without a proportion, or before the campaign is complete.
    - sentences: the result in words."""

    name: str
    cases: int
    failed: int
    left_out: int
    interval: Interval
    proportion: float | None
    confidence: float
    shown: bool | None
    sentences: tuple[str, ...]

    @property
    def cases_met(self) -> int:
        """Number of cases that meet it."""
        return self.cases - self.failed

    @property
    def meets_goal(self) -> bool:
        """Whether it is shown; without a proportion, whether no case fails."""
        return not self.failed if self.shown is None else self.shown


def requirement_result(result: CampaignResult, name: str) -> RequirementResult:
    """The result of a campaign for a requirement."""
    proportion, confidence = result.manifest.campaign.goal(name)
    counted = result.counts_for(name)
    failed = result.failures(name)[counted]
    cases, failures = len(failed), int(failed.sum())
    interval = _interval(result, failed, counted, confidence)
    verdict, sentences = _verdict(result, name, failed, interval, proportion, confidence)
    left_out = int(np.sum(~counted))
    if left_out:
        sentences = (*sentences, f"{left_out} cases without a verdict are omitted.")
    elif bad := int(np.sum(result.failures(name) & (result.outcomes != COMPLETED))):
        sentences = (
            *sentences,
            f"{bad} of the failures are cases that ended early, did not start or have missing values.",
        )
    return RequirementResult(
        name, cases, failures, left_out, interval, proportion, confidence, verdict, sentences
    )


def _interval(result: CampaignResult, failed: np.ndarray, counted: np.ndarray, confidence: float) -> Interval:
    if not len(failed):
        return Interval(0.0, 1.0)
    if result.is_weighted:
        return weighted_probability(failed, result.weights[counted], confidence).interval
    return clopper_pearson(int(failed.sum()), len(failed), confidence)


def _verdict(
    result: CampaignResult,
    name: str,
    failed: np.ndarray,
    interval: Interval,
    proportion: float | None,
    confidence: float,
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether a requirement is shown, in words too."""
    if not len(failed):
        return None, ("No case has a verdict.",)
    if proportion is None:
        return None, (
            'The study has no proportion to prove. Set proportion = 0.9973, or proportion = "3 sigma"'
            " with sides.",
        )
    if result.is_weighted:
        return _by_weights(result, interval, proportion, confidence)
    looks = result.manifest.campaign.looks
    if looks is not None:
        return _at_looks(result, name, proportion, confidence, looks)
    if not result.complete:
        text = f"{len(result)} of {result.manifest.cases} cases have been flown"
        return None, (f"{text}. A proof before the end needs looks in the study.",)
    found = prove(int(failed.sum()), len(failed), proportion, confidence)
    sentences = [found.sentence]
    if earlier := result.manifest.earlier:
        cases = [*earlier, result.manifest.cases]
        sentences.append(true_risk(cases, proportion, confidence).sentence)
    return found.shown, tuple(sentences)


def _by_weights(
    result: CampaignResult, interval: Interval, proportion: float, confidence: float
) -> tuple[bool | None, tuple[str, ...]]:
    sure = f"with {100 * confidence:.10g} % confidence"
    fails = f"The probability of failure is at most {interval.upper:.3g}, {sure}"
    if not result.complete:
        return None, (f"{fails}. The campaign is not complete.",)
    fine = bool(interval.upper <= 1 - proportion)
    verdict = "shown" if fine else "not shown"
    text = f"{fails}, from weighted cases. Allowed: {1 - proportion:.3g}. The requirement is {verdict}."
    return fine, (text, "The interval from weighted cases is asymptotic.")


def _at_looks(
    result: CampaignResult, name: str, proportion: float, confidence: float, looks: int
) -> tuple[bool | None, tuple[str, ...]]:
    """The result of the first look that passes, or else of the last one that was reached."""
    plan = plan_looks(proportion, confidence, looks)
    first = slice(result.from_the_first)
    counted = result.counts_for(name)[first]
    failures = np.cumsum(result.failures(name)[first][counted])
    reached = [look for look, cases in enumerate(plan.cases, 1) if cases <= len(failures)]
    if not reached:
        text = f"The first look is at {plan.cases[0]} cases, but only {len(failures)} cases have been flown"
        return None, (plan.sentence, f"{text}.")
    so_far = {look: int(failures[plan.cases[look - 1] - 1]) for look in reached}
    passing = [look for look in reached if so_far[look] <= plan.allowed[look - 1]]
    look = passing[0] if passing else reached[-1]
    return bool(passing), (plan.judge(look, so_far[look]),)
