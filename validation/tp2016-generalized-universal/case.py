"""TP-2016 with the generalized joint in place of the universal one; see SOURCE.md."""

from ..named_joint import against_named

ARM = 1.48  # m, from the joint to a centre of mass
# With the axes exchanged in turn (x for z, y for x, z for y), "az.bx" of ry is the pair "ay.bz" of rx.
AXES = {"matrix": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]}
TURNED = {
    "parent_frame": AXES,
    "child_frame": AXES,
    "locked": ["tx", "ty", "tz", "ry"],
    "rotation_pair": "az.bx",
}


def compare(fly, folder):
    """Random states, and the whole flight, against the universal joint."""
    return against_named(fly, folder, "tp2016-universal", ARM, TURNED, **{"solver.tolerance": 1e-14})
