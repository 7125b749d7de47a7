"""ADAMS pendulum on a revolute joint with a torsion spring; see SOURCE.md."""

from ..adams_pendulum import sprung


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return sprung(fly, folder)
