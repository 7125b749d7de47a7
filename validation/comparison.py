"""What the cases share: reading a truth table, and errors between arrays. NumPy only."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

COMPONENTS = {"x": 0, "y": 1, "z": 2}
QUATERNION = {"w": 0, "x": 1, "y": 2, "z": 3}


def read_table(path: Path) -> dict[str, np.ndarray]:
    """Columns of a CSV file with one header line (lines that start with # are left out), by quantity.

    Columns named "a.x", "a.y", "a.z" (and "a.w", for quaternions) become one array "a", (rows, 3 or 4).
    """
    with path.open(newline="") as file:
        names, *lines = csv.reader(line for line in file if line.strip() and not line.startswith("#"))
    values = np.array(lines, dtype=float)
    columns = {name.strip(): values[:, k] for k, name in enumerate(names)}
    table: dict[str, np.ndarray] = {}
    for name, column in columns.items():
        stem, _, last = name.rpartition(".")
        order = QUATERNION if f"{stem}.w" in columns else COMPONENTS
        if last in order and all(f"{stem}.{c}" in columns for c in order):
            table.setdefault(stem, np.stack([columns[f"{stem}.{c}"] for c in order], axis=1))
        else:
            table[name] = column
    return table


def rows_at(record, times: np.ndarray) -> np.ndarray:
    """Indices of the samples of a record at the given times [s]; ValueError where one was not sampled."""
    indices = np.clip(np.searchsorted(record.time, times - 1e-9), 0, len(record.time) - 1)
    missed = np.abs(record.time[indices] - times) > 1e-9 * np.maximum(1, np.abs(times))
    if missed.any():
        raise ValueError(f"the flight has no sample at {times[missed][0]:g} s ({record.outcome})")
    return indices


def at(record, path: str, times: np.ndarray) -> np.ndarray:
    """Samples of one quantity of a record at the given times."""
    return np.asarray(record.series[path])[rows_at(record, times)]


def length(vectors: np.ndarray) -> np.ndarray:
    """Length of each row of an array (rows, 3)."""
    return np.sqrt(np.sum(np.asarray(vectors) ** 2, axis=-1))


def worst(difference: np.ndarray) -> float:
    """The largest absolute value; NaN stays NaN."""
    return float(np.max(np.abs(difference)))


def angle_between(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Angle of the rotation between two unit quaternions, row by row [rad]; their signs do not matter."""
    q, p = (a / length(a)[:, None] for a in (np.asarray(q), np.asarray(p)))
    apart = np.minimum(length(q - p), length(q + p))
    return 4 * np.arcsin(np.minimum(1.0, apart / 2))


def turned(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (rows, 3) turned by unit quaternions, scalar first: body components to outer ones."""
    s, u = q[:, :1], q[:, 1:]
    t = 2 * np.cross(u, vectors)
    return vectors + s * t + np.cross(u, t)


def euler_matrix(sequence: str, degrees: tuple[float, ...]) -> np.ndarray:
    """Body-fixed Euler sequence ("3-1-3") to the matrix that takes inner components to outer ones."""
    total = np.eye(3)
    for axis, angle in zip(sequence.split("-"), np.radians(degrees)):
        i, j = {"1": (1, 2), "2": (2, 0), "3": (0, 1)}[axis]
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[j, i] = np.sin(angle)
        turn[i, j] = -turn[j, i]
        total = total @ turn
    return total
