"""Create a figure of selected quantities of a flight over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..record.record import Record, pick, resolve, timeline
from ..tree.errors import BadInput, Problem
from ..tree.units import SYSTEMS, display
from .curves import Span, events_of, short_name, thousands, time_axis, value_axis, with_more, within
from .figure import COLOURS, DASHES, Figure, Line, Panel, in_rows

Asked = str | Sequence[str]
"""Path of a quantity, or paths of quantities that share a panel."""


class _Curve(NamedTuple):
    """A curve of a panel: path and name of its quantity, label of its component, times [s], and values in
    `unit`, an SI unit."""

    path: str
    name: str
    label: str
    times: np.ndarray
    values: np.ndarray
    unit: str


def quantities_figure(
    find: Callable[[str], tuple[Record, str]],
    asked: Sequence[Asked],
    units: str,
    span: Span | None = None,
) -> Figure:
    """Return a figure of quantities over time, with one panel for each item of `asked`.

    - find: function of a path that returns the record with the quantity, and its path in this record.
    - asked: paths of quantities, of components ("bodies.stage.position.x") or of magnitudes
      ("joints.band.force.magnitude"). A list of paths with the same unit shares a panel.
    - units: unit system, "SI" or "US".
    - span: start and end of the time axis [s]. If the span has few samples, values between the
      samples are added. Default: the whole flight.

    Raises BadInput for an unknown quantity, for an empty request, and for a span that does not end after its
    start. Raises BadInput if quantities of one panel have different units.
    """
    if not asked or not all(asked):
        raise BadInput(
            Problem("plot", "no quantity is given. Name a quantity, for example bodies.stage.speed")
        )
    if units not in SYSTEMS:
        raise BadInput(Problem("units", f"'{units}' is not a unit system; allowed: {', '.join(SYSTEMS)}"))
    if span is not None and not (np.all(np.isfinite(span)) and span[0] < span[1]):
        text = f"{span[0]:g} to {span[1]:g} s is not a time span. Give a start before the end"
        raise BadInput(Problem("span", text))
    panels = [_panel(find, [one] if isinstance(one, str) else one, units, span) for one in asked]
    names = ", ".join(one if isinstance(one, str) else ", ".join(one) for one in asked)
    return Figure(names, in_rows(panels, min(2, len(panels))), key="quantities")


def _panel(
    find: Callable[[str], tuple[Record, str]], paths: Sequence[str], units: str, span: Span | None
) -> Panel:
    """A panel with the curves of all components of some quantities."""
    curves = [curve for path in paths for curve in _curves(*find(path), path, span)]
    first = curves[0]
    for curve in curves:
        if display(curve.unit, units)[1] != display(first.unit, units)[1]:
            text = (
                f"the quantity has the unit {curve.unit}, but {first.path} has the unit {first.unit}. "
                "Draw these quantities in separate panels"
            )
            raise BadInput(Problem(curve.path, text))
    factor, unit = thousands(*display(first.unit, units), np.concatenate([one.values for one in curves]))
    alone = len(paths) == 1
    marks = [
        Line(
            one.times,
            one.values * factor,
            one.label if alone else ".".join(filter(None, (one.path, one.label))),
            COLOURS[k % len(COLOURS)],
            dash=DASHES[k // len(COLOURS) % len(DASHES)],
        )
        for k, one in enumerate(curves)
    ]
    record, _ = find(first.path)
    what = {one.name for one in curves}
    axis = value_axis(what.pop() if len(what) == 1 else "value", unit)
    return Panel(marks, first.path if alone else "", time_axis(record, span), axis, events_of(record))


def _curves(record: Record, own: str, path: str, span: Span | None) -> list[_Curve]:
    """The curves of a quantity, one for each component. own: its path in the record."""
    stem, component = resolve(record, own)
    meta = record.meta[stem]
    times, values = timeline(record, stem)
    if span is not None:
        times, values = with_more(record, stem, *within(times, values, span), span)
    if not len(times):
        first, last = (record.time[k] for k in (0, -1)) if len(record.time) else (np.nan, np.nan)
        text = (
            f"the quantity has no value in this time span. Give a time span within the flight, {first:g} s "
            f"to {last:g} s"
        )
        raise BadInput(Problem(path, text))
    columns = pick(values, component).reshape(len(times), -1).T
    labels = meta.components if component is None and meta.components else ("",)
    name = short_name(meta.long_name, stem)
    return [_Curve(path, name, label, times, column, meta.unit) for label, column in zip(labels, columns)]
