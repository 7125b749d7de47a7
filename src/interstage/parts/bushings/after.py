"""Tells of bushings and beams that have been turned through half a turn, where their torques jump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp
from .flown import Bushings

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning into the record for each that has been turned through while it acted."""
    part: Any = flown.layout.parts.get(Bushings.name)
    if part is None or not len(flown.track.t):
        return
    laws = part.of(flown.scenario)
    if not any(law.resists_turns for law in laws):
        return
    times, courses = flown.passed(_turns)
    for law, course in zip(laws, courses, strict=True):
        # The rotation vector changes its sign at half a turn. While it does not act there is no number.
        steps = np.flatnonzero(np.linalg.norm(np.diff(course, axis=0), axis=1) > np.pi)
        if steps.size and law.resists_turns:
            flown.record.warnings.append(
                f"forces.{law.name}: its frames were turned through half a turn against each other at"
                f" {times[steps[0] + 1]:.6g} s, where its torque jumps: from there on it turns them to the"
                " other side. A bushing or beam is one for less than that."
            )


def _turns(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
    """Rotation vectors [rad] (3, *lanes) of each, not a number while it does not act."""
    here, part = mechanism.here(t, x, discrete), mechanism.parts[Bushings.name]
    return [
        jnp.where(mechanism.layout.acting(law, discrete) > 0, found.turn, jnp.nan)
        for law, found in zip(part.items, here[Bushings.name].deflections, strict=True)
    ]
