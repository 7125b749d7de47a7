"""Compute the responses and verdicts of many cases. Where possible, arrays of the integration steps are used
instead of records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..model.settings import Requirement
from ..observation.records_of_cases import Chunk
from ..record.requirements import Wanted
from ..runs.cases_together import FlownLanes
from ..runs.lot import Lot
from ..runs.responses_of_cases import CaseResponses
from .devices_spent import SpentResponses, is_when_spent, needed_for
from .judged import Judged, judge_record, refused_case


class _Limit(NamedTuple):
    """One limit of a requirement: number of the requirement, "min" or "max", and the value in SI."""

    number: int
    requirement: Requirement
    side: Any
    value: float

    @property
    def request(self) -> Wanted:
        """The value nearest to the limit, or furthest beyond it."""
        one = self.requirement
        take = None if one.at is not None else self.side
        return Wanted(one.quantity, one.at, one.during, one.side, take)


def judge_cases(lot: Lot, chunks: dict[str, Chunk], responses: Sequence[Any]) -> list[Judged]:
    """Return the responses and verdicts of a group of cases, one result for each case.

    - lot: plan of the batch of cases.
    - chunks: results of the flights, by leg.
    - responses: see `judged.judge_record`.
    """
    requirements, refused = lot.scenario.requirements, next(iter(chunks.values())).refused
    if lot.mission.has_legs:
        records = lot.records(chunks, (*requirements, *responses))
        found = [record and judge_record(record, responses) for record in records]
        return [one or refused_case(refused[lane]) for lane, one in enumerate(found)]
    (lanes,) = lot.lanes_of(chunks).values()
    columns = _Columns(lanes, requirements, responses)
    slow = tuple(one for k, one in enumerate(requirements) if columns.is_slow(k))
    others = [one for k, one in enumerate(responses) if k not in columns.values]
    rest: Sequence[Judged | None] = [None] * lanes.count
    if slow or others:
        whole = bool(others) or any(k not in columns.limits for k in range(len(requirements)))
        some = chunks if whole else _only(chunks, set().union(*columns.without.values()))
        wanted = (*slow, *others, *needed_for(lot.scenario, others))
        rest = [one and judge_record(one, others, slow) for one in lot.records(some, wanted)]
    return [
        refused_case(refused[lane]) if lane in refused else columns.result(lane, rest[lane])
        for lane in range(lanes.count)
    ]


def _only(chunks: dict[str, Chunk], lanes: set[int]) -> dict[str, Chunk]:
    """Groups of which only some cases get records; the others count as not flown."""
    ((leg, chunk),) = chunks.items()
    others = {lane: () for lane in range(chunk.count) if lane not in lanes}
    return {leg: replace(chunk, refused=others | chunk.refused)}


class _Columns:
    """Values of the responses and limits of all cases that need no records.

    - values: values of each response (case,) by its number.
    - limits: values and verdicts of the limits of each requirement (case,) by its number.
    - without: cases in which a limit of the requirement has no value, by its number. Records of these cases
      have the reason. The numbers of a case do not depend on the other cases."""

    def __init__(self, lanes: FlownLanes, requirements: Sequence[Requirement], responses: Sequence[Any]):
        self._outcomes, self._count = lanes.all_outcomes, len(responses)
        self._sides = [sum(side is not None for side in (one.min, one.max)) for one in requirements]
        able = np.ones(lanes.count, bool)
        able[[*lanes.refused]] = False
        limits = [*_limits(lanes, requirements)]
        of_responses, of_limits = _values(lanes, responses, [limit.request for limit in limits])
        self.values = {k: own.tolist() for k, own in enumerate(of_responses) if own is not None}
        self.limits: dict[int, list[tuple[list[float], list[bool]]]] = {}
        self.without: dict[int, set[int]] = {}
        missing = {limit.number for limit, values in zip(limits, of_limits, strict=True) if values is None}
        for limit, values in zip(limits, of_limits, strict=True):
            if limit.number not in missing and values is not None:
                margin = limit.value - values if limit.side == "max" else values - limit.value
                mine = self.limits.setdefault(limit.number, [])
                mine.append((values.tolist(), (margin >= 0).tolist()))
                empty = np.flatnonzero(np.isnan(values) & able)
                self.without.setdefault(limit.number, set()).update(empty.tolist())

    def is_slow(self, number: int) -> bool:
        """Return whether the limits of a requirement need records, at least in some cases."""
        return number not in self.limits or bool(self.without[number])

    def result(self, lane: int, rest: Judged | None) -> Judged:
        """Return the result of one case. rest: values and limits that are not among the columns."""
        none = Judged([], [], "", False) if rest is None else rest
        others, pairs = iter(none.values), iter(zip(none.limits, none.passed, strict=True))
        limits: list[tuple[tuple[float, str], bool]] = []
        for k, sides in enumerate(self._sides):
            of_record = [next(pairs) for _ in range(sides)] if rest is not None and self.is_slow(k) else []
            if k in self.limits and lane not in self.without[k]:
                limits += [((values[lane], ""), passed[lane]) for values, passed in self.limits[k]]
            else:
                limits += of_record
        values = [self.values[k][lane] if k in self.values else next(others) for k in range(self._count)]
        outcome, reached = self._outcomes[lane]
        passed = tuple(one for _, one in limits)
        return Judged(values, [pair for pair, _ in limits], outcome, reached, passed=passed)


def _values(
    lanes: FlownLanes, responses: Sequence[Any], requests: Sequence[Wanted]
) -> tuple[list[np.ndarray | None], list[np.ndarray | None]]:
    """Values of the responses and of the requests of the limits (case,), all from one pass over the steps."""
    cases = CaseResponses(lanes)
    events = [event.name for event in lanes.program.table.events]
    spent = SpentResponses(cases, lanes.scenario, events, lanes.refused)
    plain = [parts for one in responses for parts in (spent.parts(one) if is_when_spent(one) else [one])]
    cases.values([*plain, *requests])  # the values are cached
    found = [spent.values(one) if is_when_spent(one) else cases.values([one])[0] for one in responses]
    return found, cases.values(requests)


def _limits(lanes: FlownLanes, requirements: Sequence[Requirement]) -> Iterator[_Limit]:
    """The limits that apply once: an event that repeats has several values."""
    repeated = {event.name for event in lanes.program.table.events if event.repeats}
    for k, one in enumerate(requirements):
        for side, limit in (("min", one.min), ("max", one.max)):
            if limit is not None and one.at not in repeated:
                yield _Limit(k, one, side, float(limit.magnitude))
