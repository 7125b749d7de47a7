"""The table of the loads of interfaces."""

from __future__ import annotations

from ...drawing.table import SAME_SIZE, Table, number, time_text
from ...record.envelope import extremes, load_paths
from ...record.record import Record
from ...tree.units import display

MARGINS = ("margin", "gapping_margin")
"""Quantities of an interface that should stay above zero; `ratio` says the same."""
LEAST = (*MARGINS, "least_line_load", "clamp_force")
"""Those whose smallest value alone counts."""
MOST = ("shear_force", "bending_moment", "line_load", "bolt_force")
"""Those whose largest value alone counts."""


def interfaces_table(record: Record, units: str) -> Table:
    """Extremes of the loads of each interface over the flight, and its smallest margins, with their
    phases."""
    rows, bad = [], set()
    for path in load_paths(record):
        group, name, load = path.split(".")
        if group != "interfaces" or load in ("force", "moment", "ratio"):
            continue
        for found in extremes(record, path, by_phase=False):
            factor, unit = display(found.unit, units)
            label = " ".join(filter(None, (found.component, load.replace("_", " ").removeprefix("least "))))
            unit = f" [{unit}]" if unit not in ("", "1") else ""
            largest = "largest", found.largest, found.largest_time, found.largest_phase
            least = "smallest", found.least, found.least_time, found.least_phase
            sides = ([] if load in LEAST else [largest]) + ([] if load in MOST else [least])
            for side, value, time, phase in sides:
                if load in MARGINS and value < -SAME_SIZE:
                    bad.add(len(rows))
                cells = f"{side} {label}{unit}", number(value * factor), time_text(time), phase
                rows.append([name + (" *" if found.note else ""), *cells])
    columns = ["interface", "load", "", "at [s]", "phase"]
    note = (
        "Axial forces: positive in tension. Margins: allowable over load with its factor of safety, less 1."
    )
    if any(row[0].endswith(" *") for row in rows):
        note += " * With joint loads that are shared by a rule, see below."
    right = [False, False, True, True, False]
    return Table("Interface loads", columns, rows, right, note, bad)
