"""Problems of entries that need an atmosphere."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from ..tree.errors import Problem
from .atmosphere import NoAtmosphere


def air(scenario: Any, group: str, items: Sequence[Any], faulty: Container[str] | None) -> Iterator[Problem]:
    """Problems of a scenario without planet or atmosphere for entries of a group. The first entry reports
    them, once. faulty: invalid fields of the scenario, which are reported elsewhere."""
    left_out = faulty or ()
    for first in items[:1]:
        place = f"{group}.{first.name}"
        if scenario.planet is None and "planet" not in left_out:
            text = (
                'the model needs a planet with an atmosphere. Add planet = { kind = "earth" }, or kind = '
                '"flat"'
            )
            yield Problem(place, text)
        if isinstance(scenario.atmosphere, NoAtmosphere) and "atmosphere" not in left_out:
            yield Problem(place, 'the model needs an atmosphere. Add atmosphere = { kind = "us76" }')
