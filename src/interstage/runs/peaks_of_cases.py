"""Find extremes between samples in the records of many cases, from the integration steps of all cases
together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..observation.extremes_of_cases import Extreme, Quest, extremes
from ..record.peaks import each
from ..record.record import Record, Sought, resolve
from .cases_together import FlownLanes


def put_extremes(lanes: FlownLanes, records: Sequence[Record | None], wanted: Sequence[Sought]) -> None:
    """Search for extremes in all cases, and add them to the records of the cases as values between samples.

    - `lanes`: group of cases.
    - records: record of each case; None for a case that was not flown.
    - wanted: requested extremes.
    """
    some = next((record for record in records if record is not None), None)
    if some is None:
        return
    spans = {one.during: lanes.span(one.during) for one in wanted}
    asked = each(some, wanted)
    quests = [Quest(*resolve(some, one.path), one.sign, *spans[one.during]) for one in asked]
    found = extremes(lanes.states, lanes.knots, quests)
    step, place = (np.stack([getattr(one, name) for one in found]) for name in ("step", "place"))
    number, lane = np.nonzero(step >= 0)
    where, h = step[number, lane], place[number, lane]
    begun = lanes.states.spots(lane, lanes.knots.row[where])
    there = lanes.states.later(begun, h, compiled=False)
    there = there._replace(x=np.where(h == 0, begun.x, there.x))
    rows = lanes.states.quantities(there, tuple(dict.fromkeys(quest.stem for quest in quests)))
    times = lanes.knots.begin[where] + h
    for k, record in enumerate(records):
        if record is not None:
            mine = np.flatnonzero(lane == k)
            _store(record, asked, found, k, number[mine], times[mine], {p: v[mine] for p, v in rows.items()})


def _store(
    record: Record,
    asked: Sequence[Sought],
    found: Sequence[Extreme],
    lane: int,
    number: np.ndarray,
    times: np.ndarray,
    rows: dict[str, np.ndarray],
) -> None:
    """Put the extremes of one case into its record. number: request of each value (n,); times: [s]."""
    rising, first = np.unique(times, return_index=True)
    record.peaks = rising, {path: values[first] for path, values in rows.items()}
    record.sought = {one: times[number == k] for k, one in enumerate(asked)}
    record.left = {one: float(each_.left[lane]) for one, each_ in zip(asked, found, strict=True)}
