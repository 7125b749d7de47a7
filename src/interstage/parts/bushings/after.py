"""Warn about bushings and beam springs whose relative rotation exceeded 180 deg, where their torque jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each bushing or beam spring whose frames rotated through
    180 deg. Rotation during phases in which the spring is inactive does not count.
    """
    for law, times, change in flown.changes("bushings", _turns, lambda law: law.resists_turns):
        # The rotation vector changes its sign at half a revolution.
        steps = np.flatnonzero(np.linalg.norm(change, axis=1) > np.pi)
        if steps.size:
            flown.record.warnings.append(
                f"forces.{law.name}: the relative rotation of the two frames exceeded 180 deg at "
                f"{times[steps[0]]:.6g} s. The torque changes direction at this angle. Bushings and beam "
                "springs are valid below 180 deg only."
            )


def _turns(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
    """Rotation vectors [rad] (3, *cases) of each element; NaN while the element does not act."""
    here, part = mechanism.here(t, x, discrete), mechanism.parts["bushings"]
    return [
        jnp.where(mechanism.layout.acting(law, discrete) > 0, found.turn, jnp.nan)
        for law, found in zip(part.items, here["bushings"].deflections, strict=True)
    ]
