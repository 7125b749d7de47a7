"""Find the legs of a mission in which a quantity exists, and the leg of an event or phase."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from ..missions.mission import Mission
from ..missions.names import FLIGHT, end_of
from ..tree.similar_names import near
from .catalogue import catalogue, lookup

if TYPE_CHECKING:
    from ..scenario import Scenario


def known_in(scenario: Scenario, path: str) -> tuple[str, ...]:
    """Return the names of the legs in which a quantity exists, in order. Raises KeyError if no leg has it."""
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
    """Return the names of the legs that an event, a phase or an extreme selects, in order.

    known: legs in which the quantity exists. wanted: object with the fields `at` and `during`. "start"
    selects the first leg, and "end" the last leg.
    """
    mission, at, during = Mission.of(scenario), wanted.at, getattr(wanted, "during", None)
    if at in FLIGHT or (at is None and during is None):
        if not mission.consecutive(known):
            return ()
        return known[:1] if at == "start" else known[-1:] if at == "end" else known
    if at is None:
        return tuple(leg for leg in known if during in mission.leg(leg).phase_names)
    return tuple(leg for leg in known if mission.leg(leg).has_event(at))


def not_there(scenario: Scenario, wanted: Any, events: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield (field, message) for each fault in the event or phase of a requested quantity.

    wanted: object with the fields `at` and `during`. events: names of the existing events.
    """
    at, during = wanted.at, getattr(wanted, "during", None)
    phases = Mission.of(scenario).phase_names
    if at is not None and at not in events:
        yield "at", f"there is no event '{at}'; {near(at, events, 'events')}"
    if during is not None and during not in phases:
        yield "during", f"there is no phase '{during}'; {near(during, phases, 'phases')}"


def not_known(scenario: Scenario, known: tuple[str, ...], wanted: Any) -> str:
    """Return the reason why a quantity does not exist at the requested time; "" if it exists. Arguments: see
    `meant`.
    """
    if meant(scenario, known, wanted):
        return ""
    when = wanted.at or getattr(wanted, "during", None)
    if when is None or when in FLIGHT:
        text = f"'{wanted.quantity}' is defined in several concurrent legs. Select one leg"
        return f'{text}, for example at = "{end_of(known[-1])}"'
    legs = " and ".join(f"'{leg}'" for leg in known)
    there = Mission.of(scenario).leg_of(when)
    return (
        f"'{wanted.quantity}' is defined in leg {legs}, but event '{when}' is in leg '{there}'. Use"
        " an event of a leg that has the quantity"
    )
