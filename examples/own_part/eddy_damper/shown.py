"""What reports show of eddy-current dampers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interstage.drawing.curves import together
from interstage.drawing.figure import Figure
from interstage.drawing.table import Table, number, peak, seek_peaks
from interstage.record.record import names_with
from interstage.tree.units import display


def table(record: Any, units: str) -> Iterator[Table]:
    """The largest force of each damper, and the heat that it has taken up."""
    names = names_with(record, "devices", "heat")
    (force, newton), (heat, joule) = display("N", units), display("J", units)
    seek_peaks(record, [f"devices.{name}.force" for name in names])
    rows = []
    for name in names:
        value, _ = peak(record, f"devices.{name}.force", None)
        taken = record.series[f"devices.{name}.heat"][-1]
        rows.append([name, number(value * force), number(taken * heat)])
    if rows:
        columns = ["damper", f"peak force [{newton}]", f"heat [{joule}]"]
        yield Table("Eddy-current dampers", columns, rows, [False, True, True], key="eddy dampers")


def figure(record: Any, units: str) -> Iterator[Figure]:
    """Force and heat of all dampers over time."""
    names = names_with(record, "devices", "heat")
    if names:
        span = float(record.time[0]), float(record.time[-1])
        row = []
        for word in ("force", "heat"):
            paths = [(name, f"devices.{name}.{word}") for name in names]
            row.append(together(record, paths, units, word, f"dampers: {word}", span))
        yield Figure("Force and heat of the eddy-current dampers", [row], key="eddy dampers")


TABLES = (table,)
FIGURES = (figure,)
