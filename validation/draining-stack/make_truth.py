"""Writes truth.csv: the stack as one rigid structure with draining liquids, and the loads of its joint.

    python make_truth.py [--check]      `--check` compares rates of inertia with differences, and the joint's
                                        loads from the two stages

The equations are derived in SOURCE.md: balances of momentum and angular momentum of what is inside the
structure, in its axes, about the zero of the drawing, a point fixed to it. SciPy's DOP853; no centre of mass,
no constraint equation."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

sys.path.insert(0, str(Path(__file__).parents[1]))

from quaternions import matrix, quaternion_rate  # pyright: ignore[reportMissingImports]

G0, GRAVITY = 9.80665, np.array([-9.8, 0.0, 0.5])
JOINT = np.array([5.5, 0.2, 0.1])
TIMES = np.arange(0, 40.25, 0.5)
START = [0, 0, 0, 100.0, 20.0, -30.0, 1, 0, 0, 0, 0.05, 0.1, -0.08]


def spread(x):
    """x.x 1 - x x, the inertia of a unit mass at x."""
    return x @ x * np.eye(3) - np.outer(x, x)


@dataclass
class Engine:
    """Nozzle and jet: place [m], force [N], mass flow [kg/s]."""

    at: np.ndarray
    thrust: np.ndarray
    flow: float


def engine(at, direction, thrust, isp):
    """An engine at full thrust."""
    e = np.array(direction) / np.linalg.norm(direction)
    return Engine(np.array(at), thrust * e, thrust / (isp * G0))


@dataclass
class Slug:
    """Liquid in an upright cylinder, and its flow to a nozzle."""

    full: float
    density: float
    radius: float
    bottom: np.ndarray
    axis: np.ndarray
    flow: float
    to: np.ndarray

    def at(self, time):
        """(mass, first moment, inertia about the zero, surface) at a time."""
        mass = self.full - self.flow * time
        height = mass / (self.density * np.pi * self.radius**2)
        centre = self.bottom + self.axis * height / 2
        along = np.outer(self.axis, self.axis)
        across = np.eye(3) - along
        own = mass * (self.radius**2 / 2 * along + (self.radius**2 / 4 + height**2 / 12) * across)
        return mass, mass * centre, own + mass * spread(centre), self.bottom + self.axis * height

    def sinking(self):
        """Velocity of its surface."""
        return -self.axis * self.flow / (self.density * np.pi * self.radius**2)

    def taken(self, time):
        """Rate of the inertia: a disk is taken from its surface."""
        along = np.outer(self.axis, self.axis)
        disk = self.radius**2 / 4 * (np.eye(3) + along)
        return -self.flow * (disk + spread(self.at(time)[3]))


@dataclass
class Stage:
    """Dry structure, its liquids and its engine."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray
    slugs: list
    engine: Engine

    def held(self, time):
        """(mass, first moment, inertia about the zero)."""
        parts = [s.at(time)[:3] for s in self.slugs]
        parts.append((self.mass, self.mass * self.centre, self.inertia + self.mass * spread(self.centre)))
        return tuple(sum(column) for column in zip(*parts))

    def changing(self, time):
        """Rates of the same."""
        flow = sum(s.flow for s in self.slugs)
        moment = -sum(s.flow * s.at(time)[3] for s in self.slugs)
        return -flow, moment, sum(s.taken(time) for s in self.slugs)

    def streams(self, time):
        """Momentum of the liquid relative to the structure and its moment about the zero; their rates."""
        momentum = sum(s.flow * (s.to - s.at(time)[3]) for s in self.slugs)
        moment = sum(s.flow * np.cross(s.at(time)[3], s.to) for s in self.slugs)
        rate = -sum(s.flow * s.sinking() for s in self.slugs)
        turning = sum(s.flow * np.cross(s.sinking(), s.to) for s in self.slugs)
        return momentum, moment, rate, turning


