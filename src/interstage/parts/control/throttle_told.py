"""Warnings about exceeded limits of a throttle law, with time and amount."""

from __future__ import annotations

from typing import Any

import numpy as np

from .declared import ThrottleLimit
from .throttle import BEYOND

PASSED = 1e-5
"""The relative excess of a limit above which a warning is printed. The number exceeds the difference between
the load factors of body and stack.
"""
LIMITS = (
    ("load_factor", "axial_load_factor", 1.0, ""),
    ("dynamic_pressure", "dynamic_pressure", 1e3, " kPa"),
)
"""For each limit: field of the throttle law, quantity of its body, size of the printed unit in SI units, and
name of the printed unit.
"""


def passed_limits(scenario: Any, record: Any) -> list[str]:
    """Return a warning for each limit that a recorded sample exceeds while the throttle is at its minimum."""
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
