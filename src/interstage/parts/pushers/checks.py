"""Checks of pushers and umbilicals: firing, gas chambers, strokes and directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.errors import Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from .declared import FiredPusher, GasChamber, KickoffSpring, Piston, Pusher, check_expansion

if TYPE_CHECKING:
    from ...record.record import Record
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the faults of pushers that depend on other declarations.

    `names`: all names in the scenario. A declaration that was omitted from the check because it is faulty
    causes no further fault.
    """
    devices, partial = names.devices, names.partial
    fired = {name for item in (*scenario.phases, *scenario.events) for name in item.fire}
    for device in scenario.devices:
        if isinstance(device, FiredPusher) and device.after is None and device.name not in fired:
            if not partial:
                yield from _check_delay(device)
                yield from _check_waiting(scenario, device)
        elif isinstance(device, FiredPusher):
            yield from _fired_again(scenario, device)
    chambers = {d.name: d for d in scenario.devices if isinstance(d, GasChamber)}
    pistons = [d for d in scenario.devices if isinstance(d, Piston)]
    # An omitted device may be a chamber. Present devices of another kind are not chambers.
    here = {device.name for device in scenario.devices}
    known = [*chambers, *(name for name in devices if name not in here)]
    lost = [p for p in pistons if p.chamber is not None and p.chamber not in known]
    for piston in lost:
        yield from unknown(f"devices.{piston.name}.chamber", str(piston.chamber), known, "gas chamber")
    for name, chamber in chambers.items():
        driven = [p for p in pistons if p.chamber == name]
        if not driven and not partial and not lost:
            text = (
                f'the gas chamber drives no piston. Set chamber = "{name}" in a piston, or remove this '
                "chamber"
            )
            yield Problem(f"devices.{name}", text)
        yield from _expansion(chamber, driven)


def _check_delay(device: FiredPusher) -> Iterator[Problem]:
    """Fault of a delay of a pusher that nothing fires."""
    if isinstance(device.delay, np.ndarray) and (device.delay > 0).any():
        yield Problem(f"devices.{device.name}.delay", f"'delay' is counted from the firing, but {UNFIRED}")


def _check_waiting(scenario: Scenario, device: FiredPusher) -> Iterator[Problem]:
    """Faults of phases, events and devices that wait for a firing that never occurs."""
    for group in ("events", "devices"):
        for item in getattr(scenario, group):
            if getattr(item, "after", None) == device.signals[0]:
                place = f"{group}.{item.name}.after"
                text = f"this event never occurs: '{device.name}' pushes from the start, because {UNFIRED}"
                yield Problem(place, text)


def _fired_again(scenario: Scenario, device: FiredPusher) -> Iterator[Problem]:
    """Faults of phases and events that fire a device again after its `after` has fired it."""
    phases = [phase.name for phase in scenario.phases]
    first = phases.index(device.after) if device.after is not None and device.after in phases else len(phases)
    for phase in scenario.phases[first:]:
        if device.name in phase.fire:
            text = f"'{device.name}' is already fired by its key after = \"{device.after}\""
            remedy = "Remove after, or remove the device from `fire`"
            yield Problem(f"phases.{phase.name}.fire", f"{text}. {remedy}")


UNFIRED = "no phase or event fires this device. Add the device to a list `fire`, or set `after`"


def _expansion(chamber: GasChamber, driven: list[Piston]) -> Iterator[Problem]:
    """Faults of a chamber whose gas expands to the ambient pressure before the ends of the strokes of its
    pistons."""
    swept: Any = 0.0
    for piston in driven:
        numbers: tuple[Any, ...] = piston.area, piston.stroke, piston.strength
        if not all(isinstance(number, np.ndarray) for number in numbers):
            return
        area, stroke, strength = np.broadcast_arrays(*numbers)
        swept = swept + np.where(strength > 0, area * stroke, 0.0)  # a failed piston takes no gas
    if driven and isinstance(chamber.volume, np.ndarray):
        for found in check_expansion(chamber, chamber.volume, swept):
            first = driven[0].name
            yield Problem(
                f"devices.{first}.stroke", f"{found}. All pistons of the chamber expand this gas together"
            )


# --- warnings -----------------------------------------------------------------------------------------------

