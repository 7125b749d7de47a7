"""Writes truth.csv: two bars in space on ball joints, by the directions of the bars.

    python make_truth.py [--check]      `--check` prints what halving the step changes, the drift of the
    integrals, and how errors grow

A bar of revolution on ball joints keeps its turning about itself, here none: its state is the unit vector e
along it and the rate of that. With equal bars of mass m, length L and lateral moment J,
    (5/4 m L^2 + J) e1'' + 1/2 m L^2 e2'' = -3/2 m g L z - p1 e1
    1/2 m L^2 e1'' + (1/4 m L^2 + J) e2'' = -1/2 m g L z - p2 e2
where p1, p2 follow from e . e'' = -e' . e'. No quaternion, no joint. Extended precision (numpy.longdouble),
Gauss collocation of order 16.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

MASS, LENGTH, G = REAL(1), REAL(1), REAL("9.81")
RADIUS = REAL("0.02")  # m
LATERAL = MASS * (LENGTH**2 / 12 + RADIUS**2 / 4)
UP = np.array([0, 0, 1], dtype=REAL)
UPPER = MASS * LENGTH**2 * 5 / 4 + LATERAL
LOWER = MASS * LENGTH**2 / 4 + LATERAL
SHARED = MASS * LENGTH**2 / 2
WEIGHTS = np.array([3, 1], dtype=REAL) / 2 * MASS * G * LENGTH
TIMES = np.arange(101) / REAL(10)


def bends(state):
    """Second derivatives of the two directions (2, 3)."""
    directions, rates = state.reshape(2, 2, 3)
    determinant = UPPER * LOWER - SHARED**2
    inverse = np.array([[LOWER, -SHARED], [-SHARED, UPPER]]) / determinant
    free = -(inverse @ WEIGHTS)[:, None] * UP
    # free - inverse (p e) along each direction must be -rate^2.
    cosines = directions @ directions.T
    right = np.sum(directions * free, axis=1) + np.sum(rates * rates, axis=1)
    matrix = inverse * cosines
    (a, b), (c, d) = matrix
    pulls = np.array([d * right[0] - b * right[1], a * right[1] - c * right[0]]) / (a * d - b * c)
    return free - inverse @ (pulls[:, None] * directions)


def rate(time, state):
    """Rates of (e1, e2, e1', e2')."""
    return np.concatenate([state[6:], bends(state).ravel()])


def integrals(state):
    """Energy [J], vertical angular momentum [N m s], and the lengths of the directions."""
    (e1, e2), (v1, v2) = state.reshape(2, 2, 3)
    kinetic = (UPPER * v1 @ v1 + LOWER * v2 @ v2) / 2 + SHARED * v1 @ v2
    momenta = UPPER * v1 + SHARED * v2, SHARED * v1 + LOWER * v2
    turning = np.cross(e1, momenta[0]) + np.cross(e2, momenta[1])
    return np.array([kinetic + WEIGHTS[0] * e1[2] + WEIGHTS[1] * e2[2], turning[2], e1 @ e1, e2 @ e2])


def row(time, state):
    """Time, centres of mass, their velocities, angular velocities (inertial), force on the upper bar at the
    support and on the lower one at the joint between them.
    """
    (e1, e2), (v1, v2) = state.reshape(2, 2, 3)
    b1, b2 = bends(state)
    joint = MASS * (LENGTH * (b1 + b2 / 2) + G * UP)
    support = MASS * (LENGTH / 2 * b1 + G * UP) + joint
    centres = [LENGTH / 2 * e1, LENGTH * (e1 + e2 / 2), LENGTH / 2 * v1, LENGTH * (v1 + v2 / 2)]
    return [time, *np.concatenate([*centres, np.cross(e1, v1), np.cross(e2, v2), support, joint])]


def main():
    """Integrate from both bars along x, turning about the vertical with 1 rad/s."""
    start = np.array([1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0], dtype=REAL)
    states = integrate(rate, start, TIMES, 8)
    table = np.array([row(t, s) for t, s in zip(TIMES, states)], dtype=float)
    kinds = [f"{kind}.{bar}" for kind in ("position", "velocity", "rate") for bar in ("upper", "lower")]
    names = [f"{kind}.{c}" for kind in (*kinds, "force.support", "force.joint") for c in "xyz"]
    lines = [",".join(["time", *names]), *(",".join(f"{x:.15g}" for x in line) for line in table)]
    (HERE / "truth.csv").write_text("\n".join(lines) + "\n")
    print("at 10 s:", table[-1, 1:7])
    if "--check" in sys.argv:
        finer = integrate(rate, start, TIMES, 16)
        print("half the step changes", np.abs(finer - states).max())
        print("integrals drift by", np.abs([integrals(s) - integrals(start) for s in states]).max(axis=0))
        nudge = np.zeros(12, dtype=REAL)
        nudge[8] = 1e-9  # bar 1 starts upwards a little
        grown = np.abs(integrate(rate, start + nudge, TIMES, 8) - states).max(axis=1) / REAL(1e-9)
        print("errors grow by", np.array2string(np.array(grown[::10], float), precision=2))


if __name__ == "__main__":
    main()
