"""ADAMS pendulum on a spherical joint; see SOURCE.md."""

from ..adams_pendulum import COARSE, jointed


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return jointed(fly, folder, bounds=COARSE)
