"""Check that each dispersion changed its input in the cases that were run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...programs.targets import Target
from ...tree.addresses import get
from ...tree.errors import Problem
from .draws import Draws
from .makers import Choice, Subset, TableRows
from .members import Prepared
from .plan import Plan

LEAST_CHANCE = 1e-6
"""Smallest credible probability that no case changes an input. Below this probability, an unchanged input is
reported as an error.
"""
CHECKED = 16
"""Number of cases whose scenario values are compared with the drawn values."""


class InputChange(NamedTuple):
    """Effect of one random input on the scenario.

    - `dispersion`, `name`, `path`: names of the dispersion and of the random input, and path of the input
    - `changed`: number of cases in which the input differs from the scenario value
    - `distinct`: number of different values
    - `lowest`, `highest`: range of the values [SI]
    - `chance_unchanged`: probability that no case changes the input, from the declared distribution
    - `not_applied`: case numbers in which the scenario that was run has a value other than the drawn value
    """

    dispersion: str
    name: str
    path: str
    changed: int
    distinct: int
    lowest: float
    highest: float
    chance_unchanged: float
    not_applied: tuple[int, ...]


def confirm(
    plan: Plan, draws: Draws, case_of: Callable[[int], Any] | None = None, cases: Sequence[int] | None = None
) -> list[InputChange]:
    """Return the effect of each random input on the scenario.

    - draws: random inputs of the cases. Case numbers are relative to `draws.first`.
    - case_of: function that returns the scenario of a case as it was run, such as `Batch.case`. The inputs of
      this scenario are compared with the draws. Default: no comparison.
    - cases: case numbers to compare. Default: 16 cases, including the first and the last.
    """
    compared = _cases(len(draws)) if cases is None else list(cases)
    flown = {} if case_of is None else {case: case_of(case) for case in compared}
    return [
        _change(one, k, member.target, draws, flown)
        for one in plan.dispersions
        for k, member in enumerate(one.members)
        if member.target is not None
    ]


def _change(one: Prepared, k: int, target: Target, draws: Draws, flown: Mapping[int, Any]) -> InputChange:
    member, values = one.members[k], draws.values[target.path][target.index]
    independent = len(np.unique(draws.indices[one.declared.kind]))
    wrong = [
        case
        for case, scenario in flown.items()
        if not np.array_equal(np.asarray(get(scenario, target.path))[target.index], values[..., case])
    ]
    by_case = values.reshape(-1, len(draws))
    return InputChange(
        one.name,
        member.name,
        member.path,
        changed=int((by_case != np.ravel(target.nominal)[:, None]).any(axis=0).sum()),
        distinct=np.unique(by_case, axis=1).shape[1],
        lowest=float(by_case.min()),
        highest=float(by_case.max()),
        chance_unchanged=(1.0 - chance_of_change(one, k, target)) ** independent,
        not_applied=tuple(wrong),
    )


def chance_of_change(one: Prepared, k: int, target: Target) -> float:
    """Return the probability that one draw changes an input from its scenario value.

    one: the dispersion. k: index of the input among its members. target: the input.
    """
    maker = one.maker
    if isinstance(maker, Choice):
        changes = (maker.tables[k] != target.nominal).reshape(len(maker.tables[k]), -1).any(axis=1)
        return float(maker.odds.drawn @ changes)
    if isinstance(maker, Subset):
        changes = bool((maker.chosen[k] != maker.others[k]).any())
        return float(maker.odds.drawn @ maker.counts) / len(maker.chosen) * changes
    if isinstance(maker, TableRows):
        return float(np.mean(maker.table[:, k] != target.nominal))
    return 1.0


def _cases(count: int) -> list[int]:
    return [int(case) for case in np.unique(np.linspace(0, count - 1, CHECKED).astype(int))] if count else []


def faults_of(changes: Sequence[InputChange], cases: int) -> Iterator[Problem]:
    """Yield problems of inputs that did not change, or whose value in the flight differs from the drawn
    value.

    cases: number of cases. Rare discrete values that did not occur are not problems; see `notes_of`.
    """
    for one in changes:
        place = f"dispersions.{one.dispersion}"
        if one.not_applied:
            text = (
                f"in case {one.not_applied[0]}, the value of {one.path} in the flight differs from"
                " the drawn value"
            )
            yield Problem(place, f"{text}. Report this error to the authors of Interstage")
        elif not one.changed and one.chance_unchanged < LEAST_CHANCE:
            text = f"{one.path} has the scenario's value in all {cases} cases"
            yield Problem(place, f"{text}. Check the size of the spread")
        elif one.changed and one.distinct == 1 and cases > 1:
            text = f"{one.path} has the same value, {one.lowest:g} (SI), in all {cases} cases"
            yield Problem(place, f"{text}. Increase the number of cases, or set this value in the scenario")


def notes_of(changes: Sequence[InputChange], cases: int) -> Iterator[str]:
    """Yield a sentence for each input that did not change because its discrete values are rare.

    cases: number of cases.
    """
    for one in changes:
        if not one.changed and one.chance_unchanged >= LEAST_CHANCE:
            text = f"dispersions.{one.dispersion}: {one.path} has the scenario's value in all {cases} cases"
            yield f"{text}. The probability of this result is {one.chance_unchanged:.2g}."
