"""Find a start point close to the constraints by least squares, if the given start is far from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .solvers.contract import Iterated, NonlinearProgram

FAR = 1.0
"""If the scaled violation exceeds this number, the start is far from the constraints.

A scaled violation of 1 equals the largest change that one variable causes when it changes by its scale. Up to
this violation, solvers can use linear approximations.
"""
NEAR = 1e-3
"""Scaled violation of all constraints below which the search ends."""
MOST_FLIGHTS = 100
"""Largest number of flights of the search."""


def restore(program: NonlinearProgram, start: np.ndarray, iterated: Iterated) -> np.ndarray:
    """Return a scaled start point close to the constraints. If `start` is already close, return it
    unchanged.

    A Gauss-Newton method with a trust region reduces the violations and respects the bounds. The trust region
    shrinks if the linear prediction is poor.

    iterated: function that is called with the point of each iteration.

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
