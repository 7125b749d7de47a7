"""Panels with quantities of a record over time, with events, in the selected units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..record.record import SAME_TIME, Record, timeline
from ..record.rounding import noise
from ..tree.units import display
from .figure import COLOURS, DASHES, LEAST_SPAN, Axis, Figure, Line, Mark, Panel, in_rows
from .table import label_text

MAGNITUDE_COLOUR = "#9aa2a9"
MOST_PANELS = 8
"""Maximum number of bodies, joints or pairs in a figure; its title states the number of omitted names."""
LARGE = 2e4
"""Values above which an axis uses thousands of the unit."""
THOUSANDS = {"N": "kN", "N m": "kN m", "m": "km", "Pa": "kPa", "kg": "t", "J": "kJ", "W": "kW"}
ROOM = 0.12
"""Free space above and below curves, relative to their span."""
CLOSE_POINTS = 80
"""Number of points of a curve in a close view. A view with fewer samples computes values between samples, or
marks the samples if the flight has no such values."""
ROUNDINGS = 16
"""Number of rounding errors of the terms up to which a value counts as rounding."""
LONG_NAME = 22
"""Largest length of a description as axis label, in characters; a longer description is replaced by the name
of the quantity."""

Span = tuple[float, float]


def over_time(
    record: Record,
    path: str,
    units: str,
    title: str = "",
    span: Span | None = None,
    magnitude: bool = False,
    least: float = 0.0,
    course: Callable[[Record, str], tuple[np.ndarray, np.ndarray]] = timeline,
) -> Panel:
    """Return a panel of one quantity over time, with its components and the events.

    - span: time span [s]. Default: the complete flight.
    - magnitude: also draw the magnitude.
    - least: level of rounding errors [SI]. If all values are below this level, a note replaces the curve.
    - course: function of record and path that returns (times [s], values).
    """
    meta = record.meta[path]
    times, values = course(record, path)
    factor, unit = thousands(*display(meta.unit, units), values)
    if span is not None:
        times, values = with_more(record, path, *within(times, values, span), span)
    if is_nothing(values, least):
        return in_words(title, short_name(meta.long_name, path), values)
    columns = values.reshape(len(times), -1) * factor
    names = meta.components or ("",)
    dots = span is not None and len(times) < CLOSE_POINTS
    marks: list[Mark] = []
    if magnitude:
        size = np.sqrt(np.sum(columns**2, axis=1))
        marks.append(Line(times, size, "magnitude", MAGNITUDE_COLOUR, width=3.0))
    labels = names if len(names) > 1 else ("",)
    marks += [Line(times, y, label, dots=dots) for y, label in zip(columns.T, labels)]
    y = Axis(label_text(short_name(meta.long_name, path), unit), room=ROOM, steady=LEAST_SPAN)
    return Panel(marks, title, time_axis(record, span), y, events_of(record))


def side_by_side(record: Record, shown: Sequence[tuple[str, str]], units: str) -> list[list[Panel]]:
    """Return panels of quantities over time, in rows of two panels.

    shown: (title, path) of each panel. If a quantity is at the level of rounding compared with other
    quantities in its unit, a note replaces its curve.
    """
    least = noise(record, [path for _, path in shown])
    return in_rows([over_time(record, path, units, title, least=least[path]) for title, path in shown])


def rounding(size: float) -> float:
    """Return the size of rounding errors of values of a given size."""
    return ROUNDINGS * float(np.finfo(float).eps) * size


def is_nothing(values: np.ndarray, least: float) -> bool:
    """Return whether all finite values are at the level of rounding, `least`."""
    known = values[np.isfinite(values)]
    return known.size > 0 and not np.any(np.abs(known) > least)


def in_words(title: str, what: str, values: np.ndarray) -> Panel:
    """Return a panel with a note that the values are zero, because a curve of rounding errors would look like
    motion."""
    text = "zero within rounding" if np.any(values[np.isfinite(values)]) else "zero"
    return Panel(title=title or what, note=f"{what}: {text}" if title else text)


def together(
    record: Record,
    shown: Sequence[tuple[str, str]],
    units: str,
    what: str,
    title: str = "",
    span: Span | None = None,
    course: Callable[[Record, str], tuple[np.ndarray, np.ndarray]] = timeline,
) -> Panel:
    """Return one panel with several quantities in one unit over time. shown: (label, path) of each curve.

    - span: time span [s]. Default: the whole flight.
    - course: function of record and path that returns (times [s], values)."""
    curves = [(label, *course(record, path)) for label, path in shown]
    if span is not None:
        curves = [(label, *within(times, values, span)) for label, times, values in curves]
    every = np.concatenate([values for _, _, values in curves])
    factor, unit = thousands(*display(record.meta[shown[0][1]].unit, units), every)
    marks = [
        Line(
            times,
            values * factor,
            label,
            COLOURS[k % len(COLOURS)],
            dash=DASHES[k // len(COLOURS) % len(DASHES)],
        )
        for k, (label, times, values) in enumerate(curves)
    ]
    return Panel(marks, title, time_axis(record, span), value_axis(what, unit), events_of(record))


def within(times: np.ndarray, values: np.ndarray, span: Span) -> tuple[np.ndarray, np.ndarray]:
    """Return the samples in a time span [s]."""
    seen = (times >= span[0]) & (times <= span[1])
    return times[seen], values[seen]


def with_more(
    record: Record, path: str, times: np.ndarray, values: np.ndarray, span: Span
) -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and values in a time span, with additional values between samples.

    Values are added only if the span has few samples and the flight can evaluate the quantity between
    samples.
    """
    if record.between is None or len(times) >= CLOSE_POINTS:
        return times, values
    low, high = max(span[0], float(record.time[0])), min(span[1], float(record.time[-1]))
    if not low < high:
        return times, values
    new = np.linspace(low, high, CLOSE_POINTS + 2)[1:-1]
    events = np.array([event.time for event in record.events], float)
    near = np.abs(new[:, None] - events) <= SAME_TIME * np.maximum(1.0, np.abs(events))
    new = new[~near.any(axis=1)]
    found = record.between(new, (path,)).get(path)
    if found is None:
        return times, values
    times, values = np.concatenate([times, new]), np.concatenate([values, found])
    order = np.argsort(times, kind="stable")
    return times[order], values[order]


