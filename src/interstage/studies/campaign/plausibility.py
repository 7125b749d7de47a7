"""Warnings about campaigns that can be drawn, but are likely mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...flight.cases import together
from ...tree.errors import BadInput
from .declared import KINDS
from .draws import Draws
from .laws import Law
from .makers import Choice, Continuous, Subset
from .members import Member, Prepared

if TYPE_CHECKING:
    from .plan import Plan

LEAST_EXPECTED = 1e-3
"""Expected number of cases with an impossible value that needs no warning."""
TAIL = 1e-3
"""Probability of the tails at whose ends the scenario is checked."""
LEAST_EFFECTIVE = 0.01
"""Fraction of effective cases of importance sampling that needs no warning."""


def warnings_of(plan: Plan, trial: Draws) -> Iterator[str]:
    """Sentences about a campaign. trial: its first cases."""
    for one in plan.dispersions:
        if isinstance(one.maker, Continuous):
            yield from _impossible(plan, one, one.maker)
    yield from _trial_warnings(plan, trial)
    yield from _design_warnings(plan)
    yield from _weight_warnings(plan)


def _impossible(plan: Plan, one: Prepared, maker: Continuous) -> Iterator[str]:
    """Values that the declarations of a scenario do not admit; of alike members the first ones only."""
    for member, law in zip(one.members, maker.laws, strict=True):
        text = _below_zero(plan.cases, member, law) or _tails(plan.scenario, member, law)
        if text:
            more = f" So may {len(one.members) - 1} other inputs of it." if len(one.members) > 1 else ""
            yield f"{one.declared.place}: {text}{more}"
            return


def _below_zero(cases: int, member: Member, law: Law) -> str:
    target = member.target
    if target is None or target.index or member.factor:
        return ""
    marker = target.marker
    if not (marker.positive or marker.nonnegative):
        return ""
    chance = float(law.below(0.0))
    if chance * cases <= LEAST_EXPECTED:
        return ""
    text = (
        f"{member.path} is negative with probability {chance:.2g}, in about {chance * cases:.2g} of {cases}"
    )
    return f"{text} cases, which the scenario rejects. Set min, or a smaller spread."


def _tails(scenario: Any, member: Member, law: Law) -> str:
    """A value near the ends of a distribution that the scenario rejects alone."""
    target = member.target
    if target is None:
        return ""
    for value, side in ((law.lower(TAIL), "below"), (law.upper(TAIL), "above")):
        leaf = np.array(target.leaf, float)
        leaf[target.index] = target.nominal * float(value) if member.factor else float(value)
        try:
            together(scenario, {target.path: leaf})
        except BadInput as error:
            reason = error.problems[0].message
            shown = f"{float(value):.4g} {'times the scenario' if member.factor else member.unit}".strip()
            text = f"{member.path} is {side} {shown} with probability {TAIL:g}, and the scenario rejects that"
            return f"{text} value: {reason}. Set min or max, or a smaller spread."
    return ""


def _trial_warnings(plan: Plan, trial: Draws) -> Iterator[str]:
    """Cases among the first ones that the scenario rejects, for values other than distributions."""
    others = [one for one in plan.dispersions if not isinstance(one.maker, Continuous)]
    paths = {m.target.path for one in others for m in one.members if m.target is not None}
    if not paths:
        return
    for case in np.unique(np.linspace(0, len(trial) - 1, 8).astype(int)):
        try:
            together(plan.scenario, {path: trial.values[path][..., case] for path in paths})
        except BadInput as error:
            yield f"case {case} is not allowed by the scenario: {error.problems[0]}"
            return


def _design_warnings(plan: Plan) -> Iterator[str]:
    campaign = plan.campaign
    for kind in KINDS:
        draws = campaign.draws_of(kind)
        if not plan.scores[kind].streams.keys:
            continue
        if campaign.design == "sobol" and draws & (draws - 1):
            lower = 2 ** (draws.bit_length() - 1)
            text = f"design: Sobol points are balanced for powers of two only, and {draws} is not one."
            yield f"{text} Use {lower} or {2 * lower} cases."
        if campaign.block is not None and draws % campaign.block:
            text = f"block: {draws} cases are not a multiple of {campaign.block}, so the last Latin hypercube"
            whole = (draws // campaign.block + 1) * campaign.block
            yield f"{text} is incomplete. Use {whole} cases."


def _weight_warnings(plan: Plan) -> Iterator[str]:
    total = 1.0
    for kind in KINDS:
        total *= plan.scores[kind].mean_square_weight()
    for one in plan.dispersions:
        if isinstance(one.maker, Subset):
            total *= one.maker.odds.mean_square
        if isinstance(one.maker, Choice):
            total *= one.maker.odds.mean_square ** len(one.labels)
    if total * LEAST_EFFECTIVE > 1:
        text = f"importance: the mean square of the weights is {total:.2g}, so all cases count like"
        fix = "Shift fewer inputs, or shift them less."
        yield f"{text} {plan.cases / total:.2g} for results to which every case contributes. {fix}"
