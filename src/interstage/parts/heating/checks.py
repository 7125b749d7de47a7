"""Checks of heating: bodies that exist, in air over a planet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...environment.atmosphere import NoAtmosphere
from ...tree.errors import Problem, unknown
from ...tree.names import Names
from .declared import knows, unit_of

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with noses whose declarations are valid one by one."""
    left_out = faulty or {}
    for nose in scenario.heating:
        yield from unknown(f"heating.{nose.name}.body", nose.body, names.bodies, "body")
    for nose in scenario.heating[:1]:
        place = f"heating.{nose.name}"
        if scenario.planet is None and "planet" not in left_out:
            text = 'needs a planet, over which there is air; add planet = { kind = "earth" }, or "flat"'
            yield Problem(place, text)
        if isinstance(scenario.atmosphere, NoAtmosphere) and "atmosphere" not in left_out:
            yield Problem(place, 'needs air, and there is none; add atmosphere = { kind = "us76" }')


def afterwards(scenario: Scenario, path: str, group: str) -> str | None:
    """SI unit of a heat load that is known after the flight; none of other quantities."""
    return unit_of(scenario, path) if group == "requirements" and knows(scenario, path) else None
