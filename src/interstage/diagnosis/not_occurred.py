"""Warn of events that did not occur, and state the nearest values of their triggers.

The values are taken at the ends of the integration steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..engine.event_table import Condition, EventTable, TableEvent, at_address
from ..engine.flow import condition_value
from ..observation.after import Flown
from ..record.record import Record
from ..starts.events import END
from ..stepper.problem import FINISHED
from ..tree.units import display

MOST_STEPS = 20_000
"""Maximum number of step ends that are examined. If a flight has more, evenly spaced step ends are
examined.
"""
ACTIONS = ("release", "attach", "replace", "fire", "ignite", "shut_down", "drop")
"""Keys of phases and events that name the items of their actions."""


class Course(NamedTuple):
    """Summary of a trigger quantity during the time in which the trigger was watched.

    - low, high: smallest and largest value.
    - nearest: value nearest to the threshold.
    - time: time of the nearest value [s].
    - since: time from which the trigger was watched [s].
    """

    low: float
    high: float
    nearest: float
    time: float
    since: float


class Look:
    """Triggers of one flight: time span in which each trigger was watched, and values of the watched
    quantities.
    """

    def __init__(self, flown: Flown, table: EventTable, cursor: Any):
        self.flown, self.table, self.cursor = flown, table, cursor
        self.scenario = flown.scenario
        self.fired = np.asarray(cursor.discrete.fired)
        self.times = np.asarray(cursor.discrete.event_time)

    def watch_start(self, table_event: TableEvent) -> float | None:
        """Return the time [s] from which an event can occur; None if the event named by its key `after` did
        not occur.

        table_event: event of the event table.
        """
        if table_event.after is None:
            return float(self.flown.track.t[0])
        if not self.fired[table_event.after]:
            return None
        return max(float(self.times[table_event.after]), float(self.flown.track.t[0]))

    def watch_end(self, table_event: TableEvent) -> float:
        """Return the time [s] after which an event can no longer occur; infinity if it has no key `before`.

        table_event: event of the event table.
        """
        return np.inf if table_event.before is None else float(self.times[table_event.before])

    def triggers(self, table_event: TableEvent) -> list[str]:
        """Return one text for each trigger of an event, with its threshold and the nearest value or time.

        table_event: event of the event table.
        """
        found: dict[Any, list[Condition]] = {}
        for number in _numbers(table_event.when):
            condition = self.table.conditions[number]
            found.setdefault((condition.kind, condition.address), []).append(condition)
        return [text for some in found.values() if (text := self._trigger(table_event, some))]

    def _trigger(self, table_event: TableEvent, some: list[Condition]) -> str:
        """How near a trigger came. some: its conditions, one for each direction."""
        kind, end = some[0].kind, float(self.cursor.t)
        if kind == "quantity":
            return self._of_quantity(table_event, some)
        if kind not in ("time", "elapsed", "delay"):
            return ""
        due = float(at_address(self.scenario, some[0].address))
        if kind != "time":
            start = table_event.after if kind == "elapsed" else some[0].after
            due += float(self.times[start]) if start is not None else 0.0
        return f"the event is due at {due:.6g} s, but the flight ended at {end:.6g} s" if due > end else ""

    def _of_quantity(self, table_event: TableEvent, some: list[Condition]) -> str:
        """The range of a quantity while it was watched, and its threshold."""
        first = some[0]
        assert first.quantity is not None
        owner = at_address(self.scenario, first.address[:2])
        for step in first.address[2:]:
            owner = owner if getattr(owner, "quantity", None) else _inner(owner, step)
        name = getattr(owner, "quantity", None) or first.quantity.meta.long_name
        level = float(at_address(self.scenario, first.address))
        factor, unit = display(first.quantity.meta.unit)
        behind = "" if unit == "1" else f" {unit}"
        side = {1.0: " (rising)", -1.0: " (falling)"}[first.sign] if len(some) == 1 else ""
        threshold = f"the threshold is {level * factor:.5g}{behind}{side}"
        course = self._course(table_event, first, level)
        if course is None:
            return f"{name} had no value while the event could occur; {threshold}"
        low, high, nearest = (f"{value * factor:.5g}" for value in course[:3])
        text = f"{name} ranged from {low} to {high}{behind}; {threshold}; the nearest value was"
        text += f" {nearest}{behind} at {course.time:.6g} s"
        return f"{text}{_reason(course, level, some, self._rounding(some))}"

    def _rounding(self, some: list[Condition]) -> float:
        """How far rounding of the state may have moved the watched value of some conditions."""
        sizes = np.asarray(self.cursor.rounding)
        numbers = [k for k, one in enumerate(self.table.conditions) if any(one is each for each in some)]
        return float(np.max(sizes[numbers]))

    def _course(self, table_event: TableEvent, condition: Condition, level: float) -> Course | None:
        """The course of a quantity while an event was watched for."""
        begun, closed = self.watch_start(table_event), self.watch_end(table_event)
        track = self.flown.track
        steps = np.flatnonzero((track.t_end >= (np.inf if begun is None else begun)) & (track.t < closed))
        stride = -(-len(steps) // MOST_STEPS) or 1
        steps = steps[::stride]
        if not len(steps):
            return None
        value = partial(_values, condition)
        both = [self.flown.of_states(steps, value, ends) for ends in (False, True)]
        times = np.stack([track.t[steps], track.t_end[steps]], axis=1).ravel()
        values = level + condition.sign * np.stack(both, axis=1).ravel()
        known = np.isfinite(values) & (times >= begun)
        if not known.any():
            return None
        times, values = times[known], values[known]
        k = int(np.argmin(np.abs(values - level)))
        # An angle is watched within half a turn of its threshold. Its range is that of the continuous angle.
        unwraps = np.isfinite(condition.period) and stride == 1
        whole = np.unwrap(values, period=condition.period) if unwraps else values
        return Course(float(whole.min()), float(whole.max()), float(values[k]), float(times[k]), begun or 0.0)


def _inner(node: Any, step: Any) -> Any:
    return node[step] if isinstance(step, int) else getattr(node, step)


def _values(condition: Condition, mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
    """The watched value of a condition (*cases)."""
    return np.broadcast_to(condition_value(mechanism, condition, mechanism.here(t, x, discrete)), t.shape)


def _numbers(when: Any) -> Iterator[int]:
    """Numbers of the conditions of a trigger."""
    if isinstance(when, tuple):
        for part in when[1:]:
            yield from _numbers(part)
    else:
        yield when


def _reason(course: Course, level: float, some: list[Condition], rounding: float) -> str:
    """Why a threshold was not crossed, where that can be seen from the values."""
    if max(abs(course.low - level), abs(course.high - level)) <= rounding:
        return ". The quantity stayed at the threshold within rounding errors and did not cross the threshold"
    if len(some) == 1 and _within_range(course, level, some[0].period):
        other = "falling" if some[0].sign > 0 else "rising"
        return (
            f". The quantity passed the threshold only while the quantity was {other}, or only before the "
            "event could occur"
        )
    if level and course.low <= -level <= course.high:
        return ". The quantity reached the threshold with the opposite sign. Check the sign of the threshold"
    return ""


def _within_range(course: Course, level: float, period: float) -> bool:
    """Whether a threshold, or the same angle in another turn, is within the range of its quantity."""
    if np.isfinite(period):
        level += period * np.ceil((course.low - level) / period)
    return course.low <= level <= course.high


# --- what to report -----------------------------------------------------------------------------------------


def report(flown: Flown, table: EventTable, cursor: Any) -> None:
    """Add a warning to the record for each event that was watched but did not occur.

    If the flight reached the time limit, the outcome names the phase that did not end. An interrupted flight
    gets no warnings.

    flown: flight with its record. table: event table. cursor: final state of the integration.
    """
    record = flown.record
    if int(cursor.status) != FINISHED or not len(flown.track.t):
        return
    look = Look(flown, table, cursor)
    if bool(cursor.discrete.late):
        record.outcome = _late(look, record)
    for number, table_event in enumerate(table.events):
        if look.fired[number] or look.watch_start(table_event) is None or not _matters(look, table_event):
            continue
        text = _sentence(look, table_event)
        if text and table_event.kind == "device":
            record.unbegun[_of_device(look.scenario, table_event.name)] = text
        record.warnings += [text] if text else []
    if not record.completed and not bool(cursor.discrete.late):
        record.warnings += [
            (f"{text} The flight ended before the start of these phases.") for text in _not_begun(look)
        ]
    record.warnings += _waiting(look, record)


def _waiting(look: Look, record: Record) -> Iterator[str]:
    """A sentence for each event that was never watched, because the event that it waits for did not occur.
    Events that another sentence names get none."""
    named = [*record.warnings, record.outcome]
    table_events = look.table.events
    for number, table_event in enumerate(table_events):
        if table_event.kind != "event" or table_event.after is None or look.fired[number]:
            continue
        awaited = table_events[table_event.after]
        if look.fired[table_event.after] or not _matters(look, table_event):
            continue
        first = awaited.after is None or look.fired[awaited.after] or awaited.kind != "event"
        known = any(f"events.{table_event.name} (waits for " in text for text in named)
        if not first or known:
            continue
        phase = awaited.phase is not None
        what = f"phase '{awaited.name}'" if phase else f"'{awaited.name}'"
        text = (
            f"events.{table_event.name} did not occur, because events.{table_event.name} waits for {what}, "
            "which did not"
        )
        done = _undone(look.scenario, [table_event.name])
        yield f"{text} {'begin' if phase else 'occur'}.{f' Not executed: {done}.' if done else ''}"


def _matters(look: Look, table_event: TableEvent) -> bool:
    """Whether it is worth a line that an event did not occur: not of one that only ends the flight, of
    another leg, or of a device that releases and catches nothing."""
    if table_event.kind == "device":
        return bool(table_event.modes) or any(
            look.table.conditions[number].kind == "delay" for number in _numbers(table_event.when)
        )
    event = next((event for event in look.scenario.events if event.name == table_event.name), None)
    if event is None or event.elsewhere:
        return False
    return not event.ends or any(getattr(event, field) for field in ACTIONS)


def _sentence(look: Look, table_event: TableEvent) -> str:
    """That an event did not occur, how near it came, and what was not done for that; nothing of a device that
    is declared to fail."""
    conditions = [look.table.conditions[number] for number in _numbers(table_event.when)]
    if any(c.works and not float(at_address(look.scenario, c.works)) > 0 for c in conditions):
        return ""
    delays = [c for c in conditions if c.kind == "delay"]
    begun = [c for c in delays if c.after is not None and look.fired[c.after]]
    if delays and not any(np.isfinite(float(at_address(look.scenario, c.address))) for c in begun):
        return ""  # nothing has fired it (another warning), or it is declared to fail
    group = "devices" if table_event.kind == "device" else "events"
    head = f"event '{table_event.name}'" if group == "devices" else f"{group}.{table_event.name}"
    text = f"{head} did not occur"
    if found := look.triggers(table_event):
        text += f": {'; '.join(found)}"
    if look.watch_end(table_event) < np.inf:
        assert table_event.before is not None
        too_late = look.table.events[table_event.before].name
        text += f". The event could not occur after '{too_late}' at {look.watch_end(table_event):.6g} s"
    done = _undone(look.scenario, [table_event.name])
    return f"{text}.{f' Not executed: {done}.' if done else ''}"


def _of_device(scenario: Any, event: str) -> str:
    """The path of the device that makes an event."""
    return next(f"devices.{d.name}" for d in scenario.devices if event in d.signals)


def _undone(scenario: Any, names: Sequence[str]) -> str:
    """What phases and events of these names, and what waits for them, would have done."""
    known, found = [*names], []
    for name in known:
        for item in (*scenario.phases, *scenario.events):
            if item.name == name:
                found += [text for field in ACTIONS if (text := _action(field, getattr(item, field)))]
        for group in ("events", "devices"):
            for item in getattr(scenario, group):
                if getattr(item, "after", None) == name and item.name not in known:
                    found.append(f"{group}.{item.name} (waits for {name})")
                    known += [item.name] if group == "events" else item.signals
        released = [
            j for d in scenario.devices if name in d.signals for j in (*d.released_joints, *d.caught_joints)
        ]
        found += [f"joint {', '.join(released)}"] if released else []
    return "; ".join(dict.fromkeys(found))


def _action(field: str, named: Sequence[Any]) -> str:
    names = ", ".join(one if isinstance(one, str) else one.joint for one in named)
    return f"{field.replace('_', ' ')} {names}" if names else ""


def _late(look: Look, record: Record) -> str:
    """The outcome of a flight that came to its time limit."""
    phases, number = look.scenario.phases, int(look.cursor.discrete.phase)
    ended = next(
        h
        for h in look.table.events
        if h.name == (END if number + 1 == len(phases) else phases[number + 1].name)
    )
    text = f"Ended early at the time limit of {float(look.cursor.t):.6g} s, before the end of phase"
    text += f" '{phases[number].name}'"
    if found := look.triggers(ended):
        text += f": {'; '.join(found)}"
    return " ".join([f"{text}.", *_not_begun(look)])


def _not_begun(look: Look) -> list[str]:
    """The phases that did not begin, and what was not done for that, in a sentence; empty if all began."""
    later = [phase.name for phase in look.scenario.phases[int(look.cursor.discrete.phase) + 1 :]]
    done = _undone(look.scenario, later)
    return (
        [f"Phases that did not begin: {', '.join(later)}.{f' Not executed: {done}.' if done else ''}"]
        if later
        else []
    )
