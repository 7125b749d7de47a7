"""Interstage's side: the one place that knows how the engine is called."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage.program import Program, lift
from interstage.stepper.problem import RUNNING

from . import case

SCENARIO = Path(__file__).with_name("spherical.toml")
LANES_AT_ONCE = 64
"""Cases in one chunk: a batch goes chunk by chunk, so that a chunk stays in the processor's caches."""


def scenario(stabilization: str = "baumgarte", duration: float = case.DURATION) -> Any:
    """The case as Interstage reads it."""
    return ist.load(
        SCENARIO, set={"solver.stabilization": stabilization, "phases.joined.until.time": f"{duration} s"}
    )


def prepare(stabilization: str = "baumgarte") -> Callable[[], NDArray[np.float64]]:
    """A compiled single flight: each call returns the states (1001, 2, 13) at 100 Hz."""
    tree = scenario(stabilization)
    program = Program(tree, stride=case.STEPS_PER_SAMPLE)
    begun = program.begin(tree, 0.0)

    def fly() -> NDArray[np.float64]:
        cursor = program.cursor(tree, begun.reference, 0.0, begun.x, begun.discrete)
        flown = []
        while int(cursor.status) == RUNNING:
            cursor, rows, count = program.advance(tree, begun.reference, 0.0, cursor)
            count, moved, ends = int(count), np.asarray(rows.moved), np.asarray(rows.x_end)
            flown.append(ends[:count][moved[:count]])
        return as_states(np.concatenate(flown).T)

    fly()
    return fly


def prepare_batch(
    states: NDArray[np.float64], threads: int = 2, chunk: int = LANES_AT_ONCE, duration: float = case.DURATION
) -> Callable[[], NDArray[np.float64]]:
    """A compiled batch from initial `states` (n, 2, 13): each call returns the end states (n, 2, 13)."""
    tree = lift(scenario(duration=duration))
    chunk = min(chunk, len(states))
    program = Program(scenario(duration=duration), lanes=(chunk,), stride=case.STEPS, capacity=4)
    places = [np.arange(i, i + chunk).clip(max=len(states) - 1) for i in range(0, len(states), chunk)]
    trees = [dispersed(tree, states[place]) for place in places]
    begun = [program.begin(t, 0.0) for t in trees]

    def one(number: int) -> NDArray[np.float64]:
        tree, start = trees[number], begun[number]
        cursor = program.cursor(tree, start.reference, 0.0, start.x, start.discrete)
        while np.any(np.asarray(cursor.status) == RUNNING):
            cursor, _, _ = program.advance(tree, start.reference, 0.0, cursor)
        return as_states(np.asarray(cursor.x))

    def fly() -> NDArray[np.float64]:
        with ThreadPoolExecutor(threads) as pool:
            return np.concatenate(list(pool.map(one, range(len(places)))))[: len(states)]

    one(0)
    return fly


def dispersed(tree: Any, states: NDArray[np.float64]) -> Any:
    """The scenario with the initial velocities and rates of `states` (lanes, 2, 13) in its lanes."""

    def leaf(path: Any, value: Any) -> Any:
        place = jax.tree_util.keystr(path)
        for body in range(2):
            if place == f".bodies[{body}].initial.velocity":
                return states[:, body, 3:6].T
            if place == f".bodies[{body}].initial.angular_velocity":
                return states[:, body, 10:13].T
        return value

    return jax.tree_util.tree_map_with_path(leaf, tree)


def as_states(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """States (n, 2, 13), in the order of `case.joint_gap`, from the engine's (32, n).

    The engine's state is the offsets of both mass centres from the local origin, their velocities relative
    to it, the quaternions and body rates, each component for both bodies, then the origin and its velocity.
    """
    bodies, origin = x[:26].reshape(13, 2, -1), x[26:]
    bodies = np.concatenate([bodies[:3] + origin[:3, None], bodies[3:6] + origin[3:, None], bodies[6:]])
    return np.moveaxis(bodies, (0, 1, 2), (2, 1, 0))
