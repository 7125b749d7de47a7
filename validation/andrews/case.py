"""Andrews' squeezing mechanism, the published angles and multipliers; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, turned, worst

# Angles of the bodies less those of the bodies that carry them are the published coordinates.
COORDINATES = {
    "beta": ("K1", None),
    "Theta": ("K2", "K1"),
    "gamma": ("K3", None),
    "Phi": ("K4", "K5"),
    "delta": ("K5", None),
    "Omega": ("K6", "K7"),
    "epsilon": ("K7", None),
}
PUBLISHED = {"angle": 1e-8, "rate": 1e-6, "acceleration": 1e-4, "multiplier": 1e-4}
START = 1e-12  # the rounding of solving for the accelerations
BETWEEN = 1e-10  # the truth drifts by 1e-12, and 1e-10 leaves room for other ways to the same motion


def compare(fly, folder):
    """The published start and end, and the same equations integrated between them."""
    record = fly(folder / "scenario.toml")
    published, history = (read_table(folder / name) for name in ("truth.csv", "history.csv"))
    errors = differences(record, published)
    rows = [
        Row(f"{kind} at 0.03 s [of each]", worst(errors[kind][1] / columns(published, kind)[1]), bound)
        for kind, bound in PUBLISHED.items()
    ]
    for kind in ("acceleration", "multiplier"):
        error = worst(errors[kind][0]) / worst(columns(published, kind)[0])
        rows.append(Row(f"{kind} at the start [of the largest]", error, START, "rounding of the solution"))
    for kind, error in differences(record, history).items():
        peak = np.abs(columns(history, kind)).max(axis=0)
        rows.append(Row(f"{kind}, the whole time [of each peak]", worst(error / peak), BETWEEN))
    return rows


def differences(record, truth) -> dict[str, np.ndarray]:
    """Errors (time, value) of each kind."""
    times = truth["time"]
    found = {
        "rate": relative(record, times, "angular_velocity"),
        "acceleration": relative(record, times, "angular_acceleration"),
        "multiplier": loads(record, times),
    }
    errors = {kind: values - columns(truth, kind) for kind, values in found.items()}
    angles = relative(record, times, "attitude") - columns(truth, "angle")
    return {"angle": (angles + np.pi) % (2 * np.pi) - np.pi} | errors


def columns(truth, kind: str) -> np.ndarray:
    """All values of one kind in a table (time, value)."""
    return np.stack([values for name, values in truth.items() if name.startswith(kind + ".")], axis=1)


def relative(record, times, quantity: str) -> np.ndarray:
    """The published coordinates, or their rates or accelerations (time, coordinate)."""
    found = {}
    for body, _ in COORDINATES.values():
        value = at(record, f"bodies.{body}.{quantity}", times)
        found[body] = value[:, 2] if quantity != "attitude" else 2 * np.arctan2(value[:, 3], value[:, 0])
    pairs = COORDINATES.values()
    return np.stack([found[body] - (found[carrier] if carrier else 0) for body, carrier in pairs], axis=1)


def loads(record, times) -> np.ndarray:
    """The published multipliers (time, 6): forces of the loop joints on their children, inertial axes.

    The published constraints are g = point E of K2 less point E of K3, K4, K6, in x and y, and the
    equations M q'' = f - G^T lambda: by virtual work lambda is the force on the child at E.
    """
    attitude = at(record, "bodies.K2.attitude", times)
    forces = [turned(attitude, at(record, f"joints.{joint}.force", times)) for joint in ("E3", "E4", "E6")]
    return np.concatenate([force[:, :2] for force in forces], axis=1)
