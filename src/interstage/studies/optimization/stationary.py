"""Check stationary points: compute the gradient around a point, and check whether the point is a minimum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .multipliers import Multipliers
from .solvers.contract import NonlinearProgram, Stuck

OPTIMAL = 1e-4
"""Largest fraction of the gradient that active limits may leave unbalanced at an optimum. The fraction is the
square root of the usual tolerance of the objective, 1e-8.
"""
FLAT = 1e-9
"""An objective counts as flat if its relative change over the scale of a variable is below this number. The
change equals the relative error of flights.
"""
AWAY = (0.1, 0.01, 0.001)
"""Distances, in scales of the variables, at which the gradient around a point is computed. The first
distance at which a flight succeeds is used. Over a tenth of a scale, the gradient changes much more than its
relative error of 1e-9, and the change is still close to linear.
"""


class Around(NamedTuple):
    """Gradient around a point.

    - slope: largest change of a gradient entry, extrapolated linearly to a distance of one scale.
    - bend: second derivative of the objective along the step, negative at a maximum.
    - x: scaled point at which the flight was run (variables,).
    """

    slope: float
    bend: float
    x: np.ndarray


def around(program: NonlinearProgram, x: np.ndarray) -> Around | None:
    """Return the change of the gradient around a scaled point x (variables,). The step is towards the
    farther bound of each variable.

    The result is None if no flight around the point succeeds.
    """
    way = np.where(program.high - x >= x - program.low, 1.0, -1.0)
    here = program.gradient(x)
    for distance in AWAY:
        there = np.clip(x + distance * way, program.low, program.high)
        try:
            change = program.gradient(there) - here
        except Stuck:
            continue
        far = float(np.max(np.abs(there - x), initial=0.0))
        if far > 0:
            return Around(float(np.max(np.abs(change)) / far), float(change @ (there - x)) / far**2, there)
    return None


def residual_at(program: NonlinearProgram, prices: Multipliers, x: np.ndarray) -> float:
    """Return the relative part of the gradient that the multipliers do not balance at a scaled point x
    (variables,).

    If the gradient nearly vanishes, the result is relative to the gradient at a distance of one scale. The
    result is infinite at a maximum.
    """
    residual = prices.residual(FLAT / OPTIMAL * abs(program.objective(x)))
    if residual <= OPTIMAL or (near := around(program, x)) is None:
        return residual
    residual = prices.residual(near.slope)
    return np.inf if residual <= OPTIMAL and near.bend < 0 and not prices.rows.any() else residual
