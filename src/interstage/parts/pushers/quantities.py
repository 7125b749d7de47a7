"""Output quantities of pushers, umbilicals and gas chambers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity, scalar_quantity
from .declared import GasChamber, KickoffSpring

if TYPE_CHECKING:
    from .flown import Pushes


Energies = Callable[[Here], Any]
"""Type of a function that returns the energies [J] of all springs, or of the gas of all chambers, (item,
*cases).
"""


def pusher_quantities(layout: Layout, of_springs: Energies, of_gas: Energies) -> Makers:
    """Return the output quantities of each pusher and each gas chamber.

    `of_springs`, `of_gas`: functions that return the energies of all springs and of the gas of all chambers.
    """
    shared = [(k, c) for k, c in enumerate(_part(layout).chambers) if isinstance(c, GasChamber)]
    return {
        f"devices.{p.name}": partial(_of_pusher, layout, k, of_springs, of_gas)
        for k, p in enumerate(_part(layout).items)
    } | {f"devices.{chamber.name}": partial(_of_chamber, k, of_gas) for k, chamber in shared}


def _of_pusher(layout: Layout, k: int, of_springs: Energies, of_gas: Energies) -> dict[str, Quantity]:
    device, gas = _part(layout).items[k], int(_part(layout).form.chamber[k])
    found = {
        "force": scalar_quantity(
            "N", f"force on {device.child} (positive: separation)", lambda m: pushers_of(m).force[k]
        ),
        "stroke": scalar_quantity("m", "stroke used", lambda m: pushers_of(m).travel[k]),
        "rate": scalar_quantity("m/s", "rate of travel", lambda m: pushers_of(m).line.rate[k]),
        "power": scalar_quantity("W", "power of the push on both bodies", lambda m: pushers_of(m).power[k]),
        "state": scalar_quantity("1", "state (1 pushing, 0 not)", lambda m: pushing(m)[k]),
    }
    if isinstance(device, KickoffSpring):
        found["energy"] = scalar_quantity("J", "energy stored", lambda m: of_springs(m)[k])
    if gas >= 0:
        found["pressure"] = scalar_quantity("Pa", "pressure", lambda m: pushers_of(m).gas.pressure[gas])
    if gas >= 0 and _part(layout).chambers[gas] is device:
        found |= _gas(gas, of_gas)
    return found


def _of_chamber(gas: int, of_gas: Energies) -> dict[str, Quantity]:
    """Quantities of a shared chamber."""
    pressure = scalar_quantity("Pa", "pressure", lambda m: pushers_of(m).gas.pressure[gas])
    return {"pressure": pressure} | _gas(gas, of_gas)


def _gas(gas: int, of_gas: Energies) -> dict[str, Quantity]:
    return {
        "volume": scalar_quantity("m^3", "volume of the gas", lambda m: pushers_of(m).gas.volume[gas]),
        "energy": scalar_quantity("J", "energy of the gas", lambda m: of_gas(m)[gas]),
    }


def pushers_of(m: Here) -> Pushes:
    """Return forces, travels and gas of all pushers at one time. The scenario must have pushers."""
    return m["pushers"]


def pushing(m: Here) -> Any:
    """Return 1 for each pusher that pushes now, otherwise 0 (pusher, *cases)."""
    return m.discrete.own["pushers"].pushing


def _part(layout: Layout) -> Any:
    return layout.parts["pushers"]
