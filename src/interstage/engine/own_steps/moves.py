"""What the steps of several formulations have in common: moves of a state without its tail, and the stamp of
what a tail holds."""

from __future__ import annotations

from typing import Any

from ...maths import rotations
from ...maths.arrays import jax, jnp


def stamp(discrete: Any) -> jax.Array:
    """A number (*lanes) that every event changes, and that is never zero, as a tail is at the start: what was
    kept under another one must be found anew."""
    return 1.0 + jnp.sum(discrete.fired, 0)


def bare(mechanism: Any, x) -> jax.Array:
    """The state without its tail."""
    return x[: 13 * mechanism.layout.count + 6]


def kicked(mechanism: Any, x, slope, h) -> jax.Array:
    """The state with its velocities moved on by h [s], positions as they are."""
    r, v, q, w, origin, speed = mechanism.split(x)
    _, dv, _, dw, _, falling = mechanism.split(slope)
    return mechanism.pack(r, v + h * dv, q, w + h * dw, origin, speed + h * falling, x[:0])


def drifted(mechanism: Any, x, fast, h) -> jax.Array:
    """The state with its positions moved on by h [s] with the velocities of another; attitudes by the
    implicit midpoint rule."""
    r, v, q, w, origin, speed = mechanism.split(x)
    _, faster, _, turning, _, falling = mechanism.split(fast)
    q = rotations.turned_midpoint(q, h * turning)
    return mechanism.pack(r + h * faster, v, q, w, origin + h * falling, speed, x[:0])
