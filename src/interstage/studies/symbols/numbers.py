"""Compute values of the numerical equations of motion at random states, for comparison with symbolic
equations.

Velocities are linear in the rates q2'. Each column of H2 therefore contains the velocities for a single unit
rate. H2' contains the time derivatives of H2 along the motion. To test the accelerations, loads are applied
that accelerate each mass as a single rate does. Derivatives are exact, computed with dual numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.body_loads import weights
from ...engine.joints_at_once import JointsAtOnce
from ...environment.gravity import UniformGravity
from ...linear.coordinates import Coordinate, Tree
from ...linear.equations import Equations, Place
from ...linear.points import Point, course_of
from ...linear.system import System
from ...maths.arrays import jax, jnp
from ...maths.rotations import matrix_of
from .algebra import roots
from .equations import Equations as InSymbols

DRAWN = 3
"""Number of random states."""
REACH = 0.7
"""Range of random coordinates and rates about the start [SI]. The range is small, so that angles stay away
from gimbal lock.
"""


class Numbers(NamedTuple):
    """Values of the numerical equations of motion at a state.

    Rows are ordered by body: first the velocity of the centre of mass in inertial axes, then the angular
    velocity in body axes. Rates are in the order of the multibody system.

    - `values`: values of the symbols by name.
    - `turned`: attitude matrices (3, 3) of root bodies that no joint carries, by index of the body.
    - `rates`, `second` (rate,): q2' and q2''.
    - `velocity`, `onward` (row, rate): H2 and H2'.
    - `mass` (row, row): mass matrix of the bodies.
    - `weights` (row,): loads of uniform gravity, or zero.
    - `loads` (row,): all loads except joint loads.
    - `pushes` (row, push): test loads, M H2.
    - `answers` (rate, push): derivatives of q2'' with respect to the test loads.
    """

    values: dict[str, float]
    turned: dict[int, np.ndarray]
    rates: np.ndarray
    second: np.ndarray
    velocity: np.ndarray
    onward: np.ndarray
    mass: np.ndarray
    weights: np.ndarray
    loads: np.ndarray
    pushes: np.ndarray
    answers: np.ndarray


class Looked(NamedTuple):
    """Values of the numerical equations at one time. The last axis is the case.

    - x: state.
    - second: accelerations q2'' in the order of the joint tree.
    - loads (6, body), weights (3, body): loads and weights of the bodies.
    - fall: acceleration of the local origin.
    - mass, inertia: masses and inertias of the bodies.
    """

    x: Any
    second: Any
    loads: Any
    weights: Any
    fall: Any
    mass: Any
    inertia: Any


def draw_states(scenario: Any, symbols: InSymbols, seed: int = 0) -> list[Numbers]:
    """Return the values of the numerical equations for a scenario at random states. seed: seed of the random
    states.
    """
    return _Engine(scenario, symbols).draw(np.random.default_rng(seed))


class _Engine:
    """The engine's equations of a machine."""

    def __init__(self, scenario: Any, symbols: InSymbols):
        self.symbols, self.system = symbols, System(course_of(scenario, None), [], [], "body", [])
        self.machine = symbols.machine
        layout, first = self.system.layout, self.system.course.first
        self.count, self.discrete = layout.count, first.discrete
        self.tree = Tree(layout, np.asarray(self.discrete.mode), "body")
        self.equations = Equations(self.tree, [], [])
        point = Point("", float(first.time), np.asarray(first.x), first.discrete)
        self.t, self.first = np.array([point.time]), self.system.state_of(point)
        self.bodies = [layout.bodies.index(one.body) for one in self.machine.hung]
        by_rate = {one.rate: one for one in self.tree.coordinates}
        self.coordinates = [by_rate[rate.path] for rate in self.machine.rates]
        """Those of the tree in the order of the machine's rates."""
        places = {one: k for k, one in enumerate(self.tree.coordinates)}
        self.order = [places[one] for one in self.coordinates]

    def draw(self, generator: np.random.Generator) -> list[Numbers]:
        own, behind = self._start_state()
        own = np.tile(own, (DRAWN, 1))
        for each in own:
            for one in self.tree.coordinates:
                self._draw(each, one, generator)
        looked = self._evaluate(own, behind)
        velocity, onward = self._velocities(own, behind, looked)
        mass = [self._mass(looked, p) for p in range(DRAWN)]
        pushes, answers = self._test_loads(own, behind, looked, [m @ v for m, v in zip(mass, velocity)])
        found = []
        for p in range(DRAWN):
            loads, pulls = self._loads(looked, p)
            rates = np.array([own[p, self.tree.rate_entry(one)] for one in self.coordinates])
            turned = {k: self._turn(looked.x[:, p])[:, :, b] for k, b in self._flying}
            rates = self._along(rates, own[p], looked.x[:, p])
            values = self._values(own[p], rates)
            second = looked.second[self.order, p]
            engine = velocity[p], onward[p], mass[p], pulls, loads, pushes[p], answers[p]
            found.append(Numbers(values, turned, rates, second, *engine))
        return found

    @property
    def _flying(self) -> list[tuple[int, int]]:
        """Numbers of bodies that no joint carries: the machine's, and the engine's."""
        return [(k, b) for k, b in enumerate(self.bodies) if self.machine.hung[k].hold is None]

    # --- states

    def _start_state(self) -> tuple[np.ndarray, np.ndarray]:
        """The state of the start, in the coordinates of the joints (number,), and that of parts (number,)."""

        def at_state(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
            return JointsAtOnce(mechanism.at(x, discrete), self.tree.forest).own(t, x, discrete)

        discrete = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], self.discrete)
        found = self.system.program.of_samples(at_state)(*self._where, self.t, self.first[:, None], discrete)
        whole, size = np.array(found)[:, 0], 13 * self.count + 6
        return whole[:size], whole[size:]

    @property
    def _where(self) -> tuple[Any, Any]:
        return self.system.scenario, self.system.reference

    def _draw(self, own: np.ndarray, one: Coordinate, generator: np.random.Generator) -> None:
        """Draw a coordinate and its rate; of a small turn a turn of any size, with its first one."""
        tree = self.tree
        own[tree.rate_entry(one)] += generator.uniform(-REACH, REACH)
        if one.kind != "small turn":
            own[tree.place_entry(one)] += generator.uniform(-REACH, REACH)
        elif one.place == 0:
            q = generator.normal(size=4)
            own[tree.place_entry(one) + self.count * np.arange(4)] = q / np.linalg.norm(q)

    def _places(self, own: np.ndarray, behind: np.ndarray, push: np.ndarray) -> Place:
        """States (point, number) side by side, with parts as at the start."""
        many = len(own)
        discrete = jax.tree.map(lambda leaf: np.stack([np.asarray(leaf)] * many), self.discrete)
        t, none = np.tile(self.t, many), np.zeros((many, 0))
        return Place(t, own, np.tile(behind, (many, 1)), discrete, push, none)

    def _evaluate(self, own: np.ndarray, behind: np.ndarray) -> Looked:
        push = np.zeros((len(own), 6, self.count))
        lanes = jax.tree.map(lambda leaf: np.moveaxis(leaf, 0, -1), self._places(own, behind, push))
        t, own, behind, discrete, push, added = lanes

        def look(mechanism: Any, t: Any, own: Any, behind: Any, discrete: Any) -> list[Any]:
            place = Place(t, own, behind, discrete, push, added)
            here = self.equations.here(mechanism, place)
            second, still = self.equations.rates(mechanism, place)[0], jnp.zeros_like(here.t)
            loads = here.wrench[:, : self.count]
            fall, numbers = mechanism.fall(t, here.origin), here.numbers
            return [
                here.x,
                second,
                loads,
                weights(here),
                fall + still,
                numbers.mass + still,
                numbers.inertia + still,
            ]

        found = self.system.program.of_samples(look)(*self._where, t, own, behind, discrete)
        return Looked(*map(np.asarray, found))

    # --- effects of motions and test loads

    def _velocities(
        self, own: np.ndarray, behind: np.ndarray, looked: Looked
    ) -> tuple[np.ndarray, np.ndarray]:
        """H2 and H2' (point, row, rate): velocities of each rate alone, and how they change as bodies and
        joints turn and move by the rates that were drawn."""
        n, points, count = self.count, len(own), len(self.coordinates)
        spread = self.tree.spread(own)
        flow = np.einsum("npc,pc->pn", spread.positions, spread.motion)
        flow[:, 3 * n : 6 * n] = 0.0
        alone = np.tile(own[:, None], (1, count, 1))
        changes = np.tile(flow[:, None], (1, count, 1))
        for one in self.coordinates:
            alone[:, :, self.tree.rate_entry(one)] = 0.0
        # What bodies that fly have by the local origin is among their own.
        alone[:, :, 13 * n + 3 :] = 0.0
        for p in range(points):
            for j, one in enumerate(self.coordinates):
                self._alone(one, own[p], looked.x[:, p], alone[p, j], changes[p, j])
        alone, changes = alone.reshape(points * count, -1), changes.reshape(points * count, -1, 1)
        value, change = self._derivatives(
            lambda *given: [self.equations.here(*given).x], alone, behind, changes
        )[0]
        both = (self._rows(self._moving(part)) for part in (value, change[..., 0]))
        h2, onward = (part.reshape(points, count, -1).swapaxes(1, 2) for part in both)
        return h2, onward

    def _alone(self, one: Coordinate, own: Any, x: Any, alone: Any, change: Any) -> None:
        """Put the unit of one rate, in `alone`, and how that changes: velocities of bodies that fly are along
        their own axes, which turn."""
        n = self.count
        if not (one.free and one.kind == "displacement"):
            alone[self.tree.rate_entry(one)] = 1.0
            return
        rows = 3 * n + one.body + n * np.arange(3)
        turn, spin = self._turn(x)[:, :, one.body], own[10 * n + one.body + n * np.arange(3)]
        alone[rows] = turn[:, one.place]
        change[rows] = turn @ np.cross(spin, np.eye(3)[one.place])

    def _test_loads(
        self, own: np.ndarray, behind: np.ndarray, looked: Looked, pushes: list[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """How loads (point, row, push) and q2'' (point, rate, push) change with pushes (row, push)."""
        points, count = len(own), len(self.coordinates)
        push = np.zeros((points, 6, self.count, count))
        for p, each in enumerate(pushes):
            turn = self._turn(looked.x[:, p])
            for k, body in enumerate(self.bodies):
                force, torque = each[6 * k : 6 * k + 3], each[6 * k + 3 : 6 * k + 6]
                push[p, :, body] = np.concatenate([turn[:, :, body].T @ force, torque])

        def answer(mechanism: Any, place: Place) -> list[Any]:
            here = self.equations.here(mechanism, place)
            return [here.wrench[:, : self.count], self.equations.rates(mechanism, place)[0]]

        (_, loads), (_, second) = self._derivatives(answer, own, behind, np.zeros((*own.shape, count)), push)
        return self._rows(loads), np.moveaxis(second, 1, 0)[:, self.order]

    def _derivatives(self, function: Any, own: Any, behind: Any, changes: Any, push: Any = None) -> list[Any]:
        """Values (..., point) and changes (..., point, direction) of what a function gives."""
        place = self._places(own, behind, np.zeros((len(own), 6, self.count)))
        still = [None] * len(jax.tree.leaves(place.discrete))
        return self.system.along(function, place, [None, changes, None, *still, push, None])

    # --- arrays of the engine in the order of the machine

    def _turn(self, x: np.ndarray) -> np.ndarray:
        """Attitudes of bodies in a state (3, 3, body)."""
        n = self.count
        return np.asarray(matrix_of(x[6 * n : 10 * n].reshape(4, n)))

    def _moving(self, x: np.ndarray) -> np.ndarray:
        """Velocities and angular velocities of states (6, body, point)."""
        n = self.count
        straight = x[3 * n : 6 * n].reshape(3, n, -1) + x[13 * n + 3 : 13 * n + 6][:, None]
        return np.concatenate([straight, x[10 * n : 13 * n].reshape(3, n, -1)])

    def _rows(self, array: np.ndarray) -> np.ndarray:
        """Of (6, body, point, ...), rows in the order of the machine (point, row, ...)."""
        found = np.moveaxis(array[:, self.bodies], (2, 1, 0), (0, 1, 2))
        return found.reshape(found.shape[0], -1, *found.shape[3:])

    def _mass(self, looked: Looked, p: int) -> np.ndarray:
        found = np.zeros((6 * len(self.bodies),) * 2)
        for k, body in enumerate(self.bodies):
            first, then = slice(6 * k, 6 * k + 3), slice(6 * k + 3, 6 * k + 6)
            found[first, first] = looked.mass[body, p] * np.eye(3)
            found[then, then] = looked.inertia[:, :, body, p]
        return found

    def _loads(self, looked: Looked, p: int) -> tuple[np.ndarray, np.ndarray]:
        """All loads, and the weights of uniform gravity (row,): those that the fall of the local origin
        takes away are among them."""
        fallen = np.zeros((6, self.count))
        fallen[:3] = np.outer(looked.fall[:, p], looked.mass[:, p])
        pulls = np.zeros_like(fallen)
        if isinstance(self.system.scenario.gravity, UniformGravity):
            pulls[:3] = looked.weights[:, :, p] + fallen[:3]
        loads = looked.loads[:, :, p] + fallen
        return tuple(self._rows(part[:, :, None])[0] for part in (loads, pulls))  # type: ignore[return-value]

    def _along(self, rates: np.ndarray, own: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Rates with velocities of bodies that fly along their own axes."""
        found = rates.copy()
        velocity, turn = self._moving(x[:, None])[:3, :, 0], self._turn(x)
        for k, body in self._flying:
            first = self.machine.hung[k].rates.start
            found[first : first + 3] = turn[:, :, body].T @ velocity[:, body]
        return found

    def _values(self, own: np.ndarray, moving: np.ndarray) -> dict[str, float]:
        """Numbers of all symbols."""
        machine, tree, names = self.machine, self.tree, self.machine.names
        found = {name: value for name, (value, *_) in names.values.items()} | roots()
        coordinates = {one.name: one for one in tree.coordinates}
        places = {
            name: own[tree.place_entry(coordinates[path])]
            for name, path in machine.places.items()
            if path in coordinates
        }
        for name, angle in ({k: v for k, (v, _) in names.held.items()} | places).items():
            if name in names.angles:
                cosine, sine = names.angles[name]
                found[cosine], found[sine] = float(np.cos(angle)), float(np.sin(angle))
            else:
                found[name] = float(angle)
        for four in names.quaternions:
            first = tree.place_entry(coordinates[f"{machine.places[four[0]]}.x"])
            found |= dict(zip(four, own[first + self.count * np.arange(4)].tolist(), strict=True))
        rates = {rate.symbol: float(value) for rate, value in zip(machine.rates, moving, strict=True)}
        return found | rates
