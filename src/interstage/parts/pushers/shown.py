"""Figure of what pushers do while they push."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import Span, together
from ...drawing.figure import COLOURS, DASHES, Figure
from ...record.record import Record, names_with, timeline

BESIDE = 0.2
"""Part of the time of pushing that is shown before and after it."""
AT_REST = 0.01
"""Part of its stroke up to which a pusher has not moved yet."""


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Force and stroke of all pushers while they push."""
    pushers = names_with(record, "devices", "stroke")
    working = [name for name in pushers if np.any(timeline(record, f"devices.{name}.state")[1] > 0)]
    if not working:
        return
    shown = working[: len(COLOURS) * len(DASHES)]
    span = _pushing(record, working)
    row = []
    for word in ("force", "stroke"):
        paths = [(name, f"devices.{name}.{word}") for name in shown]
        row.append(together(record, paths, units, word, f"pushers: {word}", span))
    yield Figure("Force and stroke of the pushers while they push", [row], key="pushers")


def _pushing(record: Record, names: list[str]) -> Span:
    """From when to when any of some pushers moves while it pushes [s], and a little more."""
    begin, end = np.inf, -np.inf
    for name in names:
        times, state = timeline(record, f"devices.{name}.state")
        active = np.flatnonzero(state > 0)
        stroke = timeline(record, f"devices.{name}.stroke")[1][active]
        moved = np.argmax(stroke - stroke[0] > AT_REST * np.ptp(stroke)) if np.ptp(stroke) else 0
        begin, end = min(begin, times[active[moved]]), max(end, times[active[-1]])
    more = BESIDE * max(end - begin, 1e-3 * (record.time[-1] - record.time[0]))
    return float(max(begin - more, record.time[0])), float(min(end + more, record.time[-1]))


FIGURES = (figures,)
