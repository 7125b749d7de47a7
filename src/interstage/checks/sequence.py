"""Check the sequence of a scenario for events that cannot occur, and for actions without effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.joint import APPLIES_TO
from ..model.sequence import Actions, Trigger
from ..tree.errors import Problem

if TYPE_CHECKING:
    from ..scenario import Scenario

NEVER_NEGATIVE = (
    *("distance", "speed", "mass", "magnitude", "kinetic_energy", "energy_stored"),
    *("radial_distance", "axis_angle", "shear_force", "bending_moment", "clamp_force"),
)
"""Last names in the paths of quantities that cannot be negative."""
ROUNDING = 4 * np.finfo(float).eps
"""Tolerance for rounding errors in the sum of two times, relative to the time limit."""


def sequence_problems(scenario: Scenario, partial: bool) -> Iterator[Problem]:
    """Yield the problems of the sequence.

    partial: true if some declarations are missing. Only single triggers are then checked.
    """
    for place, trigger in triggers(scenario):
        yield from _impossible_value(place, trigger)
    if not partial:
        yield from _waits(scenario)
        yield from _repetitions(scenario)
        yield from over(scenario, 0.0, scenario.solver.time_limit)
        yield from _holds(scenario)


def triggers(scenario: Any) -> Iterator[tuple[str, Trigger]]:
    """Yield (path, trigger) of all triggers of a scenario or a leg, including nested triggers."""
    for phase in scenario.phases:
        yield from _inside(f"phases.{phase.name}.until", phase.until)
    for event in scenario.events:
        yield from _inside(f"events.{event.name}.when", event.when)


def _inside(place: str, trigger: Trigger) -> Iterator[tuple[str, Trigger]]:
    yield place, trigger
    for word in ("any", "all"):
        for i, part in enumerate(getattr(trigger, word) or ()):
            yield from _inside(f"{place}.{word}.{i}", part)


def _impossible_value(place: str, trigger: Trigger) -> Iterator[Problem]:
    if (
        trigger.quantity is None
        or trigger.reaches is None
        or trigger.quantity.split(".")[-1] not in NEVER_NEGATIVE
    ):
        return
    value = trigger.reaches.magnitude
    if isinstance(value, np.ndarray) and (value < 0).all():
        yield Problem(
            f"{place}.reaches",
            f"{trigger.quantity} is never negative and cannot reach {trigger.reaches}. Give a value"
            " of zero or more",
        )


# --- time ---------------------------------------------------------------------------------------------------


def _waits(scenario: Scenario) -> Iterator[Problem]:
    """Events that wait for themselves, directly or in a circle."""
    after = {e.name: e.after for e in scenario.events}
    for name in after:
        seen, step = [name], after[name]
        while step in after and step not in seen:
            seen.append(step)
            step = after[step]
        if step == name:
            yield Problem(f"events.{name}.after", f"the event cannot occur: {_circle(seen)}")


def _repetitions(scenario: Scenario) -> Iterator[Problem]:
    """Events that repeat without end at one time or cannot repeat, and events that expire before their watch
    begins."""
    phases = [phase.name for phase in scenario.phases]
    for event in scenario.events:
        place = f"events.{event.name}"
        if event.before is not None and event.before in (event.name, event.after or "start"):
            why = (
                "itself"
                if event.before == event.name
                else f"'{event.before}', but its trigger is active only after '{event.before}'"
            )
            yield Problem(
                f"{place}.before",
                f"event '{event.name}' cannot occur: it must occur before {why}. Give a later event",
            )
        elif event.before in phases and _not_after(phases, event.before, event.after):
            since = f"'{event.after}'" if event.after else "the start of the flight"
            text = (
                f"event '{event.name}' cannot occur: its trigger is active from"
                f" {since}, when '{event.before}' has already occurred"
            )
            yield Problem(f"{place}.before", f"{text}. Give a later event")
        if not event.repeats:
            continue
        yield from _fired_again(scenario, event)
        for inner, trigger in _inside(f"{place}.when", event.when):
            if trigger.time is not None:
                text = (
                    "each flight time occurs only once, but this event repeats. Use 'elapsed' or a "
                    "quantity as the trigger"
                )
                yield Problem(f"{inner}.time", text)
            if trigger.already == "fire":
                text = (
                    'already = "fire" repeats the event without end at one time. Remove the key '
                    "'already' or 'repeats'"
                )
                yield Problem(f"{inner}.already", text)


def _not_after(phases: list[str], one: str, other: str | None) -> bool:
    """Whether a phase begins no later than another phase, or with the flight."""
    if other is None or other == "start":
        return phases.index(one) == 0
    return other in phases and phases.index(one) <= phases.index(other)


def _fired_again(scenario: Scenario, event: Any) -> Iterator[Problem]:
    """Devices that a repeating event fires: their delays would restart at each repetition."""
    text = f"only once, but event '{event.name}' repeats. Use an event that does not repeat"
    for name in event.fire:
        yield Problem(f"events.{event.name}.fire", f"device '{name}' can be fired {text}")
    for device in scenario.devices:
        if getattr(device, "after", None) == event.name:
            yield Problem(f"devices.{device.name}.after", f"the device can act {text}")


def _circle(waiting: list[str]) -> str:
    """Describe a circle of waiting events, and the fix."""
    if len(waiting) == 1:
        text = f"{waiting[0]} waits for itself"
        return f"{text}. Set the key 'after' to a phase or another event, or remove 'after'"
    return (
        f"{' waits for '.join([*waiting, waiting[0]])}. Set the key 'after' of one of these items to a "
        "phase, or remove 'after'"
    )


def earliest(sequence: Any, start: float) -> tuple[dict[str | None, float], float]:
    """Return the earliest start time [s] of each phase of a scenario or leg, and the earliest end time [s].

    sequence: scenario or leg. start: its earliest start time [s].
    """
    starts: dict[str | None, float] = {None: start}
    now = start
    for phase in sequence.phases:
        starts[phase.name] = now
        now = max(now, _earliest(phase.until, now))
    return starts, now


def over(sequence: Any, begin: float, time_limit: Any) -> Iterator[Problem]:
    """Yield a problem for each trigger time before the earliest start of its watch, or after the time limit.

    - sequence: scenario or leg.
    - begin: earliest start time of the scenario or leg [s].
    """
    limit = _number(time_limit)
    starts, _ = earliest(sequence, begin)
    for phase in sequence.phases:
        yield from _never(
            f"phases.{phase.name}.until",
            phase.until,
            starts[phase.name],
            limit,
            "its phase begins",
            strict=True,
        )
    for event in sequence.events:
        start = starts.get(event.after, begin)
        yield from _never(
            f"events.{event.name}.when", event.when, start, limit, "its trigger is active", strict=False
        )


def _never(
    place: str, trigger: Trigger, start: float, limit: float, begins: str, strict: bool
) -> Iterator[Problem]:
    if trigger.time is not None:
        time = _number(trigger.time)
        if time < start or (strict and time == start):
            yield Problem(
                f"{place}.time",
                f"the trigger cannot occur: {time:g} s is not after {start:g} s, the earliest time at "
                f"which {begins}. Give a later time, or use 'elapsed'",
            )
    for part, key in ((trigger.time, "time"), (trigger.elapsed, "elapsed")):
        end = _number(part) + (start if key == "elapsed" else 0.0) if part is not None else 0.0
        if limit * (1 + ROUNDING) < end < np.inf:  # an infinite time stands for an event of another leg
            yield Problem(
                f"{place}.{key}",
                f"the event is at {end:g} s, after the time limit of {limit:g} s. Increase solver.time_limit",
            )
    for i, part in enumerate(trigger.any or ()):
        yield from _never(f"{place}.any.{i}", part, start, limit, begins, strict)


def _earliest(trigger: Trigger, start: float) -> float:
    """The earliest time [s] at which a trigger that is watched from `start` can occur."""
    if trigger.time is not None:
        return max(start, _number(trigger.time))
    if trigger.elapsed is not None:
        return start + _number(trigger.elapsed)
    if trigger.any is not None:
        return min(_earliest(part, start) for part in trigger.any)
    if trigger.all is not None:
        return max(_earliest(part, start) for part in trigger.all)
    return start


def _number(value: Any) -> float:
    """The smallest value over the cases of a number; 0 for a number without a value yet."""
    return float(np.min(value)) if isinstance(value, np.ndarray) else 0.0


# --- states of joints ---------------------------------------------------------------------------------------


def _holds(scenario: Scenario) -> Iterator[Problem]:
    """Release of inactive joints, attachment of active joints, replacement by the same kind.

    Joints that events act on are not checked, because only the flight determines the times of events."""
    devices = {device.name: device for device in scenario.devices}
    loose = {j for e in scenario.events for j in _affected_joints(e, devices)}
    loose |= {j for d in scenario.devices if not d.reliable for j in (*d.released_joints, *d.caught_joints)}
    declared = {j.name: _options(j) for j in scenario.joints if j.name not in loose}
    state = {j.name: declared[j.name] if j.active else None for j in scenario.joints if j.name in declared}
    fired: set[str] = set()
    for event in scenario.events:
        yield from _twice(f"events.{event.name}", _affected_joints(event, devices))
    for phase in scenario.phases:
        place = f"phases.{phase.name}"
        yield from _twice(place, _affected_joints(phase, devices))
        yield from _check_release(place, phase, devices, state)
        yield from _check_attach(place, phase, declared, state)
        yield from _check_replace(place, phase, state)
        for device in phase.fire:
            if device in fired:
                yield Problem(
                    f"{place}.fire",
                    f"device '{device}' is already fired by an earlier phase, but a device can be fired "
                    f"only once. Remove '{device}' from this key 'fire'",
                )
            fired.add(device)


def _joints_released_by(item: Actions, devices: dict[str, Any]) -> list[str]:
    """Joints that the fired devices release at once, without duplicates: several bolts may hold one joint."""
    fired = [devices[name] for name in item.fire if name in devices]
    return list(dict.fromkeys(joint for device in fired for joint in device.at_once))


def _affected_joints(item: Actions, devices: dict[str, Any]) -> list[str]:
    return [
        *item.release,
        *item.attach,
        *(r.joint for r in item.replace),
        *_joints_released_by(item, devices),
    ]


def _twice(place: str, touched: list[str]) -> Iterator[Problem]:
    """Two actions on one joint at the same time."""
    for joint in sorted({j for j in touched if touched.count(j) > 1}):
        yield Problem(place, f"joint '{joint}' has more than one action at the same time. Keep one action")


def _check_release(
    place: str, item: Actions, devices: dict[str, Any], state: dict[str, Any]
) -> Iterator[Problem]:
    released = [("release", j) for j in item.release] + [
        ("fire", j) for j in _joints_released_by(item, devices)
    ]
    for action, joint in released:
        if joint in state and state[joint] is None:
            yield Problem(
                f"{place}.{action}",
                f"joint '{joint}' is not active at this time: the joint is already released, or not yet"
                " attached. Remove this action, or attach the joint first",
            )
        if joint in state:
            state[joint] = None


def _check_attach(
    place: str, item: Actions, declared: dict[str, Any], state: dict[str, Any]
) -> Iterator[Problem]:
    for joint in item.attach:
        if state.get(joint) is not None:
            yield Problem(
                f"{place}.attach",
                f"joint '{joint}' is already active. Release the joint first, or"
                " declare it with active = false",
            )
        if joint in state:
            state[joint] = declared[joint]


def _check_replace(place: str, item: Actions, state: dict[str, Any]) -> Iterator[Problem]:
    for new in item.replace:
        if new.joint not in state:
            continue
        if state[new.joint] is None:
            yield Problem(
                f"{place}.replace.{new.joint}", "the joint is not active at this time. Attach the joint first"
            )
        elif state[new.joint] == _options(new):
            yield Problem(
                f"{place}.replace.{new.joint}",
                f"the joint already has the kind {new.kind} with the same options. Set another kind,"
                " or remove this action",
            )
        state[new.joint] = _options(new)


def _options(joint: Any) -> tuple:
    """The constraint of a joint for comparison: its kind and the options of this kind."""
    axis = joint.free_axis if joint.kind in APPLIES_TO["axis"] else None
    axes = joint.universal_axes if joint.kind == "universal" else None
    numbers = joint.length, joint.angle, joint.radius
    sizes = tuple(None if n is None else np.asarray(n).tobytes() for n in numbers)
    options = joint.rotates, frozenset(joint.locked), joint.rotation_pair, joint.axes_of
    return joint.kind, axis, axes, *options, sizes
