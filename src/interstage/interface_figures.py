"""The figures of the loads of interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from . import plots
from .record import Record, names_with, timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOADS = ("axial_force", "shear_force", "bending_moment", "torsion", "ratio")
BOLTS = ("clamp_force", "bolt_force", "gapping_margin")
"""With a preload."""
PLENTY = 10.0
"""Margin up to which a panel goes, or twice the least if that is more: what is beyond carries next to
nothing."""


def interface_figures(record: Record, units: str) -> Iterator[tuple[str, Figure]]:
    """Axial force, shear, bending and torsion of each interface, what they are of its allowables, and what
    they leave of its preload."""
    for name in names_with(record, "interfaces", "axial_force")[: plots.MOST_PANELS]:
        paths = [f"interfaces.{name}.{load}" for load in (*LOADS, *BOLTS)]
        paths = [path for path in paths if path in record.series]
        figure, caption = plots.panels(record, [("", path) for path in paths], units), ""
        for ax, path in zip(figure.axes, paths):
            if path.endswith("_margin"):
                caption = _cut(ax, timeline(record, path)[1])
        yield f"{name}: loads at the station{caption}", figure


def _cut(ax: Axes, margin: np.ndarray) -> str:
    """Leave out what is beyond plenty, mark zero, and give what a caption says of that."""
    least = float(np.nanmin(margin))
    if least < 0:
        ax.axhspan(least, 0.0, color=plots.BAD, alpha=0.12, linewidth=0)
    top = max(PLENTY, 2 * least)
    if np.nanmax(margin) <= top:
        return ""
    ax.set_ylim(min(least, 0.0) - 0.12 * top, top)
    return f"; margin against gapping up to {top:.3g}"
