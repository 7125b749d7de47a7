"""Compares a flight of a body "pendulum" on a joint or spring to the ground with what ADAMS computed for it.

ADAMS reports (REQUEST lines of the decks) position, velocity and angular velocity of the centre of mass's
marker in global axes, its Euler parameters, and the reaction on marker I, which belongs to the ground: so
the load on the ground, about the ground's joint point, in global axes. Interstage reports the load on the
child, at the child's joint point, in the parent's joint frame. With R from that frame to global axes and s
from the ground's point to the child's,

    force_on_ground = -R force,    torque_on_ground = -(R torque + s x R force).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from interstage.studies.verify import Row

from .comparison import angle_between, at, euler_matrix, length, read_table, turned, worst

GRAVITY = np.array([0.0, 0.0, -9.80665])
MASS, ARM = 1.0, 2.0  # kg; m, from the joint to the centre of mass
WEIGHT = MASS * 9.80665
SIX_DIGITS = 5e-6  # the files print six significant digits: half a unit of the last, relative


@dataclass(frozen=True)
class Bounds:
    """Largest errors: position [m], velocity [m/s], attitude [rad], angular velocity [rad/s], loads [of
    peak].
    """

    position: float = 2e-5
    velocity: float = 2e-5
    attitude: float = 5e-6
    rate: float = 2e-5
    load: float = 3e-4
    why: str = "ADAMS, converged; six digits printed"


COARSE = Bounds(2e-3, 5e-3, 1e-3, 2e-3, 1e-3, "ADAMS's own error here is up to 8.4e-4 m")


def motion(record, truth: dict[str, np.ndarray], bounds: Bounds) -> list[Row]:
    """Position, velocity, attitude and angular velocity against the table."""
    times = truth["time"]
    turn = at(record, "bodies.pendulum.attitude", times)
    rate = turned(turn, at(record, "bodies.pendulum.angular_velocity", times))
    position = at(record, "bodies.pendulum.position", times) - truth["position"]
    velocity = at(record, "bodies.pendulum.velocity", times) - truth["velocity"]
    apart = angle_between(turn, truth["attitude"])
    return [
        Row("position [m]", worst(position), _printed(truth["position"], bounds.position), bounds.why),
        Row("velocity [m/s]", worst(velocity), _printed(truth["velocity"], bounds.velocity), bounds.why),
        Row("attitude [rad]", worst(apart), bounds.attitude, bounds.why),
        Row("angular velocity [rad/s]", worst(rate - truth["angular_velocity"]), bounds.rate, bounds.why),
    ]


def loads(
    force: np.ndarray, torque: np.ndarray | None, truth: dict[str, np.ndarray], bounds: Bounds
) -> list[Row]:
    """Force and torque on the ground against the table, by the peak (at least the weight, or its moment)."""
    scale = max(length(truth["force_on_ground"]).max(), WEIGHT)
    rows = [Row("reaction force [of its peak]", worst(force - truth["force_on_ground"]) / scale, bounds.load)]
    if torque is not None:
        scale = max(length(truth["torque_on_ground"]).max(), WEIGHT * ARM)
        error = worst(torque - truth["torque_on_ground"]) / scale
        rows.append(Row("reaction torque [of its peak]", error, bounds.load))
    return rows


def jointed(fly, folder: Path, frame=(0.0, 0.0, 0.0), bounds=Bounds(), has_torque=True) -> list[Row]:
    """A pendulum on a joint named "joint", whose frame on the ground has the given 3-1-3 angles [deg]."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    force, torque = on_child(record, frame, truth["time"])
    return motion(record, truth, bounds) + loads(-force, -torque if has_torque else None, truth, bounds)


def twisted(fly, folder: Path, frame=(0.0, 0.0, 0.0), bounds=Bounds()) -> list[Row]:
    """As `jointed`, with a torsion spring named "spring", whose torque ADAMS adds to the joint's."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    force, torque = on_child(record, frame, truth["time"])
    torque = torque + at(record, "forces.spring.torque", truth["time"])
    return motion(record, truth, bounds) + loads(-force, -torque, truth, bounds)


def hung(fly, folder: Path, bounds=Bounds()) -> list[Row]:
    """A body on a spring named "spring" from the inertial origin to its centre of mass."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    position = at(record, "bodies.pendulum.position", truth["time"])
    along = position / np.maximum(length(position), 1e-300)[:, None]
    force = at(record, "forces.spring.force", truth["time"])[:, None] * along
    return motion(record, truth, bounds) + loads(-force, None, truth, bounds)


def balanced(fly, folder: Path, bounds=Bounds()) -> list[Row]:
    """A pendulum whose pivot is the origin: all that the ground does to it, from Newton's and Euler's laws.

    For a force that the flight does not report by itself.
    """
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    names = ("position", "acceleration", "attitude", "angular_velocity", "angular_acceleration")
    r, a, turn, rate, alpha = (at(record, f"bodies.pendulum.{name}", truth["time"]) for name in names)
    moments = np.array([0.04, 0.1, 0.1])
    force = MASS * (a - GRAVITY)
    torque = turned(turn, moments * alpha + np.cross(rate, moments * rate)) + np.cross(r, force)
    return motion(record, truth, bounds) + loads(-force, -torque, truth, bounds)


def on_child(record, frame, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force of the joint on the child and its torque about the ground's joint point, global axes."""
    to_global = euler_matrix("3-1-3", frame).T  # for row vectors
    names = ("force", "torque", "displacement")
    force, torque, shift = (at(record, f"joints.joint.{name}", times) @ to_global for name in names)
    return force, torque + np.cross(shift, force)


def _printed(values: np.ndarray, bound: float) -> float:
    """The bound, or what six printed digits leave open at the largest value, whichever is larger."""
    return max(bound, 1.1 * SIX_DIGITS * float(np.abs(values).max()))
