"""ADAMS body on a spring of no length; see SOURCE.md."""

from ..adams_pendulum import sprung


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return sprung(fly, folder, has_torque=False)
