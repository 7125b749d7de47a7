"""Declaration of envelopes over time and of saved flights, and their problems with the scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import StrictInt, model_validator

from ...missions.mission import Mission
from ...missions.names import FLIGHT
from ...observation.after import known_after
from ...quantities.missions import known_in
from ...starts.events import START, event_names
from ...tree.declaration import Declaration
from ...tree.errors import Problem, Refused
from ...tree.similar_names import near
from ...tree.units import si
from ..asked import unit_of

TIMES, LEAST_TIMES = 51, 2
MOST_VALUES = 100_000
"""Largest number of values of all envelopes in one case."""


class Envelope(Declaration):
    """Envelope of a quantity over time: its value in each case, at equally spaced times after an event."""

    name: str
    """Name of the envelope in tables and files."""
    quantity: str
    """Quantity by its name in the results, for example "pairs.stage.payload.tip_off_rate". A vector needs a
    component."""
    since: str | None = None
    """Event or phase at which the time of the envelope begins. A phase means the start of the phase. Default:
    the start of the flight, or of the first leg that has the quantity."""
    duration: Annotated[Any, si("s")] | None = None
    """Time of the envelope, for example "0.5 s". Default: to the end of the flight of the first case."""
    times: StrictInt = TIMES
    """Number of times, with both ends."""

    @property
    def place(self) -> str:
        """Return the path of the envelope in messages."""
        return f"envelopes.{self.name}"

    @model_validator(mode="after")
    def _check(self) -> Envelope:
        problems = []
        if self.duration is not None and not float(self.duration) > 0:
            text = f'{float(self.duration):g} s is not above zero. Give a time such as "0.5 s"'
            problems.append(("duration", text))
        if self.times < LEAST_TIMES:
            text = f"{self.times} is below {LEAST_TIMES}. Give the number of times, for example {TIMES}"
            problems.append(("times", text))
        if problems:
            raise Refused(*problems)
        return self


class Histories(Declaration):
    """Cases whose flights are saved after the campaign is complete."""

    worst: StrictInt = 0
    """Number of worst cases."""
    every: StrictInt | None = None
    """Interval of case numbers: 1000 saves the cases 0, 1000, 2000 and so on. Default: none of them."""
    failed: StrictInt = 0
    """Largest number of cases that fail a requirement or have no result. The flights of the worst cases are
    saved."""

    @model_validator(mode="after")
    def _check(self) -> Histories:
        least = {"worst": 0, "every": 1, "failed": 0}
        given = {key: getattr(self, key) for key in least}
        problems = [
            (
                key,
                f"{given[key]} is below {low}. Give a number of at least {max(low, 1)}, or remove {key}",
            )
            for key, low in least.items()
            if given[key] is not None and given[key] < low
        ]
        if problems:
            raise Refused(*problems)
        return self


def count_problems(envelopes: Sequence[Envelope]) -> Iterator[tuple[str, str]]:
    """Yield a pair (key, message) if the envelopes of a study have too many values."""
    count = sum(one.times for one in envelopes)
    if count > MOST_VALUES:
        text = f"{count} values of each case are more than {MOST_VALUES}"
        yield "envelopes", f"{text}. Reduce times, or remove envelopes"


def envelope_problems(scenario: Any, envelopes: Sequence[Envelope]) -> Iterator[Problem]:
    """Yield the problems of envelopes that are found together with the scenario: unknown quantities and
    events.
    """
    for one in envelopes:
        place, fault = _fault(scenario, one)
        if fault:
            yield Problem(f"{one.place}.{place}", fault)


def _fault(scenario: Any, one: Envelope) -> tuple[str, str]:
    """Key and message of the first fault of an envelope; an empty message without a fault."""
    try:
        unit_of(scenario, one.quantity)
        if known_after(scenario, one.quantity) is not None:
            text = f"'{one.quantity}' is computed after the flight, and not at chosen times"
            return "quantity", f"{text}. Use another quantity, or a response in place of the envelope"
        known = known_in(scenario, one.quantity)
    except KeyError as error:
        return "quantity", str(error.args[0])
    return "since", "" if one.since in (None, START) else _event_fault(scenario, one.since, known)


def _event_fault(scenario: Any, since: str, known: tuple[str, ...]) -> str:
    mission = Mission.of(scenario)
    events = event_names(mission)
    if since not in events:
        return f"there is no event '{since}'; {near(since, events, 'events')}"
    ends = [name for leg in map(mission.leg, known) for name in (leg.end_event, leg.hand_over_event)]
    if since in (*FLIGHT, *ends):
        return f"no time of the quantity follows the event '{since}'. Use an earlier event"
    if _leg_of(scenario, since, known) is None:
        legs = " and ".join(f"'{leg}'" for leg in known)
        text = (
            f"event '{since}' is in leg '{mission.leg_of(since)}', but the quantity is defined in leg {legs}"
        )
        return f"{text}. Use an event of a leg that has the quantity"
    return ""


def _leg_of(scenario: Any, since: str | None, known: tuple[str, ...]) -> str | None:
    mission = Mission.of(scenario)
    if since in (None, START) or not mission.has_legs:
        return known[0]
    return next((leg for leg in known if mission.leg(leg).has_event(since)), None)


def leg_of(scenario: Any, one: Envelope) -> str:
    """Return the name of the leg of an envelope: the first leg that has its quantity and its event. Without
    legs, the name is "".
    """
    return _leg_of(scenario, one.since, known_in(scenario, one.quantity)) or ""


def offsets_of(duration: float, times: int) -> np.ndarray:
    """Return the times (times,) [s] of an envelope, counted from its event."""
    return np.linspace(0.0, duration, times)
