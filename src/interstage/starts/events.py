"""Create the event table of a scenario from its triggers, phases and devices.

The table contains only the structure, without numeric values. The events are starts of phases, the end of the
flight, parallel events, actions of devices, and the time limit. An event watches one or more conditions. A
condition is met when its value rises through zero. The condition then remains met.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..engine.contract import HasEvents, Watches
from ..engine.event_table import Condition, EventTable, TableEvent, actions_of
from ..engine.hooks import refuse_idle_actions
from ..engine.layout import FREE, Layout
from ..missions.mission import Mission
from ..missions.names import FLIGHT
from ..quantities.catalogue import catalogue, lookup
from ..tree.errors import BadInput, Problem

START, END = FLIGHT
TIME_LIMIT = "time limit"


def event_names(mission: Mission) -> tuple[str, ...]:
    """Return the names of the events to which outputs of a mission can refer. Without legs, these are all
    events.
    """
    if mission.has_legs:
        return mission.event_names
    return (START, *(one.name for one in event_table(Layout(mission.scenario)).events))


def event_table(layout: Layout) -> EventTable:
    """Return the event table of a scenario. The events have the names of phases, declared events and device
    actions.
    """
    table = EventTable(layout)
    scenario = layout.scenario
    quantities = catalogue(scenario)
    names = {**layout.own_moments, **layout.moments}
    for k, phase in enumerate(scenario.phases):
        if k == 0:
            table.conditions.append(Condition("start", 0, at_once=True))
            when = 0
        else:
            when = _watch(table, ("phases", k - 1, "until"), scenario.phases[k - 1].until, k, quantities)
        after = None if k == 0 else k - 1
        _add(table, phase, "phase", after, when, phase=k)
    last = len(scenario.phases)
    when = _watch(table, ("phases", last - 1, "until"), scenario.phases[-1].until, last, quantities)
    table.events.append(TableEvent(END, "end", last - 1, when, ends=True))
    for k, event in enumerate(scenario.events):
        when = _watch(table, ("events", k, "when"), event.when, names[event.name], quantities)
        before = None if event.before is None else names[event.before]
        changes = {"before": before, "repeats": event.repeats, "ends": event.ends}
        _add(table, event, "event", 0 if event.after is None else names[event.after], when, **changes)
    for k, device in enumerate(scenario.devices):
        for part in layout.having(HasEvents):
            part.events_of(table, names, ("devices", k), device)
        _refuse_other_events(table, k, device)
    for part in layout.having(HasEvents):
        part.events(table)
    refuse_idle_actions(table)
    table.events = [replace(h, ends=True) if h.name in scenario.ends_at else h for h in table.events]
    number = len(table.events)
    table.conditions.append(Condition("time", number, ("solver", "time_limit"), at_once=True))
    table.events.append(TableEvent(TIME_LIMIT, "limit", None, len(table.conditions) - 1, limit=True))
    # Last, and all together: each begins and ends as often as it will.
    for part in layout.having(Watches):
        table.conditions += [
            Condition("watched", -1, part=part.name, item=k, at_once=True) for k in range(part.watches)
        ]
    return table


def _refuse_other_events(table: EventTable, place: int, device: Any) -> None:
    """Reject a device whose events differ from the events that it names. Events are identified by their
    numbers, so the events of later devices would be wrong."""
    layout, wanted = table.layout, device.signals
    first = layout.first_signal + sum(len(d.signals) for d in layout.scenario.devices[:place])
    found = tuple(table_event.name for table_event in table.events[first:])
    if found != wanted:
        listed = [", ".join(f"'{name}'" for name in names) or "none" for names in (wanted, found)]
        raise BadInput(
            Problem(
                f"devices.{device.name}",
                f"the kind '{device.kind}' declares the events {listed[0]}, but its model adds"
                f" {listed[1]}. The"
                " method `events_of` of the model must add the events of `signals`, in the same order",
            )
        )


def _watch(table: EventTable, address, trigger, event: int, quantities):
    """Add the conditions of a trigger, and return their combination."""
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
            at_once = trigger.already == "fire"
            table.conditions.append(Condition("quantity", event, where, quantity, component, sign, at_once))
            found.append(len(table.conditions) - 1)
    return found[0] if len(found) == 1 else ("any", *found)


def _add(table: EventTable, declared, kind, after, when, **changes):
    layout = table.layout
    modes = [(layout.joints.index(name), FREE) for name in declared.release]
    modes += [(layout.joints.index(name), 1) for name in declared.attach]
    modes += [(layout.joints.index(new.joint), layout.mode_of(new)) for new in declared.replace]
    number = len(table.events)
    actions = actions_of(layout, declared.name, declared, number)
    table.events.append(
        TableEvent(declared.name, kind, after, when, tuple(modes), actions=actions, **changes)
    )
