"""Create panels with quantities of a record over time, in the selected units, with the events."""

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
"""Maximum number of bodies, joints or pairs in a figure. If a panel has more events than this, the title of
the figure states their number.
"""
LARGE = 2e4
"""Value from which on an axis uses a unit that is a thousand times larger, for example kN."""
THOUSANDS = {"N": "kN", "N m": "kN m", "m": "km", "Pa": "kPa", "kg": "t", "J": "kJ", "W": "kW"}
ROOM = 0.12
"""Free space above and below the curves, as a fraction of the range of their values."""
CLOSE_POINTS = 80
"""Minimum number of points of a curve in a short time span.

If the span has fewer samples, values between the samples are computed. If the flight cannot compute the
rates, each sample is marked.
"""
ROUNDINGS = 16
"""Factor of the rounding error, relative to the machine precision. Smaller values count as zero."""
LONG_NAME = 22
"""Maximum number of characters of a description as axis label.

A longer description is replaced by the name of the quantity.
"""

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

    - path: path of the quantity, for example "bodies.stage.speed".
    - units: unit system, "SI" or "US".
    - span: start and end of the time axis [s]. Default: the complete flight.
    - magnitude: if true, the magnitude is also drawn.
    - least: magnitude of the rounding errors [SI]. If all values are smaller, a note replaces the
      curve.
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

    shown: (title, path) of each panel. If the values of a quantity are only rounding errors compared with
    other quantities of the same unit, a note replaces the curve.
    """
    least = noise(record, [path for _, path in shown])
    return in_rows([over_time(record, path, units, title, least=least[path]) for title, path in shown])


def rounding(size: float) -> float:
    """Return the magnitude of the rounding errors of values with the magnitude `size`."""
    return ROUNDINGS * float(np.finfo(float).eps) * size


def is_nothing(values: np.ndarray, least: float) -> bool:
    """Return whether the magnitudes of all finite values are at most `least`, the magnitude of the rounding
    errors.
    """
    known = values[np.isfinite(values)]
    return known.size > 0 and not np.any(np.abs(known) > least)


def in_words(title: str, what: str, values: np.ndarray) -> Panel:
    """Return a panel with a note that a quantity is zero. A curve of its rounding errors would look like
    motion.

    title: title of the panel. Without a title, the name is the title. what: name of the quantity. values: its
    values, which are only rounding errors.
    """
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
    """Return one panel with several quantities of the same unit over time.

    - shown: (label, path) of each curve.
    - units: unit system, "SI" or "US".
    - what: name of the quantities for the value axis.
    - span: start and end of the time axis [s]. Default: the whole flight.
    - course: function of record and path that returns (times [s], values).
    """
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
    """Return the times [s] and values of the samples in a time span."""
    seen = (times >= span[0]) & (times <= span[1])
    return times[seen], values[seen]


def with_more(
    record: Record, path: str, times: np.ndarray, values: np.ndarray, span: Span
) -> tuple[np.ndarray, np.ndarray]:
    """Return the times [s] and values in a time span, with additional values between the samples.

    Values are added only if the span has few samples and the flight can compute the quantity between samples.
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
    """Return the time axis for the complete flight, or for a time span [s]."""
    low, high = span or (float(record.time[0]), float(record.time[-1]))
    return Axis("time [s]", low, high, of_flight=True)


def value_axis(what: str, unit: str) -> Axis:
    """Return a vertical axis with free space above and below the curves. what: name of the quantity. unit:
    its unit.
    """
    return Axis(label_text(what, unit), room=ROOM)


def events_of(record: Record) -> list[tuple[float, int]]:
    """Return the time [s] and the number of each event. The table of events has the same numbers."""
    return [(event.time, row) for row, event in enumerate(record.events, start=1)]


def with_event_numbers(figure: Figure, numbers: Sequence[int]) -> Figure:
    """Return a figure in which the events have other numbers. This figure is used for a leg or a body of a
    mission.

    numbers: new number of each event, in the order of the old numbers.
    """
    rows = [
        [replace(panel, events=[(x, numbers[k - 1]) for x, k in panel.events]) for panel in row]
        for row in figure.rows
    ]
    return replace(figure, rows=rows)


def thousands(factor: float, unit: str, values: Any) -> tuple[float, str]:
    """Return the factor from SI and the unit for an axis. For large values, the unit has a prefix, for
    example kN.

    - factor, unit: factor from SI and unit without prefix.
    - values: values of the curves [SI].
    """
    size = np.max(np.abs(values), initial=0.0, where=np.isfinite(values)) * factor
    return (1e-3 * factor, THOUSANDS[unit]) if size >= LARGE and unit in THOUSANDS else (factor, unit)


def short_name(long_name: str, path: str) -> str:
    """Return the axis label of a quantity. A long description is replaced by the last name of the path.

    long_name: description of the quantity. path: path of the quantity.
    """
    return path.rpartition(".")[2].replace("_", " ") if len(long_name) > LONG_NAME else long_name


def with_rest(caption: str, names: Sequence[str]) -> str:
    """Return the caption of a figure. If not all names are shown, the caption states how many exist."""
    rest = len(names) - MOST_PANELS
    return f"{caption} (first {MOST_PANELS} of {len(names)})" if rest > 0 else caption
