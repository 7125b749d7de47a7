"""Multipliers at an optimum: what moving each limit would change, and how well they explain the gradient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .solvers.contract import NonlinearProgram

ACTIVE = 1e-6
"""A limit is active within so much of it, scaled."""


class Multipliers(NamedTuple):
    """rows (rows,), bounds (variables,): derivative of the least objective with respect to the limit or bound
    that is active, scaled; 0 where none is. residual: what part of the gradient they leave unexplained, 0 at
    an optimum."""

    rows: np.ndarray
    bounds: np.ndarray
    residual: float


def multipliers(program: NonlinearProgram, x: np.ndarray, active: float = ACTIVE) -> Multipliers:
    """The multipliers at x: least squares over what is active, with the sign that each has.

    At a minimum the gradient is the sum of the active rows times these: to lift an upper limit never does
    harm, so that its derivative is not positive, that of a lower limit not negative, and that of an equality
    may be either. Source: Nocedal and Wright, Numerical Optimization, 2nd ed., theorem 12.1, section 12.8."""
    from scipy.optimize import lsq_linear

    gradient, rows = program.gradient(x), program.constraints(x)
    value = np.concatenate([rows, x])
    slopes = np.concatenate([program.jacobian(x), np.eye(len(x))])
    at_low = value - np.concatenate([program.row_low, program.low]) <= active
    at_high = np.concatenate([program.row_high, program.high]) - value <= active
    on = np.flatnonzero(at_low | at_high)
    found = np.zeros(len(value))
    if len(on):
        least = np.where(at_high[on], -np.inf, 0.0)
        most = np.where(at_low[on], np.inf, 0.0)
        found[on] = lsq_linear(slopes[on].T, gradient, (least, most), method="bvls", tol=1e-14).x
    left = np.max(np.abs(gradient - slopes.T @ found), initial=0.0)
    residual = float(left / max(np.max(np.abs(gradient), initial=0.0), np.finfo(float).tiny))
    return Multipliers(found[: len(rows)], found[len(rows) :], residual if left > 0 else 0.0)
