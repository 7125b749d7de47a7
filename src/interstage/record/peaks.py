"""Extremes between the samples of a flight: where three samples show one, by states in between.

Of what is asked for: what requirements limit over time, constraints and responses that are extremes, and what
loads a body on its way. Each is bracketed by the samples beside it; the bracket is cut in parts, a parabola
through the best three gives a place, and another through places closer to it the extreme, or a third where
the first was far off. Places that are s apart leave about s^2 f'''/(6 f''): of intervals h these are h/8,
h/4096 and h/16384. What is found are rows of all quantities, beside the samples (`Record.peaks`). One way for
flights, batches, sweeps and optimisers, so that all judge alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..tree.errors import BadInput
from .record import SAME_TIME, Peaks, Record, Sought, pick, resolve, timeline

INSET = 1e-6
"""Part of a bracket that is left out at its ends: an event there may have two values."""
PLACES = np.linspace(INSET, 1 - INSET, 17)
"""Where in a bracket it is looked first."""
CLOSE = np.array([1 / 512, 1 / 64, 1 / 8, 1.0])
"""Where it is looked then, to either side of what was found, as parts of the way to the places beside."""
CLOSEST = np.array([-1, 0, 1]) / 4096
"""And last, where the first place was off by more than the closest of these, as parts of the way between the
places beside."""
FEW = 4
"""Samples of a stretch up to which it is looked in its first and last interval whatever they show."""
INSIDE = 1 / 64
"""Part of three places by which what was found is kept from the outer ones."""
MOST = 8
"""Extremes of a quantity that are looked for, the largest first."""
FLAT = 1e-9
"""Part of the range of a quantity by which an extreme has to be beyond the samples; less is rounding, as are
a few units in the last place."""
ROUNDING = 8 * np.finfo(float).eps
SIGNS = {"max": (1.0,), "min": (-1.0,), "largest": (1.0, -1.0)}
"""Of which sides extremes are by what is asked for, 1 where large values are sought and -1 where small ones
are."""

Look = Callable[[list[np.ndarray], tuple[str, ...] | None], list[dict[str, np.ndarray]]]
"""(times [s] of each flight, paths or all) -> rows of the quantities of each flight."""


def sought(one: Any) -> Iterator[Sought]:
    """The extremes that a requirement, or what has its fields, is about: none at an event."""
    if one.at is not None:
        return
    take = getattr(one, "take", None)
    limits = {"max": getattr(one, "max", None), "min": getattr(one, "min", None)}
    asked = [take] if take else [side for side, limit in limits.items() if limit is not None]
    for side in asked:
        yield from (Sought(one.quantity, sign, one.during) for sign in SIGNS[side])


def seek(record: Record, wanted: Iterable[Sought]) -> None:
    """Put extremes between samples into a record, those that it has not looked for yet, where it can."""
    new = [one for one in dict.fromkeys(wanted) if one not in record.sought]
    if record.search is None or not new:
        return
    record.sought |= {*new}
    record.peaks = joined([record.peaks, record.search(new)])


def joined(several: Iterable[Peaks]) -> Peaks:
    """Extremes of several searches or legs in order of time, those of one instant once: of what all know."""
    some = [one for one in several if len(one[0])]
    if not some:
        return np.zeros(0), {}
    common = [path for path in some[0][1] if all(path in rows for _, rows in some)]
    times = np.concatenate([own for own, _ in some])
    order = np.argsort(times, kind="stable")
    order = order[_apart(times[order])]
    return times[order], {path: np.concatenate([rows[path] for _, rows in some])[order] for path in common}


def _apart(times: np.ndarray) -> np.ndarray:
    """Which of rising times are not the instant before."""
    return np.append(True, np.diff(times) > SAME_TIME * np.maximum(1.0, np.abs(times[1:])))


class _Bracket(NamedTuple):
    """Where an extreme may be: number of the flight, quantity, component, side, and times [s] beside it."""

    flight: int
    stem: str
    component: Any
    sign: float
    begin: float
    end: float


def find(
    records: Sequence[Record | None], wanted: Sequence[Sought], look: Look, known: Collection[str]
) -> list[Peaks]:
    """Extremes between the samples of flights that are looked at together. known: the quantities that can be
    looked at; None: a flight that is no matter."""
    found = list(
        dict.fromkeys(
            _Bracket(number, *bracket)
            for number, record in enumerate(records)
            if record is not None
            for one in wanted
            for bracket in _brackets(record, one, known)
        )
    )
    none: Peaks = np.zeros(0), {}
    if not found:
        return [none for _ in records]
    tops = _tops(found, len(records), look)
    at = [np.sort(part[np.isfinite(part)]) for part in _by_flight(found, len(records), tops)]
    at = [times[_apart(times)] if len(times) else times for times in at]
    if not any(map(len, at)):
        return [none for _ in records]
    return [(times, rows) if len(times) else none for times, rows in zip(at, look(at, None), strict=True)]


def _by_flight(found: list[_Bracket], flights: int, rows: np.ndarray) -> list[np.ndarray]:
    """Rows, as many for each bracket, by the flight of these."""
    ends = np.searchsorted([one.flight for one in found], np.arange(1, flights), "left")
    return np.split(rows, ends)


def _tops(found: list[_Bracket], flights: int, look: Look) -> np.ndarray:
    """When the extremes are (bracket,); not a number where the largest value is that of an end."""
    paths = tuple(dict.fromkeys(one.stem for one in found))
    begin, end = (np.array([[getattr(one, side)] for one in found]) for side in ("begin", "end"))

    def best(times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best of places (bracket, place) with those beside it, the tops of parabolas, and whether the
        values rise to an end of all."""
        seen = look([part.reshape(-1) for part in _by_flight(found, flights, times)], paths)
        values = _values(seen, found, times.shape)
        which = values.argmax(1)[:, None]
        near = which.clip(1, times.shape[1] - 2) + np.array([-1, 0, 1])
        three, tops = (np.take_along_axis(array, near, 1) for array in (times, values))
        top = np.array([[_vertex(t, v)[0]] for t, v in zip(three, tops, strict=True)])
        inside = (three[:, :1] < top) & (top < three[:, 2:]) & (top != three[:, 1:2])
        return three, top, ~inside & (which != near[:, 1:2])

    three, top, _ = best(begin + (end - begin) * PLACES)
    first, last = three[:, :1], three[:, 2:]
    room = INSIDE * (last - first)
    top = old = np.clip(top, first + room, last - room)
    _, top, ends = best(np.hstack([top - (top - first) * CLOSE[::-1], top, top + (last - top) * CLOSE]))
    off = np.abs(top - old) > CLOSE[0] * np.minimum(old - first, last - old)
    if (off & ~ends).any():
        close = (last - first) * CLOSEST
        top = best(np.clip(top, first + close[:, 2:], last - close[:, 2:]) + close)[1]
    return np.where(ends, np.nan, top)[:, 0]


