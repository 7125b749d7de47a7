"""NESC check case 9: a sphere is thrown to the east (SOURCE.md)."""

from ..nesc import Bounds, compared

BOUNDS = {
    "04": Bounds(0.02, 1e-3, 1e-6, 1e-8),
    "05": Bounds(0.1, 5e-3, 1e-6, 1e-12),
}


def compare(fly, folder):
    """Altitude, place, velocity, attitude and rates every second for 30 s."""
    return compared(fly(folder / "scenario.toml"), folder, BOUNDS)
