"""Says in a record which guidance gave up, when, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .samplers import SAMPLERS

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning for each law that gave up into the record."""
    for law in flown.scenario.guidance:
        sampler = SAMPLERS.get(type(law))
        if sampler is None or not sampler.why:
            continue
        status = np.asarray(flown.track.discrete.own["guidance"][law.name].status)
        given_up = np.flatnonzero(status >= min(sampler.why))
        if given_up.size:
            row = given_up[0]
            why, when = sampler.why[int(status[row])], float(np.asarray(flown.track.t)[row])
            flown.record.warnings.append(
                f"Guidance '{law.name}' gave up at {when:.6g} s, and {sampler.then}: {why}."
            )
