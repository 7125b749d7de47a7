"""Independent and dependent coordinates of a tree with closed loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RANK = 1e-9
"""Relative singular value that counts as zero; closed joints leave errors a thousand times smaller."""
LEFT = 1e-6
"""Effect of inputs on rows, relative, that counts as rounding if coordinates cannot compensate it."""
WORSE = 0.5
"""Quality relative to the best coordinate at which an earlier coordinate is chosen in its place."""
DEPENDENT = 1e-6
"""Least relative independent motion of an independent coordinate."""


class Rows(NamedTuple):
    """Linear constraints on coordinates: matrix (row, coordinate), and terms of inputs, by (row, input)."""

    matrix: np.ndarray
    by: np.ndarray


class Reduced(NamedTuple):
    """Derivatives of coordinates by independent ones (coordinate, independent) and by inputs (coordinate,
    input); independent: their indices."""

    free: np.ndarray
    by: np.ndarray
    independent: tuple[int, ...]


def motions(matrix: np.ndarray) -> np.ndarray:
    """Return an orthonormal base (coordinate, motion) of the motions that the constraints leave free."""
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, values, right = np.linalg.svd(_evening(matrix)[:, None] * matrix)
    rank = int(np.sum(values > RANK * values[0])) if values[0] > 0 else 0
    return right[rank:].T


def independent(base: np.ndarray, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """Return indices of independent coordinates for the motions of a base (coordinate, motion).

    The coordinates `wanted` are used if they are independent. The others are the first coordinates with
    nearly the best conditioning.
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
    """Quality of coordinates for the motions of a base: the least singular value of their rows; 1 is best."""
    if not base.shape[1]:
        return 1.0
    return float(np.linalg.svd(base[list(chosen)], compute_uv=False)[-1])


def reduce_coordinates(rows: Rows, base: np.ndarray, chosen: tuple[int, ...]) -> Reduced:
    """Return derivatives of all coordinates by the chosen coordinates. base: free motions."""
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
