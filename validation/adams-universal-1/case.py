"""ADAMS pendulum on a universal joint, swing about x; see SOURCE.md."""

from ..adams_pendulum import COARSE, jointed


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return jointed(fly, folder, frame=(0, 90, 0), bounds=COARSE)
