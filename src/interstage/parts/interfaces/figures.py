"""The figures of the loads of interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...drawing.curves import MOST_PANELS, ROOM, over_time
from ...drawing.figure import Band, Figure, Panel, beside
from ...record.record import Record, names_with, timeline

LOADS = ("axial_force", "shear_force", "bending_moment", "torsion", "ratio")
BOLTS = ("clamp_force", "bolt_force", "gapping_margin")
"""With a preload."""
PLENTY = 10.0
"""Margin up to which a panel goes, or twice the least if that is more: what is beyond carries next to
nothing."""


def interface_figures(record: Record, units: str) -> Iterator[Figure]:
    """Axial force, shear, bending and torsion of each interface, what they are of its allowables, and what
    they leave of its preload."""
    for name in names_with(record, "interfaces", "axial_force")[:MOST_PANELS]:
        paths = [f"interfaces.{name}.{load}" for load in (*LOADS, *BOLTS)]
        panels, caption = [], ""
        for path in paths:
            if path not in record.series:
                continue
            panel = over_time(record, path, units)
            if path.endswith("_margin"):
                panel, caption = _cut(panel, timeline(record, path)[1])
            panels.append(panel)
        yield Figure(f"{name}: loads at the station{caption}", beside(panels))


def _cut(panel: Panel, margin: np.ndarray) -> tuple[Panel, str]:
    """Leave out what is beyond plenty, mark what is below zero, and give what a caption says of that."""
    least = float(np.nanmin(margin))
    if least < 0:
        panel = replace(panel, marks=[Band(least, 0.0), *panel.marks])
    top = max(PLENTY, 2 * least)
    if np.nanmax(margin) <= top:
        return panel, ""
    y = replace(panel.y, low=min(least, 0.0) - ROOM * top, high=top)
    return replace(panel, y=y), f"; margin against gapping up to {top:.3g}"
