"""Interstage's side: the one place that knows how the engine is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage.programs import program
from interstage.runs import batch, cases
from interstage.runs import run as simulate
from interstage.stepper.problem import RUNNING

SCENARIO = Path(__file__).with_name("spherical.toml")
BATCH_INTERVAL = "0.1 s"
"""Time between the states that a batch keeps of each case."""


def scenario(**changes: Any) -> Any:
    """The case as Interstage reads it; `changes` are inputs by path with `__` for the dots."""
    return ist.load(SCENARIO, set={path.replace("__", "."): value for path, value in changes.items()})


def prepare(stabilization: str) -> Callable[[], NDArray[np.float64]]:
    """A compiled single flight: each call returns the states (1001, 2, 13) at 100 Hz."""
    prepared = simulate.prepare(scenario(solver__stabilization=stabilization))

    def fly() -> NDArray[np.float64]:
        times, states, cursor = prepared.fly()
        # An attempt of no length, such as the first, repeats its state.
        taken = np.diff(times, append=float(cursor.t)) > 0
        return as_states(np.concatenate([states[taken], np.asarray(cursor.x)[None]]).T)

    fly()
    return fly


def dispersed(states: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The inputs in which the initial `states` (n, 2, 13) differ, by path."""
    inputs = {}
    for body in range(2):
        inputs[f"bodies.box_{body + 1}.initial.velocity"] = states[:, body, 3:6]
        inputs[f"bodies.box_{body + 1}.initial.angular_velocity"] = states[:, body, 10:13]
    return inputs


def prepare_batch(states: NDArray[np.float64], threads: int) -> Callable[[], NDArray[np.float64]]:
    """A compiled batch from the initial `states` (n, 2, 13): each call returns the end states (n, 2, 13)."""
    tree, inputs = scenario(output__interval=BATCH_INTERVAL), dispersed(states)

    def fly() -> NDArray[np.float64]:
        return as_states(batch.fly_batch(tree, inputs, threads=threads).x)

    fly()
    return fly


def prepare_at_once(states: NDArray[np.float64], duration: float) -> Callable[[], NDArray[np.float64]]:
    """The same with all cases in one program, as a GPU wants it, for `duration` [s]."""
    tree = scenario(phases__joined__until__time=f"{duration} s", output__interval=f"{duration} s")
    compiled = program.Program(tree, (len(states),), simulate.recorded_steps(tree), capacity=4)
    wide = cases.spread(tree, dispersed(states))
    start = compiled.begin(wide, 0.0)
    first = compiled.cursor(wide, start.reference, 0.0, start.x, start.discrete)

    def fly() -> NDArray[np.float64]:
        cursor = first
        while np.any(np.asarray(cursor.status) == RUNNING):
            cursor, _, _ = compiled.advance(wide, start.reference, 0.0, cursor)
        return as_states(np.asarray(cursor.x))

    fly()
    return fly


def as_states(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """States (n, 2, 13), in the order of `case.joint_gap`, from the engine's (32, n).

    The engine's state is the offsets of both centres of mass from the local origin, their velocities relative
    to it, the quaternions and body rates, each component for both bodies, then the origin and its velocity.
    """
    bodies, origin = x[:26].reshape(13, 2, -1), x[26:]
    bodies = np.concatenate([bodies[:3] + origin[:3, None], bodies[3:6] + origin[3:, None], bodies[6:]])
    return np.moveaxis(bodies, (0, 1, 2), (2, 1, 0))
