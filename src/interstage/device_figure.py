"""Figures of devices: what pushers do while they push, and what clamped joints have left of their preload."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import plots
from .record import Record, timeline
from .units import display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BESIDE = 0.2
"""Part of the time of pushing that is shown before and after it."""
AT_REST = 0.01
"""Part of its stroke up to which a pusher has not moved yet."""
STYLES = ("-", "--", ":", "-.")
CLAMPED = {"tension": "preload", "line_load": "line_preload"}
"""What pulls the two sides of a joint apart, and what draws them together."""


def device_figures(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Force and stroke of all pushers while they push; load and preload of each device that has one."""
    pushers = plots.names_with(record, "devices", "stroke")
    working = [name for name in pushers if np.any(timeline(record, f"devices.{name}.state")[1] > 0)]
    if working:
        figure, axes = plots.grid(1, 2)
        span = _pushing(record, working)
        for ax, word in zip(axes[0], ("force", "stroke"), strict=True):
            shown = working[: len(plots.COLOURS) * len(STYLES)]
            paths = [(name, f"devices.{name}.{word}") for name in shown]
            _together(ax, record, paths, units, span, word)
            ax.set_title(f"pushers: {word}")
        axes[0, 1].legend(ncols=1 + len(shown) // 5, loc="best")
        yield "Force and stroke of the pushers while they push", figure
    yield from _clamped(record, units)


def _clamped(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    found = [
        (name, load, hold)
        for load, hold in CLAMPED.items()
        for name in plots.names_with(record, "devices", load)
        if f"devices.{name}.{hold}" in record.series
    ]
    if not found:
        return
    shown = found[: plots.MOST_PANELS]
    figure, axes = plots.grid(-(-len(shown) // 2), 2)
    for ax, (name, *words) in zip(axes.flat, shown):
        times, state = timeline(record, f"devices.{name}.state")
        held = times[state > 0]
        span = float(times[0]), float(held[-1] if held.size > 1 else times[-1])
        paths = [(word.replace("_", " "), f"devices.{name}.{word}") for word in words]
        _together(ax, record, paths, units, span, words[0].replace("_", " "))
        ax.set_title(name)
        ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1.01, 0.98))
    for ax in axes.flat[len(shown) :]:
        ax.set_visible(False)
    yield (
        plots.with_rest("Load and preload of devices until they let go", [name for name, *_ in found]),
        figure,
    )


def _pushing(record: Record, names: list[str]) -> tuple[float, float]:
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


def _together(
    ax: Axes, record: Record, shown: list[tuple[str, str]], units: str, span: tuple[float, float], what: str
) -> None:
    """Several quantities of one unit over a stretch of time."""
    factor, unit = display(record.meta[shown[0][1]].unit, units)
    curves: list[Any] = []
    for _, path in shown:
        times, values = timeline(record, path)
        seen = (times >= span[0]) & (times <= span[1])
        curves.append((times[seen], values[seen] * factor))
    scale, unit = plots.thousands(1.0, unit, np.concatenate([values for _, values in curves]))
    for k, ((label, _), (times, values)) in enumerate(zip(shown, curves, strict=True)):
        colour, style = plots.COLOURS[k % len(plots.COLOURS)], STYLES[k // len(plots.COLOURS)]
        ax.plot(*plots.thin(times, values * scale), color=colour, linestyle=style, label=label)
    ax.set_ylabel(f"{what} [{unit}]")
    ax.set_xlim(*span)
    ax.margins(y=0.12)
    plots.mark_events(ax, record, span)
