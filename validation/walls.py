"""Distance of a solid of revolution inside a hollow one, by points on the rims of either. NumPy only.

Where a solid with straight sides stands inside a wall, the nearest points are on a rim of one of the two: a
rim is looked at all around, and each of its points against the section of the other one in the plane through
its axis, where the distance is exact. It shares no code with Interstage."""

from __future__ import annotations

import numpy as np

from .comparison import turned

AROUND = 720
NARROWED = 5


def to_section(points: np.ndarray, section: np.ndarray) -> np.ndarray:
    """Distance of points (n, 3), whose x is along the axis, from the outline of a section: corners (k, 2) of
    station and radius, closed."""
    flat = np.stack([points[:, 0], np.hypot(points[:, 1], points[:, 2])], axis=1)
    least = np.full(len(points), np.inf)
    for a, b in zip(section, np.roll(section, -1, axis=0), strict=True):
        along = b - a
        share = np.clip((flat - a) @ along / (along @ along), 0, 1)
        least = np.minimum(least, np.hypot(*(flat - a - share[:, None] * along).T))
    return least


def rim_to(station, radius, move, section) -> float:
    """Least distance of a circle about x, moved by `move`, from a section: first all around, then closer to
    the best place."""
    middle, half = 0.0, np.pi
    least = np.inf
    for _ in range(NARROWED):
        angles = middle + half * np.linspace(-1, 1, AROUND)
        circle = np.stack(
            [np.full(AROUND, station), radius * np.cos(angles), radius * np.sin(angles)], axis=1
        )
        found = to_section(move(circle), section)
        best = int(np.argmin(found))
        least, middle, half = min(least, float(found[best])), angles[best], 4 * half / AROUND
    return least


def gap(outer: np.ndarray, inner: np.ndarray, place: np.ndarray, quaternion: np.ndarray) -> float:
    """Distance of two sections turned about x, each in axes of its own; the inner one stands at `place`,
    turned by a quaternion (inner to outer components)."""
    q = np.tile(quaternion, (AROUND, 1))
    back = q * [1, -1, -1, -1]
    one = [rim_to(x, r, lambda c: place + turned(q, c), outer) for x, r in inner if r > 0]
    other = [rim_to(x, r, lambda c: turned(back, c - place), inner) for x, r in outer]
    return min(one + other)
