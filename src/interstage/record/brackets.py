"""Find time intervals that may contain an extreme of a quantity, from values of the quantity at some
times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .record import SAME_TIME

FEW_SAMPLES = 4
"""If a stretch between events has at most this number of samples, its first and last interval are always
searched.
"""
MOST_EXTREMES = 8
"""Maximum number of candidates that are searched for one extreme. The largest candidates are searched
first.
"""
FLAT = 1e-9
"""Change between samples that counts as zero, relative to the range of the values.

A change of a few units in the last place of the values also counts as zero. If no parabola fits, the
tolerance is relative to the values themselves.
"""
ROUNDING = 8 * np.finfo(float).eps


PLACED = 4.0
"""Factor of the error estimate for the top of a parabola after the quantity was evaluated at the top.

The error is this factor times the square of the relative error of the parabola, times its drop.
"""


class Top(NamedTuple):
    """Candidate for an extreme of a quantity between samples.

    - value: value of the extreme, estimated by a parabola.
    - beyond: amount by which the extreme may exceed `value`.
    - begin, end: start and end of the time interval that contains the extreme [s].
    - place: estimated time of the extreme [s].
    - seen: largest evaluated value in this interval.
    """

    value: float
    beyond: float
    begin: float
    end: float
    place: float
    seen: float


class Tops:
    """Candidates for the largest value of a quantity.

    - times: times (n,) [s] in order. The time of an event occurs twice, with the values before and
      after it.
    - values: values of the quantity (n,).
    - spans: (start, end) [s] of the time spans in which candidates are searched.
    - best: largest of the values in the spans.
    - tops: candidates that may exceed `best`, in descending order.
    - bad: first time [s] at which the quantity is not finite; NaN if all values are finite.
    """

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
            # Candidates whose upper bound reaches the best estimate.
            some = (top for top in found if top.value + top.beyond >= best)
            self.tops = sorted(some, key=lambda top: -top.value)

    def rank(self, values: np.ndarray) -> None:
        """Sort the candidates with values evaluated at their estimated times.

        values: values of the quantity at the estimated times of the first candidates, in their order. If a
        parabola has a relative error e of its drop, its top has a time error of about e times the width of
        the interval. The error of the value is about e^2 times the drop.
        """
        seen = []
        for top, v in zip(self.tops, np.nan_to_num(values, nan=-np.inf).tolist(), strict=False):
            off = abs(v - top.value)
            beyond = min(off, PLACED * off**2 / top.beyond) if top.beyond > 0 else off
            seen.append(top._replace(value=max(v, top.seen), beyond=beyond))
        rest = [top._replace(beyond=top.value - top.seen) for top in self.tops[len(seen) :]]
        self.tops = sorted([*seen, *rest], key=lambda top: -top.value)

    @property
    def rest(self) -> float:
        """Return the upper bound of all candidates that are not searched; minus infinity if all are
        searched.
        """
        return max((top.value + top.beyond for top in self.tops[MOST_EXTREMES:]), default=-np.inf)


def _inside(times: np.ndarray, start: float, end: float) -> bool:
    near = SAME_TIME * max(1.0, abs(start), abs(end))
    return start - near <= times[0] and times[-1] <= end + near


def _smooth(times: np.ndarray, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield stretches between events, at which a value may jump."""
    cuts = np.flatnonzero(np.diff(times) <= SAME_TIME * np.maximum(1.0, np.abs(times[1:]))) + 1
    for t, v in zip(np.split(times, cuts), np.split(values, cuts), strict=True):
        if len(t) > 1:
            yield t, v


def _promising(t: np.ndarray, v: np.ndarray) -> Iterator[Top]:
    """Yield possible extremes of a smooth stretch that exceed the values by more than rounding.

    An extreme may be near each value that is larger than its neighbours. If the value at the end of a
    stretch is larger, an extreme may be in the first or last interval, at the top of the parabola through
    the three values there. With few values the parabola is not known; then the change over the interval
    bounds the excess."""
    drop = np.maximum(v[1:-1] - v[:-2], v[1:-1] - v[2:])
    # A top exceeds three values by less than their drop.
    high = (v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:]) & (v[1:-1] + 2 * drop >= v.max())
    for k in np.flatnonzero(high) + 1:
        some = slice(k - 1, k + 2)
        if np.ptp(v[some]) > _nothing(v[some]):
            # A straight rise may continue to a kink.
            place, top = vertex(t[some], v[some])
            yield Top(top, float(np.ptp(v[some])), float(t[k - 1]), float(t[k + 1]), place, float(v[k]))
    if len(t) == 2:
        beyond, seen = max(float(abs(v[1] - v[0])), 2 * _nothing(v)), float(v.max())
        yield Top(seen, beyond, float(t[0]), float(t[1]), float(t.mean()), seen)
        return
    for rows, edge, beside in ((slice(0, 3), 0, 1), (slice(-3, None), -1, -2)):
        # Two equal values at the beginning are found above.
        if v[edge] > v[beside] or (edge and v[edge] == v[beside]):
            begin, end = sorted((float(t[edge]), float(t[beside])))
            when, top = vertex(t[rows], v[rows])
            over = top if begin < when < end else float(v[edge])
            beyond = over - float(v[edge if begin < when < end else beside])
            if beyond > _nothing(v[rows]) and (begin < when < end or len(t) <= FEW_SAMPLES):
                place = when if begin < when < end else 0.5 * (begin + end)
                yield Top(over, beyond, begin, end, place, float(v[edge]))


def _nothing(values: np.ndarray) -> float:
    """The difference of neighbouring values that counts as zero."""
    return FLAT * float(np.ptp(values)) + ROUNDING * float(np.max(np.abs(values)))


def vertex(t: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """Return the time and the value at the top of the parabola through three points.

    t: times (3,) [s]. v: values (3,). If no parabola with a maximum fits, the middle point is returned.
    """
    if not np.isfinite(v).all():
        return float(t[1]), float(v[1])
    first, last = (v[1] - v[0]) / (t[1] - t[0]), (v[2] - v[1]) / (t[2] - t[1])
    bend = (last - first) / (t[2] - t[0])
    if not bend < 0:
        return float(t[1]), float(v[1])
    slope = first + bend * (t[1] - t[0])
    step = float(np.clip(-slope / (2 * bend), t[0] - t[1], t[2] - t[1]))
    return float(t[1]) + step, float(v[1] + step * (slope + bend * step))
