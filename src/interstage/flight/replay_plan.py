"""Which steps and firings a replay takes: those of the flight, with what was met at one instant one by one.

Where several conditions were met together, each moves by itself with the numbers of the scenario: of two
springs with the same delay one may be late. Fired in rows of their own, the later ones without a step, each
is moved along the slope that it finds. Only where that comes to the same as all at once; captures share
their impulse, which is then the sum of those of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.flow import Flow
from ..engine.mechanism import Discrete
from ..maths.arrays import jax, jnp
from ..stepper.detection import stopped
from ..stepper.replay import Plan
from ..stepper.step import rates

SAME = 2.0**-40
"""Part, 1e-12, of the largest number by which states may differ that are the same, but for rounding."""
ROWS, STRETCHES = 512, 8
"""Rows and stretches that a plan has room for at least; the room doubles until they fit, so that flights of
other lengths are flown by one program."""


class Moment(NamedTuple):
    """A moment of a flight that a replay is to give: the end of a row of its track, on a side of what was
    fired there, as the conditions `asked` move it; or a time `until` [s] within the row. Row -1: the start.
    """

    row: int
    asked: tuple[int, ...] = ()
    side: Literal["before", "after"] = "before"
    until: float = np.inf


class _Rows:
    """A plan as it grows."""

    def __init__(self, conditions: int):
        self.none = np.zeros(conditions, bool)
        self.rows: list[tuple[Any, ...]] = []
        self.stretches: list[tuple[int, int, bool, bool]] = []
        self.given: dict[Moment, int] = {}
        self._open = 0

    def add(self, h: float, hit: Any = None, timed: Any = None, until: float = np.inf) -> None:
        """Add rows: one, or those of one instant one by one, the step before the first."""
        hit, timed = (self.none[None] if one is None else one for one in (hit, timed))
        for k, (met, when) in enumerate(zip(hit, timed, strict=True)):
            self.rows.append((0.0 if k else h, until, met, when, k > 0))

    def close(self) -> None:
        """All rows until now are flown before what is added next."""
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
        rows = [np.array(column) for column in zip(*self.rows, strict=True)] or [
            *(np.zeros(0), np.zeros(0), np.zeros((0, self.none.size), bool)),
            *(np.zeros((0, self.none.size), bool), np.zeros(0, bool)),
        ]
        stretches = [np.array(column) for column in zip(*self.stretches, strict=True)]
        return Plan(*(_roomy(c, ROWS) for c in rows), *(_roomy(c, STRETCHES) for c in stretches))


def _roomy(column: np.ndarray, least: int) -> np.ndarray:
    """A column with zeros behind it."""
    room = least
    while room < len(column):
        room *= 2
    return np.concatenate([column, np.zeros((room - len(column), *column.shape[1:]), column.dtype)])


def plan_of(flow: Flow, track: Any, moments: Sequence[Moment]) -> tuple[Plan, list[int]]:
    """The plan of a flight as far as some moments of it need, and the stretch that leads to each."""
    single = np.eye(track.hit.shape[1], dtype=bool)
    found, wanted = _Rows(len(single)), sorted(set(moments), key=lambda m: (m.row, m.until))
    for moment in wanted:
        if moment.row < 0:
            found.probe(moment)
    for k in range(max((moment.row for moment in wanted), default=-1) + 1):
        h = track.t_end[k] - track.shift[k] - track.t[k]
        met = np.flatnonzero(track.hit[k])
        faded = _faded(flow, track, k, h) if met.size else single[0]
        alone = len(met) > 1 and _same_one_by_one(flow, track, k, single[met])
        for moment in (m for m in wanted if m.row == k):
            found.close()
            if moment.until < np.inf:
                found.add(h, until=moment.until)
            else:
                rows = _ordered(track.hit[k], moment, alone)
                found.add(h, rows, rows & ~faded)
            found.probe(moment)
        rows = single[met] if alone else track.hit[k][None]
        found.add(h, rows, rows & ~faded)
    return found.plan(), [found.given[moment] for moment in moments]


def _ordered(hit: np.ndarray, moment: Moment, alone: bool) -> np.ndarray:
    """Conditions met at an instant in rows (row, condition): those that are asked for last, or, for the
    side before them, alone."""
    before = moment.side == "before"
    if not alone:
        return hit[None]
    met = sorted(np.flatnonzero(hit), key=lambda i: i in moment.asked, reverse=before)
    rows = np.eye(len(hit), dtype=bool)[met]
    return rows[:1] if before else rows


def joined(before: Discrete, after: Discrete, more: Any) -> Discrete:
    """Switches after a row, with the impulses of all rows of an instant that was fired in several."""
    if after.impulse is None or before.impulse is None:
        return after
    return after._replace(impulse=after.impulse + jnp.where(more, before.impulse, 0.0))


def _end(flow: Flow, track: Any, k: int) -> tuple[Any, Any, Discrete]:
    """(t, the flow's own state, switches) at the end of a row."""
    t, discrete = track.t_end[k], jax.tree.map(lambda leaf: leaf[k], track.discrete)
    return t, flow.own(t, track.x_end[k], discrete), discrete


def _faded(flow: Flow, track: Any, k: int, h: float) -> Any:
    """Conditions (condition,) whose values had stopped at the end of a row, h [s] after its start."""
    t, x, discrete = _end(flow, track, k)
    before = flow.watch(track.t[k], flow.own(track.t[k], track.x[k], discrete), discrete)
    value, rate = rates(flow, t, x, flow.derivative(t, x, discrete), discrete)
    with np.errstate(invalid="ignore"):
        return stopped(before, value, rate * h)


def _same_one_by_one(flow: Flow, track: Any, k: int, rows: np.ndarray) -> bool:
    """Whether what was met at the end of a row leads to the same when it is fired in rows (row, condition),
    one by one."""
    t, x, discrete = _end(flow, track, k)

    def fired(x, discrete, hit):
        return flow.fire(t, x, discrete, hit, flow.measure(t, x, discrete))

    together, alone = fired(x, discrete, track.hit[k]), (x, discrete)
    for number, hit in enumerate(rows):
        now = fired(*alone, hit)
        alone = now[0], joined(alone[1], now[1], number > 0)
    return all(map(_same, *map(jax.tree.leaves, (together, alone))))


def _same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    size = np.max(np.abs(one[np.isfinite(one)]), initial=0.0) if one.dtype.kind == "f" else 0.0
    return bool(np.allclose(one, other, rtol=0.0, atol=SAME * size, equal_nan=True))
