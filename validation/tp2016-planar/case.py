"""TP-2016 test case 7, planar joint: states and joint loads over 10 s; see SOURCE.md."""

from ..boxes import against_table

ARM = 0.48  # m, from the joint to the centre of mass


def compare(fly, folder):
    """Every column of the truth."""
    return against_table(fly, folder, ARM)
