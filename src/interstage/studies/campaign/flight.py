"""Run a range of cases of a campaign and evaluate the responses of each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...observation.merged_cases import merge_chunks
from ...observation.records_of_cases import Chunk
from ...runs.courses_of_cases import courses
from ...runs.lot import Lot, LotSettings
from ...tree.errors import BadInput, Problem
from ..judged import Judged, refused_case
from ..judged_cases import judge_cases
from ..sweep.declared import Response
from .columns import (
    BROKEN,
    COMPLETED,
    EARLY,
    ENVELOPE,
    INPUT,
    LIMIT,
    MET,
    NO_NUMBER,
    NO_VERDICT,
    NOT_STARTED,
    RESPONSE,
    VERDICT,
    Columns,
    EnvelopeColumn,
    Names,
    elements,
    names_of,
)
from .confirmation import confirm, faults_of
from .draws import Draws
from .plan import Plan
from .plausibility import invalid_cases, rejections


class Flown(NamedTuple):
    """Results of some cases: responses and verdicts of each case, and the values (cases, times) of each
    envelope by name.
    """

    judged: list[Judged]
    envelopes: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class CaseFlights:
    """Runs cases of a campaign. The results of a case do not depend on the other cases of the range.

    - settings: batch settings from the first flight. The settings must be the same for the complete campaign.
    - envelopes: envelopes whose values are computed.
    """

    plan: Plan
    responses: tuple[Response, ...]
    settings: LotSettings
    envelopes: tuple[EnvelopeColumn, ...] = ()

    @cached_property
    def names(self) -> Names:
        """Return the column names of the results."""
        return names_of(self.plan, self.responses, self.envelopes)

    def fly(self, first: int, last: int, threads: int = 2, before: tuple[int, int] | None = None) -> Columns:
        """Run the cases `first` to `last` - 1 and return their results.

        before: numbers for the progress display, see `Lot.flown`.
        """
        draws, bad = draw_range(self.plan, first, last)
        return self.fly_draws(draws, bad | not_allowed(self.plan, draws, bad), threads, before)

    def fly_draws(
        self,
        draws: Draws,
        bad: dict[int, Sequence[Problem]],
        threads: int = 2,
        before: tuple[int, int | None] | None = None,
    ) -> Columns:
        """Run drawn cases and return their results.

        - draws: random inputs of the cases.
        - bad: problems of the cases that are not run, by index in the draws.
        - before: numbers for the progress display, see `Lot.flown`.
        """
        good = [k for k in range(len(draws)) if k not in bad]
        flown = self._flown(draws, good, threads, before)
        judged = dict(zip(good, flown.judged, strict=True))
        found = [refused_case(bad[k]) if k in bad else judged[k] for k in range(len(draws))]
        envelopes = self._no_values(len(draws))
        for name, values in flown.envelopes.items():
            envelopes[name][good] = values
        return _columns(self.names, draws, Flown(found, envelopes))

    def without_number(self, case: int, reason: str) -> Columns:
        """Return the results of a case without values of responses and limits. Only its inputs are set.

        reason: reason why the case has no values.
        """
        draws, bad = draw_range(self.plan, case, case + 1)
        found = _columns(self.names, draws, Flown([refused_case(bad.get(0, ()))], self._no_values(1)))
        found["outcome"][:], found["reason"][:] = NO_NUMBER, reason
        return found

    def _flown(
        self, draws: Draws, good: Sequence[int], threads: int, before: tuple[int, int | None] | None
    ) -> Flown:
        """Results of the cases `good` of the range."""
        if not good:
            return Flown([], {})
        scenario = self.plan.scenario
        some = {path: values[..., good] for path, values in draws.values.items()}
        inputs = {path: np.moveaxis(values, -1, 0) for path, values in some.items()}
        lot = Lot(scenario, inputs, strict=False, settings=self.settings)
        self._confirm(draws, good, lot)
        parts, _ = lot.flown(threads, lambda chunks: chunks, before=before)
        if not lot.mission.has_legs:  # all groups are evaluated together
            ((leg, _),) = parts[0].items()
            parts = [{leg: merge_chunks([part[leg] for part in parts])}]
        judged = [case for part in parts for case in judge_cases(lot, part, self.responses)]
        courses = [self._courses(lot, part) for part in parts] if self.envelopes else []
        whole = {one.name: np.concatenate([part[one.name] for part in courses]) for one in self.envelopes}
        return Flown(judged, whole)

    def _courses(self, lot: Lot, part: dict[str, Chunk]) -> dict[str, np.ndarray]:
        """Values (cases, times) of all envelopes in a group of cases, by name. Envelopes with the same times
        are computed together."""
        lanes, found = lot.lanes_of(part), {}
        alike: dict[tuple[Any, ...], list[EnvelopeColumn]] = {}
        for one in self.envelopes:
            alike.setdefault((one.leg, one.since, one.duration, one.times), []).append(one)
        for (leg, since, *_), some in alike.items():
            paths = [one.quantity for one in some]
            values = courses(lanes[leg], since or None, some[0].offsets, paths)
            found |= {one.name: values[one.quantity] for one in some}
        return found

    def _no_values(self, cases: int) -> dict[str, np.ndarray]:
        return {one.name: np.full((cases, one.times), np.nan) for one in self.envelopes}

    def _confirm(self, draws: Draws, good: Sequence[int], lot: Lot) -> None:
        """Compare the drawn inputs with the scenarios of the first and the last case. Raises BadInput if a
        dispersion was not applied."""
        place = {case: k for k, case in enumerate(good)}
        ends = sorted({good[0], good[-1]})
        changes = confirm(self.plan, draws, lambda case: lot.case(place[case]), ends)
        if wrong := [one for one in changes if one.not_applied]:
            raise BadInput(faults_of(wrong, len(draws)))


def draw_range(plan: Plan, first: int, last: int) -> tuple[Draws, dict[int, Sequence[Problem]]]:
    """The draws of a range, and the problems of cases that cannot be drawn. For these cases, other draws are
    stored."""
    try:
        return plan.draw(first, last), {}
    except BadInput:
        pass
    parts: list[Draws | None] = []
    bad: dict[int, Sequence[Problem]] = {}
    for case in range(first, last):
        try:
            parts.append(plan.draw(case, case + 1))
        except BadInput as error:
            parts.append(None)
            bad[case - first] = error.problems
    some = next((part for part in parts if part is not None), None)
    if some is None:
        raise BadInput(bad[0])
    return _joined_draws(first, [_nothing_of(some) if part is None else part for part in parts]), bad


def _nothing_of(draws: Draws) -> Draws:
    """A case without numbers."""
    inputs = {name: np.full_like(values, np.nan) for name, values in draws.inputs.items()}
    return replace(draws, inputs=inputs, weights=np.ones(1))


def _joined_draws(first: int, parts: Sequence[Draws]) -> Draws:
    def join(which: str) -> dict[Any, np.ndarray]:
        tables = [getattr(part, which) for part in parts]
        return {key: np.concatenate([table[key] for table in tables], -1) for key in tables[0]}

    weights = np.concatenate([part.weights for part in parts])
    return Draws(first, join("values"), join("inputs"), weights, join("indices"))


def not_allowed(
    plan: Plan, draws: Draws, bad: dict[int, Any], every: int = 1
) -> dict[int, Sequence[Problem]]:
    """Return the problems of the cases that the scenario rejects, by index in the draws.

    - bad: known problems by index. These cases are not checked again.
    - every: interval of the cases for which the complete scenario is checked. If one of these cases is
      invalid, all cases are checked. Default: 1.
    """
    found = {one.case: one.problem for one in rejections(plan, draws.values, 0, len(draws))}
    others = [case for case in range(len(draws)) if case not in found and case not in bad]
    invalid = [*invalid_cases(plan, draws, others[::every])]
    if every > 1 and invalid:
        invalid = [*invalid_cases(plan, draws, others)]
    found |= {one.case: one.problem for one in invalid}
    return {case: (problem,) for case, problem in found.items() if case not in bad}


# --- columns


def _columns(names: Names, draws: Draws, flown: Flown) -> Columns:
    found = flown.judged
    columns: Columns = {
        "case": np.arange(draws.first, draws.first + len(draws), dtype=np.int64),
        "weight": np.asarray(draws.weights, float),
    }
    for name, values in draws.inputs.items():
        columns |= {INPUT + part: np.ascontiguousarray(own, float) for part, own in elements(name, values, 1)}
    for k, one in enumerate(names.responses):
        columns[RESPONSE + one.name] = np.array([case.values[k] if case.values else np.nan for case in found])
    for k, one in enumerate(names.limits):
        columns[LIMIT + one.name] = np.array([case.limits[k][0] if case.limits else np.nan for case in found])
    for name in names.requirements:
        rows = [k for k, limit in enumerate(names.limits) if limit.requirement == name]
        columns[VERDICT + name] = np.array([_verdict(case, rows) for case in found], np.int8)
    columns |= {ENVELOPE + one.name: flown.envelopes[one.name] for one in names.envelopes}
    outcomes = [_outcome(case, names) for case in found]
    columns["outcome"] = np.array([outcome for outcome, _ in outcomes], object)
    columns["reason"] = np.array([reason for _, reason in outcomes], object)
    return {name: columns[name] for name in names.columns}


def _verdict(case: Judged, rows: Sequence[int]) -> int:
    """Verdict on a requirement with the limits `rows`. A case that did not reach its end can break a limit,
    but cannot meet it."""
    if not case.flown:
        return NO_VERDICT
    judged = [(case.passed[k], case.limits[k][1]) for k in rows]
    if any(not passed and not note for passed, note in judged):
        return BROKEN
    return MET if case.completed and all(passed and not note for passed, note in judged) else NO_VERDICT


def _outcome(case: Judged, names: Names) -> tuple[str, str]:
    """Outcome of a case, and the reason if it was not flown to its end with all values."""
    if not case.flown:
        return NOT_STARTED, case.outcome.removeprefix("Not flown: ")
    if not case.completed:
        return EARLY, case.outcome
    missing = [
        f"{one.name}: {note or 'not a finite number'}"
        for one, (value, note) in zip(names.limits, case.limits, strict=True)
        if note or not np.isfinite(value)
    ]
    missing += [
        f"{one.name}: no value" for one, v in zip(names.responses, case.values, strict=True) if np.isnan(v)
    ]
    return (NO_NUMBER, "; ".join(missing)) if missing else (COMPLETED, "")
