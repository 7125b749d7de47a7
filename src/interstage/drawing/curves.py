"""Panels of a record: quantities over time with the events, in the units that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..record.record import Record, timeline
from ..record.rounding import noise
from ..tree.units import PURE_UNITS, display
from .figure import COLOURS, DASHES, LEAST_SPAN, Axis, Figure, Line, Mark, Panel, beside

MAGNITUDE_COLOUR = "#9aa2a9"
MOST_PANELS = 8
"""Bodies, joints or pairs that one figure shows; what is left out is reported in its title."""
LARGE = 2e4
"""Size of values from which on an axis is in thousands of their unit."""
THOUSANDS = {"N": "kN", "N m": "kN m", "m": "km", "Pa": "kPa", "kg": "t", "J": "kJ", "W": "kW"}
ROOM = 0.12
"""Part of what curves span that is left free above and below them."""
MOST_MARKED = 80
"""Samples in a close view up to which each is marked."""
ROUNDINGS = 16
"""Roundings of what values come of, of which they are so much at least."""
LONG_NAME = 22
"""Letters of a quantity's name from which on the last part of its path stands on the axis."""

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
    """One quantity over time, its components in the axes' colours, with the events; of a span only, or with
    its magnitude behind it. least: size [SI] up to which it is rounding, and said to be in place of it.
    course: (times [s], values) of a path."""
    meta = record.meta[path]
    times, values = course(record, path)
    factor, unit = thousands(*display(meta.unit, units), values)
    if span is not None:
        times, values = within(times, values, span)
    if is_nothing(values, least):
        return in_words(title, _short(meta.long_name, path), values)
    columns = values.reshape(len(times), -1) * factor
    names = meta.components or ("",)
    dots = span is not None and len(times) < MOST_MARKED
    marks: list[Mark] = []
    if magnitude:
        size = np.sqrt(np.sum(columns**2, axis=1))
        marks.append(Line(times, size, "magnitude", MAGNITUDE_COLOUR, width=3.0))
    labels = names if len(names) > 1 else ("",)
    marks += [Line(times, y, label, dots=dots) for y, label in zip(columns.T, labels)]
    y = Axis(labelled(_short(meta.long_name, path), unit), room=ROOM, steady=LEAST_SPAN)
    return Panel(marks, title, time_axis(record, span), y, events_of(record))


def side_by_side(record: Record, shown: Sequence[tuple[str, str]], units: str) -> list[list[Panel]]:
    """Quantities over time, (title, path), two next to each other; those that are rounding beside others of
    their unit in words."""
    least = noise(record, [path for _, path in shown])
    return beside([over_time(record, path, units, title, least=least[path]) for title, path in shown])


def rounding(size: float) -> float:
    """Up to which values are rounding of what has a size."""
    return ROUNDINGS * float(np.finfo(float).eps) * size


def is_nothing(values: np.ndarray, least: float) -> bool:
    """Whether values are known, and none of them is more than rounding."""
    known = values[np.isfinite(values)]
    return known.size > 0 and not np.any(np.abs(known) > least)


def in_words(title: str, what: str, values: np.ndarray) -> Panel:
    """A panel that says of values that are nothing, and would be drawn as motion, that they are."""
    said = "zero but for rounding" if np.any(values[np.isfinite(values)]) else "zero"
    return Panel(title=title or what, note=f"{what}: {said}" if title else said)


def together(
    record: Record,
    shown: Sequence[tuple[str, str]],
    units: str,
    what: str,
    title: str = "",
    span: Span | None = None,
    course: Callable[[Record, str], tuple[np.ndarray, np.ndarray]] = timeline,
) -> Panel:
    """Several quantities of one unit, (label, path), over time or a span of it. course: (times [s], values)
    of a path, of which all is drawn."""
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
    """The samples of a span of time."""
    seen = (times >= span[0]) & (times <= span[1])
    return times[seen], values[seen]


def time_axis(record: Record, span: Span | None = None) -> Axis:
    """Time, over the flight or a span of it."""
    low, high = span or (float(record.time[0]), float(record.time[-1]))
    return Axis("time [s]", low, high)


def value_axis(what: str, unit: str) -> Axis:
    """Values with some room above and below."""
    return Axis(labelled(what, unit), room=ROOM)


def events_of(record: Record) -> list[tuple[float, int]]:
    """Times of the events with their numbers in the table of events."""
    return [(event.time, row) for row, event in enumerate(record.events, start=1)]


def renumbered(figure: Figure, numbers: Sequence[int]) -> Figure:
    """A figure whose events have other numbers: those of a leg, or of a body, in a mission's table."""
    rows = [
        [replace(panel, events=[(x, numbers[k - 1]) for x, k in panel.events]) for panel in row]
        for row in figure.rows
    ]
    return replace(figure, rows=rows)


def labelled(what: str, unit: str) -> str:
    """A label with its unit in brackets, if it has one."""
    return what if unit in PURE_UNITS else f"{what} [{unit}]"


def thousands(factor: float, unit: str, values: Any) -> tuple[float, str]:
    """Factor and unit in which large values stand on an axis without a power of ten of their own."""
    size = np.max(np.abs(values), initial=0.0, where=np.isfinite(values)) * factor
    return (1e-3 * factor, THOUSANDS[unit]) if size >= LARGE and unit in THOUSANDS else (factor, unit)


def _short(long_name: str, path: str) -> str:
    """The axis of a panel that already says whose quantity it is."""
    return path.rpartition(".")[2].replace("_", " ") if len(long_name) > LONG_NAME else long_name


def with_rest(caption: str, names: Sequence[str]) -> str:
    """A caption that states how many of some names are left out."""
    rest = len(names) - MOST_PANELS
    return f"{caption} (first {MOST_PANELS} of {len(names)})" if rest > 0 else caption
