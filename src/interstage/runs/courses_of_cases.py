"""Compute quantities of many cases at chosen times after an event, from the integration steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..observation.observation import ROUNDING
from ..quantities.catalogue import catalogue
from ..record.record import SAME_TIME
from .cases_together import FlownLanes
from .responses_of_cases import QuantityPath

STATES = 16384
"""Largest number of states of all cases that are computed at a time. This number limits the memory."""


class Origins(NamedTuple):
    """Time from which each case is observed.

    - time (case,) [s]: time of the origin. NaN for a case without the event, or that was not flown.
    - row (case,): index of the integration step that starts there.
    """

    time: np.ndarray
    row: np.ndarray


def origins(lanes: FlownLanes, since: str | None) -> Origins:
    """Return the time of an event, or the start of a phase, in each case.

    since: name of the event or phase. None for the start of the flight. If an event occurs more than once,
    the first occurrence counts.
    """
    rows, last, phases = lanes.rows, len(lanes.rows.t) - 1, [one.name for one in lanes.scenario.phases]
    able = np.ones(lanes.count, bool)
    able[[*lanes.refused]] = False
    row, started = np.full(lanes.count, last + 1), able
    if since is not None:
        row = lanes.rows_after(since)
        first = np.asarray(rows.discrete.phase)[0, : lanes.count]
        started = able & (since in phases) & (row > last)
        started &= first == (phases.index(since) if since in phases else -1)
    row = np.where(started, _first_rows(lanes), row)
    known = able & (row <= last)
    row = np.where(known, row, last)
    return Origins(np.where(known, rows.t[row, np.arange(lanes.count)], np.nan), row)


def _first_rows(lanes: FlownLanes) -> np.ndarray:
    """Index of the first step of each case that takes time (case,). Without one, the end of the flight."""
    knots, lane = lanes.knots, np.arange(lanes.count)
    first = np.searchsorted(knots.lane, lane)
    begun = np.append(knots.lane, -1)[first] == lane
    return np.where(begun, np.append(knots.row, 0)[first], len(lanes.rows.t) - 1)


def courses(
    lanes: FlownLanes, since: str | None, offsets: np.ndarray, paths: Sequence[str]
) -> dict[str, np.ndarray]:
    """Return quantities of all cases at times after an event (case, time), by path.

    - since: see `origins`.
    - offsets: times after the event (time,) [s], in increasing order.
    - paths: paths of scalar quantities, for example "bodies.stage.speed".

    A value is NaN if the event did not occur in the case, or if the flight has ended. At the time of an
    event, the value is the value just after the event. The values of a case do not depend on the other cases.
    Raises BadInput for an unknown quantity.
    """
    scenario = lanes.scenario
    known = catalogue(scenario)
    asked = {path: QuantityPath.of(scenario, path, known) for path in paths}
    stems = tuple(sorted({path.stem for path in asked.values()}))
    found = {path: np.full((lanes.count, len(offsets)), np.nan) for path in paths}
    origin = origins(lanes, since)
    flown = np.flatnonzero(np.isfinite(origin.time))
    if not len(flown):
        return found
    parts = [_places(lanes, origin, int(lane), offsets) for lane in flown]
    row, step, inside = (np.stack(own) for own in zip(*parts, strict=True))
    width = max(1, STATES // len(flown))
    for first in range(0, len(offsets), width):
        own = slice(first, first + width)
        case, time = np.nonzero(inside[:, own])
        if not len(case):
            break
        begun = lanes.states.spots(flown[case], row[:, own][case, time])
        h = step[:, own][case, time]
        there = lanes.states.later(begun, h)
        there = there._replace(x=np.where(h == 0, begun.x, there.x))
        values = lanes.states.quantities(there, stems)
        for path, one in asked.items():
            found[path][flown[case], first + time] = one.values_in(values)
    return found


def _places(
    lanes: FlownLanes, origin: Origins, lane: int, offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Index of the step from whose start each state is reached, the time from there [s], and whether the
    flight lasts until then; each (time,).
    """
    rows, knots = lanes.rows, lanes.knots
    first, last = np.searchsorted(knots.lane, [lane, lane + 1])
    steps = np.append(knots.row[first:last], len(rows.t) - 1)
    begun, end = rows.t[steps, lane], rows.t[-1, lane]
    times = origin.time[lane] + offsets
    inside = times <= end + SAME_TIME * max(1.0, abs(end))
    times = np.minimum(times, end)
    rounded = times + ROUNDING * np.maximum(np.abs(times), 1.0)
    found = np.clip(np.searchsorted(begun, rounded, side="right") - 1, 0, None)
    at_origin = offsets == 0
    row = np.where(at_origin, origin.row[lane], steps[found])
    return row, np.where(at_origin, 0.0, np.maximum(times - begun[found], 0.0)), inside
