"""List of the models of Interstage. The module of a model is imported only if a scenario needs the model."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

PARTS = (
    *("guidance.Guidance", "control.Control", "propellant.Streams", "propellant.Slosh", "air.Air"),
    *("given.Given", "springs.Springs", "pushers.Pushers", "torsion.TorsionSprings", "bushings.Bushings"),
    *("stops.StopsOfJoints", "drag.Drag", "contacts.Contacts", "users.Users", "beams.Beams"),
    *("modal.ModalBodies", "blade_elements.BladeElements", "releases.Releases", "catches.Catches"),
    *("sensors.Sensors", "interfaces.Interfaces", "performance.Performance", "heating.Heating"),
    "ground_impact.GroundImpacts",
)
"""The package and class of each model, in the order in which the loads of the models are summed."""


def every_part() -> Iterator[type]:
    """Return the classes of all models, in the order of `PARTS`."""
    return map(_part, PARTS)


def parts_of(scenario: Any) -> Iterator[type]:
    """Return the classes of the models that a scenario can need, in the order of `PARTS`.

    If the package of a model has kinds of declarations, the scenario needs the model only if it contains one
    of these kinds. If the package has no kinds, its function `applies` decides, or the model is always
    returned.
    """
    return (_part(path) for path in PARTS if _applies(path.partition(".")[0], scenario))


def _part(path: str) -> type:
    package, _, name = path.partition(".")
    return getattr(import_module(f".{package}.flown", __package__), name)


def _applies(package: str, scenario: Any) -> bool:
    module = import_module(f".{package}.declared", __package__)
    if hasattr(module, "applies"):
        return module.applies(scenario)
    kinds = module.KINDS
    return not kinds or any(
        isinstance(one, classes) for group, classes in kinds.items() for one in _entries(scenario, group)
    )


def _entries(scenario: Any, group: str) -> Iterator[Any]:
    """Declarations in a group of a scenario, or of its bodies."""
    if group == "elements":
        yield from (element for body in scenario.bodies for element in body.elements)
    else:
        yield from getattr(scenario, group)
