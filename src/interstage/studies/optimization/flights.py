"""Run a scenario with different values of its variables, and return requested quantities with their
derivatives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ...observation.after import known_after
from ...programs.targets import targets_of
from ...record.requirements import value_of
from ...sensitivities.pushed import Output, Point, Pushed
from ...tree.errors import BadInput, Problem
from .gaps import gaps
from .variables import Unknown, scenario_with

KEPT = 8
"""Number of flights in the cache. Solvers request the same point repeatedly."""
STEP = 1e-3
"""Step of central differences, as a fraction of the scale of a variable. The step is the cube root of the
relative error of flights, 1e-9. Numerical errors and truncation errors are then similar.
"""


NOISE = 1e3
"""Ratio of the relative error of flight results to the tolerance of the integration steps.

Some hundred steps have an error of about one tolerance each, and early errors grow. An example is an ascent
in which a kick of 1 deg turns the flight path by 40 deg. At the end of this kick, the error of the
flight-path angle is 64 tolerances. If scenario values change, the integrator takes other steps, which change
the results by a similar amount.
"""
OFTEN = 30
"""Expected number of flights with derivatives in an optimization."""


@dataclass
class Flown:
    """One flight of an optimization.

    - x (variables,): values of the variables.
    - values (outputs,): requested quantities [SI]; NaN if an event did not occur.
    - why: reason for missing values, or "".
    - point: data of the flight; None if the scenario was rejected.
    - jacobian (outputs, variables): derivatives of the quantities; None if they were not computed.
    """

    x: np.ndarray
    values: np.ndarray
    why: str
    point: Point | None = None
    jacobian: np.ndarray | None = None

    @property
    def fine(self) -> bool:
        """Return whether all requested quantities have values."""
        return not self.why


class Flights:
    """Flights of a scenario with different values of its variables.

    - `outputs`: requested quantities, with the fields of an `Asked`. Some quantities, such as clearances, are
      known only after a flight; their derivatives are finite differences.
    - `nodes`: initial motions (6,) of the legs that start with a free motion, by leg name. These motions are
      the last variables, and the gaps between the legs are the last outputs.
    - `times`: expected number of flights with derivatives; see `pushed.Pushed`.
    - `asked`, `flown`, `differentiated`: number of requests, of flights, and of flights with derivatives.
    """

    def __init__(
        self,
        scenario: Any,
        unknowns: Sequence[Unknown],
        outputs: Sequence[Any],
        nodes: Mapping[str, np.ndarray] = MappingProxyType({}),
        times: int = OFTEN,
    ) -> None:
        self.unknowns, self.outputs = tuple(unknowns), (*outputs, *gaps([*nodes]))
        self.start = np.array([one.start for one in unknowns])
        self.scenario = scenario_with(scenario, unknowns, self.start)
        self.asked = self.flown = self.differentiated = 0
        self._kept: dict[bytes, Flown] = {}
        inputs, self._gains = _inputs(self.scenario, self.unknowns)
        late = [known_after(self.scenario, one.quantity) is not None for one in outputs]
        gap = np.arange(len(outputs), len(self.outputs))
        self._late, self._exact = np.flatnonzero(late), np.flatnonzero(np.logical_not(late))
        exact, others = ([_output(self.outputs[k]) for k in which] for which in (self._exact, self._late))
        self._pushed = Pushed(self.scenario, inputs, exact, times, others, nodes)
        self._exact = np.concatenate([self._exact, gap])
        own = np.eye(len(gap), len(self.unknowns), len(self.unknowns) - len(gap))
        self._gains = np.concatenate([self._gains, own])

    @property
    def legs(self) -> tuple[str, ...]:
        """Return the names of the legs that are run for the requested quantities."""
        return tuple(self._pushed.parents)

    @property
    def noise(self) -> float:
        """Return the relative error of flight results, estimated from the integration tolerances.

        With fixed steps, the result is zero, because the error changes smoothly with the variables.
        """
        solvers = [stage.flying.of(self.scenario).solver for stage in self._pushed.stages.values()]
        return max(0.0 if one.fixed_step else NOISE * float(np.max(one.tolerance)) for one in solvers)

    def scenario_at(self, x: np.ndarray) -> Any:
        """Return the scenario with the variables set to x (variables,). Raises BadInput for invalid
        values.
        """
        return scenario_with(self.scenario, self.unknowns, x)

    def at(self, x: np.ndarray) -> Flown:
        """Return the flight with the variables set to x (variables,). Recent flights are cached."""
        x = np.array(x, float)
        kept = self._kept.pop(x.tobytes(), None)
        found = self._flown(x) if kept is None else kept
        self._kept[x.tobytes()] = found
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    def _flown(self, x: np.ndarray) -> Flown:
        self.asked += 1
        none = np.full(len(self.outputs), np.nan)
        try:
            self.scenario_at(x)
        except BadInput as error:
            return Flown(x, none, f"the scenario rejects these values: {error.problems[0]}")
        self.flown += 1
        try:
            point = self._pushed.at(self._pushed.nominal + self._gains @ (x - self.start))
        except BadInput as error:
            return Flown(x, none, str(error.problems[0]))
        if point.interrupted:
            raise KeyboardInterrupt
        values = none.copy()
        values[self._exact] = point.values
        for k in self._late:
            values[k] = value_of(point.record, self.outputs[k])
        return Flown(x, values, self._why(values, point), point)

    def _why(self, values: np.ndarray, point: Point) -> str:
        """Reason why a value is missing; empty if none is missing."""
        if np.isfinite(values).all():
            return ""
        k = int(np.argmin(np.isfinite(values)))
        why = point.why[self._exact.tolist().index(k)] if k in self._exact.tolist() else point.record.outcome
        return f"the quantity {self.outputs[k].quantity} ({self.outputs[k].where}) has no value: {why}"

    def jacobian(self, flown: Flown) -> np.ndarray:
        """Return the derivatives (outputs, variables) of the requested quantities, in SI per unit of each
        variable.
        """
        if flown.jacobian is None:
            assert flown.point is not None
            self.differentiated += 1
            found = np.zeros((len(self.outputs), len(self.unknowns)))
            found[self._exact] = self._pushed.jacobian(flown.point) @ self._gains
            if len(self._late):
                found[self._late] = self.differences(flown.x)[self._late]
            flown.jacobian = self._all_known(found)
        return flown.jacobian

    def _all_known(self, found: np.ndarray) -> np.ndarray:
        """The derivatives. Raises BadInput if one is not finite."""
        if np.isfinite(found).all():
            return found
        row, column = np.argwhere(~np.isfinite(found))[0]
        one = self.outputs[row]
        name = self.unknowns[column].name
        text = f"the quantity has no derivative with respect to {name}. Choose another quantity"
        raise BadInput(Problem(f"{one.quantity} {one.where}", text))

    def differences(self, x: np.ndarray) -> np.ndarray:
        """Return the derivatives (outputs, variables) at x (variables,) from central differences of flights.

        At bounds and next to failed flights, the differences are one-sided. The result is NaN if no
        difference can be computed.
        """
        found = np.zeros((len(self.outputs), len(self.unknowns)))
        for k, one in enumerate(self.unknowns):
            found[:, k] = self._difference(x, k, STEP * one.scale)
        return found

    def _difference(self, x: np.ndarray, k: int, step: float) -> np.ndarray:
        def move(by: float) -> np.ndarray:
            if not self.unknowns[k].low <= x[k] + by <= self.unknowns[k].high:
                return np.full(len(self.outputs), np.nan)
            return self._flown(x + by * np.eye(len(x))[k]).values

        ahead, behind = move(step), move(-step)
        if np.isfinite(ahead).all() and np.isfinite(behind).all():
            return (ahead - behind) / (2 * step)
        side, near = (1, ahead) if np.isfinite(ahead).all() else (-1, behind)
        return side * (4 * near - move(2 * side * step) - 3 * self.at(x).values) / (2 * step)


def _output(one: Any) -> Output:
    return Output(one.quantity, one.at, one.side, one.take, one.during)


def _inputs(scenario: Any, unknowns: Sequence[Unknown]) -> tuple[dict[str, list[Any]], np.ndarray]:
    """Numbers that change together, by name, and their derivatives by the variables (inputs, variables)."""
    inputs: dict[str, list[Any]] = {}
    columns: list[tuple[int, float]] = []
    for k, one in enumerate(unknowns):
        for gain in dict.fromkeys(one.gains):
            alike = [target for target, its in zip(one.targets, one.gains) if its == gain]
            inputs[f"{one.name} {gain!r}"] = [targets_of(scenario, t.name, one.place)[0] for t in alike]
            columns.append((k, gain))
    gains = np.zeros((len(inputs), len(unknowns)))
    for row, (k, gain) in enumerate(columns):
        gains[row, k] = gain
    return inputs, gains
