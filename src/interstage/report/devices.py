"""Figures of devices: what pushers do while they push, and what clamped joints have left of their preload."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..drawing.curves import MOST_PANELS, Span, together, with_rest
from ..drawing.figure import COLOURS, DASHES, Figure, Panel, beside
from ..record.record import Record, names_with, timeline

BESIDE = 0.2
"""Part of the time of pushing that is shown before and after it."""
AT_REST = 0.01
"""Part of its stroke up to which a pusher has not moved yet."""
CLAMPED = {"tension": "preload", "line_load": "line_preload"}
"""What pulls the two sides of a joint apart, and what draws them together."""


def device_figures(record: Record, units: str) -> Iterator[Figure]:
    """Force and stroke of all pushers while they push; load and preload of each device that has one."""
    pushers = names_with(record, "devices", "stroke")
    working = [name for name in pushers if np.any(timeline(record, f"devices.{name}.state")[1] > 0)]
    if working:
        shown = working[: len(COLOURS) * len(DASHES)]
        span = _pushing(record, working)
        row = []
        for word in ("force", "stroke"):
            paths = [(name, f"devices.{name}.{word}") for name in shown]
            row.append(together(record, paths, units, word, f"pushers: {word}", span))
        yield Figure("Force and stroke of the pushers while they push", [row])
    clamped = [
        (name, load, hold)
        for load, hold in CLAMPED.items()
        for name in names_with(record, "devices", load)
        if f"devices.{name}.{hold}" in record.series
    ]
    if clamped:
        caption = with_rest("Load and preload of devices until they let go", [name for name, *_ in clamped])
        yield Figure(caption, beside([_clamped(record, units, *one) for one in clamped[:MOST_PANELS]]))


def _clamped(record: Record, units: str, name: str, *words: str) -> Panel:
    times, state = timeline(record, f"devices.{name}.state")
    held = times[state > 0]
    span = float(times[0]), float(held[-1] if held.size > 1 else times[-1])
    paths = [(word.replace("_", " "), f"devices.{name}.{word}") for word in words]
    return together(record, paths, units, paths[0][0], name, span)


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
