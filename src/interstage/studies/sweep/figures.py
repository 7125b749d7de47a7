"""Figures of a sweep: tornado charts, lines over one varied input, and contours over two varied inputs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.figure import (
    BAD,
    COLOURS,
    Axis,
    Bar,
    Between,
    Field,
    Figure,
    Limit,
    Line,
    Mark,
    Panel,
    Points,
    in_rows,
)
from ...drawing.table import label_text
from ...tree.units import display
from .result import finite

if TYPE_CHECKING:
    from .result import Measure, Sweep
    from .sensitivity import Effect

BAR = 28.0
"""Height [px] of a bar in a tornado chart."""
TALL, CONTOUR = 190.0, 340.0
"""Heights [px] of a panel with lines and of a panel with contours."""
MOST_BARS, MOST_PANELS, MOST_MEASURES = 12, 6, 12
LOW, HIGH, REFERENCE = "#56b4e9", "#e69f00", "#333333"


def figures(sweep: Sweep, units: str) -> Iterator[Figure]:
    """Yield figures of each requirement and response that the varied inputs affect. units: "SI" or "US"."""
    for measure in finite(sweep.measures)[:MOST_MEASURES]:
        effects = [effect for effect in sweep.effects(measure.name) if effect.range > 0]
        if not effects:
            continue
        if len(sweep.variations) > 1:
            yield tornado(sweep, measure, effects, units)
        numeric = [e for e in effects if e.variation.numeric]
        if _is_full_grid(sweep):
            yield contour(sweep, measure, units)
        elif numeric and max(len(e.levels) for e in numeric) > 2:
            yield lines(sweep, measure, numeric, units)


def _is_full_grid(sweep: Sweep) -> bool:
    """Whether the cases are a full grid of two numeric variations with at least two levels each."""
    two = sweep.design == "grid" and len(sweep.variations) == 2
    return two and all(one.numeric and one.count > 1 for one in sweep.variations)


def _tornado_caption(sweep: Sweep, measure: Measure) -> str:
    if sweep.design == "one_at_a_time":
        return f"{measure.name}: values if only one input differs from the nominal case (tornado chart)"
    return f"{measure.name}: means of all cases at the lowest and at the highest level of each input"


def _lines_caption(sweep: Sweep, measure: Measure) -> str:
    if sweep.design == "one_at_a_time" or len(sweep.variations) == 1:
        return f"{measure.name}: values over the levels of each varied input"
    return f"{measure.name}: mean and range of the cases at each level of each varied input"


def tornado(sweep: Sweep, measure: Measure, effects: Sequence[Effect], units: str) -> Figure:
    """Return a tornado chart. For each varied input, bars extend from the reference value to the values at
    the ends of the range. The longest bar is on top.

    measure: requirement or response. effects: effects of the varied inputs on it.
    """
    shown = list(effects[:MOST_BARS])
    factor = display(measure.unit, units)[0]
    reference = shown[0].reference * factor
    marks: list[Mark] = []
    for row, effect in enumerate(shown):
        scale = effect.variation.scale(units)[0]
        low, high = (value * factor for value in effect.ends)
        for end, colour, value, other in ((0, LOW, low, high), (-1, HIGH, high, low)):
            text = f"{effect.levels[end] * scale:.4g}" if effect.variation.numeric else ""
            # An end at the reference has its label on the other side.
            side = "right" if value > reference or (value == reference and other <= reference) else "left"
            side = side if value != other else ("right" if end else "left")
            marks.append(Bar(row, reference, value, colour, text=text, side=side))
    marks.append(Limit(reference, "x", REFERENCE, ""))
    ends = np.array([effect.ends for effect in shown]) * factor
    marks += _limit(measure, factor, "x", ends)
    panel = Panel(
        marks,
        "blue: lowest level of the input; orange: highest level; each bar has the level as its label",
        Axis(_label(measure, units), room=0.12),
        Axis(names=[effect.variation.name for effect in shown]),
        height=BAR * len(shown),
    )
    return Figure(_tornado_caption(sweep, measure), [[panel]])


def lines(sweep: Sweep, measure: Measure, effects: Sequence[Effect], units: str) -> Figure:
    """Return a figure of a requirement or response over the levels of each varied input. Bands show the
    range over all other varied inputs.
    """
    shown = [effect for effect in effects if len(effect.levels) > 1][:MOST_PANELS]
    panels = [_levels(sweep, measure, effect, units) for effect in shown]
    return Figure(_lines_caption(sweep, measure), in_rows(panels))


def _levels(sweep: Sweep, measure: Measure, effect: Effect, units: str) -> Panel:
    factor = display(measure.unit, units)[0]
    scale, unit = effect.variation.scale(units)
    x, every = effect.levels * scale, np.concatenate([effect.lows, effect.highs, effect.means]) * factor
    marks: list[Mark] = []
    if np.any(effect.lows < effect.highs):
        marks.append(Between(x, effect.lows * factor, effect.highs * factor))
    marks.append(Line(x, effect.means * factor, dots=True))
    if sweep.design == "one_at_a_time":
        own = [effect.variation.nominal * scale], [effect.reference * factor]
        marks.append(Points(*own, "ring", COLOURS[-1], size=10.0))
    marks += _limit(measure, factor, "y", every)
    label = label_text(effect.variation.name, unit)
    return Panel(
        marks, "", Axis(label, room=0.05), Axis(_label(measure, units, short=True), room=0.15), height=TALL
    )


def contour(sweep: Sweep, measure: Measure, units: str) -> Figure:
    """Return a figure of a requirement or response over two varied inputs: filled contours, the limit as a
    line, and a dot for each case.
    """
    one, other = sweep.variations
    factor = display(measure.unit, units)[0]
    axes_at, table = _table(sweep, measure.values * factor)
    x, y = (at * v.scale(units)[0] for at, v in zip(axes_at, (one, other)))
    limit, title = measure.limit * factor, "dots: cases"
    good = sweep.completed & ~measure.broken
    if not good.all():
        title += "; crosses: cases that violate the limit or ended early"
    field = Field(x, y, table, _label(measure, units))
    if measure.side and np.nanmin(table) < limit < np.nanmax(table):
        field = replace(field, lines=[limit])
        title += f"; red line: the limit {limit:.5g}"
    at = [sweep.coordinate(v) * v.scale(units)[0] for v in (one, other)]
    marks: list[Mark] = [
        field,
        Points(at[0][good], at[1][good], "dot", "#000000", size=4.0),
        Points(at[0][~good], at[1][~good], "cross", BAD, size=8.0),
    ]
    panel = Panel(marks, title, Axis(one.heading(units)), Axis(other.heading(units)), height=CONTOUR)
    return Figure(f"{measure.name}: values over the levels of both varied inputs", [[panel]])


def _table(sweep: Sweep, values: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """(rising coordinates of two variations, values on their grid)."""
    orders = [np.argsort(one.coordinate, kind="stable") for one in sweep.variations]
    table = np.full([one.count for one in sweep.variations], np.nan)
    table[sweep.levels[:, 0], sweep.levels[:, 1]] = values
    at = [one.coordinate[order] for one, order in zip(sweep.variations, orders)]
    return at, table[np.ix_(*orders)]


def _limit(measure: Measure, factor: float, axis: str, shown: np.ndarray) -> list[Mark]:
    """The limit of a requirement, if it is close enough to the plotted values."""
    if not measure.side or not math.isfinite(measure.limit):
        return []
    values = shown[np.isfinite(shown)]
    low, high, limit = float(values.min()), float(values.max()), measure.limit * factor
    room = 1.3 * (high - low)
    return [Limit(limit, axis, BAD)] if low - room <= limit <= high + room else []


def _label(measure: Measure, units: str, short: bool = False) -> str:
    name = measure.name if short else f"{measure.name}, {measure.where}"
    return label_text(name, display(measure.unit, units)[1])