def stages():
    """The lower and the upper stage of scenario.toml."""
    main = engine([0.0, 0.01, 0.005], [1.0, 0.001, -0.0005], 120e3, 300.0)
    side = engine([7.0, 0.2, 0.1], [0.3, 0.0, 1.0], 900.0, 220.0)
    x, z = np.eye(3)[0], np.eye(3)[2]
    lower = Stage(
        1000.0,
        np.array([2.0, 0.05, 0]),
        np.array([[500.0, 30, 0], [30, 4000, -20], [0, -20, 4100]]),
        [
            Slug(2000.0, 1140.0, 0.6, np.array([3.0, 0, 0.02]), x, main.flow * 2.2 / 3.2, main.at),
            Slug(900.0, 810.0, 0.6, np.array([1.0, 0, 0]), x, main.flow / 3.2, main.at),
        ],
        main,
    )
    tank = Slug(150.0, 1000.0, 0.3, np.array([6.0, -0.1, 0.05]), z, side.flow, side.at)
    upper = Stage(700.0, np.array([6.5, 0.1, -0.05]), np.diag([90.0, 300, 320]), [tank], side)
    return lower, upper


def balance(stage, time, v, w, g):
    """(mass matrix (6, 6), right-hand side (6)) of one stage: matrix @ [v', w'] - side is the force on it and
    the torque about the zero, besides gravity and its engine."""
    mass, first, inertia = stage.held(time)
    thinner, shift, slimmer = stage.changing(time)
    q, h, q_rate, h_rate = stage.streams(time)
    momentum = mass * v + np.cross(w, first) + q
    angular = inertia @ w + np.cross(first, v) + h
    jet = stage.engine.thrust - stage.engine.flow * (v + np.cross(w, stage.engine.at))
    force = mass * g + jet - np.cross(w, momentum) - thinner * v - np.cross(w, shift) - q_rate
    torque = (
        np.cross(first, g) + np.cross(stage.engine.at, jet) - np.cross(w, angular) - np.cross(v, momentum)
    )
    torque = torque - slimmer @ w - np.cross(shift, v) - h_rate
    s = np.cross(np.eye(3), first)  # s @ x = first x x
    return np.block([[mass * np.eye(3), -s], [s, inertia]]), np.concatenate([force, torque])


def at_once(time, state, parts):
    """(turn, rates of velocity and angular velocity in structural axes, the balances of the stages)."""
    turn, w = matrix(state[6:10]), state[10:]
    v, g = turn.T @ state[3:6], turn.T @ GRAVITY
    balances = [balance(stage, time, v, w, g) for stage in parts]
    rates = np.linalg.solve(sum(m for m, _ in balances), sum(side for _, side in balances))
    return turn, rates, balances


def rate(time, state, parts):
    """Rates of place and velocity (inertial axes) of the zero, quaternion, angular velocity."""
    turn, rates, _ = at_once(time, state, parts)
    q, w = state[6:10], state[10:]
    v = turn.T @ state[3:6]
    return np.concatenate([state[3:6], turn @ (rates[:3] + np.cross(w, v)), quaternion_rate(q, w), rates[3:]])


def row(time, state, parts):
    """State, mass, and force and torque about the joint on the upper and on the lower stage."""
    _, rates, balances = at_once(time, state, parts)
    loads = []
    for m, side in reversed(balances):
        load = m @ rates - side
        loads += [*load[:3], *(load[3:] - np.cross(JOINT, load[:3]))]
    state = np.concatenate([state[:6], state[6:10] / np.sqrt(state[6:10] @ state[6:10]), state[10:]])
    return [time, *state, sum(part.held(time)[0] for part in parts), *loads]


def main():
    """Integrate and write."""
    parts = stages()
    found = solve_ivp(rate, (0, TIMES[-1]), START, "DOP853", TIMES, args=(parts,), rtol=3e-14, atol=1e-13)
    table = np.array([row(t, s, parts) for t, s in zip(TIMES, found.y.T)])
    names = ["time"]
    vectors = (
        "place velocity attitude angular_velocity mass upper_force upper_torque lower_force lower_torque"
    )
    for stem in vectors.split():
        parts_of = {"attitude": "wxyz", "mass": ""}.get(stem, "xyz")
        names += [f"{stem}.{c}" for c in parts_of] or [stem]
    lines = [",".join(f"{x:.16g}" for x in line) for line in table]
    (Path(__file__).parent / "truth.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    if "--check" in sys.argv:
        for stage in parts:
            wrong = (stage.held(20.01)[2] - stage.held(19.99)[2]) / 0.02 - stage.changing(20.0)[2]
            print("rate of inertia", np.abs(wrong).max())
        print("action and reaction", np.abs(table[:, -12:-6] + table[:, -6:]).max())


if __name__ == "__main__":
    main()
