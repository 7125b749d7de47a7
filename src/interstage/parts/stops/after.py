"""Tells of stops of hinges that have turned through half a turn, where they take one end for the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp
from .flown import StopsOfJoints

if TYPE_CHECKING:
    from ...flight.after import Flown


def add(flown: Flown) -> None:
    """Put a warning into the record for each whose hinge has turned through while it held."""
    part: Any = flown.layout.parts.get(StopsOfJoints.name)
    if part is None or not len(flown.track.t) or all(stop.kind == "stop" for stop in part.items):
        return
    times, courses = flown.passed(_travels)
    for stop, course in zip(part.items, courses.T, strict=True):
        steps = np.flatnonzero(np.abs(np.diff(course)) > np.pi)
        if steps.size and stop.kind == "hinge_stop":
            flown.record.warnings.append(
                f"forces.{stop.name}: joint '{stop.joint}' turned through half a turn at"
                f" {times[steps[0] + 1]:.6g} s; its rotation is told from -180 to 180 deg, so that the stop"
                " took it to be at its other end. Give the stop an end on that side, too."
            )


def _travels(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
    """Travels (stop, *lanes), not a number while their joints are free."""
    joints = mechanism.layout.joints
    part, travel = mechanism.parts[StopsOfJoints.name], mechanism.here(t, x, discrete)["stops"].travel
    held = jnp.stack([discrete.mode[joints.index(stop.joint)] > 0 for stop in part.items])
    return jnp.where(held, travel, jnp.nan)
