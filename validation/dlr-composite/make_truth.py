"""Writes truth.csv: the joined vehicle as a rigid dumbbell in the field of a point mass, by Newton's law.

    python make_truth.py [--check]      `--check` prints what halving the step changes, and how far the
    orbit is
                                        from that of a point, and the load from the tide to first order

Two masses at a fixed distance d with their own moments about the normal of the orbit; gravity pulls at the
two centres of mass. All is in the plane of the orbit: R'' = sum m g / M, J angle'' = mu_r d e x (gB - gA),
and the load follows from F = mu_r [(d e)'' - (gB - gA)], mu_r = mA mB / M. Extended precision
(numpy.longdouble), Gauss collocation of order 16, fixed steps; no constraint equation."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

GM = REAL("398600.4415e9")  # m^3/s^2
MA, MB = REAL(6000), REAL(1000)  # kg
JA, JB = REAL(23000), REAL(800)  # kg m^2, about the normal
D, BEHIND = REAL("5.8"), REAL("2.3")  # m: between the centres of mass; from the joint to the payload's
REDUCED = MA * MB / (MA + MB)
TIMES = np.arange(0, 2001, 10).astype(REAL)


def pull(r):
    """Acceleration of gravity at r (2) [m/s^2]."""
    return -GM * r / np.sqrt(r @ r) ** 3


def turning(state):
    """(axis, its rate, its acceleration; gravity at the payload less that at the stage; mean gravity)."""
    r, angle, rate = state[:2], state[4], state[5]
    e = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-e[1], e[0]])
    stage, payload = pull(r - MB / (MA + MB) * D * e), pull(r + MA / (MA + MB) * D * e)
    tide = payload - stage
    spin = REDUCED * D * (across @ tide) / (JA + JB + REDUCED * D**2)
    bend = D * (spin * across - rate**2 * e)
    return e, across, spin, bend, tide, (MA * stage + MB * payload) / (MA + MB)


def rate(time, state):
    """Rates of (position 2, velocity 2, angle, angular rate)."""
    *_, spin, _, _, fall = turning(state)
    return np.concatenate([state[2:4], fall, [state[5], spin]])


def row(time, state):
    """What the table holds; force and torque on the payload at the joint, stage axes (x, z and y)."""
    e, across, spin, bend, tide, _ = turning(state)
    force = REDUCED * (bend - tide)
    torque = JB * spin + BEHIND * (e[0] * force[1] - e[1] * force[0])  # about the normal
    return [time, *state, -across @ force, e @ force, -torque]


def kepler(times, start):
    """Positions of a point from the same start, f and g series free: Newton on Kepler's equation."""
    r0, v0 = start[:2], start[2:4]
    size, speed, radial = np.sqrt(r0 @ r0), v0 @ v0, (r0 @ v0)
    a = 1 / (2 / size - speed / GM)
    n, c, s = np.sqrt(GM / a**3), 1 - size / a, radial / np.sqrt(GM * a)
    found = []
    for t in times:
        x = n * t
        for _ in range(8):
            x -= (x - c * np.sin(x) + s * (1 - np.cos(x)) - n * t) / (1 - c * np.cos(x) + s * np.sin(x))
        f = 1 - a / size * (1 - np.cos(x))
        g = t + (np.sin(x) - x) / n
        found.append(f * r0 + g * v0)
    return np.array(found)


def main():
    """Integrate from the stage's state at rest in angle, the axis along the flight."""
    lead = MB / (MA + MB) * D
    start = np.array([REAL("1.1378e7"), lead, 0, REAL("5918.8"), 2 * np.arctan(REAL(1)), 0], dtype=REAL)
    states = integrate(rate, start, TIMES, 1)
    table = np.array([row(t, s) for t, s in zip(TIMES, states)])
    names = "time position.x position.y velocity.x velocity.y angle angular_rate force.x force.z torque.y"
    lines = [",".join(f"{float(x):.17g}" for x in line) for line in table]
    (HERE / "truth.csv").write_text("\n".join([",".join(names.split()), *lines]) + "\n")
    if "--check" in sys.argv:
        finer = integrate(rate, start, TIMES, 2)
        other = np.array([row(t, s) for t, s in zip(TIMES, finer)])
        print("half the step changes", np.abs(other - table).max(axis=0).astype(float))
        away = states[:, :2] - kepler(TIMES, start)
        print("from the orbit of a point [m]:", float(np.abs(away).max()))
        print(
            "peak force",
            float(np.abs(table[:, 7:9]).max()),
            "turned",
            float(table[-1, 5] - table[0, 5]),
            "rad",
        )


if __name__ == "__main__":
    main()
