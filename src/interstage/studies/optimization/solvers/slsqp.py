"""Solver: sequential quadratic programming (SLSQP) of SciPy.

Source: D. Kraft, "A software package for sequential quadratic programming", DFVLR-FB 88-28, 1988.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from .contract import Ended, Iterated, NonlinearProgram, Stuck

WALL = 1e3
"""Increase of the scaled objective at a point where the flight fails, relative to the last accepted point.
This increase is much larger than any improvement in one step.
"""


def slsqp(
    program: NonlinearProgram, start: np.ndarray, tolerance: float, iterations: int, iterated: Iterated
) -> Ended:
    """Solve a nonlinear program; see `contract.Solve` for the arguments.

    The callback of SciPy receives the trial point of the full step, but the line search can still shorten the
    step. The gradient is only computed at accepted points. These points are therefore reported as iterations.
    """
    from scipy.optimize import minimize

    low, high = program.row_low, program.row_high
    equal = low == high
    below, above = np.isfinite(low) & ~equal, np.isfinite(high) & ~equal

    def equality_values(x: np.ndarray) -> np.ndarray:
        return (program.constraints(x) - low)[equal]

    def inequality_values(x: np.ndarray) -> np.ndarray:
        rows = program.constraints(x)
        return np.concatenate([(rows - low)[below], (high - rows)[above]])

    def slope_kept(x: np.ndarray) -> np.ndarray:
        rows = program.jacobian(x)
        return np.concatenate([rows[below], -rows[above]])

    accepted, worth = [np.array(start, float)], [0.0]

    def objective(x: np.ndarray) -> float:
        value = program.objective(x)
        return value if np.isfinite(value) else worth[-1] + WALL

    def gradient(x: np.ndarray) -> np.ndarray:
        found = program.gradient(x)
        worth.append(program.objective(x))
        if not np.array_equal(x, accepted[-1]):
            accepted.append(np.array(x))
            iterated(accepted[-1])
        return found

    rows = []
    if equal.any():
        rows.append({"type": "eq", "fun": equality_values, "jac": lambda x: program.jacobian(x)[equal]})
    if below.any() or above.any():
        rows.append({"type": "ineq", "fun": inequality_values, "jac": slope_kept})
    found = minimize(
        objective,
        start,
        jac=gradient,
        bounds=list(zip(program.low, program.high)),
        constraints=rows,
        method="SLSQP",
        options={"ftol": tolerance, "maxiter": iterations},
    )
    if not np.array_equal(found.x, accepted[-1]):
        with suppress(Stuck):  # it has ended
            iterated(np.array(found.x))  # the last step needs no gradient
    return Ended(np.asarray(found.x), bool(found.success), str(found.message))
