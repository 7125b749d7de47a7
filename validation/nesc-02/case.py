"""NESC check case 2: a brick tumbles without air (SOURCE.md)."""

from ..nesc import Bounds, compared

BOUNDS = {
    "01": Bounds(3e-3, 5e-4, 1e-7, 1e-9, "its positions lag from the first step"),
    "04": Bounds(1e-5, 1e-7, 1e-7, 1e-9),
}


def compare(fly, folder):
    """Altitude, place, velocity, attitude and rates every second for 30 s."""
    return compared(fly(folder / "scenario.toml"), folder, BOUNDS)
