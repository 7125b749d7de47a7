"""In which legs of a mission a quantity is known, and which of them is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from ..missions.mission import Mission
from ..missions.names import FLIGHT, end_of
from ..tree.errors import near
from .catalogue import catalogue, lookup

if TYPE_CHECKING:
    from ..scenario import Scenario


def known_in(scenario: Scenario, path: str) -> tuple[str, ...]:
    """The legs in which a quantity is known while they fly, in order. Raises KeyError where none knows it."""
    mission = Mission.of(scenario)
    if fault := mission.fault_of_leg_path(path):
        raise KeyError(fault)
    why, found = None, []
    for leg in mission.chain(path) or mission.order:
        try:
            lookup(catalogue(mission.leg(leg).scenario), path)
            found.append(leg)
        except KeyError as error:
            why = why or error
    if not found and why is not None:
        raise why
    return tuple(found)


def meant(scenario: Scenario, known: tuple[str, ...], wanted: Any) -> tuple[str, ...]:
    """Of legs in which a quantity is known those in which it is wanted, in order: at an event, or during a
    phase, or its extreme through them. "start" is where the first of them begins, "end" where the last one
    ends."""
    mission, at, during = Mission.of(scenario), wanted.at, getattr(wanted, "during", None)
    if at in FLIGHT or (at is None and during is None):
        if not mission.consecutive(known):
            return ()
        return known[:1] if at == "start" else known[-1:] if at == "end" else known
    if at is None:
        return tuple(leg for leg in known if during in mission.leg(leg).phase_names)
    return tuple(leg for leg in known if mission.leg(leg).has_event(at))


def not_there(scenario: Scenario, wanted: Any, events: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with when a quantity is wanted: (field, in words). events: names that it may have."""
    at, during = wanted.at, getattr(wanted, "during", None)
    phases = Mission.of(scenario).phase_names
    if at is not None and at not in events:
        yield "at", f"there is no event '{at}'; {near(at, events, 'events')}"
    if during is not None and during not in phases:
        yield "during", f"there is no phase '{during}'; {near(during, phases, 'phases')}"


def not_known(scenario: Scenario, known: tuple[str, ...], wanted: Any) -> str:
    """Why a quantity that legs know is not known when it is wanted, in words; nothing where it is."""
    if meant(scenario, known, wanted):
        return ""
    when = wanted.at or getattr(wanted, "during", None)
    if when is None or when in FLIGHT:
        text = f"'{wanted.quantity}' is known in concurrent legs; say of which one"
        return f'{text}, like at = "{end_of(known[-1])}"'
    legs = " and ".join(f"'{leg}'" for leg in known)
    there = Mission.of(scenario).leg_of(when)
    return f"'{wanted.quantity}' is known in leg {legs}, and '{when}' is in leg '{there}'"
