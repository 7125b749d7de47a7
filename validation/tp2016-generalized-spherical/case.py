"""TP-2016 with the generalized joint in place of the spherical one; see SOURCE.md."""

from ..named_joint import against_named

ARM = 1.48  # m, from the joint to a centre of mass
# Any frame on either side locks the same three translations.
TURNED = {
    "parent_frame": {"euler": "3-2-1", "angles": "[20, -35, 50] deg"},
    "child_frame": {"euler": "3-1-3", "angles": "[70, 10, -40] deg"},
}


def compare(fly, folder):
    """Random states, and the whole flight, against the spherical joint."""
    return against_named(fly, folder, "tp2016-spherical", ARM, TURNED)
