"""TP-2016 with the generalized joint in place of the planar one; see SOURCE.md."""

from ..named_joint import against_named

ARM = 0.48  # m, from the joint to a centre of mass
# Turned about the normal, the two locked rotations are other ones that span the same plane.
TURNED = {
    "parent_frame": {"euler": "2-1-3", "angles": "[40, 0, 0] deg"},
    "child_frame": {"euler": "2-1-3", "angles": "[-25, 0, 0] deg"},
}


def compare(fly, folder):
    """Random states, and the whole flight, against the planar joint."""
    return against_named(fly, folder, "tp2016-planar", ARM, TURNED)
