"""Differences of all quantities between two flights whose times can be shifted.

Quantities are interpolated linearly between their samples. At an event, the values before the event are
compared with each other, and so are the values after the event. If a quantity jumps at an event that has
different times in the two flights, the samples between these times are omitted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...playback.courses import course, paths_of, records_of
from ...record.record import SAME_TIME, QuantityMeta, Record

JUMP = 1e-9
"""A quantity jumps if the difference between both sides of an event exceeds this fraction of its largest
value."""
ROUNDING = 1e-12
"""Largest value of a quantity [SI] up to which all its values are rounding errors."""
ERRORS = ("gap", "misalignment", "violation", "violation_rate")
"""Last names of quantities that are numerical errors. These quantities are not compared."""
Spans = list[tuple[float, float]]


@dataclass(frozen=True)
class QuantityDifference:
    """Largest difference of one quantity between two flights.

    - path: path of the quantity. unit: unit of `value` and `size` (SI); "rad" for attitudes.
    - value: largest difference: absolute value, norm of a vector, or rotation angle.
    - time: time of the largest difference in the first flight [s].
    - start: first time with a difference above the tolerance [s]; NaN without such a difference.
    - size: largest value of the quantity in both flights; 1 rad for attitudes.
    """

    path: str
    unit: str
    value: float
    time: float
    start: float
    size: float

    @property
    def relative(self) -> float:
        """Return the largest difference relative to the largest value."""
        return self.value / self.size if self.size > ROUNDING else 0.0


def quantity_differences(
    first: Record, other: Record, shift: float, tolerance: float, moved: Spans
) -> list[QuantityDifference]:
    """Return the differences of all quantities of both flights, the largest relative difference first.

    - shift: time of the other flight minus time of the first flight [s].
    - tolerance: difference relative to the largest value above which the flights differ.
    - moved: spans [s] between the two times of an event. In these spans, quantities that jump are not
      compared."""
    metas = [_metas(record) for record in (first, other)]
    known = paths_of(other)
    found = []
    for path in paths_of(first):
        if path not in known or path not in metas[0] or path not in metas[1]:
            continue
        if path.startswith("joints.") and path.rpartition(".")[2] in ERRORS:
            continue
        if metas[0][path].unit == metas[1][path].unit:
            courses = course(first, path, peaks=False), course(other, path, peaks=False)
            one = _difference(path, metas[0][path].unit, *courses, shift, tolerance, moved)
            found += [] if one is None else [one]
    return sorted(found, key=lambda one: -one.relative)


def _metas(record: Record) -> dict[str, QuantityMeta]:
    found: dict[str, QuantityMeta] = {}
    for one in records_of(record):
        found |= one.meta
    return found


Course = tuple[np.ndarray, np.ndarray]


def _difference(
    path: str,
    unit: str,
    first: Course | None,
    other: Course | None,
    shift: float,
    tolerance: float,
    moved: Spans,
) -> QuantityDifference | None:
    if first is None or other is None or first[1].shape[1:] != other[1].shape[1:]:
        return None
    other = other[0] - shift, other[1]
    angle = first[1].shape[1:] == (4,)
    unit = "rad" if angle else unit
    size = 1.0 if angle else max(_largest(first[1]), _largest(other[1]))
    time = times_of_both(first[0], other[0])
    if _jumps(first, size) or _jumps(other, size):
        for low, high in moved:
            time = time[(time < low - _slack(low)) | (time > high + _slack(high))]
    sides = [
        _size(unit, angle, _values(first, time, side), _values(other, time, side))
        for side in ("left", "right")
    ]
    apart = np.fmax(*sides) if len(time) else np.zeros(0)
    if not np.isfinite(apart).any():
        return None
    row = int(np.nanargmax(apart))
    above = np.flatnonzero(apart > tolerance * size)
    start = float(time[above[0]]) if len(above) else np.nan
    return QuantityDifference(path, unit, float(apart[row]), float(time[row]), start, size)


def times_of_both(first: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the times of two flights in the span of both, without times that are equal up to rounding."""
    if not len(first) or not len(other):
        return np.zeros(0)
    low, high = max(first[0], other[0]), min(first[-1], other[-1])
    time = np.unique(np.concatenate([first, other]))
    time = time[(time >= low - _slack(low)) & (time <= high + _slack(high))]
    return time[np.append(True, np.diff(time) > _slack(time[1:]))] if len(time) else time


def _slack(time):
    return SAME_TIME * np.maximum(1.0, np.abs(time))


def _largest(values: np.ndarray) -> float:
    rows = _length(values)
    return float(np.nanmax(rows)) if np.isfinite(rows).any() else 0.0


def _length(values: np.ndarray) -> np.ndarray:
    return np.abs(values) if values.ndim == 1 else np.sqrt(np.sum(values**2, axis=1))


def _jumps(one: Course, size: float) -> bool:
    pairs = np.flatnonzero(np.diff(one[0]) <= _slack(one[0][1:]))
    change = _length(one[1][pairs + 1] - one[1][pairs])
    return bool((change > JUMP * size).any())


def _values(one: Course, time: np.ndarray, side: str) -> np.ndarray:
    """Values at times, before ("left") or after ("right") an event at the same time."""
    times, values = one
    end = len(times) - 1
    slack = _slack(time)
    if side == "left":
        last = np.searchsorted(times, time - slack, side="left").clip(0, end)
        first = np.where(np.abs(times[last] - time) <= slack, last, last - 1).clip(0, end)
    else:
        first = (np.searchsorted(times, time + slack, side="right") - 1).clip(0, end)
        last = np.where(np.abs(times[first] - time) <= slack, first, first + 1).clip(0, end)
    width = times[last] - times[first]
    part = np.where(width > 0, (time - times[first]) / np.where(width > 0, width, 1.0), 0.0).clip(0, 1)
    part = part.reshape(-1, *(1,) * (values.ndim - 1))
    return values[first] + part * (values[last] - values[first])


def _size(unit: str, angle: bool, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Size of the difference of two rows of values (n, ...): (n,)."""
    if angle:
        return _rotation(a, b)
    apart = b - a
    if unit == "rad" and a.ndim == 1:
        apart = (apart + np.pi) % (2 * np.pi) - np.pi
    return _length(apart)


def _rotation(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angle [rad] between attitudes; quaternions (n, 4), scalar first, of any norm and sign."""
    vector = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    return 2 * np.arctan2(_length(vector), np.abs(np.sum(a * b, axis=1)))


def moved_spans(times: Iterable[tuple[float, float]]) -> Spans:
    """Return the spans between pairs of times that differ by more than rounding."""
    pairs = [(min(pair), max(pair)) for pair in times]
    return [(low, high) for low, high in pairs if high - low > _slack(high)]
