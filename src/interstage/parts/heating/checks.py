"""Check heating: the bodies exist, and an atmosphere is declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...environment import needed
from ...tree.errors import Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from .declared import knows, unit_of

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of heated points: an unknown body, or no atmosphere.

    - names: all names in the scenario, by group.
    - faulty: names of invalid declarations, by group.
    """
    for nose in scenario.heating:
        yield from unknown(f"heating.{nose.name}.body", nose.body, names.bodies, "body")
    yield from needed.air(scenario, "heating", scenario.heating, faulty)


def afterwards(scenario: Scenario, path: str, group: str) -> str | None:
    """Return the SI unit of a heat load that is computed after the flight. Return None for all other
    quantities.

    - path: path of the quantity, for example "bodies.stage.speed".
    - group: group of the scenario whose entry names the quantity, for example "requirements".
    """
    return unit_of(scenario, path) if group == "requirements" and knows(scenario, path) else None
