"""A flight flown again over its accepted steps and firings, to be differentiated along directions.

The steps and the conditions met are taken as they were found; times of events are not. At an event the state
is moved along its slope by -value/rate, which is zero to rounding, but whose derivative is that of the
event's time. So derivatives never pass through a decision about a step size or an event.

Steps that end where the flow bends or jumps at a known time move with that time. On either side of a jump the
flow is then the same, however the steps move; a loss on one side is a gain on the other. Any other end of a
step may move as it likes, and keeps its distance from its beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..maths.arrays import entry_at, jax, jnp, lax
from .control import shortest
from .problem import Hybrid, Settings
from .step import take

BESIDE = 4.0
"""Number of shortest steps within which a time counts as the time of a jump. Steps end one shortest step
before and after a jump."""


class Plan(NamedTuple):
    """Rows that may be flown, and the stretches of them that are, one after another.

    For each row: `h` [s], the length of its step. `until` [s], the time at which it ends instead, if that is
    finite. `hit` (row, condition), the conditions met at its end. `timer`, the number of the condition whose
    value gives the time, and `rate`, the rate of that value there, zero if the conditions come with the
    step's end. `joined`, whether the row continues the firings of the row before. For each stretch:
    `first`, its first row, and `last`, the one behind its last. `after`, whether it gives the state just
    after its last row or before the firings there. `kept`, whether the next one goes on from there, or from
    where this one began. There may be more rows than the stretches have, and stretches without any."""

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


class Apart(NamedTuple):
    """How a replay moves against jumps of the flow that no step ends at. amount: its change is zero where it
    does not; time [s] of the last such jump."""

    amount: Any
    time: Any


Joining = Callable[[Any, Any, Any], Any]
"""(switches before a row, switches after it, whether it is joined) -> switches after it."""


def replay(
    problem: Hybrid, settings: Settings, start: Place, plan: Plan, joining: Joining
) -> tuple[Place, Apart]:
    """Where each stretch of the plan leads from the start, one case, and how that moves against jumps."""

    def row(k, carry):
        _, begun, apart = carry
        before = _step_end(problem, settings, begun, plan, k)
        apart = _moved_apart(problem, settings, begun, before.t, k, apart)
        return before, _after_firing(problem, before, plan, k, joining), apart

    def stretch(carry, which):
        begun, apart = carry
        first, last, after, kept = which
        before, end, apart = lax.fori_loop(first, last, row, (begun, begun, apart))
        return (_one_of(kept, end, begun), apart), _one_of(after, end, before)

    still = Apart(jnp.zeros_like(start.t), jnp.zeros_like(start.t))
    (_, apart), places = lax.scan(stretch, (start, still), (plan.first, plan.last, plan.after, plan.kept))
    return places, apart


def _one_of(first: Any, one: Place, other: Place) -> Place:
    return jax.tree.map(lambda a, b: jnp.where(first, a, b), one, other)


def _step_end(problem: Hybrid, settings: Settings, begun: Place, plan: Plan, k: Any) -> Place:
    """The end of a row just before what was fired there."""
    t, x, discrete = begun
    h, until = entry_at(plan.h, k), entry_at(plan.until, k)
    there = jnp.any(entry_at(plan.hit, k)) & (entry_at(plan.rate, k) == 0)
    lands = (h > 0) & ~there & (settings.fixed_step is None)
    end = jnp.where(lands, _moving(problem.landings(t, discrete), t + h), t + h)
    end = jnp.where(jnp.isfinite(until), until, end)
    step = take(problem, settings.method, t, end, x, jnp.zeros_like(x), discrete, first=0)
    shift = _shift(problem, end, step.x, discrete, entry_at(plan.timer, k), entry_at(plan.rate, k))
    # By rounding only, and never back to before what was fired at this instant already.
    shift = shift + lax.stop_gradient(jnp.maximum(shift, t - end) - shift)
    return Place(end + shift, step.x + shift * step.slope, discrete)


def _moving(points: list[Any], t: Any) -> Any:
    """A time that moves with the point that it is at, if any."""
    if not points:
        return t
    point = jnp.concatenate(points)
    off = jnp.abs(point - t)
    nearest = jnp.argmin(off)
    own = entry_at(point, nearest)
    moving = lax.stop_gradient(t) + (own - lax.stop_gradient(own))
    return jnp.where(off[nearest] <= BESIDE * shortest(t), moving, t)


def _moved_apart(problem: Hybrid, settings: Settings, begun: Place, end: Any, k: Any, apart: Apart) -> Apart:
    """With how the beginning of a step moves against jumps there; of fixed steps, which do not end at them,
    against those in the step."""
    fixed = settings.fixed_step is not None
    points = problem.breaks(begun.t, begun.discrete) if fixed else problem.jumps(begun.t, begun.discrete)
    if not points:
        return apart
    t, point = begun.t, jnp.concatenate(points)
    beside = BESIDE * shortest(t)
    last = end if fixed else t
    near = (point >= t - beside) & (point <= last + beside) & (end > t)
    distance = jnp.sum(jnp.where(near, t - point, 0.0))
    # By number, so that the changes of several rows do not cancel each other.
    amount = apart.amount + (k + 1) * (distance - lax.stop_gradient(distance))
    return Apart(amount, jnp.max(jnp.where(near, point, apart.time), initial=-jnp.inf))


def _shift(problem: Hybrid, t: Any, x: Any, discrete: Any, timer: Any, rate: Any) -> Any:
    """Time from the end of a step to the event there that reports when. Its value is zero to rounding, so
    that nothing depends on changes of its rate."""

    def until():
        return -entry_at(problem.watch(t, x, discrete), timer) / rate

    return lax.cond(rate > 0, until, lambda: jnp.zeros_like(t))


def _after_firing(problem: Hybrid, before: Place, plan: Plan, k: Any, joining: Joining) -> Place:
    """Just after what was fired at the end of a row."""
    (t, x, discrete), hit = before, entry_at(plan.hit, k)

    def fire():
        later, after = problem.fire(t, x, discrete, hit, problem.measure(t, x, discrete))
        return later, joining(discrete, after, entry_at(plan.joined, k))

    return Place(t, *lax.cond(jnp.any(hit), fire, lambda: (x, discrete)))
