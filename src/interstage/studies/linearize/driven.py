"""Driven joints: joints that move bodies although the free coordinates are at rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...linear.system import System
from ...maths.arrays import jnp
from ...maths.vectors import norm
from ...model.drive import drive, rates
from .result import STILL


def driving(system: System, mission: Any, reference: Any, t: float, mode: Any) -> tuple[str, ...]:
    """Return the names of the joints that are in driven motion at a time `t` [s].

    - mission: the scenario with all its legs.
    - reference: reference state of the start of the flight.
    - mode (joint,): active mode of each joint; 0 for a released joint.
    """
    layout = system.layout
    if not (layout.driven or layout.prescribes_motion):
        return ()

    def speeds(mechanism: Any, t: Any) -> list[Any]:
        found, numbers = [], mechanism.numbers
        if layout.driven:
            driven = drive(numbers.drives, t)
            found += [driven.shift_rate, driven.turn_rate]
        if layout.prescribes_motion:
            given = rates(numbers.rates, t)
            found += [given.speed, given.spin]
        return [jnp.stack([norm(one) for one in found])]

    (found,) = system.program.of_samples(speeds)(system.flying.of(mission), reference, np.array([t]))
    fastest = np.max(np.asarray(found)[..., 0], 0)
    held = np.asarray(mode) != 0
    return tuple(name for name, own, holds in zip(layout.joints, fastest, held) if holds and own > STILL)
