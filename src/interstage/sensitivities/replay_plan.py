"""Select the steps and events of a replay: the steps and events of the flight, but with simultaneous
conditions one after another.

If several conditions are met together, the time of each condition moves separately with the scenario values.
For example, one of two springs with the same delay may act later. The conditions are therefore met in
separate rows of the plan. The later rows have no duration, and each row is moved with the rate at its start.
The rows are separated only if the result equals the result of all conditions together. Several latching
joints share one impulse, which must equal the sum of the impulses of their rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.flow import settings
from ..engine.mechanism import Discrete
from ..engine.minimal_coordinates import flow_of
from ..maths.arrays import jax, jnp
from ..observation.observation import in_chunks
from ..programs.program import Program
from ..stepper.detection import STANDING_PART, has_stopped
from ..stepper.replay import Plan
from ..stepper.step import rates

SAME = 2.0**-40
"""Relative tolerance (1e-12) for states that are equal except for rounding, relative to the largest value."""
ROWS, STRETCHES = 512, 16
"""Minimum number of rows and segments in the arrays of a plan.

The space is doubled until all rows fit, so that one program can replay flights of different lengths.
"""


class Moment(NamedTuple):
    """Point of a flight that a replay computes.

    - row: index of the step that ends at the point; -1 for the start.
    - asked: indices of the conditions that determine the time of the point.
    - side: "before" or "after" the events at this time.
    - until: time of the point within the step [s]. Default: the end of the step.
    - extreme: true if a quantity has its extreme at the point. The point then moves with the extreme.
    - place: index in `Flow.places` of the kink at the point; -1 for none. The point then moves with
      the kink.
    """

    row: int
    asked: tuple[int, ...] = ()
    side: Literal["before", "after"] = "before"
    until: float = np.inf
    extreme: bool = False
    place: int = -1


class Firing(NamedTuple):
    """Conditions (condition,) that are met at the same time.

    - hit: true for each condition that is met.
    - timer: index of the condition that determines the time.
    - rate: rate of the watched value of this condition; zero if no condition determines the time.
    """

    hit: np.ndarray
    timer: int
    rate: float


class _Rows:
    """A plan as it grows."""

    def __init__(self, conditions: int):
        self.none = np.zeros(conditions, bool)
        self.rows: list[tuple[Any, ...]] = []
        self.stretches: list[tuple[int, int, bool, bool]] = []
        self.given: dict[Moment, int] = {}
        self._open = 0

    def add(self, h: float, until: float = np.inf) -> None:
        """Add a step at whose end nothing is fired."""
        self.rows.append((h, until, self.none, 0, 0.0, False))

    def fire(self, h: float, instant: list[Firing]) -> None:
        """Add a step and the firings at its end, one by one."""
        for k, (hit, timer, rate) in enumerate(instant):
            self.rows.append((0.0 if k else h, np.inf, hit, timer, rate, k > 0))

    def close(self) -> None:
        """All rows until now are flown before those added next."""
        if self._open < len(self.rows):
            self.stretches.append((self._open, len(self.rows), True, True))
            self._open = len(self.rows)

    def probe(self, moment: Moment) -> None:
        """The rows added since the last `close` lead to a moment, and are not gone on from."""
        self.given[moment] = len(self.stretches)
        self.stretches.append((self._open, len(self.rows), moment.side == "after", False))
        self._open = len(self.rows)

    def plan(self) -> Plan:
        """The plan, with room to spare."""
        self.add(0.0)  # none has no shape
        rows = [np.array(column) for column in zip(*self.rows, strict=True)]
        stretches = [np.array(column) for column in zip(*self.stretches, strict=True)]
        return Plan(*(_roomy(c, ROWS) for c in rows), *(_roomy(c, STRETCHES) for c in stretches))


def _roomy(column: np.ndarray, least: int) -> np.ndarray:
    """A column with zeros behind it."""
    room = least
    while room < len(column):
        room *= 2
    return np.concatenate([column, np.zeros((room - len(column), *column.shape[1:]), column.dtype)])


def plan_of(
    program: Program, scenario: Any, first: Any, track: Any, moments: Sequence[Moment]
) -> tuple[Plan, list[int]]:
    """Return the replay plan up to the last requested point, and the index of the segment that ends at each
    point.

    - first: start of the flight (`run_start.RunStart`).
    - track: integration steps of the flight.
    - moments: requested points.
    """
    wanted = sorted(set(moments), key=lambda m: (m.row, m.until))
    count = max((moment.row for moment in wanted), default=-1) + 1
    instants = _Instants(program, scenario, first, track, count)
    found = _Rows(track.hit.shape[1])
    for moment in wanted:
        if moment.row < 0:
            found.probe(moment)
    for k in range(count):
        h = track.t_end[k] - track.shift[k] - track.t[k]
        for moment in (m for m in wanted if m.row == k):
            found.close()
            if moment.until < np.inf:
                found.add(h, moment.until)
            elif track.hit[k].any():
                found.fire(h, instants.firings(k, moment))
            else:
                found.add(h)
            found.probe(moment)
        if track.hit[k].any():
            found.fire(h, instants.firings(k))
        else:
            found.add(h)
    return found.plan(), [found.given[moment] for moment in moments]


class _Instants:
    """What was met at the ends of the first rows of a track, `count` of them."""

    def __init__(self, program: Program, scenario: Any, first: Any, track: Any, count: int):
        self._program, self._given, self._track = program, (scenario, first.reference), track
        self._near = settings(scenario, program.table).near
        hit = track.hit[:count]
        rows = np.flatnonzero(hit.any(axis=1))
        starts = jax.tree.map(lambda a: a[rows], (track.t, track.x))
        self._faded: dict[Any, Any] = {}
        self._chains: dict[Any, Any] = {}
        for row, *seen in zip(rows, *self._of(rows, _at_ends, starts), strict=True):
            self._faded[row], value, rate = seen
            # A condition met alone needs nothing more.
            self._chains[int(row), tuple(np.flatnonzero(hit[row]))] = True, value[None], rate[None]
        many = hit[rows].sum(axis=1)
        for count in np.unique(many[many > 1]):
            alike = rows[many == count]
            self._follow(alike, [tuple(np.flatnonzero(hit[row])) for row in alike])

    def firings(self, k: int, moment: Moment | None = None) -> list[Firing]:
        """The firings at the end of a row, one by one if that comes to the same; with the conditions that an
        event asks for last, or, for the side before them, alone."""
        met = tuple(np.flatnonzero(self._track.hit[k]))
        same, value, rate = self._chains[k, met]
        if not same:
            return [self._firing(k, self._track.hit[k], value[0], rate[0])]
        before = moment is not None and moment.side == "before"
        asked = () if moment is None else moment.asked
        order = tuple(sorted(met, key=lambda i: i in asked, reverse=before))
        if (k, order) not in self._chains:
            self._follow(np.array([k]), [order])
        _, value, rate = self._chains[k, order]
        single = np.eye(self._track.hit.shape[1], dtype=bool)[[*order]]
        found = [self._firing(k, *each) for each in zip(single, value, rate, strict=True)]
        return found[:1] if before else found

    def _follow(self, rows: np.ndarray, orders: Sequence[tuple[Any, ...]]) -> None:
        """Find what comes of firing as many conditions one after another at the ends of rows, each in an
        order of its own."""
        single = np.eye(self._track.hit.shape[1], dtype=bool)[np.array(orders)]
        found = self._of(rows, _one_by_one, (single,))
        for n, (row, order) in enumerate(zip(rows, orders, strict=True)):
            self._chains[int(row), order] = tuple(part[n] for part in found)

    def _of(self, rows: np.ndarray, function: Any, more: Any) -> Any:
        """function(mechanism, t, x, discrete, ...) at the ends of rows, as cases; rows first."""
        track, program = self._track, self._program
        ends = jax.tree.map(lambda a: a[rows], (track.t_end, track.x_end, track.discrete))
        wanted = program.of_samples(function)

        def look(*lanes: Any) -> Any:
            return wanted(*self._given, *lanes, table=program.table)

        return in_chunks(look, (*ends, *more), program.layout) if len(rows) else ([], [], [])

    def _firing(self, k: int, hit: np.ndarray, value: np.ndarray, rate: np.ndarray) -> Firing:
        """A firing, with the first met condition that shows its time: any whose value has not just come to
        rest."""
        rounding = STANDING_PART * np.max(np.abs(self._track.x_end[k]), initial=0.0)
        near = 2 * self._near(self._track.t_end[k]) * np.abs(rate) + rounding
        reached = hit & ~self._faded[k] & (np.abs(value) <= near) & (rate > 0)
        if not reached.any():
            return Firing(hit, 0, 0.0)
        timer = int(np.argmin(np.where(reached, -value / np.where(reached, rate, 1.0), np.inf)))
        return Firing(hit, timer, float(rate[timer]))


def _at_ends(mechanism: Any, t: Any, x: Any, discrete: Discrete, t0: Any, x0: Any, table: Any) -> Any:
    """Of the conditions (condition, *cases) at the ends of steps from (t0, x0): which values had stopped, the
    values, and their rates."""
    flow = flow_of(mechanism, table)
    before, end = flow.watch(t0, flow.own(t0, x0, discrete), discrete), flow.own(t, x, discrete)
    value, rate = rates(flow, t, end, flow.derivative(t, end, discrete), discrete)
    return has_stopped(before, value, rate * (t - t0)), value, rate


def _one_by_one(mechanism: Any, t: Any, x: Any, discrete: Any, single: Any, table: Any) -> Any:
    """Whether the met conditions lead to the same when they are fired one by one (*cases), and watched values
    and rates before each of these (firing, condition, *cases). `single` (firing, condition, *cases): the
    conditions in their order."""
    flow = flow_of(mechanism, table)
    own = flow.own(t, x, discrete)
    begun: Any = own, discrete

    def fire(x: Any, discrete: Any, hit: Any) -> Any:
        return flow.fire(t, x, discrete, hit, flow.measure(t, x, discrete))

    alone, seen = begun, []
    for number, hit in enumerate(single):
        x, discrete = alone
        seen.append(rates(flow, t, x, flow.derivative(t, x, discrete), discrete))
        x, after = fire(x, discrete, hit)
        alone = x, join_switches(discrete, after, number > 0)
    together = fire(own, begun[1], np.any(single, axis=0))
    pairs = zip(*map(jax.tree.leaves, (together, alone)), strict=True)
    same = [_same(one, other, t.ndim) for one, other in pairs]
    values, slopes = zip(*seen, strict=True)
    return np.all(same, axis=0), np.stack(values), np.stack(slopes)


def join_switches(before: Discrete, after: Discrete, more: Any) -> Discrete:
    """Return the switches after a row, with the impulses of all rows at the same time.

    - before, after: switches before and after the row.
    - more: true if the row belongs to the same time as the row before.
    """
    if after.impulse is None or before.impulse is None:
        return after
    return after._replace(impulse=after.impulse + jnp.where(more, before.impulse, 0.0))


def _same(one: Any, other: Any, lanes: int) -> Any:
    """Whether arrays (..., *cases) are the same but for rounding, (*cases)."""
    one, other = np.broadcast_arrays(np.asarray(one), np.asarray(other))
    axes = tuple(range(one.ndim - lanes))
    if one.dtype.kind != "f":
        return np.all(one == other, axis=axes)
    size = np.max(np.abs(np.where(np.isfinite(one), one, 0.0)), axis=axes, initial=0.0)
    return np.all(
        (one == other) | (np.abs(one - other) <= SAME * size) | (np.isnan(one) & np.isnan(other)), axis=axes
    )
