"""A flight flown again over its accepted steps and firings, to be differentiated along directions.

The steps and what was hit are taken as they were found; times of events are not. At an event the state is
moved along its slope by -value/rate, which is zero to rounding, but whose derivative is that of the event's
time. So derivatives never pass through a decision about a step size or an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..maths.arrays import jax, jnp, lax, taken
from .problem import Hybrid, Settings
from .step import take


class Plan(NamedTuple):
    """Rows that may be flown, and the stretches of them that are, one after another.

    Of each row: h [s], the length of its step; until [s], the time at which it ends instead, where that is
    finite; hit (row, condition), the conditions met at its end; timer, the number of the one whose value
    tells when, and rate, how fast that rises there, zero where what is met comes with the step's end; joined,
    whether it goes on with the firings of the instant of the row before. Of each stretch: its first row and
    the one behind its last; after, whether it gives the state just after its last row or before what was
    fired there; kept, whether the next one goes on from there, or from where this one began. There may be
    more rows than the stretches have, and stretches without any."""

    h: Any
    until: Any
    hit: Any
    timer: Any
    rate: Any
    joined: Any
    first: Any
    last: Any
    after: Any
    kept: Any


class Place(NamedTuple):
    """A time, the state there and the switches; with an axis for the stretches of a plan in front."""

    t: Any
    x: Any
    discrete: Any


Joining = Callable[[Any, Any, Any], Any]
"""(switches before a row, switches after it, whether it is joined) -> switches after it."""


def replay(problem: Hybrid, settings: Settings, start: Place, plan: Plan, joining: Joining) -> Place:
    """Where each stretch of the plan leads from the start, one lane."""

    def row(k, sides):
        begun = sides[1]
        before = _stepped(problem, settings, begun, plan, k)
        return before, _fired(problem, before, plan, k, joining)

    def stretch(begun, which):
        first, last, after, kept = which
        before, end = lax.fori_loop(first, last, row, (begun, begun))
        return _one_of(kept, end, begun), _one_of(after, end, before)

    return lax.scan(stretch, start, (plan.first, plan.last, plan.after, plan.kept))[1]


def _one_of(first: Any, one: Place, other: Place) -> Place:
    return jax.tree.map(lambda a, b: jnp.where(first, a, b), one, other)


def _stepped(problem: Hybrid, settings: Settings, begun: Place, plan: Plan, k: Any) -> Place:
    """The end of a row just before what was fired there."""
    t, x, discrete = begun
    h, until = taken(plan.h, k), taken(plan.until, k)
    end = jnp.where(jnp.isfinite(until), until, t + h)
    step = take(problem, settings.method, t, end, x, jnp.zeros_like(x), discrete, first=0)
    shift = _shift(problem, end, step.x, discrete, taken(plan.timer, k), taken(plan.rate, k))
    # By rounding only, and never back to before what was fired at this instant already.
    shift = shift + lax.stop_gradient(jnp.maximum(shift, t - end) - shift)
    return Place(end + shift, step.x + shift * step.slope, discrete)


def _shift(problem: Hybrid, t: Any, x: Any, discrete: Any, timer: Any, rate: Any) -> Any:
    """Time from the end of a step to the event there that tells when. Its value is zero to rounding, so that
    nothing depends on changes of its rate."""

    def until():
        return -taken(problem.watch(t, x, discrete), timer) / rate

    return lax.cond(rate > 0, until, lambda: jnp.zeros_like(t))


def _fired(problem: Hybrid, before: Place, plan: Plan, k: Any, joining: Joining) -> Place:
    """Just after what was fired at the end of a row."""
    (t, x, discrete), hit = before, taken(plan.hit, k)

    def fired():
        later, after = problem.fire(t, x, discrete, hit, problem.measure(t, x, discrete))
        return later, joining(discrete, after, taken(plan.joined, k))

    return Place(t, *lax.cond(jnp.any(hit), fired, lambda: (x, discrete)))
