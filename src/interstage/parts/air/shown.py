"""Figures for bodies with aerodynamic loads."""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.curves import MOST_PANELS, side_by_side
from ...drawing.figure import Figure
from ...record.record import Record, names_with

NAMES = ("altitude", "mach", "dynamic_pressure", "total_alpha")


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield a figure for each body with aerodynamic loads.

    The figure shows altitude, Mach number, dynamic pressure and total angle of attack. units: name of the
    unit system.
    """
    axes = [record.meta[path].frame for path in record.meta if path.startswith("aerodynamics.")]
    for body in names_with(record, "bodies", "dynamic_pressure")[:MOST_PANELS]:
        paths = [path for name in NAMES if (path := f"bodies.{body}.{name}") in record.series]
        if len(paths) == len(NAMES) and f"{body} structural axes" in axes:
            panels = side_by_side(record, [("", path) for path in paths], units)
            what = f"Altitude, Mach number, dynamic pressure and total angle of attack of {body}"
            yield Figure(what, panels, key="air")


FIGURES = (figures,)
