"""NESC check case 6: a sphere falls with drag (SOURCE.md)."""

from ..nesc import Bounds, compared

BOUNDS = {
    "04": Bounds(2e-4, 1e-4, 1e-9, 1e-12),
    "05": Bounds(3e-3, 5e-4, 1e-9, 1e-12),
    "06": Bounds(0.03, 3e-3, 1e-7, 1e-12),
}


def compare(fly, folder):
    """Altitude, place, velocity, attitude and rates every second for 30 s."""
    return compared(fly(folder / "scenario.toml"), folder, BOUNDS)
