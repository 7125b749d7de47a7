"""ADAMS pendulum on a universal joint, swing about y; see SOURCE.md."""

from ..adams_pendulum import COARSE, jointed


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return jointed(fly, folder, frame=(90, 90, -90), bounds=COARSE)
