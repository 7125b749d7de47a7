"""Baumgarte's feedback: joints that have come apart are drawn together again."""

from __future__ import annotations

from typing import Any

from ..maths.vectors import add_axes
from ..model.constraint_rows import Rows


def fed_back(rows: Rows, holonomic: Any, eta: Any) -> Any:
    """gamma of the rows [m/s^2, of rotations 1/s^2] (row, *cases) with the feedback at the gain eta [1/s].
    Its roots are all -eta: two for rows of positions (CU-CSSC-90-07, eq 20), one for rows of velocities (eq
    21).

    `holonomic` (row,): 1 for rows of positions, 0 for rows of velocities."""
    roots = add_axes(1.0 + holonomic, rows.g.ndim)
    return rows.gamma + roots * eta * rows.gdot + eta * eta * rows.g
