"""Figures of the convergence of an optimization."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.figure import COLOURS, Axis, Figure, Limit, Line, Panel
from .printed import objective_heading

if TYPE_CHECKING:
    from .result import Optimum

TALL = 190.0
"""Height of a panel [px]."""
LEAST = 1e-3
"""Smallest plotted ratio of a violation to its tolerance. The axis is logarithmic, so smaller ratios are
plotted at this ratio.
"""


def figures(optimum: Optimum, units: str) -> Iterator[Figure]:
    """Yield a figure with the objective and the largest constraint violation over the iterations. units:
    "SI" or "US".
    """
    if not optimum.history:
        return
    heading, factor = objective_heading(optimum, units)
    x = np.array([one.number for one in optimum.history], float)
    objective = np.array([one.objective for one in optimum.history]) * factor
    worst = np.array([one.worst for one in optimum.history])
    axis = Axis("iteration")
    panels = [Panel([Line(x, objective, dots=True)], x=axis, y=Axis(heading, room=0.05), height=TALL)]
    if optimum.constraints:
        line = Line(x, np.maximum(worst, LEAST), colour=COLOURS[1], dots=True)
        label = "violation / tolerance"
        y = Axis(label, log=True)
        panels.append(Panel([Limit(1.0), line], title="Worst constraint", x=axis, y=y, height=TALL))
    yield Figure(
        "Convergence history: objective and maximum constraint violation at each iteration",
        [panels],
        key="convergence",
    )
