"""Quantities of devices that push or hold along a line, and of the gas that drives them."""

from __future__ import annotations

from typing import Any

from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity, scalar_quantity
from . import flown as pushes
from .declared import GasChamber, KickoffSpring
from .flown import gas_energies, spring_energies


def pusher_quantities(layout: Layout, k: int) -> dict[str, Quantity]:
    """Quantities of pusher k."""
    device, gas = layout.pushers[k], int(layout.pusher_form.chamber[k])
    found = {
        "force": scalar_quantity(
            "N", f"force on {device.child} (positive pushes apart)", lambda m: pushed(m).force[k]
        ),
        "stroke": scalar_quantity("m", "stroke used", lambda m: pushed(m).travel[k]),
        "rate": scalar_quantity("m/s", "rate of travel", lambda m: pushed(m).line.rate[k]),
        "power": scalar_quantity("W", "power on the bodies", lambda m: pushed(m).power[k]),
        "state": scalar_quantity("1", "state (1 pushing, 0 not)", lambda m: m.discrete.pushing[k]),
    }
    if isinstance(device, KickoffSpring):
        found["energy"] = scalar_quantity("J", "energy stored", lambda m: spring_energies(m)[k])
    if gas >= 0:
        found["pressure"] = scalar_quantity("Pa", "pressure", lambda m: pushed(m).gas.pressure[gas])
    if gas >= 0 and layout.chambers[gas] is device:
        found |= _gas(gas)
    return found


def chamber_quantities(gas: int) -> dict[str, Quantity]:
    """Quantities of a chamber that pistons share."""
    pressure = scalar_quantity("Pa", "pressure", lambda m: pushed(m).gas.pressure[gas])
    return {"pressure": pressure} | _gas(gas)


def _gas(gas: int) -> dict[str, Quantity]:
    return {
        "volume": scalar_quantity("m^3", "volume of the gas", lambda m: pushed(m).gas.volume[gas]),
        "energy": scalar_quantity("J", "energy of the gas", lambda m: gas_energies(m)[gas]),
    }


def device_quantities(layout: Layout) -> dict[str, Any]:
    """What makes the quantities of each pusher and each chamber, by the name of the device."""
    found = {p.name: (lambda k=k: pusher_quantities(layout, k)) for k, p in enumerate(layout.pushers)}
    driven = bool(layout.pushers)
    return found | {
        chamber.name: (lambda k=k: chamber_quantities(k))
        for k, chamber in enumerate(layout.chambers)
        if isinstance(chamber, GasChamber) and driven
    }


def pushed(m: Here) -> pushes.Pushes:
    """The pushers, of which there are some."""
    return m["pushers"]
