"""Compute the responses and verdicts of one study case from the record of its flight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..record.record import Record
from ..record.requirements import evaluate, value_of
from ..tree.errors import BadInput, Problem
from .devices_spent import is_when_spent, value_when_spent

if TYPE_CHECKING:
    from ..model.settings import Requirement


class Judged(NamedTuple):
    """Results of one case of a study.

    - values: values of the responses [SI].
    - limits: for each limit of the requirements, the value and the reason if the value is missing.
    - outcome: sentence about the end of the flight.
    - completed: whether the flight reached the end of its scenario.
    - flown: whether the case could start.
    """

    values: list[float]
    limits: list[tuple[float, str]]
    outcome: str
    completed: bool
    flown: bool = True
    passed: tuple[bool, ...] = ()
    """For each limit, whether the flight met the limit."""


def judge_record(
    record: Record, responses: Sequence[Any], requirements: tuple[Requirement, ...] | None = None
) -> Judged:
    """Return the responses and verdicts of one flight.

    - responses: `Asked` objects, or objects with the same fields.
    - requirements: requirements to evaluate. Default: all requirements of the scenario.
    """
    margins = evaluate(record, requirements)
    return Judged(
        [_value(record, response) for response in responses],
        [(margin.value, margin.note) for margin in margins],
        record.outcome,
        record.completed,
        passed=tuple(margin.passed for margin in margins),
    )


def _value(record: Record, response: Any) -> float:
    """Value of a response; NaN if none of the legs with this quantity was flown."""
    try:
        return value_when_spent(record, response) if is_when_spent(response) else value_of(record, response)
    except BadInput:
        if not record.unflown:
            raise
        return np.nan


def refused_case(problems: Sequence[Problem]) -> Judged:
    """Return the result of a case that cannot start. The outcome lists the problems."""
    return Judged([], [], f"The case was not flown: {'; '.join(map(str, problems))}", False, flown=False)
