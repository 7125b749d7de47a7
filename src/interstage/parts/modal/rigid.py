"""Detect invalid modes: rigid-body modes and duplicates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...exchange.mode_csv import Modes
from ...tree.errors import Refused
from .file_modes import place_of
from .likewise import Fault

LOW = 0.1
"""A mode that moves all points like one rigid body counts as a rigid-body mode if its frequency is below this
fraction of the lowest elastic frequency.
"""
RIGID = 1e-3
"""A shape is rigid motion if its remainder after subtraction of the nearest rigid motion, divided by the
shape, is at most this number.
"""


def doubtful(frequency: Any, points: Sequence[Any]) -> Iterable[Fault]:
    """Yield the faults of modes: points with equal positions but different shapes, duplicate modes, and
    rigid-body modes.

    - frequency: frequencies of the modes [rad/s] (mode,).
    - points: objects with `name`, `at`, `shape` and `turn`.
    """
    every = [(frequency, 1), *((p.at, 1) for p in points), *((p.shape, 2) for p in points)]
    every += [(p.turn, 2) for p in points]
    if not points or not all(isinstance(one, np.ndarray) and one.ndim == axes for one, axes in every):
        return  # of several cases, or while derivatives are taken
    tables = [{"at": p.at, "shape": p.shape, "turn": p.turn} for p in points]
    both = [np.concatenate([p.shape, p.turn], 1) for p in points]
    for k, point in enumerate(points):
        for j in range(k):
            if np.array_equal(points[j].at, point.at) and not np.array_equal(both[j], both[k]):
                text = f"'{point.name}' has the position of '{points[j].name}', but a different shape"
                yield Fault(f"points.{k}.at", text, text, "Move or remove one of the two points")
                break
    flat = np.concatenate(both, 1)
    for k in range(len(flat)):
        for j in range(k):
            if frequency[j] == frequency[k] and flat[k].any() and np.array_equal(flat[j], flat[k]):
                text = f"mode {k + 1} is equal to mode {j + 1}"
                yield Fault("frequency", text, text, "Remove one of the two modes")
                break
    if wrong := _rigid_ones(frequency, tables):
        text = f"mode {wrong[0] + 1} is a rigid-body mode, but the model already includes rigid-body motion"
        yield Fault("frequency", text, text, "Remove this mode")
    elif flat.any() and len({tuple(p.at.tolist()) for p in points}) > 1 and _all_rigid(tables, len(flat)):
        text = "all modes move all points like one rigid body"
        remedy = "Remove the rigid-body modes, or add a point that moves relative to the other points"
        yield Fault("points", text, text, remedy)


def refuse_rigid_motion(path: str, found: Modes) -> None:
    """Raise Refused if the modes of a file contain rigid-body modes. path: path of the file. found: its
    modes.
    """
    rigid = _rigid_ones(found.frequency, found.points)
    wrong = np.isin(np.arange(len(found.number)), rigid)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        left = [number for number, no in zip(found.number, wrong, strict=True) if not no]
        text = f"mode {found.number[k]} of {path} is a rigid-body mode"
        text += (
            f" ({found.frequency[k] / (2 * math.pi):.3g} Hz), but the model already includes rigid-body"
            " motion"
        )
        remedy = f"Select the other modes: modes = {left[:12]}" if left else "Give a file with elastic modes"
        raise Refused(("modes", f"{text}. {remedy}"))


def _rigid_ones(frequency: np.ndarray, points: Sequence[dict[str, Any]]) -> list[int]:
    """Return the indices of rigid-body modes: modes of zero frequency, and modes of far lower frequency than
    others with rigid motion of all points."""
    rigid = np.array([len(points) > 1 and _is_rigid(points, k) for k in range(len(frequency))])
    bending = frequency[~rigid & (frequency > 0)]
    low = LOW * np.min(bending) if len(bending) else 0.0
    return np.flatnonzero((frequency == 0) | (rigid & (frequency < low))).tolist()


def _all_rigid(points: Sequence[dict[str, Any]], count: int) -> bool:
    return all(_is_rigid(points, k) for k in range(count))


def _is_rigid(points: Sequence[dict[str, Any]], k: int) -> bool:
    """Whether mode k moves all points like one rigid body."""
    rows, right = [], []
    for point in points:
        at = place_of(point.get("at"))
        if at is None:
            return False
        x, y, z = at
        cross = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # b x at as a matrix times b
        rows.append(np.block([[np.eye(3), cross], [np.zeros((3, 3)), np.eye(3)]]))
        right.append(np.concatenate([point["shape"][k], point["turn"][k]]))
    matrix, vector = np.concatenate(rows), np.concatenate(right)
    fitted = matrix @ np.linalg.lstsq(matrix, vector, rcond=None)[0]
    return bool(np.linalg.norm(vector - fitted) <= RIGID * np.linalg.norm(vector))
