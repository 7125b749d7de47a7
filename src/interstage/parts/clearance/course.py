"""The distance of two bodies over a flight: at the samples, at the events, and where it is least in
between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...record.record import Record
from .declared import chosen
from .motion import Poses, Relative, Sampler, fastest, from_a, relative
from .nearest import Nearest, Pair
from .solids import solids

TOUCHING = 1e-9
"""Distance, relative to the size of the larger body, up to which two bodies touch."""
APART = 1e-7
"""Distance, relative to the size, from which on they have come apart: rounding keeps no joint closer than
this and further than `TOUCHING`."""
OVERLAP = 1e-6
"""Depth, relative to the size, from which on an overlap is reported from a touch: ten times what is apart."""
NEAR = 1e-6
"""Part of an interval between two times that is not worth a look of its own."""
AT_ONCE = 126
"""Times between two others that are looked at in one go."""
ROUNDS = 3
"""How often a stretch that may hold the least distance is divided."""
NARROWINGS = 2
"""How often the stretch around the least distance is divided."""
FASTER = 1.1
"""By how much the greatest speed between two times may exceed those at them, as a factor."""
WORTH = 1e-6
"""How much nearer, relative to the size, bodies must be able to come for a stretch to be divided."""


@dataclass
class Course:
    """Distances and nearest points of two bodies at times (n,), in time order; see `nearest.Nearest`. on_b
    is in the drawing coordinates of b."""

    time: np.ndarray
    distance: np.ndarray
    on_a: np.ndarray
    on_b: np.ndarray
    direction: np.ndarray
    solids: np.ndarray
    slack: np.ndarray
    fastest: np.ndarray

    def take(self, rows: Any) -> Course:
        """Some of the times."""
        return Course(*(np.asarray(field)[..., rows] for field in self.fields))

    @property
    def fields(self) -> tuple[np.ndarray, ...]:
        """All arrays, times last."""
        return tuple(vars(self).values())

    def joined(self, other: Course) -> Course:
        """Both, in time order; of two that are at the same time the first."""
        both = [np.concatenate(pair, -1) for pair in zip(self.fields, other.fields, strict=True)]
        _, rows = np.unique(both[0], return_index=True)
        return Course(*(field[..., rows] for field in both))


class Watch:
    """Two bodies as a clearance watches them.

    held_off: whether a contact between them is declared, whose force needs them to sink into one another."""

    def __init__(self, declared: Any, scenario: Any, sample: Sampler | None):
        names = chosen(declared, scenario)
        bodies = {body.name: body for body in scenario.bodies}
        numbers = {name: k for k, name in enumerate(bodies)}
        self.declared, self.sample = declared, sample
        a, b = declared.bodies
        self.a, self.b = numbers[a], numbers[b]
        on_a = solids(bodies[a].shapes, names.a, f"bodies.{a}.shapes")
        on_b = solids(bodies[b].shapes, names.b, f"bodies.{b}.shapes")
        self.pair = Pair(on_a, on_b, names.ignored)
        self.size = self.pair.size
        self.held_off = any({c.body, c.other} == {a, b} for c in scenario.contacts)

    def at(self, times: np.ndarray) -> Course:
        """Distances at times (n,)."""
        assert self.sample is not None
        return self.of(times, self.sample(times))

    def of(self, times: np.ndarray, poses: Poses) -> Course:
        """Distances in poses at times (n,)."""
        between = relative(poses, self.a, self.b)
        found = self.pair.nearest(between.turn, between.place)
        return _course(times, between, found, fastest(between, *self.pair.capsules))

    def shapes(self, course: Course, row: int) -> tuple[str, str]:
        """Names of the shapes that are nearest."""
        i, k = course.solids[:, row]
        return self.pair.a[i].name, self.pair.b[k].name


def _course(times: np.ndarray, between: Relative, found: Nearest, limit: np.ndarray) -> Course:
    on_b = from_a(between, found.on_b)
    return Course(times, found.distance, found.on_a, on_b, found.direction, found.solids, found.slack, limit)


def sunk(distance: Any, first: Any, size: Any) -> Any:
    """Whether bodies that touch at first are deeper inside one another than that, beyond what is a touch."""
    touch = (first <= APART * size) & (first >= -OVERLAP * size)
    return touch & (distance < np.minimum(first, 0.0) - OVERLAP * size)


def sinking(watch: Watch, course: Course) -> int | None:
    """The row at which bodies that touch at first have sunk into one another without coming apart before;
    none where they have not, and where a contact holds them off."""
    deep = sunk(course.distance, course.distance[0], watch.size) & (not watch.held_off)
    row = int(np.argmax(deep))
    parted = (course.distance[:row] > APART * watch.size).any()
    return row if deep[row] and not parted else None


def window(declared: Any, record: Record) -> tuple[float, float] | None:
    """From when to when a clearance counts [s]; None where it does not begin, or is over before a flight that
    goes on from another one."""
    if is_over(declared, record):
        return None
    after = None if declared.after in record.earlier else declared.after
    begun = _moment(after, record, float(record.time[0]), 0.0)
    if begun is None:
        return None
    end = float(record.time[-1])
    ended = _moment(declared.until, record, end, begun)
    return (begun, min(end, end if ended is None else ended))


def is_over(declared: Any, record: Record) -> bool:
    """Whether a clearance had ended before a flight that goes on from another one."""
    return declared.until in record.earlier and (declared.after is None or declared.after in record.earlier)


def _moment(name: str | None, record: Record, otherwise: float, not_before: float) -> float | None:
    """The time of a phase or event from a time on [s]; None where it did not come."""
    if name is None:
        return otherwise
    starts = [start for phase, start, _ in record.phases if phase == name]
    times = [event.time for event in record.events if event.name == name]
    return next((t for t in sorted([*starts, *times]) if t >= not_before), None)


def grid(start: float, end: float, interval: float) -> np.ndarray:
    """Times from start to end, no further apart than the interval [s]: its multiples, which other clearances
    have as well."""
    if end <= start:
        return np.array([start])
    inside = np.arange(np.ceil(start / interval), np.floor(end / interval) + 1) * interval
    near = NEAR * interval
    return np.concatenate([[start], inside[(inside > start + near) & (inside < end - near)], [end]])


def with_least(watch: Watch, course: Course) -> tuple[Course, float]:
    """(the course with the times added at which the bodies may be nearer than at all of its own, or may
    touch between two times at which they do not; how much nearer they may still be [m]).

    No two points of the bodies move faster against each other than a known speed, so that between two times
    the distance is at least half of the sum of the two less what that speed makes of the time between."""
    for left in range(ROUNDS, -1, -1):
        gap, room = np.diff(course.time), _room(watch, course)
        open_ = np.flatnonzero(room > WORTH * watch.size)
        if not open_.size or not left:
            break
        open_ = open_[np.argsort(-room[open_])][:AT_ONCE]
        each = max(1, AT_ONCE // open_.size)
        parts = np.arange(1, each + 1) / (each + 1)
        times = (course.time[open_][:, None] + gap[open_][:, None] * parts).ravel()
        course = course.joined(watch.at(np.sort(times)))
    for _ in range(NARROWINGS):
        row = int(np.argmin(course.distance))
        if row in (0, len(course.time) - 1):
            break
        low, high = course.time[row - 1], course.time[row + 1]
        times = np.linspace(low, high, AT_ONCE + 2)[1:-1]
        course = course.joined(watch.at(times))
    return course, float(np.max(_room(watch, course), initial=0.0))


def _room(watch: Watch, course: Course) -> np.ndarray:
    """How much less than the least known, or than nothing where both ends are apart, the distance may be
    between times [m]."""
    change = path(course.fastest[:-1], course.fastest[1:], np.diff(course.time))
    bound = 0.5 * (course.distance[1:] + course.distance[:-1] - change)
    apart = np.minimum(course.distance[1:], course.distance[:-1]) > TOUCHING * watch.size
    least = course.distance.min()
    return np.where(apart, np.maximum(least, 0.0), least) - bound


def path(before: np.ndarray, after: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """How much distances may change over times `gap` [s], by the greatest speeds at either end of them."""
    return gap * (FASTER * np.maximum(before, after) + np.abs(after - before))
