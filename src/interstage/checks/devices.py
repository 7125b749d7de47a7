"""Checks of devices that release or catch: what they name, and whether it can ever come to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..model.device_signals import caught, released, signals, signals_of
from ..model.joint_rows import rows_of
from ..parts.catches.declared import HingeRelease, Latch, Rail
from ..parts.drag.declared import DragDevice
from ..parts.releases.declared import ReleaseDevice
from ..parts.stops.declared import HingeStop, Stop
from ..tree.errors import BrokenName, Problem, unknown
from .formulation import kinds_of

if TYPE_CHECKING:
    from ..model.joint import Joint
    from ..scenario import Scenario


def device_problems(
    scenario: Scenario, joints: Iterable[str], moments: Iterable[str], partial: bool = False
) -> Iterator[Problem]:
    """All that is wrong with devices that release or catch. joints, moments: names that may be referred to.
    partial: some declarations are left out, so that nothing follows from what is not there."""
    joints, moments = tuple(joints), tuple(moments)
    declared = {joint.name: joint for joint in scenario.joints}
    for device in scenario.devices:
        place = f"devices.{device.name}"
        if not isinstance(device, ReleaseDevice | HingeRelease | Latch | Rail):
            continue
        yield from _names(place, device, joints)
        after = getattr(device, "after", None)
        if after is not None:
            yield from unknown(f"{place}.after", after, moments, "phase, event or device's event")
        if isinstance(device, HingeRelease) and device.joint in declared:
            yield from _turning(place, scenario, declared[device.joint])
        if isinstance(device, Latch) and device.joint in declared and not partial:
            yield from _waiting(place, scenario, declared[device.joint])
        if isinstance(device, Rail):
            yield from _running(place, [declared[name] for name in device.lugs if name in declared])


def _names(place: str, device: Any, joints: tuple[str, ...]) -> Iterator[Problem]:
    """Joints that a device names."""
    key = {HingeRelease: "joint", Latch: "joint", Rail: "lugs"}.get(type(device), "joints")
    named = (*released(device), *caught(device))
    if not named:
        lugs = isinstance(device, Rail)
        yield BrokenName(
            f"{place}.{key}", f"{'has no lug' if lugs else 'releases no joint'}; name at least one joint"
        )
    for name in dict.fromkeys(named):
        yield from unknown(f"{place}.{key}", name, joints, "joint")
        if named.count(name) > 1:
            yield BrokenName(f"{place}.{key}", f"names joint '{name}' more than once; name it once")


def stop_problems(scenario: Scenario, joints: Iterable[str]) -> Iterator[Problem]:
    """All that is wrong with the joints that stops name."""
    declared, joints = {joint.name: joint for joint in scenario.joints}, tuple(joints)
    for stop in scenario.forces:
        if not isinstance(stop, Stop | HingeStop):
            continue
        place = f"forces.{stop.name}"
        if stop.joint not in declared:
            yield from unknown(f"{place}.joint", stop.joint, joints, "joint")
        elif isinstance(stop, HingeStop):
            yield from _turning(place, scenario, declared[stop.joint], stop.axis)


def _turning(place: str, scenario: Scenario, joint: Joint, wanted: str = "") -> Iterator[Problem]:
    """A hinge has one axis to turn about, the one `wanted` if any is."""
    axes = {
        rows.rotations[0][0] for rows in map(rows_of, kinds_of(scenario, joint)) if len(rows.rotations) == 2
    }
    if len(axes) != 1:
        found = "turns about different axes" if axes else "never turns about one axis only"
        yield Problem(
            f"{place}.joint",
            f"joint '{joint.name}' {found}, as declared or replaced; name one that is, or becomes, revolute,"
            " or give an event with a quantity of its rotation",
        )
    elif wanted and axes != {"xyz".index(wanted)}:
        turns = "xyz"[axes.pop()]
        yield Problem(
            f"{place}.axis", f"joint '{joint.name}' turns about {turns}, not {wanted}; say \"{turns}\""
        )


def _waiting(place: str, scenario: Scenario, joint: Joint) -> Iterator[Problem]:
    """A joint that is to take hold must not do so throughout."""
    actions = (*scenario.phases, *scenario.events)
    loose = {name for item in actions for name in item.release}
    loose |= {name for device in scenario.devices for name in released(device)}
    if joint.active and joint.name not in loose:
        text = f"joint '{joint.name}' holds throughout, so there is nothing to catch"
        yield Problem(f"{place}.joint", f"{text}; declare it with active = false, or release it first")


def _running(place: str, lugs: list[Joint]) -> Iterator[Problem]:
    """Lugs run along x of one parent."""
    if len({lug.parent for lug in lugs}) > 1:
        parents = ", ".join(sorted({lug.parent for lug in lugs}))
        yield Problem(f"{place}.lugs", f"run on different parents ({parents}); a rail is on one")
    for lug in lugs:
        rows = rows_of(lug)
        if 0 in rows.translations or rows.rod or rows.rolls:
            yield Problem(
                f"{place}.lugs",
                f"joint '{lug.name}' ({lug.kind}) does not run along x of its parent's joint frame; take"
                ' generalized with locked = ["ty", "tz"], or translational or cylindrical with axis = "x"',
            )


def unfired(scenario: Scenario) -> Iterator[str]:
    """Release devices that never act: allowed, because what they hold with may be all that is asked."""
    actions = (*scenario.phases, *scenario.events)
    fired = {name for item in actions for name in item.fire}
    held = {joint.name for joint in scenario.joints if joint.active}
    held |= {name for item in actions for name in item.attach}
    held |= {name for device in scenario.devices for name in caught(device)}
    for device in scenario.devices:
        if not isinstance(device, ReleaseDevice):
            continue
        if device.after is None and device.name not in fired:
            yield (
                f'{device.name} is never fired, and its joints hold on; say fire = ["{device.name}"] in a'
                " phase or event, or give it after."
            )
        elif not held.intersection(device.joints):
            yield f"{device.name} has nothing to release: {', '.join(device.joints)} never holds."


def chain_problems(scenario: Scenario) -> Iterator[Problem]:
    """Events and devices that wait for what never happens: a device that nothing fires, or each other."""
    possible = {"start", *(phase.name for phase in scenario.phases)}
    while True:
        found = {e.name for e in scenario.events if e.after is None or e.after in possible}
        for device in scenario.devices:
            if _comes(scenario, device, possible | found):
                found.update(signals_of(device))
        if found <= possible:
            break
        possible |= found
    events = {event.name: event.after for event in scenario.events}
    of_devices = set(signals(scenario.devices))
    for name, after in events.items():
        # Events that wait for each other alone are told by the sequence of events.
        if after in of_devices and after not in possible:
            yield Problem(f"events.{name}.after", f"can never happen: '{after}' never does. {FIRE}")
    for device in scenario.devices:
        after = getattr(device, "after", None)
        if after in of_devices | events.keys() and after not in possible:
            yield Problem(f"devices.{device.name}.after", f"can never happen: '{after}' never does. {FIRE}")


FIRE = "Name its device in fire of a phase or event, or let it wait for something that comes"


def _comes(scenario: Scenario, device: Any, possible: set[str]) -> bool:
    """Whether the events of a device can come after some that can."""
    after = getattr(device, "after", None)
    actions = (*scenario.phases, *scenario.events)
    fired = any(device.name in item.fire and item.name in possible for item in actions)
    by_itself = after is None and not isinstance(device, ReleaseDevice | DragDevice)
    return fired or by_itself or (after is not None and after in possible)
