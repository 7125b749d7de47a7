"""Output quantities of prescribed forces and torques."""

from __future__ import annotations

from typing import Any

from ...engine.quantity import Quantity, vector_quantity


def load_quantities(k: int, load: Any) -> dict[str, Quantity]:
    """Return the quantities of one prescribed load, by name.

    - k: index of the load (not used).
    - load: declaration of the force or torque in the scenario.
    """
    name, body, at = load.name, load.body, "centre of mass"
    return {
        "force": vector_quantity("N", f"force on {body}", "inertial", at, lambda m: m["given"][name][0]),
        "torque": vector_quantity(
            "N m", f"torque on {body}", f"{body} structural axes", at, lambda m: m["given"][name][1]
        ),
    }
