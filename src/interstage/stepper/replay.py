"""Repeat a flight over its accepted steps and events, to compute derivatives along directions.

The steps and met conditions are fixed; the event times are not. At an event, the state is moved along its
slope by -value/rate. This amount is zero to rounding, but its derivative is the derivative of the event
time. Derivatives therefore never pass through a decision about a step size or an event.

A step that ends at a known kink or jump moves with the time of the kink or jump. Each other step keeps its
length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..maths.arrays import entry_at, jax, jnp, lax
from .control import shortest
from .problem import Hybrid, Settings
from .step import take

BESIDE = 4.0
"""Tolerance of the time of a jump, as a multiple of the shortest step. Steps end one shortest step before and
after a jump.
"""


class Plan(NamedTuple):
    """Rows are the steps to repeat. Segments consist of consecutive rows.

    For each row:

    - h [s]: length of the step.
    - until [s]: end time of the step, used instead of h if finite.
    - hit (row, condition): conditions met at the end of the step.
    - timer, rate: index of the condition that determines the event time, and the rate of its value. The
      rate is zero if the conditions do not determine the time.
    - joined: true if the row continues the events of the preceding row.

    For each segment:

    - first, last: index of its first row, and index after its last row.
    - after: true for the state after the events of its last row, false for the state before.
    - kept: true if the next segment continues from the end of this segment; false if it continues from the
      start of this segment.

    Rows outside all segments and segments without rows are allowed."""

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
    """Time t, state x and discrete tree at one point of a flight. In results for all segments of a plan, the
    first axis is the segment.
    """

    t: Any
    x: Any
    discrete: Any


class Apart(NamedTuple):
    """Motion of a replay relative to jumps at which no step ends.

    - amount: its derivative is zero for directions without relative motion.
    - time: time of the last such jump [s]."""

    amount: Any
    time: Any


Joining = Callable[[Any, Any, Any], Any]
"""Function (discrete tree before a row, discrete tree after the row, whether the row is joined) -> discrete
tree after the row.
"""


def replay(
    problem: Hybrid, settings: Settings, start: Place, plan: Plan, joining: Joining
) -> tuple[Place, Apart]:
    """Return the end point of each segment of a plan for one case, and the motion relative to jumps.

    start: start point of the first segment. joining: corrects the discrete tree after rows that are joined to
    the preceding row.
    """

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
