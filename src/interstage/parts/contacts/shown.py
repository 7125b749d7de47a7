"""Tables and figures of contacts: number and times of touches, forces, depths and energy losses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...drawing.curves import MOST_PANELS, Span, events_of, thousands, time_axis, value_axis
from ...drawing.figure import BAD, Band, Figure, Line, Mark, Panel, Points
from ...drawing.table import Table, number, time_text
from ...maths.ranking import ranks
from ...record.record import SAME_TIME, Record, names_with, timeline
from ...tree.units import display

MOST_TOUCHES = 12
"""The maximum number of touches of one contact in the table. The table shows the touches with the largest
forces.
"""
ROOM = 0.3
"""The time that a figure shows before and after a touch, divided by the duration of the touch."""
FAR = 10.0
"""A figure shows several touches together if their total time span, divided by their duration, is at most
this number.
"""


@dataclass(frozen=True)
class Touch:
    """Time span in which a contact touches. A touch begins when the first point touches, and ends when no
    point touches.

    - start, end: times [s].
    - peak: largest normal force [N].
    - at: time of the largest normal force [s].
    - depth: largest depth [m].
    - lost: dissipated energy [J]; NaN if it is unknown.
    """

    start: float
    end: float
    peak: float
    at: float
    depth: float
    lost: float


def touches(record: Record, name: str) -> list[Touch]:
    """Return all touches of a contact, in the order of time. name: name of the contact."""
    path = f"contacts.{name}"
    times, touching = timeline(record, f"{path}.touching")
    force, depth = (timeline(record, f"{path}.{what}")[1] for what in ("normal_force", "depth"))
    known = f"{path}.lost" in record.series
    lost = timeline(record, f"{path}.lost")[1] if known else np.full(len(times), np.nan)
    found = []
    for first, last in _stretches(times, touching > 0):
        hardest = first + int(np.argmax(force[first : last + 1]))
        found.append(
            Touch(
                float(times[first]),
                float(times[last]),
                float(force[hardest]),
                float(times[hardest]),
                float(depth[first : last + 1].max()),
                float(lost[last] - lost[first]),
            )
        )
    return found


def _stretches(times: np.ndarray, on: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and last row of each touch. A touch that begins at the time at which the preceding one
    ended is merged with it."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(int)))
    found: list[tuple[int, int]] = []
    for first, end in edges.reshape(-1, 2).tolist():
        if found and times[first] - times[found[-1][1]] <= SAME_TIME * max(1.0, abs(times[first])):
            first = found.pop()[0]
        found.append((first, end - 1))
    return found


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield a table of the contacts, and a table of the touches of contacts that touched more than once.

    units: unit system of the values, "SI" or "US".
    """
    every = {name: touches(record, name) for name in names_with(record, "contacts", "normal_force")}
    yield _contacts(every, units)
    yield _touches(every, units)


def _contacts(every: dict[str, list[Touch]], units: str) -> Table:
    """Return one row for each contact."""
    force, depth, energy = (display(unit, units) for unit in ("N", "m", "J"))
    rows = []
    for name, found in every.items():
        cells = ["0", *["-"] * 5]
        if found:
            cells = [
                str(len(found)),
                time_text(found[0].start),
                number(sum(one.end - one.start for one in found), 3),
                number(max(one.peak for one in found) * force[0], 4),
                number(max(one.depth for one in found) * depth[0], 3),
                number(sum(one.lost for one in found) * energy[0], 3),
            ]
        rows.append([name, *cells])
    columns = ["contact", "touches", "first touch [s]", "total duration [s]", f"largest force [{force[1]}]"]
    columns += [f"penetration depth [{depth[1]}]", f"energy loss [{energy[1]}]"]
    note = ""
    if any(every.values()):
        note = (
            "The force is the sum of the normal forces at all contact points. Force, depth and duration"
            " depend on the declared contact stiffness."
        )
    return Table("Contacts", columns, rows, [False, *[True] * 6], note, key="contacts")


def _touches(every: dict[str, list[Touch]], units: str) -> Table:
    """Return one row for each touch of contacts that touched more than once."""
    force, depth, energy = (display(unit, units) for unit in ("N", "m", "J"))
    rows, left_out = [], []
    for name, found in every.items():
        order = np.argsort(ranks([-one.peak for one in found]), kind="stable")
        hardest = [found[k] for k in order[:MOST_TOUCHES]]
        if len(found) > MOST_TOUCHES:
            left_out.append(f"The table shows {MOST_TOUCHES} of {len(found)} touches of {name}: the touches")
            left_out.append("with the largest forces.")
        for one in sorted(hardest, key=lambda one: one.start) if len(found) > 1 else ():
            cells = [number(one.peak * force[0], 4), time_text(one.at)]
            cells += [number(one.depth * depth[0], 3), number(one.lost * energy[0], 3)]
            rows.append([name, time_text(one.start), number(one.end - one.start, 3), *cells])
    columns = ["contact", "start [s]", "duration [s]", f"largest force [{force[1]}]", "at time [s]"]
    columns += [f"penetration depth [{depth[1]}]", f"energy loss [{energy[1]}]"]
    return Table("Touches", columns, rows, [False, *[True] * 6], " ".join(left_out), key="touches")


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield figures of the gap and the forces of each contact, over the flight and around its touches.

    units: unit system of the values, "SI" or "US".
    """
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
        yield Figure(f"Contact {name}: {_caption(found)}", rows, key="contacts")


def _caption(found: list[Touch]) -> str:
    if not found:
        return "smallest distance between contact points and surface. The bodies do not touch."
    return (
        "smallest distance between contact points and surface, and sum of the contact forces. A negative"
        " distance is a penetration depth. A cross marks the start of a touch."
    )


def _close_view(whole: Span, found: list[Touch]) -> tuple[Span | None, str]:
    """Return a time span around all touches, or around the touch with the largest force if they are far
    apart, and its caption. None if it would cover most of the flight."""
    shown = found
    if found and found[-1].end - found[0].start > FAR * sum(one.end - one.start for one in found):
        shown = [max(found, key=lambda one: one.peak)]
    if not shown:
        return None, ""
    start, end = shown[0].start, shown[-1].end
    # A touch with a single sample has no duration.
    room = max(ROOM * (end - start), 1e-6 * (whole[1] - whole[0]))
    span = max(whole[0], start - room), min(whole[1], end + room)
    if span[1] - span[0] > 0.6 * (whole[1] - whole[0]):
        return None, ""
    if len(found) == 1:
        return span, f"the touch at {start:.6g} s"
    if len(shown) == 1:
        return span, f"the touch with the largest force (of {len(found)} touches), at {start:.6g} s"
    return span, f"{len(found)} touches, the first at {start:.6g} s"


def _within(times: np.ndarray, values: np.ndarray, span: Span) -> tuple[np.ndarray, np.ndarray]:
    """Return a time history between two times, with interpolated values at both."""
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


TABLES, FIGURES = (tables,), (figures,)
