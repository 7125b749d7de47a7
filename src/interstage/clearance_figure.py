"""The figure of how far bodies are apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import plots
from .record import Record
from .units import display

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BAD = "#b3261e"


def clearance_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Distance of each clearance over the time that it counted, its least value, limits and recontacts."""
    declared = {c.name: c for c in record.scenario.clearance}
    shown = [found for found in record.closest if f"clearance.{found.name}" in record.courses]
    if not shown:
        return
    factor, unit = display("m", units)
    figure, axes = plots.grid(len(shown[: plots.MOST_PANELS]), 1)
    for ax, found in zip(axes[:, 0], shown):
        times, values = record.courses[f"clearance.{found.name}"]
        distance = values["distance"] * factor
        ax.plot(*plots.thin(times, distance), color=plots.COLOURS[0])
        ax.plot([found.time], [found.distance * factor], "o", color=plots.COLOURS[0], markersize=4)
        least = f" least {found.distance * factor:.4g} {unit}"
        late = found.time > 0.5 * (times[0] + times[-1])
        ax.annotate(
            least, (found.time, found.distance * factor), xytext=(-6 if late else 6, 6),
            textcoords="offset points", ha="right" if late else "left", fontsize=8,
        )  # fmt: skip
        limit = declared[found.name].warn_below
        if limit is not None:
            ax.axhline(float(limit) * factor, color=plots.COLOURS[4], linewidth=1, linestyle="--")
        for met in record.recontacts:
            if met.name == found.name:
                ax.plot([met.time], [0.0], "x", color=BAD, markersize=7, markeredgewidth=1.8)
        if distance.min() <= 0:
            ax.axhspan(min(0.0, float(distance.min())), 0, color=BAD, alpha=0.12, linewidth=0)
        ax.set_ylabel(f"distance [{unit}]")
        ax.set_title(f"{found.name}: {' to '.join(found.between)}")
        ax.margins(y=0.12)
        span = float(times[0]), float(times[-1])
        ax.set_xlim(*span) if span[0] < span[1] else None
        plots.mark_events(ax, record, span)
    caption = (
        "Distance of the bodies' shapes while it counts; dashed: where a warning is given; cross: recontact"
    )
    yield plots.with_rest(caption, [found.name for found in shown]), figure
