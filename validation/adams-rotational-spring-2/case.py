"""ADAMS pendulum on a revolute joint with a stiffening torsion spring; see SOURCE.md."""

from ..adams_pendulum import balanced


def compare(fly, folder):
    """Motion and loads against ADAMS."""
    return balanced(fly, folder)
