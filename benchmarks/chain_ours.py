"""Chains and trees of rods in Interstage, as a user has them: a declared scenario, its compiled program."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage import simulate

from . import chain_case as case


def scenario(found: case.Rods, steps: int, stabilization: str = "projection", **solver: Any) -> ist.Scenario:
    """The rods for so many steps; only the end is sampled."""
    half, states = case.LENGTH / 2, found.states()
    bodies, joints = [], []
    for k, (upper, state) in enumerate(zip(found.above, states, strict=True)):
        start = ist.State(
            position=state[:3],
            velocity=state[3:6],
            attitude=ist.Attitude(quaternion=state[6:10]),
            angular_velocity=state[10:],
        )
        bodies.append(ist.Body(name=f"rod_{k}", mass=case.MASS, inertia=case.INERTIA, initial=start))
        hung = {"parent": "ground", "parent_at": [0, 0, 0]}
        if upper >= 0:
            hung = {"parent": f"rod_{upper}", "parent_at": [half, 0, 0]}
        ball = {"name": f"ball_{k}", "kind": "spherical", "child": f"rod_{k}", "child_at": [-half, 0, 0]}
        joints.append(ist.Joint(**ball, **hung))
    duration = steps * case.STEP
    return ist.Scenario(
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=ist.UniformGravity(acceleration=case.GRAVITY),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=duration)),),
        solver=ist.Solver(method="rk4", step=case.STEP, stabilization=stabilization, **solver),
        output=ist.Output(interval=duration),
    )


class Flight:
    """A compiled flight of so many steps; `fly` returns the states (rod, 13) at its end.

    compiled_in: wall and processor time [s] from the declared scenario to the end of a first flight: tracing,
    compilation and consistent start."""

    def __init__(self, found: case.Rods, steps: int, stabilization: str = "projection", **solver: Any):
        self.steps = steps
        declared = scenario(found, steps, stabilization, **solver)
        begun = time.perf_counter(), time.process_time()
        self.prepared = simulate.prepare(declared)
        self.fly()
        self.compiled_in = time.perf_counter() - begun[0], time.process_time() - begun[1]

    def fly(self) -> NDArray[np.float64]:
        _, _, cursor = self.prepared.fly()
        return as_states(np.asarray(cursor.x))


def as_states(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """States (rod, 13) from the engine's (13 rods + 6,), whose local origin is the inertial one."""
    assert not x[-6:].any()
    return x[:-6].reshape(13, -1).T
