"""Check of requirements for ideal velocity and losses. These quantities are computed after the flight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .declared import SPEED, knows

if TYPE_CHECKING:
    from ...scenario import Scenario


def afterwards(scenario: Scenario, path: str, group: str) -> str | None:
    """Return the SI unit of an ideal velocity or loss that is computed after the flight.

    Returns None if `path` names another quantity or if `group` is not "requirements".
    """
    return SPEED if group == "requirements" and knows(scenario, path) else None
