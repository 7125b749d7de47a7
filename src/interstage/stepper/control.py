"""Choose the size of each step from the error estimate of the last step and from the known times of
events.
"""

from __future__ import annotations

from ..maths.arrays import jnp
from . import crossing, kinks
from .detection import Found, column
from .problem import Cursor, Hybrid, Settings, Trial
from .tableau import METHODS, Tableau

SAFETY = 0.9
SHRINK, GROW = 0.2, 5.0
AFTER_KINK = 0.75
"""Lower bound of the step after a kink, as a fraction of the step that was rejected because of the kink."""
CUT_BACK = 0.5
"""Smallest reduction of a step that passed an event, as a fraction of the time tolerance of events. Without a
reduction, the repeated step would pass the event again.
"""
SHORTEST_ROUNDINGS = 16
"""Shortest step as a multiple of the rounding error of the time."""
TINY = 1e-300
"""Smallest divisor, in place of a rate of zero, when a time is computed from a rate."""


def shortest(t):
    """Return the shortest step [s] that advances the time t [s] in spite of rounding."""
    return SHORTEST_ROUNDINGS * jnp.finfo(t.dtype).eps * jnp.maximum(jnp.abs(t), 1e-3)


def error_ratio(norms):
    """Return the error of a step divided by the tolerance (*cases).

    norms: norms of one or two error estimates of the step (*cases). Two estimates are blended as in Hairer,
    Norsett and Wanner (1993), section II.10: err = e5^2 / sqrt(e5^2 + 0.01 e3^2), which has order 8 in h. If
    an estimate is NaN, the result is NaN.
    """
    if len(norms) == 1:
        return norms[0]
    fifth, third = norms
    bottom = jnp.sqrt(fifth**2 + 0.01 * third**2)
    return jnp.where(bottom == 0, 0.0, fifth**2 / jnp.where(bottom == 0, 1.0, bottom))


def next_step(tableau: Tableau, ratio, h):
    """Return the next step [s] from the error ratio of the last step h [s]. A NaN ratio reduces the step."""
    power = -1.0 / (tableau.error_order + 1)
    ratio = jnp.where(jnp.isfinite(ratio), ratio, jnp.inf)
    factor = SAFETY * jnp.maximum(ratio, 1e-20) ** power
    return h * jnp.clip(factor, SHRINK, GROW)


def first_step(norm_state, norm_slope, longest):
    """Return a first step [s] that is small: 1 % of the time in which the state changes by its own norm.

    norm_state, norm_slope: error norms of the state and of its derivative (`Hybrid.error_norm`). longest:
    upper bound [s].
    """
    guess = 0.01 * jnp.maximum(norm_state, 1.0) / jnp.maximum(norm_slope, 1e-12)
    return jnp.minimum(guess, longest)


def planned_end(problem: Hybrid, settings: Settings, cursor: Cursor, origin, idle, goal=None):
    """Return the end time [s] of the next step to try; exact at known times of events and grid points.

    origin: start of the grid of fixed steps [s]. idle (*cases): true for cases that make no step. goal:
    earliest known time [s] of an armed condition, if already computed.
    """
    t = cursor.t
    goal = problem.next_time(cursor.discrete) if goal is None else goal
    if settings.fixed_step is not None:
        # Fixed steps stay on the grid origin + k h, also after an event between its points.
        k = jnp.floor((t - origin) / settings.fixed_step * (1 + 1e-14) + 1e-6) + 1
        goal = jnp.minimum(goal, origin + k * settings.fixed_step)
        wanted = cursor.limit
    else:
        goal = jnp.minimum(goal, problem.corner(t, settings.near(t), cursor.discrete))
        wanted = jnp.minimum(jnp.minimum(cursor.step, cursor.limit), settings.longest)
        longest = problem.longest(t, cursor.x, cursor.slope, cursor.value, cursor.discrete)
        wanted = wanted if longest is None else jnp.minimum(wanted, longest)
    if settings.wraps:
        wanted = jnp.minimum(
            wanted, _quarter_turn(settings, problem.armed_conditions(cursor.discrete), cursor)
        )
    # Further than requested by roundings only, and by less than a step is cut back for a passed event.
    slack = jnp.minimum(1e-12 * wanted, 0.5 * CUT_BACK * settings.near(t))
    reaches = goal - t <= wanted + slack
    h = jnp.where(reaches, goal - t, wanted)
    # Two nearly equal steps to a known time rather than a full one and a sliver; but straight to an event.
    if settings.fixed_step is None:
        share = ~reaches & (wanted < cursor.limit) & (goal - t < 2 * wanted)
        h = jnp.where(share, 0.5 * (goal - t), h)
    return jnp.where(idle, t, jnp.where(reaches, goal, t + h))


