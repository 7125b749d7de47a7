"""Two rigid bodies that devices on lines between them push apart: an oracle that shares no code with the
engine. Attitudes are rotation matrices, all is written out for the general motion in space, and scipy
integrates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


@dataclass
class Side:
    """A body at rest at the start, its axes along the inertial ones: mass [kg], moments of inertia [kg m^2],
    centre of mass [m]."""

    mass: float
    moments: np.ndarray
    centre: np.ndarray


@dataclass
class Line:
    """A device: points on both bodies from their centres of mass, unit axis in the parent, stroke, when it
    begins, and its force over travel and rate."""

    parent_arm: np.ndarray
    child_arm: np.ndarray
    axis: np.ndarray
    stroke: float
    begins: float
    force: Callable[[float, float], float]


def released(parent: Side, child: Side, lines: list[Line], end: float) -> np.ndarray:
    """State at a time [s]: for each body position, velocity, rotation matrix (9), angular velocity (body
    axes).

    Stretches from one beginning or end of a push to the next are integrated each by itself."""
    sides = (parent, child)
    y = np.concatenate(
        [np.concatenate([s.centre, np.zeros(3), np.eye(3).ravel(), np.zeros(3)]) for s in sides]
    )
    t, spent = 0.0, np.zeros(len(lines), bool)
    first = np.array([(child.centre + k.child_arm - parent.centre - k.parent_arm) @ k.axis for k in lines])
    while t < end:
        going = [k for k, line in enumerate(lines) if not spent[k] and line.begins <= t]
        stops = [line.begins for line in lines if line.begins > t] + [end]

        def slope(_, y, going=going):
            return _slope(sides, lines, going, first, y)

        events = [lambda _, y, k=k: travel(lines[k], first[k], y)[0] - lines[k].stroke for k in going]
        for event in events:
            event.terminal, event.direction = True, 1
        found = solve_ivp(slope, (t, min(stops)), y, "DOP853", rtol=3e-14, atol=1e-14, events=events or None)
        t, y = found.t[-1], found.y[:, -1]
        for k, times in zip(going, found.t_events or ()):
            spent[k] |= len(times) > 0
    return y


def _parts(y):
    return [(b[:3], b[3:6], b[6:15].reshape(3, 3), b[15:]) for b in (y[:18], y[18:])]


def travel(line, first, y):
    """Travel, its rate, direction and the child's point."""
    (ra, va, ta, wa), (rb, vb, tb, wb) = _parts(y)
    axis, arm = ta @ line.axis, tb @ line.child_arm
    point = rb + arm
    gap = point - ra - ta @ line.parent_arm
    seen = vb + np.cross(tb @ wb, arm) - va - np.cross(ta @ wa, point - ra)
    return gap @ axis - first, seen @ axis, axis, point


def _slope(sides, lines, going, first, y):
    parts = _parts(y)
    force, torque = np.zeros((2, 3)), np.zeros((2, 3))
    for k in going:
        gone, rate, axis, point = travel(lines[k], first[k], y)
        push = lines[k].force(gone, rate) * axis
        for side, sign in enumerate((-1, 1)):
            force[side] += sign * push
            torque[side] += sign * np.cross(point - parts[side][0], push)
    rates = []
    for side, (_, v, turn, w), f, m in zip(sides, parts, force, torque):
        hat = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        spin = (turn.T @ m - np.cross(w, side.moments * w)) / side.moments
        rates += [v, f / side.mass, (turn @ hat).ravel(), spin]
    return np.concatenate(rates)
