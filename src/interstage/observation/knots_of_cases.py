"""Ends of the accepted integration steps of many cases, sorted by case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..engine.event_table import EventTable
from ..maths.arrays import jax
from .records_of_cases import Chunk, Rows, firings, rows_of

ROUNDING = 4 * np.finfo(float).eps
"""Relative tolerance for the comparison of states. This tolerance is necessary because a state is projected
on its constraints again after an event.
"""


@dataclass(frozen=True)
class Knots:
    """Steps of nonzero length in a group of cases, sorted by case and time.

    - rows: all steps of the group.
    - `lanes`: number of cases.
    - `lane`, row (n,): index of the case of each step, and index of the step in `rows`.
    - begin, end (n,) [s]: start and end time of each step.
    - joined (n,): true if the next step starts with the final state of this step.
    """

    rows: Rows
    lanes: int
    lane: np.ndarray
    row: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    joined: np.ndarray

    @cached_property
    def following(self) -> np.ndarray:
        """Index of the next step of the same case (n,). For the last step of a case, the result is the index
        of this step.
        """
        same = np.append(self.lane[1:] == self.lane[:-1], False)
        return np.arange(len(self.lane)) + same

    @cached_property
    def preceding(self) -> np.ndarray:
        """Index of the previous step of the same case (n,). For the first step of a case, the result is the
        index of this step.
        """
        same = np.append(False, self.lane[1:] == self.lane[:-1])[: len(self.lane)]
        return np.arange(len(self.lane)) - same

    def first_at(self, lane: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the index of the first step that is at or after the index `row` in `rows`, for the case
        `lane`.
        """
        width = len(self.rows.t) + 1
        return np.searchsorted(self.lane * width + self.row, lane * width + row)

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Return the largest value of each case (case,), from values (n,). For a case without steps, the
        result is minus infinity.
        """
        found = np.full(self.lanes, -np.inf)
        np.maximum.at(found, self.lane, values)
        return found


def knots_of(chunk: Chunk, rows: Rows | None = None) -> Knots:
    """Return the steps of the valid cases of a group. `rows`: all steps of the group, if already
    computed.
    """
    rows = rows_of(chunk) if rows is None else rows
    able = np.arange(rows.t.shape[1]) < chunk.count
    able[[*chunk.refused]] = False
    lane, row = np.nonzero((rows.moved & (rows.t_end > rows.t) & able).T)
    begin, end = rows.t[row, lane], rows.t_end[row, lane]
    joined = np.zeros(len(lane), bool)
    if len(lane) > 1:
        old, new = (lane[:-1], row[:-1]), (lane[1:], row[1:])
        joined[:-1] = (old[0] == new[0]) & is_same(rows, old, new)
    return Knots(rows, chunk.count, lane, row, begin, end, joined)


def is_same(
    rows: Rows, one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray], ends: bool = True
) -> np.ndarray:
    """Return, for pairs of steps, whether the start state of the step `other` equals the end state of the
    step `one` within rounding errors (n,).

    - one, other: pairs of indices (case, row).
    - ends: false to compare with the start state of `one`.
    """

    def at(array: Any, place: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        lane, row = place
        return np.asarray(array)[row, ..., lane].reshape(len(lane), -1)

    t, x = (rows.t_end, rows.x_end) if ends else (rows.t, rows.x)
    same = t[one[1], one[0]] == rows.t[other[1], other[0]]
    old, new = at(x, one), at(rows.x, other)
    same &= (np.abs(old - new) <= ROUNDING * (1 + np.abs(new))).all(1)
    for leaf in jax.tree.leaves(rows.discrete):
        first, last = at(leaf, one), at(leaf, other)
        same &= ((first == last) | ((first != first) & (last != last))).all(1)
    return same


@dataclass(frozen=True)
class Sides:
    """Events of many cases, with the steps that follow them.

    - event (occurrence,): index of the event of each occurrence.
    - after (occurrence, case): index in `Rows` of the step that starts just after the occurrence. If the
      event did not occur, the index is beyond the last row.
    - time (occurrence, case) [s]: time of the occurrence. If the event did not occur, the time is infinite.
    """

    event: np.ndarray
    after: np.ndarray
    time: np.ndarray

    def first(self, event: int) -> int:
        """Return the index of the first occurrence of an event."""
        return int(np.argmax(self.event == event))


def sides_of(rows: Rows) -> Sides:
    """Return the events of all cases of a group. `rows`: all steps of the group."""
    event, after = firings(rows)
    last = len(rows.t)
    time = np.take_along_axis(rows.t_end, np.clip(after - 1, 0, last - 1), 0)
    return Sides(event, after, np.where(after < last, time, np.inf))


def phase_span(
    scenario: Any, table: EventTable, rows: Rows, sides: Sides, phase: str | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the start and end times [s] of a phase in each case (case,). If a case did not reach the phase,
    the times are NaN.

    `phase`: name of the phase. None: the whole flight.
    """
    first, end = rows.t[0], rows.t[-1]
    if phase is None:
        return first, end
    number = {h.name: k for k, h in enumerate(table.events) if h.kind == "phase"}
    starts = []
    for k, one in enumerate(scenario.phases):
        time = np.full(rows.t.shape[1], np.inf)
        if one.name in number:
            mine = sides.event == number[one.name]
            last = np.where(np.isfinite(sides.time[mine]), sides.time[mine], -np.inf).max(0)
            time = np.where(np.isfinite(last), last, np.inf)
        begun = np.asarray(rows.discrete.phase)[0] == k
        starts.append(np.where(np.isinf(time) & begun, first, time))
    place = [one.name for one in scenario.phases].index(phase)
    later = np.array(starts[place + 1 :]).reshape(-1, len(first))
    # The next phase that was flown, in the order of the scenario, ends it.
    known = np.isfinite(later)
    following = np.take_along_axis(later, known.argmax(0)[None], 0)[0] if len(later) else end
    stop = np.where(known.any(0), following, end)
    start = np.where(np.isfinite(starts[place]), starts[place], np.nan)
    return start, np.where(np.isnan(start), np.nan, stop)
