"""TP-2016 test case 6, universal joint: states and joint loads over 10 s; see SOURCE.md."""

from ..boxes import against_table, in_windows

ARM = 1.48  # m, from the joint to box 1's centre of mass
WINDOWS = (0.0, 2.5, 5.0, 7.5)  # s; in each, errors grow at most 1e4-fold


def compare(fly, folder):
    """The motion is chaotic: in windows to the bound, and as a whole as far as its growth allows."""
    whole = against_table(fly, folder, ARM, **{"solver.tolerance": 1e-14})
    return [*in_windows(fly, folder, ARM, WINDOWS), *whole]
