"""Alignment of the times of two flights at a common event."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..record.record import Record
from ..tree.errors import BadInput
from ..tree.similar_names import near
from .courses import course, records_of

UNSHIFTED = "time"
"""Word for flights that are compared at equal times."""
SAME = 1e-9
"""Relative difference of two times up to which an event has the time of a release."""


class Alignment(NamedTuple):
    """Alignment of a flight with the first flight.

    - event: name of the common event; "" for flights at equal times.
    - time: time of the event in the first flight [s].
    - shift: time of the other flight minus time of the first flight [s].
    """

    event: str
    time: float
    shift: float

    @property
    def sentence(self) -> str:
        """Return a sentence for readers."""
        if not self.event:
            return "The flights are shown at equal times."
        return f"The flights are aligned at '{self.event}'; the shift is {self.shift:.9g} s."


def align(first: Record, other: Record, event: str | None = None) -> Alignment:
    """Return the alignment of another flight with the first flight.

    event: name of an event of both flights, or "time" for equal times. Default: the first release; equal
    times if one of the flights has no release. Raises BadInput for an event that one flight does not have."""
    if event is None:
        releases = [release_times(record) for record in (first, other)]
        if not all(releases):
            return Alignment("", 0.0, 0.0)
        mine, its = (times[0] for times in releases)
        return Alignment(_name_at(first, mine), mine, its - mine)
    if event == UNSHIFTED and not any(one.name == event for one in first.events):
        return Alignment("", 0.0, 0.0)
    mine, its = _time_of(first, event, "first"), _time_of(other, event, "other")
    return Alignment(event, mine, its - mine)


def _time_of(record: Record, event: str, which: str) -> float:
    found = [one.time for one in record.events if one.name == event and np.isfinite(one.time)]
    if not found:
        known = dict.fromkeys(one.name for one in record.events)
        raise BadInput(f"--align: the {which} flight has no event '{event}'; {near(event, known, 'events')}")
    return float(found[0])


def _name_at(record: Record, time: float) -> str:
    slack = SAME * max(1.0, abs(time))
    names = [one.name for one in record.events if abs(one.time - time) <= slack]
    return names[0] if names else "first release"


def release_times(record: Record) -> list[float]:
    """Return the times [s] at which joints release bodies."""
    times: set[float] = set()
    for name in {joint.name for one in (record, *records_of(record)) for joint in one.scenario.joints}:
        known = course(record, f"joints.{name}.active", peaks=False)
        if known is not None:
            held = np.nan_to_num(known[1]) > 0
            times |= {float(t) for t in known[0][1:][held[:-1] & ~held[1:] & np.isfinite(known[1][1:])]}
    return sorted(times)
