"""ADAMS pendulum on a revolute joint with a torsion spring; see SOURCE.md."""

from ..adams_pendulum import twisted


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return twisted(fly, folder, frame=(180, 90, 180))
