"""Check rotor blades: an atmosphere is declared, and the body of the swash plate exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...environment import needed
from ...tree.errors import Problem
from ...tree.name_check import unknown
from ...tree.names import GROUND, Names
from .declared import BladeElement

if TYPE_CHECKING:
    from ...record.record import Record
    from ...scenario import Scenario

STALLS = np.radians(15.0)
"""The approximate angle of attack at stall [rad]. Above this angle, the linear lift law overestimates the
lift.
"""


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of rotor blades: no atmosphere, or an unknown body of the swash plate.

    faulty: names of invalid declarations, by group.
    """
    blades = [one for one in scenario.forces if isinstance(one, BladeElement)]
    yield from needed.air(scenario, "forces", blades, faulty)
    known = (*names.bodies, GROUND)
    for blade in blades:
        if blade.swashplate is not None:
            yield from unknown(f"forces.{blade.name}.swashplate", blade.swashplate, known, "body")


def notes(record: Record) -> Iterator[str]:
    """Yield a warning for each blade whose angle of attack exceeded the stall angle during the flight."""
    for blade in (one for one in record.scenario.forces if isinstance(one, BladeElement)):
        alpha = record.series.get(f"forces.{blade.name}.alpha")
        if alpha is None or not (far := np.abs(alpha) > STALLS).any():
            continue
        k = int(np.argmax(np.abs(alpha)))
        most, when = np.degrees(alpha[k]), record.time[k]
        yield (
            f"{blade.name}: the angle of attack at three quarters of the span is {most:.3g} deg at "
            f"{when:.6g} s. The angle exceeds 15 deg in {far.sum()} of {far.size} samples. The model has "
            "no stall and overestimates the lift at these angles."
        )
