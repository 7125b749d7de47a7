"""Draw the figure of a comparison: differences and constraint violation over time, and wall times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.curves import events_of, time_axis
from ...drawing.figure import COLOURS, Axis, Bar, Figure, Line, Mark, Panel
from ...record.record import Record, names_with, timeline
from ...tree.units import display
from .differences import BODY_KINDS, JOINT_KINDS
from .table import HOLDING, kinds_of

if TYPE_CHECKING:
    from .run import Comparison

DRAWN = ("position", "force", "torque")
"""Kinds of differences that are drawn in addition to requested quantities. "torque" is drawn only if no
"force" is compared.
"""
MOST_PANELS = 8
PANEL, BAR = 140.0, 22.0
"""Heights [px] of a panel and of a bar."""
DASHES = ("", "dashed", "dotted")
THICK, THIN = 4.0, 1.4
"""Widths [px] of thick and thin lines."""
FIRST_COLOUR = "#d3d8dc"


def draw(comparison: Comparison, units: str) -> Figure:
    """Return a figure with panels over time on logarithmic axes, and a bar chart of the wall times of the
    variants. units: "SI" or "US".
    """
    panels = list(_panels(comparison, units))[:MOST_PANELS]
    # Only the last panel has numbers on the time axis.
    panels = [replace(p, x=replace(p.x, numbered=p is panels[-1])) for p in panels]
    nothing = np.zeros(0)
    names = [run.name for run in comparison.runs]
    legend = [_line(row, len(names), nothing, nothing, name) for row, name in enumerate(names)]
    rows = [*([panel] for panel in panels), [_bars(comparison)]]
    caption = f"Differences from {comparison.reference.name}, constraint violations and wall times"
    return Figure(caption, rows, legend if panels else ())


def _panels(comparison: Comparison, units: str) -> Iterator[Panel]:
    kinds = kinds_of(comparison)
    drawn = [kind for kind in DRAWN if kind in kinds and not (kind == "torque" and "force" in kinds)]
    drawn += [kind for kind in kinds if kind not in (*BODY_KINDS, *JOINT_KINDS)]
    for kind in drawn:
        factor, label = display(kinds[kind], units)
        lines = {
            run.name: [
                (part.differences[kind].time, part.differences[kind].course * factor)
                for part in run.parts
                if kind in part.differences
            ]
            for run in comparison.runs[1:]
        }
        of = {"position": " of a body", "force": " of a joint", "torque": " of a joint"}.get(kind, "")
        yield _panel(
            comparison, f"difference from {comparison.reference.name}: {kind}{of}", f"[{label}]", lines
        )
    for what, unit in HOLDING.items():
        factor, label = display(unit, units)
        lines = {
            run.name: [_largest(part.record, what, factor) for part in run.parts] for run in comparison.runs
        }
        if any(np.any(values > 0) for own in lines.values() for _, values in own):
            yield _panel(comparison, f"{what} of a joint", f"[{label}]", lines)


def _panel(
    comparison: Comparison, title: str, label: str, lines: dict[str, list[tuple[np.ndarray, np.ndarray]]]
) -> Panel:
    """A line (time [s], values) for each variant and each leg of a mission, on a logarithmic axis."""
    record, count = comparison.reference.record, len(comparison.runs)
    marks = []
    for row, run in enumerate(comparison.runs):
        for times, values in lines.get(run.name, ()):
            marks.append(_line(row, count, times, np.where(values > 0, values, np.nan)))
    return Panel(marks, title, time_axis(record), Axis(label, log=True), events_of(record), height=PANEL)


def _largest(record: Record, what: str, factor: float) -> tuple[np.ndarray, np.ndarray]:
    """The largest value over the joints, over time."""
    found = [timeline(record, f"joints.{joint}.{what}") for joint in names_with(record, "joints", what)]
    if not found:
        return record.time, np.zeros(len(record.time))
    return found[0][0], factor * np.max([values for _, values in found], axis=0)


def _line(row: int, rows: int, x: np.ndarray, y: np.ndarray, label: str = "") -> Line:
    """Line style of the variant of a row; the reference is thin and black."""
    if row == 0:
        return Line(x, y, label, COLOURS[-1], width=1.2)
    # Later lines are thinner, so that coincident lines stay visible.
    width = THICK + (THIN - THICK) * (row - 1) / max(rows - 2, 1)
    hue = COLOURS[(row - 1) % (len(COLOURS) - 1)]
    return Line(x, y, label, hue, width, DASHES[(row - 1) % len(DASHES)])


def _bars(comparison: Comparison) -> Panel:
    """Bars of the wall times: first run in grey, second run in front."""
    runs, nothing = comparison.runs, np.zeros(0)
    spent = np.array([[run.first, run.second] for run in runs])
    shortest, longest = float(np.nanmin(spent)), float(np.nanmax(spent))
    marks: list[Mark] = []
    for row, run in enumerate(runs):
        colour = _line(row, len(runs), nothing, nothing).colour
        text = f"{run.first:.3g} s" + ("" if np.isnan(run.second) else f", then {run.second:.3g} s")
        marks.append(Bar(row, shortest / 2, run.first, FIRST_COLOUR, 0.72))
        marks.append(Bar(row, shortest / 2, run.second, colour, 0.36))
        # Label after the longer bar.
        end = float(np.nanmax([run.first, run.second]))
        marks.append(Bar(row, end, end, colour, 0.0, text))
    # Room for the label of the longest bar.
    x = Axis("", shortest / 2, longest * (longest / shortest) ** 0.3 * 2, log=True)
    title = "wall time [s]; grey: first run with compilation; colour: second run"
    return Panel(marks, title, x, Axis(names=[run.name for run in runs]), height=BAR * len(runs))
