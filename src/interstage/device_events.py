"""Events of devices: the ends of strokes, and cuts a delay after the firing."""

from __future__ import annotations

from .happenings import Condition, EventTable, Happening
from .layout import FREE


def device_events(table: EventTable, names: dict[str, int]):
    """Add the events of all devices. names: numbers of the phases and events by name."""
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
