"""Warnings after a flight about torsion springs whose angles passed 180 deg. The torque jumps there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp

if TYPE_CHECKING:
    from ...observation.after import Flown

JUMP = 0.9 * np.pi
"""Minimum change of an angle between two steps [rad] that counts as a jump of the angle and not as motion.

A jump is a full revolution, or half a revolution after a gimbal lock.
"""


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each torsion spring with an angle that passed 180 deg."""
    for spring, times, change in flown.changes("torsion", _angles):
        jumps = (np.abs(change) > JUMP) & (np.asarray(spring.stiffness) > 0)
        steps = np.flatnonzero(jumps.any(axis=1))
        if steps.size:
            turn = int(np.flatnonzero(jumps[steps[0]])[0])
            flown.record.warnings.append(_warning(spring, times[steps], turn))


def _angles(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
    """Angles of each spring [rad]; NaN while the spring does not act."""
    part, found = mechanism.parts["torsion"], mechanism.here(t, x, discrete)["torsion"]
    acting = [mechanism.layout.acting(spring, discrete) > 0 for spring in part.items]
    return [
        jnp.where(acts, found[spring.name][1].angle, jnp.nan)
        for spring, acts in zip(part.items, acting, strict=True)
    ]


def _warning(spring: Any, times: np.ndarray, turn: int) -> str:
    again = f", and {len(times) - 1} times more" if len(times) > 1 else ""
    return (
        f"forces.{spring.name}: angle {turn + 1} (about axis {spring.sequence[2 * turn]}) passed 180 deg"
        f" at {times[0]:.6g} s{again}. Angles are measured from -180 to 180 deg, so the torque jumped. Rotate"
        " 'parent_frame' about this axis, and change 'free_angles' by the same angle. Springs "
        "with more than one"
        " revolution are not supported."
    )
