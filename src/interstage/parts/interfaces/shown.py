"""Table and figures of interface loads: peak loads, margins and time histories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...drawing.curves import MOST_PANELS, ROOM, over_time
from ...drawing.figure import Band, Figure, Panel, in_rows
from ...drawing.table import SAME_SIZE, Table, number, peak_is_shared, time_text
from ...record.envelope import at_steps, extremes, load_paths
from ...record.record import Record, names_with, resolve, timeline
from ...record.rounding import noise, without_rounding
from ...tree.units import display

MARGINS = ("margin", "gapping_margin")
"""The names of the quantities that are margins and should stay above zero. The quantity `ratio` is not in the
table, because it has the same information.
"""
LEAST = (*MARGINS, "least_line_load", "clamp_force")
"""The names of the quantities for which the table shows only the smallest value."""
ONE_SIDED_LOADS = ("shear_force", "bending_moment", "line_load", "bolt_force")
"""The names of the quantities for which the table shows only the largest value."""
LOADS = ("axial_force", "shear_force", "bending_moment", "torsion", "ratio")
BOLTS = ("clamp_force", "bolt_force", "gapping_margin")
"""The names of the quantities of an interface with preload."""
PLENTY = 10.0
"""The upper end of the axis in a figure of margins. If twice the smallest margin is larger, the axis ends at
this value. Larger margins occur at almost no load.
"""


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield the table of the peak loads and smallest margins of each interface, with time and phase.

    units: unit system of the values, "SI" or "US".
    """
    rows, bad = [], set()
    each = [(path, *path.split(".")) for path in load_paths(record)]
    wanted = [
        (path, name, load)
        for path, group, name, load in each
        if group == "interfaces" and load not in ("force", "moment", "ratio")
    ]
    more = at_steps(record, [path for path, *_ in wanted])
    rounding = noise(record, [path for path, *_ in wanted])
    for path, name, load in wanted:
        for found in extremes(record, path, by_phase=False, more=more):
            factor, unit = display(found.unit, units)
            component = resolve(record, f"{path}.{found.component}".rstrip("."))[1]
            label = " ".join(filter(None, (found.component, load.replace("_", " ").removeprefix("least "))))
            unit = f" [{unit}]" if unit not in ("", "1") else ""
            largest = "largest", found.largest, found.largest_time, found.largest_phase
            least = "smallest", found.least, found.least_time, found.least_phase
            sides = ([] if load in LEAST else [largest]) + ([] if load in ONE_SIDED_LOADS else [least])
            for side, value, time, phase in sides:
                if load in MARGINS and value < -SAME_SIZE:
                    bad.add(len(rows))
                shown = without_rounding(value, rounding[path])
                cells = f"{side} {label}{unit}", number(shown * factor), time_text(time), phase
                mark = " *" if peak_is_shared(record, path, value, time, component) else ""
                rows.append([name + mark, *cells])
    columns = ["interface", "load", "value", "time [s]", "phase"]
    note = "A positive axial force is tension. Margin = allowable load / (load x factor of safety) - 1."
    if any(row[0].endswith(" *") for row in rows):
        note += (
            " * This value depends on statically indeterminate joint loads. The warnings state the assumed"
        )
        note += " distribution."
    right = [False, False, True, True, False]
    yield Table(
        "Interface loads",
        columns,
        rows,
        right,
        note,
        bad,
        "interface loads",
        of_samples=record.at_steps is None,
    )


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield a figure for each interface. The figure shows axial force, shear, bending, torsion, ratios to
    allowables and bolt loads over time.

    units: unit system of the values, "SI" or "US".
    """
    for name in names_with(record, "interfaces", "axial_force")[:MOST_PANELS]:
        paths = [f"interfaces.{name}.{load}" for load in (*LOADS, *BOLTS)]
        panels, caption = [], ""
        for path in paths:
            if path not in record.series:
                continue
            panel = over_time(record, path, units)
            if path.endswith(".ratio"):
                panel = replace(panel, y=replace(panel.y, label="load / allowable load"))
            if path.endswith("_margin"):
                panel, caption = _limit_range(panel, timeline(record, path)[1])
            panels.append(panel)
        yield Figure(f"Interface loads of {name}{caption}", in_rows(panels), key="interface loads")


def _limit_range(panel: Panel, margin: np.ndarray) -> tuple[Panel, str]:
    """Limit the range of a margin panel, mark values below zero, and return the addition to the caption."""
    least = float(np.nanmin(margin))
    if least < 0:
        panel = replace(panel, marks=[Band(least, 0.0), *panel.marks])
    top = max(PLENTY, 2 * least)
    if np.nanmax(margin) <= top:
        return panel, ""
    y = replace(panel.y, low=min(least, 0.0) - ROOM * top, high=top)
    return replace(panel, y=y), f". The plot of the gapping margin omits values above {top:.3g}."


TABLES, FIGURES, ENVELOPE = (tables,), (figures,), ("interfaces",)
