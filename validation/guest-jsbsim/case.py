"""A hinge between two JSBSim vehicles, beside Interstage's own flight; see SOURCE.md."""

import tempfile
import tomllib
from pathlib import Path

import numpy as np

from interstage.joints import Joint, Joints

from ..guests import differences, rows, state_at
from .host import Pair, Vehicle

NEEDS = {"jsbsim": 'pip install "interstage[guests]"'}
NAMES, END, HALF, RELEASE = ("tug", "payload"), 1.5, 0.5, 1.0
MASS, INERTIA = (1200.0, 300.0), ((400.0, 3000.0, 2900.0), (60.0, 500.0, 520.0))
THRUST, THRUST_AT = 30e3, (-3.0, 0.02, 0.0)
STEP = 1 / 240
"""Half of JSBSim's usual step [s]."""
ETA = 10.0  # 1/s


def vehicles(folder):
    """The two of them, the first with a thrust."""
    first = Vehicle(folder / "a", "tug", MASS[0], INERTIA[0], THRUST, THRUST_AT)
    return first, Vehicle(folder / "b", "payload", MASS[1], INERTIA[1])


def guest(declared, step):
    """The joint as the scenario has it. JSBSim finds accelerations at the end of a step with the loads given
    before it, so that those given at a time act from one step later on: it is released that much before."""
    hinge = Joint(name="hinge", **declared["joints"]["hinge"])
    inertia = np.stack([np.diag(each) for each in INERTIA], 2)
    found = Joints(NAMES, [hinge], mass=MASS, inertia=inertia, eta=ETA)
    found.release_when("hinge", lambda time, loads: time > RELEASE - 1.5 * step)
    return found


def flown(declared, record, step):
    """State at the end, and the joint's force half a second after the start."""
    with tempfile.TemporaryDirectory() as folder:
        host = Pair(vehicles(Path(folder)), guest(declared, step), step, state_at(record, NAMES, 0.0))
        for _ in range(round(HALF / step)):
            host.step()
        force = host.loads.joint_force[:, 0]
        for _ in range(round((END - HALF) / step)):
            host.step()
        return host.state, force


def compare(fly, folder):
    """The difference halves with the host's step, and nothing is left of it without a step."""
    declared = tomllib.loads((folder / "scenario.toml").read_text(encoding="utf-8"))
    record = fly(folder / "scenario.toml")
    found = [flown(declared, record, STEP / n) for n in (1, 2, 4)]
    return rows("JSBSim", [differences(record, NAMES, END, each, "hinge", HALF) for each in found])
