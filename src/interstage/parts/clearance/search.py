"""Search the minimum distance of two bodies in all cases of a batch.

At each recorded state, the range rate has an upper bound that needs neither masses nor shapes. The integral
of this bound over time limits the change of the distance between any two times.

The search begins with few recorded states. Each time span has a lower bound of the distance, which follows
from capsules. The exact distance is computed only if the state can be the minimum. Between two examined
states, the search continues only if the bounds allow a smaller distance there. The search first examines
further recorded states, and then times inside a time step.
"""

from __future__ import annotations

import numpy as np

from .course import TOUCHING, path, sunk
from .lanes import Lanes, places
from .motion import Relative

EXAMINED = 32
"""The smallest number of intervals into which the recorded states of a case are divided at the beginning."""
PARTS = 8
"""The largest number of intervals into which the recorded states between two examined states are divided."""
STEPS = 2
"""The number of intervals into which the time between two examined states of one time step is divided."""
WORTH = 1e-9
"""An interval is subdivided if the possible decrease of the distance, divided by the size of the larger body,
exceeds this number.
"""
NARROWEST = 4
"""The largest number of parts into which the declared interval of a clearance is divided."""
TURNED = 0.3
"""Largest possible change of the distance between two states, relative to the extent of the smaller body, up
to which the speeds at these states limit it. The bodies then turn by less than 0.3 rad relative to each
other."""
FAR = 0.02
"""Largest possible change of the distance between two examined states at the end of a search, divided by the
size of the larger body. The minimum that is found exceeds the true one by less than half of this."""
ZOOMS = 14
"""The maximum number of iterations that locate the minimum between two states."""
CUBICS = 2
"""The number of first iterations that use the minimum of a cubic polynomial. Later iterations use secants."""
MANY = 4
"""If a case has more candidate states than this number, the state with the lowest bound is searched first."""
TOUCHED_AT_ONCE = 16
"""The number of recorded states that are examined together while the bodies touch from the start."""
STRIDES_OUT = 12
"""The maximum number of doublings of the stride between recorded states while the distance decreases."""
AGREEING = 8.0
"""If the distances from a polynomial and from an exact state differ by more than this number, relative to the
tolerance of a polynomial, the exact states decide."""
STILL = 1e-12
"""The search of a minimum ends if the last decrease of the distance, divided by the size of the larger body,
is below this number.
"""


