"""Extremes between the samples of a flight: where three samples show one, by states in between.

Of what is asked for: what requirements limit over time, constraints and responses that are extremes, and what
loads a body on its way. Each is bracketed by the samples beside it; the bracket is cut in parts, and at the
ends of steps in it, which end on kinks of tables. A parabola through the best three gives a place, and
another through places closer to it the extreme, or a third where the first was far off. Places that are s
apart leave about s^2 f'''/(6 f''): of intervals h these are h/8, h/4096 and h/16384. Where values are not
those of the parabola, as about a kink, the best place and those beside it are cut again and again. Never less
is found than the best that was seen.

What is found are rows of all quantities, beside the samples (`Record.peaks`), and for each extreme that was
sought its own places among them (`Record.sought`): what is found for others has no say in it. One way for
flights, batches, sweeps and optimizers, so that all judge alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..tree.errors import BadInput
from .brackets import FLAT, MOST_EXTREMES, ROUNDING, Tops, vertex
from .record import Found, Peaks, Places, Record, Sought, pick, resolve, timeline
from .survey import Survey

INSET = 1e-6
"""Part of a bracket that is left out at its ends: an event there may have two values."""
PLACES = np.linspace(INSET, 1 - INSET, 17)
"""Where in a bracket it is looked first."""
ENDS = 16
"""Ends of steps in a bracket at which it is looked at first, and then in what is left of it."""
BESIDE = 1 / 64
"""Part of a bracket about an end of a step in which no other place is looked at first."""
CLOSE = np.array([1 / 512, 1 / 64, 1 / 8, 1.0])
"""Where it is looked then, to either side of what was found, as parts of the way to the places beside."""
CLOSEST = np.array([-1, 0, 1]) / 4096
"""And last, where the first place was off by more than the closest of these, as parts of the way between the
places beside."""
INSIDE = 1 / 64
"""Part of three places by which what was found is kept from the outer ones."""
FIT, FURTHER = 1 / 512, 1 / 10
"""Parts of a drop by which a parabola may be off: at the top of that from the best place to the better one
beside it, and at the places next to these of that to them. About a kink it drops as the square of the way and
the quantity as the way: off by several times as much."""
CUTS, ROUNDS = 16, 10
"""Into so many parts the way to either place beside the best is cut where no parabola fits, so often: 1e-9 of
it is left after eight."""
RANKED = 128
"""Places of one extreme that are looked at once, where there are more than are searched."""
SIGNS = {"max": (1.0,), "min": (-1.0,), "largest": (1.0, -1.0)}
"""Of which sides extremes are by what is asked for, 1 where large values are sought and -1 where small ones
are."""

Look = Callable[[list[np.ndarray], tuple[str, ...] | None], list[dict[str, np.ndarray]]]
"""(times [s] of each flight, paths or all) -> rows of the quantities of each flight."""
Steps = Callable[[int], np.ndarray]
"""Number of a flight -> when its steps end [s], rising."""


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
    new = [one for one in each(record, wanted) if one not in record.sought]
    if record.search is None or not new:
        return
    found = record.search(new)
    record.sought = record.sought | found.places
    record.left = record.left | found.left
    record.peaks = joined([record.peaks, found.peaks])


def each(record: Record, wanted: Iterable[Sought]) -> list[Sought]:
    """The extremes of single components, each once; of quantities that a record has."""
    found: dict[Sought, None] = {}
    for one in wanted:
        try:
            stem, component = resolve(record, one.path)
        except BadInput:  # told elsewhere
            continue
        names = record.meta[stem].components if component is None else ()
        paths = [f"{stem}.{name}" for name in names] or [one.path]
        found |= dict.fromkeys(one._replace(path=path) for path in paths)
    return [*found]


def found_for(record: Record, wanted: Iterable[Sought]) -> np.ndarray:
    """Which places between samples were sought for some extremes."""
    times = [record.sought[one] for one in each(record, wanted) if one in record.sought]
    return np.isin(record.peaks[0], np.concatenate([np.zeros(0), *times]))


def error_of(record: Record, one: Sought, best: float) -> float:
    """About how much the extreme of a scalar or component may exceed the best known value (SI).

    It may do so at places that were not searched; if none was, between samples, as far as these show it."""
    if one in record.sought:
        return max(0.0, record.left.get(one, -np.inf) - one.sign * best)
    stem, component = resolve(record, one.path)
    times, rows = timeline(record, stem)
    values = one.sign * pick(rows, component)
    spans = [(begin, end) for name, begin, end in record.phases if one.during in (None, name)]
    tops = Tops(times, values, spans)
    finite = values[np.isfinite(values)]
    spread = float(np.ptp(finite)) if finite.size else 0.0
    # Three values that drop by much of what all of them spread over do not show how high it is between them.
    high = [
        top.value + min(top.beyond, max(2 * (top.value - top.seen), top.beyond**2 / (spread or 1.0)))
        for top in tops.tops
    ]
    return max([0.0, *(value - one.sign * best for value in high)])


def joined(several: Iterable[Peaks]) -> Peaks:
    """Extremes of several searches or legs in order of time, those of one time once: of what all know."""
    some = [one for one in several if len(one[0])]
    if not some:
        return np.zeros(0), {}
    common = [path for path in some[0][1] if all(path in rows for _, rows in some)]
    times, first = np.unique(np.concatenate([own for own, _ in some]), return_index=True)
    return times, {path: np.concatenate([rows[path] for _, rows in some])[first] for path in common}


class _Bracket(NamedTuple):
    """Where an extreme may be: number of the flight, quantity, component, side, and times [s] beside it."""

    flight: int
    stem: str
    component: Any
    sign: float
    begin: float
    end: float


class _Hill:
    """What was seen in a bracket: times t (n,) [s], rising, and values v (n,), upwards where an extreme is
    sought; top: where the extreme should be [s], and how high by a parabola, nowhere where the largest value
    is that of an end."""

    def __init__(self, of: _Bracket, ends: np.ndarray):
        self.of, self.ends = of, ends
        self.t = self.v = np.zeros(0)
        self.top, self.height = np.nan, np.nan

    def add(self, times: np.ndarray, values: np.ndarray) -> None:
        """Add what was seen at times."""
        values = np.where(np.isnan(values), -np.inf, values)
        self.t, order = np.unique(np.append(self.t, times), return_index=True)
        self.v = np.append(self.v, values)[order]

    def three(self) -> tuple[np.ndarray, np.ndarray]:
        """Times and values of the best place and those beside it."""
        k = int(np.clip(self.v.argmax(), 1, len(self.t) - 2))
        return self.t[k - 1 : k + 2], self.v[k - 1 : k + 2]

    def aim(self) -> None:
        """Put the top where the parabola through the best three places has it."""
        times, values = self.three()
        self.top, self.height = vertex(times, values)
        inside = times[0] < self.top < times[2] and self.top != times[1]
        if not inside and self._at_an_end:
            self.top = np.nan

    def fits(self, value: float) -> bool:
        """Whether the value at the top, and those next to the best three places, are those of the parabola
        through these."""
        k = int(np.clip(self.v.argmax(), 1, len(self.t) - 2))
        (first, best, _), v = self.t[k - 1 : k + 2], self.v[k - 1 : k + 2]
        slopes = np.diff(v) / np.diff(self.t[k - 1 : k + 2])
        bend = (slopes[1] - slopes[0]) / (self.t[k + 1] - first)
        next_to = [n for n in (k - 2, k + 2) if 0 <= n < len(self.t)]
        t, there = self.t[next_to], self.v[next_to]
        off = np.abs(v[0] + (t - first) * (slopes[0] + bend * (t - best)) - there)
        near = FLAT * self.size
        right = abs(value - self.height) <= FIT * min(v[1] - v[0], v[1] - v[2]) + near
        return right and bool((off <= FURTHER * np.abs(v[1] - there) + near).all())

    def settle(self) -> None:
        """Put the top where the best value was seen."""
        self.top = np.nan if self._at_an_end else float(self.t[self.v.argmax()])

    @property
    def _at_an_end(self) -> bool:
        return self.v.argmax() in (0, len(self.t) - 1)

    @property
    def drop(self) -> float:
        """From the best value to those beside it."""
        return float(np.ptp(self.three()[1]))

    @property
    def size(self) -> float:
        """Of the best value and those beside it."""
        return float(np.max(np.abs(self.three()[1])))

    def first(self) -> np.ndarray:
        """Where it is looked first."""
        ends = _thinned(self.ends)
        span = self.of.end - self.of.begin
        places = self.of.begin + span * PLACES
        if not len(ends):
            return places
        clear = np.min(np.abs(places[:, None] - ends), axis=1) > BESIDE * span
        clear[[0, -1]] = True  # else the best place may be the outermost, as if the top were beyond
        return np.concatenate([places[clear], ends])

    def about(self) -> np.ndarray:
        """Where it is looked about the top."""
        times, values = self.three()
        first, _, last = times
        room = INSIDE * (last - first)
        top = np.clip(vertex(times, values)[0], first + room, last - room)
        places = [top - (top - first) * CLOSE[::-1], [top], top + (last - top) * CLOSE]
        if len(self.ends) > ENDS:
            places.append(_thinned(self.ends[(self.ends > first) & (self.ends < last)]))
        self.top = float(top)
        return np.concatenate(places)

    def between(self) -> np.ndarray:
        """Places that cut the ways from the best one to those beside it."""
        t, parts = self.three()[0], np.arange(1, CUTS) / CUTS
        return np.concatenate([t[0] + (t[1] - t[0]) * parts, t[1] + (t[2] - t[1]) * parts])


def _thinned(ends: np.ndarray) -> np.ndarray:
    """At most so many ends of steps, from the first to the last."""
    if len(ends) <= ENDS:
        return ends
    return ends[np.linspace(0, len(ends) - 1, ENDS).round().astype(int)]


def find(
    records: Sequence[Record | None],
    wanted: Sequence[Sought],
    look: Look,
    known: Collection[str],
    steps: Steps | None = None,
) -> list[Found]:
    """Extremes between the samples of flights that are looked at together, where each is, and how large it
    may be where it was not searched. known: the quantities that can be looked at; None: a flight that does
    not count."""
    asked = _possible(records, wanted, look, known, steps)
    places: list[Places] = [{} for _ in records]
    of: dict[_Bracket, list[Sought]] = {}
    bad: list[list[float]] = [[] for _ in records]
    for (number, one), (stem, component, tops) in asked.items():
        for top in tops.tops[:MOST_EXTREMES]:
            bracket = _Bracket(number, stem, component, one.sign, top.begin, top.end)
            of.setdefault(bracket, []).append(one)
        # A requirement must see where its quantity is not a number.
        places[number][one] = np.array([tops.bad] if np.isfinite(tops.bad) else [])
        bad[number] += places[number][one].tolist()
    ends = None if steps is None else [steps(number) for number in range(len(records))]
    hills = [_Hill(bracket, _ends(bracket, ends)) for bracket in of]
    peaks = _tops(hills, bad, look)
    for hill, several in zip(hills, of.values(), strict=True):
        for one in several if np.isfinite(hill.top) else ():
            mine = places[hill.of.flight]
            mine[one] = np.append(mine[one], hill.top)
    left: list[dict[Sought, float]] = [{} for _ in records]
    for (number, one), (*_, tops) in asked.items():
        left[number][one] = tops.rest
    for number, record in enumerate(records):
        for one in each(record, wanted) if record is not None else ():
            places[number].setdefault(one, np.zeros(0))
    return [Found(*one) for one in zip(peaks, places, left, strict=True)]


_Asked = dict[tuple[int, Sought], tuple[str, Any, Tops]]
"""Number of a flight and extreme -> its quantity, its component, and its possible places."""


def _possible(
    records: Sequence[Record | None],
    wanted: Sequence[Sought],
    look: Look,
    known: Collection[str],
    steps: Steps | None,
) -> _Asked:
    """Where all extremes may be. Where there are more places than are searched, these are looked at once."""
    stems = {stem for record in records for stem in _stems(record, wanted, known)}
    survey = Survey(records, sorted(stems), look, steps)
    found: _Asked = {}
    for number, record in enumerate(records):
        if record is None:
            continue
        for one in each(record, wanted):
            stem, component = resolve(record, one.path)
            if stem in _stems(record, [one], known):
                times, rows = survey.timeline(number, stem)
                spans = [(begin, end) for name, begin, end in record.phases if one.during in (None, name)]
                tops = Tops(times, one.sign * pick(rows, component), spans)
                found[number, one] = stem, component, tops
    _rank(found, len(records), look)
    return found


def _rank(asked: _Asked, flights: int, look: Look) -> None:
    """Look at the places of tops that are more than are searched, and put these in order."""
    some = {key: one for key, one in asked.items() if len(one[2].tops) > MOST_EXTREMES}
    if not some:
        return
    at: list[list[float]] = [[] for _ in range(flights)]
    parts = {}
    for (number, one), (*_, tops) in some.items():
        first = len(at[number])
        at[number] += [top.place for top in tops.tops[:RANKED]]
        parts[number, one] = slice(first, len(at[number]))
    stems = tuple(dict.fromkeys(stem for stem, *_ in some.values()))
    seen = look([np.array(one, float) for one in at], stems)
    for key, (stem, component, tops) in some.items():
        tops.rank(key[1].sign * pick(seen[key[0]][stem][parts[key]], component))


def _ends(bracket: _Bracket, all_ends: Sequence[np.ndarray] | None) -> np.ndarray:
    """When steps end inside a bracket."""
    if all_ends is None:
        return np.zeros(0)
    ends, inset = all_ends[bracket.flight], INSET * (bracket.end - bracket.begin)
    return np.unique(ends[(ends > bracket.begin + inset) & (ends < bracket.end - inset)])


def _tops(hills: list[_Hill], more: list[list[float]], look: Look) -> list[Peaks]:
    """Find the tops of hills, and the rows of all quantities there and at some more times of each flight."""
    flights = len(more)
    if not hills:
        return _rows(hills, more, look)
    _look_at(hills, [hill.first() for hill in hills], flights, look)
    for hill in hills:
        hill.aim()
    beside = [hill.three()[0] for hill in hills]
    _look_at(hills, [hill.about() for hill in hills], flights, look)
    off = []
    for hill, (first, _, last) in zip(hills, beside, strict=True):
        old = hill.top
        hill.aim()
        if abs(hill.top - old) > CLOSE[0] * min(old - first, last - old):
            off.append((hill, (last - first) * CLOSEST))
    if off:
        some = [hill for hill, _ in off]
        _look_at(some, [hill.top + close for hill, close in off], flights, look)
        for hill in some:
            hill.aim()
    peaks = _rows(hills, more, look)
    bent = [hill for hill in hills if not _holds(hill, peaks)]
    if not bent:
        return peaks
    _cut(bent, flights, look)
    return _rows(hills, more, look)


def _holds(hill: _Hill, peaks: list[Peaks]) -> bool:
    """Whether the value at the top is that of the parabola, and none that was seen is better."""
    if not np.isfinite(hill.top):
        return True
    times, rows = peaks[hill.of.flight]
    row = int(np.searchsorted(times, hill.top))
    value = float(hill.of.sign * pick(rows[hill.of.stem][row : row + 1], hill.of.component)[0])
    holds = hill.fits(value) and value >= hill.v.max() - ROUNDING * hill.size
    hill.add(np.array([hill.top]), np.array([value]))
    return holds


def _cut(hills: list[_Hill], flights: int, look: Look) -> None:
    """Find tops where no parabola fits: cut about the best place as long as what is beside it comes nearer,
    which it does not at a jump, nor in noise."""
    drops: list[list[float]] = [[] for _ in hills]
    for _ in range(ROUNDS):
        some = []
        for hill, old in zip(hills, drops, strict=True):
            old.append(hill.drop)
            nearer = len(old) < 3 or old[-1] < old[-3] / 2
            some += [hill] if nearer and old[-1] > FLAT * hill.size else []
        if not some:
            break
        _look_at(some, [hill.between() for hill in some], flights, look)
    for hill in hills:
        hill.settle()


def _look_at(hills: list[_Hill], places: list[np.ndarray], flights: int, look: Look) -> None:
    """Look at places of hills."""
    paths = tuple(dict.fromkeys(hill.of.stem for hill in hills))
    at: list[list[np.ndarray]] = [[] for _ in range(flights)]
    for hill, times in zip(hills, places, strict=True):
        at[hill.of.flight].append(times)
    seen = look([np.concatenate([np.zeros(0), *times]) for times in at], paths)
    first = [0] * flights
    for hill, times in zip(hills, places, strict=True):
        number, stem, component, sign, *_ = hill.of
        part = slice(first[number], first[number] + len(times))
        first[number] = part.stop
        hill.add(times, sign * pick(seen[number][stem][part], component))


def _rows(hills: list[_Hill], more: list[list[float]], look: Look) -> list[Peaks]:
    """Rows of all quantities at the tops, and at more times of each flight."""
    none: Peaks = np.zeros(0), {}
    at = [[*times] for times in more]
    for hill in hills:
        if np.isfinite(hill.top):
            at[hill.of.flight].append(hill.top)
    if not any(at):
        return [none for _ in at]
    times = [np.unique(np.array(one, float)) for one in at]
    rows = look(times, None)
    return [(t, found) if len(t) else none for t, found in zip(times, rows, strict=True)]


def _stems(record: Record | None, wanted: Sequence[Sought], known: Collection[str]) -> set[str]:
    """Quantities of which extremes between samples can be found in a record."""
    if record is None:
        return set()
    stems = {resolve(record, one.path)[0] for one in each(record, wanted)}
    return {
        s for s in stems if s in known and s in record.series and (s in record.before or not record.events)
    }
