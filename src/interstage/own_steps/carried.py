"""When multipliers that the state carries from step to step belong to it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def stamp(discrete: Any) -> jax.Array:
    """A number (*lanes) that every event changes, and that is never zero, as a tail is at the start: what was
    kept under another one must be found anew."""
    return 1.0 + jnp.sum(discrete.fired, 0)
