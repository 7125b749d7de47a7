"""What is reported of things that need air where there is none."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from ..tree.errors import Problem
from .atmosphere import NoAtmosphere


def air(scenario: Any, group: str, items: Sequence[Any], faulty: Container[str] | None) -> Iterator[Problem]:
    """What a scenario lacks for some entries of a group that need air, told once, of the first. faulty:
    fields of the scenario that had to be left out, and are reported elsewhere."""
    left_out = faulty or ()
    for first in items[:1]:
        place = f"{group}.{first.name}"
        if scenario.planet is None and "planet" not in left_out:
            text = 'needs a planet, over which there is air; add planet = { kind = "earth" }, or "flat"'
            yield Problem(place, text)
        if isinstance(scenario.atmosphere, NoAtmosphere) and "atmosphere" not in left_out:
            yield Problem(place, 'needs air, and there is none; add atmosphere = { kind = "us76" }')
