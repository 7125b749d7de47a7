"""One explicit Runge-Kutta step of a flat state, all lanes at once.

The stages are a loop, with the end of the step as the last pass, so that the derivative and the projection
are compiled once: quick to compile, and in one kernel also quicker to run than stages written out.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from ..maths.arrays import jax, jnp, lax, taken
from .problem import Hybrid, SelfStepping, held
from .tableau import METHODS, Tableau


class Step(NamedTuple):
    """The end of a step, x (n, *lanes), the derivative there, and the error estimates already multiplied by
    h."""

    x: jax.Array
    slope: jax.Array
    errors: tuple[jax.Array, ...]


def take(problem: Hybrid, method: str, t, t_end, x, slope, discrete, first=1) -> Step:
    """Take one step of a hybrid system between events, by a Runge-Kutta method or by the system's own; see
    `advance`."""
    if method not in METHODS:
        return cast(SelfStepping, problem).advance(t, t_end, x, slope, discrete)
    flow, onto = held(problem.derivative, discrete), held(problem.project, discrete)
    return advance(METHODS[method], flow, onto, t, t_end, x, slope, first)


def advance(tableau: Tableau, derivative, project, t, t_end, x, slope, first=1) -> Step:
    """Take one step from (t, x) to t_end.

    x has shape (n, *lanes), times (*lanes). `derivative(t, x)`; `project(t, x)` puts the end on the
    constraints. `slope` is the derivative at (t, x), kept from the end of the step before; with `first` = 0
    it is evaluated here instead."""
    h = t_end - t
    matrix, nodes = jnp.asarray(tableau.matrix()), jnp.asarray(tableau.nodes())
    last = tableau.stages

    def stage(i, carry):
        slopes, _ = carry
        here = x + h * _blend(taken(matrix, i), slopes)
        time = jnp.where(i == last, t_end, t + taken(nodes, i) * h)
        here = lax.cond(i == last, lambda: project(t_end, here), lambda: here)
        return lax.dynamic_update_index_in_dim(slopes, derivative(time, here), i, 0), here

    rest = jnp.zeros((last, *x.shape), x.dtype)
    slopes, end = lax.fori_loop(first, last + 1, stage, (jnp.concatenate([slope[None], rest]), x))
    return Step(end, slopes[last], tuple(h * _blend(_padded(row, last), slopes) for row in tableau.errors))


def _blend(weights, slopes):
    return jnp.sum(weights.reshape((-1,) + (1,) * (slopes.ndim - 1)) * slopes, 0)


def _padded(row, last):
    return jnp.asarray(tuple(row) + (0.0,) * (last + 1 - len(row)))
