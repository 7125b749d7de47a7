"""A thin disk that rolls on a level plane, in a steady circle and wobbling; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, read_table, turned, worst

MASS, RADIUS, ACROSS, ALONG, G = 2.0, 0.5, 0.2, 0.3, 9.81  # kg, m, kg m^2, m/s^2
TILT, TURNING = np.radians(70.0), 2.0  # rad, rad/s
BOUND = 1e-10


def spin() -> float:
    """Angular velocity of the disk along its axle [rad/s] at which it rolls in a circle.

    From (C + m R^2) w3 W s + m g R c = A W^2 s c.
    """
    s, c = np.sin(TILT), np.cos(TILT)
    held = ACROSS * TURNING**2 * s * c - MASS * G * RADIUS * c
    return held / ((ALONG + MASS * RADIUS**2) * TURNING * s)


def about_normal(angle: np.ndarray, vector) -> np.ndarray:
    """Vectors (rows, 3) turned about the vertical."""
    x, y, z = vector
    s, c = np.sin(angle), np.cos(angle)
    return np.stack([c * x - s * y, s * x + c * y, np.full_like(angle, z)], axis=1)


def circle(times: np.ndarray) -> dict[str, np.ndarray]:
    """The steady circle from the axle's azimuth zero, as in make_truth.py with constant rates."""
    s, c, w3 = np.sin(TILT), np.cos(TILT), spin()
    e, u, a = np.array([[0, -1.0, 0], [-c, 0, s], [s, 0, c]])
    turn = TURNING * times
    own = (w3 - TURNING * c) * times
    force = MASS * (RADIUS * w3 * TURNING * (s * a - c * u) + np.array([0, 0, G]))
    arm = -RADIUS * u
    path = RADIUS * w3 / TURNING  # e is the rate of -(azimuth direction of the axle)
    ahead = np.array([1.0, 0, 0])
    centre = np.array([path, 0, RADIUS * s])
    u_now, e_now = about_normal(turn, u), about_normal(turn, e)
    return {
        "position": centre + about_normal(turn, -path * ahead),
        "velocity": about_normal(turn, RADIUS * w3 * e),
        "x_axis": np.cos(own)[:, None] * u_now + np.sin(own)[:, None] * e_now,
        "axle": about_normal(turn, a),
        "angular_velocity": about_normal(turn, TURNING * s * u + w3 * a),
        "force": about_normal(turn, force),
        "torque": about_normal(turn, np.cross(arm, force)),
        "contact": centre + about_normal(turn, arm - path * ahead),
    }


def wobble(table: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The table with what follows from it: the torque about the hub, and the point of contact."""
    down = table["axle"] * table["axle"][:, 2:] - [0, 0, 1]
    arm = RADIUS * down / length(down)[:, None]
    return table | {"torque": np.cross(arm, table["force"]), "contact": table["position"] + arm}


def rows(record, times, truth, what):
    """One flight against its truth, each quantity over its peak."""
    attitude = at(record, "bodies.disk.attitude", times)
    found = {
        "position": at(record, "bodies.disk.position", times),
        "velocity": at(record, "bodies.disk.velocity", times),
        "x_axis": turned(attitude, np.tile([1.0, 0, 0], (len(times), 1))),
        "axle": turned(attitude, np.tile([0, 0, 1.0], (len(times), 1))),
        "angular_velocity": turned(attitude, at(record, "bodies.disk.angular_velocity", times)),
        "force": at(record, "joints.wheel.force", times),
        "torque": at(record, "joints.wheel.torque", times),
        "contact": at(record, "joints.wheel.contact", times),
    }
    errors = {name: worst(found[name] - truth[name]) / length(truth[name]).max() for name in found}
    slip = worst(record.series["joints.wheel.violation_rate"])
    energy = record.series["system.energy"]
    return [
        *(Row(f"{what}: {name} [of its peak]", error, BOUND) for name, error in errors.items()),
        Row(f"{what}: slip [m/s]", slip, 1e-14, "rounding of a few sums of 2 m/s"),
        Row(f"{what}: energy [of itself]", worst(energy - energy[0]) / abs(energy[0]), BOUND),
    ]


def compare(fly, folder):
    """The steady circle in closed form, and the wobble by its equations in the tilt."""
    steady, table = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    times = np.linspace(0, 5, 51)
    wobbling = fly(folder / "wobble.toml")
    return [
        *rows(steady, times, circle(times), "circle"),
        *rows(wobbling, table["time"], wobble(table), "wobble"),
    ]
