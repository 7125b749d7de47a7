"""ADAMS body on a spring of no length; see SOURCE.md."""

from ..adams_pendulum import hung


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return hung(fly, folder)
