"""One explicit Runge-Kutta step of a flat state, all lanes at once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from .tableau import Tableau

# Up to this many stages the loop over stages is written out: faster to run, and still quick to compile.
WRITTEN_OUT = 4


def advance(tableau: Tableau, derivative, t, x, slope, h):
    """Take one step of size h from (t, x); returns the new state and the error estimates.

    x has shape (n, *lanes); t and h have shape (*lanes). `slope` is the derivative at (t, x), kept from
    the end of the step before. `derivative(t, x)` gives the others. The estimates, one (n, *lanes) array
    for each row of `tableau.errors`, are already multiplied by h.
    """
    if tableau.stages <= WRITTEN_OUT:
        slopes = _stages_written_out(tableau, derivative, t, x, slope, h)
    else:
        slopes = _stages_in_a_loop(tableau, derivative, t, x, slope, h)
    end = x + h * _blend(tableau.b, slopes)
    return end, tuple(h * _blend(row, slopes) for row in tableau.errors)


def _blend(weights, slopes):
    return sum(w * slopes[i] for i, w in enumerate(weights) if w != 0.0)


def _stages_written_out(tableau, derivative, t, x, slope, h):
    slopes = [slope]
    for row, c in zip(tableau.a, tableau.c[1:], strict=True):
        slopes.append(derivative(t + c * h, x + h * _blend(row, slopes)))
    return slopes


def _stages_in_a_loop(tableau, derivative, t, x, slope, h):
    a = jnp.asarray(tableau.square())
    c = jnp.asarray(np.asarray(tableau.c))
    lanes = (1,) * x.ndim

    def stage(i, slopes):
        here = x + h * jnp.sum(a[i].reshape((-1, *lanes)) * slopes, 0)
        return jax.lax.dynamic_update_index_in_dim(slopes, derivative(t + c[i] * h, here), i, 0)

    rest = jnp.zeros((tableau.stages - 1, *x.shape), x.dtype)
    slopes = jnp.concatenate([slope[None], rest])
    return jax.lax.fori_loop(1, tableau.stages, stage, slopes)
