"""After a flight, warn about flexible bodies whose deflection or angular velocity exceeded the limits of
linear modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import limits
from .flown import ModalBodies

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for the largest excess of each limit, with its time."""
    part: Any = flown.layout.parts.get(ModalBodies.name)
    if part is None or not len(flown.track.t):
        return
    times, (own, spin, left) = flown.along_track(_motion)
    first = np.cumsum((0, *part.counts))
    for k, item in enumerate(part.of(flown.scenario)):
        q = np.asarray(own)[:, first[k] : first[k + 1]]
        turning = np.asarray(spin)[:, :, flown.layout.body(item.body)]
        held = np.asarray(left[k]) if k in left else None
        said = limits.excesses(item, q, np.linalg.norm(turning, axis=1), held)
        flown.record.warnings += [
            f"forces.{item.name}: {text} at {times[n]:.6g} s. {why}" for n, text, why in said
        ]


def _motion(mechanism: Any, t: Any, x: Any, discrete: Any) -> tuple[Any, Any, dict[int, Any]]:
    """Return the coordinates and rates of all modes, spins of the bodies [rad/s] (3, body, *cases), and
    propellant left in draining bodies [kg] (*cases)."""
    part = mechanism.parts[ModalBodies.name]
    left = {k: part.propellant_left(mechanism, x, k) for k in part.draining}
    return mechanism.own(ModalBodies.name, x), mechanism.split(x)[3], left
