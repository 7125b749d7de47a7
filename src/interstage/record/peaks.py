"""Search for extremes of quantities between the samples of a flight.

The searched extremes are those of requirements over time, of constraints and responses, and of the loads of a
flying body. The search has these steps:

1. The samples next to a possible extreme enclose it in a time interval, the bracket.
2. The quantity is evaluated at several times in the bracket, also at the ends of integration
   steps, because these coincide with kinks of tables. A parabola through the best three values
   estimates the time of the extreme.
3. A parabola through values at closer times gives the extreme. If the first estimate was
   inaccurate, a third parabola follows.
4. If no parabola fits, as at a kink, the intervals next to the best time are divided repeatedly.

A parabola through values at a distance s has a time error of about s^2 f'''/(6 f''). In an interval h, s is
h/8, h/4096 and h/16384. The result is never less than the best evaluated value.

Results are values of all quantities at additional times (`Record.peaks`), and the times that belong to each
searched extreme (`Record.sought`). Results of other searches do not change an extreme. Flights, batches,
sweeps and optimizers use the same search, so they give the same verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..tree.errors import BadInput
from .brackets import FLAT, MOST_EXTREMES, ROUNDING, Tops, vertex
from .record import Found, Peaks, Places, Record, Sought, pick, resolve, timeline
from .survey import Survey

INSET = 1e-6
"""Fraction of a bracket that is not evaluated at each end, because a quantity can have two values at an
event.
"""
PLACES = np.linspace(INSET, 1 - INSET, 17)
"""Times of the first evaluations, as fractions of the bracket."""
ENDS = 16
"""Maximum number of step ends in a bracket that the first evaluation includes.

If there are more step ends, the second evaluation includes step ends in the remaining interval.
"""
BESIDE = 1 / 64
"""Minimum distance between a step end and the other times of the first evaluation, as a fraction of the
bracket.
"""
CLOSE = np.array([1 / 512, 1 / 64, 1 / 8, 1.0])
"""Times of the second evaluation, before and after the estimated extreme.

The times are fractions of the distance between the estimate and the adjacent evaluated time.
"""
CLOSEST = np.array([-1, 0, 1]) / 4096
"""Times of the third evaluation, relative to the estimated extreme.

The times are fractions of the distance between the two evaluated times next to the first estimate. The third
evaluation occurs only if the second evaluation moved the estimate by more than the smallest distance in
`CLOSE`.
"""
INSIDE = 1 / 64
"""Minimum distance of the estimated extreme from the outer two of three evaluated times, as a fraction of
their span.
"""
FIT, FURTHER = 1 / 512, 1 / 10
"""Tolerances of a parabola: at its top (FIT), and at the evaluated times next to the best three (FURTHER).

FIT is relative to the drop from the best value to the larger adjacent value. FURTHER is relative to the drop
from the best value to the compared value. At a kink, the quantity drops linearly and the parabola
quadratically, so its error is several times larger than these tolerances.
"""
CUTS, ROUNDS = 16, 10
"""Number of parts into which an interval is divided, and maximum number of divisions, if no parabola fits.

After eight divisions, 1e-9 of the interval remains.
"""
RANKED = 128
"""Maximum number of candidates for one extreme that are evaluated once to select the largest candidates.

Candidates are evaluated for the selection only if there are more candidates than `MOST_EXTREMES`.
"""
SIGNS = {"max": (1.0,), "min": (-1.0,), "largest": (1.0, -1.0)}
"""Signs of the searched extremes for each kind of limit: 1 for a maximum, -1 for a minimum."""

Look = Callable[[list[np.ndarray], tuple[str, ...] | None], list[dict[str, np.ndarray]]]
"""Function that evaluates quantities at given times of several flights.

