"""Multipliers at an optimum: what moving each limit would change, and how well they explain the gradient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .solvers.contract import NonlinearProgram

ACTIVE = 1e-6
"""A limit is active within so much of it, scaled."""


class Multipliers(NamedTuple):
    """rows (rows,), bounds (variables,): derivative of the least objective with respect to the limit or bound
    that is active, scaled; 0 where none is. left: largest entry of the gradient that they do not balance, 0
    at an optimum; gradient: largest entry of the whole gradient; both scaled."""

    rows: np.ndarray
    bounds: np.ndarray
    left: float
    gradient: float

    def residual(self, size: float = 0.0) -> float:
        """The part that is left of the gradient, or of a larger one, `size`; 0 where nothing is left."""
        return self.left / max(self.gradient, size, np.finfo(float).tiny) if self.left > 0 else 0.0


def multipliers(program: NonlinearProgram, x: np.ndarray, active: float = ACTIVE) -> Multipliers:
    """The multipliers at x: least squares over what is active, with the sign that each has.

    At a minimum the gradient is the sum of the active rows times these: to lift an upper limit never does
    harm, so that its derivative is not positive, that of a lower limit not negative, and that of an equality
    may be either. Source: Nocedal and Wright, Numerical Optimization, 2nd ed., theorem 12.1, section 12.8."""
    from scipy.optimize import lsq_linear

    gradient, rows = program.gradient(x), program.constraints(x)
    value = np.concatenate([rows, x])
    slopes = np.concatenate([program.jacobian(x), np.eye(len(x))])
    low = np.concatenate([program.row_low, program.low])
    high = np.concatenate([program.row_high, program.high])
    at_low = (value - low <= active) | (low == high)  # an equality may be missed to either side
    at_high = (high - value <= active) | (low == high)
    on = np.flatnonzero(at_low | at_high)
    found = np.zeros(len(value))
    if len(on):
        least = np.where(at_high[on], -np.inf, 0.0)
        most = np.where(at_low[on], np.inf, 0.0)
        found[on] = lsq_linear(slopes[on].T, gradient, (least, most), method="bvls", tol=1e-14).x
    left, size = (float(np.max(np.abs(one), initial=0.0)) for one in (gradient - slopes.T @ found, gradient))
    return Multipliers(found[: len(rows)], found[len(rows) :], left, size)
