"""Output quantities of torsion springs."""

from __future__ import annotations

from typing import Any

from ...engine.quantity import Quantity, vector_quantity
from ...record.record import QuantityMeta


def torsion_quantities(k: int, spring: Any) -> dict[str, Quantity]:
    """Return the output quantities of the torsion spring with index k."""
    name, turns = spring.name, len(spring.sequence.split("-"))
    angles = QuantityMeta("rad", "angles of the sequence", "", tuple(str(n) for n in range(1, 1 + turns)))
    return {
        "torque": vector_quantity(
            "N m", f"torque on {spring.child}", "inertial", "", lambda m: m["torsion"][name][0]
        ),
        "angle": Quantity(angles, lambda m: m["torsion"][name][1].angle),
    }
