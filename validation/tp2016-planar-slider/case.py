"""TP-2016 section 2.5, the planar slider: eqs 79-90 at random states, on the constraint and off it; see
SOURCE.md.

Each state is the start of a scenario with Baumgarte's stabilization, taken as declared; compared are g and
gdot, the accelerations and the joint's load.
"""

import json
import tomllib

import numpy as np

from interstage.scenario import Scenario
from interstage.studies.verify import Row, start_as_declared

BOUND = 1e-12


def scenario(table: dict, state: dict) -> Scenario:
    """The scenario of the table with the numbers of one state."""
    bodies = {}
    for k, name in enumerate("AB"):
        (x, y, angle), (vx, vy, rate) = np.reshape(state["q"], (2, 3))[k], np.reshape(state["u"], (2, 3))[k]
        start = {
            "position": [x, y, 0],
            "velocity": [vx, vy, 0],
            "attitude": {"euler": "3-2-1", "angles": [angle, 0, 0]},
            "angular_velocity": [0, 0, rate],
        }
        bodies[name] = {"mass": state["mass"][k], "inertia": 3 * [state["inertia"][k]], "initial": start}
    joint = table["joints"]["slider"] | {"parent_at": [0, state["p_a"], 0], "child_at": [0, -state["p_b"], 0]}
    forces = {}
    for name, (fx, fy, turn) in zip("AB", np.reshape(state["sigma"], (2, 3))):
        forces[f"push_{name}"] = {"kind": "force", "body": name, "force": [fx, fy, 0], "axes": "inertial"}
        forces[f"turn_{name}"] = {"kind": "torque", "body": name, "torque": [0, 0, turn], "axes": "inertial"}
    return Scenario.model_validate(
        table
        | {"bodies": bodies, "joints": {"slider": joint}, "forces": forces}
        | {"phases": [{"name": "start", "until": {"time": 1e-6}}]}
        | {"solver": {"stabilization": "baumgarte", "eta": state["eta"]}}
    )


def errors(found: dict, state: dict) -> dict[str, float]:
    """Differences between what was found at a state and the report's equations, each by the size of its
    terms.
    """
    motion = [found[f"bodies.{b}.{k}"] for b in "AB" for k in ("acceleration", "angular_acceleration")]
    udot = np.array([*motion[0][:2], motion[1][2], *motion[2][:2], motion[3][2]])
    force, torque = found["joints.slider.force"], found["joints.slider.torque"]
    tilt = np.cos(state["q"][2] - state["q"][5])
    multipliers = np.array([force[1], -torque[2] / tilt])
    alpha_t, gamma = np.array(state["alphaT"]), np.array(state["gamma_stabilized"])
    mass = np.array([m for k in (0, 1) for m in (state["mass"][k],) * 2 + (state["inertia"][k],)])
    turned = np.array([-np.sin(state["q"][2]), np.cos(state["q"][2])])
    terms = {
        "eqs 79, 82: g": (found["gap"], state["g"], np.abs(state["g"])),
        "eqs 80, 83: gdot": (found["gap_rate"], state["gdot"], np.abs(state["gdot"])),
        "eqs 81, 84-87: alpha udot + gamma'": (alpha_t.T @ udot, -gamma, np.abs(alpha_t.T) @ np.abs(udot)),
        "eq 88: M udot - f": (mass * udot - state["sigma"], alpha_t @ multipliers, np.abs(mass * udot)),
        "accelerations, eqs 30, 34": (udot, state["solved_accelerations"], np.abs(udot)),
        "multipliers, eq 34": (multipliers, state["solved_multipliers"], np.abs(multipliers)),
        "eq 89: force on B along a2": (force, [0, multipliers[0], 0], np.abs(force)),
        "out of the plane": (np.abs([*motion[1][:2], *motion[3][:2], *torque[:2], motion[0][2]]), 0, 1),
    }
    if state["on_constraint"]:
        pair = np.array(state["solved_multipliers"])
        terms["eq 89, on it: force"] = (force[1] * turned, pair[0] * turned, np.abs(pair))
        terms["eq 90, on it: torque"] = (torque[2], -pair[1], np.abs(pair))
    return {n: float(np.max(np.abs(np.subtract(a, b))) / max(np.max(s), 1)) for n, (a, b, s) in terms.items()}


def compare(fly, folder):
    """The worst of each kind over all states."""
    table = tomllib.loads((folder / "scenario.toml").read_text())
    worst: dict[str, float] = {}
    for state in json.loads((folder / "truth.json").read_text())["cases"]:
        for name, error in errors(start_as_declared(scenario(table, state)), state).items():
            worst[name] = max(worst.get(name, 0.0), error)
    return [Row(f"{name} [of its size]", error, BOUND) for name, error in worst.items()]
