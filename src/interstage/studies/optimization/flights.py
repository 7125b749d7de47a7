"""Flights of one structure with other numbers: what is asked of them, and its derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ...flight.after import known_after
from ...flight.pushed import Output, Point, Pushed
from ...flight.targets import targets_of
from ...record.requirements import value_of
from ...tree.errors import BadInput, Problem
from .gaps import gaps
from .variables import Unknown, put

KEPT = 8
"""Flights that are kept: solvers ask again for what they have just asked for."""
STEP = 1e-3
"""Differences go so many scales to either side: flights have errors of about their tolerance, 1e-9, and
its third root weighs them against the bend of the curve."""


NOISE = 1e3
"""Tolerances of steps by which a flight may be off, of what it gives: some hundred steps are each off by
about one, and what is off early grows until the end (64 tolerances for the flight-path angle of an ascent
that a kick of 1 deg turns by 40 deg). Where steps are chosen anew, as the numbers of a scenario change, what
it gives steps by as much."""
OFTEN = 30
"""Flights and derivatives that an optimum takes, about."""


@dataclass
class Flown:
    """One flight: x (variables,); values (outputs,), not a number where a moment did not come; why: what is
    wrong then, else nothing; point: of it, none where the scenario was refused."""

    x: np.ndarray
    values: np.ndarray
    why: str
    point: Point | None = None
    jacobian: np.ndarray | None = None

    @property
    def fine(self) -> bool:
        """Whether all that was asked for is there."""
        return not self.why


class Flights:
    """Flights of a scenario with its variables at other values.

    outputs: what is asked of each, with the fields of an `Asked`; of what is known only after a flight, like
    clearances, derivatives are differences. nodes: legs that begin with a motion of their own (6,), which are
    the last of the unknowns (see `nodes`); the gaps there are the last of the outputs. times: see
    `pushed.Pushed`. asked, flown,
    differentiated: how many were asked for, flown, and differentiated so far."""

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
        self.scenario = put(scenario, unknowns, self.start)
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
        """The legs that are flown for the requested quantities."""
        return tuple(self._pushed.parents)

    @property
    def noise(self) -> float:
        """Part of what flights give by which they may be off, from their tolerances; none of fixed steps,
        which change smoothly."""
        solvers = [stage.flying.of(self.scenario).solver for stage in self._pushed.stages.values()]
        return max(0.0 if one.fixed_step else NOISE * float(np.max(one.tolerance)) for one in solvers)

    def changed(self, x: np.ndarray) -> Any:
        """The scenario with the variables at x. Raises BadInput where it does not admit them."""
        return put(self.scenario, self.unknowns, x)

    def at(self, x: np.ndarray) -> Flown:
        """The flight with the variables at x (variables,)."""
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
            self.changed(x)
        except BadInput as error:
            return Flown(x, none, f"the scenario is refused: {error.problems[0]}")
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
        return f"{self.outputs[k].quantity}, {self.outputs[k].where}, has no value: {why}"

    def jacobian(self, flown: Flown) -> np.ndarray:
        """Derivatives (outputs, variables) of the requested quantities, in SI per unit of each variable."""
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
        """Derivatives that are all numbers. Raises BadInput for others."""
        if np.isfinite(found).all():
            return found
        row, column = np.argwhere(~np.isfinite(found))[0]
        one = self.outputs[row]
        text = (
            f"has no derivative with respect to {self.unknowns[column].name} there. Choose another quantity"
        )
        raise BadInput(Problem(f"{one.quantity} {one.where}", text))

    def differences(self, x: np.ndarray) -> np.ndarray:
        """The same by central differences of flights, to one side where bounds or flights that fail leave no
        other. Not a number where neither can be flown."""
        found = np.zeros((len(self.outputs), len(self.unknowns)))
        for k, one in enumerate(self.unknowns):
            found[:, k] = self._difference(x, k, STEP * one.scale)
        return found

    def _difference(self, x: np.ndarray, k: int, step: float) -> np.ndarray:
        def moved(by: float) -> np.ndarray:
            if not self.unknowns[k].low <= x[k] + by <= self.unknowns[k].high:
                return np.full(len(self.outputs), np.nan)
            return self._flown(x + by * np.eye(len(x))[k]).values

        ahead, behind = moved(step), moved(-step)
        if np.isfinite(ahead).all() and np.isfinite(behind).all():
            return (ahead - behind) / (2 * step)
        side, near = (1, ahead) if np.isfinite(ahead).all() else (-1, behind)
        return side * (4 * near - moved(2 * side * step) - 3 * self.at(x).values) / (2 * step)


def _output(one: Any) -> Output:
    return Output(one.quantity, one.at, one.side, one.take, one.during)


def _inputs(scenario: Any, unknowns: Sequence[Unknown]) -> tuple[dict[str, list[Any]], np.ndarray]:
    """The numbers that move alike, by name, and by how much they do so (inputs, variables)."""
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
