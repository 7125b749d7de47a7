"""Output quantities of parachutes and streamers."""

from __future__ import annotations

from typing import Any

from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from ...maths.vectors import norm


def drag_quantities(k: int, device: Any) -> dict[str, Quantity]:
    """Return the quantities of one drag device, by name.

    - k: index of the device in the model.
    - device: declaration of the device in the scenario.
    """
    body, at = device.body, "attachment point"

    def pull(m: Here):
        return m["drag"][k]

    return {
        "force": vector_quantity("N", f"force on {body}", "inertial", at, lambda m: pull(m).force),
        "torque": vector_quantity(
            "N m", f"torque on {body}", f"{body} structural axes", "centre of mass", lambda m: pull(m).torque
        ),
        "tension": scalar_quantity("N", "tension in the line", lambda m: norm(pull(m).force), at),
        "drag_area": scalar_quantity("m^2", "drag area", lambda m: pull(m).area),
        "airspeed": scalar_quantity("m/s", "airspeed", lambda m: pull(m).airspeed, at),
        "state": scalar_quantity("1", "state (1 deployed, 0 not)", lambda m: _out(pull(m).area)),
    }


def _out(area):
    return jnp.where(area > 0, 1.0, 0.0)
