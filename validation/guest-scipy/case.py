"""A ball between two bodies that SciPy integrates, beside Interstage's own flight; see SOURCE.md."""

import tomllib

import numpy as np

from interstage.joints import Joint, Joints
from interstage.studies.verify import Row

from ..comparison import angle_between, at, worst
from ..convergence import order_rows
from .host import fly as host_fly

STOPS = np.array([0.25, 0.5, 0.75, 1.0, 1.25, 1.5])  # s
RELEASE = 1.0  # s
NAMES = ("stage", "payload")
FINE, COARSE = 0.02, 0.01  # s
"""A step at which a host of eighth order has rounding and the tolerance of the other flight left, and one for
hosts of low order."""
BOUND = 1e-11
"""Of the size of each quantity: ten times the tolerance of Interstage's flight."""
ETA = 5.0  # 1/s


def guest(declared):
    """The joint as the scenario has it, between bodies as heavy, release by its time."""
    ball = declared["joints"]["ball"]
    found = Joints(
        NAMES,
        [Joint(name="ball", **ball)],
        mass=MASS,
        inertia=INERTIA,
        mass_centre=CENTRE,
        eta=ETA,
    )
    found.release_when("ball", lambda time, loads: time >= RELEASE)
    return found


MASS = np.array([1200.0, 300.0])
INERTIA = np.stack([np.diag([400.0, 3000.0, 2900.0]), np.diag([60.0, 500.0, 520.0])], 2)
CENTRE = np.array([[1.0, 0.0], [0.0, 0.0], [0.1, 0.0]])
THRUST, ARM = np.array([30e3, 0.0, 0.0]), np.array([-3.0, 0.02, -0.1])


def start_of(record):
    """Position, quaternion, velocity and rate of both bodies at the start."""
    names = ("position", "attitude", "velocity", "angular_velocity")
    return [np.stack([record.series[f"bodies.{body}.{name}"][0] for body in NAMES], 1) for name in names]


def errors(record, declared, step, method, once=False):
    """Largest differences of the host's flight from Interstage's, of the size of each quantity."""
    found = host_fly(guest(declared), MASS, INERTIA, THRUST, ARM, start_of(record), STOPS, step, method, once)
    most = {}
    for name, k in (("position", 0), ("velocity", 2), ("angular_velocity", 3)):
        ours = np.stack([at(record, f"bodies.{body}.{name}", STOPS) for body in NAMES], 2)
        theirs = np.stack([state[k] for state, _ in found])
        most[name.replace("_", " ")] = worst(theirs - ours) / worst(ours)
    turns = [
        angle_between(at(record, f"bodies.{body}.attitude", STOPS), [state[1][:, b] for state, _ in found])
        for b, body in enumerate(NAMES)
    ]
    most["attitude"] = worst(np.array(turns))
    held = STOPS < RELEASE
    ours = at(record, "joints.ball.force", STOPS[held])
    most["joint force"] = worst(np.array([force for _, force in found])[held] - ours) / worst(ours)
    return most


def compare(fly, folder):
    """The host by steps that leave nothing, then the order in its step, asked within it and once a step."""
    declared = tomllib.loads((folder / "scenario.toml").read_text(encoding="utf-8"))
    record = fly(folder / "scenario.toml")
    found = errors(record, declared, FINE, "DOP853")
    yield from (Row(f"{name} [of its size]", error, BOUND) for name, error in found.items())
    for what, order, once in (("asked in every stage", 3, False), ("asked once a step", 1, True)):
        coarse, fine = (errors(record, declared, COARSE / n, "RK23", once) for n in (1, 2))
        yield from order_rows(what, coarse, fine, order)
