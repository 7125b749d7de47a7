"""Spatial slider-crank, beside another code and beside its exact motion; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, read_table, turned, worst

# Positions [m] as the reference asks; the rest in parts of each peak, where its step errors are 2e-9.
REFERENCE = {"slider": 1e-6, "rod": 1e-6, "slider_speed": 1e-8, "crank_rate": 1e-8, "rod_rate": 1e-8}
EXACT = 1e-10


def compare(fly, folder):
    """Positions, velocities and angular velocities against both tables."""
    record = fly(folder / "scenario.toml")
    rows = []
    for kind, bound in REFERENCE.items():
        truth = read_table(folder / "truth.csv")
        error = worst(difference(record, truth, kind)[1:])
        if bound == 1e-6:
            rows.append(Row(f"{label(kind)}, other code [m]", error, bound, "the bound of the reference"))
        else:
            rows.append(Row(f"{label(kind)}, other code [of its peak]", error / peak(truth[kind]), bound))
    truth = read_table(folder / "exact.csv")
    for kind in REFERENCE:
        error = worst(difference(record, truth, kind)) / peak(truth[kind])
        rows.append(Row(f"{label(kind)}, exact [of its peak]", error, EXACT))
    return rows


def difference(record, truth, kind: str) -> np.ndarray:
    """Errors of one column of a table at its times."""
    times = truth["time"]
    found = {
        "slider": lambda: at(record, "bodies.slider.position", times)[:, 0],
        "slider_speed": lambda: at(record, "bodies.slider.velocity", times)[:, 0],
        "crank_rate": lambda: at(record, "bodies.crank.angular_velocity", times)[:, 0],
        "rod": lambda: at(record, "bodies.rod.position", times),
        "rod_rate": lambda: turned(
            at(record, "bodies.rod.attitude", times), at(record, "bodies.rod.angular_velocity", times)
        ),
    }
    return found[kind]() - truth[kind]


def peak(values: np.ndarray) -> float:
    """The largest value, or length of a vector."""
    return float(length(values).max()) if values.ndim > 1 else worst(values)


def label(kind: str) -> str:
    """A column's name as a text."""
    return kind.replace("_", " ")
