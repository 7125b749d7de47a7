"""Nonlinear program that finds conflicting constraints. Slack variables relax the limits."""

from __future__ import annotations

import numpy as np

from .problem import FlightProgram


class Elastic:
    """Nonlinear program with slack variables. The program minimizes the sum of the scaled constraint
    violations.

    The variables x of the program have three groups: the scaled variables of the original program, the
    violations of the lower limits (rows,), and the violations of the upper limits (rows,).

    Source: Gill, Murray and Saunders, "SNOPT: an SQP algorithm for large-scale constrained optimization",
    SIAM Review 47 (2005), section 1.1.
    """

    def __init__(self, program: FlightProgram, start: np.ndarray) -> None:
        self.program, self.count = program, len(start)
        m = len(program.rows)
        none, endless = np.zeros(2 * m), np.full(2 * m, np.inf)
        closed = ~np.isfinite(np.concatenate([program.row_low, program.row_high]))
        endless[closed] = 0.0
        rows = program.constraints(start)
        gaps = np.concatenate([program.row_low - rows, rows - program.row_high])
        self.start = np.concatenate([start, np.clip(gaps, 0.0, endless)])
        self.low = np.concatenate([program.low, none])
        self.high = np.concatenate([program.high, endless])
        self.row_low, self.row_high = program.row_low, program.row_high

    def objective(self, x: np.ndarray) -> float:
        """Return the sum of the scaled violations, or NaN if the flight fails."""
        return float(np.sum(x[self.count :])) if self.program.at(x[: self.count]).fine else np.nan

    def gradient(self, x: np.ndarray) -> np.ndarray:
        return np.concatenate([np.zeros(self.count), np.ones(len(x) - self.count)])

    def constraints(self, x: np.ndarray) -> np.ndarray:
        below, above = np.split(x[self.count :], 2)
        return self.program.constraints(x[: self.count]) + below - above

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        unit = np.eye(len(self.row_low))
        return np.hstack([self.program.jacobian(x[: self.count]), unit, -unit])
