"""Arrays with cases of the values that change at events: conditions that hold, selected rows and modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.arrays import jnp
from ..model.attachments import select


def among(numbers, like):
    """Whether each row of (row, *cases) is among some numbers."""
    return upright(np.isin(np.arange(like.shape[0]), numbers), like)


def upright(flags, like):
    """One flag for each row, with axes that match arrays (row, *cases)."""
    return np.asarray(flags).reshape((-1,) + (1,) * (like.ndim - 1))


def holds(when: Any, latched):
    """Truth of a combination of conditions."""
    if isinstance(when, int):
        return latched[when]
    way, *parts = when
    values = jnp.stack([holds(part, latched) for part in parts])
    return jnp.any(values, 0) if way == "any" else jnp.all(values, 0)


def active_rows(layout, mode):
    """1 for rows that are active in the modes (joint, *cases), otherwise 0: (row, *cases)."""
    mode = jnp.asarray(mode)
    if not layout.table.count:
        return jnp.zeros((0, *mode.shape[1:]))
    own = select(mode, layout.table.joint, 0)
    held = [
        upright(layout.active_by_mode[:, m], mode) * (own == m) for m in range(layout.active_by_mode.shape[1])
    ]
    return sum(held[1:], held[0])


def with_modes(modes, mode):
    """The new modes of some joints, with axes that match (joint, *cases)."""
    values = np.zeros(mode.shape[0], int)
    for joint, value in modes:
        values[joint] = value
    return upright(values, mode)


def has_mode(modes, mode):
    """Whether a joint is among those with new modes."""
    return upright(np.isin(np.arange(mode.shape[0]), [joint for joint, _ in modes]), mode)
