"""Upper stage and payload joined for 2000 s in orbit: the joint holds, and carries the tide of a sphere,
and of EGM96 (SOURCE.md).
"""

from dataclasses import replace

import numpy as np

from interstage.studies.verify import Row

from ..comparison import angle_between, at, length, read_table, turned, worst

GM = 398600.4415e9  # m^3/s^2
REDUCED = 6000 * 1000 / 7000  # kg
APART = 5.8  # m, between the centres of mass
ACROSS_MOMENT = 23000 + 800 + REDUCED * APART**2  # kg m^2, of the whole about its centre of mass
START, SPEED = (
    np.array([1.1378e7, 5.8 / 7, 0.0]),
    np.array([0.0, 5918.8, 0.0]),
)  # of the whole's centre of mass


def tidal_load(record) -> np.ndarray:
    """Force on the payload at every sample, inertial axes, for the gradient of gravity at the centre of mass.

    mu_r (a_rel - T d e), T = GM/R^3 (3 r r' - 1), with a_rel from the turning that the tide itself drives.
    """
    e = turned(record.series["bodies.stage.attitude"], np.tile([0.0, 0, 1], (len(record.time), 1)))
    w = turned(record.series["bodies.stage.attitude"], record.series["bodies.stage.angular_velocity"])
    centre = record.series["system.mass_centre"]
    radius = length(centre)[:, None]
    up, n2 = centre / radius, GM / radius**3
    tide = n2 * APART * (3 * np.sum(e * up, axis=1, keepdims=True) * up - e)
    spin = REDUCED * APART * np.cross(e, tide) / ACROSS_MOMENT
    return REDUCED * (APART * (np.cross(spin, e) + np.cross(w, np.cross(w, e))) - tide)


def orbit(times: np.ndarray) -> np.ndarray:
    """Positions of a point from the same start [m]: Kepler's equation and Lagrange's f and g (Battin,
    section 4.5).
    """
    size = length(START[None])[0]
    a = 1 / (2 / size - SPEED @ SPEED / GM)
    n, c, s = np.sqrt(GM / a**3), 1 - size / a, START @ SPEED / np.sqrt(GM * a)
    x = n * times
    for _ in range(8):
        x = x - (x - c * np.sin(x) + s * (1 - np.cos(x)) - n * times) / (1 - c * np.cos(x) + s * np.sin(x))
    f, g = 1 - a / size * (1 - np.cos(x)), times + (np.sin(x) - x) / n
    return f[:, None] * START + g[:, None] * SPEED


def loads(record, truth) -> list[Row]:
    """The joint's load against the exact dumbbell, and against the tide to first order."""
    times = truth["time"]
    force, torque = (at(record, f"joints.clamp.{name}", times) for name in ("force", "torque"))
    zero = np.zeros(len(times))
    force_error = worst(force - np.stack([truth["force.x"], zero, truth["force.z"]], axis=1))
    torque_error = worst(torque - np.stack([zero, truth["torque.y"], zero], axis=1))
    all_force = record.series["joints.clamp.force"]
    peak = length(all_force).max()
    closed = tidal_load(record) - turned(record.series["bodies.stage.attitude"], all_force)
    second = all_force[2:] - 2 * all_force[1:-1] + all_force[:-2]
    return [
        Row("joint force against the dumbbell [of its peak]", force_error / peak, 1e-9),
        Row("joint torque against the dumbbell [of its peak]", torque_error / worst(truth["torque.y"]), 1e-9),
        Row(
            "joint force against the first-order tide [of its peak]",
            worst(closed) / peak,
            5e-6,
            "d/R is 5e-7",
        ),
        Row("second difference of the joint force [of its peak]", worst(second) / peak, 1e-6, "0.5 s apart"),
    ]


def with_harmonics(record, truth, sphere) -> list[Row]:
    """In the field EGM96, against the dumbbell in that field; `sphere` is the flight without harmonics."""
    times = truth["time"]
    found = {name: at(record, f"joints.clamp.{name}", times) for name in ("force", "torque")}
    force = record.series["joints.clamp.force"]
    second = force[2:] - 2 * force[1:-1] + force[:-2]
    peak = length(truth["force"]).max()
    other = at(sphere, "joints.clamp.force", times) - found["force"]
    turn, rate = (at(record, f"bodies.stage.{name}", times) for name in ("attitude", "angular_velocity"))
    centre = at(record, "system.mass_centre", times)
    rows = [
        Row("relative position at the joint [m]", worst(record.series["joints.clamp.displacement"]), 1e-11),
        *(
            Row(
                f"joint {name} against the dumbbell [of its peak]",
                worst(found[name] - truth[name]) / length(truth[name]).max(),
                1e-11,
                "a difference of two accelerations would leave 1e-10",
            )
            for name in found
        ),
        Row("second difference of the joint force [of its peak]", worst(second) / peak, 1e-6, "0.5 s apart"),
        Row("centre of mass against the dumbbell [m]", worst(centre - truth["position"]), 1e-7),
        Row("attitude against the dumbbell [rad]", worst(angle_between(turn, truth["attitude"])), 1e-10),
        Row("turning against the dumbbell [rad/s]", worst(rate - truth["angular_velocity"]), 1e-12),
        Row("harmonics matter to the joint [1 if not]", float(worst(other) < 1e-4 * peak), 0.0),
    ]
    return [replace(row, quantity=f"EGM96: {row.quantity}") for row in rows]


def compare(fly, folder):
    """Projection, as it comes; then Baumgarte's stabilization with eta = 2 beside it; then EGM96."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    times = truth["time"]
    centre = at(record, "system.mass_centre", times)
    dumbbell = np.stack([truth["position.x"], truth["position.y"], np.zeros(len(times))], axis=1)
    rate = at(record, "bodies.stage.angular_velocity", times)[:, 1]
    rows = [
        Row("relative position at the joint [m]", worst(record.series["joints.clamp.displacement"]), 1e-11),
        *loads(record, truth),
        Row(
            "centre of mass against the two-body orbit [m]",
            worst(centre - orbit(times)),
            1e-6,
            "1.8e-7 m is true",
        ),
        Row("centre of mass against the dumbbell [m]", worst(centre - dumbbell), 1e-7),
        Row("turning against the dumbbell [rad/s]", worst(rate + truth["angular_rate"]), 1e-12),
    ]
    beside = fly(folder / "scenario.toml", **{"solver.stabilization": "baumgarte", "solver.eta": 2.0})
    drift = worst(beside.series["joints.clamp.displacement"])
    force = beside.series["joints.clamp.force"] - record.series["joints.clamp.force"]
    peak = length(record.series["joints.clamp.force"]).max()
    return [
        *rows,
        Row("Baumgarte, eta = 2: relative position [m]", drift, 1e-9),
        Row("Baumgarte, eta = 2: joint force [of its peak]", worst(force) / peak, 1e-3),
        *with_harmonics(fly(folder / "egm96.toml"), read_table(folder / "truth_egm96.csv"), record),
    ]
