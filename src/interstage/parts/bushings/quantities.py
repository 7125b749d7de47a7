"""Output quantities of bushings and beam springs."""

from __future__ import annotations

from typing import Any

from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity


def bushing_quantities(k: int, spring: Any) -> dict[str, Quantity]:
    """Return the quantities of one bushing or beam spring, by name.

    - k: index of the spring in the model.
    - spring: declaration of the spring in the scenario.
    """
    axes, at = f"{spring.parent}'s spring frame", f"{spring.child}'s point"

    def deflection(m: Here):
        return m["bushings"].deflections[k]

    def load(m: Here):
        return m["bushings"].loads[k]

    return {
        "force": vector_quantity("N", f"force on {spring.child}", axes, at, lambda m: load(m).force),
        "torque": vector_quantity("N m", f"torque on {spring.child}", axes, at, lambda m: load(m).torque),
        "displacement": vector_quantity(
            "m", "displacement of the child's point", axes, at, lambda m: deflection(m).displacement
        ),
        "rotation": vector_quantity(
            "rad", "rotation vector of the child's frame", axes, "", lambda m: deflection(m).turn
        ),
        "energy": scalar_quantity("J", "energy stored", lambda m: load(m).energy),
    }
