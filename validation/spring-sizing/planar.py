"""The separation of scenario.toml in the plane, for many designs at once. NumPy only.

Two free rigid bodies from rest, axes as drawn at the release: a spring pushes the upper one along the lower
one's x axis, at a point fixed in the upper one, with F = preload - stiffness * travel until its stroke is
used up; the motor pushes the lower one. Newton's and Euler's equations by the classical Runge-Kutta method;
steps end on every bend of the thrust, on the end of each stroke, and where the exit passes the mouth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LOWER_MASS, LOWER_INERTIA, LOWER_CENTRE = 2200.0, 36000.0, np.array([-8.5, 0.0])  # kg, kg m^2, m
UPPER_MASS, UPPER_INERTIA, UPPER_CENTRE = 700.0, 900.0, np.array([1.5, 0.012])
STIFFNESS, STROKE, PLACES = 20e3, 0.15, (0.8, -0.8)  # N/m, m, m
MOTOR, BENDS, THRUST = np.array([-1.0, 0.1]), np.array([0.0, 0.02, 0.5, 0.6]), np.array([0.0, 8e3, 8e3, 0.0])
EXIT = np.array([-1.7, 0.0])
LATEST, BISECTIONS = 5.0, 40


class Left(NamedTuple):
    """As the nozzle leaves: range rate of the centres of mass [m/s], relative rate [rad/s], distance
    of the exit from the axis [m], the energy of one spring when it is released [J]; each (design,)."""

    speed: np.ndarray
    turn: np.ndarray
    room: np.ndarray
    energy: np.ndarray


def flown(preload, shift, ignition, step=1e-2) -> Left:
    """Designs, each (design,): preload of the springs [N], how far they are moved along y [m], and the time
    from the release to the ignition [s]. step: the longest [s]."""
    design = np.broadcast_arrays(*np.atleast_1d(preload, shift, ignition))
    model = _Model(*(np.array(one, float) for one in design))
    count = len(model.preload)
    t, state = np.zeros(count), np.zeros((12, count))
    state[[0, 1]], state[[3, 4]] = LOWER_CENTRE[:, None], UPPER_CENTRE[:, None]
    pushing, under_way = np.ones((2, count), bool), np.ones(count, bool)
    while under_way.any() and t[under_way].min() < LATEST:
        lanes = np.flatnonzero(under_way)
        part = model.of(lanes)
        h = part.to_bend(t[lanes], step)
        h, met = part.up_to_events(t[lanes], state[:, lanes], h, pushing[:, lanes])
        state[:, lanes] = part.stepped(t[lanes], state[:, lanes], h, pushing[:, lanes])
        t[lanes] += h
        pushing[:, lanes] &= ~met[:2]
        under_way[lanes] = ~met[2]
    assert not under_way.any(), "a nozzle did not leave"
    return model.left(state)


class _Model(NamedTuple):
    preload: np.ndarray
    shift: np.ndarray
    ignition: np.ndarray

    def of(self, lanes) -> _Model:
        return _Model(*(one[lanes] for one in self))

    def points(self, s):
        """(axis of the lower body, the way across it; ends of the springs on the upper one; the nozzle's exit
        and the mouth), inertial."""
        along, across = _axes(s[2])
        places = (np.stack([np.zeros_like(self.shift), y + self.shift]) for y in PLACES)
        ends = [s[3:5] + _turned(s[5], place - UPPER_CENTRE[:, None]) for place in places]
        exit_ = s[3:5] + _turned(s[5], (EXIT - UPPER_CENTRE)[:, None])
        mouth = s[0:2] + _turned(s[2], -LOWER_CENTRE[:, None])
        return along, across, ends, exit_, mouth

    def rate(self, t, s, pushing):
        """Rates of (x, y, angle) of the lower and of the upper body, and of their rates."""
        along, _, ends, _, mouth = self.points(s)
        force, moment = np.zeros((2, 2, len(t))), np.zeros((2, len(t)))
        for end, on in zip(ends, pushing):
            push = np.where(on, self.preload - STIFFNESS * _dot(end - mouth, along), 0.0) * along
            for body, sign, centre in ((0, -1.0, s[0:2]), (1, 1.0, s[3:5])):
                force[body] += sign * push
                moment[body] += _cross(end - centre, sign * push)
        thrust = -np.interp(t - self.ignition, BENDS, THRUST) * along
        force[0] += thrust
        moment[0] += _cross(_turned(s[2], (MOTOR - LOWER_CENTRE)[:, None]), thrust)
        lower = [force[0] / LOWER_MASS, moment[:1] / LOWER_INERTIA]
        upper = [force[1] / UPPER_MASS, moment[1:] / UPPER_INERTIA]
        return np.concatenate([s[6:12], *lower, *upper])

    def stepped(self, t, s, h, pushing):
        """A step of the classical Runge-Kutta method."""
        k1 = self.rate(t, s, pushing)
        k2 = self.rate(t + h / 2, s + h / 2 * k1, pushing)
        k3 = self.rate(t + h / 2, s + h / 2 * k2, pushing)
        k4 = self.rate(t + h, s + h * k3, pushing)
        return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def to_bend(self, t, h):
        """A step that ends on the next bend of the thrust, if it would pass it."""
        ahead = self.ignition + BENDS[:, None] - t
        return np.minimum(h, np.where(ahead > 1e-12, ahead, np.inf).min(axis=0))

    def watched(self, s):
        """What passes zero, rising: ends of the strokes, the nozzle's exit at the mouth."""
        along, _, ends, exit_, mouth = self.points(s)
        return np.stack([*(_dot(end - mouth, along) - STROKE for end in ends), _dot(exit_ - mouth, along)])

    def up_to_events(self, t, s, h, pushing):
        """(steps that end on the first event, which of the events each meets)."""
        awaited = np.concatenate([pushing, np.ones((1, len(t)), bool)])

        def passed(lanes, length):
            part = self.of(lanes)
            return part.watched(part.stepped(t[lanes], s[:, lanes], length, pushing[:, lanes])) >= 0

        lanes = np.flatnonzero((passed(np.arange(len(t)), h) & awaited).any(axis=0))
        low, high = np.zeros(len(lanes)), h[lanes].copy()
        for _ in range(BISECTIONS if len(lanes) else 0):
            middle = (low + high) / 2
            beyond = (passed(lanes, middle) & awaited[:, lanes]).any(axis=0)
            low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
        h = h.copy()
        h[lanes] = high
        met = np.zeros_like(awaited)
        met[:, lanes] = passed(lanes, high) & awaited[:, lanes]
        return h, met

    def left(self, s) -> Left:
        """What is asked for at the end."""
        _, across, _, exit_, mouth = self.points(s)
        apart, velocity = s[3:5] - s[0:2], s[9:11] - s[6:8]
        return Left(
            _dot(apart, velocity) / np.hypot(*apart),
            np.abs(s[11] - s[8]),
            np.abs(_dot(exit_ - mouth, across)),
            self.preload**2 / (2 * STIFFNESS),
        )


def _axes(angle):
    return np.stack([np.cos(angle), np.sin(angle)]), np.stack([-np.sin(angle), np.cos(angle)])


def _turned(angle, vector):
    along, across = _axes(angle)
    return vector[0] * along + vector[1] * across


def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def _cross(a, b):
    return a[0] * b[1] - a[1] * b[0]
