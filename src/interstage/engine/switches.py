"""Values that change at events, as arrays with cases: conditions, active rows and joint modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.arrays import jnp
from ..model.attachments import select


def among(numbers, like):
    """Return a flag for each row, true if the row is in `numbers`. The shape (row, 1, ...) can be combined
    with the array `like` (row, *cases).
    """
    return upright(np.isin(np.arange(like.shape[0]), numbers), like)


def upright(flags, like):
    """Return flags of rows (row,) in the shape (row, 1, ...), for combination with the array `like` (row,
    *cases)."""
    return np.asarray(flags).reshape((-1,) + (1,) * (like.ndim - 1))


def holds(when: Any, latched):
    """Return whether a combination of conditions is met (*cases).

    when: index of a condition, or nested ("any" | "all", ...) of indices. latched (condition, *cases):
    conditions met.
    """
    if isinstance(when, int):
        return latched[when]
    way, *parts = when
    values = jnp.stack([holds(part, latched) for part in parts])
    return jnp.any(values, 0) if way == "any" else jnp.all(values, 0)


def active_rows(layout, mode):
    """Return 1 for rows that are active in the joint modes `mode` (joint, *cases), else 0 (row, *cases)."""
    mode = jnp.asarray(mode)
    if not layout.table.count:
        return jnp.zeros((0, *mode.shape[1:]))
    own = select(mode, layout.table.joint, 0)
    held = [
        upright(layout.active_by_mode[:, m], mode) * (own == m) for m in range(layout.active_by_mode.shape[1])
    ]
    return sum(held[1:], held[0])


def with_modes(modes, mode):
    """Return the new modes of joints as (joint, 1, ...), to be combined with `mode` (joint, *cases).

    modes: pairs (joint, new mode). All other joints have zero.
    """
    values = np.zeros(mode.shape[0], int)
    for joint, value in modes:
        values[joint] = value
    return upright(values, mode)


def has_mode(modes, mode):
    """Return whether each joint has a new mode, as (joint, 1, ...), to be combined with `mode` (joint,
    *cases).

    modes: pairs (joint, new mode).
    """
    return upright(np.isin(np.arange(mode.shape[0]), [joint for joint, _ in modes]), mode)
