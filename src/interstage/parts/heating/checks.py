"""Checks of heating: the bodies, an atmosphere and a planet exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...environment import needed
from ...tree.errors import Problem, unknown
from ...tree.names import Names
from .declared import knows, unit_of

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the faults of heated points in combination with the rest of the scenario."""
    for nose in scenario.heating:
        yield from unknown(f"heating.{nose.name}.body", nose.body, names.bodies, "body")
    yield from needed.air(scenario, "heating", scenario.heating, faulty)


def afterwards(scenario: Scenario, path: str, group: str) -> str | None:
    """Return the SI unit of a heat load that is computed after the flight; None for other quantities."""
    return unit_of(scenario, path) if group == "requirements" and knows(scenario, path) else None
