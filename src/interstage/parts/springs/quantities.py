"""Output quantities of springs along a line."""

from __future__ import annotations

from typing import Any

from ...engine.quantity import Quantity, scalar_quantity


def spring_quantities(k: int, spring: Any) -> dict[str, Quantity]:
    """Return the output quantities of the spring with index k."""
    return {
        "force": scalar_quantity("N", "force (positive: separation)", lambda m: m["springs"].tension[k]),
        "length": scalar_quantity("m", "length", lambda m: m["springs"].line.length[k]),
        "rate": scalar_quantity("m/s", "rate of change of the length", lambda m: m["springs"].line.rate[k]),
    }
