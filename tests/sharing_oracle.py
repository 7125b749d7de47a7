"""Sharing of loads by least strain energy, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def shared_exactly(rows: np.ndarray, stiffness: np.ndarray, lam: np.ndarray) -> np.ndarray:
    """K A d with A^T K A d = A^T lam, for rows A (row, motion) of full column rank, computed in fractions:
    motions d of the bodies stretch the attachments, each answers with its stiffness, and together they make
    the same sum."""
    a, k, load = (np.vectorize(Fraction, otypes=[object])(x) for x in (rows, stiffness, lam))
    matrix, right = a.T @ (k[:, None] * a), a.T @ load
    count = len(right)
    for column in range(count):
        pivot = next(row for row in range(column, count) if matrix[row, column])
        matrix[[column, pivot]], right[[column, pivot]] = matrix[[pivot, column]], right[[pivot, column]]
        for row in range(count):
            if row != column:
                part = matrix[row, column] / matrix[column, column]
                matrix[row] = matrix[row] - part * matrix[column]
                right[row] = right[row] - part * right[column]
    return (k * (a @ (right / np.diagonal(matrix)))).astype(float)
