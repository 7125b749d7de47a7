"""Result of a campaign for one requirement: failures, their probability, and whether the required proportion
is proven.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...statistics.binomial import clopper_pearson, prove
from ...statistics.importance import weighted_probability
from ...statistics.intervals import Interval
from ...statistics.looks import plan_looks, true_risk
from ...statistics.weighted import LEAST_EFFECTIVE, effective_cases, weights_of_known
from ...tree.sentences import count_text
from .columns import COMPLETED

if TYPE_CHECKING:
    from .result import CampaignResult

SHOWN, NOT_MET, NOT_SHOWN, TOO_FEW = "shown", "NOT MET", "NOT SHOWN", "TOO FEW CASES"
"""Verdicts on a requirement, see `RequirementResult`."""
UNDECIDED = "The number of cases is too small for a decision."


@dataclass(frozen=True)
class RequirementResult:
    """Result of a campaign for one requirement.

    - cases: number of cases that count.
    - failed: number of these cases that fail.
    - left_out: number of cases that do not count, because they have no verdict.
    - interval: confidence interval of the failure probability, by Clopper and Pearson. For weighted cases,
      the interval follows from the weights.
    - proportion: required proportion of cases; None if the study has none.
    - confidence: confidence level of the interval and of the proof.
    - shown: whether the required proportion is proven; None without a proportion, or before the campaign is
      complete.
    - verdict: "shown" if the proportion is proven; "NOT MET" if the cases prove that the proportion is not
      met; "TOO FEW CASES" if neither is proven; "NOT SHOWN" if neither is proven at the last declared interim
      analysis; "" if `shown` is None.
    - sentences: the result in words.
    """

    name: str
    cases: int
    failed: int
    left_out: int
    interval: Interval
    proportion: float | None
    confidence: float
    shown: bool | None
    verdict: str
    sentences: tuple[str, ...]

    @property
    def cases_met(self) -> int:
        """Return the number of cases that meet the requirement."""
        return self.cases - self.failed

    @property
    def meets_goal(self) -> bool:
        """Return whether the required proportion is proven. Without a proportion, return whether no case
        fails.
        """
        return not self.failed if self.shown is None else self.shown

    @property
    def is_undecided(self) -> bool:
        """Return whether the cases are too few for a decision."""
        return self.verdict == TOO_FEW


def requirement_result(result: CampaignResult, name: str) -> RequirementResult:
    """Return the result of a campaign for a requirement. name: name of the requirement."""
    proportion, confidence = result.manifest.campaign.goal(name)
    counted = result.counts_for(name)
    failed = result.failures(name)[counted]
    cases, failures = len(failed), int(failed.sum())
    interval = _interval(result, failed, counted, confidence)
    verdict, sentences = _verdict(result, name, failed, proportion, confidence)
    shown = None if not verdict else verdict == SHOWN
    left_out = int(np.sum(~counted))
    if left_out:
        sentences = (*sentences, f"{count_text(left_out, 'cases')} without a verdict were not counted.")
    elif bad := int(np.sum(result.failures(name) & (result.outcomes != COMPLETED))):
        text = f"{count_text(bad, 'failures')} are flights that ended early or have a missing value."
        sentences = (*sentences, text)
    return RequirementResult(
        name, cases, failures, left_out, interval, proportion, confidence, shown, verdict, sentences
    )


def _interval(result: CampaignResult, failed: np.ndarray, counted: np.ndarray, confidence: float) -> Interval:
    if not len(failed):
        return Interval(0.0, 1.0)
    if result.is_weighted:
        return _weighted_interval(result, failed, counted, confidence)
    return clopper_pearson(int(failed.sum()), len(failed), confidence)


def _weighted_interval(
    result: CampaignResult, failed: np.ndarray, counted: np.ndarray, confidence: float, single: bool = False
) -> Interval:
    """Interval of the probability of failure; 0 to 1 for few effective failed cases."""
    weights = weights_of_known(result.weights, counted)
    if _effective_failures(weights, failed) < LEAST_EFFECTIVE:
        return Interval(0.0, 1.0)
    return weighted_probability(failed, weights, confidence, single=single).interval


def _effective_failures(weights: np.ndarray, failed: np.ndarray) -> float:
    """Effective number of failed cases. With fewer than 30, the interval can miss the probability in more
    than a third of all campaigns, because the failed cases with large weights are rarely drawn.
    """
    return float(effective_cases(weights[failed])) if weights[failed].any() else 0.0


def _verdict(
    result: CampaignResult,
    name: str,
    failed: np.ndarray,
    proportion: float | None,
    confidence: float,
) -> tuple[str, tuple[str, ...]]:
    """The verdict on a requirement, and the result in words."""
    if not len(failed):
        return TOO_FEW if result.complete and proportion is not None else "", ("No case has a verdict yet.",)
    if proportion is None:
        text = 'Set proportion = 0.9973, or proportion = "3 sigma" and sides = 1 or 2.'
        return "", (f"The study sets no required proportion, so the campaign gives no verdict. {text}",)
    if result.is_weighted:
        return _by_weights(result, name, proportion, confidence)
    looks = result.manifest.campaign.looks
    if looks is not None:
        return _at_looks(result, name, proportion, confidence, looks)
    if not result.complete:
        text = f"{len(result)} of {result.manifest.cases} cases were simulated"
        return "", (f"{text}. A verdict needs all cases. For an earlier verdict, declare looks.",)
    found = prove(int(failed.sum()), len(failed), proportion, confidence)
    verdict = SHOWN if found.shown else NOT_MET if found.is_refuted else TOO_FEW
    sentences = [found.sentence, *[UNDECIDED] * (verdict == TOO_FEW)]
    if earlier := result.manifest.earlier:
        cases = [*earlier, result.manifest.cases]
        sentences.append(true_risk(cases, proportion, confidence).sentence)
    return verdict, tuple(sentences)


def _by_weights(
    result: CampaignResult, name: str, proportion: float, confidence: float
) -> tuple[str, tuple[str, ...]]:
    counted = result.counts_for(name)
    failed = result.failures(name)[counted]
    effective = _effective_failures(result.weights[counted], failed)
    if effective < LEAST_EFFECTIVE:
        few = (
            f"The effective number of failed cases is {effective:.2g}. An interval of weighted cases requires"
            f" at least {LEAST_EFFECTIVE:g}. Add cases, or move the shift of the draws closer to the limit."
        )
        return TOO_FEW if result.complete else "", (few, UNDECIDED)
    # Each verdict has its own risk, as for cases without weights.
    interval = _weighted_interval(result, failed, counted, confidence, single=True)
    sure = f"with {100 * confidence:.10g} % confidence"
    fails = f"The probability of failure is at most {interval.upper:.3g}, {sure}"
    if not result.complete:
        return "", (f"{fails}. The campaign is not complete.",)
    fine, broken = interval.upper <= 1 - proportion, interval.lower > 1 - proportion
    shown = "is shown" if fine else "is not shown"
    text = f"{fails}. The allowed probability is {1 - proportion:.3g}. The requirement {shown}."
    sentences = [text, "The confidence interval is an asymptotic interval of weighted cases."]
    if broken:
        least = f"the probability of failure is at least {interval.lower:.3g}"
        sentences.append(f"The cases show that the requirement is not met: {least}.")
    verdict = SHOWN if fine else NOT_MET if broken else TOO_FEW
    return verdict, (*sentences, *[UNDECIDED] * (verdict == TOO_FEW))


def _at_looks(
    result: CampaignResult, name: str, proportion: float, confidence: float, looks: int
) -> tuple[str, tuple[str, ...]]:
    """The result of the first look that passes, or else of the last one that was reached."""
    plan = plan_looks(proportion, confidence, looks)
    first = slice(result.from_the_first)
    counted = result.counts_for(name)[first]
    failures = np.cumsum(result.failures(name)[first][counted])
    reached = [look for look, cases in enumerate(plan.cases, 1) if cases <= len(failures)]
    if not reached:
        text = f"The first look needs {plan.cases[0]} cases, but {len(failures)} cases were simulated"
        return TOO_FEW if result.complete else "", (plan.sentence, f"{text}.")
    so_far = {look: int(failures[plan.cases[look - 1] - 1]) for look in reached}
    passing = [look for look in reached if so_far[look] <= plan.allowed[look - 1]]
    look = passing[0] if passing else reached[-1]
    sentence = plan.judge(look, so_far[look])
    if passing:
        return SHOWN, (sentence,)
    if prove(so_far[look], plan.cases[look - 1], proportion, confidence).is_refuted:
        return NOT_MET, (sentence, "The cases show that the requirement is not met.")
    if look == looks or so_far[look] > plan.allowed[-1]:
        return NOT_SHOWN, (sentence,)
    return TOO_FEW, (sentence, UNDECIDED)
