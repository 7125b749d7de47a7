"""One explicit Runge-Kutta step of a flat state, all lanes at once.

The stages are a loop, with the end of the step as the last pass, so that the right-hand side and the
projection are compiled once: quick to compile, and in one kernel also quicker to run than stages written out.
What is watched is seen in every pass, too.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ..maths.arrays import jax, jnp, jvp, lax, taken
from .problem import Hybrid, SelfStepping, held
from .tableau import METHODS, Tableau


class Step(NamedTuple):
    """The end of a step, x (n, *lanes), the derivative there, and the error estimates already multiplied by
    h."""

    x: jax.Array
    slope: jax.Array
    errors: tuple[jax.Array, ...]


class Sight(NamedTuple):
    """What is watched along a step: values (node, condition, *lanes) at its `nodes`, parts of the step from 0
    to 1, and the rate at its end (condition, *lanes)."""

    nodes: tuple[float, ...]
    values: jax.Array
    rate: jax.Array


def take(problem: Hybrid, method: str, t, t_end, x, slope, discrete, first=1) -> Step:
    """Take one step of a hybrid system between events, by a Runge-Kutta method or by the system's own; see
    `advance`."""
    if method not in METHODS:
        return cast(SelfStepping, problem).advance(t, t_end, x, slope, discrete)
    flow, onto = held(problem.derivative, discrete), held(problem.project, discrete)
    return advance(METHODS[method], flow, onto, t, t_end, x, slope, first)


def watched(problem: Hybrid, method: str, t, t_end, x, slope, value, discrete, idle) -> tuple[Step, Sight]:
    """A step as `take` takes it, with what is seen along it; `value` is what is watched at its start. Where
    all lanes are `idle` the step has no length, and its end alone is worked out."""
    if method not in METHODS:
        step = take(problem, method, t, t_end, x, slope, discrete)
        return step, sight_of_ends(problem, t_end, step.x, step.slope, value, discrete)
    tableau = METHODS[method]
    flow, onto = held(problem.evaluate, discrete), held(problem.project, discrete)
    first = jnp.where(jnp.all(idle), tableau.stages, 1)
    step, seen = _passes(tableau, flow, onto, t, t_end, x, slope, first, value)
    assert seen is not None
    end, rate = rates(problem, t_end, step.x, step.slope, discrete)
    nodes = (0.0, *(float(tableau.nodes()[i]) for i in tableau.telling), 1.0)
    return step, Sight(nodes, jnp.concatenate([seen[: len(nodes) - 1], end[None]]), rate)


def sight_of_ends(problem: Hybrid, t, x, slope, value, discrete) -> Sight:
    """What is seen of a step of which the end is known only."""
    end, rate = rates(problem, t, x, slope, discrete)
    return Sight((0.0, 1.0), jnp.stack([value, end]), rate)


def rates(problem: Hybrid, t, x, slope, discrete):
    """Watched values and their exact rates (condition, *lanes)."""
    return jvp(held(problem.watch, discrete), (t, x), (jnp.ones_like(t), slope))


def advance(tableau: Tableau, derivative, project, t, t_end, x, slope, first=1) -> Step:
    """Take one step from (t, x) to t_end.

    x has shape (n, *lanes), times (*lanes). `derivative(t, x)`; `project(t, x)` puts the end on the
    constraints. `slope` is the derivative at (t, x), kept from the end of the step before; with `first` = 0
    it is evaluated here instead."""

    def flow(t, x):
        return derivative(t, x), None

    return _passes(tableau, flow, project, t, t_end, x, slope, first, None)[0]


def _passes(tableau: Tableau, evaluate, project, t, t_end, x, slope, first, value) -> tuple[Step, Any]:
    """The step of `advance`, of a flow `evaluate(t, x)` that gives slope and what is seen there. If `value`
    is given, also what is seen at the start, at the stages that tell, and elsewhere."""
    h = t_end - t
    matrix, nodes = jnp.asarray(tableau.matrix()), jnp.asarray(tableau.nodes())
    last, telling = tableau.stages, tableau.telling
    # Stages that do not tell are put behind the others.
    place = np.full(last + 1, len(telling) + 1)
    place[list(telling)] = range(1, len(telling) + 1)
    place = jnp.asarray(place)
    seen = None
    if value is not None:
        seen = jnp.concatenate([value[None], jnp.zeros((len(telling) + 1, *value.shape), value.dtype)])

    def stage(i, carry):
        slopes, _, seen = carry
        here = x + h * _blend(taken(matrix, i), slopes)
        time = jnp.where(i == last, t_end, t + taken(nodes, i) * h)
        here = lax.cond(i == last, lambda: project(t_end, here), lambda: here)
        found, values = evaluate(time, here)
        if seen is not None:
            seen = lax.dynamic_update_index_in_dim(seen, values, taken(place, i), 0)
        return lax.dynamic_update_index_in_dim(slopes, found, i, 0), here, seen

    rest = jnp.zeros((last, *x.shape), x.dtype)
    slopes, end, seen = lax.fori_loop(first, last + 1, stage, (jnp.concatenate([slope[None], rest]), x, seen))
    return Step(
        end, slopes[last], tuple(h * _blend(_padded(row, last), slopes) for row in tableau.errors)
    ), seen


def _blend(weights, slopes):
    return jnp.sum(weights.reshape((-1,) + (1,) * (slopes.ndim - 1)) * slopes, 0)


def _padded(row, last):
    return jnp.asarray(tuple(row) + (0.0,) * (last + 1 - len(row)))
