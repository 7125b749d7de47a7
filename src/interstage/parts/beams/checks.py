"""Checks of beams: that there is what they are clamped in, and that the flight is one of rigid bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.errors import Problem, unknown
from ...tree.names import GROUND, Names
from .declared import Beam
from .segments import fastest

if TYPE_CHECKING:
    from ...scenario import Scenario

STABLE, DAMPED = 2.8, 2.7
"""Step times angular frequency, and times decay, up to which Runge and Kutta's method is stable: 2.828 and
2.785."""


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with beams whose declarations are valid one by one."""
    for beam in scenario.forces:
        if not isinstance(beam, Beam):
            continue
        place = f"forces.{beam.name}"
        if beam.child is None:
            yield from unknown(f"{place}.parent", beam.parent, (*names.bodies, GROUND), "body")
        if scenario.coordinates != "rigid":
            text = f'moves by itself, which coordinates = "{scenario.coordinates}" has no room for'
            yield Problem(place, f'{text}; take coordinates = "rigid", or leave the beam out')


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Fixed steps that are too long for what the segments of a beam do among themselves: it may grow without
    bound, and a beam that turns by any amount goes on with what comes out."""
    solver = scenario.solver
    if solver.method != "rk4" or solver.own_steps or solver.step is None:
        return
    for beam in (one for one in scenario.forces if isinstance(one, Beam)):
        rate = fastest(beam)
        most = min(STABLE / rate, DAMPED / (rate**2 * float(beam.damping)) if beam.damping else np.inf)
        if float(solver.step) > most:
            yield (
                f"{beam.name}: steps of {float(solver.step):.3g} s may be too long for its {beam.elements}"
                f" segments, whose fastest motion rk4 follows with {most:.2g} s or less; shorten solver.step"
                " to that, or take fewer elements."
            )
