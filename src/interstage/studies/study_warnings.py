"""Warnings of a study: warnings about its scenario and about values without a unit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diagnosis.plausibility import remarks
from ..tree.errors import print_error
from ..tree.units import in_units


def of_scenario(scenario: Any, units: str | None = None) -> list[str]:
    """Return the warnings about a scenario that need no flight. `interstage check` prints the same warnings.

    units: "SI" or "US". Default: the units of the scenario.
    """
    return [in_units(text, units or scenario.units) for text in remarks(scenario)]


def print_warnings(scenario: Any, units: str | None, values: Iterable[str] = ()) -> None:
    """Print the warnings about a scenario and about the values of its study on standard error.

    - units: "SI" or "US". None: the units of the scenario.
    - values: texts of the warnings about the values of the study.
    """
    for text in dict.fromkeys([*of_scenario(scenario, units), *values]):
        print_error(f"Warning: {text}")
