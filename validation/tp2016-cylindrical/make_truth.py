"""Closed form of TP-2016 test case 5 (cylindrical joint): writes truth.csv.

    python make_truth.py [--check]

Force and inertia are fixed in the brick, so it turns about the rod with the constant angular acceleration
M_z / (I_zz + m (c_x^2 + c_y^2)), M_z the moment of the force about the rod, and slides with z'' = F_z / m.
The shared part is ../tp2016-translational/brick.py.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-translational"))

from brick import Brick, Free, cross, make, matrix, mpf, vector  # noqa: E402


def free(brick: Brick, t: mpf) -> Free:
    """Uniform accelerations about and along the rod."""
    c, moment = brick.centre, cross(brick.centre + brick.arm, brick.force)[2]
    alpha = moment / (brick.inertia[2] + brick.mass * (c[0] ** 2 + c[1] ** 2))
    pull = matrix([0, 0, brick.force[2] / brick.mass])
    return Free(alpha * t**2 / 2, alpha * t, alpha, pull * t**2 / 2, pull * t, pull)


CASE_5 = Brick(
    mass=mpf(622),
    inertia=vector("220.3124", "359.1252", "64.8124"),
    centre=vector("0", "1.583333", "-0.666667"),
    force=vector("0", "40000", "-746"),
    arm=vector("-0.6", "0.5833", "-1.33337"),
    axis=2,
    free=free,
)

if __name__ == "__main__":
    make(HERE, CASE_5)
