"""Directional derivatives of program inputs, initial states and quantities with respect to scenario values.

Dual numbers (`maths.dual`) compute the derivatives along all directions in one evaluation, without a
compiler. The derivatives are arrays (..., direction).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..engine.event_table import EventTable
from ..engine.quantity import scalar
from ..engine.stacks import stacks
from ..maths.arrays import is_traced, jax, jnp
from ..maths.dual import along
from ..programs.program import Program
from ..programs.targets import Target
from ..runs.hand_over import Side
from ..runs.switching import start_after
from ..starts.start import begin
from ..tree.addresses import get, replace_leaf


class Changing(NamedTuple):
    """Tree of arrays with their derivatives.

    - value: tree of arrays.
    - changes: derivative (..., direction) of each leaf of the tree; None for a leaf that is not of a
      floating-point type.
    """

    value: Any
    changes: list[Any]

    def part(self, which: int | list[int]) -> Changing:
        """Return one or several entries of the first axis of all arrays. which: index or indices of the
        entries.
        """
        value = jax.tree.map(lambda leaf: leaf[which], self.value)
        return Changing(value, [None if c is None else c[which] for c in self.changes])

    @property
    def still(self) -> bool:
        """Return whether all derivatives are zero."""
        return not any(c is not None and np.any(c) for c in self.changes)


def changing(value: Any, changes: Any) -> Changing:
    """Return a tree of arrays with their derivatives. changes: tree of the derivatives."""
    kinds = [np.asarray(leaf).dtype.kind == "f" for leaf in jax.tree.leaves(value)]
    found = [c if real else None for c, real in zip(jax.tree.leaves(changes), kinds, strict=True)]
    return Changing(value, found)


class Flying(NamedTuple):
    """Program, and the part of a scenario that it simulates.

    - program: program of a flight or leg.
    - of: function that returns the leg from the scenario of a mission, or the whole scenario without
      legs.
    """

    program: Program
    of: Callable[[Any], Any]

    def arguments(self, scenario: Any) -> tuple[Any, Any]:
        """Return the reduced scenario that enters the program, and its stacked values. A case axis is
        added.
        """
        form = jax.tree.map(_with_lanes, self.program.form(self.of(scenario)))
        return form, stacks(self.program.layout, form, 1)


class Directions:
    """Directions of derivatives with respect to scenario values. Along a direction, all targets of an input
    change equally.

    moves: targets that change along each direction.
    """

    def __init__(self, moves: Sequence[Sequence[Target]]):
        self.count = len(moves)
        self._changes: dict[str, np.ndarray] = {}
        for k, targets in enumerate(moves):
            for target in targets:
                empty = np.zeros((*target.leaf.shape, self.count))
                self._changes.setdefault(target.path, empty)[(*target.index, ..., k)] += 1.0

    def of_numbers(self, scenario: Any, flying: Flying) -> dict[int, np.ndarray]:
        """Return the derivatives (..., direction) of the numeric program inputs (`compiled.Given`), by index
        of the input.

        Only inputs that change are included.

        flying: program, and the part of the scenario that it simulates.
        """
        touched: list[int] = []

        def numbers_of(changed: Any) -> list[Any]:
            leaves = jax.tree.leaves(flying.arguments(changed))
            touched[:] = [k for k, leaf in enumerate(leaves) if is_traced(leaf)]
            return [leaves[k] for k in touched]

        changes = _of_the_lane(self._along(scenario, numbers_of)[1])
        return dict(zip(touched, changes, strict=True))

    def of_start(self, scenario: Any, flying: Flying) -> Any:
        """Return the derivatives of (state, switches, references, declared constraint errors) at the start of
        a flight.

        The constraint errors have the shape (row,). Each derivative has the direction as an additional last
        axis.

        flying: program, and the part of the scenario that it simulates.
        """
        program = flying.program

        def start_of(changed: Any) -> Any:
            form, found = flying.arguments(changed)
            mechanism = program.mechanism(form, 1, None, found)
            start = begin(mechanism, program.table, (1,), 0.0, found)
            return start.x, start.discrete, start.reference, start.gap

        return _of_the_lane(self._along(scenario, start_of)[1])

    def of_hand_over(
        self, scenario: Any, legs: tuple[Flying, Flying], table: EventTable, end: Changing, settled: Changing
    ) -> Any:
        """Return the derivatives of ((time, state, switches), references) at the start of a leg.

        - legs: preceding leg, and leg that starts.
        - table: event table of the preceding leg, in which the end has its name in the mission.
        - end: time, state and switches at the end of the preceding leg, with derivatives.
        - settled: references of the preceding leg, with derivatives.
        """
        old, new = legs

        def start_of(changed: Any, where: Any, reference: Any) -> Any:
            (form, found), (own, stacked) = (leg.arguments(changed) for leg in legs)
            before = Side(old.program.mechanism(form, 1, reference, found), table)
            into = Side(new.program.mechanism(own, 1, None, stacked), new.program.table)
            begins = start_after(before, into, *where)
            return (begins.time, begins.x, begins.discrete), begins.reference

        more = (_lane_of_one(one) for one in (end, settled))
        return _of_the_lane(self._along(scenario, start_of, *more)[1])

    def of_quantities(
        self, scenario: Any, flying: Flying, chosen: Sequence[Any], places: Changing, reference: Changing
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the values (quantity, point) of quantities at points of a flight, and their derivatives
        (quantity, point, direction) along the directions.

        - scenario, flying: scenario and programs of the flight.
        - chosen: pairs (quantity, component).
        - places: points of the flight (`stepper.replay.Place`); the first axis is the point.
        - reference: reference values of the models, computed at the start of the flight, with derivatives.
        """

        def values(mechanism: Any, where: Any) -> list[Any]:
            here = mechanism.here(*where)
            return [jnp.broadcast_to(scalar(quantity, part, here), here.t.shape) for quantity, part in chosen]

        found = self.of_places(scenario, flying, values, places, reference)
        value, change = (np.stack(part) for part in zip(*found, strict=True))
        return value, change

    def of_places(
        self,
        scenario: Any,
        flying: Flying,
        function: Callable[[Any, Any], list[Any]],
        places: Changing,
        reference: Changing,
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the values (..., point) of a function at points of a flight, and their derivatives (...,
        point, direction).

        - function: function of (mechanism, point) that returns a list of arrays (..., *cases). All points
          are passed together, as cases.
        - places: points of the flight; the first axis is the point.
        - reference: references from the start of the flight.
        """

        def values(changed: Any, where: Any, settled: Any) -> list[Any]:
            form, found = flying.arguments(changed)
            return function(flying.program.mechanism(form, 1, settled, found), where)

        more = _lanes_of_places(places), _lane_of_one(reference)
        return [(np.asarray(v), np.asarray(c)) for v, c in zip(*self._along(scenario, values, *more))]

    def _along(self, scenario: Any, function: Any, *more: Changing) -> Any:
        """Value and change of function(scenario, ...), of the scenario and of what changes besides. The
        values of the scenario have one case, which all cases share."""
        paths = list(self._changes)
        leaves = [np.asarray(get(scenario, path), float)[..., None] for path in paths]
        slopes = [self._changes[path][..., None, :] for path in paths]
        flat, tree = jax.tree.flatten([one.value for one in more])
        changes = [change for one in more for change in one.changes]
        floats = [k for k, change in enumerate(changes) if change is not None and np.any(change)]

        def evaluate(*some: Any) -> Any:
            changed, whole = scenario, list(flat)
            for path, leaf in zip(paths, some):
                changed = replace_leaf(changed, path, leaf)
            for k, leaf in zip(floats, some[len(paths) :], strict=True):
                whole[k] = leaf
            return function(changed, *jax.tree.unflatten(tree, whole))

        values = [*leaves, *(flat[k] for k in floats)]
        with np.errstate(all="ignore"):
            return along(evaluate, values, [*slopes, *(changes[k] for k in floats)], self.count)


def _with_lanes(leaf: Any) -> Any:
    """With a case; what moves has one already."""
    return leaf if is_traced(leaf) else np.asarray(leaf)[..., None]


def _lanes_of_places(places: Changing) -> Changing:
    """Values (place, ...) and changes (place, ..., direction) with places as cases."""
    value = jax.tree.map(lambda a: np.moveaxis(np.asarray(a), 0, -1), places.value)
    return Changing(value, [None if c is None else np.moveaxis(c, 0, -2) for c in places.changes])


def _lane_of_one(one: Changing) -> Changing:
    """Values that are the same in all cases, as one case."""
    changes = [None if c is None else c[..., None, :] for c in one.changes]
    return Changing(jax.tree.map(lambda a: np.asarray(a)[..., None], one.value), changes)


def _of_the_lane(changes: Any) -> Any:
    """Changes (..., direction) in the only case."""
    return jax.tree.map(lambda c: c[..., 0, :], changes)
