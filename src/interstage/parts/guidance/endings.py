"""Which guidance gave up, when, and why, and which came to a cut-off that is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .declared import PoweredGuidance
from .powered import CONVERGING
from .samplers import SAMPLERS

if TYPE_CHECKING:
    from ...flight.after import Flown
    from ...record.record import Record

CUT_OFF = 1e-6
"""Time to go [s] that is none: events are found to less."""


def failures(flown: Flown) -> Iterator[str]:
    """What to say of each law that gave up, or did not bring its body where it should."""
    for law in flown.scenario.guidance:
        if isinstance(law, PoweredGuidance):
            yield from _unpowered(flown.record, law)
        sampler = SAMPLERS.get(type(law))
        if sampler is None or not sampler.why:
            continue
        status = np.asarray(flown.track.discrete.own["guidance"][law.name].status)
        given_up = np.flatnonzero(status >= min(sampler.why))
        if given_up.size:
            row = given_up[0]
            why, when = sampler.why[int(status[row])], float(np.asarray(flown.track.t)[row])
            yield f"Guidance '{law.name}' gave up at {when:.6g} s, and {sampler.then}: {why}."


def _unpowered(record: Record, law: PoweredGuidance) -> Iterator[str]:
    """The cut-off of a law whose engines had gone out before, or whose passes had not converged."""
    path = f"guidance.{law.name}.time_to_go"
    ended = np.flatnonzero(np.abs(record.before.get(path, np.ones(0))) < CUT_OFF)
    if not ended.size or record.series[path][0] < CUT_OFF:  # or in a leg before
        return
    row, when = ended[0], record.events[ended[0]].time
    thrust = record.before.get(f"bodies.{law.body}.thrust_to_weight")
    said = f"Guidance '{law.name}' came to its cut-off at {when:.6g} s"
    if thrust is not None and not thrust[row] > 0:
        yield f"{said} with no engine burning: what it had still to gain is missing. Look for what ran empty."
    elif record.before[f"guidance.{law.name}.status"][row] == CONVERGING:
        yield f"{said} while its passes did not converge: it may be far from the orbit."
