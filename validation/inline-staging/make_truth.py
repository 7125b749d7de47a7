"""Writes truth.csv, failed.csv and none.csv: the separation by equations of its own.

    python make_truth.py

Of all motors, without the left one, and without any; from the release to the end of the flight."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import apart  # noqa: E402  # pyright: ignore[reportMissingImports]
from make_scenario import CORNERS, DISTANCES, share  # noqa: E402  # pyright: ignore[reportMissingImports]

LOWER, UPPER = np.array([-8.5, 0, 0]), np.array([1.6, 0, 0])
CUT_OFF, APART, LIT = 0.5, 2.5, 5.0
RELEASE = APART + 4e-3
TAIL = np.array([[0, 0.1, 0.5, 1.5, 3, 6], [1, 0.2, 0.03, 0.012, 0.008, 0]])
TRACE = np.array([[0, 0.01, 0.04, 0.55, 0.65], [0, 0, 5e3, 5e3, 0]])
RISE = 0.3
SHARES = [round(share(d), 6) for d in DISTANCES]
CANT = np.radians(15)
MOTORS = {"left": (0, -1), "right": (0, 1), "top": (1, -1), "bottom": (1, 1)}
"""Axis, y or z, and side of each motor."""
TIMES = np.array([*np.arange(251, 320, 2) / 100, *np.arange(33, 66) / 10])


def rise(x):
    """Smooth step from 0 to 1 with continuous second derivatives."""
    x = min(max(x, 0.0), 1.0)
    return x**3 * (10 - 15 * x + 6 * x**2)


def pushes(failed):
    """Tail-off, motors, upper engine and plume."""

    def along(size):
        return np.array([size, 0, 0])

    yield apart.Push(
        0, np.array([-17.0, 0, 0]) - LOWER, lambda t, _: along(343e3 * np.interp(t - CUT_OFF, *TAIL))
    )
    for name, (axis, side) in MOTORS.items():
        if name in failed:
            continue
        at = np.array([-1.0, 0, 0])
        at[1 + axis] = 0.9 * side
        direction = np.array([-np.cos(CANT), 0, 0])
        direction[1 + axis] = -side * np.sin(CANT)
        yield apart.Push(
            0, at - LOWER, lambda t, _, e=direction: e * np.interp(t - APART, *TRACE, left=0, right=0)
        )
    yield apart.Push(1, np.array([-1.7, 0, 0]) - UPPER, lambda t, _: along(31e3 * rise((t - LIT) / RISE)))
    yield apart.Push(
        0,
        np.array([-2.0, 0, 0]) - LOWER,
        lambda t, away: along(-31e3 * rise((t - LIT) / RISE) * np.interp(away, DISTANCES, SHARES)),
        watched=np.array([-1.7, 0, 0]) - UPPER,
    )


def released(failed):
    """The two bodies, and the corners of what pushes them."""
    springs = [
        apart.Spring(
            parent_at=np.array([-0.3, y, z]) - LOWER,
            child_at=np.array([0, y, z]) - UPPER,
            axis=np.array([1.0, 0, 0]),
            preload=4e3,
            stiffness=20e3,
            stroke=0.1,
        )
        for y, z in CORNERS.values()
    ]
    inertias = [np.diag([1400.0, 36e3, 36e3]), np.diag([1500.0, 8e3, 8e3])]
    corners = [*(CUT_OFF + TAIL[0]), *(APART + TRACE[0]), LIT, LIT + RISE]
    return apart.Pair([2200.0, 4600.0], inertias, springs, list(pushes(failed))), corners


def fly(failed, times):
    """(states at the times, ends of the strokes)."""
    pair, corners = released(failed)
    return pair.fly(apart.at_rest([LOWER, UPPER]), RELEASE, times, corners)


def lip(x):
    """Of the nozzle's lip in the lower stage's axes: distance from the wall [m], and its rate [m/s]."""
    (r0, v0, m0, w0), (r1, v1, m1, w1) = apart.Pair.parts(x)
    arm = np.array([-1.7, 0.6, 0]) - UPPER
    place = m0.T @ (r1 + m1 @ arm - r0)
    rate = m0.T @ (v1 + m1 @ np.cross(w1, arm) - v0) - np.cross(w0, place)
    return 0.83 - place[1], -rate[1]


def touch():
    """Time at which the lip touches the wall without the left motor [s], speed of approach [m/s], and the
    mass behind it along the wall's normal [kg]."""
    time, x = 3.02, np.zeros(0)
    for _ in range(6):
        states, _ = fly(["left"], np.array([time]))
        x = states[-1]
        gap, rate = lip(x)
        time -= gap / rate
    (r0, _, m0, _), (r1, _, m1, _) = apart.Pair.parts(x)
    point = r1 + m1 @ (np.array([-1.7, 0.6, 0]) - UPPER)
    normal = m0[:, 1]
    turns = np.cross(point - r0, normal)[2] ** 2 / 36e3 + np.cross(point - r1, normal)[2] ** 2 / 8e3
    return time, -lip(x)[1], 1 / (1 / 2200 + 1 / 4600 + turns)


if __name__ == "__main__":
    for file, failed in (("truth", []), ("failed", ["left"]), ("none", list(MOTORS))):
        states, spent = fly(failed, TIMES)
        comment = "spent " + " ".join(f"{t:.17g}" for t in spent)
        if failed == ["left"]:
            comment += "\n# touches " + " ".join(f"{value:.17g}" for value in touch())
        apart.write(HERE / f"{file}.csv", comment, *apart.rows(TIMES, states))
