"""Chains and trees of rods in Interstage, as a user has them: a declared scenario, its compiled program."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage.formulations import elimination
from interstage.formulations.tree_order import tree_order
from interstage.programs import program
from interstage.runs import run as simulate

from . import chain_case as case
from .processes import call

WAYS = {"ours": "projection", "unprojected": "none"}
"""Stabilizations that are measured."""
DENSE_UP_TO = 100
"""Rods up to which our own dense elimination is compared, too."""


def scenario(found: case.Rods, steps: int, stabilization: str = "projection") -> ist.Scenario:
    """The rods for so many steps, with default settings but for the method; sampled after every
    `case.SAMPLED` steps."""
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
        hung: dict[str, Any] = {"parent": "ground", "parent_at": [0, 0, 0]}
        if upper >= 0:
            hung = {"parent": f"rod_{upper}", "parent_at": [half, 0, 0]}
        ball = {"name": f"ball_{k}", "kind": "spherical", "child": f"rod_{k}", "child_at": [-half, 0, 0]}
        joints.append(ist.Joint(**ball, **hung))
    return ist.Scenario(
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=ist.UniformGravity(acceleration=case.GRAVITY),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=steps * case.STEP)),),
        solver=ist.Solver(method="rk4", step=case.STEP, stabilization=stabilization),
        output=ist.Output(interval=case.SAMPLED * case.STEP),
    )


class Flight:
    """A compiled flight of so many steps."""

    def __init__(self, found: case.Rods, steps: int, stabilization: str = "projection"):
        self.steps = steps
        self.prepared = simulate.prepare(scenario(found, steps, stabilization))
        self.fly()

    def fly(self) -> NDArray[np.float64]:
        """States (rod, 13) after `case.SAMPLED` steps."""
        times, states, _ = self.prepared.fly()
        sampled = np.flatnonzero(np.isclose(times, case.SAMPLED * case.STEP))
        return as_states(states[sampled[0]])


def as_states(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """States (rod, 13) from the engine's (13 rods + 6,), whose local origin is the inertial one."""
    assert not x[-6:].any()
    return x[:-6].reshape(13, -1).T


def multipliers(found: case.Rods, along_tree: bool) -> tuple[Any, NDArray[np.float64], NDArray[np.float64]]:
    """Rows, the right-hand side (row,) and the multipliers (row,) of A M^-1 A^T lam = right at the start, by
    one of the two roads of elimination."""
    declared = scenario(found, case.SAMPLED)
    compiled = program.program_for(declared)
    begun = compiled.begin(declared, 0.0)

    def solve(found, reference, x, discrete):
        mechanism = compiled.mechanism(declared, 0, reference, found)
        motion = mechanism.motion(x)
        rows = mechanism.rows(0.0, *mechanism.geometry(0.0, motion, discrete), discrete)
        constraints = mechanism.constraints(rows, rows.gamma, discrete, x, motion)
        constraints = constraints._replace(order=tree if along_tree else None)
        free = jnp.zeros((6, mechanism.numbers.inertias.inverse_mass.shape[0]))
        free = free + jnp.asarray([*case.GRAVITY, 0, 0, 0])[:, None]
        right = -(constraints.bias + elimination.row_rates(constraints, free))
        prepared = elimination.prepare(mechanism.numbers.inertias, constraints, False)
        return (rows.on_a, rows.on_b), right, prepared.multipliers(right)

    tree = case_order(compiled)
    arguments = compiled.stacks(declared), begun.reference, begun.x, begun.discrete
    rows, right, lam = program.fast_program(solve, program.QUICK)(*arguments)
    table = compiled.layout.table
    sides = [np.array(ends)[table.joint] for ends in (table.parent, table.child)]
    return (*sides, *map(np.asarray, rows)), np.asarray(right), np.asarray(lam)


def case_order(compiled):
    """The order along the tree, also where there are so few rows that dense elimination is chosen."""
    table = compiled.layout.table
    ends = (np.array(ends, int)[table.joint] for ends in (table.parent, table.child))
    return tree_order(*ends, table.joint, compiled.layout.count)


def first_flight(kind: str, count: int) -> tuple[float, float]:
    """Wall and processor time [s] from a declared scenario to the end of its first ten steps, mostly
    compilation, in a process of its own with an empty cache; imports do not count."""
    with tempfile.TemporaryDirectory() as cache:
        printed = call("-m", "benchmarks.chain_ours", kind, str(count), cache=cache).printed
    wall, processor = json.loads(printed)
    return wall, processor


def main() -> None:
    """Print the two times of `first_flight`, measured here."""
    declared = scenario(case.rods(sys.argv[1], int(sys.argv[2])), case.SAMPLED)
    # JAX itself starts up with its first program.
    jax.jit(lambda x: x + 1)(1.0).block_until_ready()
    begun = time.perf_counter(), time.process_time()
    simulate.prepare(declared).fly()
    print(json.dumps([time.perf_counter() - begun[0], time.process_time() - begun[1]]))


if __name__ == "__main__":
    main()
