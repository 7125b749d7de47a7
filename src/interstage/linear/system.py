"""Inputs and outputs of a flight, and its equations of motion with rigid joints at operating points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..engine.layout import Layout
from ..maths.arrays import jax
from ..model.formulation import LagrangeMultiplier
from ..programs.program import Program, program_for
from ..sensitivities.directions import Changing, Directions, Flying
from ..tree.declaration import with_values
from .coordinates import Axes
from .points import Course, Point
from .ports import Input, Output, signals_of

AT_ONCE = 16384
"""Largest product of directions and bodies that are computed together. For a chain of ten bodies with 20
directions, a point takes 0.6 ms. With ten times this product, memory access increases the time to 2 ms.
"""


def rigid(scenario: Any) -> Any:
    """Return the scenario with a formulation of rigid joints, whatever formulation the flight uses."""
    if isinstance(scenario.solver.formulation, LagrangeMultiplier):
        return scenario
    solver = with_values(scenario.solver, formulation=LagrangeMultiplier(), stabilization="projection")
    return with_values(scenario, solver=solver)


class System:
    """Equations of motion of a flight, with inputs and outputs.

    - axes: axes of displacements and velocities of root bodies, see `coordinates.Tree`.
    - wanted: names of independent coordinates for closed loops.
    - shaft: name of the joint that turns a rotor; empty without a rotor.
    """

    def __init__(
        self,
        course: Course,
        inputs: Sequence[Input],
        outputs: Sequence[Output],
        axes: Axes | None,
        wanted: Sequence[str],
        shaft: str = "",
    ):
        self.course, self.inputs, self.outputs, self.wanted = course, inputs, outputs, wanted
        self.shaft = shaft
        self.axes: Axes | None = axes

    @cached_property
    def program(self) -> Program:
        """Return the program with equations of rigid joints. This program needs no compilation."""
        return program_for(rigid(self.course.own))

    @property
    def layout(self) -> Layout:
        """Return the indices of bodies, joints and models."""
        return self.program.layout

    @cached_property
    def flying(self) -> Flying:
        """Return the compiled program, and the function that extracts the data of a scenario for it."""
        of = self.course.flying.of
        return Flying(self.program, lambda scenario: rigid(of(scenario)))

    @property
    def scenario(self) -> Any:
        """Return the scenario of the flight with equations of rigid joints."""
        return self.flying.of(self.course.mission)

    @property
    def reference(self) -> Any:
        """Return the reference data from the start of the flight."""
        return self.course.first.reference

    @property
    def loose(self) -> bool:
        """Return whether the formulation of the flight permits joint errors above the level of rounding."""
        solver = self.course.own.solver
        return solver.stabilization != "projection" or solver.elastic or solver.own_steps

    @cached_property
    def signals(self) -> list[str]:
        """Return the names of the signals that inputs change."""
        known = [*signals_of(self.layout)]
        return [known[one.place[0]] for one in self.inputs if one.kind == "signal"]

    def state_of(self, point: Point) -> np.ndarray:
        """Return the state of an operating point, converted to the order of the states in these equations."""
        mine, flown = self.layout, self.course.program.layout
        size = 13 * mine.count + 6
        found = np.zeros(size + mine.extra)
        found[:size] = point.state[:size]
        for name, (first, count) in mine.places.items():
            its, many = flown.places.get(name, (0, 0))
            if many == count:
                found[size + first : size + first + count] = point.state[size + its : size + its + many]
        return found

    def at_once(self, directions: int) -> int:
        """Return the number of operating points that are evaluated together. directions: number of
        derivatives.
        """
        return max(1, AT_ONCE // max(1, directions * self.layout.count))

    def along(
        self, function: Any, value: Any, changes: list[Any], fast: np.ndarray | None = None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the values (..., point) and derivatives (..., point, direction) of all results of a
        function, as a list of pairs.

        - function: function of the mechanism and the operating points.
        - value: operating points.
        - changes: for each array of the operating points, its changes (point, ..., direction), or None if it
          is constant. The last directions are the inputs.
        - fast (direction,): true for directions that change velocities only. For many operating points the
          velocity directions are computed in a separate call, which is faster.
        """
        width = next(change.shape[-1] for change in changes if change is not None)
        moves = [*[()] * (width - len(self.inputs)), *(one.targets for one in self.inputs)]
        groups = [np.arange(width)]
        if fast is not None and len(jax.tree.leaves(value)[0]) > self.at_once(width):
            groups = [some for some in (np.flatnonzero(~fast), np.flatnonzero(fast)) if some.size]
        found = []
        for some in groups:
            own = [None if change is None else change[..., some] for change in changes]
            found.append(self._along([moves[k] for k in some], function, value, own))
        if len(found) == 1:
            return found[0]
        order = np.argsort(np.concatenate(groups))
        return [
            (parts[0][0], np.concatenate([change for _, change in parts], -1)[..., order])
            for parts in zip(*found, strict=True)
        ]

    def _along(self, moves: list[Any], function: Any, value: Any, changes: list[Any]) -> list[Any]:
        """As `along`, for a few directions."""
        directions, settled = Directions(moves), self.reference
        reference = Changing(settled, [None] * len(jax.tree.leaves(settled)))
        whole, parts = Changing(value, changes), []
        count, several = len(jax.tree.leaves(value)[0]), self.at_once(len(moves))
        for first in range(0, count, several):
            some = whole.part([*range(first, min(first + several, count))])
            parts.append(directions.of_places(self.course.mission, self.flying, function, some, reference))
        if len(parts) == 1:
            return parts[0]
        return [
            (np.concatenate([v for v, _ in one], -1), np.concatenate([c for _, c in one], -2))
            for one in zip(*parts, strict=True)
        ]
