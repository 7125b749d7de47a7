"""What the table of events is made of: conditions, and what happens when they are met."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from ..engine.quantity import Quantity
from .layout import Layout


@dataclass(frozen=True)
class Condition:
    """One watched value.

    kind: "start", "time", "elapsed", "device", "quantity", "stroke", "lug", "empty", "sample" or "contact".
    address: where its number is in the scenario. sign: +1 for a rise, -1 for a fall; outward: away from zero
    instead. at_once: met already when past its value as the watch begins. works: where it is said whether it
    can be met at all, none meaning that it can. after: event from which the time of a "device" counts.
    """

    kind: str
    event: int
    address: tuple[Any, ...] = ()
    quantity: Quantity | None = None
    component: int | str | None = None
    sign: float = 1.0
    at_once: bool = False
    device: int = -1
    works: tuple[Any, ...] = ()
    after: int | None = None
    outward: bool = False

    @property
    def period(self) -> float:
        """Span at which the value wraps around."""
        return math.inf if self.quantity is None else self.quantity.period


@dataclass(frozen=True)
class Happening:
    """One event: its name, what it is, which event arms it (None: armed from the beginning), and what it
    does.

    when: nested ("any" | "all", ...) over numbers of conditions. modes: (joint, mode) set. starts: pushers
    that are fired, and begin at once if they have no delay; begins, spends: pushers that begin and stop.
    phase: number of the phase that begins, or None. ignites, cuts, stops: engines that are lit, are shut
    down, and end at once. drops: elements that bodies drop.
    """

    name: str
    kind: str
    after: int | None
    when: Any
    modes: tuple[tuple[int, int], ...] = ()
    starts: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()
    spends: tuple[int, ...] = ()
    phase: int | None = None
    ends: bool = False
    limit: bool = False
    ignites: tuple[int, ...] = ()
    cuts: tuple[int, ...] = ()
    stops: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()


@dataclass
class EventTable:
    """All events and conditions of a scenario."""

    layout: Layout
    happenings: list[Happening] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)

    def index(self, name: str) -> int:
        """Number of the event with this name."""
        return [h.name for h in self.happenings].index(name)


def at_address(scenario: Any, address: tuple[Any, ...]):
    """The leaf of a scenario at an address of attribute names and indices."""
    for part in address:
        scenario = scenario[part] if isinstance(part, int) else getattr(scenario, part)
    return scenario