def _quarter_turn(settings, armed, cursor):
    """Time in which no watched value that wraps around goes further than a quarter of its period."""
    speed = jnp.where(armed & jnp.isfinite(cursor.rate), jnp.abs(cursor.rate), 0.0)
    return jnp.min(0.25 * column(settings.period, speed) / jnp.maximum(speed, TINY), 0, initial=jnp.inf)


def steps_for_next(
    problem: Hybrid, settings: Settings, cursor: Cursor, armed, tried: Trial, accept, found: Found
):
    """Return the step [s] of the error controller and the upper limit [s] that events and kinks put on the
    next step.

    - armed (condition, *cases): conditions that are waiting.
    - accept (*cases): true for cases whose attempted step is accepted.
    - found: events at the end of the step or inside the step.
    """
    h, ratio = tried.h, tried.ratio
    passed = found.passed & ~tried.is_refused
    fired = jnp.any(found.hit, 0) & accept
    seeking = jnp.isfinite(cursor.limit)
    coming = armed & (tried.value < 0) & (tried.rate > 0)
    newton = crossing.soonest_rise(coming, tried.value, tried.rate)
    # Near a turning point the Newton step vanishes; never ask for less than the event tolerance.
    shortened = jnp.minimum(jnp.maximum(found.fraction, 0.01) * h, h - CUT_BACK * settings.near(cursor.t))
    limit = jnp.where(passed, shortened, jnp.where(accept, newton, h))
    limit = jnp.maximum(limit, CUT_BACK * settings.near(cursor.t))
    limit = jnp.where((seeking | passed) & ~fired, limit, jnp.inf)
    if settings.fixed_step is not None:
        limit = jnp.where(limit >= settings.fixed_step, jnp.inf, limit)
        return cursor.step, limit
    limit = jnp.where(limit >= cursor.step, jnp.inf, limit)
    asked = next_step(METHODS[settings.method], ratio, h)
    # After a refusal the next step is at most as long as the accepted one (Hairer, Norsett and Wanner,
    # Solving Ordinary Differential Equations I, section II.4).
    asked = jnp.where(cursor.refused & (ratio <= 1.0), jnp.minimum(asked, h), asked)
    # A step cut short for an event is a weak estimate of the next length.
    cut_short = (ratio <= 1.0) & (h < 0.5 * cursor.step)
    step = jnp.where(cut_short, jnp.maximum(cursor.step, asked), asked)
    blind = jnp.isfinite(tried.unseen) if tried.sight.features.shape[2] else False
    step = jnp.where(passed | blind | (h == 0), cursor.step, step)
    landing = kinks.landing(cursor, tried, found)
    # A kink alone is a weak estimate of the steps after it.
    lands = jnp.isfinite(landing) & (landing * h > shortest(cursor.t))
    limit = jnp.where(lands, jnp.minimum(limit, landing * h), limit)
    shorter = jnp.where(h < 0.5 * cursor.step, cursor.step, jnp.maximum(landing, AFTER_KINK) * h)
    step = jnp.where(lands, jnp.maximum(asked, shorter), step)
    over = jnp.maximum(kinks.ahead(tried, step), 2 * shortest(cursor.t))
    limit = jnp.where(accept, jnp.minimum(limit, over), limit)
    if blind is not False:
        limit = jnp.where(blind, jnp.minimum(limit, tried.unseen * h), limit)
    unset = cursor.step == 0.0
    norms = problem.error_norm(cursor.x, cursor.x), problem.error_norm(cursor.x, tried.slope)
    begin = first_step(*norms, settings.longest)
    return jnp.where(unset, begin, step), limit
