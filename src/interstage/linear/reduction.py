"""Select independent coordinates of a tree with closed loops, and compute the dependent coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RANK = 1e-9
"""Relative singular value that counts as zero. The errors of closed joints are a thousand times smaller."""
LEFT = 1e-6
"""Largest relative effect of inputs on constraint rows that counts as rounding, if the coordinates cannot
compensate the effect.
"""
WORSE = 0.5
"""Smallest free motion of a coordinate, relative to the coordinate with the largest free motion, for which an
earlier coordinate is chosen as independent.
"""
DEPENDENT = 1e-6
"""Smallest relative free motion of a requested coordinate for which it can be independent."""


class Rows(NamedTuple):
    """Linear constraints on coordinates: matrix x coordinates + by x inputs = 0.

    - matrix (row, coordinate): derivatives with respect to the coordinates.
    - by (row, input): derivatives with respect to the inputs.
    """

    matrix: np.ndarray
    by: np.ndarray


class Reduced(NamedTuple):
    """Derivatives of all coordinates with respect to the independent coordinates and the inputs.

    - free (coordinate, independent): derivatives with respect to the independent coordinates.
    - by (coordinate, input): derivatives with respect to the inputs.
    - independent: indices of the independent coordinates.
    """

    free: np.ndarray
    by: np.ndarray
    independent: tuple[int, ...]


def motions(matrix: np.ndarray) -> np.ndarray:
    """Return an orthonormal base (coordinate, motion) of the motions that satisfy the constraints `matrix`
    (row, coordinate).
    """
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, values, right = np.linalg.svd(_evening(matrix)[:, None] * matrix)
    rank = int(np.sum(values > RANK * values[0])) if values[0] > 0 else 0
    return right[rank:].T


def independent(base: np.ndarray, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """Return indices of independent coordinates for the motions of a base (coordinate, motion).

    Coordinates in `wanted` are selected first, if they are independent. Then the first coordinates with
    nearly the best conditioning are selected.
    """
    left, found = np.array(base, float), []
    for _ in range(base.shape[1]):
        size = np.sqrt(np.sum(left**2, 1))
        asked = [k for k in wanted if k not in found and size[k] > DEPENDENT]
        k = asked[0] if asked else int(np.argmax(size >= WORSE * np.max(size)))
        found.append(k)
        along = left[k] / size[k]
        left = left - np.outer(left @ along, along)
    return tuple(sorted(found))


def certain(base: np.ndarray, chosen: Sequence[int]) -> float:
    """Return the conditioning of the coordinates `chosen` for the motions of a base: the smallest singular
    value of the rows of these coordinates in the base. 1 is best.
    """
    if not base.shape[1]:
        return 1.0
    return float(np.linalg.svd(base[list(chosen)], compute_uv=False)[-1])


def reduce_coordinates(rows: Rows, base: np.ndarray, chosen: tuple[int, ...]) -> Reduced:
    """Return the derivatives of all coordinates with respect to the independent coordinates `chosen` and the
    inputs.

    base (coordinate, motion): free motions.
    """
    pick, moved = list(chosen), np.zeros((len(base), rows.by.shape[1]))
    free = base @ np.linalg.inv(base[pick])
    if rows.matrix.size:
        even = _evening(rows.matrix)[:, None]
        moved = -np.linalg.pinv(even * rows.matrix, RANK) @ (even * rows.by)
    return Reduced(free, moved - free @ moved[pick], chosen)


def satisfiable(rows: Rows) -> bool:
    """Return whether the coordinates can satisfy the constraint rows for all inputs."""
    if not rows.by.size:
        return True
    even = _evening(rows.matrix)[:, None]
    matrix, by = even * rows.matrix, even * rows.by
    left = by - matrix @ (np.linalg.pinv(matrix, RANK) @ by)
    return bool(np.max(np.abs(left)) <= LEFT * np.max(np.abs(by)))


def _evening(matrix: np.ndarray) -> np.ndarray:
    """Factors (row,) that scale rows to the same size, zero for rows of rounding."""
    size = np.sqrt(np.sum(matrix**2, 1))
    some = size > RANK * np.max(size, initial=0.0)
    return np.where(some, 1.0 / np.where(some, size, 1.0), 0.0)
