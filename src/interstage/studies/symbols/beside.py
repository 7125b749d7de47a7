"""Symbols beside the numbers: a machine as the engine has it, in states that are drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.joint_coordinates import JointCoordinates
from ...maths.arrays import jax
from ...maths.rotations import matrix_of
from ..linear.coordinates import Coordinate, Tree
from ..linear.equations import Equations, Place
from ..linear.points import Point, course_of
from ..linear.system import System
from .algebra import roots
from .equations import Equations as InSymbols

DRAWN = 3
"""States that are drawn."""
REACH = 0.7
"""How far coordinates and rates are drawn from those of the start, either way [SI]: angles at which two turns
of a joint stay away from being one."""


class Numbers(NamedTuple):
    """What the engine has in a state. values: of the symbols, rates and attitudes of roots; second (rate,):
    second rates; velocity, acceleration (6, body): of mass centres, inertial axes, and angular, own axes;
    loads (6, body): forces, inertial axes, and torques about the mass centres, own axes, those of gyroscopes
    among them."""

    values: dict[str, float]
    second: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    loads: np.ndarray
    turned: dict[str, np.ndarray]


def beside(scenario: Any, symbols: InSymbols, seed: int = 0) -> float:
    """How far symbols and numbers differ at most in states that are drawn, of the largest of what is beside
    each other: velocities H2 q2', accelerations H2 q2'' + H2' q2', and M22 q2'' + N22 q2' beside what loads
    do to the rates."""
    engine, found = _Engine(scenario, symbols), 0.0
    generator = np.random.default_rng(seed)
    for _ in range(DRAWN):
        found = max(found, *_apart(symbols, engine.drawn(generator)))
    return found


def _apart(symbols: InSymbols, now: Numbers) -> list[float]:
    machine, a = symbols.machine, symbols.algebra
    rates = np.array([now.values[rate.symbol] for rate in machine.rates])
    h2, onward = [], []
    for k, root in enumerate(symbols.roots):
        axes = now.turned[machine.hung[root].body] if root >= 0 else np.eye(3)
        straight, bent = (
            a.numbers(array[k], now.values) for array in (symbols.velocity, symbols.accelerations)
        )
        spin, spun = (a.numbers(array, now.values) for array in (symbols.spin[k], symbols.spun[k]))
        h2.append(np.concatenate([axes @ straight, spin]))
        onward.append(np.concatenate([axes @ bent, spun]))
    mass, gyroscopic = (a.numbers(matrix, now.values) for matrix in (symbols.mass, symbols.gyroscopic))
    whole, then = np.concatenate(h2), np.concatenate(onward)
    pairs = (
        (whole @ rates, now.velocity.T.ravel()),
        (whole @ now.second + then @ rates, now.acceleration.T.ravel()),
        (mass @ now.second + gyroscopic @ rates, whole.T @ now.loads.T.ravel()),
    )
    sizes = [np.max(np.abs(one)) for one, _ in pairs[:2]] + [
        np.max(np.abs(whole.T) @ np.abs(now.loads.T.ravel()))
    ]
    return [
        float(np.max(np.abs(one - other)) / max(1.0, size))
        for (one, other), size in zip(pairs, sizes, strict=True)
    ]


class _Engine:
    """The engine's equations of a machine."""

    def __init__(self, scenario: Any, symbols: InSymbols):
        self.symbols, self.system = symbols, System(course_of(scenario, None), [], [], "body", [])
        layout, first = self.system.layout, self.system.course.first
        self.discrete = first.discrete
        self.tree = Tree(layout, np.asarray(self.discrete.mode), "body")
        self.equations = Equations(self.tree, [], [])
        self.first = self.system.state_of(Point("", float(first.time), np.asarray(first.x), first.discrete))
        self.bodies = [layout.bodies.index(one.body) for one in symbols.machine.hung]

    def drawn(self, generator: np.random.Generator) -> Numbers:
        """In a state that is drawn."""
        count = self.system.layout.count
        discrete = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], self.discrete)

        def put(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
            return JointCoordinates(mechanism.at(x, discrete), self.tree.forest).own(t, x, discrete)

        where = self.system.scenario, self.system.reference, np.zeros(1)
        own = np.array(self.system.program.of_samples(put)(*where, self.first[:, None], discrete))[:, 0]
        own, behind = own[: 13 * count + 6], own[13 * count + 6 :]
        for one in self.tree.coordinates:
            self._put(own, one, generator)

        def looked(mechanism: Any, t: Any, own: Any, behind: Any, discrete: Any) -> list[Any]:
            still = np.zeros((6, count, 1)), np.zeros((0, 1))
            place = Place(t, own, behind, discrete, *still)
            here = self.equations.here(mechanism, place)
            fall = mechanism.fall(t, here.origin)
            return [here.x, self.equations.rates(mechanism, place)[0], here.acceleration, here.wrench, fall]

        found = self.system.program.of_samples(looked)(*where, own[:, None], behind[:, None], discrete)
        return self._numbers(own, *found)

    def _put(self, own: np.ndarray, one: Coordinate, generator: np.random.Generator) -> None:
        """Draw a coordinate and its rate; of a small turn a turn of any size, with its first one."""
        tree, n = self.tree, self.system.layout.count
        own[tree.rate_entry(one)] += generator.uniform(-REACH, REACH)
        if one.kind != "small turn":
            own[tree.place_entry(one)] += generator.uniform(-REACH, REACH)
        elif one.place == 0:
            q = generator.normal(size=4)
            own[tree.place_entry(one) + n * np.arange(4)] = q / np.linalg.norm(q)

    def _numbers(self, own: Any, x: Any, second: Any, acceleration: Any, loads: Any, fall: Any) -> Numbers:
        n, machine, pick = self.system.layout.count, self.symbols.machine, self.bodies
        x, fall = x[:, 0], fall[:, 0]
        parts = [x[a * n : b * n].reshape(-1, n) for a, b in ((3, 6), (6, 10), (10, 13))]
        drift = x[13 * n + 3 : 13 * n + 6]
        velocity = np.concatenate([parts[0] + drift[:, None], parts[2]])[:, pick]
        acceleration = acceleration[:, pick, 0] + np.concatenate([fall, np.zeros(3)])[:, None]
        masses = np.array([machine.names.values[one.mass][0] for one in machine.hung])
        loads = loads[:, pick, 0] + np.concatenate([np.outer(fall, masses), np.zeros((3, len(masses)))])
        turned = {
            one.body: np.asarray(matrix_of(parts[1][:, k])) for one, k in zip(machine.hung, pick, strict=True)
        }
        values = self._values(own, velocity, turned)
        order = [rate.path for rate in machine.rates]
        seconds = {
            one.rate: float(value) for one, value in zip(self.tree.coordinates, second[:, 0], strict=True)
        }
        return Numbers(
            values, np.array([seconds[path] for path in order]), velocity, acceleration, loads, turned
        )

    def _values(
        self, own: np.ndarray, velocity: np.ndarray, turned: dict[str, np.ndarray]
    ) -> dict[str, float]:
        """Numbers of all symbols."""
        machine, tree, n = self.symbols.machine, self.tree, self.system.layout.count
        names = machine.names
        found = {name: value for name, (value, *_) in names.values.items()} | roots()
        coordinates = {one.name: one for one in tree.coordinates}
        rates = {one.rate: one for one in tree.coordinates}
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
            found |= dict(zip(four, own[first + n * np.arange(4)].tolist(), strict=True))
        for rate in machine.rates:
            found[rate.symbol] = float(own[tree.rate_entry(rates[rate.path])])
        for k, one in enumerate(machine.hung):
            if one.hold is None:
                along = turned[one.body].T @ velocity[:3, k]
                found |= {f"v_{one.body}_{a}": float(along[i]) for i, a in enumerate("xyz")}
        return found
