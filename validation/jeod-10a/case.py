"""JEOD RUN_10A: a cylinder librates in orbit for 8 h under the gradient of gravity (SOURCE.md)."""

import json

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, worst
from ..nesc import matrix


def compare(fly, folder):
    """State at 480 s and 8 h, attitude and angular acceleration where the table has them."""
    truth = json.loads((folder / "truth.json").read_text())
    record = fly(folder / "scenario.toml")
    times = np.array([float(time) for time in truth])
    turn, rate = (at(record, f"bodies.cylinder.{name}", times) for name in ("attitude", "angular_velocity"))
    place, speed = (at(record, f"bodies.cylinder.{name}", times) for name in ("position", "velocity"))
    for k, (time, row) in enumerate(truth.items()):
        yield Row(f"{time} s: position [m]", worst(place[k] - row["r"]), 1e-4)
        yield Row(f"{time} s: velocity [m/s]", worst(speed[k] - row["v"]), 1e-7)
        yield Row(f"{time} s: angular velocity [rad/s]", worst(rate[k] - row["w"]), 1e-14)
        if "T" in row:
            apart = matrix(turn[k : k + 1])[0].T - row["T"]
            yield Row(f"{time} s: attitude matrix", worst(apart), 1e-10)
    alpha = at(record, "bodies.cylinder.angular_acceleration", times)[0]
    expected = np.array(truth["0"]["wdot"])
    yield Row("0 s: angular acceleration [of it]", worst(alpha - expected) / worst(expected), 1e-13)
