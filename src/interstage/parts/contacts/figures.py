"""The figures of contacts: how near the points are to the surfaces, and what they press with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, Span, events_of, thousands, time_axis, value_axis
from ...drawing.figure import BAD, Band, Figure, Line, Mark, Panel, Points
from ...record.record import Record, names_with, timeline
from ...tree.units import display
from .tables import Touch, touches

ROOM = 0.3
"""Part of its time by which the close view goes beyond a touch on either side."""
FAR = 10.0
"""Touches are shown together where they are spread over at most so many times what they take."""


def contact_figures(record: Record, units: str) -> Iterator[Figure]:
    """Gap and forces of each contact over the flight, and around its touches."""
    for name in names_with(record, "contacts", "normal_force")[:MOST_PANELS]:
        found = touches(record, name)
        declared = next(one for one in record.scenario.contacts if one.name == name)
        whole = float(record.time[0]), float(record.time[-1])
        close, title = _close_view(whole, found)
        views = [(whole, f"{declared.body} to {declared.other}", found)]
        if close is not None:
            views.append((close, title, []))
        rows = [[_gap(record, name, units, *view) for view in views]]
        if found:
            rows.append([_forces(record, name, units, span) for span, *_ in views])
        yield Figure(f"Contact {name}: {_caption(found)}", rows)


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


def _gap(record: Record, name: str, units: str, span: Span, title: str, crossed: list[Touch]) -> Panel:
    factor, unit = display("m", units)
    times, gap = _within(*timeline(record, f"contacts.{name}.gap"), span)
    gap = gap * factor
    marks: list[Mark] = [Band(float(gap.min()), 0.0)] if gap.min() < 0 else []
    marks.append(Line(times, gap))
    marks.append(Points([one.start for one in crossed], [0.0] * len(crossed), "cross", BAD, size=7.0))
    return Panel(marks, title, time_axis(record, span), value_axis("gap", unit), events_of(record))


def _forces(record: Record, name: str, units: str, span: Span) -> Panel:
    paths = {what: f"contacts.{name}.{what}_force" for what in ("normal", "friction")}
    courses = {
        what: _within(*timeline(record, path), span) for what, path in paths.items() if path in record.series
    }
    factor, unit = thousands(*display("N", units), courses["normal"][1])
    marks = [
        Line(times, values * factor, what if len(courses) > 1 else "")
        for what, (times, values) in courses.items()
    ]
    return Panel(marks, "", time_axis(record, span), value_axis("force", unit), events_of(record))
