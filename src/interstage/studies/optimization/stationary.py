"""Points at which the gradient of the objective vanishes: how large it is around them, and whether they are
minima."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .multipliers import Multipliers
from .solvers.contract import NonlinearProgram, Stuck

OPTIMAL = 1e-4
"""What part of the gradient active limits may leave unexplained at an optimum: half the digits of what a
tolerance of 1e-8 leaves of the objective."""
FLAT = 1e-9
"""An objective is flat, or stationary, where it changes by less of itself over a scale: the tolerance of
flights."""
AWAY = (0.1, 0.01, 0.001)
"""Distances, in scales of the variables, at which the gradient around a point is taken; the first at which a
flight succeeds. Over a tenth of a scale the gradient changes by far more than its error of 1e-9, and is
still close to linear."""


class Around(NamedTuple):
    """slope: largest entry of the gradient one scale away, by its change over the distance flown. bend:
    second derivative of the objective along the way, negative at a maximum. x: the point flown to, scaled."""

    slope: float
    bend: float
    x: np.ndarray


def around(program: NonlinearProgram, x: np.ndarray) -> Around | None:
    """The gradient around a point, towards the farther bound of each variable; None where no flight
    succeeds there."""
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
    """The part of the gradient that multipliers leave at a point; if the gradient itself nearly vanishes, of
    that one scale away. Infinite where the objective improves to both sides."""
    residual = prices.residual(FLAT / OPTIMAL * abs(program.objective(x)))
    if residual <= OPTIMAL or (near := around(program, x)) is None:
        return residual
    residual = prices.residual(near.slope)
    return np.inf if residual <= OPTIMAL and near.bend < 0 and not prices.rows.any() else residual
