"""A symmetric top held at a fixed angle to the vertical, in closed form; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, turned, worst

MASS, ARM, ALONG, ACROSS, G = 3.0, 0.4, 0.05, 0.08, 9.81  # kg, m, kg m^2 about the centre of mass, m/s^2
TILT, TURNING, SPIN = np.radians(35.0), 1.5, 8.0  # rad, rad/s about the vertical, about the axis
TIMES = np.linspace(0, 10, 101)
BOUND = 1e-10
ROUNDED = 16 * np.finfo(float).eps
"""Of an angle between axes from two quaternions: each matrix is off by some four roundings, that of the joint
and the product of both add as many; 3.5 were found."""


def truth() -> dict[str, np.ndarray]:
    """The motion at constant rates, and what holds it.

    With the tilt constant, Lagrange's equations of the top leave its azimuth and its turn about its own axis
    to run evenly, and that of the tilt gives the torque of the joint about the line of nodes: C (p + W cos) W
    sin - (A + m l^2) W^2 sin cos - m g l sin, C and A along and across the axis.
    """
    s, c = np.sin(TILT), np.cos(TILT)
    turn, own, zero = TURNING * TIMES, SPIN * TIMES, np.zeros_like(TIMES)
    ahead = np.stack([np.cos(turn), np.sin(turn), zero], axis=1)
    nodes = np.stack([-np.sin(turn), np.cos(turn), zero], axis=1)
    up = np.array([0, 0, 1.0])
    axis = s * ahead + c * up
    whirl = TURNING * up + SPIN * axis
    moment = ALONG * (SPIN + TURNING * c) * TURNING * s
    moment -= (ACROSS + MASS * ARM**2) * TURNING**2 * s * c + MASS * G * ARM * s
    return {
        "position": ARM * axis,
        "axis": axis,
        "mark": np.cos(own)[:, None] * nodes + np.sin(own)[:, None] * (s * up - c * ahead),
        "angular_velocity": whirl,
        "force": MASS * (G * up - ARM * TURNING**2 * s * ahead),
        "torque": moment * nodes,
    }


def compare(fly, folder):
    """Motion and load of the joint."""
    record, expected = fly(folder / "scenario.toml"), truth()
    attitude = at(record, "bodies.top.attitude", TIMES)
    found = {
        "position": at(record, "bodies.top.position", TIMES),
        "axis": turned(attitude, np.tile([1.0, 0, 0], (len(TIMES), 1))),
        "mark": turned(attitude, np.tile([0, 1.0, 0], (len(TIMES), 1))),
        "angular_velocity": turned(attitude, at(record, "bodies.top.angular_velocity", TIMES)),
        "force": at(record, "joints.pivot.force", TIMES),
        "torque": at(record, "joints.pivot.torque", TIMES),
    }
    return [
        *(
            Row(
                f"{name} [of its peak]",
                worst(found[name] - expected[name]) / length(expected[name]).max(),
                BOUND,
            )
            for name in found
        ),
        Row(
            "angle from the one that is held [rad]",
            worst(record.series["joints.pivot.misalignment"]),
            ROUNDED,
        ),
    ]
