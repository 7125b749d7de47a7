"""State-space matrices A, B, C, D at operating points with the same active joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..engine.contract import HasState, Linearizable
from ..engine.contract import LinearState as State
from ..engine.joints_at_once import JointsAtOnce
from ..formulations.joint_motion import cut_rows
from ..maths.arrays import jax, jnp
from ..maths.vectors import norm
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from . import reduction
from .behind import linear_states_of
from .coordinates import Coordinate, Spread, Tree
from .equations import Equations, Place
from .points import Point
from .reduction import Rows
from .shaft import Shaft, shaft_of
from .system import System

CORRECTIONS = 4
"""Number of Newton corrections that close the joints of a state, for formulations that leave joint errors."""
ROUNDINGS = 10.0
"""Number of rounding errors of each state from which the rounding error of the rates is computed, in the
worst combination.
"""
LEAST_FIT = 1e-3
"""Smallest conditioning of independent coordinates at every point (see `reduction.certain`); 1 is best."""


@dataclass(frozen=True)
class Matrices:
    """State-space matrices a, b, c and d at one operating point.

    - start, rates (state,), outputs (output,): states, their rates, and outputs at the operating point.
    - corrected: correction of open joints [m].
    - slopes (rate, state): derivatives of the independent accelerations and of the rates of model states.
    - there (rate,): values of these accelerations and rates.
    - pushed (rate, input): derivatives of the independent accelerations with respect to the inputs.
    - rounding (state,): rounding error of the rates of the states.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray
    start: np.ndarray
    rates: np.ndarray
    outputs: np.ndarray
    corrected: float
    slopes: np.ndarray
    there: np.ndarray
    pushed: np.ndarray
    rounding: np.ndarray


class Lifted(NamedTuple):
    """Derivatives with respect to the independent states and the inputs (the directions) at one operating
    point.

    - positions (coordinate, direction): derivatives of all coordinates.
    - rates (coordinate, direction): derivatives of all velocities.
    - behind (linear state, direction): derivatives of the linear states of models.
    """

    positions: np.ndarray
    rates: np.ndarray
    behind: np.ndarray


class Picked(NamedTuple):
    """Indices of the coordinates, of the coordinate rates and of the linear states of models that form the
    state vector.
    """

    positions: tuple[int, ...]
    rates: tuple[int, ...]
    behind: tuple[int, ...]


