"""A universal joint between two Basilisk spacecraft, beside Interstage's own flight; see SOURCE.md."""

import tomllib

import numpy as np

from interstage.joints import Joint, Joints

from ..guests import differences, rows, state_at
from .host import Pair

NEEDS = {"Basilisk": "pip install --no-deps bsk==2.12.1 colorama tqdm"}
"""By itself it asks for older versions of packages than Interstage is tested with."""
NAMES, END, HALF, RELEASE = ("tug", "load"), 8.0, 3.0, 5.0
MASS = np.array([500.0, 120.0])
INERTIA = np.stack([np.diag([150.0, 220.0, 240.0]), np.diag([15.0, 22.0, 24.0])], 2)
THRUST, ARM = np.array([200.0, 0.0, 0.0]), np.array([-1.0, 0.01, 0.0])
STEP = 0.05  # s
ETA = 2.0  # 1/s


def flown(declared, record, step):
    """State at the end, and the joint's force after three seconds."""
    coupling = Joint(name="coupling", **declared["joints"]["coupling"])
    joints = Joints(NAMES, [coupling], mass=MASS, inertia=INERTIA, eta=ETA)
    joints.release_when("coupling", lambda time, loads: time > RELEASE - 0.5 * step)
    host = Pair(joints, MASS, INERTIA, THRUST, ARM, state_at(record, NAMES, 0.0), step)
    host.run(HALF)
    force = host.held().joint_force[:, 0]
    host.run(END)
    return host.state(), force


def compare(fly, folder):
    """The difference halves with the host's step, and nothing is left of it without a step."""
    declared = tomllib.loads((folder / "scenario.toml").read_text(encoding="utf-8"))
    record = fly(folder / "scenario.toml")
    found = [flown(declared, record, STEP / n) for n in (1, 2, 4)]
    return rows("Basilisk", [differences(record, NAMES, END, each, "coupling", HALF) for each in found])
