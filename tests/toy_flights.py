"""Flights in closed form for tests of optimization: what `Flights` gives, without any flight."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from interstage.studies.optimization.declared import OptimizationStudy
from interstage.studies.optimization.flights import Flown
from interstage.studies.optimization.problem import FlightProgram
from interstage.studies.optimization.run import Course, _solve

REDUCED, STROKE, AWAY, SPEED = 12.0, 0.06, 0.5, 1.2
"""Reduced mass of 30 and 20 kg [kg], stroke [m], way to go [m] and speed to reach [m/s]."""
FULL = 280.0
"""Most preload [N]."""


class ToyFlights:
    """values(x) -> outputs, and slopes(x) -> (outputs, variables); a flight fails where a value is nan."""

    def __init__(self, low: Any, high: Any, start: Any, values: Any, slopes: Any) -> None:
        low, high = np.array(low, float), np.array(high, float)
        self.start = np.array(start, float)
        self.unknowns = tuple(
            SimpleNamespace(low=a, high=b, scale=(b - a) / 2, name=f"x{k}")
            for k, (a, b) in enumerate(zip(low, high))
        )
        self.values, self.slopes, self.flown = values, slopes, 0

    def at(self, x: Any) -> Flown:
        self.flown += 1
        values = np.array(self.values(np.array(x)), float)
        return Flown(np.array(x), values, "" if np.isfinite(values).all() else "it does not fly")

    def jacobian(self, flown: Flown) -> np.ndarray:
        return np.array(self.slopes(flown.x), float).reshape(len(flown.values), len(flown.x))


def solved(flights: Any, study: dict[str, Any]) -> tuple[Course, FlightProgram]:
    """What the solver of a study comes to by such flights."""
    made = OptimizationStudy(**{"scenario": "", "variables": {"x": {"path": "x", "delta": 1}}, **study})
    program = FlightProgram(flights, made.objective, made.constraints, made.solver.tolerance)
    course = Course(program, flights.at(flights.start), (), 0.0, lambda _: None)
    _solve(program, made, course)
    return course, program


def spring(start: Any) -> ToyFlights:
    """A spring of stiffness k and preload F that pushes two bodies apart: time until they are `AWAY` apart,
    and speed. By F - kx = m x'': x = F/k (1 - cos wt), m v^2 = 2 F s - k s^2. It fails where the preload is
    used up within the stroke."""

    def values(x: Any) -> Any:
        k, force = x
        if force <= k * STROKE:
            return [np.nan, np.nan]
        w = np.sqrt(k / REDUCED)
        speed = np.sqrt((2 * force * STROKE - k * STROKE**2) / REDUCED)
        return [np.arccos(1 - k * STROKE / force) / w + (AWAY - STROKE) / speed, speed]

    def slopes(x: Any) -> Any:
        step = 1e-200  # complex steps have no rounding
        complex_values = [_complex_spring(x + 1j * step * unit) for unit in np.eye(2)]
        return np.imag(complex_values).T / step

    return ToyFlights([500.0, 150.0], [20e3, FULL], start, values, slopes)


def _complex_spring(x: Any) -> Any:
    k, force = x
    c = 1 - k * STROKE / force
    speed = np.sqrt((2 * force * STROKE - k * STROKE**2) / REDUCED)
    return [np.arccos(c) / np.sqrt(k / REDUCED) + (AWAY - STROKE) / speed, speed]
