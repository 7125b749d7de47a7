"""Make one explicit Runge-Kutta step of a flat state, for all cases simultaneously.

One loop computes all stages; its last iteration is the end of the step. The right-hand side and the
projection are therefore compiled only once. Compilation is fast, and in a single kernel the loop also runs
faster than unrolled stages. The watched values are evaluated in every iteration, too.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ..maths.arrays import entry_at, jax, jnp, jvp, lax, written
from .problem import Cursor, Hybrid, Seen, SelfStepping, Settings, between_events
from .tableau import METHODS, Tableau


class Step(NamedTuple):
    """End of a step.

    - x (n, *cases): state.
    - slope (n, *cases): dx/dt.
    - errors: error estimates of the state (n, *cases), multiplied by the step h.
    """

    x: jax.Array
    slope: jax.Array
    errors: tuple[jax.Array, ...]


class Sight(NamedTuple):
    """Watched values along a step.

    - nodes: fractions of the step from 0 to 1.
    - values (node, condition, *cases): watched values at the nodes.
    - rate (condition, *cases), measured (value, *cases): rates and measured values at the end of the step.
    - places: positions among kinks at the end of the step, with their rates (axis, *cases); empty for fixed
      steps.
    - features (node, 5, axis, *cases): positions among features at the nodes.
    - moving (axis, *cases): rates of the feature variables at the end of the step; empty for fixed steps.
    - shaken (condition, *cases): initial values in a state perturbed by rounding errors, for values that
      are not yet clear."""

    nodes: tuple[float, ...]
    values: jax.Array
    rate: jax.Array
    places: tuple[jax.Array, jax.Array]
    measured: jax.Array
    features: jax.Array
    moving: jax.Array
    shaken: jax.Array


def take(problem: Hybrid, method: str, t, t_end, x, slope, discrete, first=1) -> Step:
    """Return one step of a hybrid system from t to t_end [s] without events.

    The method is a Runge-Kutta method or a method of the system; for the other arguments see `advance`.
    """
    if method not in METHODS:
        return cast(SelfStepping, problem).advance(t, t_end, x, slope, discrete)
    flow, onto = between_events(problem.derivative, discrete), between_events(problem.project, discrete)
    return advance(METHODS[method], flow, onto, t, t_end, x, slope, first)


def watch_step(problem: Hybrid, settings: Settings, cursor: Cursor, t_end, idle) -> tuple[Step, Sight]:
    """Return the step of `take` from the cursor to t_end [s], and the observed values along the step.

    If all cases are `idle`, the step has no length, and only its end is computed.
    """
    t, x, slope, discrete, value = cursor.t, cursor.x, cursor.slope, cursor.discrete, cursor.value
    if settings.method not in METHODS:
        step = take(problem, settings.method, t, t_end, x, slope, discrete)
        return step, sight_of_ends(problem, settings, t_end, step.x, step.slope, cursor)
    tableau = METHODS[settings.method]
    onto, shakes = between_events(problem.project, discrete), any(settings.judged)
    first = jnp.where(jnp.all(idle), tableau.stages, 1)
    if shakes:
        first = jnp.where(
            jnp.all(idle | _is_clear(settings, cursor)), first, jnp.where(jnp.all(idle), first, 0)
        )

    def flow(t, x, i):
        return problem.evaluate(t, x, discrete, i == 0 if shakes else None)

    begun = Seen(value, jnp.zeros((problem.measures, *t.shape)), cursor.features[0])
    step, seen = _passes(tableau, flow, onto, t, t_end, x, slope, first, begun, not shakes)
    assert seen is not None
    end, rate, places, (there, moving) = _at_end(problem, settings, t_end, step.x, step.slope, cursor)
    nodes = sight_nodes(settings)
    values, features = (
        jnp.concatenate([inside[: len(nodes) - 1], last[None]])
        for inside, last in ((seen.values, end), (seen.features, there))
    )
    shaken = seen.values[len(nodes) - 1] if shakes else value
    return step, Sight(nodes, values, rate, places, seen.measured, features, moving, shaken)


def _is_clear(settings: Settings, cursor: Cursor):
    """Whether no rounding is to be looked at, (*cases)."""
    return jnp.all(cursor.clear | ~np.array(settings.judged).reshape(-1, *(1,) * cursor.t.ndim), 0)


def sight_nodes(settings: Settings) -> tuple[float, ...]:
    """Return the fractions of a step at which `watch_step` observes values."""
    if settings.method not in METHODS:
        return 0.0, 1.0
    tableau = METHODS[settings.method]
    return (0.0, *(float(tableau.nodes()[i]) for i in tableau.telling), 1.0)


def sight_of_ends(problem: Hybrid, settings: Settings, t, x, slope, cursor: Cursor) -> Sight:
    """Return the watched values of a step from the cursor if only its end (t, x, slope) is known."""
    end, rate, places, (there, moving) = _at_end(problem, settings, t, x, slope, cursor)
    measured = problem.measure(t, x, cursor.discrete)
    values, features = jnp.stack([cursor.value, end]), jnp.stack([cursor.features[0], there])
    shaken = cursor.value
    if any(settings.judged):
        shaken = problem.watch(cursor.t, cursor.x, cursor.discrete, True)
    return Sight((0.0, 1.0), values, rate, places, measured, features, moving, shaken)


def _at_end(problem: Hybrid, settings: Settings, t, x, slope, cursor: Cursor):
    """Watched values, their exact rates (condition, *cases), and places among kinks and features with
    theirs."""
    discrete = cursor.discrete
    if settings.fixed_step is not None:
        return *rates(problem, t, x, slope, discrete), cursor.places, cursor.features
    (values, places, features), (rate, moving, along) = _along(
        between_events(problem.among, discrete), t, x, slope
    )
    return values, rate, (places, moving), (features, along[0])


def rates(problem: Hybrid, t, x, slope, discrete):
    """Return the watched values and their exact time derivatives, each (condition, *cases). slope: dx/dt."""
    return _along(between_events(problem.watch, discrete), t, x, slope)


def _along(function, t, x, slope):
    """What a function of time and state is, and how fast it changes."""
    return jvp(function, (t, x), (jnp.ones_like(t), slope))


def advance(tableau: Tableau, derivative, project, t, t_end, x, slope, first=1) -> Step:
    """Return one Runge-Kutta step from (t, x) to t_end.

    - t, t_end: times [s] (*cases). x: state (n, *cases).
    - derivative(t, x): function for dx/dt.
    - project(t, x): function that projects the final state onto the constraints.
    - slope: dx/dt at (t, x), known from the end of the last step. If `first` is 0, the slope is evaluated in
      this step.
    """

    def flow(t, x, _):
        return derivative(t, x), None

    return _passes(tableau, flow, project, t, t_end, x, slope, first, None)[0]


def end_of_step(tableau: Tableau, derivative, t, t_end, x, slope=None):
    """Return only the final state of a step from (t, x) to t_end, without projection onto the constraints.

    slope: dx/dt at (t, x). None: it is evaluated. For the other arguments see `advance`.
    """
    h = t_end - t
    matrix, nodes = jnp.asarray(tableau.matrix()), jnp.asarray(tableau.nodes())

    def stage(i, slopes):
        here = x + h * _blend(entry_at(matrix, i), slopes)
        return written(slopes, derivative(t + entry_at(nodes, i) * h, here), i)

    last, first = tableau.stages, 0 if slope is None else 1
    slopes = jnp.zeros((last + 1, *x.shape), x.dtype)
    slopes = slopes if slope is None else written(slopes, slope, 0)
    slopes = lax.fori_loop(first, last, stage, slopes)
    return x + h * _blend(entry_at(matrix, last), slopes)


def _passes(
    tableau: Tableau, evaluate, project, t, t_end, x, slope, first, begun, keeps=True
) -> tuple[Step, Any]:
    """The step of `advance`, of a flow `evaluate(t, x, stage)` that gives slope and observed values.

    begun: observed values at the start. With them the result has the watched values at the start, at the
    stages that the error estimate weighs, at the end, in the first stage if that is evaluated, and elsewhere.
    It also has the measured numbers at the end. keeps: whether the slope of the first stage is kept."""
    h = t_end - t
    matrix, nodes = jnp.asarray(tableau.matrix()), jnp.asarray(tableau.nodes())
    last, telling = tableau.stages, tableau.telling
    # Stages without weight in the error estimate are put behind the others and the first.
    place = np.full(last + 1, len(telling) + 2)
    place[list(telling)] = range(1, len(telling) + 1)
    place[0] = len(telling) + 1
    place = jnp.asarray(place)
    seen = None
    if begun is not None:
        values, features = (
            jnp.concatenate([one[None], jnp.zeros((len(telling) + 2, *one.shape))])
            for one in (begun.values, begun.features)
        )
        seen = Seen(values, begun.measured, features)

    def stage(i, carry):
        slopes, _, seen = carry
        here = x + h * _blend(entry_at(matrix, i), slopes)
        time = jnp.where(i == last, t_end, t + entry_at(nodes, i) * h)
        here = lax.cond(i == last, lambda: project(t_end, here), lambda: here)
        found, now = evaluate(time, here, i)
        if not keeps:
            found = jnp.where(i == 0, slope, found)
        if seen is not None:
            values, features = seen.values, seen.features
            if telling or not keeps:
                values = lax.dynamic_update_index_in_dim(values, now.values, entry_at(place, i), 0)
            if telling and features.shape[2]:
                features = lax.dynamic_update_index_in_dim(features, now.features, entry_at(place, i), 0)
            seen = Seen(values, now.measured, features)
        return written(slopes, found, i), here, seen

    rest = jnp.zeros((last, *x.shape), x.dtype)
    slopes, end, seen = lax.fori_loop(first, last + 1, stage, (jnp.concatenate([slope[None], rest]), x, seen))
    return Step(end, slopes[last], tuple(h * _blend(_pad(row, last), slopes) for row in tableau.errors)), seen


def _blend(weights, slopes):
    # In one order, whatever cases there are.
    return jnp.sum(weights.reshape((-1,) + (1,) * (slopes.ndim - 1)) * slopes, 0)


def _pad(row, last):
    return jnp.asarray(tuple(row) + (0.0,) * (last + 1 - len(row)))
