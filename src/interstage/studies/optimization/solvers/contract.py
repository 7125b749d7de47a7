"""Interface of the solvers: programs and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np


class NonlinearProgram(Protocol):
    """Scaled nonlinear program: minimize objective(x) within bounds and limits.

    - low, high: bounds of x.
    - row_low, row_high: limits of constraints(x).
    - jacobian: dense, (rows, variables). The functions have the names and arguments of cyipopt.

    If the flight fails at a point, the objective is NaN, and gradient and jacobian raise `Stuck`.
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
    """A program with a sparse Jacobian and the Hessian of the Lagrangian.

    The Lagrangian is factor * objective + sum of prices times rows; the Hessian has its lower triangle.
    `near`: whether the start is close to an optimum."""

    near: bool

    jacobian_rows: np.ndarray
    jacobian_columns: np.ndarray
    bend_rows: np.ndarray
    bend_columns: np.ndarray

    def jacobian_values(self, x: np.ndarray) -> np.ndarray: ...
    def bend_values(self, x: np.ndarray, factor: float, prices: np.ndarray) -> np.ndarray: ...


class Ended(NamedTuple):
    """Result of a solver: the point, whether the solver reports an optimum, and its message. prices (rows,),
    bounds (variables,): its multipliers, or None."""

    x: np.ndarray
    converged: bool
    message: str
    prices: np.ndarray | None = None
    bounds: np.ndarray | None = None


class Stuck(Exception):
    """A solver continues from a point where the flight failed; its best earlier point is the result."""


Iterated = Callable[[np.ndarray], None]
"""Called with x after each iteration."""
Solve = Callable[[NonlinearProgram, np.ndarray, float, int, Iterated], Ended]
"""solve(program, start, tolerance, most iterations, iterated)."""
