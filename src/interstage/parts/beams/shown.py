"""Tables and figures of section loads: the largest loads of each beam, and the loads along each beam."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, over_time
from ...drawing.figure import Figure, in_rows
from ...drawing.table import SAME_SIZE, Table, number, seek_peaks, time_text
from ...record.record import Record, timeline
from ...tree.units import display
from .declared import Beam
from .diagram import ACROSS, LOADS, panels, places, rounding


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield the table of the largest section loads of each beam during the flight, with time and section.

    units: unit system of the values, "SI" or "US".
    """
    rows, beams = [], _beams(record)
    exact = seek_peaks(record, [f"forces.{beam.name}.{name}" for beam in beams for name in LOADS])
    for beam in beams:
        for name, load in LOADS.items():
            path = f"forces.{beam.name}.{name}"
            times, values = timeline(record, path)
            row = int(np.argmax(values))
            factor, unit = display(record.meta[path].unit, units)
            label = f"{name.replace('_', ' ')} [{unit}]"
            shown = [number(values[row] * factor), time_text(times[row])]
            shown.append(_section(record, beam, name, load, row))
            none = values[row] <= rounding(beam, name)
            rows.append([beam.name, label, *(["0", "-", "-"] if none else shown)])
    if rows:
        columns = ["beam", "load", "largest value", "time [s]", "section"]
        note = (
            "Sections are numbered from the parent body to the child body. The first and the last section are"
            " at the clamps. Shear and bending are resultants of the two lateral components."
        )
        right = [False, False, True, True, True]
        yield Table("Section loads", columns, rows, right, note, key="section loads", of_samples=not exact)


def _section(record: Record, beam: Beam, name: str, load: str, row: int) -> str:
    """Return the section in which a load is largest at a row of the time line. If several are equal, the
    first one."""
    every, sizes = [*places(beam)], []
    for place in every:
        path = f"forces.{beam.name}.{place}.{load}"
        if path not in record.series:
            return "-"
        value = timeline(record, path)[1][row]
        sizes.append(np.linalg.norm(value[1:]) if name in ACROSS else abs(value[0]))
    first = int(np.argmax(np.array(sizes) >= np.max(sizes) * (1 - SAME_SIZE)))
    return every[first].removeprefix("section_").replace("_", " ")


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield two figures for each beam. The first shows the largest section loads over time. The second shows
    each load along the beam at the time of its maximum.

    units: unit system of the values, "SI" or "US".
    """
    for beam in _beams(record)[:MOST_PANELS]:
        largest = [
            over_time(record, f"forces.{beam.name}.{name}", units, least=rounding(beam, name))
            for name in LOADS
        ]
        caption = f"{beam.name}: largest section loads of the beam over time"
        yield Figure(caption, in_rows(largest), key="section loads")
        if every := [*panels(record, beam, units)]:
            caption = (
                f"{beam.name}: section loads along the beam. Each line shows the loads at the time of the"
                " maximum. The shaded area is the range of the loads over the flight."
            )
            yield Figure(caption, in_rows(every), key="section loads along")


def _beams(record: Record) -> list[Beam]:
    """Return the beams whose loads were recorded."""
    declared = [one for one in record.scenario.forces if isinstance(one, Beam)]
    return [one for one in declared if all(f"forces.{one.name}.{name}" in record.series for name in LOADS)]


TABLES = (tables,)
FIGURES = (figures,)
