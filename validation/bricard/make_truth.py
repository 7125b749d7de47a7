"""Writes truth.csv: Bricard's mechanism in its one degree of freedom.

    python make_truth.py [--check]      `--check` prints how well the loop closes, what halving the step
    changes, and the drift of the energy

Six links of equal length (the ground is one) and six hinges, each at right angles to both of its links.
The loop moves with threefold symmetry: hinges A, C, E have one angle a between their links and B, D, F
another, b, with cos(a/2) cos(b/2) = 1/2. With (a + b)/2 = 2 arcsin(cos s / sqrt 2) and (a - b)/2 = 2
arcsin(sin s / sqrt 2) that holds for every s, and s goes smoothly round the closed curve of poses;
`--check` shows that the loop then closes. The links are gone through from A to F with the rates and
second derivatives of the angles with respect to s, which gives the kinetic energy J(s) s'^2 / 2, the
derivative of J, and the slope of the potential energy: J s'' = -J' s'^2 / 2 - V'. The loop is never
closed by iteration and there is no multiplier. Extended precision (numpy.longdouble), Gauss collocation
of order 16.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

MASS, G = REAL(1), REAL("9.81")
SIDE = REAL("0.1")  # m, of the square section
AXIAL, LATERAL = MASS * SIDE**2 / 6, MASS * (1 + SIDE**2) / 12  # kg m^2
POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=REAL)  # A to F
AXES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=REAL)
TIMES = np.arange(101) / REAL(10)
RIGHT = 2 * np.arctan(REAL(1))  # angle of every hinge at the start, where s = 0


def half(c, c1, c2):
    """2 arcsin(c / sqrt 2) with first and second derivatives, given c and its derivatives."""
    root = np.sqrt(2 - c**2)
    return 2 * np.arcsin(c / np.sqrt(REAL(2))), 2 * c1 / root, 2 * c2 / root + 2 * c * c1**2 / root**3


def hinge_angles(s):
    """Angle, first and second derivative with respect to s, of hinges A and B."""
    mean = np.array(half(np.cos(s), -np.sin(s), -np.cos(s)))
    apart = np.array(half(np.sin(s), np.cos(s), -np.sin(s)))
    return mean + apart, mean - apart


def turn(axis, angle):
    """Matrix of a turn about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=REAL)
    return np.eye(3, dtype=REAL) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def links(s):
    """For each rod: matrix, direction, ends, and first and accelerations of centre of mass and rod by s.

    Rods start along the lines between the points; a rod's matrix turns them from there.
    """
    angles = hinge_angles(s)
    matrix, point = np.eye(3, dtype=REAL), POINTS[0]
    speed = spin = bend = swing = np.zeros(3, dtype=REAL)  # of the point and of the rod, first and second
    found = []
    for k in range(5):
        angle, first, second = angles[k % 2]
        axis = matrix @ AXES[k]
        swing = swing - axis * second - np.cross(spin, axis * first)
        spin = spin - axis * first
        matrix = matrix @ turn(AXES[k], RIGHT - angle)
        along = matrix @ (POINTS[k + 1] - POINTS[k])
        rates = [
            (
                speed + np.cross(spin, along * part),
                bend + np.cross(swing, along * part) + np.cross(spin, np.cross(spin, along * part)),
            )
            for part in (REAL(1) / 2, REAL(1))
        ]
        found.append((matrix, along, point, point + along, *rates[0], spin, swing))
        point, (speed, bend) = point + along, rates[1]
    return found


def energies(s):
    """J, half its derivative, the potential energy, and its derivative."""
    inertia = slope = height = climb = REAL(0)
    for _, along, start, end, speed, bend, spin, swing in links(s):
        momentum = LATERAL * spin + (AXIAL - LATERAL) * np.dot(along, spin) * along
        inertia += MASS * np.dot(speed, speed) + np.dot(momentum, spin)
        # Of the spin's energy: omega . I alpha, the gyroscopic part being normal to omega.
        moved = LATERAL * swing + (AXIAL - LATERAL) * np.dot(along, swing) * along
        slope += MASS * np.dot(speed, bend) + np.dot(moved, spin)
        height += (start[1] + end[1]) / 2
        climb += speed[1]
    return inertia, slope, MASS * G * height, MASS * G * climb


def rate(time, state):
    """Rates of (s, s')."""
    inertia, slope, _, climb = energies(state[0])
    return np.array([state[1], -(slope * state[1] ** 2 + climb) / inertia])


def energy(state):
    """Total energy [J]."""
    inertia, _, height, _ = energies(state[0])
    return inertia * state[1] ** 2 / 2 + height


def row(time, state):
    """Time, points B, C, D, E, centre of mass's velocity and angular velocity (inertial) of the rod C-D."""
    parts = links(state[0])
    points = [part[3] for part in parts[:4]]
    return [time, *np.concatenate([*points, parts[2][4] * state[1], parts[2][6] * state[1]])]


def unclosed(s):
    """How far the last rod's end is from F, and its hinge from the ground's."""
    matrix, _, _, end, *_ = links(s)[-1]
    last = matrix @ turn(AXES[5], RIGHT - hinge_angles(s)[1][0])
    return max(np.abs(end - POINTS[5]).max(), np.abs(last - np.eye(3)).max())


def main():
    """Integrate from rest."""
    states = integrate(rate, [0, 0], TIMES, 4)
    table = np.array([row(t, s) for t, s in zip(TIMES, states)], dtype=float)
    names = [f"{n}.{c}" for n in ("B", "C", "D", "E", "velocity", "angular_velocity") for c in "xyz"]
    lines = [",".join(["time", *names]), *(",".join(f"{x:.15g}" for x in line) for line in table)]
    (HERE / "truth.csv").write_text("\n".join(lines) + "\n")
    print("s reaches", states[:, 0].min(), states[:, 0].max())
    if "--check" in sys.argv:
        print("the loop is open by", max(unclosed(s) for s in np.arange(64) / REAL(10)))
        finer = integrate(rate, [0, 0], TIMES, 8)
        print("half the step changes", np.abs(finer - states).max())
        print("the energy drifts by", max(abs(energy(s) - energy(states[0])) for s in states), "J")


if __name__ == "__main__":
    main()
