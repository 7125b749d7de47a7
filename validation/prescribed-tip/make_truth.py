"""Writes truth.csv and free.csv: a plane three-link arm whose tip moves with a prescribed velocity.

    python make_truth.py [--check]      `--check` prints what halving the step changes, and the smallest
    singular value of the tip's Jacobian

Extended precision (numpy.longdouble), Gauss collocation of order 16, fixed steps. Coordinates are the links'
angles p from the x axis, so that the joints hold by themselves. With e(p) along a link, n(p) across it, the
tip has the velocity J p', J's columns L_i n(p_i). Lagrange's equations are

    sum_j a_ij (cos(p_i - p_j) p_j'' + sin(p_i - p_j) p_j'^2) + g b_i cos(p_i) = (J^T f)_i

truth.csv: tip velocity and the last link's rate are prescribed, so that p' = J^-1 v(t), inverse kinematics
alone; f, the force and torque at the tip, follows from the equations. free.csv: the tip velocity only; the
equations and J p'' = v' - J' p' are solved together. The forces in the hinges are sums of m (acceleration +
g) over the links beyond.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

LENGTH = np.array([1, REAL("0.8"), REAL("0.6")])  # m
CENTRE = LENGTH / 2  # m, from the inner hinge
MASS = np.array([3, 2, 1], dtype=REAL)  # kg
INERTIA = np.array([REAL("0.25"), REAL("0.11"), REAL("0.03")])  # kg m^2, about the centres of mass
G = REAL("9.81")
BEYOND = np.array([MASS[1] + MASS[2], MASS[2], 0])  # kg, carried at each link's outer end
WEIGHT = MASS * CENTRE + LENGTH * BEYOND
COUPLING = np.diag(INERTIA + MASS * CENTRE**2 + LENGTH**2 * BEYOND)
for i, j in ((0, 1), (0, 2), (1, 2)):
    COUPLING[i, j] = COUPLING[j, i] = LENGTH[i] * WEIGHT[j]
START = np.radians(np.array([110, 30, -20], dtype=REAL))
TIMES = np.arange(41) / REAL(20)
TABLE = CubicSpline([0, 0.5, 1, 1.5, 2], [0.1, 0.3, -0.1, -0.4, 0], bc_type="natural")  # m/s


def prescribed(time):
    """Velocity of the tip along x and y [m/s] and rate of the last link [rad/s], and their rates."""
    angle = 3 * time + REAL("0.5")
    swing = REAL("0.1") + REAL("0.4") * np.sin(angle), REAL("1.2") * np.cos(angle)
    table = REAL(TABLE(float(time))), REAL(TABLE(float(time), 1))
    turn = REAL("0.3") - REAL("0.5") * time, -REAL("0.5")
    return np.array([swing, table, turn]).T


def solve(matrix, right):
    """Gaussian elimination with pivots, in extended precision, which LAPACK has not."""
    a = np.concatenate([matrix, right[:, None]], axis=1)
    n = len(a)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        a[[k, pivot]] = a[[pivot, k]]
        for row in range(k + 1, n):
            a[row] -= a[k] * (a[row, k] / a[k, k])
    x = np.zeros(n, dtype=REAL)
    for k in reversed(range(n)):
        x[k] = (a[k, -1] - a[k, k + 1 : n] @ x[k + 1 :]) / a[k, k]
    return x


def tip(p, rate):
    """Jacobian (3, 3) of the tip's velocity and the last link's rate, and J' p'."""
    jacobian = np.array([-LENGTH * np.sin(p), LENGTH * np.cos(p), [0, 0, 1]])
    swing = -np.array([LENGTH * np.cos(p), LENGTH * np.sin(p), 0 * p]) @ rate**2
    return jacobian, swing


def inertia_and_load(p, rate):
    """Mass matrix, and what stands beside it in Lagrange's equations."""
    apart = p[:, None] - p[None]
    return COUPLING * np.cos(apart), (COUPLING * np.sin(apart)) @ rate**2 + G * WEIGHT * np.cos(p)


def guided(time, p):
    """Rates, accelerations and tip load (f_x, f_y, torque) where all three are prescribed."""
    v, a = prescribed(time)
    rate = solve(tip(p, 0 * p)[0], v)
    jacobian, swing = tip(p, rate)
    acceleration = solve(jacobian, a - swing)
    mass, load = inertia_and_load(p, rate)
    return rate, acceleration, solve(jacobian.T, mass @ acceleration + load)


def free(time, p, rate):
    """Accelerations and tip force where the velocity of the tip is prescribed alone."""
    jacobian, swing = (part[:2] for part in tip(p, rate))
    mass, load = inertia_and_load(p, rate)
    whole = np.block([[mass, -jacobian.T], [jacobian, np.zeros((2, 2), dtype=REAL)]])
    found = solve(whole, np.concatenate([-load, prescribed(time)[1][:2] - swing]))
    return found[:3], found[3:]


def row(time, p, rate, acceleration, load):
    """Angles, rates, tip load, the forces on each link at its inner hinge, and the velocity of the tip."""
    e, n = np.array([np.cos(p), np.sin(p)]), np.array([-np.sin(p), np.cos(p)])
    own = n * acceleration - e * rate**2  # of a point one metre along each link, past its hinge
    ends = np.cumsum(own * LENGTH, axis=1)
    centres = own * CENTRE + np.concatenate([np.zeros((2, 1)), ends[:, :2]], axis=1)
    needed = MASS * (centres + np.array([[0], [G]]))
    hinges = np.cumsum(needed[:, ::-1], axis=1)[:, ::-1] - load[:2, None]
    return [time, *p, *rate, *load, *hinges.T.ravel(), *prescribed(time)[0][:2]]


def table_of(steps):
    """Both tables for a number of steps between samples."""
    one = integrate(lambda t, p: guided(t, p)[0], START, TIMES, steps)
    begin = np.concatenate([START, guided(REAL(0), START)[0]])
    two = integrate(lambda t, s: np.concatenate([s[3:], free(t, s[:3], s[3:])[0]]), begin, TIMES, steps)
    with_wrist = [row(t, p, *guided(t, p)) for t, p in zip(TIMES, one)]
    found = [free(t, s[:3], s[3:]) for t, s in zip(TIMES, two)]
    without = [row(t, s[:3], s[3:], a, np.append(f, 0)) for (t, s), (a, f) in zip(zip(TIMES, two), found)]
    return np.array(with_wrist, dtype=float), np.array(without, dtype=float)


def main():
    """Integrate, and write the tables."""
    names = [
        "time",
        *(f"angle{k}" for k in (1, 2, 3)),
        *(f"rate{k}" for k in (1, 2, 3)),
        "fx",
        "fy",
        "torque",
    ]
    names += [*(f"hinge{k}{c}" for k in (1, 2, 3) for c in "xy"), "vx", "vy"]
    tables = table_of(16)
    for name, table in zip(("truth", "free"), tables):
        lines = [",".join(names), *(",".join(f"{x:.15g}" for x in line) for line in table)]
        (HERE / f"{name}.csv").write_text("\n".join(lines) + "\n")
    print("rates at the start [rad/s]:", *(f"{x:.17g}" for x in tables[0][0, 4:7]))
    if "--check" in sys.argv:
        finer = table_of(32)
        print("half the step changes", *(np.abs(a - b).max() for a, b in zip(tables, finer)))
        for table, rows in zip(tables, (3, 2)):
            values = [np.linalg.svd(tip(p, 0 * p)[0][:rows].astype(float))[1][-1] for p in table[:, 1:4]]
            print("smallest singular value", min(values))


if __name__ == "__main__":
    main()
