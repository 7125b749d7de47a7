"""The comparison as a picture: differences and violation over time, and wall times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..plots import COLOURS, ROUNDING, STYLE, thin
from ..record import Record, names_with, timeline
from ..units import display
from .differences import BODY_KINDS, JOINT_KINDS
from .table import HOLDING, kinds_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .run import Comparison

DRAWN = ("position", "force", "torque")
"""Kinds of differences that are drawn beside those named: the last only where there is no force."""
MOST_PANELS = 8
WIDTH, LEFT, RIGHT = 9.6, 0.85, 0.2
PANEL, BAR, GAP, TITLE = 1.5, 0.22, 0.42, 0.3
LETTER = 0.068
"""Width of a letter of the small type. All lengths in inches."""
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)))
THICK, THIN = 3.2, 1.1
FIRST_COLOUR = "#d3d8dc"


class Panel(NamedTuple):
    """One panel over time: its title, the axis and a line (time [s], values) for each variant drawn."""

    title: str
    axis: str
    lines: dict[str, tuple[np.ndarray, np.ndarray]]


def draw(comparison: Comparison, units: str) -> Figure:
    """The figure: panels over time on logarithmic axes, and below them a bar for each variant."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        panels = list(_panels(comparison, units))[:MOST_PANELS]
        names = [run.name for run in comparison.runs]
        columns = max(1, int((WIDTH - LEFT) / (LETTER * max(map(len, names)) + 0.55)))
        legend = 0.19 * -(-len(names) // columns) + 0.12
        bars = BAR * len(names)
        height = legend + (TITLE + PANEL) * len(panels) + GAP + TITLE + bars + GAP
        figure = Figure(figsize=(WIDTH, height))
        top = height - legend
        for row, panel in enumerate(panels):
            top -= TITLE + PANEL
            ax = _axes(figure, LEFT, top, PANEL)
            _draw_lines(ax, panel, comparison)
            ax.tick_params(labelbottom=row == len(panels) - 1)
        if panels:
            figure.axes[-1].set_xlabel("time [s]")
            handles = _handles(comparison)
            figure.legend(handles, names, loc="upper left", ncols=columns, bbox_to_anchor=(LEFT / WIDTH, 1.0))
        _draw_bars(_axes(figure, LETTER * max(map(len, names)) + 0.25, GAP, bars), comparison)
    return figure


def _axes(figure: Figure, left: float, bottom: float, height: float) -> Axes:
    width, whole = figure.get_size_inches()
    return figure.add_axes((left / width, bottom / whole, (width - left - RIGHT) / width, height / whole))


def _panels(comparison: Comparison, units: str) -> Iterator[Panel]:
    kinds = kinds_of(comparison)
    drawn = [kind for kind in DRAWN if kind in kinds and not (kind == "torque" and "force" in kinds)]
    drawn += [kind for kind in kinds if kind not in (*BODY_KINDS, *JOINT_KINDS)]
    for kind in drawn:
        factor, label = display(kinds[kind], units)
        lines = {
            run.name: (run.differences[kind].time, run.differences[kind].course * factor)
            for run in comparison.runs[1:]
        }
        of = {"position": " of a body", "force": " of a joint", "torque": " of a joint"}.get(kind, "")
        yield Panel(f"difference from {comparison.reference.name}: {kind}{of}", f"[{label}]", lines)
    for what, unit in HOLDING.items():
        factor, label = display(unit, units)
        lines = {run.name: _largest(run.record, what, factor) for run in comparison.runs}
        if any(np.any(values > 0) for _, values in lines.values()):
            yield Panel(f"{what} of a joint", f"[{label}]", lines)


def _largest(record: Record, what: str, factor: float) -> tuple[np.ndarray, np.ndarray]:
    """The largest value over the joints, over time."""
    found = [timeline(record, f"joints.{joint}.{what}") for joint in names_with(record, "joints", what)]
    if not found:
        return record.time, np.zeros(len(record.time))
    return found[0][0], factor * np.max([values for _, values in found], axis=0)


def _line(row: int, rows: int) -> dict[str, Any]:
    """How the variant of a row is drawn; the reference is thin and black."""
    if row == 0:
        return {"color": COLOURS[-1], "linewidth": 0.9}
    # Lines that cover each other stay visible: later ones are thinner.
    width = THICK + (THIN - THICK) * (row - 1) / max(rows - 2, 1)
    hue = COLOURS[(row - 1) % (len(COLOURS) - 1)]
    return {"color": hue, "linestyle": DASHES[(row - 1) % len(DASHES)], "linewidth": width}


def _handles(comparison: Comparison) -> list[Any]:
    from matplotlib.lines import Line2D

    return [Line2D([], [], **_line(row, len(comparison.runs))) for row in range(len(comparison.runs))]


def _draw_lines(ax: Axes, panel: Panel, comparison: Comparison) -> None:
    sizes = []
    for row, run in enumerate(comparison.runs):
        if run.name in panel.lines:
            times, values = panel.lines[run.name]
            # A logarithmic axis has no place for an exact zero.
            times, values = thin(times, np.where(values > 0, values, np.nan))
            ax.plot(times, values, **_line(row, len(comparison.runs)))
            sizes.append(values[np.isfinite(values)])
    ax.set_title(panel.title)
    ax.set_ylabel(panel.axis)
    every = np.concatenate([np.zeros(0), *sizes])
    _logarithmic(ax, "y")
    if len(every):
        # Never less than two decades, so that two powers of ten are there to read.
        top = max(every.max() * 2, 100 * ROUNDING)
        ax.set_ylim(max(min(every.min() / 2, top / 100), ROUNDING), top)
    else:
        ax.set_yticks([])
        ax.tick_params(which="minor", length=0)
        ax.annotate("none", (0.015, 0.5), xycoords="axes fraction", color="#6b6b6b")
    record = comparison.reference.record
    ax.set_xlim(record.time[0], record.time[-1])
    for event in record.events:
        ax.axvline(event.time, color="#333333", linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)


def _logarithmic(ax: Axes, which: Literal["x", "y"]) -> None:
    """A logarithmic axis whose powers of ten only are numbered."""
    from matplotlib.ticker import NullFormatter

    ax.set(**{f"{which}scale": "log"})
    getattr(ax, f"{which}axis").set_minor_formatter(NullFormatter())


def _draw_bars(ax: Axes, comparison: Comparison) -> None:
    """Wall time of the first run, in grey, and of the second before it."""
    rows = np.arange(len(comparison.runs))
    first, second = ([getattr(run, which) for run in comparison.runs] for which in ("first", "second"))
    ax.barh(rows, first, color=FIRST_COLOUR, height=0.72)
    ax.barh(rows, second, color=[_line(row, len(rows))["color"] for row in range(len(rows))], height=0.36)
    for row, one, other in zip(range(len(first)), first, second):
        text = f"{one:.3g} s" + ("" if np.isnan(other) else f", then {other:.3g} s")
        ax.annotate(
            text,
            (np.nanmax([one, other]), row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
        )
    _logarithmic(ax, "x")
    shortest, longest = np.nanmin([*first, *second]), np.nanmax([*first, *second])
    # Room for the numbers behind the longest bar.
    ax.set_xlim(shortest / 2, longest * (longest / shortest) ** 0.3 * 2)
    ax.set_yticks(rows, [run.name for run in comparison.runs])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    ax.set_axisbelow(True)
    ax.set_title("wall time [s]: first run with compiling, in grey; second run")
