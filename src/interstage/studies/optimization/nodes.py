"""Multiple shooting: the initial motions of legs are variables. Constraints require that these motions equal
the motion at the end of the previous leg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...sensitivities.nodes import SIZE, motion
from ...tree.errors import BadInput, Problem
from .declared import Constraint, Objective
from .flights import Flights
from .gaps import gaps, names
from .variables import Unknown

LEAST = 1e-3
"""Scale of a node variable relative to the magnitude of its position or velocity. The scale is used if no
variable changes this position or velocity.
"""


def refuse_idle(nodes: Sequence[str], flights: Flights) -> None:
    """Check that all legs in `nodes` are run. Raises BadInput."""
    why = "is not flown, because no requested quantity needs this leg. Remove the leg from 'nodes'"
    problems = [Problem("nodes", f"leg '{leg}' {why}") for leg in nodes if leg not in flights.legs]
    if problems:
        raise BadInput(problems)


def flown_over(whole: Flights, x: np.ndarray, nodes: Sequence[str]) -> np.ndarray:
    """Return the positions and velocities at the starts of the legs `nodes`, from one flight of the mission,
    (6 nodes,).

    whole: flights of the mission without free initial motions. x (variables,): values of the variables.
    """
    point = whole.at(x).point
    assert point is not None
    flights = [point.flights[leg] for leg in nodes]
    return np.concatenate([motion(one.first.x, one.program.layout.count) for one in flights])


def cut_flights(
    whole: Flights,
    found: Sequence[Unknown],
    asked: Sequence[Objective | Constraint],
    nodes: Sequence[str],
    states: np.ndarray,
) -> Flights:
    """Return flights of a mission in which the legs `nodes` have free initial motions. These motions are the
    last variables, and the gaps are the last outputs.

    - whole: flights of the mission without free initial motions.
    - found: variables of the study.
    - asked: objective terms and constraints.
    - states (6 nodes,): start values of the initial motions, positions and velocities.

    Positions and velocities are scaled by their changes when earlier variables and initial motions change by
    their scales.
    """
    free = [_unknown(name, unit.unit, float(x)) for name, unit, x in zip(names(nodes), gaps(nodes), states)]
    made = Flights(whole.scenario, [*found, *free], asked, dict(zip(nodes, states.reshape(-1, SIZE))))
    slopes = made.jacobian(made.at(made.start))[len(asked) :]
    scales = np.array([one.scale for one in found])
    for rows in np.split(np.arange(len(free)), 2 * len(nodes)):
        moved = np.linalg.norm(slopes[rows, : len(scales)] * scales, axis=0)
        size = np.max(moved, initial=0.0) or LEAST * np.linalg.norm(states[rows]) or 1.0
        # The velocity of a node is not scaled by its place.
        scales = np.concatenate([scales, np.full(len(rows), size)])
    made.unknowns = (
        *found, *(replace(one, scale=float(scale)) for one, scale in zip(free, scales[len(found) :])),
    )  # fmt: skip
    return made


def _unknown(name: str, unit: str, start: float) -> Unknown:
    return Unknown(name, (), (), (), unit, start, start, -np.inf, np.inf, 1.0, name)
