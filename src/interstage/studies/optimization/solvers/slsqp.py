"""Sequential quadratic programming by SciPy.

Source: D. Kraft, "A software package for sequential quadratic programming", DFVLR-FB 88-28, 1988."""

from __future__ import annotations

import numpy as np

from .contract import Ended, Iterated, NonlinearProgram


def slsqp(
    program: NonlinearProgram, start: np.ndarray, tolerance: float, iterations: int, iterated: Iterated
) -> Ended:
    """Solve a program; see `contract.Solve`."""
    from scipy.optimize import minimize

    low, high = program.row_low, program.row_high
    equal = low == high
    below, above = np.isfinite(low) & ~equal, np.isfinite(high) & ~equal

    def met(x: np.ndarray) -> np.ndarray:
        return (program.constraints(x) - low)[equal]

    def kept(x: np.ndarray) -> np.ndarray:
        rows = program.constraints(x)
        return np.concatenate([(rows - low)[below], (high - rows)[above]])

    def slope_kept(x: np.ndarray) -> np.ndarray:
        rows = program.jacobian(x)
        return np.concatenate([rows[below], -rows[above]])

    rows = []
    if equal.any():
        rows.append({"type": "eq", "fun": met, "jac": lambda x: program.jacobian(x)[equal]})
    if below.any() or above.any():
        rows.append({"type": "ineq", "fun": kept, "jac": slope_kept})
    found = minimize(
        program.objective,
        start,
        jac=program.gradient,
        bounds=list(zip(program.low, program.high)),
        constraints=rows,
        method="SLSQP",
        callback=lambda x: iterated(np.array(x)),
        options={"ftol": tolerance, "maxiter": iterations},
    )
    return Ended(np.asarray(found.x), bool(found.success), str(found.message))
