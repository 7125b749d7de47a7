"""In which legs of a mission a quantity is known, and which of them is meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..mission import END, FLIGHT, chain, follow, leg_named, leg_of, moments_of, of_one_leg, order, projected
from ..tree.errors import near
from .catalogue import catalogue, lookup

if TYPE_CHECKING:
    from ..scenario import Scenario


def known_in(scenario: Scenario, path: str) -> tuple[str, ...]:
    """The legs in which a quantity is known while they fly, in order. Raises KeyError where none knows it."""
    if of_one := of_one_leg(scenario, path):
        raise KeyError(of_one)
    why, found = None, []
    for leg in chain(scenario, path) or order(scenario):
        try:
            lookup(catalogue(projected(scenario, leg)), path)
            found.append(leg)
        except KeyError as error:
            why = why or error
    if not found and why is not None:
        raise why
    return tuple(found)


def moments(scenario: Scenario) -> tuple[str, ...]:
    """Names of all moments of a mission: its start and end, phases and events of its legs, and their ends."""
    every = (name for leg in order(scenario) for name in moments_of(scenario, leg))
    return tuple(dict.fromkeys((*FLIGHT, *every)))


def phases(scenario: Scenario) -> tuple[str, ...]:
    """Names of all phases of a mission."""
    return tuple(phase.name for leg in order(scenario) for phase in leg_named(scenario, leg).phases)


def meant(scenario: Scenario, known: tuple[str, ...], wanted: Any) -> tuple[str, ...]:
    """Of legs in which a quantity is known those in which it is wanted, in order: at an event, or during a
    phase, or its extreme through them. "start" is where the first of them begins, "end" where the last one
    ends."""
    at, during = wanted.at, getattr(wanted, "during", None)
    if at in FLIGHT or (at is None and during is None):
        if not follow(scenario, known):
            return ()
        return known[:1] if at == "start" else known[-1:] if at == "end" else known
    if at is None:
        return tuple(leg for leg in known if during in _phases(scenario, leg))
    return tuple(leg for leg in known if at in moments_of(scenario, leg))


def not_there(scenario: Scenario, wanted: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with when a quantity is wanted: (field, in words)."""
    at, during = wanted.at, getattr(wanted, "during", None)
    if at is not None and at not in moments(scenario):
        yield "at", f"there is no event '{at}'; {near(at, moments(scenario), 'events')}"
    elif during is not None and during not in phases(scenario):
        yield "during", f"there is no phase '{during}'; {near(during, phases(scenario), 'phases')}"


def not_known(scenario: Scenario, known: tuple[str, ...], wanted: Any) -> str:
    """Why a quantity that legs know is not known when it is wanted, in words; nothing where it is."""
    if meant(scenario, known, wanted):
        return ""
    when = wanted.at or getattr(wanted, "during", None)
    if when is None or when in FLIGHT:
        text = f"'{wanted.quantity}' is known in legs that fly beside each other; say of which one"
        return f'{text}, like at = "{known[-1]}{END}"'
    legs = " and ".join(f"'{leg}'" for leg in known)
    there = leg_of(scenario, when)
    return f"'{wanted.quantity}' is known in leg {legs}, and '{when}' is in leg '{there}'"


def _phases(scenario: Scenario, leg: str) -> set[str]:
    return {phase.name for phase in leg_named(scenario, leg).phases}
