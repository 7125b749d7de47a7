"""A flight flown again over its accepted steps and firings: a plain scan, differentiable both ways.

The steps and what was hit are taken as they were found; times of events are not. At an event the state is
moved along its slope by -value/rate, which is zero to rounding, but whose derivative is that of the event's
time. So derivatives never pass through a decision about a step size or an event."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..maths.arrays import jax, jnp, lax
from . import crossing
from .detection import STANDING_PART
from .problem import Hybrid, Settings
from .step import rates, take


class Plan(NamedTuple):
    """Accepted steps: h (steps,) [s] and the conditions hit at the end of each, hit (steps, conditions), and
    those of them whose rate tells when, timed (steps, conditions): the others come with the step's end."""

    h: jax.Array
    hit: jax.Array
    timed: jax.Array


class Replayed(NamedTuple):
    """Times and states of the steps: at each end just before, and just after, what was fired there."""

    t: jax.Array
    x_before: jax.Array
    discrete_before: Any
    x_after: jax.Array
    discrete_after: Any


def replay(problem: Hybrid, settings: Settings, t, x, discrete, plan: Plan) -> Replayed:
    """Fly the plan from (t, x), one lane."""

    def step(carry, row):
        t, x, discrete = carry
        h, hit, timed = row
        end = take(problem, settings.method, t, t + h, x, jnp.zeros_like(x), discrete, first=0)
        shift = _shift(problem, settings, t + h, end, discrete, timed)
        # By rounding only, and never back to before what was fired at this instant already.
        shift = shift + lax.stop_gradient(jnp.maximum(shift, -h) - shift)
        t_end, x_end = t + h + shift, end.x + shift * end.slope
        x_after, after = lax.cond(
            jnp.any(hit),
            lambda: problem.fire(t_end, x_end, discrete, hit, problem.measure(t_end, x_end, discrete)),
            lambda: (x_end, discrete),
        )
        return (t_end, x_after, after), Replayed(t_end, x_end, discrete, x_after, after)

    return lax.scan(jax.checkpoint(step), (t, x, discrete), plan)[1]


def _shift(problem, settings, t, end, discrete, timed):
    """Time from the end of a step to the first of the events `timed` that were hit there."""

    def soonest():
        value, rate = rates(problem, t, end.x, end.slope, discrete)
        rounding = STANDING_PART * jnp.max(jnp.abs(end.x), 0)
        reached = timed & (jnp.abs(value) <= 2 * settings.near(t) * jnp.abs(rate) + rounding) & (rate > 0)
        first = crossing.soonest_rise(reached, value, rate)
        return jnp.where(jnp.isfinite(first), first, 0.0)

    return lax.cond(jnp.any(timed), soonest, lambda: jnp.zeros_like(t))
