"""Baumgarte stabilization: feedback that reduces the violation of constraint rows."""

from __future__ import annotations

from typing import Any

from ..maths.vectors import add_axes
from ..model.constraint_rows import Rows


def fed_back(rows: Rows, holonomic: Any, eta: Any) -> Any:
    """Return gamma' of the rows (row, *cases) [m/s^2, or 1/s^2 for rotations]: gamma with Baumgarte feedback
    at the gain eta [1/s].

    For position-level rows, gamma' = gamma + 2 eta gdot + eta^2 g (CU-CSSC-90-07, eq 20), with two roots
    -eta. For velocity-level rows, gamma' = gamma + eta gdot (eq 21), with one root -eta.

    holonomic (row,): 1 for position-level rows, 0 for velocity-level rows.
    """
    roots = add_axes(1.0 + holonomic, rows.g.ndim)
    return rows.gamma + roots * eta * rows.gdot + eta * eta * rows.g
