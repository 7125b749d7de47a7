"""Joints as a guest: one call for two bodies, and a step of two JSBSim vehicles with it and alone."""

from __future__ import annotations

import statistics
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from interstage.joints import Joint, Joints
from interstage.studies import verify

from .lines import Line
from .timing import in_turn, median_ratio

CALL = 30e-6
"""What a call for two bodies and one joint may take [s]."""
KINDS = ("fixed", "revolute", "spherical")
STEP, STEPS = 1 / 240, 200
"""Steps of the host [s], and how many it flies before it starts again, the hinge still held."""


def microseconds(times: list[float]) -> str:
    return f"{1e6 * statistics.median(times):.1f} us"


def guest(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """Calls compared with 30 us, then steps of a host compared with those of the host alone."""
    calls = {kind: _call(kind) for kind in KINDS}
    for kind, times in in_turn(calls, repeats, clock).items():
        ratio = statistics.median(times) / CALL
        yield Line(f"guest, {kind} joint, a call", microseconds(times), "30 us", ratio, at_most=1.0)
    yield from _host(repeats, clock)


def _call(kind: str) -> Callable[[], object]:
    place = {"parent_at": [2.0, 0.1, 0.0], "child_at": [-1.0, 0.0, 0.2]}
    inertia = np.stack([np.diag([400.0, 3000.0, 2900.0]), np.diag([60.0, 500.0, 520.0])], 2)
    joint = Joint(name="ring", parent="stage", child="payload", kind=kind, assemble=True, **place)
    joints = Joints(["stage", "payload"], [joint], mass=[1200.0, 300.0], inertia=inertia)
    random = np.random.default_rng(0)
    position, velocity, rate, force, torque = random.normal(size=(5, 3, 2))
    turn = np.array([[1.0, 1.0], [0.1, 0.0], [0.0, 0.1], [0.0, 0.0]])
    turn = turn / np.linalg.norm(turn, axis=0)
    return lambda: joints.loads(position, turn, velocity, rate, force, torque)


def _host(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """A step of both vehicles, with states read, loads computed and set in Python."""
    folder = verify.find_cases()["guest-jsbsim"]
    case = verify._module(folder)
    declared = tomllib.loads((folder / "scenario.toml").read_text(encoding="utf-8"))
    start = case.state_at(verify.fly(folder / "scenario.toml"), case.NAMES, 0.0)
    with tempfile.TemporaryDirectory() as place:
        vehicles, joints = case.vehicles(Path(place)), case.guest(declared, STEP)

        def begun():
            joints.restart()
            return case.Pair(vehicles, joints, STEP, start)

        def held() -> None:
            pair = begun()
            for _ in range(STEPS):
                pair.step()

        def alone() -> None:
            begun()
            for _ in range(STEPS):
                for vehicle in vehicles:
                    vehicle.model.run()

        pair = begun()
        times = in_turn({"with": held, "alone": alone, "python": lambda: _read(pair)}, repeats, clock)
    own = {name: [each / STEPS for each in times[name]] for name in ("with", "alone")}
    yield Line(
        "  JSBSim, a step of two with a hinge",
        microseconds(own["with"]),
        f"alone {microseconds(own['alone'])}",
        median_ratio(own["with"], own["alone"]),
        accuracy=f"in Python, without the joint's loads, {microseconds(times['python'])}",
    )


def _read(pair) -> None:
    """What the host does in Python but for the joint."""
    for vehicle in pair.vehicles:
        vehicle.state()
        vehicle.others()
        vehicle.apply(*vehicle.next)
