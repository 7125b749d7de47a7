"""Interface between nonlinear programs and solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np


class NonlinearProgram(Protocol):
    """Scaled nonlinear program: minimize objective(x) within bounds of x and limits of constraints(x).

    - start (variables,): point at which the search starts.
    - low, high (variables,): bounds of x.
    - row_low, row_high (rows,): limits of constraints(x).

    The method `jacobian` returns a dense matrix (rows, variables). The methods have the names and arguments
    of cyipopt. If the flight fails at a point, the objective is NaN, and gradient and jacobian raise `Stuck`.
    """

    start: np.ndarray
    low: np.ndarray
    high: np.ndarray
    row_low: np.ndarray
    row_high: np.ndarray

    def objective(self, x: np.ndarray) -> float: ...
    def gradient(self, x: np.ndarray) -> np.ndarray: ...
    def constraints(self, x: np.ndarray) -> np.ndarray: ...
    def jacobian(self, x: np.ndarray) -> np.ndarray: ...


@runtime_checkable
class SparseProgram(NonlinearProgram, Protocol):
    """Nonlinear program with a sparse Jacobian, and with the Hessian of the Lagrangian.

    The Lagrangian is factor * objective + sum of prices times rows. Only the lower triangle of the Hessian is
    used.

    - near: whether the start is close to an optimum.
    - jacobian_rows, jacobian_columns: indices of the nonzero entries of the Jacobian.
    - bend_rows, bend_columns: indices of the nonzero entries of the Hessian.
    """

    near: bool

    jacobian_rows: np.ndarray
    jacobian_columns: np.ndarray
    bend_rows: np.ndarray
    bend_columns: np.ndarray

    def jacobian_values(self, x: np.ndarray) -> np.ndarray: ...
    def bend_values(self, x: np.ndarray, factor: float, prices: np.ndarray) -> np.ndarray: ...


class Ended(NamedTuple):
    """Result of a solver.

    - x (variables,): the final point, scaled.
    - converged: whether the solver reports an optimum.
    - message: message of the solver.
    - prices (rows,), bounds (variables,): multipliers of the limits and of the bounds, or None.
    """

    x: np.ndarray
    converged: bool
    message: str
    prices: np.ndarray | None = None
    bounds: np.ndarray | None = None


class Stuck(Exception):
    """Error: a solver cannot continue, for example because the flight fails at a point. The result is its
    best earlier point.
    """


Iterated = Callable[[np.ndarray], None]
"""Function that is called with the scaled point x (variables,) after each iteration."""
Solve = Callable[[NonlinearProgram, np.ndarray, float, int, Iterated], Ended]
"""Function of a solver with the arguments (program, start, tolerance, largest number of iterations,
iterated).
"""
