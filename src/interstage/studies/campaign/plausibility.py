"""Warnings about likely mistakes in a valid campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtri

from ...checks.check import value_problems
from ...checks.unread import valid_for_all_values
from ...runs.cases import together
from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text, sentence
from ...tree.units import with_unit
from .dispersion import KINDS, Kind
from .distributions import Distribution
from .draws import Draws
from .makers import Choice, Continuous, Subset
from .members import Member, Prepared
from .too_few import too_few_warnings

if TYPE_CHECKING:
    from .plan import Plan

LEAST_EXPECTED = 1e-3
"""Expected number of cases with an impossible value below which no warning is given."""
TAIL = 1e-3
"""Tail probability of the quantiles at which the scenario is checked."""
MOST_TAILS = 3
"""Largest number of dispersions whose tails are reported."""
CHECKED = 32
"""Number of first cases for which the complete scenario is checked."""
LEAST_EFFECTIVE = 0.01
"""Ratio of effective cases to cases below which a warning about importance sampling is given."""


class Rejected(NamedTuple):
    """A case that the scenario rejects, and its first problem."""

    case: int
    problem: Problem


def warnings_of(plan: Plan, trial: Draws) -> Iterator[str]:
    """Yield warnings about a campaign. trial: draws of its first cases."""
    negative = {one.name: text for one in plan.dispersions if (text := _negative(plan.cases, one))}
    yield from negative.values()
    yield from _tail_warnings(plan, negative)
    yield from _trial_warnings(plan, trial)
    yield from _design_warnings(plan)
    yield from _weight_warnings(plan)
    yield from too_few_warnings(plan)


def _negative(cases: int, one: Prepared) -> str:
    """Warning about negative values of a dispersion, with the first member that has them."""
    if isinstance(one.maker, Continuous):
        for member, law in zip(one.members, one.maker.distributions, strict=True):
            if text := _below_zero(cases, member, law):
                others = len(one.members) - 1
                more = f" The same warning applies to {count_text(others, 'other inputs')}." if others else ""
                return f"{one.declared.place}: {text}{more}"
    return ""


def _below_zero(cases: int, member: Member, law: Distribution) -> str:
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
        " cases"
    )
    return f"{text}. The scenario rejects negative values. Set 'min', or a smaller spread."


def _tail_warnings(plan: Plan, known: Collection[str]) -> Iterator[str]:
    """Values near the ends of one distribution that the scenario rejects, with all others at their medians
    and the formulas evaluated. known: dispersions with a warning already."""
    checked = [(one, k) for one in plan.dispersions for k in range(len(one.labels)) if _has_tails(one, known)]
    count, score = 2 * len(checked), float(ndtri(TAIL))
    scores: dict[Kind, np.ndarray] = {kind: np.zeros((len(plan.scores[kind].shift), count)) for kind in KINDS}
    for case in range(count):
        one, k = checked[case // 2]
        scores[one.declared.kind][plan.rows[one.name, one.labels[k]], case] = score * (1 - 2 * (case % 2))
    indices = dict.fromkeys(KINDS, np.zeros(count, int))
    inputs = plan.inputs_at(scores, indices)
    done: set[str] = set()
    for case, problem in rejections(plan, plan.leaves_at(inputs), 0, count):
        one, k = checked[case // 2]
        if len(done) == MOST_TAILS:
            return
        if one.name in done:
            continue
        done.add(one.name)
        member = one.members[k]
        value = float(f"{inputs[member.name][case]:.4g}")
        shown = f"{value:g} times its value" if member.factor else with_unit(value, member.unit)
        side = "above" if case % 2 else "below"
        text = f"{member.path or one.name} is {side} {shown} with probability {TAIL:g}"
        fix = "Set 'min' or 'max', or a smaller spread."
        yield f"{one.declared.place}: {text}. The scenario rejects that value: {sentence(problem)} {fix}"


def _has_tails(one: Prepared, known: Collection[str]) -> bool:
    return isinstance(one.maker, Continuous) and one.name not in known


def rejections(plan: Plan, leaves: Mapping[str, np.ndarray], first: int, last: int) -> Iterator[Rejected]:
    """Yield the cases that the scenario rejects, in order.

    - leaves: see `Draws.values`.
    - first, last: cases from index `first` to `last` - 1 are checked.

    All cases are checked together. If this check fails, each half of the cases is checked separately.
    """
    if first == last:
        return
    try:
        together(plan.scenario, {path: values[..., first:last] for path, values in leaves.items()})
        return
    except BadInput as error:
        if last - first == 1:
            yield Rejected(first, error.problems[0])
            return
    middle = (first + last) // 2
    yield from rejections(plan, leaves, first, middle)
    yield from rejections(plan, leaves, middle, last)


def _trial_warnings(plan: Plan, trial: Draws) -> Iterator[str]:
    """The first case that the scenario rejects, among the trial."""
    found = list(islice(rejections(plan, trial.values, 0, len(trial)), 1))
    found = found or list(islice(invalid_cases(plan, trial, range(min(len(trial), CHECKED))), 1))
    for case, problem in found:
        text = f"dispersions: the scenario rejects case {case}: {problem}"
        yield f"{sentence(text)} Limit the inputs by 'min' and 'max'."


def invalid_cases(plan: Plan, draws: Draws, some: Sequence[int]) -> Iterator[Rejected]:
    """Yield cases whose values are valid individually but contradict each other.

    some: indices of the cases to check. `rejections` must accept these cases.

    `rejections` has validated the declarations of these cases together, so only rules between declarations
    are left. If these rules do not read the drawn values, one check is sufficient for all cases. Otherwise,
    each case is checked.
    """
    checked = {path: leaf[..., some] for path, leaf in draws.values.items()}
    if some and valid_for_all_values(plan.scenario, checked, value_problems):
        return
    for case in some:
        values = {path: leaf[..., case] for path, leaf in draws.values.items()}
        try:
            wrong: Sequence[Problem] = value_problems(together(plan.scenario, values))
        except BadInput as error:  # a rule that does not apply to the values of several cases
            wrong = error.problems
        if wrong:
            yield Rejected(case, wrong[0])


def _design_warnings(plan: Plan) -> Iterator[str]:
    campaign = plan.campaign
    for kind in KINDS:
        draws = campaign.draws_of(kind)
        if not plan.scores[kind].streams.keys:
            continue
        if campaign.design == "sobol" and draws & (draws - 1):
            lower = 2 ** (draws.bit_length() - 1)
            text = f"design: Sobol points are balanced only for powers of two. {draws} is not a power of two."
            yield f"{text} Use {lower} or {2 * lower} cases."
        if campaign.block is not None and draws % campaign.block:
            text = (
                f"block: {draws} cases are not a multiple of {campaign.block}, so that the last"
                " Latin hypercube is incomplete"
            )
            whole = (draws // campaign.block + 1) * campaign.block
            yield f"{text}. Use {whole} cases."


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
        text = (
            f"importance: the mean square of the weights is {total:.2g}. Means over all cases are only as"
            f" accurate as means over {plan.cases / total:.2g} cases without weights"
        )
        yield f"{text}. Shift fewer inputs, or shift them less."
