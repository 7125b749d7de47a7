"""Table and figures of heat fluxes and heat loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, side_by_side
from ...drawing.figure import Figure
from ...drawing.table import Table, number, seek_peaks, time_text
from ...record.record import Record, names_with, timeline
from ...tree.units import display

DIGITS = 4


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield the table of heating. For each point, the table shows the largest heat flux, with its time and
    altitude, and the heat load of the flight.

    units: unit system of the values, "SI" or "US".
    """
    rows, (length, unit) = [], display("m", units)
    noses = {f"heating.{nose.name}": nose for nose in record.scenario.heating}
    noses = {path: nose for path, nose in noses.items() if f"{path}.heat_rate" in record.series}
    exact = seek_peaks(record, [f"{path}.heat_rate" for path in noses])
    for path, nose in noses.items():
        times, values = timeline(record, f"{path}.heat_rate")
        if not np.isfinite(values).any():
            continue
        at = int(np.nanargmax(values))
        heights = timeline(record, f"bodies.{nose.body}.altitude")[1]
        load = record.series.get(f"{path}.heat_load", np.array([np.nan]))
        cells = number(values[at] * 1e-3, DIGITS), time_text(times[at]), number(heights[at] * length, DIGITS)
        rows.append([nose.name, nose.body, nose.kind, *cells, number(load[-1] * 1e-6, DIGITS)])
    columns = ["nose", "body", "method", "peak heat flux [kW/m^2]", "time [s]", f"altitude [{unit}]"]
    columns.append("heat load [MJ/m^2]")
    right = [False, False, False, True, True, True, True]
    yield Table("Heating", columns, rows, right, key="heating", of_samples=not exact)


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield the figure of heat flux and heat load over time. units: name of the unit system."""
    noses = names_with(record, "heating", "heat_rate")[:MOST_PANELS]
    shown = [(nose, f"heating.{nose}.{name}") for nose in noses for name in ("heat_rate", "heat_load")]
    shown = [one for one in shown if one[1] in record.series]
    if shown:
        caption = "Heat flux and heat load at the stagnation points"
        yield Figure(caption, side_by_side(record, shown, units), key="heating")


TABLES = (tables,)
FIGURES = (figures,)
