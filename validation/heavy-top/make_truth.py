"""Writes truth.csv: the heavy top from Euler's equations about its fixed point.

    python make_truth.py [--check]      `--check` prints what halving the step changes, and the drift of the
    integrals

Extended precision (numpy.longdouble), Gauss collocation of order 16, fixed steps. State: the
downward vertical's opposite z, and the other two inertial axes, all in body axes (Poisson's equations), and
the angular velocity; no quaternion, no constraint.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

MASS, G = REAL(15), REAL("9.81")
ARM = np.array([0, 1, 0], dtype=REAL)  # m, from the tip to the centre of mass, body axes
CENTRAL = np.array([REAL("0.234375"), REAL("0.46875"), REAL("0.234375")])  # kg m^2
INERTIA = CENTRAL + MASS * (1 - ARM**2)  # about the tip
START = np.array([0, 150, REAL("-4.61538")])  # rad/s
TIMES = np.arange(21) / REAL(20)


def spin_rate(w, up):
    """Angular acceleration in body axes; `up` is the upward vertical in body axes."""
    return (np.cross(ARM, -MASS * G * up) - np.cross(w, INERTIA * w)) / INERTIA


def rate(time, state):
    """Rates of the inertial axes in body axes (rows of the attitude matrix) and of the angular velocity."""
    axes, w = state[:9].reshape(3, 3), state[9:]
    return np.concatenate([np.cross(axes, w).ravel(), spin_rate(w, axes[2])])


def row(time, state):
    """Position, velocity of the centre of mass [inertial], angular velocity [body], force on the top at the
    tip [inertial].
    """
    axes, w = state[:9].reshape(3, 3), state[9:]
    whirl = np.cross(w, ARM)
    acceleration = np.cross(spin_rate(w, axes[2]), ARM) + np.cross(w, whirl)
    force = MASS * (axes @ acceleration + np.array([0, 0, G]))
    return [time, *(axes @ ARM), *(axes @ whirl), *w, *force]


def integrals(state):
    """Energy [J] and the vertical angular momentum [N m s]."""
    axes, w = state[:9].reshape(3, 3), state[9:]
    return np.array([np.sum(INERTIA * w * w) / 2 + MASS * G * (axes @ ARM)[2], axes[2] @ (INERTIA * w)])


def main():
    """Integrate from axes parallel to the inertial ones."""
    start = np.concatenate([np.eye(3, dtype=REAL).ravel(), START])
    states = integrate(rate, start, TIMES, 16)
    names = [f"{n}.{c}" for n in ("position", "velocity", "angular_velocity", "force") for c in "xyz"]
    table = np.array([row(t, s) for t, s in zip(TIMES, states)], dtype=float)
    lines = [",".join(["time", *names]), *(",".join(f"{x:.15g}" for x in line) for line in table)]
    (HERE / "truth.csv").write_text("\n".join(lines) + "\n")
    print("centre of mass at 1 s:", np.array2string(table[-1, 1:4], precision=13))
    if "--check" in sys.argv:
        finer = integrate(rate, start, TIMES, 32)
        other = np.array([row(t, s) for t, s in zip(TIMES, finer)], dtype=float)
        print("half the step changes", np.abs(other - table).max(axis=0).max())
        print("integrals drift by", np.abs([integrals(s) - integrals(states[0]) for s in states]).max(axis=0))


if __name__ == "__main__":
    main()
