"""Impacts have no declarations of their own: every body that moves over a planet may have one."""

from __future__ import annotations

from typing import Any

from ...model.ground import IgnoreGround

KINDS: dict[str, tuple[type, ...]] = {}
WORD = "impact"
"""Kind of the events, and the word after the name of the body in their names."""


def detected(scenario: Any) -> bool:
    """Whether the flight watches for impacts."""
    ignored = scenario.planet is None or isinstance(scenario.ground, IgnoreGround)
    return not ignored and scenario.coordinates != "held"