def _values(seen: list[dict[str, np.ndarray]], found: list[_Bracket], shape: tuple[int, ...]) -> np.ndarray:
    """Values of each quantity in its own bracket (bracket, place), upwards where an extreme is sought."""
    values, of_flight = [], [one.flight for one in found]
    for number, one in enumerate(found):
        rows = seen[one.flight][one.stem]
        its = rows.reshape(-1, shape[1], *rows.shape[1:])[number - of_flight.index(one.flight)]
        values.append(one.sign * pick(its, one.component))
    return np.stack(values)


def _brackets(
    record: Record, one: Sought, known: Collection[str]
) -> Iterator[tuple[str, Any, float, float, float]]:
    """Quantity, component, side, and the times of the samples beside what may be the extreme of a quantity,
    or of each component of one, by what its samples show."""
    try:
        stem, component = resolve(record, one.path)
    except BadInput:  # told elsewhere
        return
    if stem not in known or stem not in record.series or (stem not in record.before and record.events):
        return
    times, rows = timeline(record, stem, peaks=False)
    each = range(rows.shape[1]) if component is None and rows.ndim > 1 else (component,)
    spans = [(start, end) for name, start, end in record.phases if one.during in (None, name)]
    for its in each:
        smooth = _smooth(times, one.sign * pick(rows, its))
        stretches = [own for own in smooth if any(_inside(own[0], *span) for span in spans)]
        yield from ((stem, its, one.sign, begin, end) for begin, end in _largest(stretches))


