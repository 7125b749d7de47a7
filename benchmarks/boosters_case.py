"""The case of the boosters: `validation/sts1-srb`, 4 s in steps of 1 ms, and the same numbers for a peer."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import interstage as ist

FILE = Path(__file__).resolve().parents[1] / "validation" / "sts1-srb" / "scenario.toml"
STEP, STEPS, CUT = 1e-3, 4000, 20
"""Step [s], steps of a flight, steps until the rear joints release."""
SPREAD = 0.02
"""Standard deviation of the factors on all thrusts."""


def scenario(**changes: Any) -> ist.Scenario:
    """The scenario in fixed steps."""
    return ist.load(FILE, set={"solver.method": "rk4", "solver.step": STEP, **changes})


def dispersed(count: int, seed: int = 0) -> NDArray[np.float64]:
    """Factors on thrusts (cases, engines)."""
    engines = len(ist.load(FILE).engines)
    return 1 + SPREAD * np.random.default_rng(seed).standard_normal((count, engines))


def inputs(factors: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The same as dispersed inputs of a batch."""
    return {
        f"engines.{engine.name}.{'thrust_factor' if engine.kind == 'engine' else 'impulse_factor'}": factors[
            :, k
        ]
        for k, engine in enumerate(ist.load(FILE).engines)
    }


class Stack:
    """Numbers of the scenario at its start, SI; bodies are parallel to each other."""

    def __init__(self):
        self.scenario: Any = ist.load(FILE)

    @cached_property
    def bodies(self) -> dict[str, tuple[float, Any, Any, Any]]:
        """Mass, centre of mass in the drawing, inertia, place of the centre of mass from that of the first
        body."""
        found = {}
        joints = {j.child: j for j in self.scenario.joints if j.name.startswith("forward")}
        for body in self.scenario.bodies:
            parts = [(float(body.mass), np.asarray(body.mass_centre))]
            parts += [(float(e.propellant), np.asarray(e.at)) for e in body.elements]
            mass = sum(m for m, _ in parts)
            centre = sum(m * at for m, at in parts) / mass
            inertia = np.asarray(body.inertia, float)
            inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
            for m, at in parts:
                arm = at - centre
                inertia = inertia + m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
            place = np.zeros(3)
            if body.name in joints:
                joint = joints[body.name]
                first = found["orbiter_tank"][1]
                place = np.asarray(joint.parent_at) - first - (np.asarray(joint.child_at) - centre)
            found[body.name] = mass, centre, inertia, place
        return found

    @cached_property
    def points(self) -> dict[str, dict[str, Any]]:
        """Points of each body by name, in its drawing: of engines, and of either end of a hinge's axis."""
        found: dict[str, dict[str, Any]] = {name: {} for name in self.bodies}
        for engine in self.scenario.engines:
            found[engine.body][engine.name] = np.asarray(engine.at)
        for joint in self.scenario.joints:
            if joint.name.startswith("forward"):
                for end, way in (("in", -0.5), ("out", 0.5)):
                    shift = np.array([0.0, way, 0.0])
                    found["orbiter_tank"][f"tank_{end}_{joint.child}"] = np.asarray(joint.parent_at) + shift
                    found[joint.child][f"{joint.child}_{end}"] = np.asarray(joint.child_at) + shift
        return found

    @cached_property
    def forces(self) -> dict[str, Any]:
        """Largest force of each engine, axes of its body."""
        found = {}
        for engine in self.scenario.engines:
            way = np.asarray(engine.direction, float)
            most = engine.thrust if engine.kind == "engine" else np.max(engine.thrust.value)
            found[engine.name] = float(most) * way / np.linalg.norm(way)
        return found

    @property
    def gravity(self) -> Any:
        """In the axes of the bodies at the start."""
        start = self.scenario.bodies[0].initial
        climb, alpha, beta = (
            float(v) for v in (start.flight_path_angle, start.incidence.alpha, start.incidence.beta)
        )
        along = np.array([[np.cos(climb), 0, -np.sin(climb)], [0, 1, 0], [np.sin(climb), 0, np.cos(climb)]])
        slip = np.array([[np.cos(beta), -np.sin(beta), 0], [np.sin(beta), np.cos(beta), 0], [0, 0, 1]])
        lift = np.array([[np.cos(alpha), 0, -np.sin(alpha)], [0, 1, 0], [np.sin(alpha), 0, np.cos(alpha)]])
        down = np.array([0.0, 0, -float(self.scenario.gravity.acceleration[2])])
        return lift @ slip @ along @ down


def traces(release: int) -> NDArray[np.float64]:
    """Shares of the largest force at each step (steps, engines)."""
    times = (np.arange(STEPS) + 0.5) * STEP
    found = []
    for engine in Stack().scenario.engines:
        if engine.kind == "engine":
            found.append(np.ones(STEPS))
            continue
        since = times - (0.0 if engine.ignited else release * STEP)
        trace = np.asarray(engine.thrust.value, float)
        found.append(np.interp(since, engine.thrust.time, trace / trace.max(), 0.0, 0.0))
    return np.stack(found, axis=1)


def speeds() -> NDArray[np.float64]:
    """Velocities (linear of centres of mass less that of the first, angular; 18) at the start."""
    stack = Stack()
    spin = np.asarray(stack.scenario.bodies[0].initial.angular_velocity)
    return np.concatenate([[*np.cross(spin, place), *spin] for *_, place in stack.bodies.values()])
