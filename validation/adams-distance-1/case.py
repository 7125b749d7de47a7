"""ADAMS body on a rod, hung at its centre of mass; see SOURCE.md."""

from ..adams_pendulum import jointed


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return jointed(fly, folder, has_torque=False)
