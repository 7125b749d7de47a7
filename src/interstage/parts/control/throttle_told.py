"""Which limits a throttle could not keep, when, and by how much."""

from __future__ import annotations

from typing import Any

import numpy as np

from .declared import ThrottleLimit
from .throttle import BEYOND

PASSED = 1e-5
"""Part of a limit by which it is passed: that of the body's own load beside the stack's is below it."""
LIMITS = (
    ("load_factor", "axial_load_factor", 1.0, ""),
    ("dynamic_pressure", "dynamic_pressure", 1e3, " kPa"),
)
"""Field of the law, quantity of its body, and the unit in which it is reported."""


def passed(scenario: Any, record: Any) -> list[str]:
    """One sentence for each limit that the least throttle has not kept, at samples."""
    laws = (law for law in scenario.controls if isinstance(law, ThrottleLimit))
    return [text for law in laws for text in _passed(law, record)]


def _passed(law: Any, record: Any) -> list[str]:
    series, said = record.series, []
    by = series.get(f"controls.{law.name}.limited")
    for field, quantity, unit, name in LIMITS if by is not None else ():
        limit, values = getattr(law, field), series.get(f"bodies.{law.body}.{quantity}")
        if limit is None or values is None:
            continue
        rows = np.flatnonzero((by == BEYOND) & (values > limit * (1 + PASSED)))
        if rows.size:
            begin, end = record.time[rows[0]], record.time[rows[-1]]
            said.append(
                f"Throttle '{law.name}' could not keep its {field} of {limit / unit:.6g}{name} between "
                f"{begin:.6g} s and {end:.6g} s: it came to {values[rows].max() / unit:.6g}{name} with the "
                "least throttle."
            )
    return said
