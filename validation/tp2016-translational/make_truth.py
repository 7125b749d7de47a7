"""Closed form of TP-2016 test case 4 (translational joint): writes truth.csv.

    python make_truth.py [--check]

The brick cannot turn; it slides along z under the constant component of the force, z'' = F_z / m.
"""

from pathlib import Path

from brick import Brick, Free, make, matrix, mpf, vector


def free(brick: Brick, t: mpf) -> Free:
    """Uniform acceleration along the rail."""
    pull, zero = matrix([0, 0, brick.force[2] / brick.mass]), mpf(0)
    return Free(zero, zero, zero, pull * t**2 / 2, pull * t, pull)


CASE_4 = Brick(
    mass=mpf(622),
    inertia=vector("220.3124", "359.1252", "64.8124"),
    centre=vector("0", "1.583333", "-0.666667"),
    force=vector("5000", "40000", "-746"),
    arm=vector("-0.6", "0", "-1.33334"),
    axis=2,
    free=free,
)

if __name__ == "__main__":
    make(Path(__file__).parent, CASE_4)
