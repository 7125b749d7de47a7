"""Check that declarations that need an atmosphere have one."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from ..tree.errors import Problem
from .atmosphere import NoAtmosphere


def air(scenario: Any, group: str, items: Sequence[Any], faulty: Container[str] | None) -> Iterator[Problem]:
    """Yield the faults if a planet or an atmosphere is missing in the scenario but `items` of a group need
    it.

    The faults are reported once, for the first item. `faulty`: names of invalid fields of the scenario. These
    fields are not reported again.
    """
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
