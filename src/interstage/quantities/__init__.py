"""Outputs by name: one vocabulary for results, triggers, requirements, tables and plots.

A quantity is a path such as ``bodies.payload.velocity``; a component is ``.x`` ... and ``.magnitude``.
"""

from __future__ import annotations

from ..errors import near
from ..layout import Layout
from ..record import MAGNITUDE, QuantityMeta
from ..scenario import Scenario
from .bodies import body_quantities
from .joints import joint_quantities
from .loads import device_quantities, load_quantities, spring_quantities, torsion_quantities
from .pairs import pair_quantities
from .quantity import Moment, Quantity, scalar
from .system import system_quantities

__all__ = ["Moment", "Quantity", "catalogue", "lookup", "scalar", "unit_of"]


def catalogue(scenario: Scenario) -> dict[str, Quantity]:
    """All quantities of a scenario by path, in the order of its parts."""
    layout = Layout(scenario)
    groups: dict[str, dict[str, Quantity]] = {}
    for k, name in enumerate(layout.bodies):
        groups[f"bodies.{name}"] = body_quantities(k, name)
    for j, joint in enumerate(scenario.joints):
        groups[f"joints.{joint.name}"] = joint_quantities(j, joint, layout.modes[j], layout.capturing)
    for i, a in enumerate(layout.bodies):
        for k, b in enumerate(layout.bodies):
            if i != k:
                groups[f"pairs.{a}.{b}"] = pair_quantities(i, k, a, b)
    for k, spring in enumerate(layout.springs):
        groups[f"forces.{spring.name}"] = spring_quantities(k)
    for torsion in layout.torsions:
        groups[f"forces.{torsion.name}"] = torsion_quantities(torsion)
    for load in layout.loads:
        groups[f"forces.{load.name}"] = load_quantities(load)
    for k, device in enumerate(layout.kickoffs):
        groups[f"devices.{device.name}"] = device_quantities(k, device)
    groups["system"] = system_quantities()
    found = {"time": Quantity(QuantityMeta("s", "time"), lambda m: m.t)}
    return found | {f"{path}.{key}": q for path, group in groups.items() for key, q in group.items()}


def lookup(quantities: dict[str, Quantity], path: str) -> tuple[Quantity, int | str | None]:
    """The quantity behind a name and the component asked for. Raises KeyError with the near names."""
    if path in quantities:
        return quantities[path], None
    stem, _, last = path.rpartition(".")
    if stem in quantities and quantities[stem].meta.components:
        components = quantities[stem].meta.components
        if last in components:
            return quantities[stem], components.index(last)
        if last == MAGNITUDE:
            return quantities[stem], MAGNITUDE
        raise KeyError(f"'{stem}' has no component '{last}'; allowed: {', '.join((*components, MAGNITUDE))}")
    raise KeyError(f"there is no quantity '{path}'; {near(path, quantities)}")


def unit_of(scenario: Scenario, path: str) -> str:
    """SI unit of a scalar quantity. Raises KeyError with a sentence that says what is wrong."""
    quantity, component = lookup(catalogue(scenario), path)
    if component is None and quantity.meta.components:
        listed = ", ".join((*quantity.meta.components, MAGNITUDE))
        raise KeyError(f"'{path}' is a vector; name a component of it: {listed}")
    return quantity.meta.unit
