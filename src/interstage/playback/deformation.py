"""Deformations of flexible bodies and beams for the viewer.

The displacements and rotations of all points of a body are one matrix: a row for each sample. The viewer gets
a few shapes, which are the main singular vectors of this matrix, and the amplitude of each shape over time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..record.record import Record
from . import items
from .courses import course
from .store import Store

SMALL = 0.01
"""Largest error of a displacement in the viewer, relative to the largest displacement in the flight."""
MOST_SHAPES = 8
"""Largest number of shapes of one body."""
MOST_ROWS = 2500
"""Largest number of samples of the amplitudes of one body. A longer vibration keeps its extremes."""
BASIS_ROWS = 2000
"""Number of samples from which the shapes follow."""
PIECE = 512
"""Number of rows that are searched together for the row with the largest distance from a line."""
MOST_NODES = 24
"""Largest number of nodes of a beam in the viewer."""
VISIBLE = 0.05
"""Largest drawn displacement relative to the size of a body, with the default factor."""
NONE = 1e-9
"""Largest displacement relative to the size of a body that counts as rounding."""
LARGEST_FACTOR = 10_000.0


def of_body(record: Record, item: items.FlexibleBody, store: Store) -> dict[str, Any] | None:
    """Return the deformation of a flexible body; None for fewer than two points, or without values."""
    points = np.asarray(item.points, float).reshape(-1, 3)
    found = _columns(record, [*item.deflections, *item.rotations])
    if found is None or len(points) < 2:
        return None
    extent = float(np.linalg.norm(np.ptp(points, axis=0)))
    shapes = main_shapes(*found, len(points), extent, store)
    if shapes is None:
        return None
    return {"body": item.body, "points": store.add(points), "extent": extent, **shapes}


def of_beam(record: Record, item: items.FlexibleBeam, store: Store) -> dict[str, Any] | None:
    """Return the deformation of a beam at some of its nodes; None without values."""
    chosen = np.unique(np.linspace(0, len(item.positions) - 1, MOST_NODES - 1).round().astype(int))
    paths = [*(item.positions[k] for k in chosen), item.end]
    turns = [*(item.rotations[k] for k in chosen), item.rotations[-1]]
    found = _columns(record, [*paths, *turns])
    if found is None:
        return None
    times, values = found
    known = np.isfinite(values).all(axis=1)
    if not known.any():
        return None
    count = len(paths)
    if item.rest is None:
        rest = values[known][0, : 3 * count].reshape(-1, 3)
    else:
        rest = np.asarray(item.rest, float).reshape(-1, 3)[[*chosen, -1]]
    moved = values.copy()
    moved[:, : 3 * count] -= rest.reshape(-1)
    shapes = main_shapes(times, moved, count, item.length, store)
    if shapes is None:
        return None
    return {
        "bodies": [one for one in item.bodies if one is not None],
        "at": items.vector(item.at),
        "turn": [float(x) for x in item.frame],
        "extent": item.length,
        "points": store.add(rest),
        "section": [float(x) for x in item.section],
        "round": item.round or None,
        **shapes,
    }


def _columns(record: Record, paths: Sequence[str]) -> tuple[np.ndarray, np.ndarray] | None:
    """Times (n,) and values (n, 3 path) of vectors; None if one of them has no values or other times."""
    found = [course(record, path, peaks=False) for path in paths]
    first = found[0] if found else None
    if first is None or not len(first[0]):
        return None
    rows = []
    for one in found:
        if one is None or len(one[0]) != len(first[0]) or one[1].shape[1:] != (3,):
            return None
        rows.append(one[1])
    return first[0], np.concatenate(rows, axis=1)


def main_shapes(
    times: np.ndarray, values: np.ndarray, count: int, extent: float, store: Store
) -> dict[str, Any] | None:
    """Return shapes and amplitudes of the displacements and rotations of points; None without finite values.

    - times (n,) [s].
    - values (n, 6 count): the displacements [m] of all points, then their rotation vectors [rad].
    - extent: size [m] of the body, the length by which a rotation moves its parts.
    - store: store for the arrays.

    The result has the indices of "shapes" (k, 6 count), per metre of amplitude, and of "amplitudes": "times"
    and "values" (m, k) [m]. Their product is within `SMALL` of all values, if `MOST_ROWS` is large enough.
    "largest" is the largest displacement [m] of a point. A missing value is NaN.
    """
    known = np.isfinite(values).all(axis=1)
    if not known.any():
        return None
    scale = np.repeat([1.0, extent], 3 * count)
    scaled = values * scale
    largest = float(np.linalg.norm(scaled[known, : 3 * count].reshape(-1, 3), axis=1).max())
    size = float(np.abs(scaled[known]).max())
    sampled = scaled[known][:: max(1, int(known.sum()) // BASIS_ROWS)]
    vectors = np.linalg.svd(sampled, full_matrices=False)[2] if size > 0 else np.zeros((0, 6 * count))
    amplitudes, kept = np.zeros((len(times), 0)), 0
    for kept in range(min(MOST_SHAPES, len(vectors)) + 1):
        amplitudes = scaled @ vectors[:kept].T
        if np.abs(scaled[known] - amplitudes[known] @ vectors[:kept]).max() <= 0.5 * SMALL * size:
            break
    amplitudes[~known] = np.nan
    rows = rows_of_lines(times, amplitudes, 0.5 * SMALL * size, MOST_ROWS)
    return {
        "shapes": store.add(vectors[:kept] / scale),
        "amplitudes": {
            "times": store.add(times[rows], "f8"),
            "values": store.add(amplitudes[rows]),
            "size": int(kept),
        },
        "largest": largest,
    }


def rows_of_lines(times: np.ndarray, values: np.ndarray, tolerance: float, most: int) -> np.ndarray:
    """Return the rows between which straight lines are within a tolerance of all values (n, k).

    Method: Douglas and Peucker (1973), in pieces of `PIECE` rows. If more than `most` rows were necessary,
    the lowest and the highest value of each column in equal parts of the rows are returned. Rows next to
    missing values and both sides of an event are kept.
    """
    known = np.asarray(np.isfinite(values).all(axis=1))
    change = np.flatnonzero(known[1:] != known[:-1])
    sides = np.flatnonzero(np.diff(times) <= 0)
    fixed = np.unique(np.concatenate([[0, len(times) - 1], change, change + 1, sides, sides + 1]))
    if values.shape[1] == 0 or len(fixed) >= most:
        return fixed
    pieces = np.union1d(fixed, np.arange(0, len(times), PIECE))
    rows = _split(times, values, pieces, tolerance, most) if len(pieces) < most else None
    return rows if rows is not None else np.union1d(fixed, _extremes(values, most - len(fixed)))


def _extremes(values: np.ndarray, most: int) -> np.ndarray:
    """Rows of the lowest and the highest value of each column in equal parts, at most `most`."""
    parts = np.array_split(np.arange(len(values)), max(1, most // (2 * values.shape[1])))
    filled = np.where(np.isfinite(values), values, 0.0)
    return np.unique(
        [
            [part[0] + filled[part].argmin(axis=0), part[0] + filled[part].argmax(axis=0)]
            for part in parts
            if len(part)
        ]
    )


def _split(
    times: np.ndarray, values: np.ndarray, fixed: np.ndarray, tolerance: float, most: int
) -> np.ndarray | None:
    """The rows for one tolerance, or None for more than `most` rows."""
    kept = [int(row) for row in fixed]
    waiting = list(pairwise(kept))
    while waiting:
        first, last = waiting.pop()
        if last - first < 2 or not np.isfinite(values[[first, last]]).all():
            continue
        part = (times[first + 1 : last] - times[first]) / (times[last] - times[first])
        line = values[first] + part[:, None] * (values[last] - values[first])
        away = np.abs(values[first + 1 : last] - line).max(axis=1)
        worst = int(np.argmax(away))
        if away[worst] > tolerance:
            middle = first + 1 + worst
            kept.append(middle)
            if len(kept) > most:
                return None
            waiting += [(first, middle), (middle, last)]
    return np.sort(np.array(kept))


def default_factor(found: Sequence[dict[str, Any]]) -> float | None:
    """Return the factor of the drawn deformations of items, None for no deformations.

    With this factor, the largest displacement is about `VISIBLE` of the size of its body. The factor is 1 or
    a larger round number: 2, 5, 10, 20 and so on.
    """
    sizes = [
        (one["largest"], one["extent"]) for one in found if one["type"] in ("flexiblebody", "flexiblebeam")
    ]
    if not sizes:
        return None
    wanted = min(
        (VISIBLE * extent / largest for largest, extent in sizes if largest > NONE * extent), default=1.0
    )
    if wanted <= 1:
        return 1.0
    power = 10.0 ** np.floor(np.log10(wanted))
    round_numbers = [k * power for k in (1.0, 2.0, 5.0) if k * power <= wanted * (1 + 1e-9)]
    return float(min(round_numbers[-1], LARGEST_FACTOR))