Arguments: times [s] of each flight; paths of the quantities, or None for all quantities. Result: values by
path for each flight.
"""
Steps = Callable[[int], np.ndarray]
"""Function that returns the end times of the integration steps of a flight [s], in ascending order, from its
index.
"""


def sought(one: Any) -> Iterator[Sought]:
    """Yield the extremes that a requirement needs. A requirement at an event needs no extreme.

    one: requirement.
    """
    if one.at is not None:
        return
    take = getattr(one, "take", None)
    limits = {"max": getattr(one, "max", None), "min": getattr(one, "min", None)}
    asked = [take] if take else [side for side, limit in limits.items() if limit is not None]
    for side in asked:
        yield from (Sought(one.quantity, sign, one.during) for sign in SIGNS[side])


def seek(record: Record, wanted: Iterable[Sought]) -> None:
    """Search for extremes between samples, and add them to a record.

    Extremes that the record already has are not searched again. A record without a search function, as from a
    file, is not changed.

    wanted: requested extremes.
    """
    new = [one for one in each(record, wanted) if one not in record.sought]
    if record.search is None or not new:
        return
    found = record.search(new)
    record.sought = record.sought | found.places
    record.left = record.left | found.left
    record.peaks = join([record.peaks, found.peaks])


def each(record: Record, wanted: Iterable[Sought]) -> list[Sought]:
    """Return requested extremes without duplicates, one request for each component of a vector.

    Requests for quantities that the record does not contain are omitted.

    wanted: requested extremes.
    """
    found: dict[Sought, None] = {}
    for one in wanted:
        try:
            stem, component = resolve(record, one.path)
        except BadInput:  # reported elsewhere
            continue
        names = record.meta[stem].components if component is None else ()
        paths = [f"{stem}.{name}" for name in names] or [one.path]
        found |= dict.fromkeys(one._replace(path=path) for path in paths)
    return [*found]


def found_for(record: Record, wanted: Iterable[Sought]) -> np.ndarray:
    """Return whether each time of `record.peaks` was evaluated for one of the requested extremes: bool (n,).

    wanted: requested extremes.
    """
    times = [record.sought[one] for one in each(record, wanted) if one in record.sought]
    return np.isin(record.peaks[0], np.concatenate([np.zeros(0), *times]))


def error_of(record: Record, one: Sought, best: float) -> float:
    """Return the amount [SI] by which the true extreme may exceed the found value `best`.

    If the extreme was not searched between samples, the amount is estimated from the samples.

    one: requested extreme.
    """
    if one in record.sought:
        return max(0.0, record.left.get(one, -np.inf) - one.sign * best)
    stem, component = resolve(record, one.path)
    times, rows = timeline(record, stem)
    values = one.sign * pick(rows, component)
    spans = [(begin, end) for name, begin, end in record.phases if one.during in (None, name)]
    tops = Tops(times, values, spans)
    finite = values[np.isfinite(values)]
    spread = float(np.ptp(finite)) if finite.size else 0.0
    # Three values with a large drop relative to their spread do not determine the peak between them.
    high = [
        top.value + min(top.beyond, max(2 * (top.value - top.seen), top.beyond**2 / (spread or 1.0)))
        for top in tops.tops
    ]
    return max([0.0, *(value - one.sign * best for value in high)])


def join(several: Iterable[Peaks]) -> Peaks:
    """Join the extremes of several searches or legs in order of time.

    The result contains only quantities that all inputs contain.
    """
    some = [one for one in several if len(one[0])]
    if not some:
        return np.zeros(0), {}
    common = [path for path in some[0][1] if all(path in rows for _, rows in some)]
    times, first = np.unique(np.concatenate([own for own, _ in some]), return_index=True)
    return times, {path: np.concatenate([rows[path] for _, rows in some])[first] for path in common}


class _Bracket(NamedTuple):
    """A possible extreme: index of the flight, quantity, component, side, and adjacent times [s]."""

    flight: int
    stem: str
    component: Any
    sign: float
    begin: float
    end: float


class _Hill:
    """Evaluations in a bracket: times t (n,) [s], rising, and values v (n,).

    The sign of v makes the extreme a maximum. top: estimated time [s] and value of the extreme by a
    parabola, NaN if the largest value is at an end."""

    def __init__(self, of: _Bracket, ends: np.ndarray):
        self.of, self.ends = of, ends
        self.t = self.v = np.zeros(0)
        self.top, self.height = np.nan, np.nan

    def add(self, times: np.ndarray, values: np.ndarray) -> None:
        """Add evaluations at times."""
        values = np.where(np.isnan(values), -np.inf, values)
        self.t, order = np.unique(np.append(self.t, times), return_index=True)
        self.v = np.append(self.v, values)[order]

    def three(self) -> tuple[np.ndarray, np.ndarray]:
        """Return times and values of the best place and its neighbours."""
        k = int(np.clip(self.v.argmax(), 1, len(self.t) - 2))
        return self.t[k - 1 : k + 2], self.v[k - 1 : k + 2]

    def aim(self) -> None:
        """Set the top from the parabola through the best three values."""
        times, values = self.three()
        self.top, self.height = vertex(times, values)
        inside = times[0] < self.top < times[2] and self.top != times[1]
        if not inside and self._at_an_end:
            self.top = np.nan

    def fits(self, value: float) -> bool:
        """Whether the value at the top and the adjacent values agree with the parabola through the best
        three."""
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
        """Set the top to the best evaluated value."""
        self.top = np.nan if self._at_an_end else float(self.t[self.v.argmax()])

    @property
    def _at_an_end(self) -> bool:
        return self.v.argmax() in (0, len(self.t) - 1)

    @property
    def drop(self) -> float:
        """Drop from the best value to its lowest neighbour."""
        return float(np.ptp(self.three()[1]))

    @property
    def size(self) -> float:
        """Largest absolute value of the best place and its neighbours."""
        return float(np.max(np.abs(self.three()[1])))

    def first(self) -> np.ndarray:
        """Return the first places."""
        ends = _thin_out(self.ends)
        span = self.of.end - self.of.begin
        places = self.of.begin + span * PLACES
        if not len(ends):
            return places
        clear = np.min(np.abs(places[:, None] - ends), axis=1) > BESIDE * span
        clear[[0, -1]] = True  # else the best place may be the outermost, as if the top were beyond
        return np.concatenate([places[clear], ends])

    def about(self) -> np.ndarray:
        """Return places around the top."""
        times, values = self.three()
        first, _, last = times
        room = INSIDE * (last - first)
        top = np.clip(vertex(times, values)[0], first + room, last - room)
        places = [top - (top - first) * CLOSE[::-1], [top], top + (last - top) * CLOSE]
        if len(self.ends) > ENDS:
            places.append(_thin_out(self.ends[(self.ends > first) & (self.ends < last)]))
        self.top = float(top)
        return np.concatenate(places)

    def between(self) -> np.ndarray:
        """Return places that divide the intervals next to the best place."""
        t, parts = self.three()[0], np.arange(1, CUTS) / CUTS
        return np.concatenate([t[0] + (t[1] - t[0]) * parts, t[1] + (t[2] - t[1]) * parts])


def _thin_out(ends: np.ndarray) -> np.ndarray:
    """At most this number of ends of steps, from the first to the last."""
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
    """Search for the extremes between samples of several flights together, and return the result of each
    flight.

    - records: records of the flights; None for a flight that is not searched.
    - wanted: requested extremes.
    - look: function that evaluates quantities at given times of each flight.
    - known: paths of the quantities that `look` can evaluate.
    - steps: function that returns the end times of the integration steps of a flight [s]. Default:
      none.
    """
    asked = _possible(records, wanted, look, known, steps)
    places: list[Places] = [{} for _ in records]
    of: dict[_Bracket, list[Sought]] = {}
    bad: list[list[float]] = [[] for _ in records]
    for (number, one), (stem, component, tops) in asked.items():
        for top in tops.tops[:MOST_EXTREMES]:
            bracket = _Bracket(number, stem, component, one.sign, top.begin, top.end)
            of.setdefault(bracket, []).append(one)
        # A requirement must detect NaN of its quantity.
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
"""(index of a flight, extreme) -> its quantity, component and candidates."""


def _possible(
    records: Sequence[Record | None],
    wanted: Sequence[Sought],
    look: Look,
    known: Collection[str],
    steps: Steps | None,
) -> _Asked:
    """Return the candidates of all extremes. If there are too many, each is evaluated once first."""
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
    """Evaluate the tops of candidates that are too many, and sort the candidates."""
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
    """Ends of steps inside a bracket."""
    if all_ends is None:
        return np.zeros(0)
    ends, inset = all_ends[bracket.flight], INSET * (bracket.end - bracket.begin)
    return np.unique(ends[(ends > bracket.begin + inset) & (ends < bracket.end - inset)])


def _tops(hills: list[_Hill], more: list[list[float]], look: Look) -> list[Peaks]:
    """Find the tops of brackets, and the rows of all quantities there and at further times of each flight."""
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
    _divide(bent, flights, look)
    return _rows(hills, more, look)


def _holds(hill: _Hill, peaks: list[Peaks]) -> bool:
    """Whether the value at the top agrees with the parabola, and no evaluated value is better."""
    if not np.isfinite(hill.top):
        return True
    times, rows = peaks[hill.of.flight]
    row = int(np.searchsorted(times, hill.top))
    value = float(hill.of.sign * pick(rows[hill.of.stem][row : row + 1], hill.of.component)[0])
    holds = hill.fits(value) and value >= hill.v.max() - ROUNDING * hill.size
    hill.add(np.array([hill.top]), np.array([value]))
    return holds


def _divide(hills: list[_Hill], flights: int, look: Look) -> None:
    """Find tops where no parabola fits: divide the intervals next to the best place while its neighbours
    approach it.

    They do not approach it at a jump or in noise."""
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
    """Evaluate places of brackets."""
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
    """Rows of all quantities at the tops, and at further times of each flight."""
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
    """Return the quantities of a record whose extremes between samples can be searched."""
    if record is None:
        return set()
    stems = {resolve(record, one.path)[0] for one in each(record, wanted)}
    return {
        s for s in stems if s in known and s in record.series and (s in record.before or not record.events)
    }
