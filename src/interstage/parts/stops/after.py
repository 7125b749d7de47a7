"""Warnings after a flight about hinge stops whose joint rotated through 180 deg.

Angles are measured from -180 to 180 deg. Beyond 180 deg, the stop therefore acts at its other end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each hinge stop whose joint rotated through 180 deg.

    Rotation of a released joint is ignored.
    """
    for stop, times, change in flown.changes("stops", _travels, lambda stop: stop.kind == "hinge_stop"):
        steps = np.flatnonzero(np.abs(change[:, 0]) > np.pi)
        if steps.size:
            flown.record.warnings.append(
                f"forces.{stop.name}: joint '{stop.joint}' rotated through 180 deg at"
                f" {times[steps[0]]:.6g} s. The angle is measured from -180 to 180 deg, so the stop then"
                " acted on the wrong side. Set both limits of the stop: lower and upper."
            )


def _travels(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
    """Rotation [rad] (1, *cases) of each hinge stop; NaN while its joint is free."""
    joints = mechanism.layout.joints
    part, travel = mechanism.parts["stops"], mechanism.here(t, x, discrete)["stops"].travel
    held = [discrete.mode[joints.index(stop.joint)] > 0 for stop in part.items]
    return [jnp.where(holds, travel[k : k + 1], jnp.nan) for k, holds in enumerate(held)]
