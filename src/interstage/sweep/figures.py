"""Figures of a sweep: tornadoes, lines over one variation, contours over two."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..plots import BAD, COLOURS, STYLE
from ..units import PURE_UNITS, display
from .result import finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .result import Measure, Sweep
    from .sensitivity import Effect

WIDTH, PANEL, BAR = 9.6, 2.5, 0.3
LEFT, RIGHT, TOP, BOTTOM, GAP = 0.85, 0.2, 0.4, 0.55, 0.75
LETTER = 0.072
"""Width of a letter of the small type. All lengths in inches."""
MOST_BARS, MOST_PANELS, MOST_MEASURES = 12, 6, 12
LOW, HIGH, BAND = "#56b4e9", "#e69f00", "#d9e8f2"


def figures(sweep: Sweep, units: str) -> Iterator[tuple[str, Figure]]:
    """(caption, figure) of each requirement and response that any variation changes."""
    from matplotlib import rc_context

    with rc_context(STYLE):
        for measure in finite(sweep.measures)[:MOST_MEASURES]:
            effects = [effect for effect in sweep.effects(measure.name) if effect.range > 0]
            if not effects:
                continue
            if len(sweep.variations) > 1:
                yield _tornado_caption(sweep, measure), tornado(sweep, measure, effects, units)
            numeric = [e for e in effects if e.variation.numeric]
            if _crossed(sweep):
                yield f"{measure.name}: over both variations", contour(sweep, measure, units)
            elif numeric and max(len(e.levels) for e in numeric) > 2:
                yield _lines_caption(sweep, measure), lines(sweep, measure, numeric, units)


def _crossed(sweep: Sweep) -> bool:
    """Whether the cases are a full grid of two measures with two levels each at least."""
    two = sweep.design == "grid" and len(sweep.variations) == 2
    return two and all(one.numeric and one.count > 1 for one in sweep.variations)


def _tornado_caption(sweep: Sweep, measure: Measure) -> str:
    if sweep.design == "one_at_a_time":
        return f"{measure.name}: change from the nominal case by each variation alone"
    return f"{measure.name}: mean over all cases at the low and at the high end of each variation"


def _lines_caption(sweep: Sweep, measure: Measure) -> str:
    if sweep.design == "one_at_a_time" or len(sweep.variations) == 1:
        return f"{measure.name}: over each variation"
    return f"{measure.name}: mean over the cases at each level, and in between which values they lie"


def tornado(sweep: Sweep, measure: Measure, effects: Sequence[Effect], units: str) -> Figure:
    """Bars from the reference to the ends of each variation, the longest on top."""
    from matplotlib.figure import Figure

    shown = list(effects[:MOST_BARS])
    factor = display(measure.unit, units)[0]
    names = [effect.variation.name for effect in shown]
    left = LETTER * max(map(len, names)) + 0.3
    height = TOP + BAR * len(shown) + BOTTOM
    figure = Figure(figsize=(WIDTH, height))
    bottom, tall = BOTTOM / height, BAR * len(shown) / height
    ax = figure.add_axes((left / WIDTH, bottom, (WIDTH - left - RIGHT) / WIDTH, tall))
    reference = shown[0].reference * factor
    for row, effect in enumerate(shown):
        scale = effect.variation.scale(units)[0]
        for end, colour in ((0, LOW), (-1, HIGH)):
            value = effect.means[end] * factor
            ax.barh(row, value - reference, left=reference, height=0.62, color=colour)
            text = f"{effect.levels[end] * scale:.4g}" if effect.variation.numeric else ""
            right = value > reference or (value == reference and end)
            ax.annotate(
                text,
                (value, row),
                xytext=(4 if right else -4, 0),
                textcoords="offset points",
                ha="left" if right else "right",
                va="center",
                fontsize=7,
            )
    ax.axvline(reference, color="#333333", linewidth=0.9)
    ax.margins(x=0.12)
    _limit(ax, measure, factor, along="x")
    ax.set_yticks(range(len(shown)), names)
    ax.set_ylim(len(shown) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    ax.set_axisbelow(True)
    ax.set_xlabel(_label(measure, units))
    ax.set_title("low end blue, high end orange; at the ends of the bars the levels")
    return figure


def lines(sweep: Sweep, measure: Measure, effects: Sequence[Effect], units: str) -> Figure:
    """The number over the levels of each variation, and its extremes over the others."""
    shown = [effect for effect in effects if len(effect.levels) > 1][:MOST_PANELS]
    columns = min(2, len(shown))
    figure, axes = _grid(-(-len(shown) // columns), columns)
    factor = display(measure.unit, units)[0]
    for ax, effect in zip(axes.flat, shown):
        scale, unit = effect.variation.scale(units)
        x = effect.levels * scale
        if np.any(effect.lows < effect.highs):
            ax.fill_between(x, effect.lows * factor, effect.highs * factor, color=BAND, linewidth=0)
        ax.plot(x, effect.means * factor, color=COLOURS[0], marker="o", markersize=3.5)
        if sweep.design == "one_at_a_time":
            ax.plot(
                *_own(effect, scale, factor),
                marker="o",
                markersize=7,
                markerfacecolor="none",
                color=COLOURS[-1],
                linestyle="none",
            )
        _limit(ax, measure, factor, along="y")
        name = effect.variation.name
        ax.set_xlabel(name if unit in PURE_UNITS else f"{name} [{unit}]")
        ax.set_ylabel(_label(measure, units, short=True))
        ax.margins(y=0.15)
    for ax in axes.flat[len(shown) :]:
        ax.set_visible(False)
    return figure


def _own(effect: Effect, scale: float, factor: float) -> tuple[list[float], list[float]]:
    return [effect.variation.nominal * scale], [effect.reference * factor]


def contour(sweep: Sweep, measure: Measure, units: str) -> Figure:
    """The number over two variations: filled contours, the limit as a line, and each case as a dot."""
    from matplotlib.figure import Figure

    one, other = sweep.variations
    factor = display(measure.unit, units)[0]
    axes_at, table = _table(sweep, measure.values * factor)
    x, y = (at * v.scale(units)[0] for at, v in zip(axes_at, (one, other)))
    figure = Figure(figsize=(WIDTH, 4.2))
    ax = figure.add_axes((LEFT / WIDTH, 0.14, 0.8, 0.78))
    drawn = ax.contourf(x, y, np.ma.masked_invalid(table.T), levels=12, cmap="viridis")
    bar = figure.colorbar(drawn, cax=figure.add_axes((LEFT / WIDTH + 0.82, 0.14, 0.018, 0.78)))
    bar.set_label(_label(measure, units))
    limit, title = measure.limit * factor, "dots are cases"
    good = sweep.completed & ~measure.broken
    if not good.all():
        title += "; crosses those that break the limit or ended early"
    if measure.side and np.nanmin(table) < limit < np.nanmax(table):
        ax.contour(x, y, np.ma.masked_invalid(table.T), levels=[limit], colors=[BAD], linewidths=2)
        title += f"; the red line is the limit, {limit:.5g}"
    at = [sweep.coordinate(v) * v.scale(units)[0] for v in (one, other)]
    ax.plot(at[0][good], at[1][good], ".", color="#000000", markersize=4, clip_on=False)
    bad: dict[str, Any] = {"color": BAD, "markersize": 6, "markeredgewidth": 1.6, "clip_on": False}
    ax.plot(at[0][~good], at[1][~good], "x", **bad)
    ax.set_xlabel(one.heading(units))
    ax.set_ylabel(other.heading(units))
    ax.set_title(title)
    ax.grid(visible=False)
    return figure


def _table(sweep: Sweep, values: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """(rising coordinates of two variations, values on their grid)."""
    orders = [np.argsort(one.coordinate, kind="stable") for one in sweep.variations]
    table = np.full([one.count for one in sweep.variations], np.nan)
    table[sweep.levels[:, 0], sweep.levels[:, 1]] = values
    at = [one.coordinate[order] for one, order in zip(sweep.variations, orders)]
    return at, table[np.ix_(*orders)]


def _limit(ax: Axes, measure: Measure, factor: float, along: str) -> None:
    """The limit of a requirement, where it is near enough to be on the picture."""
    if not measure.side or not math.isfinite(measure.limit):
        return
    low, high = ax.get_xlim() if along == "x" else ax.get_ylim()
    limit, room = measure.limit * factor, high - low
    if low - room <= limit <= high + room:
        draw = ax.axvline if along == "x" else ax.axhline
        draw(limit, color=BAD, linewidth=1.2, linestyle=(0, (4, 2)))


def _label(measure: Measure, units: str, short: bool = False) -> str:
    unit = display(measure.unit, units)[1]
    bracket = "" if unit in PURE_UNITS else f" [{unit}]"
    return f"{measure.name}{bracket}" if short else f"{measure.name}, {measure.where}{bracket}"


def _grid(rows: int, columns: int) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    height = 0.4 * TOP + PANEL * rows + GAP * (rows - 1) + BOTTOM
    figure = Figure(figsize=(WIDTH, height))
    axes = figure.subplots(rows, columns, squeeze=False)
    figure.subplots_adjust(
        left=LEFT / WIDTH,
        right=1 - RIGHT / WIDTH,
        bottom=BOTTOM / height,
        top=1 - 0.4 * TOP / height,
        hspace=GAP / PANEL,
        wspace=0.24,
    )
    return figure, axes
