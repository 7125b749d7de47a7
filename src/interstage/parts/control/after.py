"""Says in a record where the trim did not balance the moments, and which limits a throttle could not keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning for each limit that was passed, and each axis that was not balanced, into the record."""
    if flown.scenario.controls:
        from .throttle_told import passed

        flown.record.warnings += passed(flown.scenario, flown.record)
    if flown.scenario.balance is not None and len(flown.track.t):
        from .trim_told import unbalanced

        flown.record.warnings += unbalanced(flown)
