"""Tells of springs whose angles have gone through half a turn, where their torques jump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp

if TYPE_CHECKING:
    from ...flight.after import Flown

JUMP = 0.9 * np.pi
"""Change of an angle [rad] from one step to the next that is none of the motion: of a whole turn, or of half
of one behind a lock."""


def add(flown: Flown) -> None:
    """Put a warning into the record for each spring that has been turned through."""
    for spring, times, change in flown.changes("torsion", _angles):
        jumps = (np.abs(change) > JUMP) & (np.asarray(spring.stiffness) > 0)
        steps = np.flatnonzero(jumps.any(axis=1))
        if steps.size:
            turn = int(np.flatnonzero(jumps[steps[0]])[0])
            flown.record.warnings.append(_told(spring, times[steps], turn))


def _angles(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
    """Of each spring [rad], not a number while it does not act."""
    part, found = mechanism.parts["torsion"], mechanism.here(t, x, discrete)["torsion"]
    acting = [mechanism.layout.acting(spring, discrete) > 0 for spring in part.items]
    return [
        jnp.where(acts, found[spring.name][1].angle, jnp.nan)
        for spring, acts in zip(part.items, acting, strict=True)
    ]


def _told(spring: Any, times: np.ndarray, turn: int) -> str:
    again = f", and {len(times) - 1} times more" if len(times) > 1 else ""
    return (
        f"forces.{spring.name}: its angle {turn + 1}, about axis {spring.sequence[2 * turn]}, went through"
        f" half a turn at {times[0]:.6g} s{again}; angles are told from -180 to 180 deg, so that its torque"
        " jumped, where a spring goes on being wound. Turn parent_frame about that axis, and free_angles by"
        " as much, so that the angle stays within; springs of more than a whole turn are not known here."
    )
