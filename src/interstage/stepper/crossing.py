"""Where within a step a watched value first rises through zero.

A step is shortened until its end is the event, so the interpolant here only guesses; the step itself decides.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

# The cubic is searched on this many pieces, then the piece is bisected: 2^-14 of a piece is far better than
# the cubic itself; the Newton steps that follow finish the work.
PIECES = 12
BISECTIONS = 14


def _cubic(c0, s0, c1, s1):
    """Hermite cubic on [0, 1] from end values c and end slopes s (per unit of the interval)."""
    a3 = 2 * (c0 - c1) + s0 + s1
    a2 = 3 * (c1 - c0) - 2 * s0 - s1
    return lambda u: c0 + u * (s0 + u * (a2 + u * a3))


def may_rise(c0, s0, c1, s1):
    """True where the value can rise through zero inside the step: at its end, or in a hump between.

    The hump is bounded by the cubic's two slope terms, each at most 4/27 of its slope.
    """
    ends = (c0 < 0) & (c1 >= 0)
    hump = (c0 < 0) & (c1 < 0) & (s0 > 0) & (s1 < 0)
    reach = jnp.maximum(c0, c1) + (4 / 27) * (jnp.abs(s0) + jnp.abs(s1))
    return ends | (hump & (reach > 0))


def first_rise(c0, s0, c1, s1):
    """Fraction of the step at which the cubic first rises through zero, inf where it does not."""
    value = _cubic(c0, s0, c1, s1)
    nodes = np.linspace(0.0, 1.0, PIECES + 1)
    samples = jnp.stack([value(u) for u in nodes])
    rising = (samples[:-1] < 0) & (samples[1:] >= 0)
    piece = jnp.argmax(rising, 0)

    def halve(_, bracket):
        low, high = bracket
        middle = 0.5 * (low + high)
        below = value(middle) < 0
        return jnp.where(below, middle, low), jnp.where(below, high, middle)

    _, high = jax.lax.fori_loop(0, BISECTIONS, halve, (piece / PIECES, (piece + 1) / PIECES))
    return jnp.where(jnp.any(rising, 0), high, jnp.inf)
