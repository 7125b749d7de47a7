"""Relative poses of two bodies inside time steps, by polynomials.

The relative pose is the polynomial with the values and rates at five nodes of the step (Hermite
interpolation: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed.,
section II.6). The polynomial has degree 9, as in `observation.between`. One additional state of each step is
computed exactly. If the polynomial differs from this state by more than a tolerance, the polynomial is not
used."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .motion import Relative

NODES = (1 - np.cos(np.pi * np.arange(5) / 4)) / 2
"""Nodes of a step, as fractions of its length: the extremes of a Chebyshev polynomial."""
CHECKED = (1 - np.cos(3 * np.pi / 8)) / 2
"""Fraction of the length at which a polynomial is compared with an exact state. The error of the polynomial
is there 0.98 of the largest error or more, if the tenth derivative is constant."""
_APART = np.where(np.eye(5, dtype=bool), 1.0, NODES[:, None] - NODES)
_STEEP = np.where(np.eye(5, dtype=bool), 0.0, 1 / _APART).sum(1)

States = Callable[[np.ndarray, np.ndarray, np.ndarray], Relative]
"""A function (case (n), row (n), time after the row (n) [s]) -> exact states."""


class StepPolynomials:
    """Polynomials of the time steps of a group of cases, each computed at the second request.

    - length: length of each step (row, case) [s]
    - exact: exact states inside steps
    - ends: exact states (case (n), row (n)) in which steps begin, and in which steps end
    - tolerance: function (case (n), row (n), states) -> largest error (n) [m] of a polynomial that is used
    - reach: upper bound (case) [m] of the distances of the points of body b from its origin of coordinates"""

    def __init__(
        self,
        length: np.ndarray,
        exact: States,
        ends: tuple[Callable[..., Relative], Callable[..., Relative]],
        tolerance: Callable[[np.ndarray, np.ndarray, Relative], np.ndarray],
        reach: np.ndarray,
    ):
        self.length, self.exact, self.ends = length, exact, ends
        self.tolerance, self.reach = tolerance, reach
        self._requested = np.zeros(length.shape, bool)
        self._index = np.full(length.shape, -1)
        self._refused = np.zeros(length.shape[1], bool)
        self._known = np.zeros(0, bool)
        self._values, self._slopes = np.zeros((2, 5, 12, 0))

    def refuse(self, lane: np.ndarray) -> None:
        """Use exact states only, in some cases."""
        self._refused[lane] = True

    def known(self, lane: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return whether steps (n) have a polynomial. The choice in a case does not depend on other cases."""
        wanted = (self.length[row, lane] > 0) & ~self._refused[lane]
        again = wanted & self._requested[row, lane] & (self._index[row, lane] < 0)
        new = np.unique(row[again] * self.length.shape[1] + lane[again])
        if new.size:
            self._build(*np.divmod(new, self.length.shape[1])[::-1])
        self._requested[row, lane] = True
        index = self._index[row, lane]
        found = wanted & (index >= 0)
        found[found] = self._known[index[found]]
        return found

    def at(self, lane: np.ndarray, row: np.ndarray, step: np.ndarray) -> Relative:
        """Return states (n) at times `step` [s] after rows, from known polynomials."""
        index = self._index[row, lane]
        return _from_polynomial(
            self._values[..., index], self._slopes[..., index], self.length[row, lane], step
        )

    def _build(self, lane: np.ndarray, row: np.ndarray) -> None:
        length, count = self.length[row, lane], len(lane)
        parts = np.repeat(np.append(NODES[1:4], CHECKED), count)
        inner = self.exact(np.tile(lane, 4), np.tile(row, 4), parts * np.tile(length, 4))
        nodes = [_some(inner, slice(k * count, (k + 1) * count)) for k in range(4)]
        checked = nodes.pop()
        nodes = [self.ends[0](lane, row), *nodes, self.ends[1](lane, row)]
        values = np.stack([_pose(node) for node in nodes])
        slopes = np.stack([_rate(node) for node in nodes]) * length
        found = _from_polynomial(values, slopes, length, CHECKED * length)
        off = _distance(found, checked, self.reach[lane])
        with np.errstate(invalid="ignore"):
            known = off <= self.tolerance(lane, row, checked)
        self._index[row, lane] = len(self._known) + np.arange(count)
        self._known = np.append(self._known, known)
        self._values = np.concatenate([self._values, values], -1)
        self._slopes = np.concatenate([self._slopes, slopes], -1)


def _some(states: Relative, which: slice) -> Relative:
    return Relative(*(field[..., which] for field in states))


def _pose(states: Relative) -> np.ndarray:
    """Place and turn (12, n)."""
    return np.concatenate([states.place, states.turn.reshape(9, -1)])


def _rate(states: Relative) -> np.ndarray:
    """Rates (12, n) [1/s] of place and turn."""
    place = states.slide + np.cross(states.spin, states.place, axis=0)
    turn = np.cross(states.spin[:, None], states.turn, axis=0)
    return np.concatenate([place, turn.reshape(9, -1)])


def _distance(one: Relative, other: Relative, reach: np.ndarray) -> np.ndarray:
    """Upper bounds (n) [m] of the distance of any point of b between two poses."""
    moved, turned = one.place - other.place, one.turn - other.turn
    return np.sqrt((moved * moved).sum(0)) + reach * np.sqrt((turned * turned).sum((0, 1)))


def _from_polynomial(
    values: np.ndarray, slopes: np.ndarray, length: np.ndarray, step: np.ndarray
) -> Relative:
    """States (n) from values and slopes (node, 12, n) of polynomials, where the slopes are rates times the
    lengths (n) [s]."""
    away = step / length - NODES[:, None]
    base, rise = _lagrange(away)
    square, double = base * base, 2 * base * rise
    one = 1 - 2 * away * _STEEP[:, None]
    begin = values[0]
    pose, rate = begin, np.zeros_like(begin)
    for k in range(5):
        change = values[k] - begin
        pose = pose + one[k] * square[k] * change + away[k] * square[k] * slopes[k]
        rate = rate + (one[k] * double[k] - 2 * _STEEP[k] * square[k]) * change
        rate = rate + (square[k] + away[k] * double[k]) * slopes[k]
    place, turn = pose[:3], pose[3:].reshape(3, 3, -1)
    rate = rate / length
    # The rate of the turn is the product of the spin as a skew matrix and the turn.
    skew = (rate[3:].reshape(3, 3, -1)[:, None] * turn[None]).sum(2)
    spin = 0.5 * np.stack([skew[2, 1] - skew[1, 2], skew[0, 2] - skew[2, 0], skew[1, 0] - skew[0, 1]])
    return Relative(turn, place, rate[:3] - np.cross(spin, place, axis=0), spin)


def _lagrange(away: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The polynomials that are one at one node and zero at the others, and their slopes (node, n), from the
    distances (node, n) to the nodes."""
    base, rise = np.ones_like(away), np.zeros_like(away)
    for k in range(5):
        for j in range(5):
            if j != k:
                rise[k] = (rise[k] * away[j] + base[k]) / _APART[k, j]
                base[k] = base[k] * away[j] / _APART[k, j]
    return base, rise
