"""Modes that are none of their own: motions of the rigid body, and those that are there twice."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...tree.errors import Refused
from .file_modes import Modes, place_of
from .likewise import Fault

LOW = 0.1
"""Part of the lowest frequency of a mode that bends, below which one that moves all points rigidly is taken
for a motion of the rigid body."""
RIGID = 1e-3
"""Part of a shape that may be left of it besides a rigid motion, to be taken for one."""


def doubtful(frequency: Any, points: Sequence[Any]) -> Iterable[Fault]:
    """What is wrong with modes that are written down, whose numbers are valid one by one: points of one place
    that move apart, a mode that comes twice, and motions of the rigid body."""
    every = [(frequency, 1), *((p.at, 1) for p in points), *((p.shape, 2) for p in points)]
    every += [(p.turn, 2) for p in points]
    if not points or not all(isinstance(one, np.ndarray) and one.ndim == axes for one, axes in every):
        return  # of several cases, or while derivatives are taken
    tables = [{"at": p.at, "shape": p.shape, "turn": p.turn} for p in points]
    both = [np.concatenate([p.shape, p.turn], 1) for p in points]
    for k, point in enumerate(points):
        for j in range(k):
            if np.array_equal(points[j].at, point.at) and not np.array_equal(both[j], both[k]):
                text = f"'{point.name}' is where '{points[j].name}' is, and has other shapes"
                yield Fault(f"points.{k}.at", text, text, "give a place its shapes once")
                break
    flat = np.concatenate(both, 1)
    for k in range(len(flat)):
        for j in range(k):
            if frequency[j] == frequency[k] and flat[k].any() and np.array_equal(flat[j], flat[k]):
                text = f"mode {k + 1} is mode {j + 1} again"
                yield Fault("frequency", text, text, "give each once")
                break
    if wrong := _rigid_ones(frequency, tables):
        text = f"mode {wrong[0] + 1} is a motion of the rigid body, which the body has by itself"
        yield Fault("frequency", text, text, "leave it out")
    elif flat.any() and len({tuple(p.at.tolist()) for p in points}) > 1 and _all_rigid(tables, len(flat)):
        text = "all modes move all points like one rigid body"
        remedy = "leave rigid motions out, or give a point that the modes move against the others"
        yield Fault("points", text, text, remedy)


def refuse_rigid_motion(path: str, found: Modes) -> None:
    """Refuse modes that are motions of the rigid body."""
    rigid = _rigid_ones(found.frequency, found.points)
    wrong = np.isin(np.arange(len(found.number)), rigid)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        left = [number for number, no in zip(found.number, wrong, strict=True) if not no]
        text = f"mode {found.number[k]} of {path} is a motion of the rigid body"
        text += f" ({found.frequency[k] / (2 * math.pi):.3g} Hz), which the body has by itself"
        remedy = f"take the others: modes = {left[:12]}" if left else "give a file with modes that bend it"
        raise Refused(("modes", f"{text}; {remedy}"))


def _rigid_ones(frequency: np.ndarray, points: Sequence[dict[str, Any]]) -> list[int]:
    """Which modes are motions of the rigid body: those that do not vibrate, and those of far lower frequency
    than others that move all points as a rigid body does."""
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
