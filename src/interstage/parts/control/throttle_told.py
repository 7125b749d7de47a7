"""Warnings about exceeded limits of a throttle, with time and amount."""

from __future__ import annotations

from typing import Any

import numpy as np

from .declared import ThrottleLimit
from .throttle import BEYOND

PASSED = 1e-5
"""Relative excess of a limit above which a warning is printed. The difference between the loads of body and
stack is smaller."""
LIMITS = (
    ("load_factor", "axial_load_factor", 1.0, ""),
    ("dynamic_pressure", "dynamic_pressure", 1e3, " kPa"),
)
"""Field of the law, quantity of its body, and output unit, for each limit."""


def passed_limits(scenario: Any, record: Any) -> list[str]:
    """Return one sentence for each limit that is exceeded at the minimum throttle, at samples."""
    laws = (law for law in scenario.controls if isinstance(law, ThrottleLimit))
    return [text for law in laws for text in _warning(law, record)]


def _warning(law: Any, record: Any) -> list[str]:
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
                f"Throttle '{law.name}': the {field} exceeded its limit of {limit / unit:.6g}{name} between "
                f"{begin:.6g} s and {end:.6g} s, although the throttle was at its minimum. The largest value "
                f"was {values[rows].max() / unit:.6g}{name}."
            )
    return said
