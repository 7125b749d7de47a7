"""Time integrals of functions of the states, evaluated after a flight.

The trapezoidal rule uses the known states at the ends of steps and at samples. If the error of the
trapezoidal rule is too large, the five-point Lobatto rule is used, which is exact for polynomials of degree
7. Source: Abramowitz and Stegun, Handbook of Mathematical Functions, eq. 25.4.32. Integration steps compute
the states at its inner points.

Intervals in which a rate nearly jumps are divided until the error is small enough. The error estimate is the
difference between the Lobatto rule and a rule that uses only the inner points.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..record.record import SAME_TIME

TOLERANCE = 1e-7
"""Allowed sum of the errors of the trapezoidal rule for a component, relative to the largest integral."""
FEW, MOST = 100, 3000
"""FEW: up to this number of intervals, all intervals use the Lobatto rule. MOST: maximum number of intervals
that use it.
"""
INNER = np.array([-np.sqrt(3 / 7), 0.0, np.sqrt(3 / 7)])
WEIGHTS = np.array([49 / 90, 32 / 45, 49 / 90])
END = 1 / 10
ALONE = np.array([7 / 9, 4 / 9, 7 / 9])
POWER = 9 / 5
PIECES, DEEPEST = 8, 6
"""Number of pieces into which an interval is divided, and maximum number of successive divisions."""


class Integral(NamedTuple):
    """Time integrals from the first time to increasing times.

    - times (n,) [s]: ends of the intervals; the first is the start.
    - values (n, components): integrals up to these times.
    """

    times: np.ndarray
    values: np.ndarray

    def at(self, times: np.ndarray) -> np.ndarray:
        """Return the integrals (n, components) at times (n,) [s]. Each time must be the end of a step or
        a sample.
        """
        after = np.searchsorted(self.times, times).clip(max=len(self.times) - 1)
        before = (after - 1).clip(min=0)
        nearer = times - self.times[before] < self.times[after] - times
        return self.values[np.where(nearer, before, after)]


class _Intervals(NamedTuple):
    """Beginnings and ends [s] (n,), and the rates there (n, components)."""

    begin: np.ndarray
    end: np.ndarray
    first: np.ndarray
    last: np.ndarray


def integral(flown: Any, rates: Any) -> Integral | None:
    """Return the time integrals of rates(mechanism, t, x, discrete) (components, *cases) over a flight.

    For a flight without duration, return None.
    """
    parts = _intervals(flown, rates)
    if parts is None:
        return None
    h = (parts.end - parts.begin)[:, None]
    found = h / 2 * (parts.first + parts.last)
    some = _rough(parts)
    if some.size:
        rough = _Intervals(*(column[some] for column in parts))
        found[some] = _lobatto(flown, rates, rough, TOLERANCE * _size(parts), DEEPEST)
    whole = np.concatenate([np.zeros((1, found.shape[1])), np.cumsum(found, 0)])
    return Integral(np.concatenate([parts.begin[:1], parts.end]), whole)


def _intervals(flown: Any, rates: Any) -> _Intervals | None:
    """The steps that took time, cut at the samples inside them."""
    track = flown.track
    long = np.flatnonzero(track.t_end > track.t)
    if not long.size:
        return None
    begin, end = track.t[long], track.t_end[long]
    rates_at_begin = flown.of_states(long, rates, ends=False)
    rates_at_end = flown.of_states(long, rates, ends=True)
    samples = flown.record.time
    step = np.searchsorted(begin, samples, side="right").clip(min=1) - 1
    least = SAME_TIME * np.maximum(1.0, np.abs(samples))
    inside = (samples > begin[step] + least) & (samples < end[step] - least)
    samples, step = samples[inside], step[inside]
    if samples.size:
        begin, rates_at_begin = (
            np.concatenate([begin, samples]),
            np.concatenate([rates_at_begin, flown.at(samples, rates)]),
        )
    steps = np.concatenate([np.arange(len(long)), step])
    order = np.lexsort((begin, steps))
    begin, steps, first = begin[order], steps[order], rates_at_begin[order]
    goes_on = np.append(steps[1:] == steps[:-1], False)
    following = np.minimum(np.arange(len(steps)) + 1, len(steps) - 1)
    stop = np.where(goes_on, begin[following], end[steps])
    last = np.where(goes_on[:, None], first[following], rates_at_end[steps])
    return _Intervals(begin, stop, first, last)


def _lobatto(flown: Any, rates: Any, parts: _Intervals, most: float, deeper: int) -> np.ndarray:
    """The integrals over intervals (n, components), each with an error of `most`."""
    middle, half = (parts.end + parts.begin) / 2, (parts.end - parts.begin) / 2
    inner = flown.at((middle[:, None] + half[:, None] * INNER).reshape(-1), rates)
    inner = inner.reshape(len(half), len(INNER), -1)
    alone, weighted = (half[:, None] * np.einsum("j,njk->nk", rule, inner) for rule in (ALONE, WEIGHTS))
    found = half[:, None] * END * (parts.first + parts.last) + weighted
    size = 2 * half[:, None] * np.max(np.abs(inner), axis=1)
    with np.errstate(all="ignore"):
        error = np.nan_to_num(size * (np.abs(found - alone) / size) ** POWER, posinf=0.0).max(1)
    bad = np.flatnonzero(error > most)
    if bad.size and deeper:
        cut = _pieces(flown, rates, _Intervals(*(column[bad] for column in parts)))
        found[bad] = _lobatto(flown, rates, cut, most, deeper - 1).reshape(len(bad), PIECES, -1).sum(1)
    return found


def _pieces(flown: Any, rates: Any, parts: _Intervals) -> _Intervals:
    """The pieces of intervals."""
    places = parts.begin[:, None] + (parts.end - parts.begin)[:, None] * np.arange(1, PIECES) / PIECES
    between = flown.at(places.reshape(-1), rates).reshape(*places.shape, -1)
    times = np.hstack([parts.begin[:, None], places, parts.end[:, None]])
    every = np.concatenate([parts.first[:, None], between, parts.last[:, None]], 1)
    ends = every[:, :-1], every[:, 1:]
    first, last = (end.reshape(-1, every.shape[-1]) for end in ends)
    return _Intervals(times[:, :-1].reshape(-1), times[:, 1:].reshape(-1), first, last)


def _size(parts: _Intervals) -> float:
    """The largest integral of a size."""
    h = parts.end - parts.begin
    size = (h[:, None] * np.maximum(np.abs(parts.first), np.abs(parts.last))).sum(0)
    return float(np.nan_to_num(size).max())


def _rough(parts: _Intervals) -> np.ndarray:
    """The intervals in which the trapezoidal rule is not good enough, by h^3 f''/12 with the second
    derivative from the slopes of the neighbouring intervals."""
    h = parts.end - parts.begin
    if len(h) <= FEW:
        return np.arange(len(h))
    slope = (parts.last - parts.first) / h[:, None]
    bend = np.abs(np.diff(slope, axis=0)).max(1)
    bend = np.maximum(np.append(bend, 0.0), np.append(0.0, bend))
    error = np.nan_to_num(h**2 * bend / 12, posinf=0.0)
    order = np.argsort(error)
    fine = int(np.searchsorted(np.cumsum(error[order]), TOLERANCE * _size(parts), side="right"))
    return np.sort(order[max(fine, len(h) - MOST) :])
