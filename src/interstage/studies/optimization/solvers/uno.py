"""Solvers of Uno: filter SQP and interior point, with the package unopy. Second derivatives are approximated
from gradients if a program does not provide them.

Source: C. Vanaret and S. Leyffer, "Implementing a unified solver for nonlinearly constrained optimization",
Mathematical Programming Computation, 2026.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .contract import Ended, Iterated, NonlinearProgram, SparseProgram

NEAR = {
    "barrier_initial_parameter": 1e-6,
    "barrier_default_multiplier": 1e-5,
    "barrier_push_variable_to_interior_k1": 1e-6,
    "barrier_push_variable_to_interior_k2": 1e-6,
}
"""Options of the interior-point method for a start close to an optimum. The barrier is small from the
beginning and allows points close to the bounds. With a large barrier, the first steps would move away from
the optimum.
"""
PRESETS = {"filter_sqp": "filtersqp", "interior_point": "ipopt"}


def filter_sqp(
    program: NonlinearProgram, start: np.ndarray, tolerance: float, iterations: int, iterated: Iterated
) -> Ended:
    """Solve a nonlinear program by sequential quadratic programming with a filter; see `contract.Solve` for
    the arguments.
    """
    return _solve("filter_sqp", program, start, tolerance, iterations, iterated)


def interior_point(
    program: NonlinearProgram, start: np.ndarray, tolerance: float, iterations: int, iterated: Iterated
) -> Ended:
    """Solve a nonlinear program by an interior-point method; see `contract.Solve` for the arguments."""
    return _solve("interior_point", program, start, tolerance, iterations, iterated)


def _solve(
    kind: str,
    program: NonlinearProgram,
    start: np.ndarray,
    tolerance: float,
    iterations: int,
    iterated: Iterated,
) -> Ended:
    unopy: Any = importlib.import_module("unopy")
    calls = _Calls(program, iterated)
    n, m = len(start), len(program.row_low)
    model = unopy.Model(
        unopy.PROBLEM_NONLINEAR, n, program.low.tolist(), program.high.tolist(), unopy.ZERO_BASED_INDEXING
    )
    model.set_objective(unopy.MINIMIZE, calls.objective, calls.gradient)
    sparse = program if isinstance(program, SparseProgram) else None
    if m:
        rows, columns = (index.ravel() for index in np.indices((m, n)))
        if sparse is not None:
            rows, columns = sparse.jacobian_rows, sparse.jacobian_columns
        limits = program.row_low.tolist(), program.row_high.tolist()
        places = len(rows), rows.tolist(), columns.tolist()
        model.set_constraints(m, calls.constraints, *limits, *places, calls.jacobian)
    if sparse is not None:
        places = sparse.bend_rows.tolist(), sparse.bend_columns.tolist()
        model.set_lagrangian_hessian(len(places[0]), unopy.LOWER_TRIANGLE, *places, calls.bend)
        model.set_lagrangian_sign_convention(unopy.MULTIPLIER_POSITIVE)
    model.set_initial_primal_iterate(start.tolist())
    uno = unopy.UnoSolver()
    uno.set_preset(PRESETS[kind])
    uno.set_option("logger", "SILENT")
    uno.set_option("primal_tolerance", tolerance)
    uno.set_option("dual_tolerance", tolerance)
    uno.set_option("max_iterations", iterations)
    if kind == "interior_point":
        # A step that is corrected where it was refused costs as much as a shorter one, up to four times.
        uno.set_option("SOC_max_iterations", 0)
    if sparse is not None and sparse.near and kind == "interior_point":
        for name, value in NEAR.items():
            uno.set_option(name, value)
    uno.set_notify_acceptable_iterate_callback(calls.note_iteration)
    uno.set_termination_callback(lambda *_: calls.raised is not None)
    found = uno.optimize(model)
    if calls.raised is not None:
        raise calls.raised
    good = found.solution_status == unopy.SolutionStatus.FEASIBLE_KKT_POINT
    status = found.solution_status.name.replace("_", " ").lower()
    prices = np.array(found.constraint_dual_solution)
    bounds = np.array(found.lower_bound_dual_solution) + np.array(found.upper_bound_dual_solution)
    text = f"{status} ({found.optimization_status.name})"
    return Ended(np.array(found.primal_solution), bool(good), text, prices, bounds)


class _Calls:
    """The program with the callbacks of Uno. Exceptions are stored and raised after Uno returns, as they
    would be lost in its calls."""

    def __init__(self, program: NonlinearProgram, iterated: Iterated) -> None:
        self.program, self._iterated = program, iterated
        self.raised: BaseException | None = None

    def _value(self, ask: Any, x: Any, none: Any) -> Any:
        if self.raised is not None:
            return none
        try:
            return ask(np.array(x))
        except BaseException as error:  # noqa: BLE001
            self.raised = error
            return none

    def objective(self, x: Any) -> float:
        return float(self._value(self.program.objective, x, np.nan))

    def gradient(self, x: Any, out: Any) -> None:
        out[:] = self._value(self.program.gradient, x, np.nan)

    def constraints(self, x: Any, out: Any) -> None:
        out[:] = self._value(self.program.constraints, x, np.nan)

    def jacobian(self, x: Any, out: Any) -> None:
        program = self.program
        entries = program.jacobian_values if isinstance(program, SparseProgram) else program.jacobian
        out[:] = np.ravel(self._value(entries, x, np.nan))

    def bend(self, x: Any, factor: float, prices: Any, out: Any) -> None:
        prices = np.array(prices)
        out[:] = self._value(lambda x: getattr(self.program, "bend_values")(x, factor, prices), x, np.nan)  # noqa: B009

    def note_iteration(self, x: Any, *_: Any) -> None:
        # After the variables, Uno appends its own slacks.
        self._value(self._iterated, x[: len(self.program.low)], None)
