"""NESC check case 1: a sphere falls without drag (SOURCE.md)."""

from ..nesc import FALL_WITHOUT_AIR, compared


def compare(fly, folder):
    """Altitude, place, velocity, attitude and rates every second for 30 s."""
    return compared(fly(folder / "scenario.toml"), folder, FALL_WITHOUT_AIR)
