"""Independent coordinates among those of a tree whose loops are closed, and how the others follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RANK = 1e-9
"""Part of the largest singular value below which one counts as none: what joints leave of each other once
they are put on their constraints is a thousand times less."""
LEFT = 1e-6
"""Part of what inputs do to rows that is taken for rounding, if coordinates do not make up for it."""
WORSE = 0.5
"""Part of the best choice of a coordinate that one in front of it must reach to be taken in its place."""
DEPENDENT = 1e-6
"""Part of itself by which a coordinate must move on its own to be independent of others."""


class Rows(NamedTuple):
    """Linear restrictions of coordinates: matrix (row, coordinate), and what inputs add, by (row, input)."""

    matrix: np.ndarray
    by: np.ndarray


class Reduced(NamedTuple):
    """How coordinates follow from the independent ones (coordinate, independent), and from inputs
    (coordinate, input); independent: their numbers."""

    free: np.ndarray
    by: np.ndarray
    independent: tuple[int, ...]


def motions(matrix: np.ndarray) -> np.ndarray:
    """An orthonormal base (coordinate, any) of what restrictions leave free."""
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, values, right = np.linalg.svd(_evening(matrix)[:, None] * matrix)
    rank = int(np.sum(values > RANK * values[0])) if values[0] > 0 else 0
    return right[rank:].T


def independent(base: np.ndarray, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """Coordinates that the motions of a base (coordinate, motion) can be told by: those `wanted`, as far as
    these are independent of each other, then the first ones that tell nearly as well as the best would."""
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
    """How well coordinates tell the motions of a base: the least singular value of their rows, 1 at best."""
    if not base.shape[1]:
        return 1.0
    return float(np.linalg.svd(base[list(chosen)], compute_uv=False)[-1])


def reduced(rows: Rows, base: np.ndarray, chosen: tuple[int, ...]) -> Reduced:
    """All coordinates by the chosen ones, which tell the motions of a base that the rows leave."""
    pick, moved = list(chosen), np.zeros((len(base), rows.by.shape[1]))
    free = base @ np.linalg.inv(base[pick])
    if rows.matrix.size:
        even = _evening(rows.matrix)[:, None]
        moved = -np.linalg.pinv(even * rows.matrix, RANK) @ (even * rows.by)
    return Reduced(free, moved - free @ moved[pick], chosen)


def satisfiable(rows: Rows) -> bool:
    """Whether coordinates can follow whatever inputs do, so that rows are satisfied."""
    if not rows.by.size:
        return True
    even = _evening(rows.matrix)[:, None]
    matrix, by = even * rows.matrix, even * rows.by
    left = by - matrix @ (np.linalg.pinv(matrix, RANK) @ by)
    return bool(np.max(np.abs(left)) <= LEFT * np.max(np.abs(by)))


def _evening(matrix: np.ndarray) -> np.ndarray:
    """Factors (row,) that make rows of the same size, and those of rounding none."""
    size = np.sqrt(np.sum(matrix**2, 1))
    some = size > RANK * np.max(size, initial=0.0)
    return np.where(some, 1.0 / np.where(some, size, 1.0), 0.0)
