"""Output quantities of rotor blades."""

from __future__ import annotations

from typing import Any

from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity


def blade_quantities(k: int, blade: Any) -> dict[str, Quantity]:
    """Return the quantities of one blade, by name.

    - k: index of the blade (not used).
    - blade: declaration of the blade in the scenario.
    """
    name, body, at = blade.name, blade.body, "centre of mass"

    def load(m: Here):
        return m["blade_elements"][name]

    section = "at three quarters of the span"
    return {
        "force": vector_quantity(
            "N", f"aerodynamic force on {body}", "inertial", at, lambda m: load(m).force
        ),
        "torque": vector_quantity(
            "N m", f"aerodynamic torque on {body}", f"{body} structural axes", at, lambda m: load(m).torque
        ),
        "lift": scalar_quantity("N", f"aerodynamic force on {body} along up", lambda m: load(m).lift),
        "power": scalar_quantity("W", f"power of {body} lost to the atmosphere", lambda m: load(m).power),
        "alpha": scalar_quantity("rad", f"angle of attack {section}", lambda m: load(m).alpha),
        "pitch": scalar_quantity("rad", f"pitch {section}", lambda m: load(m).pitch),
    }
