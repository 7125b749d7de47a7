"""Compute filled contours and contour lines on a grid.

Each cell is divided into four triangles with a common corner at the centre of the cell. The value at the
centre is the mean of the corner values. Values are linear in each triangle. Therefore a contour line is
straight in each triangle, and continues in the next triangle without a gap.
"""

from __future__ import annotations

import math

import numpy as np

VIRIDIS = (
    *("#440154", "#482878", "#3e4989", "#31688e", "#26828e"),
    *("#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"),
)
"""Ten equidistant colours of the colour map viridis (S. van der Walt, N. Smith; CC0). The colour map is
readable in grey.
"""


def levels(values: np.ndarray, about: int) -> np.ndarray:
    """Return round contour levels that enclose all finite values. about: approximate number of levels."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not low < high:
        room = abs(low) or 1.0
        low, high = low - 1e-2 * room, low + 1e-2 * room
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= 0.8 * raw)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return step * np.arange(first, last + 1)


def colour(part: float) -> str:
    """Return the colour, as "#rrggbb", at a fraction `part` of the colour map, from 0 to 1."""
    place = min(max(part, 0.0), 1.0) * (len(VIRIDIS) - 1)
    k = min(int(place), len(VIRIDIS) - 2)
    ends = (np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) for text in VIRIDIS[k : k + 2])
    one, other = ends
    mixed = np.rint(one + (place - k) * (other - one)).astype(int)
    return "#" + "".join(f"{value:02x}" for value in mixed)


def cells(x: np.ndarray, y: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the corners of all grid cells with finite values, as x, y and value: (n, 4, 3).

    x (i,), y (j,): coordinates of the grid. values: (i, j).
    """
    points = np.stack([*np.meshgrid(x, y, indexing="ij"), values], axis=-1)
    found = np.stack([points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]], axis=2)
    found = found.reshape(-1, 4, 3)
    return found[np.isfinite(found).all(axis=(1, 2))]


def fill_polygons(found: np.ndarray, low: float, high: float) -> list[np.ndarray]:
    """Return polygons (k, 2) that fill the regions with values from `low` to `high`.

    found: cells from `cells`. In a cell with values on both sides of `high`, the polygons also cover the
    region above `high`. If levels are drawn in increasing order, the fill has no gaps.
    """
    least, most = found[..., 2].min(axis=1), found[..., 2].max(axis=1)
    whole = (least >= low) & (most < high)
    cut = _triangles(found[(most >= low) & (least < high) & ~whole])
    return [*found[whole][..., :2], *(part for corners in cut if len(part := _clip(corners, low)) > 2)]


def _triangles(found: np.ndarray) -> np.ndarray:
    """The four triangles of each cell (n, 3, 3)."""
    middle = found.mean(axis=1)
    sides = [np.stack([found[:, k], found[:, (k + 1) % 4], middle], axis=1) for k in range(4)]
    return np.concatenate(sides)


def _clip(corners: np.ndarray, level: float) -> np.ndarray:
    if np.all(corners[:, 2] >= level):
        return corners[:, :2]
    kept = []
    for one, other in zip(corners, np.roll(corners, -1, axis=0)):
        if one[2] >= level:
            kept.append(one[:2])
        if (one[2] >= level) != (other[2] >= level):
            kept.append(_crossing(one, other, level))
    return np.array(kept)


def lines(found: np.ndarray, level: float) -> list[np.ndarray]:
    """Return the straight segments (2, 2) of a contour line at one level. found: cells from `cells`."""
    pieces = []
    for corners in _triangles(found):
        ends = [
            _crossing(one, other, level)
            for one, other in zip(corners, np.roll(corners, -1, axis=0))
            if (one[2] >= level) != (other[2] >= level)
        ]
        if len(ends) == 2:
            pieces.append(np.array(ends))
    return pieces


def _crossing(one: np.ndarray, other: np.ndarray, level: float) -> np.ndarray:
    part = (level - one[2]) / (other[2] - one[2])
    return one[:2] + part * (other[:2] - one[:2])
