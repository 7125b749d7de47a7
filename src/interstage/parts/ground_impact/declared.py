"""Ground impacts need no declaration. Each body that moves over a planet can have an impact."""

from __future__ import annotations

from typing import Any

from ...model.ground import detects_impacts

KINDS: dict[str, tuple[type, ...]] = {}


def applies(scenario: Any) -> bool:
    """Return whether a run of the scenario detects ground impacts."""
    return detects_impacts(scenario, scenario.coordinates)
