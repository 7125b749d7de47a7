"""Filter SQP and interior point of Uno, by its wheel unopy. Second derivatives are learned from gradients.

Source: C. Vanaret and S. Leyffer, "Implementing a unified solver for nonlinearly constrained optimization",
Mathematical Programming Computation, 2026."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .contract import Ended, Iterated, NonlinearProgram

PRESETS = {"filter_sqp": "filtersqp", "interior_point": "ipopt"}


def filter_sqp(
    program: NonlinearProgram, start: np.ndarray, tolerance: float, iterations: int, iterated: Iterated
) -> Ended:
    """Solve a program by sequential quadratic programming with a filter; see `contract.Solve`."""
    return _solved("filter_sqp", program, start, tolerance, iterations, iterated)


def interior_point(
    program: NonlinearProgram, start: np.ndarray, tolerance: float, iterations: int, iterated: Iterated
) -> Ended:
    """Solve a program by an interior-point method; see `contract.Solve`."""
    return _solved("interior_point", program, start, tolerance, iterations, iterated)


def _solved(
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
    if m:
        rows, columns = (index.ravel().tolist() for index in np.indices((m, n)))
        limits = program.row_low.tolist(), program.row_high.tolist()
        model.set_constraints(m, calls.constraints, *limits, m * n, rows, columns, calls.jacobian)
    model.set_initial_primal_iterate(start.tolist())
    uno = unopy.UnoSolver()
    uno.set_preset(PRESETS[kind])
    uno.set_option("logger", "SILENT")
    uno.set_option("primal_tolerance", tolerance)
    uno.set_option("dual_tolerance", tolerance)
    uno.set_option("max_iterations", iterations)
    uno.set_notify_acceptable_iterate_callback(calls.iterated)
    uno.set_termination_callback(lambda *_: calls.raised is not None)
    found = uno.optimize(model)
    if calls.raised is not None:
        raise calls.raised
    good = found.solution_status == unopy.SolutionStatus.FEASIBLE_KKT_POINT
    said = found.solution_status.name.replace("_", " ").lower()
    return Ended(np.array(found.primal_solution), bool(good), f"{said} ({found.optimization_status.name})")


class _Calls:
    """The program as Uno calls it. What is raised is kept and raised when Uno is over: it would be lost in
    the calls between."""

    def __init__(self, program: NonlinearProgram, iterated: Iterated) -> None:
        self.program, self._told = program, iterated
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
        out[:] = np.ravel(self._value(self.program.jacobian, x, np.nan))

    def iterated(self, x: Any, *_: Any) -> None:
        # Behind the variables Uno has slacks of its own.
        self._value(self._told, x[: len(self.program.low)], None)