def least(
    lanes: Lanes, start: np.ndarray, end: np.ndarray, interval: float, parted: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (minimum distances [m], their times [s], distances at the first states [m]), each (case,). The
    entries of a case without a state between start and end are NaN.

    - `lanes`: the two bodies in all cases.
    - start, end: times between which the minimum is searched [s] (case,).
    - interval: longest time between examined states [s].
    - parted: if true, the search in a case whose bodies touch initially begins at their separation. The first
      distances are computed only in this case; otherwise they are NaN.
    """
    rows, count = lanes.rows, lanes.flown.count
    times = rows.t[:, :count]
    keep = lanes.counts[:, :count] & (times >= start - 1e-9) & (times <= end + 1e-9)
    distance, time, first = np.full((3, count), np.nan)
    left = keep.any(0)
    while left.any():
        # A second time with exact states, if polynomials do not agree with the exact distances.
        row, lane = np.nonzero(keep & left)
        order = np.lexsort((row, lane))
        states = _States(lanes, row[order], lane[order])
        if parted:
            begun = states.drop_touching(interval)
            first[left] = begun[left]
        states.settle(interval)
        states.zoom()
        wrong = states.confirm()
        known = np.isfinite(states.best) & ~wrong
        distance[known], time[known] = states.best[known], states.when[known]
        left &= wrong
        lanes.polynomials.refuse(np.flatnonzero(left))
    return distance, time, first


FIELDS = ("lane", "time", "row", "place", "way", "low", "limit", "distance", "rate", "smooth")


class _States:
    """Examined states (n) of cases.

    - row: row before each state. place: its index among the rows of the search (kept), in order of cases
      and times.
    - way: upper bound of the change of the distance since the first row of the case.
    - low, limit: lower bound of the distance, upper bound of the range rate
    - distance, rate: distance of the shapes and its rate, if searched; otherwise NaN
    - smooth: whether the state is that of a polynomial of the time step
    - best, when (case): smallest distance found, and its time
    - state_of: state of each kept row, -1 if it is not examined"""

    def __init__(self, lanes: Lanes, row: np.ndarray, lane: np.ndarray):
        self.lanes, self.count = lanes, lanes.flown.count
        self._keep(row, lane)
        self.lane, self.row, self.place = np.zeros((3, 0), int)
        self.smooth = np.zeros(0, bool)
        self.time, self.way, self.low, self.limit, self.distance, self.rate = np.zeros((6, 0))
        self.between = Relative(np.zeros((3, 3, 0)), *np.zeros((3, 3, 0)))
        self.best, self.when = np.full(self.count, np.inf), np.full(self.count, np.nan)
        self.size = max(watch.size for watch in lanes.watches)

    def _keep(self, row: np.ndarray, lane: np.ndarray) -> None:
        """Set the rows (kept) of the search, in order of cases and times."""
        self.rows, self.lane_of_row = row, lane
        self.time_of_row = self.lanes.rows.t[row, lane]
        ends = np.searchsorted(lane, np.arange(self.count + 1))
        self.first, self.last = ends[:-1], ends[1:] - 1
        self.state_of = np.full(len(row), -1)

    def examine(self, kept: np.ndarray) -> np.ndarray:
        """Examine those rows that are not examined yet, by indices among the kept ones. Returns the indices
        of their states."""
        kept = np.unique(kept[self.state_of[kept] < 0])
        if kept.size:
            self.state_of[kept] = self._add(self.lane_of_row[kept], self.rows[kept], kept, None)
        return self.state_of[kept]

    def step(self, after: np.ndarray, time: np.ndarray, exact: bool = False) -> np.ndarray:
        """Examine states at times after examined states, in the same time steps. Returns their indices.
        exact: true for states without polynomials."""
        lane, row = self.lane[after], self.row[after]
        return self._add(lane, row, self.place[after], time - self.lanes.rows.t[row, lane], exact)

    def _add(self, lane, row, place, step: np.ndarray | None, exact: bool = False) -> np.ndarray:
        seen, first = self.lanes.states_at(row, lane, step, exact), len(self.lane)
        time, way = self.lanes.rows.t[row, lane], self.lanes.ways[row, lane]
        if step is not None:
            pace = self.lanes.paces[np.minimum(row, len(self.lanes.paces) - 1), lane]
            time, way = time + step, way + step * pace
        unknown = np.full(len(lane), np.nan)
        new = lane, time, row, place, way, seen.bound, seen.limit, unknown, unknown, seen.polynomial
        for name, values in zip(FIELDS, new, strict=True):
            setattr(self, name, np.concatenate([getattr(self, name), values]))
        both = zip(self.between, seen.between, strict=True)
        self.between = Relative(*(np.concatenate(fields, -1) for fields in both))
        return np.arange(first, len(self.lane))

    def drop_touching(self, interval: float) -> np.ndarray:
        """Leave out what comes before the first row in which the bodies are apart, or have sunk into one
        another; without such a row, all but the first. Returns the distances at the first (case) [m]."""
        place = np.arange(len(self.rows)) - self.first[self.lane_of_row]
        touching = np.ones(self.count, bool)
        begin, begun = np.full((2, self.count), np.inf)
        first, count, last = 0, 1, int(place.max())
        while touching.any() and first <= last:
            here = (place >= first) & (place < first + count) & touching[self.lane_of_row]
            some = self.examine(np.flatnonzero(here))
            self._exact(some)
            if first == 0:
                begun[self.lane[some]] = self.distance[some]
            left = some[self._has_changed(some, begun)]
            np.minimum.at(begin, self.lane[left], self.time[left])
            touching[self.lane[left]] = False
            first, count = first + count, TOUCHED_AT_ONCE
        order, place = in_order(self.lane, self.time)
        left = np.flatnonzero((place > 0) & (self.time[order] == begin[self.lane[order]]))
        self._look_into(order[left - 1], order[left], begun, begin, interval)
        self._begin_at(begin)
        return np.where(np.isinf(begun), np.nan, begun)

    def _begin_at(self, begin: np.ndarray) -> None:
        """Leave out all before times (case) [s]; of cases with infinite times all but the first row."""
        never = np.isinf(begin)
        kept = np.where(
            never[self.lane_of_row],
            np.arange(len(self.rows)) == self.first[self.lane_of_row],
            self.time_of_row >= begin[self.lane_of_row],
        )
        number = np.cumsum(kept) - 1
        mine = np.where(never[self.lane], self.place == self.first[self.lane], self.time >= begin[self.lane])
        for name in FIELDS:
            setattr(self, name, getattr(self, name)[mine])
        self.between = self._some(np.flatnonzero(mine))
        # A state inside of a time step may begin: its row is left out.
        self.place = number[self.place]
        self._keep(self.rows[kept], self.lane_of_row[kept])
        on_row = np.flatnonzero(self.time == self.lanes.rows.t[self.row, self.lane])
        self.state_of[self.place[on_row]] = on_row
        self.best[:] = np.inf
        self._note(np.flatnonzero(~np.isnan(self.distance)))

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
            low = 0.5 * (self.distance[one] + self.distance[next_] - self._change(one, next_))
            open_ = (gap > interval) & self._sunk(low, begun[self.lane[one]])
            open_ &= self.time[next_] <= begin[self.lane[one]]
            if not open_.any():
                return
            one, next_ = one[open_], next_[open_]
            lane = self.lane[one]
            order = np.lexsort((self.time[one], lane))
            one, next_ = one[order], next_[order]
            middle = self.step(one, 0.5 * (self.time[one] + self.time[next_]), exact=True)
            self._exact(middle)
            inside = middle[self._sunk(self.distance[middle], begun[self.lane[middle]])]
            np.minimum.at(begin, self.lane[inside], self.time[inside])
            one, next_ = np.r_[one, middle], np.r_[middle, next_]

    def settle(self, interval: float) -> None:
        """Search all states whose distance may be the minimum of their case."""
        count = self.last - self.first + 1
        place = np.arange(len(self.rows)) - self.first[self.lane_of_row]
        stride = np.maximum(1, count // EXAMINED)[self.lane_of_row]
        chosen = (place % stride == 0) | (place == count[self.lane_of_row] - 1)
        self.examine(np.flatnonzero(chosen))
        new = np.arange(len(self.lane))
        while new.size:
            self._search(new)
            self._spread()
            new = self._examine_between(interval / NARROWEST)

    def _examine_between(self, shortest: float) -> np.ndarray:
        """Examine rows, or without further rows other states, between states that can have a smaller
        distance between them, and are more than a time [s] apart or far from each other. Returns the indices
        of the new states."""
        order, _ = in_order(self.lane, self.time)
        one, next_ = order[:-1], order[1:]
        change = self._change(one, next_)
        least = 0.5 * (self.low[one] + self.low[next_] - change)
        open_ = (self.lane[one] == self.lane[next_]) & (least < self._enough(self.lane[one]))
        gap = self.time[next_] - self.time[one]
        # States at neighbouring floating-point times have no time in between.
        divisible = gap > 8 * np.spacing(np.abs(self.time[next_]))
        open_ &= (gap > 1.001 * shortest) | ((change > FAR * self.size) & divisible)
        rows = self.place[next_] - self.place[one] - 1
        some = np.flatnonzero(open_ & (rows > 0))
        if some.size:
            parts = np.clip(np.ceil(gap[some] / shortest), 2, PARTS)[:, None]
            ahead = np.ceil(np.arange(1, PARTS) / parts * rows[some, None]).astype(int)
            place = self.place[one[some], None] + ahead
            return self.examine(place[ahead <= rows[some, None]])
        some = np.flatnonzero(open_)
        if not some.size:
            return some
        part = np.tile(np.arange(1, STEPS) / STEPS, len(some))
        after = np.repeat(one[some], STEPS - 1)
        return self.step(after, self.time[after] + part * np.repeat(gap[some], STEPS - 1))

    def zoom(self) -> None:
        """Search the minima next to the smallest distances: the roots of the rate, by cubic polynomials
        through distances and rates, then by secants of which an end that stays counts half (Illinois)."""
        left, right = self._around()
        lanes = np.flatnonzero(left >= 0)
        weight, last = np.ones((2, self.count)), np.full(self.count, -1)
        for turn in range(ZOOMS):
            if not lanes.size:
                return
            time = _root(self, left[lanes], right[lanes], weight[:, lanes], cubic=turn < CUBICS)
            at = self._at(left[lanes], right[lanes], time)
            self._exact(at)
            taken = (self.rate[at] >= 0).astype(int)
            for side, ends in enumerate((left, right)):
                mine = lanes[taken == side]
                ends[mine], weight[side, mine] = at[taken == side], 1.0
                weight[1 - side, mine] *= np.where(last[mine] == side, 0.5, 1.0)
            last[lanes] = taken
            lanes = lanes[self._falls(left[lanes], right[lanes], at) > STILL * self.size]

    def confirm(self) -> np.ndarray:
        """Replace minima from polynomials by the exact distances at their times. Returns the cases (case) in
        which the two differ by more than the tolerance of polynomials."""
        wrong = np.zeros(self.count, bool)
        while True:
            least = (self.distance == self.best[self.lane]) & (self.time == self.when[self.lane])
            least = np.flatnonzero(least & self.smooth)
            if not least.size:
                return wrong
            exact = self.step(least, self.time[least], exact=True)
            lane, row, some = self.lane[exact], self.row[exact], self._some(exact)
            distance, rate = self.lanes.nearest(lane, some)
            off = np.abs(distance - self.distance[least]) > AGREEING * self.lanes.tolerance(lane, row, some)
            wrong[lane[off]] = True
            for states in (least, exact):
                self.distance[states], self.rate[states], self.smooth[states] = distance, rate, False
            self.best[lane] = np.inf
            self._note(np.flatnonzero(~np.isnan(self.distance)))

    # --- what these are made of

    def _around(self) -> tuple[np.ndarray, np.ndarray]:
        """(indices of the states (case) that enclose the minimum, -1 where it is at an end of the interval).
        The search goes from the smallest known distance in the direction in which it falls, in growing
        strides of rows."""
        left, right = np.full((2, self.count), -1)
        here = np.full(self.count, -1)
        by_distance = np.flatnonzero(~np.isnan(self.distance))
        by_distance = by_distance[np.argsort(self.distance[by_distance])[::-1]]
        here[self.lane[by_distance]] = by_distance
        lanes = np.flatnonzero(here >= 0)
        lanes = lanes[self.rate[here[lanes]] != 0]
        way = np.where(self.rate[here] < 0, 1, -1)
        for stride in range(STRIDES_OUT):
            last = self._next(here[lanes], way[lanes] * 2**stride)
            inside = last != here[lanes]
            lanes, last = lanes[inside], last[inside]
            self._exact(last[np.isnan(self.distance[last])])
            left[lanes], right[lanes] = np.where(way[lanes] > 0, (here[lanes], last), (last, here[lanes]))
            falling = (self.rate[last] * way[lanes] < 0) & (self.distance[last] <= self.distance[here[lanes]])
            lanes = lanes[falling]
            here[lanes] = last[falling]
            left[lanes], right[lanes] = -1, -1
        return left, right

    def _next(self, states: np.ndarray, stride: np.ndarray) -> np.ndarray:
        """The examined states next to others, at most so many rows further on or back, or themselves at the
        ends of their cases."""
        lane, ahead = self.lane[states], stride > 0
        on_row = self.time[states] == self.lanes.rows.t[self.row[states], lane]
        # Back from inside a time step, its row comes first.
        place = self.place[states] + stride + (~ahead & ~on_row)
        place = np.clip(place, self.first[lane], self.last[lane])
        self.examine(place)
        order, _ = in_order(self.lane, self.time)
        rank = np.empty(len(order), int)
        rank[order] = np.arange(len(order))
        adjacent = order[np.clip(rank[states] + np.sign(stride), 0, len(order) - 1)]
        adjacent = np.where(self.lane[adjacent] == lane, adjacent, states)
        row = self.state_of[place]
        further = (np.abs(stride) > 1) & ((self.time[row] - self.time[states]) * stride > 0)
        return np.where(further, row, adjacent)

    def _at(self, left: np.ndarray, right: np.ndarray, time: np.ndarray) -> np.ndarray:
        """States at times between two states each, with a row in between if there is one."""
        low, high = self.place[left], self.place[right]
        while (low < high).any():
            middle = (low + high + 1) // 2
            before = self.time_of_row[middle] <= time
            low, high = np.where(before, middle, low), np.where(before, high, middle - 1)
        beyond = low > self.place[left]
        self.examine(low[beyond])
        return self.step(np.where(beyond, self.state_of[low], left), time)

    def _falls(self, left: np.ndarray, right: np.ndarray, at: np.ndarray) -> np.ndarray:
        """How much further the distance falls from states between two others, about."""
        time, rise = self.time[right] - self.time[left], self.rate[right] - self.rate[left]
        usable = rise > 0
        rest = 0.5 * self.rate[at] ** 2 * time / np.where(usable, rise, 1.0)
        width = np.abs(self.rate[at]) * time
        return np.where(usable, np.minimum(rest, width), width)

    def _change(self, one: np.ndarray, next_: np.ndarray) -> np.ndarray:
        """How much the distance can change from states to the next ones [m]."""
        way = self.way[next_] - self.way[one]
        gap = self.time[next_] - self.time[one]
        row, lane = np.minimum(self.row[one], len(self.lanes.steady) - 1), self.lane[one]
        near = (self.place[next_] - self.place[one] <= 1) & self.lanes.steady[row, lane]
        near &= way <= TURNED * self.lanes.reach.min(0)[lane]
        return np.where(near, np.minimum(way, path(self.limit[one], self.limit[next_], gap)), way)

    def _search(self, states: np.ndarray) -> None:
        """Search the distances of those of the states that may have the minimum of their case: of the lowest
        bound first, then of all that still may after closer bounds."""
        none = states[np.isinf(self.best[self.lane[states]])]
        self._exact(self._lowest(none[np.isnan(self.distance[none])]))
        close = self._open(states)
        if close.size:
            lane = self.lane[close]
            low, _ = self.lanes.bracket(lane, self._some(close), self.best[lane])
            self.low[close] = np.maximum(self.low[close], low)
        close = self._open(close)
        many = np.bincount(self.lane[close], minlength=self.count) > MANY
        if many.any():
            self._exact(self._lowest(close[many[self.lane[close]]]))
            self._spread()
            close = self._open(close)
        self._exact(close)

    def _lowest(self, states: np.ndarray) -> np.ndarray:
        """The states with the lowest bound of each case."""
        order = states[np.lexsort((self.low[states], self.lane[states]))]
        return order[np.r_[True, self.lane[order][1:] != self.lane[order][:-1]][: len(order)]]

    def _enough(self, lane: np.ndarray) -> np.ndarray:
        """Distances of cases below which another state is worth a search [m]."""
        return self.best[lane] - WORTH * self.size

    def _open(self, states: np.ndarray) -> np.ndarray:
        """Those of the states that may have the minimum of their case."""
        return states[np.isnan(self.distance[states]) & (self.low[states] < self._enough(self.lane[states]))]

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

    def _some(self, states: np.ndarray) -> Relative:
        return Relative(*(field[..., states] for field in self.between))

    def _spread(self) -> None:
        """Raise the lower bounds of states by those of the other states of their case."""
        order, place = in_order(self.lane, self.time)
        lane = self.lane[order]
        change = np.where(lane[1:] == lane[:-1], self._change(order[:-1], order[1:]), 0.0)
        gone = np.zeros((self.count, int(place.max()) + 1))
        low = np.full(gone.shape, -np.inf)
        low[lane, place], gone[lane[1:], place[1:]] = self.low[order], change
        gone = np.cumsum(gone, 1)
        from_left = np.maximum.accumulate(low + gone, 1) - gone
        from_right = np.maximum.accumulate((low - gone)[:, ::-1], 1)[:, ::-1] + gone
        self.low[order] = np.maximum(from_left, from_right)[lane, place]


def in_order(lane: np.ndarray, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (indices of the states in the order of cases and times, index of each ordered state within its
    case), each (n,).

    - `lane`: index of the case of each state (n,).
    - time: time of each state [s] (n,).
    """
    order = np.lexsort((time, lane))
    return order, places(lane[order])


def _root(
    states: _States, left: np.ndarray, right: np.ndarray, weight: np.ndarray, cubic: bool
) -> np.ndarray:
    """Times at which the rates at two states each lead to zero: by their distances too (`cubic`), or by
    weights (2, n) of the rates. Half-way where one of the rates is not known."""
    begin, end = states.time[left], states.time[right]
    a, b = states.rate[left] * weight[0], states.rate[right] * weight[1]
    usable = (a < 0) & (b > 0)
    part = np.where(usable, -a / np.where(usable, b - a, 1.0), 0.5)
    if cubic:
        a, b = states.rate[left], states.rate[right]
        # The slope of the polynomial at the part s is a + 2 p s + q s^2.
        mean = (states.distance[right] - states.distance[left]) / (end - begin)
        p, q = 3 * mean - 2 * a - b, 3 * (a + b - 2 * mean)
        root = -a / (p + np.sqrt(np.maximum(p * p - a * q, 0.0)))
        part = np.where(usable & (root > 0) & (root < 1), root, part)
    return begin + part * (end - begin)
