"""The figure of how far bodies are apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import plots
from .record import Closest, Record
from .units import display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CLOSE = 0.1
"""Part of the greatest distance up to which the close view goes, or three times the least if that is more."""


def clearance_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Distance of each clearance over the time that it counted, and around its least value; limits and
    recontacts."""
    shown = [found for found in record.closest if f"clearance.{found.name}" in record.courses]
    if not shown:
        return
    figure, axes = plots.grid(len(shown[: plots.MOST_PANELS]), 2)
    for (whole, close), found in zip(axes, shown):
        times, values = record.courses[f"clearance.{found.name}"]
        _draw(whole, record, found, times, values["distance"], units)
        whole.set_title(f"{found.name}: {' to '.join(found.between)}")
        seen = _around(times, values["distance"], found)
        _draw(close, record, found, times[seen], values["distance"][seen], units)
        factor, unit = display("m", units)
        close.set_title(f"least {found.distance * factor:.4g} {unit} at {found.time:.5g} s")
    caption = (
        "Distance of the bodies' shapes while it counts, and around its least; dashed: limits of"
        " warnings and requirements; cross: recontact"
    )
    yield plots.with_rest(caption, [found.name for found in shown]), figure


def _around(times: np.ndarray, distance: np.ndarray, found: Closest) -> Any:
    """The stretch around the least distance in which it is small."""
    least, row = max(found.distance, 0.0), int(np.argmin(distance))
    far = np.flatnonzero(distance > max(CLOSE * distance.max(), 3 * least))
    first, last = np.max(far[far < row], initial=0), np.min(far[far > row], initial=len(times) - 1)
    return slice(int(first), int(last) + 1)


def _limits(record: Record, name: str) -> list[float]:
    """Distances [m] below which a clearance is warned of, or a requirement is broken."""
    scenario = record.scenario
    warned = [c.warn_below for c in scenario.clearance if c.name == name and c.warn_below is not None]
    path = f"clearance.{name}.distance"
    least = [r.min.magnitude for r in scenario.requirements if r.quantity == path and r.min is not None]
    return [float(limit) for limit in (*warned, *least)]


def _draw(ax: Axes, record: Record, found: Closest, times: Any, distance: Any, units: str) -> None:
    factor, unit = display("m", units)
    ax.plot(*plots.thin(times, distance * factor), color=plots.COLOURS[0])
    ax.plot([found.time], [found.distance * factor], "o", color=plots.COLOURS[0], markersize=4)
    for limit in _limits(record, found.name):
        ax.axhline(limit * factor, color=plots.COLOURS[4], linewidth=1, linestyle="--")
    for met in record.recontacts:
        if met.name == found.name and times[0] <= met.time <= times[-1]:
            ax.plot([met.time], [0.0], "x", color=plots.BAD, markersize=7, markeredgewidth=1.8)
    if distance.min() <= 0:
        ax.axhspan(min(0.0, float(distance.min()) * factor), 0, color=plots.BAD, alpha=0.12, linewidth=0)
    ax.set_ylabel(f"distance [{unit}]")
    ax.margins(y=0.12)
    span = float(times[0]), float(times[-1])
    ax.set_xlim(*span) if span[0] < span[1] else None
    plots.mark_events(ax, record, span)
