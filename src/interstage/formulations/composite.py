"""Bodies joined by fixed joints as one body: the DLR paper's stop and restart, made exact.

Where stages are joined rigidly, Modelica Stage Separation Dynamics (DLR, section 2.1) flies one body of their
combined mass properties, and stops and restarts at the release with others. That is the null space of the
fixed joints alone. The reduced mass of all bodies carried by a root is that of one rigid body. A release
turns the members into roots which go on with the motion that they have, and the loads between them are
recovered (AIAA 2011-6277, eq 19). The rows of all other joints keep their multipliers.
"""

from __future__ import annotations

from .contract import Constraints, Inertias, Joints
from .joint_motion import Tree, parent_axes_of_rows
from .null_space import Split, forest_of, reduce_equations


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Accelerations and multipliers; see `contract.Formulation`."""
    forest = forest_of(joints, inertias, fixed_only=True)
    tree = Tree(forest, joints, parent_axes_of_rows(joints, constraints))
    found = reduce_equations(Split(tree, inertias, constraints), force)
    return found.acceleration, found.multipliers
