"""Baumgarte feedback, which closes the gaps of joints."""

from __future__ import annotations

from typing import Any

from ..maths.vectors import add_axes
from ..model.constraint_rows import Rows


def fed_back(rows: Rows, holonomic: Any, eta: Any) -> Any:
    """Return gamma of the rows with feedback at the gain eta [1/s], (row, *cases) [m/s^2, or 1/s^2 for
    rotations].

    All roots of the feedback are -eta: two for rows of positions (CU-CSSC-90-07, eq 20), one for rows of
    velocities (eq 21).
    holonomic (row,): 1 for rows of positions, 0 for rows of velocities."""
    roots = add_axes(1.0 + holonomic, rows.g.ndim)
    return rows.gamma + roots * eta * rows.gdot + eta * eta * rows.g
