"""Writes truth.csv: the babyboot's two angles from their equations of motion in minimal coordinates.

    python make_truth.py [--check]      `--check` prints what halving the step changes, and the drift of the
    energy

Extended precision (numpy.longdouble), Gauss collocation of order 16, fixed steps. Equations: Kane
and Levinson, Dynamics: Theory and Applications (1985); with D = IA + mA LA^2 + mB LB^2 + Ix cos^2 qB + Iy
sin^2 qB,
    D qA'' = -(mA LA + mB LB) g sin qA + 2 (Ix - Iy) sin qB cos qB qA' qB',    Iz qB'' = -(Ix - Iy) sin qB
    cos qB qA'^2.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

ROD, IX, IY, IZ = (REAL(x) for x in ("5e-6", "2.5e-4", "5e-5", "2e-4"))  # kg m^2
LA, LB, MA, MB, G = (REAL(x) for x in ("0.075", "0.2", "0.01", "0.1", "9.81"))
PI = 4 * np.arctan(REAL(1))
TIMES = np.arange(101) / REAL(10)


def inertia(b):
    """Moment of everything about the hinge [kg m^2]."""
    return ROD + MA * LA**2 + MB * LB**2 + IX * np.cos(b) ** 2 + IY * np.sin(b) ** 2


def rate(time, state):
    """Rates of (qA, qB, qA', qB')."""
    a, b, ad, bd = state
    mixed = (IX - IY) * np.sin(b) * np.cos(b)
    add = (2 * mixed * ad * bd - (MA * LA + MB * LB) * G * np.sin(a)) / inertia(b)
    return np.array([ad, bd, add, -mixed * ad**2 / IZ])


def energy(state):
    """Kinetic and potential energy [J]."""
    a, b, ad, bd = state
    return (inertia(b) * ad**2 + IZ * bd**2) / 2 - (MA * LA + MB * LB) * G * np.cos(a)


def main():
    """Integrate from 90 and 1 deg at rest."""
    start = [PI / 2, PI / 180, 0, 0]
    states = integrate(rate, start, TIMES, 64)
    degrees = states[:, :2] * 180 / PI
    lines = [f"{t:.1f},{a:.12f},{b:.12f}" for t, (a, b) in zip(TIMES, degrees)]
    (HERE / "truth.csv").write_text("\n".join(["time,rod_angle_deg,plate_angle_deg", *lines]) + "\n")
    print("at 10 s:", lines[-1])
    if "--check" in sys.argv:
        finer = integrate(rate, start, TIMES, 128)[:, :2] * 180 / PI
        print("half the step changes", np.abs(finer - degrees).max(), "deg")
        print("energy drifts by", max(abs(energy(s) - energy(states[0])) for s in states), "J")
        nudge = np.array([0, REAL(1e-12), 0, 0])
        nudged = integrate(rate, np.array(start) + nudge, TIMES, 64)[:, :2]
        print("errors grow by", np.abs(nudged - states[:, :2]).max() / REAL(1e-12))


if __name__ == "__main__":
    main()
