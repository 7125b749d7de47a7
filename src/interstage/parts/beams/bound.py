"""Compute an upper bound of the angular frequencies of a beam."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from .segments import Made, of

SHARES = np.linspace(0.5, 0.9, 9)
"""Mass fractions to try for the segment next to a clamp. The fraction belongs to the element at the clamp.
The rest of the segment belongs to the next element.
"""


Ends = tuple[Any, Any]
"""Type of the mobilities of the first and second end of a beam. A mobility (6, 6) is the velocity and angular
velocity of the clamp from unit impulses on the clamp, in clamp axes. The mobility is None for a fixed clamp
or a free end.
"""


def fastest(beam: Any, ends: Ends = (None, None)) -> float:
    """Return an upper bound of the angular frequencies [1/s] of a straight beam.

    Each element receives a share of the masses at its two ends. The bound is the highest frequency of any
    single element (B. M. Irons and S. Ahmad, Techniques of Finite Elements, 1980). Each element receives half
    of a segment. An element at a clamp is half as long, and its share minimizes the bound.

    - beam: declaration of the beam in the scenario.
    - ends: mobilities of the two clamps.
    """
    made = of(beam, 0)
    span, by_end = len(made.length), by_ends(made)
    given = np.zeros((span, 6, 6))
    for side, place in ((0, 0), (1, -1)):
        if ends[side] is not None:
            given[place] += by_end[side][place] @ ends[side] @ by_end[side][place].T
    near = np.unique([k % span for k in (0, 1, -2, -1)])
    far = np.setdiff1d(np.arange(span), near)
    highest = min(_highest(made, by_end, given, shares, near) for shares in product(SHARES, SHARES))
    return float(np.sqrt(max(highest, _highest(made, by_end, given, (0.5, 0.5), far))))


def clamp_frequency(beam: Any, side: int, giving: np.ndarray) -> float:
    """Return the squared angular frequency [1/s^2] of the element at an end, if only the clamp moves.

    - side: 0 for the first end, 1 for the second end.
    - giving: mobility of the clamp (6, 6), see `Ends`.
    """
    made, place = of(beam, 0), -side
    by_end, size = by_ends(made)[side][place], stiffness(made)[place]
    return max(float(np.linalg.eigvalsh(size[:, None] * (by_end @ giving @ by_end.T) * size)[-1]), 0.0)


def _highest(made: Made, by_end: Any, given: Any, shares: tuple[float, float], which: Any) -> float:
    """Return the highest squared angular frequency of some elements, for given shares of the segments next to
    the two clamps; inf without a valid mass matrix. `given` (element, 6, 6): strains from the motion of the
    clamps under unit loads."""
    count, span = len(made.mass), len(made.length)
    mass, inverse = (np.pad(one, ((1, 1), (0, 0))) for one in (made.mass[:, None], 1 / made.inertia.T))
    own = _shares(shares, count, span)
    shared = np.zeros(span)
    if made.shared is not None:
        shared[1:count] = made.shared[1:]
    turned = np.stack([inverse[n : n + span] / one[:, None] for n, one in enumerate(own)], 1)[which]
    left, right = (mass[n : n + span, 0][which] * one[which] for n, one in enumerate(own))
    if np.any(left * right - shared[which] * (left + right) < 0.1 * shared[which] ** 2):
        return np.inf  # the shares exceed the available mass
    moved, ends = _mobility(left, right, shared[which]), np.stack(by_end, 1)[which]
    by_load = np.einsum("enik,enk,enjk->eij", ends[..., 3:], turned, ends[..., 3:])
    by_load += np.einsum("enm,enik,emjk->eij", moved, ends[..., :3], ends[..., :3]) + given[which]
    size = stiffness(made)[which]
    return float(np.max(np.linalg.eigvalsh(size[:, :, None] * by_load * size[:, None, :]), initial=0.0))


def stiffness(made: Made) -> np.ndarray:
    """Return the square root of the stiffness for each strain component of each element (element, 6)."""
    return np.sqrt(np.concatenate([made.along, made.about]).T)


def by_ends(made: Made) -> list[np.ndarray]:
    """Return two matrices for each straight element (element, 6, 6). The first matrix maps displacements and
    rotations of the left end to strains. The second matrix has the same meaning for the right end.
    """
    return [_strains(made, side, first, len(made.length)) for side, first in ((-1.0, 0), (1.0, 1))]


def _strains(made: Made, side: float, first: int, span: int) -> np.ndarray:
    """Strains of straight elements (element, 6, 6) from small displacements and rotations of one end. `side`
    is -1 for the left end and 1 for the right end; `first` is measured from the clamp."""
    found = np.zeros((span, 6, 6))
    found[:, range(6), range(6)] = side
    found[:, 1, 5], found[:, 2, 4] = -made.length / 2, made.length / 2
    if made.centre is not None:
        centre = np.zeros((3, len(made.mass) + 2))
        centre[:, 1:-1] = made.centre
        x, y, z = centre[:, first : first + span]
        none = 0 * x
        arm = np.array([[none, -z, y], [z, none, -x], [-y, x, none]])  # of the vector product
        found[:, :3, 3:] += side * np.moveaxis(arm, 2, 0)
    if made.shear is not None:
        y, z = made.shear[1:]
        found[:, 1, 3], found[:, 2, 3] = found[:, 1, 3] - side * z, found[:, 2, 3] + side * y
    return found


def _mobility(left: np.ndarray, right: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Return the inverse mass matrices of both ends (element, 2, 2). The entries of clamps are zero."""
    a, b = (np.where(one > 0, one - shared, np.inf) for one in (left, right))
    off = -shared / (a * b - shared**2)  # zero next to a clamp
    first, last = 1 / (a - shared**2 / b), 1 / (b - shared**2 / a)
    return np.moveaxis(np.array([[first, off], [off, last]]), 2, 0)


def _shares(shares: tuple[float, float], count: int, span: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mass shares of the segments on the left and on the right of each element, with given shares
    next to the two clamps."""
    left, right = np.full(span, 0.5), np.full(span, 0.5)
    if count > 1:
        right[0], left[1] = shares[0], 1 - shares[0]
        if span > count:
            left[-1], right[-2] = shares[1], 1 - shares[1]
    return left, right
