"""The figures of contacts: how near the points are to the surfaces, and what they press with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from . import plots
from .contact_tables import Touch, touches
from .record import Record, names_with, timeline
from .units import display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROOM = 0.3
"""Part of its time by which the close view goes beyond a touch on either side."""
FAR = 10.0
"""Touches are shown together where they are spread over at most so many times what they take."""
LONG = 0.1
"""Spans of less than this part of their end have times with many digits."""
Span = tuple[float, float]


def contact_figure(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Gap and forces of each contact over the flight, and around its touches."""
    for name in names_with(record, "contacts", "normal_force")[: plots.MOST_PANELS]:
        found = touches(record, name)
        declared = next(one for one in record.scenario.contacts if one.name == name)
        whole = float(record.time[0]), float(record.time[-1])
        close, title = _close_view(whole, found)
        spans = [whole] if close is None else [whole, close]
        figure, axes = plots.grid(2 if found else 1, len(spans))
        for column, span in zip(axes.T, spans):
            _gap(column[0], record, name, units, span)
            if found:
                _forces(column[1], record, name, units, span)
        for one in found:
            axes[0, 0].plot([one.start], [0.0], "x", color=plots.BAD, markersize=6, markeredgewidth=1.6)
        for ax, text in zip(axes[0], (f"{declared.body} to {declared.other}", title)):
            ax.set_title(text)
        yield f"Contact {name}: {_caption(found)}", figure


def _caption(found: list[Touch]) -> str:
    if not found:
        return "least distance of its points from the surfaces; it never touched"
    return (
        "least distance of its points from the surfaces, negative inside, and sums of their forces; cross:"
        " where a touch begins"
    )


def _close_view(whole: Span, found: list[Touch]) -> tuple[Span | None, str]:
    """A span around all touches, or around the hardest where they are far apart, and what it shows; none
    where it would be most of the flight."""
    shown = found
    if found and found[-1].end - found[0].start > FAR * sum(one.end - one.start for one in found):
        shown = [max(found, key=lambda one: one.peak)]
    if not shown:
        return None, ""
    start, end = shown[0].start, shown[-1].end
    # A touch of which only one sample is known has no length.
    room = max(ROOM * (end - start), 1e-6 * (whole[1] - whole[0]))
    span = max(whole[0], start - room), min(whole[1], end + room)
    if span[1] - span[0] > 0.6 * (whole[1] - whole[0]):
        return None, ""
    if len(found) == 1:
        return span, f"the touch at {start:.6g} s"
    if len(shown) == 1:
        return span, f"the hardest of {len(found)} touches, at {start:.6g} s"
    return span, f"the {len(found)} touches from {start:.6g} s on"


def _within(times: np.ndarray, values: np.ndarray, span: Span) -> tuple[np.ndarray, np.ndarray]:
    """A course between two times, and its values there, on the line between its neighbours."""
    inside = (times > span[0]) & (times < span[1])
    ends = np.interp(span, times, values)
    return (
        np.concatenate([span[:1], times[inside], span[1:]]),
        np.concatenate([ends[:1], values[inside], ends[1:]]),
    )


def _gap(ax: Axes, record: Record, name: str, units: str, span: Span) -> None:
    factor, unit = display("m", units)
    times, gap = _within(*timeline(record, f"contacts.{name}.gap"), span)
    gap = gap * factor
    ax.plot(*plots.thin(times, gap), color=plots.COLOURS[0])
    if gap.min() < 0:
        ax.axhspan(float(gap.min()), 0.0, color=plots.BAD, alpha=0.12, linewidth=0)
    ax.set_ylabel(f"gap [{unit}]")
    _finish(ax, record, span)


def _forces(ax: Axes, record: Record, name: str, units: str, span: Span) -> None:
    paths = {what: f"contacts.{name}.{what}_force" for what in ("normal", "friction")}
    courses = {
        what: _within(*timeline(record, path), span) for what, path in paths.items() if path in record.series
    }
    factor, unit = plots.thousands(*display("N", units), courses["normal"][1])
    for (what, (times, values)), colour in zip(courses.items(), plots.COLOURS):
        ax.plot(*plots.thin(times, values * factor), color=colour, label=what)
    ax.set_ylabel(f"force [{unit}]")
    _finish(ax, record, span)
    if len(courses) > 1:
        ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1.01, 0.98), handlelength=1.2, columnspacing=1)


def _finish(ax: Axes, record: Record, span: Span) -> None:
    ax.margins(y=0.12)
    ax.set_xlim(*span)
    if span[1] - span[0] < LONG * abs(span[1]):
        ax.set_xticks(_few_ticks(span))
    plots.mark_events(ax, record, span)


def _few_ticks(span: Span) -> list[float]:
    """Times with many digits: few of them, and none so near the end that it would leave the page."""
    from matplotlib.ticker import MaxNLocator

    end = span[1] - 0.04 * (span[1] - span[0])
    return [float(tick) for tick in MaxNLocator(5).tick_values(*span) if span[0] <= tick <= end]
