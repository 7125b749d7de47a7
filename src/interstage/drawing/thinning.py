"""Reduce curves to the points that are visible in a figure."""

from __future__ import annotations

import numpy as np

FLAT = 0.08
"""Maximum distance [px] between an omitted point and the drawn line."""


def runs(y: np.ndarray) -> list[slice]:
    """Return the index ranges of consecutive finite values in y."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.isfinite(y), [False]]).astype(np.int8)))
    return [slice(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def thin(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the indices of the points that preserve the appearance of a curve.

    x, y: points of the curve [px]; x must not decrease. In each px of width, the first, last, lowest and
    highest point are selected. Of these, points on a straight line with their neighbours are omitted.
    """
    rows = np.arange(len(x))
    if len(x) > 2 and np.all(np.diff(x) >= 0):
        if np.all(y == y[0]):
            return rows[[0, -1]]
        column = np.floor(x).astype(np.int64)
        starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
        if 4 * len(starts) < len(x):
            order = np.lexsort((y, column))
            ends = np.append(starts[1:], len(x)) - 1
            rows = np.unique(np.concatenate([starts, ends, order[starts], order[ends]]))
    kept = _straighten(x[rows].tolist(), y[rows].tolist())
    return rows[kept]


def _straighten(x: list[float], y: list[float]) -> list[int]:
    """Return the rows to keep so that no omitted point is further than FLAT from the drawn line.

    A line continues while the cone of its points is open."""
    last = len(x) - 1
    kept, row = [0], 1
    while row <= last:
        x0, y0 = x[kept[-1]], y[kept[-1]]
        low, high = -np.inf, np.inf
        reached = row
        while row <= last:
            dx, dy = x[row] - x0, y[row] - y0
            # Steep lines have no comparable slope and are drawn unchanged.
            if dx < FLAT:
                break
            slope, open_ = dy / dx, FLAT / dx
            if not low <= slope <= high:
                break
            low, high = max(low, slope - open_), min(high, slope + open_)
            reached = row
            row += 1
        kept.append(reached)
        row = reached + 1
    return kept
