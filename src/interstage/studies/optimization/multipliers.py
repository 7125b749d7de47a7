"""Lagrange multipliers at an optimum: the effect of each limit on the objective, and the unbalanced
gradient.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .solvers.contract import NonlinearProgram

ACTIVE = 1e-6
"""Scaled distance from a limit or bound up to which it counts as active."""


class Multipliers(NamedTuple):
    """Scaled Lagrange multipliers.

    - `rows` (rows,): derivative of the optimal objective with respect to each active limit; 0 for inactive
      limits.
    - `bounds` (variables,): derivative of the optimal objective with respect to each active bound; 0 for
      inactive bounds.
    - `left`: largest entry of the gradient that the multipliers do not balance. This entry is 0 at an
      optimum.
    - `gradient`: largest entry of the complete gradient.
    """

    rows: np.ndarray
    bounds: np.ndarray
    left: float
    gradient: float

    def residual(self, size: float = 0.0) -> float:
        """Return the ratio of the unbalanced gradient to the gradient. If `size` is larger than the
        gradient, return the ratio to `size`.
        """
        return self.left / max(self.gradient, size, np.finfo(float).tiny) if self.left > 0 else 0.0


def multipliers(program: NonlinearProgram, x: np.ndarray, active: float = ACTIVE) -> Multipliers:
    """Return the Lagrange multipliers at a scaled point x (variables,). The multipliers are a least-squares
    solution over the active limits and bounds, with constraints on their signs.

    At a minimum, the gradient is the sum of the gradients of the active limits times their multipliers.
    A higher upper limit cannot increase the objective, so that its multiplier is not positive. The multiplier
    of a lower limit is not negative. The multiplier of an equality has any sign.

    active: scaled distance up to which a limit counts as active.

    Source: Nocedal and Wright, Numerical Optimization, 2nd ed., theorem 12.1, section 12.8.
    """
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
