"""How far two flights of one scenario are apart: at the same times, for each kind of quantity, with names.

Both flights are taken at the sample times that they share. Where an event came at different times, the
samples from the one time to the other are left out: there the one flight is before it, the other behind.
Loads are compared just before and just after each event as well.
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
"""What is compared of each body, and the unit of the difference: lengths of vectors, for attitudes the angle
of the turn from one to the other."""
JOINT_KINDS = {"force": "N", "torque": "N m"}
"""What is compared of each joint: its load on the child, parent's joint frame."""
JUMPING = tuple(JOINT_KINDS)
ENDS = ("end", "limit")
"""Kinds of events at which nothing jumps."""


@dataclass(frozen=True)
class Difference:
    """Difference of one kind of quantity over the flight, the largest over all bodies (or joints).

    time (N,) [s]; course (N,), in `unit` (SI); owner (N,): whose it is. size: the largest value in the
    reference, in the same unit, nan for attitudes. N may be zero, where there is nothing to compare.
    """

    what: str
    unit: str
    time: np.ndarray
    course: np.ndarray
    owner: np.ndarray
    size: float = np.nan

    @property
    def worst(self) -> tuple[float, str, float]:
        """(largest difference, whose, time [s]); nan where nothing was compared or is not a number."""
        if not np.isfinite(self.course).any():
            return np.nan, "", np.nan
        row = int(np.nanargmax(self.course))
        return float(self.course[row]), str(self.owner[row]), float(self.time[row])

    @property
    def end(self) -> float:
        """Difference at the last time that both flights reached."""
        return float(self.course[-1]) if len(self.course) else np.nan


def differences(reference: Record, other: Record, quantities: Sequence[str] = ()) -> dict[str, Difference]:
    """The differences of two flights by kind: those of bodies, of joints, and of further quantities by
    name. Raises BadInput for a quantity that the flights do not have."""
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
    """Rows of the samples that two flights share, without those between the two times of one event."""
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
    """Rows of the events that both flights had: same name, the same time round."""
    theirs = {key: row for row, key in enumerate(_numbered(other.events))}
    return [(row, theirs[key]) for row, key in enumerate(_numbered(reference.events)) if key in theirs]


def event_difference(reference: Record, other: Record) -> tuple[float, str]:
    """(largest difference of an event's time [s], its name); nan without events."""
    apart = [
        (abs(reference.events[mine].time - other.events[its].time), reference.events[mine].name)
        for mine, its in matched_events(reference, other)
    ]
    return max(apart, key=lambda found: found[0], default=(np.nan, ""))


def missing_events(reference: Record, other: Record) -> list[str]:
    """Names of events that happened in one flight only."""
    sides = [dict.fromkeys(_numbered(record.events)) for record in (reference, other)]
    mine, theirs = sides
    return [
        name for name, _ in (*(k for k in mine if k not in theirs), *(k for k in theirs if k not in mine))
    ]


def _numbered(events: Iterable[EventRecord]) -> list[tuple[str, int]]:
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
    # A sample on an event stands for one of its sides, which are there anyway.
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
        values.append(_apart(what, unit, ours, others)[order])
        sizes.append(np.max(_length(ours), initial=0.0))
    # A value that is not a number must show: it counts for more than any other.
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
    """Whose a quantity is: bodies.payload.position belongs to payload."""
    group, _, rest = path.partition(".")
    return rest.rpartition(".")[0] if group in ("bodies", "joints") and rest.count(".") == 1 else path


def _apart(what: str, unit: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
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
