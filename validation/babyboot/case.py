"""Kane's babyboot: a plate that turns about a swinging rod, and whose turning is chaotic; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, turned, worst
from ..convergence import order_rows

STEP, BRIEF = 1e-3, 2.0  # s
VARIANTS = {
    "null space": {"solver.formulation": "null_space"},
    "minimal coordinates": {"solver.formulation": {"kind": "null_space", "coordinates": "minimal"}},
}


def compare(fly, folder):
    """Both angles against the equations in minimal coordinates."""
    errors = differences(fly(folder / "scenario.toml"), read_table(folder / "truth.csv"))
    notes = "errors grow 2e7-fold", "as above"
    return [Row(f"{name} [deg]", errors[name], 1e-4, note) for name, note in zip(errors, notes)]


def converge(fly, folder):
    """The staggered procedure, as long as errors have hardly grown."""
    truth = read_table(folder / "truth.csv")
    truth = {name: values[truth["time"] <= BRIEF] for name, values in truth.items()}
    changes = {"solver.formulation": "staggered", "phases.swing.until.time": BRIEF}
    coarse, fine = (
        differences(fly(folder / "scenario.toml", **changes, **{"solver.step": step}), truth)
        for step in (2 * STEP, STEP)
    )
    return order_rows("staggered", coarse, fine)


def differences(record, truth) -> dict[str, float]:
    """Largest errors of the angles of the rod and of the plate [deg]."""
    times = truth["time"]
    rod, plate = (at(record, f"bodies.{name}.attitude", times) for name in ("rod", "plate"))
    x, y = np.tile([1.0, 0, 0], (len(times), 1)), np.tile([0, 1.0, 0], (len(times), 1))
    across, side = turned(rod, y), turned(plate, x)
    swing = np.degrees(np.arctan2(across[:, 2], across[:, 1]))
    turn = np.degrees(np.arctan2(np.sum(side * across, axis=1), side[:, 0]))
    return {
        "angle of the rod": worst(wrapped(swing - truth["rod_angle_deg"])),
        "angle of the plate": worst(wrapped(turn - truth["plate_angle_deg"])),
    }


def wrapped(degrees: np.ndarray) -> np.ndarray:
    """The same angle between -180 and 180 deg."""
    return (degrees + 180) % 360 - 180
