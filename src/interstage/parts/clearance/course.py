"""The distance of two bodies over a flight: at samples, at events, and at minima between them."""

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
"""The largest distance at which two bodies touch, relative to the size of the larger body."""
APART = 1e-7
"""The smallest distance at which two bodies are separated, relative to their size. Rounding of a closed joint
is never between `TOUCHING` and this value."""
OVERLAP = 1e-6
"""The depth, relative to the size, above which a touch is reported as an overlap. This depth is ten times the
distance of separation."""
NEAR = 1e-6
"""The smallest part of an interval between two times that is searched."""
AT_ONCE = 126
"""The number of times between two others that are evaluated together."""
ROUNDS = 3
"""The maximum number of subdivisions of an interval that can contain the minimum distance."""
NARROWINGS = 2
"""The maximum number of subdivisions of the interval around the minimum distance."""
FASTER = 1.1
"""The largest speed between two times, relative to the speeds at these times."""
WORTH = 1e-6
"""The possible decrease of the distance, relative to the size, above which an interval is subdivided."""


@dataclass
class Course:
    """Distances and nearest points of two bodies at times (n,), in time order; see `nearest.Nearest`. The
    points on_b are in the structural coordinates of b."""

    time: np.ndarray
    distance: np.ndarray
    on_a: np.ndarray
    on_b: np.ndarray
    direction: np.ndarray
    solids: np.ndarray
    slack: np.ndarray
    fastest: np.ndarray

    def take(self, rows: Any) -> Course:
        """Return some of the times."""
        return Course(*(np.asarray(field)[..., rows] for field in self.fields))

    @property
    def fields(self) -> tuple[np.ndarray, ...]:
        """Return all arrays, times last."""
        return tuple(vars(self).values())

    def merge(self, other: Course) -> Course:
        """Return both time histories in time order. At equal times the first history applies."""
        both = [np.concatenate(pair, -1) for pair in zip(self.fields, other.fields, strict=True)]
        _, rows = np.unique(both[0], return_index=True)
        return Course(*(field[..., rows] for field in both))


class Watch:
    """The two bodies of a clearance. held_off: whether a contact between them is declared. The force of a
    contact requires penetration."""

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
        """Return the distances at times (n,)."""
        assert self.sample is not None
        return self.of(times, self.sample(times))

    def of(self, times: np.ndarray, poses: Poses) -> Course:
        """Return the distances in poses at times (n,)."""
        between = relative(poses, self.a, self.b)
        found = self.pair.nearest(between.turn, between.place)
        return _course(times, between, found, fastest(between, *self.pair.capsules))

    def shapes(self, course: Course, row: int) -> tuple[str, str]:
        """Return the names of the nearest shapes."""
        i, k = course.solids[:, row]
        return self.pair.a[i].name, self.pair.b[k].name


def _course(times: np.ndarray, between: Relative, found: Nearest, limit: np.ndarray) -> Course:
    on_b = from_a(between, found.on_b)
    return Course(times, found.distance, found.on_a, on_b, found.direction, found.solids, found.slack, limit)


def sunk(distance: Any, first: Any, size: Any) -> Any:
    """Return whether bodies that touch initially penetrate more than initially, in excess of the tolerance of
    a touch."""
    touch = (first <= APART * size) & (first >= -OVERLAP * size)
    return touch & (distance < np.minimum(first, 0.0) - OVERLAP * size)


def sinking(watch: Watch, course: Course) -> int | None:
    """Return the index of the row at which two bodies penetrate, or None if they do not penetrate.

    Only bodies that touch at the start and do not separate before are considered. None also if a contact
    acts between the bodies."""
    deep = sunk(course.distance, course.distance[0], watch.size) & (not watch.held_off)
    row = int(np.argmax(deep))
    parted = (course.distance[:row] > APART * watch.size).any()
    return row if deep[row] and not parted else None


def window(declared: Any, record: Record) -> tuple[float, float] | None:
    """Return the start and end time of a clearance [s]; None if it does not begin, or ends before a flight
    that continues another flight."""
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
    """Whether a clearance ended before a flight that continues another flight."""
    return declared.until in record.earlier and (declared.after is None or declared.after in record.earlier)


def _moment(name: str | None, record: Record, otherwise: float, not_before: float) -> float | None:
    """Return the time of a phase or event after a given time [s]; None if it did not occur."""
    if name is None:
        return otherwise
    starts = [start for phase, start, _ in record.phases if phase == name]
    times = [event.time for event in record.events if event.name == name]
    return next((t for t in sorted([*starts, *times]) if t >= not_before), None)


def grid(start: float, end: float, interval: float) -> np.ndarray:
    """Return times from start to end with spacing up to the interval [s]. The times are multiples of the
    interval, so that clearances share times."""
    if end <= start:
        return np.array([start])
    inside = np.arange(np.ceil(start / interval), np.floor(end / interval) + 1) * interval
    near = NEAR * interval
    return np.concatenate([[start], inside[(inside > start + near) & (inside < end - near)], [end]])


def with_least(watch: Watch, course: Course) -> tuple[Course, float]:
    """Return (time history with additional times of possible minima and touches; remaining possible decrease
    [m]).

    The relative speed of any two points of the bodies is bounded. Between two times the distance is therefore
    at least half of the sum of the two distances minus the product of this speed and the time between."""
    for left in range(ROUNDS, -1, -1):
        gap, room = np.diff(course.time), _room(watch, course)
        open_ = np.flatnonzero(room > WORTH * watch.size)
        if not open_.size or not left:
            break
        open_ = open_[np.argsort(-room[open_])][:AT_ONCE]
        each = max(1, AT_ONCE // open_.size)
        parts = np.arange(1, each + 1) / (each + 1)
        times = (course.time[open_][:, None] + gap[open_][:, None] * parts).ravel()
        course = course.merge(watch.at(np.sort(times)))
    for _ in range(NARROWINGS):
        row = int(np.argmin(course.distance))
        if row in (0, len(course.time) - 1):
            break
        low, high = course.time[row - 1], course.time[row + 1]
        times = np.linspace(low, high, AT_ONCE + 2)[1:-1]
        course = course.merge(watch.at(times))
    return course, float(np.max(_room(watch, course), initial=0.0))


def _room(watch: Watch, course: Course) -> np.ndarray:
    """Return the possible decrease of the distance between times below the smallest known value. If the
    bodies are separated at both ends, return the possible decrease below zero [m]."""
    change = path(course.fastest[:-1], course.fastest[1:], np.diff(course.time))
    bound = 0.5 * (course.distance[1:] + course.distance[:-1] - change)
    apart = np.minimum(course.distance[1:], course.distance[:-1]) > TOUCHING * watch.size
    least = course.distance.min()
    return np.where(apart, np.maximum(least, 0.0), least) - bound


def path(before: np.ndarray, after: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Return the possible change of distances over times `gap` [s], from the largest speeds at both ends."""
    return gap * (FASTER * np.maximum(before, after) + np.abs(after - before))