def time_axis(record: Record, span: Span | None = None) -> Axis:
    """Return the time axis of the flight or of a span."""
    low, high = span or (float(record.time[0]), float(record.time[-1]))
    return Axis("time [s]", low, high, of_flight=True)


def value_axis(what: str, unit: str) -> Axis:
    """Return an axis with free space above and below the values."""
    return Axis(label_text(what, unit), room=ROOM)


def events_of(record: Record) -> list[tuple[float, int]]:
    """Return the time [s] and the number of each event. Numbers are as in the table of events."""
    return [(event.time, row) for row, event in enumerate(record.events, start=1)]


def with_event_numbers(figure: Figure, numbers: Sequence[int]) -> Figure:
    """Return a figure with new event numbers, for a leg or body of a mission.

    numbers: new number of each event, in order.
    """
    rows = [
        [replace(panel, events=[(x, numbers[k - 1]) for x, k in panel.events]) for panel in row]
        for row in figure.rows
    ]
    return replace(figure, rows=rows)


def thousands(factor: float, unit: str, values: Any) -> tuple[float, str]:
    """Return factor and unit for an axis. Large values get a unit with a prefix, such as kN."""
    size = np.max(np.abs(values), initial=0.0, where=np.isfinite(values)) * factor
    return (1e-3 * factor, THOUSANDS[unit]) if size >= LARGE and unit in THOUSANDS else (factor, unit)


def short_name(long_name: str, path: str) -> str:
    """Return the axis label of a panel. A long name is shortened, because the title contains the full
    name.
    """
    return path.rpartition(".")[2].replace("_", " ") if len(long_name) > LONG_NAME else long_name


def with_rest(caption: str, names: Sequence[str]) -> str:
    """Return a caption, with the number of omitted names if not all names are shown."""
    rest = len(names) - MOST_PANELS
    return f"{caption} (first {MOST_PANELS} of {len(names)})" if rest > 0 else caption
