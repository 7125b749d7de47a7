"""Writes truth.csv: a disk that wobbles as it rolls, from its equations in the tilt and three rates.

    python make_truth.py [--check]      `--check` prints what halving the step changes, and the drift of the
    energy

Extended precision (numpy.longdouble), Gauss collocation of order 16, fixed steps. With the axle a, the upward
normal n, c = n.a = cos(tilt), s = sin(tilt), u = (n - c a)/s up the disk's plane and e = a x u level along
the track, the frame (e, u, a) turns at W n - tilt' e, the disk at W n - tilt' e + p a, w3 = p + W c. The hub
moves at R (tilt' a + w3 e) where the rim's lowest point stands still. Euler's equations about the hub, with
the force that Newton's law gives at that point, are

    (A + m R^2) tilt'' = A W^2 s c - (C + m R^2) w3 W s - m g R c
    A (W' s + 2 W tilt' c) = C w3 tilt'
    (C + m R^2) w3' = m R^2 tilt' W s

A, C: moments of inertia across and along the axle. No constraint, no multiplier, no quaternion.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

MASS, RADIUS, G = REAL(2), REAL("0.5"), REAL("9.81")
ACROSS, ALONG = MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2
START = np.array([np.radians(REAL(60)), REAL("0.4"), REAL("1.5"), REAL(-4), 0, 0, 0, 0])
"""Tilt [rad] and its rate, W, w3 [rad/s], azimuth of the axle, turn about it [rad], place of the hub [m]."""
TIMES = np.arange(51) / REAL(10)


def rate(time, state):
    """Rates of the state."""
    tilt, tilt_rate, turning, spin, *_ = state
    s, c, rolling = np.sin(tilt), np.cos(tilt), MASS * RADIUS**2
    tilting = ACROSS * turning**2 * s * c - (ALONG + rolling) * spin * turning * s - MASS * G * RADIUS * c
    turning_rate = (ALONG * spin / ACROSS - 2 * turning * c) * tilt_rate / s
    spin_rate = rolling * tilt_rate * turning * s / (ALONG + rolling)
    velocity = RADIUS * (tilt_rate * axes(state)[2] + spin * axes(state)[0])
    steady = [tilt_rate, tilting / (ACROSS + rolling), turning_rate, spin_rate, turning, spin - turning * c]
    return np.array([*steady, velocity[0], velocity[1]])


def axes(state):
    """e, u, a in inertial components, as rows."""
    tilt, azimuth = state[0], state[4]
    s, c, ahead, aside = np.sin(tilt), np.cos(tilt), np.cos(azimuth), np.sin(azimuth)
    return np.array([[aside, -ahead, 0], [-c * ahead, -c * aside, s], [s * ahead, s * aside, c]])


def row(time, state):
    """Place and velocity of the hub, body axes x and z, angular velocity, and the force at the contact
    [inertial]."""
    tilt, tilt_rate, turning, spin = state[:4]
    s, c = np.sin(tilt), np.cos(tilt)
    e, u, a = axes(state)
    _, tilting, _, spin_rate = rate(time, state)[:4]
    hub = [state[6], state[7], RADIUS * s]
    velocity = RADIUS * (tilt_rate * a + spin * e)
    x = np.cos(state[5]) * u + np.sin(state[5]) * e
    whirl = -tilt_rate * e + turning * s * u + spin * a
    acceleration = RADIUS * (
        (tilting + spin * turning * s) * a
        + (spin_rate - tilt_rate * turning * s) * e
        - (tilt_rate**2 + spin * turning * c) * u
    )
    force = MASS * (acceleration + np.array([0, 0, G]))
    return [time, *hub, *velocity, *x, *a, *whirl, *force]


def energy(state):
    """Kinetic and potential energy [J]."""
    tilt, tilt_rate, turning, spin = state[:4]
    s, rolling = np.sin(tilt), MASS * RADIUS**2
    moving = (ACROSS + rolling) * tilt_rate**2 + ACROSS * (turning * s) ** 2 + (ALONG + rolling) * spin**2
    return moving / 2 + MASS * G * RADIUS * s


def main():
    """Integrate, and write the table."""
    states = integrate(rate, START, TIMES, 20)
    quantities = ("position", "velocity", "x_axis", "axle", "angular_velocity", "force")
    names = [f"{n}.{c}" for n in quantities for c in "xyz"]
    table = np.array([row(t, s) for t, s in zip(TIMES, states)], dtype=float)
    lines = [",".join(["time", *names]), *(",".join(f"{x:.15g}" for x in line) for line in table)]
    (HERE / "truth.csv").write_text("\n".join(lines) + "\n")
    print("start:", *(np.array2string(part, precision=17) for part in np.split(table[0, 1:], 6)), sep="\n")
    print("tilt", np.degrees(states[:, 0].astype(float)).min(), np.degrees(states[:, 0].astype(float)).max())
    if "--check" in sys.argv:
        finer = integrate(rate, START, TIMES, 40)
        other = np.array([row(t, s) for t, s in zip(TIMES, finer)], dtype=float)
        print("half the step changes", np.abs(other - table).max())
        print("energy drifts by", np.abs([energy(s) - energy(states[0]) for s in states]).max())


if __name__ == "__main__":
    main()
