"""Actions that a scenario declares and that never take place: what waits for events that cannot occur, and
joints that nothing attaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def forgotten(scenario: Any) -> Iterator[str]:
    """One sentence for each action that never takes place, whatever the flight does."""
    yield from _waits_in_vain(scenario)
    yield from _never_attached(scenario)


def possible(scenario: Any) -> set[str]:
    """Names of the phases and events that may occur, those of devices among them."""
    found = {"start", *(phase.name for phase in scenario.phases)}
    before = -1
    while len(found) > before:
        before = len(found)
        found |= {event.name for event in scenario.events if (event.after or "start") in found}
        fired = {
            name for item in (*scenario.phases, *scenario.events) if item.name in found for name in item.fire
        }
        for device in scenario.devices:
            found |= set(_signals(scenario, device, found, fired))
    return found


def _signals(scenario: Any, device: Any, found: set[str], fired: set[str]) -> tuple[str, ...]:
    """Names of the events that a device may make. found: events that may occur; fired: devices that these
    fire."""
    after = getattr(device, "after", None)
    if device.name in fired or after in found:
        return device.signals
    if after is not None or device.idle:
        return ()
    # One that nothing fires acts from the start on, so that its firing is no event.
    ever_fired = any(device.name in item.fire for item in (*scenario.phases, *scenario.events))
    if device.fireable:
        return () if ever_fired else device.signals[1:]
    return device.signals


def _waits_in_vain(scenario: Any) -> Iterator[str]:
    """Events and devices that wait for what cannot occur."""
    found = possible(scenario)
    for group in ("events", "devices"):
        for item in getattr(scenario, group):
            for field in getattr(item, "moment_fields", ("after",)):
                awaited = getattr(item, field, None)
                if awaited is not None and awaited not in found:
                    yield (
                        f"{group}.{item.name}.{field} waits for '{awaited}', which never occurs in this"
                        f" scenario{_why(scenario, awaited)}."
                    )


def _why(scenario: Any, awaited: str) -> str:
    """Why a device's event cannot occur, where nothing fires the device."""
    for device in scenario.devices:
        if awaited in device.signals and device.fireable and getattr(device, "after", None) is None:
            fired = any(device.name in item.fire for item in (*scenario.phases, *scenario.events))
            return "" if fired else f": nothing fires '{device.name}'"
    return ""


def _never_attached(scenario: Any) -> Iterator[str]:
    """Joints that wait to be attached."""
    attached = {name for item in (*scenario.phases, *scenario.events) for name in item.attach}
    attached |= {name for device in scenario.devices for name in device.caught}
    for joint in scenario.joints:
        if not joint.active and joint.name not in attached:
            yield (
                f"joints.{joint.name} has active = false, and nothing attaches it; add attach ="
                f' ["{joint.name}"] to a phase or event, or remove the joint.'
            )
