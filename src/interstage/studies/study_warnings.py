"""Warnings of a study about its scenario, and about values of the study without a unit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diagnosis.plausibility import remarks
from ..tree.errors import print_error
from ..tree.units import in_units


def of_scenario(scenario: Any, units: str | None = None) -> list[str]:
    """Return the warnings of a scenario that need no flight, as `interstage check` prints them.

    units: "SI" or "US". Default: the units of the scenario."""
    return [in_units(text, units or scenario.units) for text in remarks(scenario)]


def print_warnings(scenario: Any, units: str | None, values: Iterable[str] = ()) -> None:
    """Print the warnings of a scenario, and others about values of the study, on the standard error."""
    for text in dict.fromkeys([*of_scenario(scenario, units), *values]):
        print_error(f"Warning: {text}")
