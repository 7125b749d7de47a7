"""A fast symmetric top on a ball joint, a benchmark of rotation integrators; see SOURCE.md."""

import numpy as np

from interstage.verify import Row

from ..comparison import at, length, read_table, worst

REPORTED = np.array([0.173343964098, 0.640088592072, -0.748490791132])  # m at 1 s, from another code

VARIANTS = {
    "null space": {"solver.formulation": "null_space"},
    "minimal coordinates": {"solver.formulation": {"kind": "null_space", "coordinates": "minimal"}},
}


def compare(fly, folder):
    """Motion and the force at the tip against Euler's equations about the fixed point."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    times = truth["time"]
    position = at(record, "bodies.top.position", times)
    velocity = at(record, "bodies.top.velocity", times) - truth["velocity"]
    spin = at(record, "bodies.top.angular_velocity", times) - truth["angular_velocity"]
    force = worst(at(record, "joints.tip.force", times) - truth["force"])
    return [
        Row("position [m]", worst(position - truth["position"]), 1e-8, "the bound of the reference"),
        Row("position at 1 s [m]", worst(position[-1] - REPORTED), 1e-8, "the bound of the reference"),
        Row("velocity [of its peak]", worst(velocity) / length(truth["velocity"]).max(), 1e-8),
        Row("angular velocity [of its peak]", worst(spin) / length(truth["angular_velocity"]).max(), 1e-8),
        Row("force at the tip [of its peak]", force / length(truth["force"]).max(), 1e-8),
    ]
