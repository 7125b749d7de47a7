"""NESC check case 8: a sphere falls through a wind that changes with altitude (SOURCE.md)."""

from ..nesc import FALL_IN_AIR, compared


def compare(fly, folder):
    """Altitude, place, velocity, attitude and rates every second for 30 s."""
    return compared(fly(folder / "scenario.toml"), folder, FALL_IN_AIR)
