"""Find the events of other legs on which a leg depends.

The scenario of the leg contains these events, but the events do not occur in this scenario.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.effect import Effect
from ..model.leg import Leg
from ..model.sequence import Actions, Event, Phase, Trigger
from ..tree.declaration import with_values

if TYPE_CHECKING:
    from .leg import MissionLeg


def remembered_events(leg: MissionLeg) -> Iterator[Event]:
    """Yield the events of other legs that the scenario of a leg must contain.

    The result contains the events from which items of the leg or its successors count time, and the events
    that act on items of the leg. `runs.hand_over` determines which of these events have occurred. Of later
    legs, only events that fire devices are needed, because a device that no event fires acts from the start.
    """
    past_events = {name for other in _earlier(leg) for name in other.event_names}
    mine = {*leg.event_names, *(("start",) if leg.first else ())}
    counted = _count_origins(leg) | (_looked_back_to(leg) & past_events)
    does: dict[str, dict[str, tuple[Any, ...]]] = {"start": {}}
    for other in leg.mission.legs.values():
        past, later = other.name in leg.predecessors, leg.name in other.predecessors
        for name in other.event_names:
            does.setdefault(name, {})
        for item in _actions(other.declaration) if past or later else ():
            done = _within(item, leg)
            does[item.name] = done if past else {"fire": done["fire"]}
    for name, done in does.items():
        if name not in mine and (name in counted or any(done.values())):
            yield _memory(name, done)
    freed = _freed_earlier(leg)
    if freed:
        yield _memory(f"before {leg.name}", {"release": freed})


def _earlier(leg: MissionLeg) -> Iterator[MissionLeg]:
    return map(leg.mission.leg, leg.predecessors)


def _count_origins(leg: MissionLeg) -> set[str]:
    """Names of the events from which items of a leg or its successors count time."""
    found = {name for item in _items(leg) for name in _events_named(item)}
    named = ((event.after, event.before) for event in leg.declaration.events)
    found |= {name for pair in named for name in pair if name is not None}
    return found.union(*map(_count_origins, leg.successors))


def _looked_back_to(leg: MissionLeg) -> set[str]:
    """Names of the events to which only results after a flight refer, in a leg or its successors."""
    found = set()
    for item in (one for items in leg.members.values() for one in items):
        if not isinstance(item, Effect):
            found |= {getattr(item, field) for field in getattr(item, "moment_fields", ())}
    return found.union(*map(_looked_back_to, leg.successors))


def _items(leg: MissionLeg) -> Iterator[Any]:
    for items in leg.members.values():
        yield from items
    for body in leg.members["bodies"]:
        yield from body.elements


def _events_named(item: Any) -> Iterator[str]:
    for field in item.moment_fields if isinstance(item, Effect) else ():
        named = getattr(item, field, None)
        yield from (named,) if isinstance(named, str) else named or ()


def _actions(leg: Leg) -> Iterator[Phase | Event]:
    yield from leg.phases
    yield from leg.events


def _within(item: Actions, leg: MissionLeg) -> dict[str, tuple[Any, ...]]:
    """Actions of a phase or event on members of a leg."""
    names = {one.name for items in leg.members.values() for one in items}
    found = {
        field: tuple(name for name in getattr(item, field) if name in names)
        for field in ("release", "attach", "fire", "ignite", "shut_down")
    }
    found["replace"] = tuple(new for new in item.replace if new.joint in names)
    found["drop"] = tuple(path for path in item.drop if path.partition(".")[0] in leg.bodies)
    return found


def _freed_earlier(leg: MissionLeg) -> tuple[str, ...]:
    """Joints of a leg that devices of its predecessors may have released. These devices are not in the
    leg."""
    stay = {device.name for device in leg.members["devices"]}
    gone = {
        device.name: device
        for other in _earlier(leg)
        for device in other.members["devices"]
        if device.name not in stay
    }
    joints = {joint.name for joint in leg.members["joints"]}
    return tuple(dict.fromkeys(j for device in gone.values() for j in device.released_joints if j in joints))


def _memory(name: str, does: dict[str, tuple[Any, ...]]) -> Event:
    """An event without a trigger."""
    never = with_values(Trigger(time=0.0), time=np.asarray(math.inf))
    return with_values(Event(name="earlier", when=never), name=name, **does)
