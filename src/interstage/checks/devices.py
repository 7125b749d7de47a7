"""Check the bodies, joints and events to which effects refer, and whether these events can occur.

`model.effect` reports these references, so the checks are independent of the kinds of effects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..model.effect import Effect, signals
from ..scenario import GROUPS
from ..tree.errors import BrokenName, Problem
from ..tree.name_check import unknown
from ..tree.names import GROUND, Names

if TYPE_CHECKING:
    from ..scenario import Scenario


def effect_problems(scenario: Scenario, names: Names) -> Iterator[Problem]:
    """Yield a problem for each unknown name in forces and devices."""
    for group in ("forces", "devices"):
        for effect in getattr(scenario, group):
            yield from _names(f"{group}.{effect.name}", effect, names)


def _names(place: str, effect: Any, names: Names) -> Iterator[Problem]:
    if effect.ends:
        yield from ends(place, effect, names, effect.grounded)
    elif (body := getattr(effect, "body", None)) is not None:
        yield from unknown(f"{place}.body", body, names.bodies, "body")
    for phase in getattr(effect, "phases", None) or ():
        yield from unknown(f"{place}.phases", phase, names.phases, "phase")
    if effect.joint_field:
        yield from _joints(f"{place}.{effect.joint_field}", effect, names)
    moments = (*names.moments, *(("start",) if effect.from_start else ()))
    for key in effect.moment_fields:
        moment = getattr(effect, key, None)
        if moment is not None:
            yield from unknown(f"{place}.{key}", moment, moments, "phase, event or device's event")


def ends(place: str, item: Any, names: Names, ground: bool) -> Iterator[BrokenName]:
    """Yield the problems of the two bodies that an item connects.

    - place: path of the item.
    - ground: whether the ground may be the parent.
    """
    parents = (*names.bodies, GROUND) if ground else names.bodies
    if item.parent == GROUND and not ground:
        yield BrokenName(
            f"{place}.parent",
            "the parent is 'ground', but must be a body here. Give the name of a body",
        )
    else:
        yield from unknown(f"{place}.parent", item.parent, parents, "body")
    if item.child == GROUND:
        yield BrokenName(
            f"{place}.child", "'ground' cannot be the child. Make 'ground' the parent, and the body the child"
        )
    else:
        yield from unknown(f"{place}.child", item.child, names.bodies, "body")
    if item.parent == item.child != GROUND:
        yield BrokenName(
            f"{place}.child", f"parent and child are both '{item.child}'. Give two different bodies"
        )


def _joints(place: str, effect: Effect, names: Names) -> Iterator[BrokenName]:
    named = effect.joints_named
    if not named:
        yield BrokenName(place, "the list of joints is empty. Add at least one joint")
    for name in dict.fromkeys(named):
        yield from unknown(place, name, names.joints, "joint")
        if named.count(name) > 1:
            yield BrokenName(place, f"joint '{name}' is listed more than once. Keep the name once")


def chain_problems(scenario: Scenario) -> Iterator[Problem]:
    """Yield a problem for each event, device or other item that waits for an event that never occurs.

    For example, no item fires a device, or two items wait for each other.
    """
    possible = {"start", *(phase.name for phase in scenario.phases)}
    while True:
        found = {e.name for e in scenario.events if e.after is None or e.after in possible}
        for device in scenario.devices:
            if _comes(scenario, device, possible | found):
                found.update(device.signals)
        if found <= possible:
            break
        possible |= found
    events = {event.name: event.after for event in scenario.events}
    of_devices = set(signals(scenario.devices))
    for name, after in events.items():
        # Events that wait for each other alone are reported by the sequence of events.
        if after in of_devices and after not in possible:
            yield Problem(
                f"events.{name}.after", f"the event cannot occur because '{after}' never occurs. {FIRE}"
            )
    for group in GROUPS:
        for item in getattr(scenario, group):
            for field in getattr(item, "moment_fields", ()):
                awaited = getattr(item, field, None)
                if awaited in of_devices | events.keys() and awaited not in possible:
                    own = awaited in getattr(item, "signals", ())
                    why = (
                        "comes from the device that waits for this event, and a device acts only once"
                        if own
                        else "never occurs"
                    )
                    place = f"{group}.{item.name}.{field}"
                    yield Problem(place, f"the event cannot occur: '{awaited}' {why}. {FIRE}")


FIRE = (
    "Add the device of the awaited event to the key 'fire' of a phase or event, or give an event that occurs"
)


def _comes(scenario: Scenario, device: Any, possible: set[str]) -> bool:
    """Whether the events of a device can come after some that can."""
    after = getattr(device, "after", None)
    actions = (*scenario.phases, *scenario.events)
    fired = any(device.name in item.fire and item.name in possible for item in actions)
    by_itself = after is None and not device.idle
    return fired or by_itself or (after is not None and after in possible)
