"""Separation of the Shuttle's boosters: three bodies for 4 s, clearance, a batch, compared with MuJoCo."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from interstage.parts.clearance import after
from interstage.record.record import Record
from interstage.runs import run as simulate

from . import boosters_case as case
from .lines import Line
from .timing import in_turn, median_ratio

BATCH = 1000
CHUNK = 64
"""Cases that a batch flies together: as many make the program of many."""
THREADS = 2
PEERS = 20
"""Flights of MuJoCo's batch; its time is scaled, since all would take minutes."""


class Timed:
    """`clearance.after.add`, with the time that it takes."""

    def __init__(self, clock: Callable[[], float]):
        self.clock, self.inner, self.spent = clock, after.add, 0.0

    def __call__(self, *args: Any) -> None:
        begun = self.clock()
        self.inner(*args)
        self.spent += self.clock() - begun


def observed(scenario: Any, clock: Callable[[], float]) -> tuple[float, float, Record]:
    """Time of a whole flight with its record [s], that of its clearance [s], and the record."""
    timed = Timed(clock)
    after.add = timed
    try:
        begun = clock()
        record = simulate.fly(scenario)
        return clock() - begun, timed.spent, record
    finally:
        after.add = timed.inner


def boosters(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """One flight, its clearance, and the batch."""
    from .boosters_mujoco import Model

    scenario = case.scenario()
    observed(scenario, clock)
    whole = [observed(scenario, clock) for _ in range(min(repeats, 3))]
    events = {event.name: event.time for event in whole[0][2].events}
    model, prepared = Model(round(events["apart"] / case.STEP)), simulate.prepare(scenario)
    times = in_turn({"ours": prepared.fly, "mujoco": model.fly}, repeats, clock)
    apart = np.linalg.norm(np.diff(model.fly()[:2], axis=0))
    pair = whole[0][2].series["pairs.orbiter_tank.left.distance"][-1]
    yield Line(
        "boosters, 4 s at 1 ms, compared with MuJoCo",
        f"{1e3 * statistics.median(times['ours']):.0f} ms",
        f"MuJoCo {1e3 * statistics.median(times['mujoco']):.0f} ms",
        median_ratio(times["ours"], times["mujoco"]),
        accuracy=f"distance at 4 s {pair:.2f} m, MuJoCo {apart:.2f} m (constant masses)",
    )
    total, near = (statistics.median(values) for values in list(zip(*whole, strict=True))[:2])
    yield Line(
        "  with record and clearance, 100 Hz",
        f"{total:.2f} s",
        f"clearance {near:.2f} s",
        near / total,
        accuracy="share of clearance",
    )
    yield from batch(clock, model)


def batch(clock: Callable[[], float], model: Any) -> Iterator[Line]:
    """1000 flights with thrusts of their own, compared with MuJoCo's rollouts."""
    factors, scenario = case.dispersed(BATCH), case.scenario()
    inputs = case.inputs(factors)
    scenario.run_batch(inputs, threads=THREADS, samples=False, together=True)
    begun = clock()
    scenario.run_batch(inputs, threads=THREADS, samples=False, together=True)
    motion = (clock() - begun) / BATCH
    names = [declared.name for declared in scenario.clearance]
    kept = scenario.run_batch({path: v[:CHUNK] for path, v in inputs.items()}, threads=THREADS, together=True)
    [kept.clearance(name) for name in names]
    begun = clock()
    kept = scenario.run_batch(inputs, threads=THREADS, together=True)
    flown = (clock() - begun) / BATCH
    least = min(float(np.min(kept.clearance(name)[0])) for name in names)
    whole = (clock() - begun) / BATCH
    begun = clock()
    model.fly_batch(factors[:PEERS], THREADS)
    peer = (clock() - begun) / PEERS
    yield Line(
        f"boosters, batch of {BATCH}, motion",
        f"{1 / motion:.1f} cases/s",
        f"MuJoCo {1 / peer:.1f} cases/s",
        peer / motion,
        at_least=1.0,
        accuracy=f"{THREADS} threads; MuJoCo's time is that of {PEERS} cases",
    )
    yield Line(
        "  with its samples and least clearances",
        f"{1 / whole:.1f} cases/s",
        f"MuJoCo {1 / peer:.1f} cases/s",
        peer / whole,
        at_least=1.0,
        accuracy=f"share of clearance {1 - flown / whole:.2f}, least {least:.3f} m; MuJoCo without any",
    )
