"""NESC check case 1: a sphere falls without drag (SOURCE.md)."""

from ..nesc import Bounds, compared

BOUNDS = {
    "04": Bounds(1e-5, 1e-7, 1e-10, 1e-12),
    "05": Bounds(1e-5, 1e-7, 1e-10, 1e-12),
    "06": Bounds(1e-5, 1e-7, 1e-10, 1e-12),
}


def compare(fly, folder):
    """Altitude, place, velocity, attitude and rates every second for 30 s."""
    return compared(fly(folder / "scenario.toml"), folder, BOUNDS)
