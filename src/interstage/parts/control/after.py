"""After a flight, warn about unbalanced moments of the trim, and about exceeded limits of a throttle law."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each exceeded throttle limit and each unbalanced axis."""
    if flown.scenario.controls:
        from .throttle_told import passed_limits

        flown.record.warnings += passed_limits(flown.scenario, flown.record)
    if flown.scenario.balance is not None and len(flown.track.t):
        from .trim_told import unbalanced_axes

        flown.record.warnings += unbalanced_axes(flown)
