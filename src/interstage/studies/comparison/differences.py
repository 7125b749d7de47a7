"""Compute the differences between two flights of one scenario at the same times, for each kind of quantity.

Both flights are compared at common sample times. If an event occurs at different times in the two flights,
the samples between these times are omitted. Loads are also compared just before and just after each event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...record.record import SAME_TIME, EventRecord, Record, names_with, pick, resolve

BODY_KINDS = {
    "position": "m",
    "velocity": "m/s",
    "attitude": "rad",
    "angular_velocity": "rad/s",
}
"""Compared quantities of each body, with the unit of the difference. The difference is the norm of a vector
difference, or a rotation angle for attitudes.
"""
JOINT_KINDS = {"force": "N", "torque": "N m"}
"""Compared quantities of each joint: the force and torque on the child body, in the joint frame of the
parent body.
"""
JUMPING = tuple(JOINT_KINDS)
ENDS = ("end", "limit")
"""Kinds of events at which all quantities are continuous."""


@dataclass(frozen=True)
class Difference:
    """Difference of one kind of quantity between two flights, over time. At each time, the difference is the
    largest difference over all bodies or joints.

    - what: kind of quantity.
    - time (N,): times [s]. N is zero if no values can be compared.
    - course (N,): difference in `unit` (SI).
    - owner (N,): name of the body or joint with the largest difference.
    - size: largest value of the quantity in the reference, in `unit`; NaN for attitudes.
    """

    what: str
    unit: str
    time: np.ndarray
    course: np.ndarray
    owner: np.ndarray
    size: float = np.nan

    @property
    def worst(self) -> tuple[float, str, float]:
        """Return the largest difference over time, its body or joint, and its time [s]. Return (NaN, "",
        NaN) without a comparison.
        """
        if not np.isfinite(self.course).any():
            return np.nan, "", np.nan
        row = int(np.nanargmax(self.course))
        return float(self.course[row]), str(self.owner[row]), float(self.time[row])

    @property
    def end(self) -> float:
        """Return the difference at the last common time of both flights, or NaN without a comparison."""
        return float(self.course[-1]) if len(self.course) else np.nan


def differences(reference: Record, other: Record, quantities: Sequence[str] = ()) -> dict[str, Difference]:
    """Return the differences between two flights, by kind of quantity: body motion, joint loads, and the
    named `quantities`.

    Raises BadInput for an unknown quantity.
    """
    rows = common_rows(reference, other)
    found = {}
    for kinds, group in ((BODY_KINDS, "bodies"), (JOINT_KINDS, "joints")):
        for what, unit in kinds.items():
            paths = [f"{group}.{name}.{what}" for name in names_with(reference, group, what)]
            if paths:
                found[what] = _difference(what, unit, paths, reference, other, rows)
    for path in quantities:
        unit = reference.meta[resolve(reference, path)[0]].unit
        found[path] = _difference(path, unit, [path], reference, other, rows)
    return found


def common_rows(reference: Record, other: Record) -> tuple[np.ndarray, np.ndarray]:
    """Return the row indices of the common samples in both flights. Samples between two different times of
    the same event are omitted.
    """
    times, theirs = reference.time, other.time
    if not len(times) or not len(theirs):
        return np.zeros(0, int), np.zeros(0, int)
    middles = 0.5 * (theirs[1:] + theirs[:-1])
    nearest = np.searchsorted(middles, times)
    keep = np.abs(theirs[nearest] - times) <= _same(times)
    for mine, its in matched_events(reference, other):
        a, b = reference.events[mine], other.events[its]
        if a.time != b.time and a.kind not in ENDS:
            low, high = sorted((a.time, b.time))
            keep &= (times < low - _same(low)) | (times > high + _same(high))
    return np.flatnonzero(keep), nearest[keep]


def matched_events(reference: Record, other: Record) -> list[tuple[int, int]]:
    """Return pairs of row indices of the events that occur in both flights. Two events match if they have
    the same name and the same occurrence number.
    """
    theirs = {key: row for row, key in enumerate(_occurrences(other.events))}
    return [(row, theirs[key]) for row, key in enumerate(_occurrences(reference.events)) if key in theirs]


def event_difference(reference: Record, other: Record) -> tuple[float, str]:
    """Return the largest time difference of an event [s] and the name of this event. Return (NaN, "")
    without common events.
    """
    apart = [
        (abs(reference.events[mine].time - other.events[its].time), reference.events[mine].name)
        for mine, its in matched_events(reference, other)
    ]
    return max(apart, key=lambda found: found[0], default=(np.nan, ""))


def missing_events(reference: Record, other: Record) -> list[str]:
    """Return the names of events that occurred in only one of the two flights."""
    sides = [dict.fromkeys(_occurrences(record.events)) for record in (reference, other)]
    mine, theirs = sides
    return [
        name for name, _ in (*(k for k in mine if k not in theirs), *(k for k in theirs if k not in mine))
    ]


def _occurrences(events: Iterable[EventRecord]) -> list[tuple[str, int]]:
    seen: dict[str, int] = {}
    keys = []
    for event in events:
        seen[event.name] = seen.get(event.name, 0) + 1
        keys.append((event.name, seen[event.name]))
    return keys


def _same(times):
    return SAME_TIME * np.maximum(1.0, np.abs(times))


def _difference(what, unit, paths, reference, other, rows) -> Difference:
    """The largest difference over quantities of one kind, at shared samples and both sides of shared
    events."""
    mine, its = rows
    left, right = (np.array(side, int) for side in _events_with_jumps(what, reference, other))
    at = np.array([reference.events[row].time for row in left], float)
    # A sample on an event repeats one of its sides.
    apart = np.all(np.abs(reference.time[mine][:, None] - at) > _same(at), axis=1)
    mine, its = mine[apart], its[apart]
    times = np.concatenate([reference.time[mine], at, at])
    order = np.argsort(times, kind="stable")
    values, sizes = [], []
    for path in paths:
        stem, component = resolve(reference, path)
        ours, others = (
            pick(
                np.concatenate([r.series[stem][some], r.before[stem][jumps], r.after[stem][jumps]]), component
            )
            for r, some, jumps in ((reference, mine, left), (other, its, right))
        )
        values.append(_distance(what, unit, ours, others)[order])
        sizes.append(np.max(_length(ours), initial=0.0))
    # NaN must be visible: it counts as the largest value.
    table = np.stack(values)
    worst = np.argmax(np.where(np.isnan(table), np.inf, table), axis=0)
    names = np.array([_owner(path) for path in paths])
    size = np.nan if what == "attitude" else max(sizes)
    course = np.take_along_axis(table, worst[None], axis=0)[0]
    return Difference(what, unit, times[order], course, names[worst], size)


def _events_with_jumps(what, reference, other):
    """Rows, in each flight, of the events around which quantities of a kind are compared."""
    shared = matched_events(reference, other) if what in JUMPING else []
    return [mine for mine, _ in shared], [its for _, its in shared]


def _owner(path: str) -> str:
    """Body or joint of a quantity: bodies.payload.position belongs to payload."""
    group, _, rest = path.partition(".")
    return rest.rpartition(".")[0] if group in ("bodies", "joints") and rest.count(".") == 1 else path


def _distance(what: str, unit: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Size of the difference of two rows of values (N, ...): (N,)."""
    if what == "attitude":
        return _turn(a, b)
    apart = b - a
    if unit == "rad":
        apart = (apart + np.pi) % (2 * np.pi) - np.pi
    return _length(apart)


def _length(values: np.ndarray) -> np.ndarray:
    return np.abs(values) if values.ndim == 1 else np.sqrt(np.sum(values**2, axis=1))


def _turn(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angle [rad] from one attitude to the other; unit quaternions (N, 4), scalar first, of either sign.

    From the vector part of a* b, which is exact for small angles."""
    vector = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    return 2 * np.arctan2(_length(vector), np.abs(np.sum(a * b, axis=1)))
