"""Flights of one structure with other numbers: what is asked of them, and its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...flight.after import known_after
from ...flight.targets import targets_of
from ...tree.errors import BadInput
from .pushed_for_now import Pushed
from .variables import Unknown, put

KEPT = 8
"""Flights that are kept: solvers ask again for what they have just asked for."""
STEP = 1e-3
"""Differences go so many scales to either side: flights have errors of about their tolerance, 1e-9, and
its third root weighs them against the bend of the curve."""
INTERRUPTED = "Interrupted"


@dataclass
class Flown:
    """One flight: x (variables,); values (outputs,), not a number where a moment did not come; why: what is
    wrong then, else nothing; record: of it, none where the scenario was refused."""

    x: np.ndarray
    values: np.ndarray
    why: str
    record: Any = None
    point: Any = None
    jacobian: np.ndarray | None = None

    @property
    def fine(self) -> bool:
        """Whether all that was asked for is there."""
        return not self.why


class Flights:
    """Flights of a scenario with its variables at other values.

    outputs: what is asked of each, with the fields of an `Asked`. asked, flown, differentiated: how many were
    asked for, flown, and differentiated so far."""

    def __init__(self, scenario: Any, unknowns: Sequence[Unknown], outputs: Sequence[Any]) -> None:
        self.unknowns, self.outputs = tuple(unknowns), tuple(outputs)
        self.start = np.array([one.start for one in unknowns])
        self.scenario = put(scenario, unknowns, self.start)
        self.asked = self.flown = self.differentiated = 0
        self._kept: dict[bytes, Flown] = {}
        inputs, self._gains = _inputs(self.scenario, self.unknowns)
        self._z = np.array([float(targets[0].nominal) for targets in inputs.values()])
        exact = [known_after(self.scenario, one.quantity) is None for one in self.outputs]
        self._by_differences = np.flatnonzero(np.logical_not(exact))
        self._pushed = Pushed(self.scenario, inputs, self.outputs)

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
            point = self._pushed.at(self._z + self._gains @ (x - self.start))
        except BadInput as error:
            return Flown(x, none, str(error.problems[0]))
        if point.record.outcome.startswith(INTERRUPTED):
            raise KeyboardInterrupt
        values = np.asarray(point.values, float)
        return Flown(x, values, self._why(values, point.record), point.record, point)

    def _why(self, values: np.ndarray, record: Any) -> str:
        """Why a value is missing; nothing where none is."""
        missing = [one for one, value in zip(self.outputs, values, strict=True) if not np.isfinite(value)]
        if not missing:
            return ""
        text = f"{missing[0].quantity}, {missing[0].where}, has no value in this flight"
        return text if record.completed else f"{text}: {record.outcome}"

    def jacobian(self, flown: Flown) -> np.ndarray:
        """Derivatives (outputs, variables) of what is asked for, in SI by the unit of each variable."""
        if flown.jacobian is None:
            self.differentiated += 1
            flown.jacobian = self._pushed.jacobian(flown.point) @ self._gains
            if len(self._by_differences):
                rows = self._by_differences
                flown.jacobian[rows] = self.differences(flown.x)[rows]
        return flown.jacobian

    def differences(self, x: np.ndarray, told: Callable[[str], None] = lambda _: None) -> np.ndarray:
        """The same by central differences of flights, where bounds leave no room to one side only. Not a
        number where a flight failed."""
        found = np.zeros((len(self.outputs), len(self.unknowns)))
        for k, one in enumerate(self.unknowns):
            told(one.name)
            step = STEP * one.scale
            places, weights = (-step, step), (-0.5 / step, 0.5 / step)
            if x[k] + step > one.high:
                places, weights = (-2 * step, -step, 0.0), (0.5 / step, -2 / step, 1.5 / step)
            elif x[k] - step < one.low:
                places, weights = (0.0, step, 2 * step), (-1.5 / step, 2 / step, -0.5 / step)
            for move, weight in zip(places, weights):
                moved = np.array(x, float)
                moved[k] += move
                found[:, k] += weight * self._flown(moved).values
        return found


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
