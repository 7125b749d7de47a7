"""ADAMS body on a vertical cylindrical joint; see SOURCE.md."""

from ..adams_pendulum import jointed


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return jointed(fly, folder)
