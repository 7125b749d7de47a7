"""Upper bounds of the range rate of two bodies inside time steps.

The distance changes at most as fast as the fastest point of one body relative to the other body. In axes that
turn with body k, this speed is at most |v - w_k x g| + |w_b - w_a| R. In inertial axes, it is at most
|v| + |w_a| R_a + |w_b| R_b. The first bounds are small for bodies that rotate together, the last one for
distant bodies. The smallest of the three bounds is used. The symbols are:

- g, v: position and velocity of the centre of mass of b relative to the centre of mass of a.
- w_a, w_b: angular velocities.
- R_a, R_b: largest distance of the points of each body from its centre of mass; R: that of the other body.

If v and both angular velocities are constant inside a step, v - w_k x g is linear in time, so the speed is
convex and largest at an end of the step. Otherwise it is at most the largest value at the ends plus the
deviation of v - w_k x g, or of v, from a line. This deviation is estimated from the positions and velocities
at both ends (cubic Hermite interpolation). Steps in which it is large, or in which a body turns far, are
divided by exact states until the parts are smooth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

FASTER = 1.1
"""The assumed largest relative speed between two states, divided by the larger speed at the states."""
BENT = 0.5
"""Largest deviation of a velocity from a line inside a smooth step, relative to the speed at the ends."""
TURN = 2.0
"""Largest rotation of a body inside a smooth step [rad]. Up to this angle, the velocity of a point on a
circle in the middle of a step follows from the ends within 1%."""
WORTH = 1e-3
"""A step is smooth in any case if the distance changes in it by less than this number times the size."""
PARTS = (1 - np.cos(np.pi * np.arange(8) / 7)) / 2
"""Ends of the first parts of a step, as fractions of its length. A motion whose period is a fraction of the
step has different phases at these unequal distances."""
HALVINGS = 10
"""The largest number of times that a part of a step is halved."""

States = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]
"""A function (case (n), row (n), time after the row (n) [s]) -> the motions (n) there, from exact states."""


class Motions(NamedTuple):
    """Motion of body b relative to body a, inertial axes. Each array has the shape (3, ...).

    - gap [m], speed [m/s]: of the centre of mass of b relative to the centre of mass of a.
    - spin_a, spin_b [rad/s]: angular velocities.
    """

    gap: Any
    speed: Any
    spin_a: Any
    spin_b: Any

    def take(self, index: Any) -> Motions:
        """Return some of the motions. index: index or mask of the axes after the first."""
        return Motions(*(field[:, *index] if isinstance(index, tuple) else field[:, index] for field in self))


def bounds(motions: Motions, reach: np.ndarray) -> np.ndarray:
    """Return upper bounds of the range rate in axes that turn with a, with b, and in inertial axes [m/s]
    (3, ...).

    reach: largest distance of the points of each body from its centre of mass [m] (2, ...).
    """
    turning = _length(motions.spin_b - motions.spin_a)
    own = _length(motions.spin_a) * reach[0] + _length(motions.spin_b) * reach[1]
    of_points = (turning * reach[1], turning * reach[0], own)
    return np.stack([_length(v) + more for v, more in zip(_speeds(motions), of_points, strict=True)])


def paces(
    begin: Motions, end: Motions, length: np.ndarray, reach: np.ndarray, size: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return (upper bounds of the range rate inside steps [m/s], whether the steps are smooth), each (...).

    - begin, end: motions at the ends of the steps.
    - length: lengths of the steps [s].
    - reach: largest distance of the points of each body from its centre of mass [m] (2, ...).
    - size: size of the larger body [m].
    """
    first, last = bounds(begin, reach), bounds(end, reach)
    usable = length > 0
    h = np.where(usable, length, 1.0)
    mean = Motions(*(0.5 * (one + other) for one, other in zip(begin, end, strict=True)))
    middle = mean._replace(
        gap=mean.gap + 0.125 * h * (begin.speed - end.speed),
        speed=1.5 * (end.gap - begin.gap) / h - 0.5 * mean.speed,
    )
    each = zip(_speeds(begin), _speeds(middle), _speeds(end), strict=True)
    bent = np.stack([_length(m - 0.5 * (one + other)) for one, m, other in each])
    largest = np.maximum(first, last)
    pace = FASTER * largest + np.abs(last - first) + bent
    least = np.argmin(pace, axis=0)[None]
    pace, bent, largest = (np.take_along_axis(field, least, 0)[0] for field in (pace, bent, largest))
    spins = (begin.spin_a, begin.spin_b, end.spin_a, end.spin_b)
    turn = np.max([_length(spin) for spin in spins], axis=0) * h
    smooth = ((bent <= BENT * largest) & (turn <= TURN)) | (pace * h <= WORTH * size)
    return np.where(usable, pace, 0.0), smooth | ~usable


def paces_inside(
    states: States, lane: np.ndarray, row: np.ndarray, length: np.ndarray, reach: np.ndarray, size: float
) -> np.ndarray:
    """Return upper bounds of the range rate inside steps that are not smooth [m/s] (n,).

    - states: exact states inside steps.
    - `lane`, row: indices of the case and of the step (n,).
    - length: lengths of the steps [s] (n,).
    - reach: largest distance of the points of each body from its centre of mass [m] (2, n).
    - size: size of the larger body [m].
    """
    found, count = np.zeros(len(lane)), len(lane)
    step = np.repeat(np.arange(count), len(PARTS))
    time = (length[:, None] * PARTS).ravel()
    at = states(lane[step], row[step], time)
    left = np.arange(len(step)).reshape(count, -1)[:, :-1].ravel()
    step, start, end = step[left], time[left], time[left + 1]
    begin, finish = at.take(left), at.take(left + 1)
    for halvings in range(HALVINGS + 1):
        pace, smooth = paces(begin, finish, end - start, reach[:, step], size)
        if halvings == HALVINGS:
            smooth[:] = True
        np.maximum.at(found, step[smooth], pace[smooth])
        rough = ~smooth
        if not rough.any():
            break
        step, start, end = step[rough], start[rough], end[rough]
        middle = 0.5 * (start + end)
        at = states(lane[step], row[step], middle)
        begin, finish = (
            Motions(*(np.concatenate(pair, -1) for pair in zip(one, other, strict=True)))
            for one, other in ((begin.take(rough), at), (at, finish.take(rough)))
        )
        step, start, end = np.tile(step, 2), np.r_[start, middle], np.r_[middle, end]
    return found


def _speeds(motions: Motions) -> list[np.ndarray]:
    """Velocities of the centre of mass of b relative to a, in axes that turn with a, with b, and in inertial
    axes."""
    spins = (motions.spin_a, motions.spin_b)
    return [*(motions.speed - np.cross(spin, motions.gap, axis=0) for spin in spins), motions.speed]


def _length(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt((vectors * vectors).sum(0))
