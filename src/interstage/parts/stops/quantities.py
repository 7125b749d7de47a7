"""Output quantities of stops of joints."""

from __future__ import annotations

from typing import Any

from ...engine.quantity import Quantity, scalar_quantity


def stop_quantities(k: int, stop: Any) -> dict[str, Quantity]:
    """Return the output quantities of the stop with index k."""
    load, unit = ("force", "N") if stop.kind == "stop" else ("torque", "N m")
    way, of = ("displacement", "m") if stop.kind == "stop" else ("rotation", "rad")
    energy = scalar_quantity("J", "energy stored", lambda m: m["stops"].energy[k])
    return {
        load: scalar_quantity(unit, f"{load} on the child of the joint", lambda m: m["stops"].push[k]),
        way: scalar_quantity(of, f"{way} of the joint", lambda m: m["stops"].travel[k]),
        "energy": energy,
    }