def _largest(stretches: list[tuple[np.ndarray, np.ndarray]]) -> Iterator[tuple[float, float]]:
    """Begin and end of where the largest value of smooth stretches may be, unless it is that of a sample."""
    inside = np.concatenate([np.zeros(0), *(v for _, v in stretches)])
    if not inside.size or not np.isfinite(inside).all() or not np.ptp(inside) > 0:
        return
    least = FLAT * float(np.ptp(inside)) + ROUNDING * float(np.max(np.abs(inside)))
    tops = [top for t, v in stretches for top in _promising(t, v, 2 * least) if top[1] > least]
    best = max([float(inside.max()), *(top for top, *_ in tops)])
    # Those that would be the largest if they were as much larger as they are beyond their samples.
    tops = sorted((top for top in tops if top[0] + top[1] >= best), key=lambda top: -top[0])[:MOST]
    yield from ((begin, end) for *_, begin, end in tops)


def _inside(times: np.ndarray, start: float, end: float) -> bool:
    near = SAME_TIME * max(1.0, abs(start), abs(end))
    return start - near <= times[0] and times[-1] <= end + near


def _smooth(times: np.ndarray, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Stretches between events, at which a value may jump."""
    cuts = np.flatnonzero(np.diff(times) <= SAME_TIME * np.maximum(1.0, np.abs(times[1:]))) + 1
    for t, v in zip(np.split(times, cuts), np.split(values, cuts), strict=True):
        if len(t) > 1:
            yield t, v


def _promising(t: np.ndarray, v: np.ndarray, least: float) -> Iterator[tuple[float, float, float, float]]:
    """(value, how far that is beyond the samples, begin and end) of extremes that a smooth stretch may have:
    about samples that are larger than those beside them, and in the first and last interval, if the value at
    the end of the stretch is the larger, where the parabola through the three samples there has its top. A
    few samples tell nothing of that: the change over the interval is taken for how far it may be beyond."""
    for k in np.flatnonzero((v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:])) + 1:
        top = _vertex(t[k - 1 : k + 2], v[k - 1 : k + 2])[1]
        yield top, float(top - v[k]), float(t[k - 1]), float(t[k + 1])
    if len(t) == 2:
        yield float(v.max()), max(float(abs(v[1] - v[0])), least), float(t[0]), float(t[1])
        return
    for rows, edge, beside in ((slice(0, 3), 0, 1), (slice(-3, None), -1, -2)):
        if v[edge] > v[beside]:
            begin, end = sorted((float(t[edge]), float(t[beside])))
            when, top = _vertex(t[rows], v[rows])
            if begin < when < end:
                yield top, float(top - v[edge]), begin, end
            elif len(t) <= FEW:
                yield float(v[edge]), float(v[edge] - v[beside]), begin, end


def _vertex(t: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """Time and value of the top of the parabola through three points, between the first and the last; of the
    middle one where they lie on a line."""
    first, last = (v[1] - v[0]) / (t[1] - t[0]), (v[2] - v[1]) / (t[2] - t[1])
    bend = (last - first) / (t[2] - t[0])
    if not bend < 0:
        return float(t[1]), float(v[1])
    slope = first + bend * (t[1] - t[0])
    step = float(np.clip(-slope / (2 * bend), t[0] - t[1], t[2] - t[1]))
    return float(t[1]) + step, float(v[1] + step * (slope + bend * step))
