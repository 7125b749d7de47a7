"""Which events a step that was tried has met at its end, and which it has passed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp, lax
from . import crossing
from .problem import Cursor, Settings, Trial


class Found(NamedTuple):
    """hit (condition, *lanes): met at the end of the step. passed (*lanes): whether any was passed before,
    the first after this `fraction` of the step. shift [s]: small time from the end to the first one hit."""

    hit: jax.Array
    passed: jax.Array
    fraction: jax.Array
    shift: jax.Array


def look(settings: Settings, armed, cursor: Cursor, tried: Trial) -> Found:
    """Events of a step that was tried, whether its error allows it to stand or not."""
    h, idle, value, rate = tried.h, tried.idle, tried.value, tried.rate
    tolerance = settings.near(cursor.t)
    close = jnp.abs(value) <= tolerance * jnp.abs(rate)
    met = armed & ((close & (rate > 0)) | (idle & (column(settings.at_once, value) > 0) & (value >= 0)))
    c0, s0, s1 = cursor.value, cursor.rate * h, rate * h
    period = column(settings.period, value)
    wrapped = jnp.abs(value - c0) > 0.5 * period
    # A jump at an event takes a value past zero at once, unless it stood there already.
    apart = c0 < -tolerance * jnp.abs(cursor.rate)
    met = met | (armed & idle & apart & (value >= 0) & ~wrapped)
    watching = armed & ~idle & ~met
    candidate = watching & ~wrapped & crossing.may_rise(c0, s0, value, s1)
    fraction = lax.cond(
        jnp.any(candidate),
        lambda: jnp.where(candidate, crossing.first_rise(c0, s0, value, s1), jnp.inf),
        lambda: jnp.full_like(value, jnp.inf),
    )
    # A rise within the tolerance is the event, whatever the slope at the end says.
    brief = jnp.isfinite(fraction) & (h <= tolerance)
    met, fraction = met | brief, jnp.where(brief, jnp.inf, fraction)
    if settings.wraps:
        # More than half a turn in a step: which way round, and how often past zero, cannot be told.
        turn = jnp.maximum(jnp.abs(s0), jnp.abs(s1)) / period
        fraction = jnp.where(watching & (turn > 0.5), jnp.minimum(fraction, 0.25 / turn), fraction)
    first = jnp.min(fraction, 0, initial=jnp.inf)
    passed = jnp.isfinite(first)
    soonest = crossing.soonest_rise(met & close & (rate > 0), value, rate)
    shift = jnp.where(jnp.isfinite(soonest), soonest, 0.0)
    return Found(met & ~passed, passed, first, shift)


def column(values, like):
    """One value for each condition, beside arrays (conditions, *lanes)."""
    return np.asarray(values).reshape((-1,) + (1,) * (like.ndim - 1))
