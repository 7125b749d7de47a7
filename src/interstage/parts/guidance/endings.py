"""Warnings about guidance laws that failed, or whose cut-off missed the target orbit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .declared import PoweredGuidance
from .powered import CONVERGING
from .samplers import SAMPLERS

if TYPE_CHECKING:
    from ...observation.after import Flown
    from ...record.record import Record

CUT_OFF = 1e-6
"""The cut-off counts as reached if the time to go [s] is below this number. Events are located more
exactly.
"""


def failures(flown: Flown) -> Iterator[str]:
    """Yield a warning for each guidance law that failed or missed its target."""
    for law in flown.scenario.guidance:
        if isinstance(law, PoweredGuidance):
            yield from _cut_off_warning(flown.record, law)
        sampler = SAMPLERS.get(type(law))
        if sampler is None or not sampler.why:
            continue
        status = np.asarray(flown.track.discrete.own["guidance"][law.name].status)
        given_up = np.flatnonzero(status >= min(sampler.why))
        if given_up.size:
            row = given_up[0]
            why, when = sampler.why[int(status[row])], float(np.asarray(flown.track.t)[row])
            yield f"Guidance '{law.name}' failed at {when:.6g} s: {why}. The law then {sampler.then}."


def _cut_off_warning(record: Record, law: PoweredGuidance) -> Iterator[str]:
    """Warning about a cut-off after burnout, or a cut-off without convergence."""
    path = f"guidance.{law.name}.time_to_go"
    ended = np.flatnonzero(np.abs(record.before.get(path, np.ones(0))) < CUT_OFF)
    if not ended.size or record.series[path][0] < CUT_OFF:  # or in an earlier leg
        return
    row, when = ended[0], record.events[ended[0]].time
    thrust = record.before.get(f"bodies.{law.body}.thrust_to_weight")
    text = f"Guidance '{law.name}' reached its cut-off at {when:.6g} s"
    if thrust is not None and not thrust[row] > 0:
        yield (
            f"{text}, but no engine was burning, and the velocity to be gained was not reached. Check whether"
            " a tank ran empty."
        )
    elif record.before[f"guidance.{law.name}.status"][row] == CONVERGING:
        yield f"{text}, but had not converged. The cut-off may be far from the target orbit."
