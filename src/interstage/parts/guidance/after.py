"""After a flight, warn about guidance laws that failed, or whose cut-off missed the target orbit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each guidance law that failed or missed its target."""
    if flown.scenario.guidance:
        from .endings import failures

        flown.record.warnings += failures(flown)
