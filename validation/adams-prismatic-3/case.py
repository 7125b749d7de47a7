"""ADAMS body on a level slide; see SOURCE.md."""

from ..adams_pendulum import jointed


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return jointed(fly, folder, frame=(180, 90, 180))
