"""Tells of bushings and beams that have been turned through half a turn, where their torques jump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning into the record for each that has been turned through while it acted."""
    for law, times, change in flown.changes("bushings", _turns, lambda law: law.resists_turns):
        # The rotation vector changes its sign at half a turn.
        steps = np.flatnonzero(np.linalg.norm(change, axis=1) > np.pi)
        if steps.size:
            flown.record.warnings.append(
                f"forces.{law.name}: its frames were turned through half a turn against each other at"
                f" {times[steps[0]]:.6g} s, where its torque jumps: from there on it turns them to the"
                " other side. A bushing or beam is one for less than that."
            )


def _turns(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
    """Rotation vectors [rad] (3, *cases) of each, not a number while it does not act."""
    here, part = mechanism.here(t, x, discrete), mechanism.parts["bushings"]
    return [
        jnp.where(mechanism.layout.acting(law, discrete) > 0, found.turn, jnp.nan)
        for law, found in zip(part.items, here["bushings"].deflections, strict=True)
    ]
