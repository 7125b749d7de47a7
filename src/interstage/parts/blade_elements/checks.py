"""Checks of blades: the air that they need, and what their azimuth counts from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...environment.atmosphere import NoAtmosphere
from ...tree.errors import Problem, unknown
from ...tree.names import GROUND, Names
from .declared import BladeElement

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with blades whose declarations are valid one by one."""
    blades = [one for one in scenario.forces if isinstance(one, BladeElement)]
    if not blades:
        return
    left_out = faulty or {}
    place = f"forces.{blades[0].name}"
    if scenario.planet is None and "planet" not in left_out:
        text = 'needs a planet, over which there is air; add planet = { kind = "flat" }, or "earth"'
        yield Problem(place, text)
    if isinstance(scenario.atmosphere, NoAtmosphere) and "atmosphere" not in left_out:
        yield Problem(place, 'needs air, and there is none; add atmosphere = { kind = "us76" }')
    if names.partial:
        return
    known = (*(body.name for body in scenario.bodies), GROUND)
    for blade in blades:
        if blade.swashplate is not None:
            yield from unknown(f"forces.{blade.name}.swashplate", blade.swashplate, known, "body")
