"""Writes truth_egm96.csv: the joined vehicle as a rigid dumbbell in EGM96, by Newton's and Euler's laws.

    python make_truth_egm96.py [--check]      `--check` prints what halving the step changes

Two bodies at a fixed distance d along e with their own moments; gravity pulls at the two centres of mass.
With the total mass M, mu_r = mA mB/M and the moments of the whole J (two of them equal),

    R'' = (mA gA + mB gB)/M,    J w' = mu_r d e x (gB - gA) - w x J w,    F = mu_r [(d e)'' - (gB - gA)],

F on the payload. Extended precision, Gauss collocation of order 16, fixed steps; no constraint equation.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
for place in (".", "tp2016-spherical", "egm96"):
    sys.path.insert(0, str(HERE.parent / place))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]
from extended import coefficients, in_space  # noqa: E402  # pyright: ignore[reportMissingImports]
from quaternions import matrix, quaternion_rate  # noqa: E402  # pyright: ignore[reportMissingImports]

MA, MB = REAL(6000), REAL(1000)  # kg
D, BEHIND = REAL("5.8"), REAL("2.3")  # m: between the centres of mass; from the joint to the payload's
REDUCED = MA * MB / (MA + MB)
PAYLOAD = np.array([800, 800, 600], dtype=REAL)  # kg m^2, about its centre of mass
WHOLE = np.array([23800 + REDUCED * D**2, 23800 + REDUCED * D**2, 18600], dtype=REAL)
ANGLE, TURN = REAL("4.894961212823756"), REAL("7.292115e-5")  # rad, rad/s
DEGREE = 20
FIELD = coefficients(DEGREE)
TIMES = np.arange(0, 2001, 10).astype(REAL)


def moving(time, state):
    """(mean gravity, inertial axes; angular acceleration, body axes; force and torque on the payload at the
    joint, body axes). The long axis is z."""
    place, w = state[:3], state[10:]
    turn = matrix(state[6:10])
    e = turn[:, 2]
    two = np.stack([place - MB / (MA + MB) * D * e, place + MA / (MA + MB) * D * e], axis=1)
    pull = in_space(FIELD, two, ANGLE + TURN * time)
    tide = turn.T @ (pull[:, 1] - pull[:, 0])
    along = np.array([0, 0, 1], dtype=REAL)
    spin = (REDUCED * D * np.cross(along, tide) - np.cross(w, WHOLE * w)) / WHOLE
    bend = D * (np.cross(spin, along) + np.cross(w, np.cross(w, along)))
    force = REDUCED * (bend - tide)
    torque = PAYLOAD * spin + np.cross(w, PAYLOAD * w) + BEHIND * np.cross(along, force)
    return (MA * pull[:, 0] + MB * pull[:, 1]) / (MA + MB), spin, force, torque


def rate(time, state):
    """Rates of (position 3, velocity 3, quaternion 4, angular velocity in body axes 3)."""
    q, w = state[6:10], state[10:]
    fall, spin, _, _ = moving(time, state)
    return np.concatenate([state[3:6], fall, quaternion_rate(q, w), spin])


def main():
    """Integrate from the stage's place, at rest in angle, the long axis along the flight."""
    half = np.sqrt(REAL(1) / 2)
    place, speed = [REAL("1.1378e7"), MB / (MA + MB) * D, REAL(0)], [REAL(0), REAL("5918.8"), REAL(0)]
    start = np.array([*place, *speed, half, -half, 0, 0, 0, 0, 0], dtype=REAL)
    states = integrate(rate, start, TIMES, 1)

    def rows(found):
        return np.array([[t, *s, *np.concatenate(moving(t, s)[2:])] for t, s in zip(TIMES, found)])

    table = rows(states)
    names = ["time"]
    for stem, parts in (
        ("position", "xyz"),
        ("velocity", "xyz"),
        ("attitude", "wxyz"),
        ("angular_velocity", "xyz"),
        ("force", "xyz"),
        ("torque", "xyz"),
    ):
        names += [f"{stem}.{part}" for part in parts]
    lines = [",".join(f"{float(x):.17g}" for x in line) for line in table]
    (HERE / "truth_egm96.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    if "--check" in sys.argv:
        other = rows(integrate(rate, start, TIMES, 2))
        for name, change in zip(names, np.abs(other - table).max(axis=0).astype(float)):
            print(name, change)


if __name__ == "__main__":
    main()
