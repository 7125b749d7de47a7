"""Step-size control from the error estimate of a step."""

from __future__ import annotations

import jax.numpy as jnp

from .tableau import Tableau

SAFETY = 0.9
SHRINK, GROW = 0.2, 5.0


def error_ratio(norms):
    """Error of a step over what is allowed, from the norms of its estimates (one or two), shape (*lanes).

    With two estimates the blend of Hairer, Norsett and Wanner (1993), section II.10, is used:
    err = e5^2 / sqrt(e5^2 + 0.01 e3^2), which has order 8 in h. An estimate that is not a number stays one.
    """
    if len(norms) == 1:
        return norms[0]
    fifth, third = norms
    bottom = jnp.sqrt(fifth**2 + 0.01 * third**2)
    return jnp.where(bottom == 0, 0.0, fifth**2 / jnp.where(bottom == 0, 1.0, bottom))


def next_step(tableau: Tableau, ratio, h):
    """The step that the estimate asks for next; a ratio that is not a number shrinks the step."""
    power = -1.0 / (tableau.error_order + 1)
    ratio = jnp.where(jnp.isfinite(ratio), ratio, jnp.inf)
    factor = SAFETY * jnp.maximum(ratio, 1e-20) ** power
    return h * jnp.clip(factor, SHRINK, GROW)


def first_step(norm_state, norm_slope, longest):
    """A cautious first step: one hundredth of the time in which the state changes by its own scale."""
    guess = 0.01 * jnp.maximum(norm_state, 1.0) / jnp.maximum(norm_slope, 1e-12)
    return jnp.minimum(guess, longest)
