"""Table and figure of section loads: what is largest along each beam."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, over_time
from ...drawing.figure import Figure, beside
from ...drawing.table import SAME_SIZE, Table, number, seek_peaks, time_text
from ...record.record import Record, timeline
from ...tree.units import display
from .declared import Beam

LOADS = {"axial_force": "force", "shear_force": "force", "torque": "moment", "bending_moment": "moment"}
"""What is largest along a beam, and the quantity of its sections that it is of."""


def tables(record: Record, units: str) -> Iterator[Table]:
    """The largest section loads of each beam over the flight, when, and in which section."""
    rows, beams = [], _beams(record)
    exact = seek_peaks(record, [f"forces.{beam.name}.{name}" for beam in beams for name in LOADS])
    for beam in beams:
        for name, load in LOADS.items():
            path = f"forces.{beam.name}.{name}"
            times, values = timeline(record, path)
            row = int(np.argmax(values))
            factor, unit = display(record.meta[path].unit, units)
            label = f"{name.replace('_', ' ')} [{unit}]"
            where = _section(record, beam, name, load, row)
            rows.append([beam.name, label, number(values[row] * factor), time_text(times[row]), where])
    if rows:
        columns = ["beam", "load", "largest", "at [s]", "section"]
        note = (
            "Sections are counted from the parent on, and those at parent and child are where these hold it;"
            " shear and bending across both axes together."
        )
        right = [False, False, True, True, True]
        yield Table("Section loads", columns, rows, right, note, key="section loads", of_samples=not exact)


def _section(record: Record, beam: Beam, name: str, load: str, row: int) -> str:
    """The section of a beam in which a load is largest at a row of the time line, the first of equal ones."""
    held = beam.child is not None
    places = ["at_parent", *(f"section_{k + 1}" for k in range(beam.elements + held))]
    sizes = []
    for place in [*places, "at_child"] if held else places:
        path = f"forces.{beam.name}.{place}.{load}"
        if path not in record.series:
            return "-"
        value = timeline(record, path)[1][row]
        across = name in ("shear_force", "bending_moment")
        sizes.append(np.linalg.norm(value[1:]) if across else abs(value[0]))
    first = int(np.argmax(np.array(sizes) >= np.max(sizes) * (1 - SAME_SIZE)))
    return [*places, "at_child"][first].removeprefix("section_").replace("_", " ")


def figures(record: Record, units: str) -> Iterator[Figure]:
    """The same over time."""
    for beam in _beams(record)[:MOST_PANELS]:
        panels = [over_time(record, f"forces.{beam.name}.{name}", units) for name in LOADS]
        caption = f"{beam.name}: largest section loads along the beam"
        yield Figure(caption, beside(panels), key="section loads")


def _beams(record: Record) -> list[Beam]:
    """Beams whose loads were recorded."""
    declared = [one for one in record.scenario.forces if isinstance(one, Beam)]
    return [one for one in declared if all(f"forces.{one.name}.{name}" in record.series for name in LOADS)]


TABLES = (tables,)
FIGURES = (figures,)
