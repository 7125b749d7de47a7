"""Impacts have no declarations: each body that moves over a planet can have an impact."""

from __future__ import annotations

from typing import Any

from ...model.ground import IgnoreGround
from ...record.impacts import KIND as KIND

KINDS: dict[str, tuple[type, ...]] = {}


def applies(scenario: Any) -> bool:
    """Whether the run detects impacts."""
    ignored = scenario.planet is None or isinstance(scenario.ground, IgnoreGround)
    return not ignored and scenario.coordinates != "held"