class Group:
    """Operating points with the same active joints, and the linear equations at these points."""

    def __init__(self, system: System, points: Sequence[Point]):
        self.system, self.points = system, points
        self.tree = Tree(system.layout, np.asarray(points[0].discrete.mode), system.axes, system.wanted)
        self.equations = Equations(self.tree, [one.quantity for one in system.outputs], system.signals)
        self.discrete = jax.tree.map(lambda *parts: np.stack(parts), *[point.discrete for point in points])
        self.t = np.array([point.time for point in points])
        self.own, self.behind, self.linear_states, self.ordinary, self.corrected, reach = self._state_data()
        self._turn_the_shaft()
        self.spread = self.tree.spread(self.own)
        self.length = float(np.max(reach)) if np.max(reach) > 0 else 1.0
        self.sizes = np.array([self.length if one.unit == "m" else 1.0 for one in self.coordinates])

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Return the coordinates of the tree."""
        return self.tree.coordinates

    def _state_data(self) -> tuple[np.ndarray, ...]:
        """State data of the points.

        Joint coordinates, states of models, and linear states of models, (point, number) each; states of all
        bodies; correction of open joints [m] (point,); arm lengths to the joints [m] (point,)."""
        layout, forest = self.system.layout, self.tree.forest
        size = 13 * layout.count + 6
        correcting = self.system.loose and layout.table.count > 0

        def at_state(mechanism: Any, t: Any, x: Any, discrete: Any) -> tuple[Any, ...]:
            before = x
            for _ in range(CORRECTIONS if correcting else 0):
                x = mechanism.correct(t, x, discrete)[0]
            x = mechanism.normalize_state(x)
            now = mechanism.at(x, discrete)
            own = JointsAtOnce(now, forest).own(t, x, discrete)
            arms = [jnp.max(norm(arm), 0, initial=0.0) for arm in (now.numbers.arm_a, now.numbers.arm_b)]
            reach = jnp.broadcast_to(jnp.maximum(*arms), t.shape)
            linear = self.equations.behind.to_linear(now, x, x)
            return own[:size], x[size:], linear, x, (x - before)[: 3 * layout.count], reach

        state = np.stack([self.system.state_of(point) for point in self.points], -1)
        lanes = jax.tree.map(lambda leaf: np.moveaxis(leaf, 0, -1), self.discrete)
        where = self.system.scenario, self.system.reference, self.t, state, lanes
        own, behind, linear, near, moved, reach = self.system.program.of_samples(at_state)(*where)
        return own.T, behind.T, linear.T, near.T, np.max(np.abs(moved), 0, initial=0.0), reach

    @cached_property
    def shaft(self) -> Shaft:
        """Return the joint that turns the rotor. Raises BadInput if the joint cannot be a shaft."""
        return shaft_of(self.tree, self.system.scenario, self.system.shaft)

    def _turn_the_shaft(self) -> None:
        """Rotate the shaft of points with `turn`: this is another time, also for other effects that depend on
        time."""
        turn = np.array([point.turn for point in self.points])
        if np.any(turn):
            shaft = self.shaft
            if shaft.coordinate is None:
                rate = np.full(len(turn), shaft.rate)
            else:
                one = self.coordinates[shaft.coordinate]
                rate = self.own[:, self.tree.rate_entry(one)]
                self.own[:, self.tree.place_entry(one)] += turn
            self.t = self.t + np.divide(turn, rate, out=np.zeros_like(turn), where=rate != 0)
            if not self.equations.behind.plain:  # linear states move along
                still = (np.zeros((*some.shape, 1)) for some in (self.own, self.linear_states))
                self.behind = self._from_linear(*still, self.ordinary)[0].T

    # --- directions

    def _along(self, function: Any, own: np.ndarray, behind: np.ndarray) -> list[tuple[Any, Any]]:
        """Values and derivatives of a function of the equations along changes of tree states (point, number,
        direction) and of model states; the last directions are for inputs."""
        place, changes = self._place(own, behind)
        n, width = self.system.layout.count, own.shape[-1]
        moving = [own[:, : 3 * n], own[:, 6 * n : 10 * n], behind]
        fast = ~np.any([np.any(some, (0, 1)) for some in moving], 0)
        loads = np.array([one.kind == "load" for one in self.system.inputs], bool)
        fast[width - len(loads) :] &= loads
        return self.system.along(function, place, changes, fast)

    def _from_linear(
        self, own: np.ndarray, linear: np.ndarray, *near: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """States of models (number, point), and their derivatives (number, point, direction), along changes
        of tree states and linear states. near (point, number): states from which small rotations count."""
        place, changes = self._place(own, np.zeros((*self.behind.shape, own.shape[-1])))
        value, more = (place, self.linear_states, *near), [*changes, linear, *[None] * len(near)]
        (found,) = self.system.along(self.equations.from_linear, value, more)
        return found

    def _place(self, own: np.ndarray, behind: np.ndarray) -> tuple[Place, list[Any]]:
        """The points and their derivatives along directions, including inputs."""
        system, points = self.system, len(self.points)
        n, width = system.layout.count, own.shape[-1]
        push, added = np.zeros((points, 6, n, width)), np.zeros((points, len(system.signals), width))
        first, signal = width - len(system.inputs), 0
        for k, one in enumerate(system.inputs):
            if one.kind == "load":
                push[:, one.place[0], one.place[1], first + k] = 1.0
            if one.kind == "signal":
                added[:, signal, first + k] = 1.0
                signal += 1
        none = np.zeros((points, 6, n)), np.zeros((points, len(system.signals)))
        value = Place(self.t, self.own, self.behind, self.discrete, *none)
        still = [None] * len(jax.tree.leaves(self.discrete))
        return value, [None, own, behind, *still, push, added]

    # --- constraints of closed loops

    @cached_property
    def _restrictions(self) -> list[tuple[Rows, Rows, np.ndarray]]:
        """Constraints outside the tree at each point, in scaled coordinates.

        Rows of positions; rows of rates, with terms of model states (at attachment nodes) and inputs; terms
        of positions in the rows of rates (row, coordinate). Raises BadInput."""
        layout, table, points = self.system.layout, self.system.layout.table, len(self.points)
        rows, count, others = (
            self._loop_rows,
            len(self.coordinates),
            self._coupled_count + len(self.system.inputs),
        )
        if self._tree_alone:
            none = np.zeros((0, count)), np.zeros((0, others))
            return [(Rows(*none), Rows(*none), none[0])] * points
        unmoved = np.zeros((points, self.own.shape[1], others))
        own = np.concatenate([*(np.moveaxis(part, 0, 1) for part in self.spread[:2]), unmoved], -1)
        behind = np.zeros((points, self.behind.shape[1], own.shape[-1]))
        behind[:, :, 2 * count : 2 * count + self._coupled_count] = np.eye(self.behind.shape[1])[
            :, : self._coupled_count
        ]
        (_, g), (_, gdot) = self._along(self.equations.rows, own, behind)
        sizes = np.concatenate([self.sizes, self.sizes, np.ones(others)])
        found = []
        for p in range(points):
            held = rows[self.discrete.active[p, rows] > 0] if layout.switching else rows
            whole = held[table.holonomic[held]]
            by_place, by_rate = g[whole, p] * sizes, gdot[held, p] * sizes
            places = Rows(by_place[:, :count], by_place[:, 2 * count :])
            rates = Rows(by_rate[:, count : 2 * count], by_rate[:, 2 * count :])
            for one in (places, rates):
                self._look_at(Rows(one.matrix, one.by[:, : self._coupled_count]))
            found.append((places, rates, by_rate[:, :count]))
        return found

    def closing(self, p: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the position constraints outside the tree at operating point p.

        The result has the indices of the rows (row,), their matrix (row, coordinate) in scaled coordinates,
        and an orthonormal base of the free motions (coordinate, motion).
        """
        if self._tree_alone:
            return self._loop_rows, np.zeros((0, len(self.coordinates))), self._bases[p][0]
        held = (
            self._loop_rows[self.discrete.active[p, self._loop_rows] > 0]
            if self.system.layout.switching
            else self._loop_rows
        )
        rows = held[self.system.layout.table.holonomic[held]]
        return rows, self._restrictions[p][0].matrix, self._bases[p][0]

    @cached_property
    def _loop_rows(self) -> np.ndarray:
        """Indices of the rows outside the tree."""
        return cut_rows(self.tree.forest, self.system.layout.table, self.tree.reachable)

    @property
    def _tree_alone(self) -> bool:
        """Whether the tree satisfies all rows, so that all coordinates are independent at every point."""
        return not self._loop_rows.size

    @property
    def _coupled_count(self) -> int:
        """Number of model states on which rows may depend: all, if joints are at attachment nodes."""
        return self.behind.shape[1] if self.system.layout.columns.joints_at_nodes else 0

    @cached_property
    def _by_linear_states(self) -> np.ndarray:
        """Derivatives of model states by linear states with fixed bodies (point, number, direction). Only
        flexible bodies have rows that depend on them."""
        points, linear, inputs = len(self.points), self.linear_states.shape[1], len(self.system.inputs)
        along = np.concatenate([np.eye(linear), np.zeros((linear, inputs))], 1)
        along = np.tile(along, (points, 1, 1))
        if self.equations.behind.plain:
            return along[..., :linear]
        still = np.zeros((*self.own.shape, linear + inputs))
        return np.moveaxis(self._from_linear(still, along)[1], 0, 1)[..., :linear]

    def _look_at(self, rows: Rows) -> None:
        """Refuse rows that rigid motion cannot satisfy when model states change. Raises BadInput."""
        if not reduction.satisfiable(rows):
            text = "redundant joints constrain the deformation of flexible bodies"
            raise BadInput(
                Problem(
                    "joints",
                    f"{text}. Linear equations do not support such joints. Remove redundant joints, or "
                    "use bushings",
                )
            )

    @cached_property
    def _bases(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Orthonormal bases of free displacements and of free rates at each point."""
        motions = reduction.motions
        if self._tree_alone:
            every = np.eye(len(self.coordinates))
            return [(every, every)] * len(self.points)
        return [(motions(places.matrix), motions(rates.matrix)) for places, rates, _ in self._restrictions]

    @cached_property
    def chosen_states(self) -> Picked:
        """Return the indices of the states: independent coordinates and rates that are valid at all points.
        Raises BadInput if there are none.
        """
        return self._pick_states(self._bases, self._moving if self._loose.size else None)

    def _pick_states(self, bases: Sequence[Sequence[np.ndarray]], moving: list[np.ndarray] | None) -> Picked:
        """Indices that are valid for all of these bases of displacements, rates and model states."""
        positions = self._serving([places for places, _ in bases], self._wanted_indices)
        rates = self._serving([speeds for _, speeds in bases], positions)
        behind = () if moving is None else self._serving(moving, ())
        whole = np.arange(self.linear_states.shape[1])
        kept = np.ones(len(whole), bool)
        kept[self._loose] = np.isin(np.arange(len(self._loose)), behind)
        return Picked(positions, rates, tuple(int(k) for k in whole[kept]))

    @cached_property
    def alike(self) -> list[list[int]]:
        """Return lists of indices of the operating points with the same independent states.

        The states of a point are selected from this point alone. Therefore a result does not depend on other
        requested points.
        """
        if self._tree_alone and not self._keeping:
            return [[*range(len(self.points))]]
        found: dict[Picked, list[int]] = {}
        for p, bases in enumerate(self._bases):
            own = self._pick_states([bases], [self._moving[p]] if self._loose.size else None)
            found.setdefault(own, []).append(p)
        return [*found.values()]

    def _serving(self, bases: list[np.ndarray], wanted: Sequence[int]) -> tuple[int, ...]:
        """Independent coordinates by which the motions of all points can be described. Raises BadInput."""
        counts = {base.shape[1] for base in bases}
        if len(counts) > 1:
            few, many = min(counts), max(counts)
            text = f"the mechanism has {few} degrees of freedom at some times, but {many} at other times"
            raise BadInput(
                Problem("at", f"{text}. Run the command once for each number of degrees of freedom")
            )
        best: tuple[float, tuple[int, ...]] = (0.0, ())
        bases = [*{id(base): base for base in bases}.values()]
        for base in bases:
            chosen = reduction.independent(base, wanted)
            least = min(reduction.certain(other, chosen) for other in bases)
            if least >= LEAST_FIT:
                return chosen
            best = max(best, (least, chosen))
        text = (
            "no independent coordinates are valid at all requested times, because the mechanism passes "
            "through singular poses"
        )
        raise BadInput(Problem("at", f"{text}. Request fewer times in one run"))

    @property
    def _wanted_indices(self) -> list[int]:
        """Indices of the coordinates that the user requested. Raises BadInput."""
        names = [one.name for one in self.coordinates]
        unknown = [name for name in self.system.wanted if name not in names]
        if unknown:
            raise BadInput(
                Problem("coordinates", f"there is no coordinate '{name}'; {near(name, names, 'coordinates')}")
                for name in unknown
            )
        return [names.index(name) for name in self.system.wanted]

    @property
    def _loose(self) -> np.ndarray:
        """Model states that are used unchanged."""
        return self.equations.behind.loose[0]

    @property
    def _keeping(self) -> list[tuple[str, HasState]]:
        """Models with constraints among such states."""
        parts = self.system.layout.having(HasState)
        return [
            (part.name, part) for part in parts if part.states and not linear_states_of(part) and _keeps(part)
        ]

    @cached_property
    def _moving(self) -> list[np.ndarray]:
        """Orthonormal base (number, any) of the free directions of such states, at each point."""
        count, own, kept = self.behind.shape[1], self.equations.behind.loose[1], self._keeping
        if not kept:
            return [np.eye(len(own))] * len(self.points)

        def restore_states(mechanism: Any, place: Place) -> list[Any]:
            here = self.equations.here(mechanism, place)
            found = {name: _project_states(part, here) for name, part in kept}
            found = {name: own for name, own in found.items() if own is not None}
            return [mechanism.trailing_state(mechanism.with_own(here.x, found, "restore"))]

        points, inputs = len(self.points), len(self.system.inputs)
        along = np.concatenate([np.eye(count)[:, own], np.zeros((count, inputs))], 1)
        behind = np.tile(along, (points, 1, 1))
        ((_, change),) = self._along(restore_states, np.zeros((*self.own.shape, behind.shape[-1])), behind)
        return [_range(change[own, p, : len(own)]) for p in range(points)]

    # --- states and matrices

    @cached_property
    def lift_derivatives(self) -> list[Lifted]:
        """Return the derivatives of coordinates, rates and linear states with respect to states and inputs,
        for each point.
        """
        if self._tree_alone and not self._keeping:
            return [self._lift(0)] * len(self.points)
        return [self._lift(p) for p in range(len(self.points))]

    def _lift(self, p: int) -> Lifted:
        places, rates, mixed = self._restrictions[p]
        picked, inputs, sizes = self.chosen_states, len(self.system.inputs), self.sizes[:, None]
        beside = self._coupled_count
        of_places, of_rates = self._bases[p]
        position = reduction.reduce_coordinates(places, of_places, picked.positions)
        moved = np.concatenate([position.free, position.by], 1)
        by = mixed @ moved
        by[:, position.free.shape[1] :] += rates.by
        rate = reduction.reduce_coordinates(Rows(rates.matrix, by), of_rates, picked.rates)
        y, n = position.free.shape[1], rate.free.shape[1]
        s, linear = len(picked.behind), self.linear_states.shape[1]
        own, none = self.sizes[list(picked.positions)], np.zeros
        as_sized = np.concatenate([1 / own, np.ones(beside + inputs)])
        moved, by = moved * sizes * as_sized, rate.by * sizes * as_sized
        speeds = rate.free * sizes / self.sizes[list(picked.rates)]
        count = len(self.sizes)
        tied, loose = np.eye(linear)[:, list(picked.behind)], self._loose
        if loose.size:
            which = np.isin(list(picked.behind), loose)
            base = self._moving[p]
            tied[np.ix_(loose, which)] = base @ np.linalg.inv(base[np.isin(loose, picked.behind)])
        along = self._by_linear_states[p] @ tied if beside else none((0, s))
        (moved, moves), (by, turns) = (
            (np.delete(each, np.s_[y : y + beside], 1), each[:, y : y + beside] @ along)
            for each in (moved, by)
        )
        all_positions = np.concatenate([moved[:, :y], none((count, n)), moves, moved[:, y:]], 1)
        all_rates = np.concatenate([by[:, :y], speeds, turns, by[:, y:]], 1)
        behind = np.concatenate([none((linear, y + n)), tied, none((linear, inputs))], 1)
        return Lifted(all_positions, all_rates, behind)

    @cached_property
    def tree_derivatives(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives of tree states and of model states with respect to the states and inputs.

        Each array has the shape (point, tree state or model state, direction).
        """
        spread = self.spread
        positions, rates, linear = map(np.stack, zip(*self.lift_derivatives, strict=True))
        own = spread.positions.swapaxes(0, 1) @ positions + spread.rates.swapaxes(0, 1) @ rates
        if self.equations.behind.plain:
            return own, linear
        return own, np.moveaxis(self._from_linear(own, linear)[1], 0, 1)

    @cached_property
    def matrices(self) -> list[Matrices]:
        """Return the state-space matrices at each operating point."""
        lifted, spread, (places, speeds, numbers) = (
            self.lift_derivatives,
            self.spread,
            map(list, self.chosen_states),
        )
        own, behind = self.tree_derivatives
        found = self._along(self.equations.linear_states, own, behind)
        (rate, change), (beside, besides), (drift, drifting), *outputs, (whole_rate, whole_drift) = found
        states = own.shape[-1] - len(self.system.inputs)
        flow = np.stack([one.rates for one in lifted])
        flow = flow + spread.mixing @ np.stack([one.positions for one in lifted])
        flow = flow + self._rotate_drift(spread, besides)
        motion = spread.motion + self._rotate_drift(spread, beside[..., None])[..., 0]
        slopes = [part.swapaxes(0, 1) for part in (change[speeds], whole_drift)]
        there = np.concatenate([rate[speeds], whole_rate]).T
        rate, change = self._along_the_motion(rate, change)
        changes = [part.swapaxes(0, 1) for part in (change[speeds], drifting[numbers])]
        whole = np.concatenate([flow[:, places], *changes], 1)
        none = np.zeros((0, *change.shape[1:]))
        seen = np.concatenate([none, *(c for _, c in outputs)]).swapaxes(0, 1)
        values = np.concatenate([np.zeros((0, len(lifted))), *(v for v, _ in outputs)]).T
        start = np.concatenate([self._start(), spread.motion[:, speeds], self.linear_states[:, numbers]], 1)
        rates = np.concatenate([motion[:, places], rate[speeds].T, drift[numbers].T], 1)
        moved, own = self.corrected.tolist(), ROUNDINGS * np.finfo(float).eps * self._lengths(start)
        with np.errstate(invalid="ignore"):  # of values that are not finite, which are refused
            rounding = np.einsum("pij,pj->pi", np.abs(whole[..., :states]), own)
        parts = np.concatenate(slopes, 1)[..., :states], there, slopes[0][..., states:], rounding
        each = zip(whole, seen, start, rates, values, moved, *parts, strict=True)
        return [
            Matrices(w[:, :states], w[:, states:], s[:, :states], s[:, states:], *more)
            for w, s, *more in each
        ]

    def _lengths(self, start: np.ndarray) -> np.ndarray:
        """Scales of the states (point, state): positions for displacements from the point, 1 rad for
        rotations."""
        found, picked = np.abs(start), self._some(self.chosen_states.positions)
        for k, one in enumerate(picked):
            if one.unit == "rad":
                found[:, k] = np.maximum(found[:, k], 1.0)
            elif one.free:
                rows = np.arange(3) * self.system.layout.count + one.body
                found[:, k] = np.linalg.norm(self.own[:, rows], axis=1)
        return found

    def _along_the_motion(self, rate: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations of the coordinates (coordinate, point) and derivatives (coordinate, point,
        direction), rotated for root bodies from inertial axes to axes of the motion."""
        if self.tree.axes != "motion" or not self.tree.bases:
            return rate, change
        turned, turning = self.tree.root_rotations(self.spread), self.tree.turning(self.spread)
        speeds = np.stack([one.rates for one in self.lift_derivatives])
        found = turned @ change.swapaxes(0, 1) + turning @ speeds
        still = turned @ rate.T[..., None] + turning @ self.spread.motion[..., None]
        return still[..., 0].T, found.swapaxes(0, 1)

    def _rotate_drift(self, spread: Spread, beside: np.ndarray) -> np.ndarray:
        """Rates of displacements due to moving masses: from inertial axes (coordinate, point, direction) to
        axes of the coordinates (point, coordinate, direction)."""
        found = beside.swapaxes(0, 1)
        return self.tree.root_rotations(spread) @ found if self.tree.bases else found

    def _start(self) -> np.ndarray:
        """Values of the independent coordinates (point, coordinate): displacements and angles of joints; zero
        for root bodies."""
        picked = self._some(self.chosen_states.positions)
        found = np.zeros((len(self.points), len(picked)))
        for k, one in enumerate(picked):
            if one.kind != "small turn" and not one.free:
                found[:, k] = self.own[:, self.tree.place_entry(one)]
        return found

    @property
    def states(self) -> list[State]:
        """Return a description of each state: coordinates, rates of coordinates, and linear states of
        models.
        """
        picked = self.chosen_states
        found = [State(one.name, one.unit, one.thing, "coordinate") for one in self._some(picked.positions)]
        found += [State(one.rate, f"{one.unit}/s", one.thing, "rate") for one in self._some(picked.rates)]
        return found + [self.equations.behind.linear_states[k] for k in picked.behind]

    def _some(self, numbers: Sequence[int]) -> list[Coordinate]:
        return [self.coordinates[k] for k in numbers]

    @property
    def dependent(self) -> list[str]:
        """Return the names of the dependent coordinates."""
        own = {*self.chosen_states.positions}
        return [one.name for k, one in enumerate(self.coordinates) if k not in own]


def _project_states(part: HasState, here: Any) -> Any:
    """The states of a model, projected on its own constraints."""
    restore = part.restore if isinstance(part, Linearizable) else part.normalize
    return restore(here.mechanism, here.x)


def _keeps(part: HasState) -> bool:
    """Whether a model has constraints among its states."""
    return isinstance(part, Linearizable) or type(part).normalize is not HasState.normalize


def _range(matrix: np.ndarray) -> np.ndarray:
    """An orthonormal base of the range of a matrix."""
    left, values, _ = np.linalg.svd(matrix)
    return left[:, : int(np.sum(values > reduction.RANK * np.max(values, initial=0.0)))]
