"""Says in a record which guidance gave up, when, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import powered
from .declared import PoweredGuidance

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning for each law that gave up into the record."""
    for law in flown.scenario.guidance:
        if not isinstance(law, PoweredGuidance):
            continue
        status = np.asarray(flown.track.discrete.own["guidance"][law.name].status)
        given_up = np.flatnonzero(status >= powered.DIVERGED)
        if given_up.size:
            row = given_up[0]
            why, when = powered.WHY[int(status[row])], float(np.asarray(flown.track.t)[row])
            flown.record.warnings.append(
                f"Guidance '{law.name}' gave up at {when:.6g} s, and kept its last steering: {why}."
            )
