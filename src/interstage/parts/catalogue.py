"""The parts that come with Interstage; each is imported where a scenario has something of its package."""

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
"""Their packages and classes, in the order in which their shares are summed."""


def every_part() -> Iterator[type]:
    """All parts, in their order."""
    return map(_part, PARTS)


def parts_of(scenario: Any) -> Iterator[type]:
    """The parts, in their order, of which a scenario may have something: those of packages of which it has a
    declaration, or that have none; or, without declarations, those that apply to it."""
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
    """What stands in a group of a scenario, or of its bodies."""
    if group == "elements":
        yield from (element for body in scenario.bodies for element in body.elements)
    else:
        yield from getattr(scenario, group)
