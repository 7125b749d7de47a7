"""Warnings in a record about guidance laws that gave up, or whose cut-off missed the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record for each law that did not reach its target."""
    if flown.scenario.guidance:
        from .endings import failures

        flown.record.warnings += failures(flown)
