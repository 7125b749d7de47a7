"""Time history of the distance of two bodies during a flight: at samples, at events, and at minima."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...record.record import Record
from .declared import chosen
from .motion import Poses, Relative, Sampler, fastest, from_a, relative
from .nearest import Nearest, Pair
from .paces import FASTER
from .solids import solids

TOUCHING = 1e-9
"""Bodies touch if their distance, divided by the size of the larger body, is at most this number."""
APART = 1e-7
"""Bodies are separated if their distance, divided by the size of the larger body, exceeds this number.
Rounding errors at a closed joint never give a distance between `TOUCHING` and this number.
"""
OVERLAP = 1e-6
"""An overlap is reported if its depth, divided by the size of the larger body, exceeds this number. The limit
is ten times the limit of separation.
"""
NEAR = 1e-6
"""Times of the grid are omitted if they are nearer to the start or end than this fraction of the interval."""
AT_ONCE = 126
"""The number of times at which the distance is computed in one call of a search."""
ROUNDS = 3
"""The maximum number of subdivisions of the intervals that can contain the minimum distance."""
NARROWINGS = 2
"""The maximum number of subdivisions of the interval around the minimum distance that was found."""
WORTH = 1e-6
"""An interval is subdivided if the possible decrease of the distance, divided by the size of the larger body,
exceeds this number.
"""


@dataclass
class Course:
    """Time history of the distance and the nearest points of two bodies a and b, with times (n,) in order.

    - time [s], distance [m]: (n,).
    - on_a, on_b [m]: nearest points (3, n). Each point is in the structural coordinates of its own body.
    - fastest [m/s]: upper bound of the range rate (n,).

    For the other arrays, see `nearest.Nearest`.
    """

    time: np.ndarray
    distance: np.ndarray
    on_a: np.ndarray
    on_b: np.ndarray
    direction: np.ndarray
    solids: np.ndarray
    slack: np.ndarray
    fastest: np.ndarray

    def take(self, rows: Any) -> Course:
        """Return the part of the time history at selected times. rows: indices, slice or mask of the
        times."""
        return Course(*(np.asarray(field)[..., rows] for field in self.fields))

    @property
    def fields(self) -> tuple[np.ndarray, ...]:
        """All arrays of the time history. The last axis is time."""
        return tuple(vars(self).values())

    def merge(self, other: Course) -> Course:
        """Return both time histories in one, in time order. If both contain the same time, the data of this
        time history are used.
        """
        both = [np.concatenate(pair, -1) for pair in zip(self.fields, other.fields, strict=True)]
        _, rows = np.unique(both[0], return_index=True)
        return Course(*(field[..., rows] for field in both))


class Watch:
    """The two bodies of a clearance, with their solids, for the computation of distances.

    held_off: whether a contact between the two bodies is declared. The force of a contact requires
    penetration, so penetration is then not reported.
    """

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
        """Return the time history of the distance at times [s] (n,)."""
        assert self.sample is not None
        return self.of(times, self.sample(times))

    def of(self, times: np.ndarray, poses: Poses) -> Course:
        """Return the time history of the distance for given times [s] (n,) and poses of the bodies at these
        times.
        """
        between = relative(poses, self.a, self.b)
        found = self.pair.nearest(between.turn, between.place)
        return _course(times, between, found, fastest(between, *self.pair.capsules))

    def shapes(self, course: Course, row: int) -> tuple[str, str]:
        """Return the names of the nearest shapes of a and b at one time. row: index of the time."""
        i, k = course.solids[:, row]
        return self.pair.a[i].name, self.pair.b[k].name


def _course(times: np.ndarray, between: Relative, found: Nearest, limit: np.ndarray) -> Course:
    on_b = from_a(between, found.on_b)
    return Course(times, found.distance, found.on_a, on_b, found.direction, found.solids, found.slack, limit)


def sunk(distance: Any, first: Any, size: Any) -> Any:
    """Return whether two bodies penetrate more than at the start. The bodies must touch at the start.

    - distance: present distance [m]; negative for penetration.
    - first: distance at the start [m].
    - size: size of the larger body [m].

    An additional penetration below the tolerance `OVERLAP` does not count.
    """
    touch = (first <= APART * size) & (first >= -OVERLAP * size)
    return touch & (distance < np.minimum(first, 0.0) - OVERLAP * size)


def sinking(watch: Watch, course: Course) -> int | None:
    """Return the index of the first time at which two bodies penetrate. Return None if they do not.

    Only bodies that touch at the start and then penetrate without separation are considered. If a contact
    between the bodies is declared, the result is None.
    """
    deep = sunk(course.distance, course.distance[0], watch.size) & (not watch.held_off)
    row = int(np.argmax(deep))
    parted = (course.distance[:row] > APART * watch.size).any()
    return row if deep[row] and not parted else None


def window(declared: Any, record: Record) -> tuple[float, float] | None:
    """Return the start and end time of a clearance [s]. Return None if the clearance does not begin. Return
    None also if the clearance ended in an earlier leg of a mission.
    """
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
    """Return whether a clearance ended before this flight, if the flight continues another flight."""
    return declared.until in record.earlier and (declared.after is None or declared.after in record.earlier)


def _moment(name: str | None, record: Record, otherwise: float, not_before: float) -> float | None:
    """Return the time of a phase or event after a given time [s]; None if it did not occur."""
    if name is None:
        return otherwise
    starts = [start for phase, start, _ in record.phases if phase == name]
    times = [event.time for event in record.events if event.name == name]
    return next((t for t in sorted([*starts, *times]) if t >= not_before), None)


def grid(start: float, end: float, interval: float) -> np.ndarray:
    """Return the times from start to end at which the distance is computed [s] (n,).

    The times are multiples of `interval` [s], together with start and end. Several clearances therefore share
    the same times.
    """
    if end <= start:
        return np.array([start])
    inside = np.arange(np.ceil(start / interval), np.floor(end / interval) + 1) * interval
    near = NEAR * interval
    return np.concatenate([[start], inside[(inside > start + near) & (inside < end - near)], [end]])


def with_least(watch: Watch, course: Course) -> tuple[Course, float]:
    """Return the time history with additional times near the minimum distance, and the remaining uncertainty
    [m].

    The uncertainty is the largest possible excess of the minimum distance that was found. This uncertainty
    follows from an upper bound of the relative speed of any two points of the bodies. Between two times, the
    distance is at least (d1 + d2 - v h)/2. Here d1 and d2 are the distances at the two times, h is the time
    between them, and v is the bound.
    """
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
    """Return the largest possible change of the distance in each time interval [m].

    - before, after: upper bounds of the range rate at the start and end of each interval [m/s].
    - gap: lengths of the intervals [s].
    """
    return gap * (FASTER * np.maximum(before, after) + np.abs(after - before))
