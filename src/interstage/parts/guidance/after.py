"""Says in a record which guidance gave up, or came to a cut-off that is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning into the record for each law that did not bring its body where it should."""
    if flown.scenario.guidance:
        from .endings import failures

        flown.record.warnings += failures(flown)
