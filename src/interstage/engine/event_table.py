"""Event table: conditions, events, and the actions of events."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .contract import HasEvents
from .layout import Layout
from .quantity import Quantity


@dataclass(frozen=True)
class Condition:
    """Condition of an event: a value that the run watches for a zero crossing.

    - event: index of the event.
    - kind: "start", "time", "elapsed" (since the previous event), "delay" (after event `after`) or
      "quantity". For values of models: "value" (`contract.HasEvents.value`), "due"
      (`contract.Sampled.next_sample_time`) or "watched" (`contract.Watches`).
    - address: path of the threshold in the scenario.
    - sign: +1 for a rise, -1 for a fall.
    - outward: true if the value must move away from zero. In this case, `sign` is ignored.
    - at_once: true if a value beyond the threshold when the event is armed also meets the condition.
    - works: path of a value in the scenario. If this value is 0, the condition is never met. Empty: no such
      value.
    - part, what, item: model, name of the value in the model, and index of the item.
    """

    kind: str
    event: int
    address: tuple[Any, ...] = ()
    quantity: Quantity | None = None
    component: int | str | None = None
    sign: float = 1.0
    at_once: bool = False
    works: tuple[Any, ...] = ()
    after: int | None = None
    outward: bool = False
    part: str = ""
    what: str = ""
    item: int = -1

    @property
    def period(self) -> float:
        """Return the period at which the value wraps around; inf for a value without a period."""
        return math.inf if self.quantity is None else self.quantity.period

    @property
    def is_timed(self) -> bool:
        """Return whether the condition depends only on time, so that its time is known in advance."""
        return self.kind in ("start", "time", "elapsed", "delay", "due")

    @property
    def has_rounding(self) -> bool:
        """Return whether rounding can cause a false zero crossing. Rounding can cause a false crossing of
        quantities, except if a value beyond the threshold meets the condition (`at_once`).
        """
        return self.quantity is not None and not self.at_once

    @property
    def again(self) -> bool:
        """Return whether the condition can be met repeatedly without an event."""
        return self.kind in ("due", "watched")

    @property
    def yields(self) -> int:
        """Return the rank of the condition among conditions met at the same time; lower ranks are processed
        first.

        Rank 0: conditions of events. Rank 1: watched values of models. Rank 2: sample times, because samples
        read the results of the lower ranks.
        """
        return {"watched": 1, "due": 2}.get(self.kind, 0)


@dataclass(frozen=True)
class TableEvent:
    """Row of the event table: conditions and actions of one event.

    - name, kind: name and kind of the event.
    - after: index of the event that arms this event. None: armed from the start.
    - before: index of the event that disarms this event, or None.
    - repeats: true if the event can occur more than once.
    - when: index of a condition, or nested ("any" | "all", ...) of indices.
    - modes: pairs (joint, mode) that the event sets.
    - phase: index of the phase that begins, or None.
    - ends: true if the event ends the flight. limit: true if the event is the time limit.
    - actions: actions of models at this event, by model name; see `contract.HasEvents`.
    """

    name: str
    kind: str
    after: int | None
    when: Any
    modes: tuple[tuple[int, int], ...] = ()
    phase: int | None = None
    before: int | None = None
    repeats: bool = False
    ends: bool = False
    limit: bool = False
    actions: Mapping[str, Any] = field(default_factory=dict)
    ends_early: str = ""
    """Reason why the event ends the flight before its declared end; empty if the event does not end the
    flight early."""
    yields_to: tuple[int, ...] = ()
    """Indices of events that prevent the early end if they occur at the same time."""


@dataclass
class EventTable:
    """All events and conditions of a scenario."""

    layout: Layout
    events: list[TableEvent] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)

    def add(
        self, name: str, kind: str, conditions: Sequence[Callable[..., Condition]], **changes: Any
    ) -> None:
        """Add an event, which occurs when the first of its conditions is met.

        - conditions: functions that create a `Condition` from the index of the event (argument `event`).
        - changes: further fields of the `TableEvent`.
        """
        number, first = len(self.events), len(self.conditions)
        self.conditions += [condition(event=number) for condition in conditions]
        when = ("any", *range(first, len(self.conditions))) if len(conditions) > 1 else first
        self.events.append(TableEvent(name, kind, changes.pop("after", None), when, **changes))

    def add_of_device(
        self, name: str, conditions: Sequence[Callable[..., Condition]], **changes: Any
    ) -> None:
        """Add an event of a device, with the actions of all models at this event. For the arguments see
        `add`.
        """
        self.add(name, "device", conditions, actions=actions_of(self.layout, name), **changes)

    def index(self, name: str) -> int:
        """Return the index of the event with a name."""
        return [h.name for h in self.events].index(name)

    def come(self, fired: Any) -> tuple[str, ...]:
        """Return the names of the events that have occurred.

        fired (event,): `Discrete.fired` of one case.
        """
        return tuple(h.name for h, came in zip(self.events, fired, strict=True) if came)


def actions_of(layout: Layout, name: str, declared: Any = None, number: int = -1) -> dict[str, Any]:
    """Return the actions of all models at the event `name`, by model name.

    declared, number: phase or event of the scenario with this name, and its index. For other events: None,
    -1.
    """
    found = {part.name: part.actions(name, declared, number) for part in layout.having(HasEvents)}
    return {key: actions for key, actions in found.items() if actions is not None}


def after_firings(
    layout: Layout, names: Mapping[str, int], device: Any, **delay: Any
) -> list[Callable[..., Condition]]:
    """Return one "delay" condition for each event that fires a device. The condition that is met first fires
    the device.

    If no event fires the device, a condition refers to the device's own event, which never occurs.

    - names: indices of all events by name.
    - delay: fields of each `Condition`.
    """
    actions = (*layout.scenario.phases, *layout.scenario.events)
    fired = [names[item.name] for item in actions if device.name in item.fire]
    fired += [] if device.after is None else [names[device.after]]
    due = partial(Condition, "delay", at_once=True, **delay)
    return [partial(due, after=moment) for moment in fired or [names[device.signals[0]]]]


def at_address(scenario: Any, address: tuple[Any, ...]):
    """Return the value of a scenario at an address of attribute names and indices."""
    for part in address:
        scenario = scenario[part] if isinstance(part, int) else getattr(scenario, part)
    return scenario
