"""Triggers, phases and devices of a scenario as one table of events; its structure only, no numbers.

Every phase start is an event, and so are the end of the flight, the parallel events, the end of a kick-off
spring's stroke, the cut of a fired charge, and the time limit. An event watches one or more conditions; a
condition is met when its value rises through zero, and stays met.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from .layout import FREE, Layout
from .quantities import Quantity, catalogue, lookup

START, END, TIME_LIMIT = "start", "end", "time limit"


@dataclass(frozen=True)
class Condition:
    """One watched value.

    kind: "start", "time", "elapsed", "quantity", "stroke", "empty" or "sample". address: where its number is
    in the scenario. sign: +1 for a rise, -1 for a fall. at_once: met already when past its value as the
    watch begins.
    """

    kind: str
    event: int
    address: tuple[Any, ...] = ()
    quantity: Quantity | None = None
    component: int | str | None = None
    sign: float = 1.0
    at_once: bool = False
    device: int = -1

    @property
    def period(self) -> float:
        """Span at which the value wraps around."""
        return math.inf if self.quantity is None else self.quantity.period


@dataclass(frozen=True)
class Happening:
    """One event: its name, what it is, which event arms it (None: armed from the beginning), and what it
    does.

    when: nested ("any" | "all", ...) over numbers of conditions. modes: (joint, mode) set. starts, spends:
    kick-off springs that begin and stop to push. phase: number of the phase that begins, or None. ignites,
    cuts, stops: engines that are lit, are shut down, and end at once. drops: elements that bodies drop.
    """

    name: str
    kind: str
    after: int | None
    when: Any
    modes: tuple[tuple[int, int], ...] = ()
    starts: tuple[int, ...] = ()
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


def event_table(layout: Layout) -> EventTable:
    """The events of a scenario. Names are those of the phases, of the events, and of what the devices do."""
    table = EventTable(layout)
    scenario = layout.scenario
    quantities = catalogue(scenario)
    names = {phase.name: k for k, phase in enumerate(scenario.phases)}
    names |= {event.name: len(names) + 1 + k for k, event in enumerate(scenario.events)}
    names[START] = 0
    for k, phase in enumerate(scenario.phases):
        if k == 0:
            table.conditions.append(Condition("start", 0, at_once=True))
            when = 0
        else:
            when = _watch(table, ("phases", k - 1, "until"), scenario.phases[k - 1].until, k, quantities)
        after = None if k == 0 else k - 1
        _add(table, phase, "phase", after, when, names, phase=k)
    last = len(scenario.phases)
    when = _watch(table, ("phases", last - 1, "until"), scenario.phases[-1].until, last, quantities)
    table.happenings.append(Happening(END, "end", last - 1, when, ends=True))
    for k, event in enumerate(scenario.events):
        when = _watch(table, ("events", k, "when"), event.when, names[event.name], quantities)
        _add(table, event, "event", names[event.after or START], when, names)
    _device_events(table, names)
    _tank_events(table)
    for k in range(len(layout.sampled)):
        table.conditions.append(Condition("sample", -1, device=k, at_once=True))
    number = len(table.happenings)
    table.conditions.append(Condition("time", number, ("solver", "time_limit"), at_once=True))
    table.happenings.append(Happening(TIME_LIMIT, "limit", None, len(table.conditions) - 1, limit=True))
    return table


def _watch(table: EventTable, address, trigger, event: int, quantities):
    """Add the conditions of a trigger; returns their combination."""
    for way in ("any", "all"):
        parts = getattr(trigger, way)
        if parts is not None:
            inner = [
                _watch(table, (*address, way, k), part, event, quantities) for k, part in enumerate(parts)
            ]
            return (way, *inner)
    for kind in ("time", "elapsed"):
        if getattr(trigger, kind) is not None:
            table.conditions.append(Condition(kind, event, (*address, kind), at_once=True))
            return len(table.conditions) - 1
    quantity, component = lookup(quantities, trigger.quantity)
    found = []
    for name, sign in (("rising", 1.0), ("falling", -1.0)):
        if trigger.direction in (name, "either"):
            where = (*address, "reaches", "magnitude")
            # Past its value in either direction is past it: only a stated direction can be met already.
            at_once = trigger.already == "fire" and trigger.direction != "either"
            table.conditions.append(Condition("quantity", event, where, quantity, component, sign, at_once))
            found.append(len(table.conditions) - 1)
    return found[0] if len(found) == 1 else ("any", *found)


def _add(table: EventTable, actions, kind, after, when, names, phase=None):
    layout = table.layout
    modes = [(layout.joints.index(name), FREE) for name in actions.release]
    modes += [(layout.joints.index(name), 1) for name in actions.attach]
    modes += [(layout.joints.index(new.joint), layout.mode_of(new)) for new in actions.replace]
    waiting = [k for k, spring in enumerate(layout.kickoffs) if spring.after == actions.name and spring.after]
    if phase == 0:
        waiting += [k for k, spring in enumerate(layout.kickoffs) if spring.after == START]
    starts = tuple(waiting)
    dropped = [layout.element(name) for name in actions.drop]
    emptied = [
        e for e, feeds in enumerate(layout.feeds) if any(layout.element(name) in dropped for name in feeds)
    ]
    table.happenings.append(
        Happening(
            actions.name,
            kind,
            after,
            when,
            tuple(modes),
            starts,
            phase=phase,
            ignites=tuple(layout.engines.index(name) for name in actions.ignite),
            cuts=tuple(layout.engines.index(name) for name in actions.shut_down),
            stops=tuple(emptied),
            drops=tuple(layout.elements.index(element) for element in dropped),
        )
    )


def _device_events(table: EventTable, names):
    """Ends of strokes, and cuts a delay after the firing."""
    layout, scenario = table.layout, table.layout.scenario
    for k, spring in enumerate(layout.kickoffs):
        number = len(table.happenings)
        table.conditions.append(Condition("stroke", number, device=k, at_once=True))
        when = len(table.conditions) - 1
        table.happenings.append(Happening(f"{spring.name} spent", "device", None, when, spends=(k,)))
    for actions in (*scenario.phases, *scenario.events):
        for name in actions.fire:
            charge = next(c for c in layout.charges if c.name == name)
            address = ("devices", scenario.devices.index(charge), "delay")
            number = len(table.happenings)
            table.conditions.append(Condition("elapsed", number, address, at_once=True))
            modes = tuple((layout.joints.index(joint), FREE) for joint in charge.joints)
            when = len(table.conditions) - 1
            cut = f"{name} cut", "device", names[actions.name], when, modes
            table.happenings.append(Happening(*cut))


def _tank_events(table: EventTable):
    """Tanks that have run empty: the engines that draw from them end at once."""
    layout = table.layout
    for tank, (body, place) in enumerate(layout.tanks):
        drawing = tuple(e for e, feeds in enumerate(layout.feeds) if tank in map(layout.tank, feeds))
        if drawing:
            element = layout.scenario.bodies[body].elements[place]
            number = len(table.happenings)
            address = ("bodies", body, "elements", place, "residual")
            table.conditions.append(Condition("empty", number, address, device=tank, at_once=True))
            name = f"{layout.bodies[body]}.{element.name} empty"
            when = len(table.conditions) - 1
            table.happenings.append(Happening(name, "tank", None, when, stops=drawing))


def at_address(scenario: Any, address: tuple[Any, ...]):
    """The leaf of a scenario at an address of attribute names and indices."""
    for part in address:
        scenario = scenario[part] if isinstance(part, int) else getattr(scenario, part)
    return scenario
