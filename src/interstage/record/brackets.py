"""Where an extreme of a quantity may be, by values of it at some times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .record import SAME_TIME

FEW_SAMPLES = 4
"""Samples of a stretch up to which it is looked in its first and last interval whatever they show."""
MOST_EXTREMES = 8
"""Extremes of a quantity that are looked for, the largest first."""
FLAT = 1e-9
"""Part of what a quantity changes by between samples that counts as nothing, as do a few units in the last
place of its values there; where no parabola fits, of its values."""
ROUNDING = 8 * np.finfo(float).eps


PLACED = 4.0
"""How many times the square of its relative error a parabola's top may be off, where it was looked at."""


class Top(NamedTuple):
    """A possible extreme.

    value: by a parabola; beyond: how much larger it may be. begin, end: the times between which it is [s];
    place: the time by the parabola [s]. seen: the largest value that was evaluated there."""

    value: float
    beyond: float
    begin: float
    end: float
    place: float
    seen: float


class Tops:
    """Where the largest value of a quantity may be, by values at times (n,) [s] in order, both of events.

    spans: of time that count. best: the largest value; tops: possible larger ones, the largest first. bad:
    the first time at which the quantity is not a finite number [s], or NaN."""

    def __init__(self, times: np.ndarray, values: np.ndarray, spans: Sequence[tuple[float, float]]):
        smooth = _smooth(times, values)
        stretches = [part for part in smooth if any(_inside(part[0], *span) for span in spans)]
        when, inside = (np.concatenate([np.zeros(0), *(part[k] for part in stretches)]) for k in (0, 1))
        fine = np.isfinite(inside)
        self.bad = np.nan if fine.all() else float(when[np.argmin(fine)])
        self.best, self.tops = -np.inf, list[Top]()
        if not inside.size or not fine.all():
            return
        self.best = float(inside.max())
        if np.ptp(inside) > 0:
            found = [top for t, v in stretches for top in _promising(t, v)]
            best = max([self.best, *(top.value for top in found)])
            # Those that would be the largest if they were as much larger as they exceed the values.
            some = (top for top in found if top.value + top.beyond >= best)
            self.tops = sorted(some, key=lambda top: -top.value)

    def rank(self, values: np.ndarray) -> None:
        """Put the tops in order by values at the places of the first of them, and leave out those that are
        then known to be smaller than others. Of a parabola that is off by a part e of its drop the place is
        off by about that part of its width, and the value there by e^2 of the drop."""
        seen = []
        for top, v in zip(self.tops, np.nan_to_num(values, nan=-np.inf).tolist(), strict=False):
            off = abs(v - top.value)
            beyond = min(off, PLACED * off**2 / top.beyond) if top.beyond > 0 else off
            seen.append(top._replace(value=max(v, top.seen), beyond=beyond))
        rest = [top._replace(beyond=top.value - top.seen) for top in self.tops[len(seen) :]]
        self.tops = sorted([*seen, *rest], key=lambda top: -top.value)

    @property
    def rest(self) -> float:
        """How large those may be that are not among the first ones."""
        return max((top.value + top.beyond for top in self.tops[MOST_EXTREMES:]), default=-np.inf)


def _inside(times: np.ndarray, start: float, end: float) -> bool:
    near = SAME_TIME * max(1.0, abs(start), abs(end))
    return start - near <= times[0] and times[-1] <= end + near


def _smooth(times: np.ndarray, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Stretches between events, at which a value may jump."""
    cuts = np.flatnonzero(np.diff(times) <= SAME_TIME * np.maximum(1.0, np.abs(times[1:]))) + 1
    for t, v in zip(np.split(times, cuts), np.split(values, cuts), strict=True):
        if len(t) > 1:
            yield t, v


def _promising(t: np.ndarray, v: np.ndarray) -> Iterator[Top]:
    """Possible extremes of a smooth stretch, where they exceed the values by more than rounding.

    One may be about each value that is larger than its neighbours. One may be in the first or last interval,
    if the value at the end of the stretch is the larger: at the top of the parabola through the three values
    there. Of few values the parabola is not known; then the change over the interval bounds the excess."""
    drop = np.maximum(v[1:-1] - v[:-2], v[1:-1] - v[2:])
    # A top exceeds three values by less than their drop.
    high = (v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:]) & (v[1:-1] + 2 * drop >= v.max())
    for k in np.flatnonzero(high) + 1:
        some = slice(k - 1, k + 2)
        if np.ptp(v[some]) > _nothing(v[some]):
            # A straight rise may go on to a kink.
            place, top = vertex(t[some], v[some])
            yield Top(top, float(np.ptp(v[some])), float(t[k - 1]), float(t[k + 1]), place, float(v[k]))
    if len(t) == 2:
        beyond, seen = max(float(abs(v[1] - v[0])), 2 * _nothing(v)), float(v.max())
        yield Top(seen, beyond, float(t[0]), float(t[1]), float(t.mean()), seen)
        return
    for rows, edge, beside in ((slice(0, 3), 0, 1), (slice(-3, None), -1, -2)):
        # Two alike at the beginning are found above.
        if v[edge] > v[beside] or (edge and v[edge] == v[beside]):
            begin, end = sorted((float(t[edge]), float(t[beside])))
            when, top = vertex(t[rows], v[rows])
            over = top if begin < when < end else float(v[edge])
            beyond = over - float(v[edge if begin < when < end else beside])
            if beyond > _nothing(v[rows]) and (begin < when < end or len(t) <= FEW_SAMPLES):
                place = when if begin < when < end else 0.5 * (begin + end)
                yield Top(over, beyond, begin, end, place, float(v[edge]))


def _nothing(values: np.ndarray) -> float:
    """The difference of neighbouring values that counts as none."""
    return FLAT * float(np.ptp(values)) + ROUNDING * float(np.max(np.abs(values)))


def vertex(t: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """Time and value of the top of the parabola through three points, between the first and the last; of the
    middle one where they lie on a line, or are no numbers."""
    if not np.isfinite(v).all():
        return float(t[1]), float(v[1])
    first, last = (v[1] - v[0]) / (t[1] - t[0]), (v[2] - v[1]) / (t[2] - t[1])
    bend = (last - first) / (t[2] - t[0])
    if not bend < 0:
        return float(t[1]), float(v[1])
    slope = first + bend * (t[1] - t[0])
    step = float(np.clip(-slope / (2 * bend), t[0] - t[1], t[2] - t[1]))
    return float(t[1]) + step, float(v[1] + step * (slope + bend * step))
