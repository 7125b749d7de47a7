"""Rows of formulations that approach the truth with their step: the order seen when the step is halved."""

from __future__ import annotations

import math

from interstage.studies.verify import Row

SLACK = 0.2
"""How far the observed order may be off: terms of the next order, where they are below a tenth of the
error."""


def order_rows(
    formulation: str, coarse: dict[str, float], fine: dict[str, float], order: int = 2
) -> list[Row]:
    """For each quantity how far its observed order is from the published one. coarse, fine: its errors with
    a step and with half of it."""
    rows = []
    for name, error in coarse.items():
        found = math.log2(error / fine[name])
        note = f"observed {found:.2f}"
        rows.append(Row(f"{formulation}: {name}, order less {order}", abs(found - order), SLACK, note))
    return rows
