"""Report figure with the load and the preload of preloaded joints."""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.curves import MOST_PANELS, together, with_rest
from ...drawing.figure import Figure, Panel, in_rows
from ...record.record import Record, names_with, timeline

CLAMPED = {"tension": "preload", "line_load": "line_preload"}
"""Name of the preload quantity for each load quantity of a device."""


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield a figure of load and preload over time for each preloaded device. `units`: unit system of the
    values, "SI" or "US".
    """
    clamped = [
        (name, load, hold)
        for load, hold in CLAMPED.items()
        for name in names_with(record, "devices", load)
        if f"devices.{name}.{hold}" in record.series
    ]
    if clamped:
        what = "Load and preload of the release devices until the release"
        caption = with_rest(what, [name for name, *_ in clamped])
        panels = [_clamp_panel(record, units, *one) for one in clamped[:MOST_PANELS]]
        yield Figure(caption, in_rows(panels), key="preloads")


def _clamp_panel(record: Record, units: str, name: str, *words: str) -> Panel:
    times, state = timeline(record, f"devices.{name}.state")
    held = times[state > 0]
    span = float(times[0]), float(held[-1] if held.size > 1 else times[-1])
    paths = [(word.replace("_", " "), f"devices.{name}.{word}") for word in words]
    return together(record, paths, units, paths[0][0], name, span)


FIGURES = (figures,)
