"""Curves with as many points as a picture can show."""

from __future__ import annotations

import numpy as np

FLAT = 0.08
"""How far [px] a point that is left out may lie from the line drawn."""


def runs(y: np.ndarray) -> list[slice]:
    """Stretches of finite values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.isfinite(y), [False]]).astype(np.int8)))
    return [slice(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def thin(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rows of the points of a curve in px, x not falling, that look as all of them do: of each px of width
    the first, the last, the lowest and the highest, less those on a line with their neighbours."""
    rows = np.arange(len(x))
    if len(x) > 2 and np.all(np.diff(x) >= 0):
        column = np.floor(x).astype(np.int64)
        starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
        if 4 * len(starts) < len(x):
            order = np.lexsort((y, column))
            ends = np.append(starts[1:], len(x)) - 1
            rows = np.unique(np.concatenate([starts, ends, order[starts], order[ends]]))
    kept = _straightened(x[rows].tolist(), y[rows].tolist())
    return rows[kept]


def _straightened(x: list[float], y: list[float]) -> list[int]:
    """Rows to keep so that no point left out is further than FLAT from the line drawn past it: a line goes on
    while the cone that its points leave open has room."""
    last = len(x) - 1
    kept, row = [0], 1
    while row <= last:
        x0, y0 = x[kept[-1]], y[kept[-1]]
        low, high = -np.inf, np.inf
        reached = row
        while row <= last:
            dx, dy = x[row] - x0, y[row] - y0
            # Steep lines have no slope to compare: they are drawn as they are.
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
