"""Combination of several groups of cases, so that one call of NumPy computes more cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..maths.arrays import jax
from .records_of_cases import Chunk, Rows, rows_of


def merge_chunks(chunks: Sequence[Chunk]) -> Chunk:
    """Return several groups of cases as one group. Copies of cases that only fill a group are omitted."""
    if len(chunks) == 1:
        return chunks[0]
    width = np.shape(chunks[0].cursor.t)[-1]

    def join(*leaves: Any) -> Any:
        if np.shape(leaves[0])[-1:] != (width,):
            return leaves[0]  # shared by all cases
        parts = [np.asarray(leaf)[..., : one.count] for one, leaf in zip(chunks, leaves, strict=True)]
        return np.concatenate(parts, -1)

    trees = [(one.scenario, jax.device_get(one.start), one.cursor) for one in chunks]
    scenario, start, cursor = jax.tree.map(join, *trees)
    first = np.cumsum([0, *(one.count for one in chunks)])
    refused = {
        int(at) + lane: why
        for at, one in zip(first, chunks, strict=False)
        for lane, why in one.refused.items()
    }
    kept: list[Any] = [_joined_rows(chunks)] if any(one.rows for one in chunks) else []
    return Chunk(chunks[0].first, int(first[-1]), scenario, start, cursor, kept, refused, chunks[0].compiled)


def _joined_rows(chunks: Sequence[Chunk]) -> tuple[Rows, int]:
    """All steps of several groups, and their number; behind those of shorter groups, where these end."""
    parts = [rows_of(one) for one in chunks]
    most = max(len(part.t) for part in parts) - 1

    def join(*leaves: np.ndarray) -> np.ndarray:
        index = [np.minimum(np.arange(most), len(leaf) - 1) for leaf in leaves]
        whole = [leaf[k][..., : one.count] for one, leaf, k in zip(chunks, leaves, index, strict=True)]
        return np.concatenate(whole, -1)

    return jax.tree.map(join, *parts), most
