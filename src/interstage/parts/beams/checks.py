"""Checks of beams: that there is what they are clamped in, and that the flight is one of rigid bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...tree.errors import Problem, unknown
from ...tree.names import GROUND, Names
from .declared import Beam

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with beams whose declarations are valid one by one."""
    for beam in scenario.forces:
        if not isinstance(beam, Beam):
            continue
        place = f"forces.{beam.name}"
        if beam.child is None:
            yield from unknown(f"{place}.parent", beam.parent, (*names.bodies, GROUND), "body")
        if scenario.coordinates != "rigid":
            text = f'moves by itself, which coordinates = "{scenario.coordinates}" has no room for'
            yield Problem(place, f'{text}; take coordinates = "rigid", or leave the beam out')
