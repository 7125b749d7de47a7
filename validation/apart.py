"""Two rigid bodies in space that springs push apart, with forces fixed in their axes: for truths, by SciPy.

Newton's and Euler's equations with rotation matrices, about each body's own centre of mass; no constraints.
It shares no code with Interstage. Bodies are 0, the parent of all springs, and 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-13
"""Relative tolerance of the integration; rates here are of order 1, so that it is the absolute one too."""
ROUNDING = 1e-12
"""Part of a stroke [m] that is no stroke any more."""
SIZE = 18
"""Place, velocity, rotation matrix by rows, angular velocity in body axes, of each body."""


@dataclass
class Spring:
    """A spring along `axis` of the parent between points of both, from their centres of mass."""

    parent_at: np.ndarray
    child_at: np.ndarray
    axis: np.ndarray
    preload: float
    stiffness: float
    stroke: float
    strength: float = 1.0
    start: float = 0.0
    """Length along the axis where its stroke begins."""
    spent: bool = False


@dataclass
class Push:
    """A force on a body at a point from its centre of mass, both in body axes: of the time, and of the
    distance of `watched`, a point of body 1, from the point along `axis`."""

    body: int
    at: np.ndarray
    force: Callable[[float, float], np.ndarray]
    watched: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axis: np.ndarray = field(default_factory=lambda: np.array([1.0, 0, 0]))


class Pair:
    """The two bodies with their springs and pushes. inertias: (3, 3) each."""

    def __init__(self, masses, inertias, springs: Sequence[Spring], pushes: Sequence[Push] = ()):
        self.masses, self.inertias = masses, inertias
        self.springs, self.pushes = list(springs), list(pushes)

    @staticmethod
    def parts(x: np.ndarray):
        """(place, velocity, rotation matrix, angular velocity) of each body."""
        for y in (x[:SIZE], x[SIZE:]):
            yield y[:3], y[3:6], y[6:15].reshape(3, 3), y[15:]

    def length(self, spring: Spring, x: np.ndarray) -> float:
        """Of a spring along its axis."""
        (r0, _, m0, _), (r1, _, m1, _) = self.parts(x)
        between = r1 + m1 @ spring.child_at - r0 - m0 @ spring.parent_at
        return float((m0 @ spring.axis) @ between)

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """Derivative of the state."""
        both = list(self.parts(x))
        force, torque = np.zeros((2, 3)), np.zeros((2, 3))
        for s in self.springs:
            if s.spent:
                continue
            size = s.strength * (s.preload - s.stiffness * (self.length(s, x) - s.start))
            push = size * (both[0][2] @ s.axis)
            point = both[1][0] + both[1][2] @ s.child_at
            for body, sign in ((0, -1.0), (1, 1.0)):
                force[body] += sign * push
                torque[body] += np.cross(point - both[body][0], sign * push)
        for p in self.pushes:
            place, _, turn, _ = both[p.body]
            point = place + turn @ p.at
            away = (turn @ p.axis) @ (both[1][0] + both[1][2] @ p.watched - point)
            push = turn @ p.force(t, float(away))
            force[p.body] += push
            torque[p.body] += np.cross(point - place, push)
        out = np.empty_like(x)
        for body, (_, velocity, turn, spin) in enumerate(both):
            k = SIZE * body
            out[k : k + 3] = velocity
            out[k + 3 : k + 6] = force[body] / self.masses[body]
            rolled = np.array([[0, -spin[2], spin[1]], [spin[2], 0, -spin[0]], [-spin[1], spin[0], 0]])
            out[k + 6 : k + 15] = (turn @ rolled).ravel()
            inertia = self.inertias[body]
            out[k + 15 : k + 18] = np.linalg.solve(
                inertia, turn.T @ torque[body] - np.cross(spin, inertia @ spin)
            )
        return out

    def fly(self, x: np.ndarray, start: float, times: np.ndarray, corners: Sequence[float] = ()):
        """(states (times, 36), times at which each spring is spent) from a state at `start`. corners: times
        at which forces have kinks."""
        now, found, spent = start, [], [np.inf] * len(self.springs)
        for s in self.springs:
            s.start, s.spent = self.length(s, x), False
        while now < times[-1]:
            # Steps end on every time of the table: an interpolation within them would lose digits.
            end = min(t for t in (*corners, *times) if t > now)
            events = [self._end(k) for k, s in enumerate(self.springs) if not s.spent]
            solution = solve_ivp(
                self.rates, (now, end), x, "DOP853", rtol=TOLERANCE, atol=TOLERANCE, events=events
            )
            now, x = float(solution.t[-1]), solution.y[:, -1]
            if solution.status == 1:
                # All that end together: the first one stops the step, the others may be a rounding past it.
                for k, s in enumerate(self.springs):
                    if not s.spent and self.length(s, x) - s.start - s.stroke > -ROUNDING:
                        s.spent, spent[k] = True, now
            if now in times:
                found.append(x)
        return np.array(found), spent

    def _end(self, number: int):
        spring = self.springs[number]

        def left(t, x):
            return self.length(spring, x) - spring.start - spring.stroke

        left.terminal, left.direction = True, 1.0  # pyright: ignore[reportFunctionMemberAccess]
        return left


def at_rest(places: Sequence[np.ndarray]) -> np.ndarray:
    """State of two bodies that stand still with parallel axes."""
    one = [np.concatenate([p, np.zeros(3), np.eye(3).ravel(), np.zeros(3)]) for p in places]
    return np.concatenate(one)


def struck(x: np.ndarray, pair: Pair, point: np.ndarray, impulse: np.ndarray) -> np.ndarray:
    """State after an impulse on body 1 at a point, and its opposite on body 0; all in inertial axes."""
    x = x.copy()
    for body, (place, velocity, turn, spin) in enumerate(pair.parts(x)):
        sign = 1.0 if body else -1.0
        velocity += sign * impulse / pair.masses[body]
        spin += np.linalg.solve(pair.inertias[body], turn.T @ np.cross(point - place, sign * impulse))
    return x


def rows(times: np.ndarray, states: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Names and columns of a table: time; of body 1 the place from body 0; of both velocity, angular velocity
    in body axes, and the x and y axes in inertial ones."""
    names = ["time_s", *(f"apart.{c}" for c in "xyz")]
    columns = [times, *(states[:, SIZE : SIZE + 3] - states[:, :3]).T]
    for body, label in enumerate(("parent", "child")):
        k = SIZE * body
        turn = states[:, k + 6 : k + 15].reshape(-1, 3, 3)
        for what, values in (
            ("velocity", states[:, k + 3 : k + 6]),
            ("angular_velocity", states[:, k + 15 : k + 18]),
            ("x_axis", turn[:, :, 0]),
            ("y_axis", turn[:, :, 1]),
        ):
            names += [f"{label}_{what}.{c}" for c in "xyz"]
            columns += list(values.T)
    return names, np.stack(columns, axis=1)


def write(path, comment: str, names: list[str], table: np.ndarray) -> None:
    """A table as read by `comparison.read_table`, with a first line of comment."""
    lines = [f"# {comment}", ",".join(names)]
    lines += [",".join(f"{value:.17g}" for value in row) for row in table]
    path.write_text("\n".join(lines) + "\n")
