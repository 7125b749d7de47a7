"""Formulate an optimization of flights as a scaled nonlinear program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tree.errors import BadInput
from .declared import Constraint, Objective
from .flights import Flights, Flown
from .solvers.contract import Stuck
from .stationary import FLAT, around
from .variables import Unknown

ROUNDED = 1e-12
"""Distance from a bound, relative to the scale, up to which a variable is set to the bound. This limit covers
several hundred roundings.
"""


class Judged(NamedTuple):
    """Evaluation of a point.

    - objective: objective in SI.
    - beyond: largest constraint violation in SI.
    - worst: largest constraint violation, divided by the tolerance of the constraint.
    - which: index of the constraint with this violation; -1 without constraints.
    """

    objective: float
    beyond: float
    worst: float
    which: int

    def better(self, other: Judged, sign: float) -> bool:
        """Return whether this evaluation is better than another evaluation.

        If both are feasible, the objective decides. If both are infeasible, the point with the smaller
        violation is better. sign: 1 to minimize the objective, -1 to maximize it.
        """
        kept, its = self.worst <= 1.0, other.worst <= 1.0
        if kept and its:
            return sign * self.objective < sign * other.objective
        return self.worst < other.worst


class FlightProgram:
    """The nonlinear program of a study; see `solvers.contract.NonlinearProgram`.

    Variables are divided by their scales. Each constraint is divided by the largest change that one variable
    causes at the start when it changes by its scale. Without an objective, half the squared change of the
    scaled variables is minimized.

    `flat`: whether no variable changes the objective at the start and close to it.
    """

    def __init__(
        self,
        flights: Flights,
        terms: Sequence[Objective],
        constraints: Sequence[Constraint],
        tolerance: float,
    ) -> None:
        self.flights, self.terms, self.rows = flights, tuple(terms), tuple(constraints)
        self.scale = np.array([one.scale for one in flights.unknowns])
        self.start = flights.start / self.scale
        self.low = np.array([one.low for one in flights.unknowns]) / self.scale
        self.high = np.array([one.high for one in flights.unknowns]) / self.scale
        self.weights = np.array([one.sign * one.weight for one in terms])
        self.sign = terms[0].sign if terms else 1.0
        self.anchor = flights.at(flights.start)
        slopes = flights.jacobian(self.anchor) * self.scale
        count = len(terms)
        self.size, self._away = (_largest(self.weights @ slopes[:count]) if terms else 0.0), None
        self.flat = False
        limits = [_limits(one) for one in constraints]
        self.limits = np.array(limits, float).reshape(len(limits), 2)
        sizes = [_largest(row) for row in slopes[count:]]
        self.sizes = np.array([size if size else _size(*limit) for size, limit in zip(sizes, limits)])
        self.row_low, self.row_high = (self.limits / self.sizes[:, None]).T.reshape(2, -1)
        given = [one.tolerance for one in constraints]
        self.tolerances = np.array(
            [tolerance * size if t is None else float(t.magnitude) for t, size in zip(given, self.sizes)]
        )
        self.tolerance = float(min([tolerance, *(self.tolerances / self.sizes)], default=tolerance))
        if not self.size > FLAT * abs(self.total(self.anchor)):
            self._sized_around()

    def _sized_around(self) -> None:
        """The size of an objective that is stationary at the start, by its gradient around it; of one that is
        flat there too, its own."""
        first, own = self.anchor, abs(self.total(self.anchor)) if self.terms else 0.0
        self.size = own or 1.0
        near = around(self, self.start) if self.terms else None
        if near is not None and near.slope > (FLAT if own else 0.0):
            self.size *= near.slope
            self._away = near.x
        self.flat = bool(self.terms) and self._away is None
        self.anchor = first

    def off_stationary(self, x: np.ndarray) -> np.ndarray:
        """Return a scaled point from which a solver can start.

        The result is usually `x`. If the objective is stationary at the start, the result is a point nearby,
        because some solvers mistake a maximum for a minimum.
        """
        return self._away if self._away is not None and np.array_equal(x, self.start) else x

    # --- as solvers see it

    def objective(self, x: np.ndarray) -> float:
        """Return the scaled objective at a scaled point x (variables,), or NaN if the flight fails."""
        flown = self.at(x)
        return self._objective(flown, x) if flown.fine else np.nan

    def _objective(self, flown: Flown, x: np.ndarray) -> float:
        if not self.terms:
            return float(0.5 * np.sum((x - self.start) ** 2))
        return float(self.weights @ flown.values[: len(self.terms)]) / self.size

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Return the gradient (variables,) of the scaled objective at a scaled point x."""
        slopes = self._slopes(x)
        return self.weights @ slopes[: len(self.terms)] / self.size if self.terms else x - self.start

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Return the scaled quantities of the constraints (rows,) at a scaled point x.

        If the flight fails, return the quantities of the last flight with derivatives.
        """
        flown = self.at(x)
        return (flown if flown.fine else self.anchor).values[len(self.terms) :] / self.sizes

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Return the derivatives (rows, variables) of the scaled constraint quantities at a scaled point
        x.
        """
        return self._slopes(x)[len(self.terms) :] / self.sizes[:, None]

    def _slopes(self, x: np.ndarray) -> np.ndarray:
        flown = self.at(x)
        if not flown.fine:
            raise Stuck(flown.why)
        try:
            slopes = self.flights.jacobian(flown) * self.scale
        except BadInput as error:
            raise Stuck(str(error.problems[0])) from None
        self.anchor = flown
        return slopes

    # --- as everybody else sees it

    def at(self, x: np.ndarray) -> Flown:
        """Return the flight at a scaled point x (variables,)."""
        return self.flights.at(self.values(x))

    def values(self, x: np.ndarray) -> np.ndarray:
        """Return the variables (variables,) at a scaled point x, in their units.

        If a variable is outside a bound, or equal to it except for rounding, it is set to the bound.
        """
        found = np.asarray(x) * self.scale
        for end, sign in (("low", 1.0), ("high", -1.0)):
            bound = np.array([getattr(one, end) for one in self.flights.unknowns])
            found = np.where(sign * (found - bound) <= ROUNDED * self.scale, bound, found)
        return found

    def total(self, flown: Flown) -> float:
        """Return the objective of a flight in SI: the quantity, or the weighted sum of the terms. Return NaN
        without an objective.
        """
        if not self.terms:
            return np.nan
        return self.sign * float(self.weights @ flown.values[: len(self.terms)])

    def beyond(self, flown: Flown) -> np.ndarray:
        """Return the violation of each constraint (rows,) [SI]. The violation is 0 if the limit is met."""
        rows = flown.values[len(self.terms) :]
        return np.maximum(0.0, np.maximum(self.limits[:, 0] - rows, rows - self.limits[:, 1]))

    def evaluate_flight(self, flown: Flown) -> Judged:
        """Return the objective and the largest constraint violation of a flight."""
        if not flown.fine:
            return Judged(np.nan, np.inf, np.inf, -1)
        beyond = self.beyond(flown)
        times = beyond / self.tolerances
        which = int(np.argmax(times)) if len(times) else -1
        worst = float(times[which]) if which >= 0 else 0.0
        total = self.total(flown)
        if not self.terms:
            total = self._objective(flown, flown.x / self.scale)
        return Judged(total, float(beyond[which]) if which >= 0 else 0.0, worst, which)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """Return the variables of the program."""
        return self.flights.unknowns


def _limits(one: Constraint) -> tuple[float, float]:
    given = {key: float(value.magnitude) for key, value in one.limits.items()}
    if "equals" in given:
        return given["equals"], given["equals"]
    return given.get("min", -np.inf), given.get("max", np.inf)


def _size(low: float, high: float) -> float:
    """The size of a constraint that no variable moves at the start."""
    return max((abs(limit) for limit in (low, high) if np.isfinite(limit)), default=0.0) or 1.0


def _largest(row: np.ndarray) -> float:
    largest = float(np.max(np.abs(row), initial=0.0))
    return largest if np.isfinite(largest) and largest > 0 else 0.0
