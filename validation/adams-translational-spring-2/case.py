"""ADAMS body on a spring; see SOURCE.md."""

from ..adams_pendulum import hung


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return hung(fly, folder)
