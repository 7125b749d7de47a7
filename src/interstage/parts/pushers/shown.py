"""Report figure with the force and the stroke of pushers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import Span, together
from ...drawing.figure import COLOURS, DASHES, Figure
from ...drawing.smooth import smooth
from ...record.record import Record, names_with, timeline

MARGIN = 0.2
"""Time shown before and after a push, as a fraction of the duration of the push."""
AT_REST = 0.01
"""Fraction of the largest travel during the push. Below this travel, a pusher counts as unmoved."""


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield a figure of the force and the stroke of all pushers while they push. `units`: unit system of the
    values, "SI" or "US".
    """
    pushers = names_with(record, "devices", "stroke")
    working = [name for name in pushers if np.any(timeline(record, f"devices.{name}.state")[1] > 0)]
    if not working:
        return
    rows = []
    for names, span in _groups(record, working[: len(COLOURS) * len(DASHES)]):
        row = []
        for word in ("force", "stroke"):
            paths = [(name, f"devices.{name}.{word}") for name in names]
            course = _course if word == "stroke" else _smooth
            row.append(together(record, paths, units, word, f"pushers: {word}", span, course))
        rows.append(row)
    yield Figure("Force and stroke of the pushers during the push", rows, key="pushers")


def _smooth(record: Record, path: str) -> tuple[np.ndarray, np.ndarray]:
    """A quantity over time, with interpolated points between the samples of a push."""
    return smooth(*timeline(record, path))


def _course(record: Record, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Stroke of a pusher over time until its last push, interpolated with its rate. After the last push, the
    value in the record is the distance of the bodies, not a stroke."""
    stem = path.removesuffix("stroke")
    times, stroke = timeline(record, path)
    last = int(np.flatnonzero(timeline(record, f"{stem}state")[1] > 0)[-1]) + 1
    rate = timeline(record, f"{stem}rate")[1][:last] if f"{stem}rate" in record.series else None
    return smooth(times[:last], stroke[:last], rate)


def _groups(record: Record, names: list[str]) -> Iterator[tuple[list[str], Span]]:
    """Groups of pushers that push at the same time. Each group has its time span [s] with a margin."""
    shortest = 1e-3 * (record.time[-1] - record.time[0])
    spans = sorted((*_pushing(record, name), name) for name in names)
    while spans:
        begin, end, _ = spans[0]
        group = []
        while spans and spans[0][0] <= end:
            end = max(end, spans[0][1])
            group.append(spans.pop(0)[2])
        more = MARGIN * max(end - begin, shortest)
        span = float(max(begin - more, record.time[0])), float(min(end + more, record.time[-1]))
        yield [name for name in names if name in group], span


def _pushing(record: Record, name: str) -> tuple[float, float]:
    """Start and end of the motion of a pusher while it pushes [s]."""
    times, state = timeline(record, f"devices.{name}.state")
    active = np.flatnonzero(state > 0)
    stroke = timeline(record, f"devices.{name}.stroke")[1][active]
    moved = np.argmax(stroke - stroke[0] > AT_REST * np.ptp(stroke)) if np.ptp(stroke) else 0
    return float(times[active[max(moved - 1, 0)]]), float(times[active[-1]])


FIGURES = (figures,)