TOGETHER = -0.5
"""Cosine of 120 deg, for the angle between the push and the line from the parent's to the child's centre of
mass.

Below this cosine, a warning states that the device pushes the bodies together.
"""
UNMOVED = 1e-6
"""Fraction of the stroke. A pusher with less travel counts as unmoved.

The error of a joint constraint is smaller than this travel.
"""
LONG_STROKE = {True: 1.0, False: 5.0}
"""Strokes [m] above which a warning is printed. Key True: springs, whose strokes are usually centimetres. Key
False: all other devices.
"""


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield warnings about unusually long strokes and ineffective pushers.

    A pusher is ineffective if it presses bodies together at the start, or if the joints between its bodies
    are never released. `pose`: function that returns the initial pose of a body by its name.
    """
    yield from _long(scenario)
    yield from _together(scenario, pose)
    yield from _held_warnings(scenario)


def _held_warnings(scenario: Scenario) -> Iterator[str]:
    """Warnings about devices between bodies that stay connected by fixed joints."""
    for device in scenario.devices:
        if isinstance(device, Pusher) and (joints := held_throughout(scenario, device.parent, device.child)):
            held = "joint" if len(joints) == 1 else "joints"
            yield (
                f"{device.name} cannot move: {held} {', '.join(joints)} between '{device.parent}' and"
                f" '{device.child}' {'is' if len(joints) == 1 else 'are'} never released. Add release ="
                f' ["{joints[0]}"] to a phase or event.'
            )


def notes(record: Record) -> Iterator[str]:
    """Yield a warning for each pusher that pushed until the end of the flight but did not move."""
    scenario = record.scenario
    for device in scenario.devices:
        path = f"devices.{device.name}"
        if not isinstance(device, FiredPusher) or f"{path}.state" not in record.series:
            continue
        pushing, travel = (record.series[f"{path}.{what}"] for what in ("state", "stroke"))
        still = np.abs(travel[pushing > 0]) < UNMOVED * float(device.stroke)
        if not len(still) or not still.all() or not pushing[-1] > 0 or not float(device.strength) > 0:
            continue
        if held_throughout(scenario, device.parent, device.child):
            continue
        record.unbegun[path] = (
            f"{device.name} pushed without motion until the end of the flight, because joints between"
            f" '{device.parent}' and '{device.child}' were not released."
        )
        yield record.unbegun[path]


def held_throughout(scenario: Scenario, one: str, other: str) -> tuple[str, ...]:
    """Return the names of a chain of fixed joints that connects the bodies `one` and `other` in the whole
    flight.

    Without such a chain, the result is an empty tuple.
    """
    actions = (*scenario.phases, *scenario.events)
    loose = {name for item in actions for name in item.release}
    loose |= {new.joint for item in actions for new in item.replace}
    loose |= {name for device in scenario.devices for name in device.released_joints}
    rigid = [j for j in scenario.joints if j.kind == "fixed" and j.active and j.name not in loose]
    rigid = [joint for joint in rigid if joint.driven is None and joint.rates is None]
    ways: dict[str, tuple[str, ...]] = {one: ()}
    reached = [one]
    while reached:
        here = reached.pop(0)
        for joint in rigid:
            ends = joint.parent, joint.child
            there = ends[here == ends[0]] if here in ends else here
            if there not in ways:
                ways[there] = (*ways[here], joint.name)
                reached.append(there)
    return ways.get(other, ())


def _long(scenario: Any) -> Iterator[str]:
    for device in scenario.devices:
        if isinstance(device, FiredPusher):
            stroke = float(np.max(np.asarray(device.stroke, float)))
            if stroke > LONG_STROKE[isinstance(device, KickoffSpring)]:
                text = f"{device.name} has a stroke of {stroke:g} m. Numbers without a unit are in SI units."
                yield f'{text} Check whether "{stroke:g} mm" or "{stroke:g} cm" is meant.'


def _together(scenario: Any, pose: Any) -> Iterator[str]:
    """Warnings about pushers that push the child towards the parent."""
    pushers: list[Any] = [device for device in scenario.devices if isinstance(device, FiredPusher)]
    for device in pushers:
        parent, child = (pose(name) for name in (device.parent, device.child))
        if parent is None or child is None:
            continue
        if device.axis is not None:
            push = parent.turn @ np.asarray(device.axis)
        else:
            push = child.at(device.child_at) - parent.at(device.parent_at)
        way = child.place - parent.place
        size = np.linalg.norm(push) * np.linalg.norm(way)
        if size > 0 and push @ way < TOGETHER * size:
            yield (
                f"{device.name} pushes {device.child} towards {device.parent}: the push points from the"
                " centre of"
                f" mass of {device.child} to the centre of mass of {device.parent}. Reverse axis, or exchange"
                " parent and child."
            )
