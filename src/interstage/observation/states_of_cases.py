"""States of many cases at the ends of their steps and inside the steps, and functions of these states.

All states of all cases are in one array, so that one NumPy call computes all states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jvp
from ..programs.program import Program
from ..quantities.catalogue import catalogue
from .observation import near
from .records_of_cases import (
    SIDE_BY_SIDE,
    Chunk,
    Rows,
    all_stepped,
    quantity_function,
    step_state,
    steps_by_numpy,
)


class Spots(NamedTuple):
    """States of several cases.

    - `lane` (n,): index of the case of each state.
    - t (n,) [s], x (component, n), discrete (..., n): time, state and discrete states.
    """

    lane: np.ndarray
    t: np.ndarray
    x: np.ndarray
    discrete: Any

    @staticmethod
    def join(several: Sequence[Spots]) -> Spots:
        """Return several sets of states as one set."""
        return Spots(*jax.tree.map(lambda *leaves: np.concatenate(leaves, -1), *map(tuple, several)))

    def some(self, index: Any) -> Spots:
        """Return the states with the given indices, or the states that a boolean mask selects."""
        return Spots(*jax.tree.map(lambda leaf: leaf[..., index], tuple(self)))


class CaseStates:
    """Access to the states of a group of cases that were computed together. `rows`: all integration steps of
    the group.
    """

    def __init__(self, program: Program, chunk: Chunk, rows: Rows):
        self.program, self.chunk, self.rows = program, chunk, rows

    def spots(self, lane: np.ndarray, row: np.ndarray, ends: bool = False) -> Spots:
        """Return the states at the starts of steps. If `ends` is true, return the states at the ends of the
        steps, before any jump.

        `lane`, `row` (n,): indices of the case and of the step.
        """
        rows = self.rows
        t, x = (rows.t_end, rows.x_end) if ends else (rows.t, rows.x)

        def of_rows(array: Any) -> Any:
            return np.moveaxis(np.asarray(array)[row, ..., lane], 0, -1)

        return Spots(lane, *jax.tree.map(of_rows, (t, x, rows.discrete)))

    def at(self, spots: Spots, function: Callable[..., Any]) -> Any:
        """Return function(mechanism, t, x, discrete) of states. The result is a tree of arrays with the state
        as last axis.
        """
        return self._in_parts(spots, (), function)

    def later(self, spots: Spots, h: np.ndarray, compiled: bool | None = None) -> Spots:
        """Return the states at the times h (n,) [s] after given states. No event may occur in between.

        Each state is reached by one integration step. With a fixed step, several steps may be necessary.
        `compiled`: false to use NumPy in any case. Default: chosen from the number of states.
        """
        solver, states = self.chunk.scenario.solver, (*spots[1:], h)
        stepped = partial(self._step_of, spots.lane, compiled)
        if solver.fixed_step:
            states = near(states, self._of_lanes(np.asarray(solver.step), spots.lane), stepped)
        return spots._replace(t=states[0] + states[3], x=stepped(states))

    def _step_of(self, lane: np.ndarray, compiled: bool | None, states: Any) -> np.ndarray:
        """The states x (component, n) a step after states (t, x, discrete, h) of cases."""
        if compiled is None and not steps_by_numpy(self.program, self.chunk, len(lane)):
            return self._step_by_program(lane, states)

        def step(mechanism: Any, *states: Any) -> Any:
            return step_state(self.program, mechanism, *states)

        return self._in_parts(Spots(lane, *states[:3]), states[3:], step)

    def _step_by_program(self, lane: np.ndarray, states: Any) -> np.ndarray:
        """The same by the compiled program, which takes as many states of each case."""
        some = np.flatnonzero(states[3])
        if some.size < len(lane):
            # Most of the states between two rows are already at their times.
            x = np.array(states[1])
            if some.size:
                part = jax.tree.map(lambda a: np.asarray(a)[..., some], tuple(states))
                x[..., some] = self._step_by_program(lane[some], part)
            return x
        order = np.argsort(lane, kind="stable")
        sorted_ = lane[order]
        place = np.empty(len(lane), int)
        place[order] = np.arange(len(lane)) - np.searchsorted(sorted_, sorted_)
        shape = place.max() + 1, np.shape(self.rows.t)[1]
        number = np.zeros(shape, int)  # where a case has fewer, the first, whose step is not read
        number[place, lane] = np.arange(len(lane))
        wide = jax.tree.map(lambda a: np.moveaxis(np.asarray(a)[..., number], -2, 0), tuple(states))
        found = all_stepped(self.program, self.chunk.scenario, self._reference, wide)
        return np.moveaxis(found[place, :, lane], 0, -1)

    def _in_parts(self, spots: Spots, more: tuple[np.ndarray, ...], function: Callable[..., Any]) -> Any:
        """function(mechanism, t, x, discrete, *more), so many states at a time as stay in the cache."""
        most = max(1, SIDE_BY_SIDE // self.program.layout.count)
        found = []
        for first in range(0, max(len(spots.lane), 1), most):
            part = slice(first, first + most)
            found.append(self._whole(spots.some(part), [one[part] for one in more], function))
        return found[0] if len(found) == 1 else jax.tree.map(lambda *a: np.concatenate(a, -1), *found)

    def _whole(self, spots: Spots, more: list[np.ndarray], function: Callable[..., Any]) -> Any:
        program, lane = self.program, spots.lane
        if len(lane) == 1:  # NumPy adds the products of a single column in another order
            twice = self._whole(spots.some([0, 0]), [one[[0, 0]] for one in more], function)
            return jax.tree.map(lambda values: values[..., :1], twice)
        given = jax.tree.map(partial(self._of_lanes, lane=lane), (self.chunk.scenario, self._reference))

        def whole(scenario: Any, found: Any, reference: Any, *states: Any) -> Any:
            return function(program.mechanism(scenario, 1, reference, found), *states)

        return program.at_once(whole)(*given, *spots[1:], *more)

    def _of_lanes(self, leaf: Any, lane: np.ndarray) -> Any:
        """A leaf of the scenario for the case of each state; a leaf that all cases share stays as it is."""
        width = np.shape(self.rows.t)[1]
        return leaf[..., lane] if width > 1 and np.shape(leaf)[-1:] == (width,) else leaf

    @cached_property
    def _catalogue(self) -> Any:
        return catalogue(self.program.layout.scenario)

    @cached_property
    def _reference(self) -> Any:
        return jax.device_get(self.chunk.start.reference)

    # --- quantities

    def quantities(self, spots: Spots, stems: tuple[str, ...]) -> dict[str, np.ndarray]:
        """Return quantities of states, by path: (n,) or (n, components)."""
        if not len(spots.lane):
            shapes = {path: self._catalogue[path].meta.components for path in stems}
            return {path: np.zeros((0, len(names)) if names else 0) for path, names in shapes.items()}
        found = self.at(spots, self._values(stems)) if stems else {}
        return {path: np.moveaxis(values, -1, 0) for path, values in found.items()}

    def rates(self, spots: Spots, stem: str) -> tuple[np.ndarray, np.ndarray]:
        """Return a quantity of states, and its time derivative between events. Both results have the shape
        (n,) or (n, components).
        """
        values = self._values((stem,))

        def function(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
            def one(t: Any, x: Any) -> Any:
                return values(mechanism, t, x, discrete)[stem]

            return jvp(one, (t, x), (np.ones_like(t), mechanism.derivative(t, x, discrete)))

        value, rate = self.at(spots, function)
        return np.moveaxis(value, -1, 0), np.moveaxis(np.broadcast_to(rate, value.shape), -1, 0)

    def _values(self, stems: tuple[str, ...]) -> Callable[..., dict[str, Any]]:
        """The function (mechanism, t, x, discrete) -> values of quantities, ([component,] n)."""
        function = quantity_function(self.program, stems, self._catalogue)
        return lambda mechanism, *state: function(self.program, mechanism, *state, None)
