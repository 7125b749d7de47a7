"""A fast symmetric top on a ball joint, a benchmark of rotation integrators; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, read_table, worst
from ..convergence import order_rows

STEP, SPIN = 2.5e-4, 150.0  # s, rad/s
REPORTED = np.array([0.173343964098, 0.640088592072, -0.748490791132])  # m at 1 s, from another code

VARIANTS = {
    "null space": {"solver.formulation": "null_space"},
    "minimal coordinates": {"solver.formulation": {"kind": "null_space", "coordinates": "minimal"}},
}


def compare(fly, folder):
    """Motion and the force at the tip against Euler's equations about the fixed point."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    errors = differences(record, truth)
    reported = worst(at(record, "bodies.top.position", truth["time"])[-1] - REPORTED)
    return [
        Row("position [m]", errors["position"], 1e-8, "the bound of the reference"),
        Row("position at 1 s [m]", reported, 1e-8, "the bound of the reference"),
        Row("velocity [of its peak]", errors["velocity"], 1e-8),
        Row("angular velocity [of its peak]", errors["angular velocity"], 1e-8),
        Row("force at the tip [of its peak]", errors["force"], 1e-8),
    ]


def converge(fly, folder):
    """The staggered procedure, at 84 and 168 steps in a turn."""
    truth = read_table(folder / "truth.csv")
    coarse, fine = (
        differences(
            fly(folder / "scenario.toml", **{"solver.formulation": "staggered", "solver.step": step}), truth
        )
        for step in (2 * STEP, STEP)
    )
    size = (SPIN * STEP) ** 2
    return [
        *order_rows("staggered", coarse, fine),
        Row("staggered: position [m]", fine["position"], size, "(spin step)^2 of the arm of 1 m"),
    ]


def differences(record, truth) -> dict[str, float]:
    """Largest errors: of the position [m], of velocity, angular velocity and force over their peaks."""
    times = truth["time"]
    position = at(record, "bodies.top.position", times)
    velocity = at(record, "bodies.top.velocity", times) - truth["velocity"]
    spin = at(record, "bodies.top.angular_velocity", times) - truth["angular_velocity"]
    force = worst(at(record, "joints.tip.force", times) - truth["force"])
    return {
        "position": worst(position - truth["position"]),
        "velocity": worst(velocity) / length(truth["velocity"]).max(),
        "angular velocity": worst(spin) / length(truth["angular_velocity"]).max(),
        "force": force / length(truth["force"]).max(),
    }
