"""What solvers are given, and what they give back."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np


class NonlinearProgram(Protocol):
    """Minimise objective(x) over x within low and high, with constraints(x) within row_low and row_high; all
    scaled. The functions are those of cyipopt's problems; jacobian is dense, (rows, variables). At a point
    without a value the objective is not a number, and gradient and jacobian raise `Stuck`."""

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
    """A program of which the entries of the Jacobian that there are are known, and the bend of the
    Lagrangian, factor objective + sum of prices times rows: its second derivatives, of the lower triangle.
    near: whether it starts next to an optimum."""

    near: bool

    jacobian_rows: np.ndarray
    jacobian_columns: np.ndarray
    bend_rows: np.ndarray
    bend_columns: np.ndarray

    def jacobian_values(self, x: np.ndarray) -> np.ndarray: ...
    def bend_values(self, x: np.ndarray, factor: float, prices: np.ndarray) -> np.ndarray: ...


class Ended(NamedTuple):
    """Where a solver ended, whether it states that this is an optimum, and what it says. prices (rows,),
    bounds (variables,): its multipliers, where it gives them."""

    x: np.ndarray
    converged: bool
    message: str
    prices: np.ndarray | None = None
    bounds: np.ndarray | None = None


class Stuck(Exception):
    """A solver goes on from where a flight failed; what it has found before is the best there is."""


Iterated = Callable[[np.ndarray], None]
"""Called with x after each iteration."""
Solve = Callable[[NonlinearProgram, np.ndarray, float, int, Iterated], Ended]
"""solve(program, start, tolerance, most iterations, iterated)."""
