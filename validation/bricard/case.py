"""Bricard's overconstrained loop of five rods, beside its one equation of motion; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, read_table, turned, worst

RODS = ("AB", "BC", "CD", "DE", "EF")
FIXED = {"A": np.zeros(3), "F": np.array([0.0, 0.0, 1.0])}
BOUND, SHARP = 1e-3, 1e-7


def compare(fly, folder):
    """Centres of mass of all rods, velocities of the middle one, and that the loop stays closed."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    times = truth["time"]
    spin = turned(at(record, "bodies.CD.attitude", times), at(record, "bodies.CD.angular_velocity", times))
    speed = at(record, "bodies.CD.velocity", times)
    errors = {
        "centres of mass of the rods [m]": max(centre_error(record, truth, rod) for rod in RODS),
        "velocity of rod CD [of its peak]": worst(speed - truth["velocity"])
        / length(truth["velocity"]).max(),
        "angular velocity of rod CD [of its peak]": worst(spin - truth["angular_velocity"])
        / length(truth["angular_velocity"]).max(),
    }
    rows = [
        Row("centres of mass at 10 s [m]", last_error(record, truth), BOUND, "the bound of the reference")
    ]
    return [*rows, *(Row(name, error, SHARP) for name, error in errors.items())]


def centre_error(record, truth, rod: str) -> float:
    """The largest error of a rod's centre of mass [m]."""
    points = truth | {name: np.broadcast_to(p, truth["B"].shape) for name, p in FIXED.items()}
    found = at(record, f"bodies.{rod}.position", truth["time"])
    return worst(found - (points[rod[0]] + points[rod[1]]) / 2)


def last_error(record, truth) -> float:
    """The largest error of any centre of mass at the end [m]."""
    last = {name: values[-1:] for name, values in truth.items()}
    return max(centre_error(record, last, rod) for rod in RODS)
