"""A gravity turn in vacuum, flown as a point mass along its velocity, against the closed form.

z = tan(psi/2) with psi the angle from the vertical, n the ratio of thrust and weight:
v = C z^(n - 1) (1 + z^2) and t = C/g z^(n - 1) (1/(n - 1) + z^2/(n + 1)).
G. J. Culler and B. D. Fried, Universal Gravity Turn Trajectories, J. Appl. Phys. 28, 1957, p 672."""

import numpy as np

from interstage.studies.verify import Row

G, RATIO, SPEED = 9.80665, 1.5, 50.0  # m/s^2, 1, m/s
START, END = np.deg2rad([5.0, 60.0])  # from the vertical


def turn(psi):
    """Time [s] and speed [m/s] at angles from the vertical [rad]."""
    first, z = np.tan(START / 2), np.tan(np.asarray(psi) / 2)
    c = SPEED / (first ** (RATIO - 1) * (1 + first**2))

    def time(z):
        return c / G * z ** (RATIO - 1) * (1 / (RATIO - 1) + z**2 / (RATIO + 1))

    return time(z) - time(first), c * z ** (RATIO - 1) * (1 + z**2)


def compare(fly, folder):
    """Time and speed at 60 deg from the vertical, and on the way there."""
    record = fly(folder / "scenario.toml")
    velocity = record.series["bodies.rocket.velocity"]
    last = record.before["bodies.rocket.velocity"][-1]
    time, speed = turn(np.arctan2(velocity[:, 0], velocity[:, 2]))
    end, fast = turn(END)
    late = np.abs(record.time - time)
    fast_by = np.abs(np.linalg.norm(velocity, axis=1) - speed)
    yield Row("time at 60 deg [s]", abs(record.events[-1].time - float(end)), 1e-9)
    yield Row("speed at 60 deg [m/s]", abs(float(np.linalg.norm(last)) - float(fast)), 1e-9)
    yield Row("time at each angle [s]", float(np.max(late)), 1e-9)
    yield Row("speed at each angle [m/s]", float(np.max(fast_by)), 1e-9)
    yield Row("out of the plane [m/s]", float(np.max(np.abs(velocity[:, 1]))), 1e-9)
