"""Events of devices: the ends of strokes, and what is let go or caught.

They stand in the table of events behind all others, in the order of `Layout.signals`."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..engine.event_table import Condition, EventTable, Happening
from ..engine.layout import FREE, Layout
from ..parts.catches.declared import HingeRelease, Latch, Rail
from ..parts.drag.declared import DragDevice
from ..parts.pushers.declared import Pusher
from ..parts.releases.declared import ReleaseDevice
from ..quantities.catalogue import catalogue, lookup


def device_events(table: EventTable, names: dict[str, int]) -> None:
    """Add the events of all devices. names: numbers of all events by name."""
    layout = table.layout
    for k, device in enumerate(layout.scenario.devices):
        if isinstance(device, ReleaseDevice):
            _release(table, names, k, device)
        elif isinstance(device, HingeRelease):
            rotation = f"joints.{device.joint}.rotation.{turning_axis(layout, device.joint)}"
            changes = ((layout.joints.index(device.joint), FREE),)
            _at_pose(table, names, k, device, rotation, ("angle",), changes)
        elif isinstance(device, Latch):
            changes = ((layout.joints.index(device.joint), 1),)
            _at_pose(table, names, k, device, device.quantity, ("reaches", "magnitude"), changes)
        elif isinstance(device, Rail):
            _lugs(table, k, device)
        elif isinstance(device, Pusher):
            _pusher(table, names, k, device)
        elif isinstance(device, DragDevice):
            _deployed(table, names, k, device)


def turning_axis(layout: Layout, joint: str) -> str:
    """The axis about which a joint turns, as declared or as what replaces it; "" where it is not one."""
    modes = layout.modes[layout.joints.index(joint)]
    free = {rows.rotations[0][0] for rows in modes if len(rows.rotations) == 2}
    return "xyz"[free.pop()] if len(free) == 1 else ""


def _add(table: EventTable, name: str, conditions: list[Any], **changes: Any) -> None:
    """Add an event that the first of some conditions makes happen; each is given the event's number."""
    number, first = len(table.happenings), len(table.conditions)
    table.conditions += [condition(event=number) for condition in conditions]
    when = ("any", *range(first, len(table.conditions))) if len(conditions) > 1 else first
    after = changes.pop("armed_by", None)
    starts = table.layout.fired_by(name)
    table.happenings.append(Happening(name, "device", after, when, starts=starts, **changes))


def _pusher(table: EventTable, names: dict[str, int], place: int, device: Pusher) -> None:
    """The beginning of a push, a delay after its firing, and the end of its stroke."""
    k = table.layout.pushers.index(device)
    if device.fireable:
        due = partial(Condition, "device", address=("devices", place, "delay"), at_once=True)
        moments = _moments(table.layout, names, device)
        _add(table, device.signals[0], [partial(due, after=moment) for moment in moments], begins=(k,))
    ended = partial(Condition, "stroke", device=k, at_once=True)
    _add(table, device.signals[-1], [ended], spends=(k,))


def _moments(layout: Layout, names: dict[str, int], device: Any) -> list[int]:
    """Events that fire a device, the first of which counts; its own, which then never comes, where none
    does."""
    actions = (*layout.scenario.phases, *layout.scenario.events)
    fired = [names[item.name] for item in actions if device.name in item.fire]
    return [*fired, *([] if device.after is None else [names[device.after]])] or [names[device.signals[0]]]


def _release(table: EventTable, names: dict[str, int], k: int, device: ReleaseDevice) -> None:
    """What is let go some time after a firing, the first of several, or never where there is none."""
    layout, place = table.layout, ("devices", k)
    conditions = [
        partial(
            Condition, "device", address=(*place, "lag"), works=(*place, "works"), at_once=True, after=moment
        )
        for moment in _moments(layout, names, device)
    ]
    modes = tuple((layout.joints.index(joint), FREE) for joint in device.joints)
    _add(table, device.signals[0], conditions, modes=modes)


def _deployed(table: EventTable, names: dict[str, int], k: int, device: DragDevice) -> None:
    """The deployment of a parachute or streamer, a delay after its firing."""
    place = ("devices", k)
    works = {"address": (*place, "delay"), "works": (*place, "works"), "at_once": True}
    due = partial(Condition, "device", **works)
    moments = _moments(table.layout, names, device)
    _add(table, device.signals[0], [partial(due, after=moment) for moment in moments])


def _at_pose(table: EventTable, names, k: int, device: Any, path: str, value, modes) -> None:
    """What happens where a quantity reaches a value of the device."""
    quantity, component = lookup(catalogue(table.layout.scenario), path)
    signs = {"rising": (1.0,), "falling": (-1.0,), "either": (1.0, -1.0)}[device.direction]
    passed = device.after is not None and getattr(device, "already", "wait") == "fire"
    address, works = (("devices", k, *way) for way in (value, ("works",)))
    watched = {"address": address, "quantity": quantity, "component": component, "works": works}
    at_once = passed and len(signs) == 1
    conditions = [partial(Condition, "quantity", sign=sign, at_once=at_once, **watched) for sign in signs]
    if passed and len(signs) > 1:  # past it in one direction is before it in the other
        conditions += [partial(Condition, "quantity", outward=True, at_once=True, **watched)]
    after = None if device.after is None else names[device.after]
    _add(table, device.signals[0], conditions, modes=modes, armed_by=after)


def _lugs(table: EventTable, k: int, rail: Rail) -> None:
    """Lugs that come to the end of a rail."""
    for number, (lug, name) in enumerate(zip(rail.lugs, rail.signals, strict=True)):
        works = ("devices", k, "works")
        left = partial(Condition, "lug", device=k, component=number, works=works, at_once=True)
        _add(table, name, [left], modes=((table.layout.joints.index(lug), FREE),))
