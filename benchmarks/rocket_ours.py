"""Interstage's side of the flights over the Earth: the rocket, its first flight and batch, the sphere."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage.programs import program
from interstage.runs import run as simulate

from . import rocket_case as case
from .processes import call

BALL = case.FOLDER.parent / "nesc-10" / "scenario.toml"
"""A sphere thrown from the equator, for 30 s."""


def prepare(tolerance: float) -> Callable[[], Any]:
    """A compiled flight of the rocket: each call returns its last cursor."""
    prepared = simulate.prepare(case.scenario(tolerance))

    def fly() -> Any:
        return prepared.fly()[2]

    fly()
    return fly


def prepare_batch(tolerance: float, count: int, threads: int) -> Callable[[], Any]:
    """A compiled batch of dispersed flights of the rocket."""
    scenario, dispersed = case.scenario(tolerance), case.dispersed(count)

    def fly() -> Any:
        return scenario.run_batch(dispersed, threads=threads, samples=False, together=True)

    fly()
    return fly


def prepare_ball(
    east: float, up: float, duration: float, tolerance: float
) -> Callable[[], NDArray[np.float64]]:
    """A compiled flight of the sphere: each call returns its inertial position (3,) [m] at the end."""
    changes = {
        "bodies.body.initial.velocity_ned": [0.0, east, -up],
        "phases.fall.until.time": duration,
        "solver.tolerance": tolerance,
    }
    prepared = simulate.prepare(ist.load(BALL, set=changes))

    def fly() -> NDArray[np.float64]:
        x = np.asarray(prepared.fly()[2].x)
        # The centre of mass's offset from the local origin, and the origin.
        return x[:3] + x[13:16]

    fly()
    return fly


def first_flight() -> dict[str, float]:
    """Processor times [s] of the parts of a first flight, mostly compilation, in a process of its own with an
    empty cache; imports do not count."""
    with tempfile.TemporaryDirectory() as cache:
        return json.loads(call("-m", "benchmarks.rocket_ours", cache=cache).printed)


def main() -> None:
    """Print what `first_flight` returns, measured here: the parts, and the wall time of all."""
    # JAX itself starts up with its first program.
    jax.jit(lambda x: x + 1)(1.0).block_until_ready()
    begun = time.perf_counter()
    marks = [time.process_time()]
    scenario = case.scenario(1e-8)
    marks.append(time.process_time())
    rows = simulate.rows_at_once(scenario, simulate.ROWS_AT_ONCE)
    compiled = program.program_for(scenario, (), simulate.recorded_steps(scenario), rows)
    start = simulate.start(compiled, scenario)
    marks.append(time.process_time())
    simulate.flown(compiled, scenario, start)
    marks.append(time.process_time())
    flown = time.perf_counter() - begun
    scenario.run()
    marks.append(time.process_time())
    parts = dict(zip(("load", "begin", "advance", "record"), np.diff(marks).tolist(), strict=True))
    print(json.dumps({**parts, "wall": flown, "wall with record": time.perf_counter() - begun}))


if __name__ == "__main__":
    main()
