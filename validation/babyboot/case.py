"""Kane's babyboot: a plate that turns about a swinging rod, and whose turning is chaotic; see SOURCE.md."""

import numpy as np

from interstage.verify import Row

from ..comparison import at, read_table, turned, worst

VARIANTS = {
    "null space": {"solver.formulation": "null_space"},
    "minimal coordinates": {"solver.formulation": {"kind": "null_space", "coordinates": "minimal"}},
}


def compare(fly, folder):
    """Both angles against the equations in minimal coordinates."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    times = truth["time"]
    rod, plate = (at(record, f"bodies.{name}.attitude", times) for name in ("rod", "plate"))
    x, y = np.tile([1.0, 0, 0], (len(times), 1)), np.tile([0, 1.0, 0], (len(times), 1))
    across, side = turned(rod, y), turned(plate, x)
    swing = np.degrees(np.arctan2(across[:, 2], across[:, 1]))
    turn = np.degrees(np.arctan2(np.sum(side * across, axis=1), side[:, 0]))
    return [
        Row(
            "angle of the rod [deg]",
            worst(wrapped(swing - truth["rod_angle_deg"])),
            1e-4,
            "errors grow 2e7-fold",
        ),
        Row("angle of the plate [deg]", worst(wrapped(turn - truth["plate_angle_deg"])), 1e-4, "as above"),
    ]


def wrapped(degrees: np.ndarray) -> np.ndarray:
    """The same angle between -180 and 180 deg."""
    return (degrees + 180) % 360 - 180
