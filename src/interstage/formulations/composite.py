"""Treat bodies with fixed joints between them as one rigid body: stop and restart of the DLR paper, in exact
form.

Modelica Stage Separation Dynamics (DLR, section 2.1) simulates rigidly connected stages as one body with
combined mass properties. At the release, the simulation stops and restarts with two bodies. In this module,
the null space of the fixed joints alone gives the same motion: the reduced mass matrix is the mass matrix of
the combined body. At a release, each body becomes a root and keeps its motion. The loads between the bodies
follow from AIAA 2011-6277, eq 19. Rows of all other joints keep their multipliers.
"""

from __future__ import annotations

from .contract import Constraints, Inertias, Joints
from .joint_motion import Tree, parent_axes_of_rows
from .null_space import Split, forest_of, reduce_equations


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see
    `contract.Formulation`.
    """
    forest = forest_of(joints, inertias, fixed_only=True)
    tree = Tree(forest, joints, parent_axes_of_rows(joints, constraints))
    found = reduce_equations(Split(tree, inertias, constraints), force)
    return found.acceleration, found.multipliers
