"""Least distances of two bodies in all cases of a batch, found exactly only where cheap bounds let it matter.

Every state that a case has passed through has a lower bound of the distance. Bounds also hold for other
times: the distance changes no faster than the fastest point of a body moves against the other. Exact
distances are searched from few to many states, each time only where the bounds, with all that is known by
then, leave room for a lesser one."""

from __future__ import annotations

import numpy as np

from .course import TOUCHING, WORTH, path, sunk
from .lanes import Lanes, places
from .motion import Relative

STRIDES = (16, 4, 1)
"""Every how many of the states distances are searched among, one after the other."""
NARROWEST = 4
"""Into how many parts the interval of a clearance is divided at most, while bounds leave room."""
ZOOMS = 12
"""Most states between two others that are looked at for the least distance."""
PARTS = 4
"""Into how many parts the time between two states is divided."""
TOUCHED_AT_ONCE = 16
"""States in one go while bodies that touch at first are waited for to come apart."""
STRIDES_OUT = 12
"""How often the stride from state to state, to where the distance stops falling, is doubled."""
STILL = 1e-12
"""Change of the distance, relative to the size, that is not worth another look."""


def least(
    lanes: Lanes, start: np.ndarray, end: np.ndarray, interval: float, parted: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(minimum distances (case) [m] between times (case) [s], their times (case) [s], distances at the first
    states (case) [m]); NaN without a state between the times. With `parted`, the search for bodies that touch
    initially begins at the first state without touch. Only then are the first distances known."""
    rows, count = lanes.rows, lanes.flown.count
    times = rows.t[:, :count]
    keep = lanes.counts[:, :count] & (times >= start - 1e-9) & (times <= end + 1e-9)
    row, lane = np.nonzero(keep)
    distance, time, first = np.full((3, count), np.nan)
    if not row.size:
        return distance, time, first
    states = _States(lanes, count)
    states.add(lane, times[row, lane], row, np.zeros(len(row)))
    if parted:
        first = states.drop_touching(interval)
    states.settle()
    states.fill(interval)
    states.zoom()
    known = np.isfinite(states.best)
    distance[known], time[known] = states.best[known], states.when[known]
    return distance, time, first


FIELDS = ("lane", "time", "row", "low", "limit", "distance", "rate")


class _States:
    """States (n) of cases: row of each state, bounds of the distance, the greatest speed at which it may
    change and, where it was searched, the distance and its rate.

    best, when (case): the least distance that was found, and its time; below: an upper bound of it."""

    def __init__(self, lanes: Lanes, count: int):
        self.lanes, self.count = lanes, count
        self.lane, self.row = np.zeros((2, 0), int)
        self.time, self.low, self.limit, self.distance, self.rate = np.zeros((5, 0))
        self.between = Relative(np.zeros((3, 3, 0)), *np.zeros((3, 3, 0)))
        self.best, self.below = np.full((2, count), np.inf)
        self.when = np.full(count, np.nan)
        self.size = max(watch.size for watch in lanes.watches)

    def add(self, lane, time, row, step) -> np.ndarray:
        """Look at some more states, a step [s] after rows. Returns their numbers."""
        order = np.lexsort((time, lane))
        lane, time, row, step = lane[order], time[order], row[order], step[order]
        seen = self.lanes.states_at(row, lane, step if step.any() else None)
        unknown, first = np.full(len(lane), np.nan), len(self.lane)
        new = lane, time, row, seen.bound, seen.limit, unknown, unknown
        for name, values in zip(FIELDS, new, strict=True):
            setattr(self, name, np.concatenate([getattr(self, name), values]))
        both = zip(self.between, seen.between, strict=True)
        self.between = Relative(*(np.concatenate(fields, -1) for fields in both))
        return np.arange(first, len(self.lane))

    def drop_touching(self, interval: float) -> np.ndarray:
        """Leave out what comes before the first state in which the bodies are apart, or have sunk into one
        another; where there is none, all but the first. Returns the distances at the first (case) [m]."""
        order, place = in_order(self.lane, self.time)
        lane, touching = self.lane[order], np.ones(self.count, bool)
        begin, begun = np.full((2, self.count), np.inf)
        first, count, last = 0, 1, int(place.max())
        while touching.any() and first <= last:
            here = (place >= first) & (place < first + count) & touching[lane]
            some = order[here]
            self._exact(some)
            if first == 0:
                begun[self.lane[some]] = self.distance[some]
            left = some[self._has_changed(some, begun)]
            np.minimum.at(begin, self.lane[left], self.time[left])
            touching[self.lane[left]] = False
            first, count = first + count, TOUCHED_AT_ONCE
        left = np.flatnonzero((place > 0) & (self.time[order] == begin[lane]))
        self._look_into(order[left - 1], order[left], begun, begin, interval)
        order, place = in_order(self.lane, self.time)
        lane = self.lane[order]
        kept = np.sort(order[(self.time[order] >= begin[lane]) | ((place == 0) & np.isinf(begin[lane]))])
        for name in FIELDS:
            setattr(self, name, getattr(self, name)[kept])
        self.between = self._some(kept)
        self.best[:], self.below[:] = np.inf, np.inf
        self._note(np.flatnonzero(~np.isnan(self.distance)))
        return np.where(np.isinf(begun), np.nan, begun)

    def _has_changed(self, states: np.ndarray, begun: np.ndarray) -> np.ndarray:
        """Whether bodies are apart, or deeper inside one another than at first, (case) [m]."""
        distance = self.distance[states]
        return (distance > TOUCHING * self.size) | self._sunk(distance, begun[self.lane[states]])

    def _sunk(self, distance: np.ndarray, first: np.ndarray) -> np.ndarray:
        return sunk(distance, first, self.size) & (not self.lanes.watches[0].held_off)

    def _look_into(self, one, next_, begun: np.ndarray, begin: np.ndarray, interval: float) -> None:
        """Whether bodies sink into one another between states in which they touch and those in which they are
        apart, where the bounds leave room for it. The time of the first such state goes into `begin`."""
        while True:
            gap = self.time[next_] - self.time[one]
            low = 0.5 * (self.distance[one] + self.distance[next_] - self._path(one, next_, gap))
            open_ = (gap > interval) & self._sunk(low, begun[self.lane[one]])
            open_ &= self.time[next_] <= begin[self.lane[one]]
            if not open_.any():
                return
            one, next_ = one[open_], next_[open_]
            lane = self.lane[one]
            order = np.lexsort((self.time[one], lane))
            one, next_ = one[order], next_[order]
            middle = self._step(one, 0.5 * (self.time[one] + self.time[next_]))
            self._exact(middle)
            inside = middle[self._sunk(self.distance[middle], begun[self.lane[middle]])]
            np.minimum.at(begin, self.lane[inside], self.time[inside])
            one, next_ = np.r_[one, middle], np.r_[middle, next_]

    def settle(self) -> None:
        """Search all states whose distance may be the least of their case."""
        for stride in STRIDES:
            order, place = in_order(self.lane, self.time)
            self._search(order[place % stride == 0])
            self._spread()

    def fill(self, interval: float) -> None:
        """Look between states while the bounds leave room there for a lesser distance."""
        shortest = interval / NARROWEST
        while True:
            order, _ = in_order(self.lane, self.time)
            one, next_ = order[:-1], order[1:]
            gap = np.where(self.lane[one] == self.lane[next_], self.time[next_] - self.time[one], 0.0)
            between = 0.5 * (self.low[one] + self.low[next_] - self._path(one, next_, gap))
            open_ = (gap > 1.001 * shortest) & (between < self.best[self.lane[one]] - WORTH * self.size)
            if not open_.any():
                return
            one, gap = one[open_], gap[open_]
            part = np.tile(np.arange(1, PARTS) / PARTS, len(one))
            after, gap = np.repeat(one, PARTS - 1), np.repeat(gap, PARTS - 1)
            self._search(self._step(after, self.time[after] + part * gap))
            self._spread()

    def zoom(self) -> None:
        """Go from the least distances to where they stop falling: the roots of their rates, by secants of
        which an end that stays counts half (Illinois)."""
        left, right = self._around()
        lanes = np.flatnonzero(left >= 0)
        weight, last = np.ones((2, self.count)), np.full(self.count, -1)
        for _ in range(ZOOMS):
            if not lanes.size:
                return
            time = _root(self, left[lanes], right[lanes], weight[:, lanes])
            at = self._step(left[lanes], time)
            self._exact(at)
            taken = (self.rate[at] >= 0).astype(int)
            for side, ends in enumerate((left, right)):
                mine = lanes[taken == side]
                ends[mine], weight[side, mine] = at[taken == side], 1.0
                weight[1 - side, mine] *= np.where(last[mine] == side, 0.5, 1.0)
            last[lanes] = taken
            lanes = lanes[self._falls(left[lanes], right[lanes], at) > STILL * self.size]

    # --- what these are made of

    def _around(self) -> tuple[np.ndarray, np.ndarray]:
        """(numbers of the states (case) between which the least distance lies, -1 where it is at an end of
        the interval). The search goes from the state where it is found on, as far as it falls, in growing
        strides."""
        order, _ = in_order(self.lane, self.time)
        place = np.argsort(order)
        left, right = np.full((2, self.count), -1)
        here = np.full(self.count, -1)
        by_distance = np.flatnonzero(~np.isnan(self.distance))
        by_distance = by_distance[np.argsort(self.distance[by_distance])[::-1]]
        here[self.lane[by_distance]] = by_distance
        lanes = np.flatnonzero(here >= 0)
        lanes = lanes[self.rate[here[lanes]] != 0]
        way = np.where(self.rate[here] < 0, 1, -1)
        for stride in range(STRIDES_OUT):
            last = self._end(order, place, here[lanes], way[lanes] * 2**stride)
            inside = last != here[lanes]
            lanes, last = lanes[inside], last[inside]
            self._exact(last[np.isnan(self.distance[last])])
            left[lanes], right[lanes] = np.where(way[lanes] > 0, (here[lanes], last), (last, here[lanes]))
            falling = (self.rate[last] * way[lanes] < 0) & (self.distance[last] <= self.distance[here[lanes]])
            lanes = lanes[falling]
            here[lanes] = last[falling]
            left[lanes], right[lanes] = -1, -1
        return left, right

    def _end(self, order, place, states, stride) -> np.ndarray:
        """The states some places further on, in the same cases, or the last ones of these."""
        first = np.searchsorted(self.lane[order], self.lane[states], side="left")
        end = np.searchsorted(self.lane[order], self.lane[states], side="right") - 1
        return order[np.clip(place[states] + stride, first, end)]

    def _falls(self, left: np.ndarray, right: np.ndarray, at: np.ndarray) -> np.ndarray:
        """How much further the distance falls from states between two others, about."""
        time, rise = self.time[right] - self.time[left], self.rate[right] - self.rate[left]
        usable = rise > 0
        rest = 0.5 * self.rate[at] ** 2 * time / np.where(usable, rise, 1.0)
        width = np.abs(self.rate[at]) * time
        return np.where(usable, np.minimum(rest, width), width)

    def _step(self, after: np.ndarray, time: np.ndarray) -> np.ndarray:
        """States at times, reached from the same rows as states before."""
        lane, row = self.lane[after], self.row[after]
        return self.add(lane, time, row, time - self.lanes.rows.t[row, lane])

    def _path(self, one: np.ndarray, next_: np.ndarray, gap: np.ndarray) -> np.ndarray:
        """How much the distance may change from states to the next ones [m]."""
        return path(self.limit[one], self.limit[next_], gap)

    def _search(self, states: np.ndarray) -> None:
        """Bring the bounds of states close, and search the distances of those that may be the least."""
        states = states[np.isnan(self.distance[states])]
        close = states[self.low[states] < self.below[self.lane[states]] - WORTH * self.size]
        if close.size:
            lane = self.lane[close]
            low, high = self.lanes.bracket(lane, self._some(close), self.below[lane])
            self.low[close] = np.maximum(self.low[close], low)
            np.minimum.at(self.below, lane, high)
        for only_lowest in (True, False):
            open_ = states[self._may_be_least(states)]
            if only_lowest:
                order = open_[np.lexsort((self.low[open_], self.lane[open_]))]
                open_ = order[np.r_[True, self.lane[order][1:] != self.lane[order][:-1]][: len(order)]]
            self._exact(open_)

    def _may_be_least(self, states: np.ndarray) -> np.ndarray:
        room = self.low[states] < self.best[self.lane[states]] - WORTH * self.size
        return np.isnan(self.distance[states]) & room

    def _exact(self, states: np.ndarray) -> None:
        """Search the distances of states."""
        if not states.size:
            return
        lane = self.lane[states]
        distance, rate = self.lanes.nearest(lane, self._some(states))
        self.distance[states] = self.low[states] = distance
        self.rate[states] = rate
        self._note(states)

    def _note(self, states: np.ndarray) -> None:
        """Put down where distances that were searched are the least of their case."""
        states = states[np.argsort(self.distance[states])[::-1]]
        nearer = states[self.distance[states] < self.best[self.lane[states]]]
        # Of several states of a case the last one written, the least, stays.
        lane = self.lane[nearer]
        self.best[lane], self.when[lane] = self.distance[nearer], self.time[nearer]
        self.below = np.minimum(self.below, self.best)

    def _some(self, states: np.ndarray) -> Relative:
        return Relative(*(field[..., states] for field in self.between))

    def _spread(self) -> None:
        """Let the bounds of states bound their neighbours."""
        order, place = in_order(self.lane, self.time)
        lane = self.lane[order]
        gap = np.where(lane[1:] == lane[:-1], np.diff(self.time[order]), 0.0)
        way = np.r_[0.0, np.cumsum(self._path(order[:-1], order[1:], gap))]
        gone = np.zeros((self.count, int(place.max()) + 1))
        low = np.full(gone.shape, -np.inf)
        low[lane, place], gone[lane, place] = self.low[order], way
        from_left = np.maximum.accumulate(low + gone, 1) - gone
        from_right = np.maximum.accumulate((low - gone)[:, ::-1], 1)[:, ::-1] + gone
        self.low[order] = np.maximum(from_left, from_right)[lane, place]


def in_order(lane: np.ndarray, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(numbers of states by cases and times, place of each of these in its case)."""
    order = np.lexsort((time, lane))
    return order, places(lane[order])


def _root(states: _States, left: np.ndarray, right: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Times at which the rates at two states each, by their weights (2, n), lead to zero;
    half-way where one of the rates is not known."""
    begin, end = states.time[left], states.time[right]
    a, b = states.rate[left] * weight[0], states.rate[right] * weight[1]
    usable = (a < 0) & (b > 0)
    part = np.where(usable, -a / np.where(usable, b - a, 1.0), 0.5)
    return begin + part * (end - begin)
