"""Determine the common data of all cases of a campaign from the flight of the first case: the batch settings,
and the durations of envelopes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...observation.records_of_cases import AT_ONCE, Chunk
from ...runs.courses_of_cases import origins
from ...runs.lot import Lot, LotSettings
from ...tree.errors import BadInput, Problem
from ..asked import unit_of
from ..sweep.declared import Response
from .chunk_size import WIDTH, largest_chunk, width_of
from .columns import EnvelopeColumn
from .envelopes_declared import Envelope, leg_of
from .flight import draw_range, not_allowed
from .plan import Plan

TRIED = 32
"""Number of first cases among which a valid case is searched. The flight of this case determines the
settings."""
DIGITS = 10
"""Significant digits of a duration from a flight. On other processors, the later digits can differ. With
fewer digits, the error would exceed the tolerance for the end of a flight, `SAME_TIME`.
"""


class FirstFlight(NamedTuple):
    """Common data of all cases of a campaign.

    - settings: batch settings.
    - envelopes: envelopes with their durations.
    """

    settings: LotSettings
    envelopes: tuple[EnvelopeColumn, ...] = ()


def first_flight(plan: Plan, responses: tuple[Response, ...]) -> FirstFlight:
    """Return the settings and envelopes of a campaign from the first case that can be run.

    Raises BadInput if an envelope has no duration, and the flight of this case has none.
    """
    found = (first_flight_from(plan, responses, case) for case in first_cases(plan))
    return next((one for one in found if one is not None), None) or without_flight(plan)


def settings_of(plan: Plan, responses: tuple[Response, ...]) -> LotSettings:
    """Return the batch settings for all cases of a campaign without envelopes."""
    return first_flight(plan, responses).settings


def without_flight(plan: Plan) -> FirstFlight:
    """Return the settings of a campaign if none of its first cases can be run. Raises BadInput if an envelope
    has no duration.
    """
    durations = dict.fromkeys((one.name for one in plan.campaign.envelopes), float("nan"))
    draws, bad = draw_range(plan, 0, 1)
    bad |= not_allowed(plan, draws, bad)
    reason = "; ".join(["none of the first cases can be flown", *map(str, bad.get(0, ()))])
    return FirstFlight(default_settings(), _envelopes(plan, durations, reason))


def default_settings() -> LotSettings:
    """Return the batch settings of a campaign if none of its first cases can be run."""
    return LotSettings(WIDTH, {}, False)


def first_cases(plan: Plan) -> list[int]:
    """Return the case numbers of the first cases that the scenario accepts."""
    count = min(plan.cases, TRIED)
    draws, bad = draw_range(plan, 0, count)
    bad |= not_allowed(plan, draws, bad)
    return [case for case in range(count) if case not in bad]


def first_flight_from(plan: Plan, responses: tuple[Response, ...], case: int) -> FirstFlight | None:
    """Return the settings and envelopes of a campaign from the flight of one case. Return None if the case
    cannot be run. Raises BadInput as `first_flight`.
    """
    scenario, envelopes = plan.scenario, plan.campaign.envelopes
    draws = plan.draw(case, case + 1)
    inputs = {path: values[None, ..., 0] for path, values in draws.values.items()}
    lot = Lot(scenario, inputs, strict=False, settings=default_settings())

    def counts(chunks: dict[str, Chunk]) -> tuple[dict[str, float], int, dict[str, float]]:
        records = lot.records(chunks, (*scenario.requirements, *responses))
        cursors = {leg: chunk.cursor for leg, chunk in chunks.items()}
        steps = {leg: float(one.accepted[0] + one.rejected[0]) for leg, one in cursors.items()}
        if records[0] is None:
            return steps, 0, {}
        return steps, _states_of(records[0]), {one.name: _duration(lot, chunks, one) for one in envelopes}

    (steps, states, durations), *_ = lot.flown(1, counts)[0]
    if not states:
        return None
    states += sum(one.times for one in envelopes)
    all_steps = {leg: own * plan.cases for leg, own in steps.items()}
    width = width_of(largest_chunk(plan, all_steps, plan.cases))
    settings = LotSettings(width, all_steps, states * plan.cases > AT_ONCE)
    return FirstFlight(
        settings, _envelopes(plan, durations, f"the flight has no time after the event in case {case}")
    )


def _states_of(record: Any) -> int:
    """Number of states at which quantities of one case are computed."""
    legs = record.legs.values() or (record,)
    return sum(len(one.time) + 2 * len(one.events) for one in legs)


def _duration(lot: Lot, chunks: dict[str, Chunk], one: Envelope) -> float:
    """Time from the event of an envelope to the end of the flight [s]; NaN without the event."""
    lanes = lot.lanes_of(chunks)[leg_of(lot.scenario, one)]
    return float(f"{float(lanes.end[0] - origins(lanes, event_of(one)).time[0]):.{DIGITS}g}")


def event_of(one: Envelope) -> str | None:
    """Return the event at which the time of an envelope begins. None for the start of the flight."""
    return None if one.since == "start" else one.since


def _envelopes(plan: Plan, durations: dict[str, float], reason: str) -> tuple[EnvelopeColumn, ...]:
    problems = [*_without_duration(plan.campaign.envelopes, durations, reason)]
    if problems:
        raise BadInput(problems)
    scenario = plan.scenario
    return tuple(
        EnvelopeColumn(
            one.name,
            one.quantity,
            event_of(one) or "",
            leg_of(scenario, one),
            unit_of(scenario, one.quantity),
            durations[one.name] if one.duration is None else float(one.duration),
            one.times,
        )
        for one in plan.campaign.envelopes
    )


def _without_duration(
    envelopes: tuple[Envelope, ...], durations: dict[str, float], reason: str
) -> Iterator[Problem]:
    for one in envelopes:
        if one.duration is None and not durations[one.name] > 0:
            text = f"the default duration since '{one.since or 'start'}' is unknown: {reason}"
            yield Problem(f"{one.place}.duration", f'{text}. Set duration, for example duration = "0.5 s"')
