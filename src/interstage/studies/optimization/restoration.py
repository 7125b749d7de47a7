"""Restoration: from a start far from the constraints to a point near them by least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from .solvers.contract import Iterated, NonlinearProgram

FAR = 1.0
"""A constraint that is missed by more is far, scaled: by as much as the variable that moves it most moves it
in its scale. Solvers believe in straight lines until then."""
NEAR = 1e-3
"""All constraints are near that are missed by less, scaled."""
MOST_FLIGHTS = 100
"""Flights in which it is to come there."""


def restore(program: NonlinearProgram, start: np.ndarray, iterated: Iterated) -> np.ndarray:
    """Return a start near the constraints, or the given start if it is near already.

    A Gauss-Newton method within a trust region and the bounds reduces the violations. The region shrinks if
    the linear prediction is poor.

    Source: M. A. Branch, T. F. Coleman, Y. Li, SIAM J. Scientific Computing 21, 1999.
    """
    import scipy.optimize

    if np.max(np.abs(_violation(program, start)), initial=0.0) <= FAR:
        return start

    def slope(x: np.ndarray) -> np.ndarray:
        # Asked for at the start, and where a step was taken.
        missed = _violation(program, x)
        if np.max(np.abs(missed)) <= NEAR:
            raise _Near(x)
        if not np.array_equal(x, start):
            iterated(x)
        return program.jacobian(x) * (missed != 0)[:, None]

    least_squares: Any = scipy.optimize.least_squares  # whose stubs know less than it does
    try:
        ended = least_squares(
            lambda x: _violation(program, x), start, slope, (program.low, program.high), max_nfev=MOST_FLIGHTS
        )
    except _Near as near:
        return near.x
    return np.asarray(ended.x)


class _Near(Exception):
    """A point near the constraints was found."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = np.array(x)


def _violation(program: NonlinearProgram, x: np.ndarray) -> np.ndarray:
    """How far each row is from its limits (rows,): below the lower one negative, 0 where it keeps them."""
    rows = program.constraints(x)
    return np.minimum(rows - program.row_low, 0.0) + np.maximum(rows - program.row_high, 0.0)
