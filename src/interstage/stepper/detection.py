"""Find the events that occur at the end of an attempted step, and the events that the step may have passed.

The watched values are known at several nodes of the step (`step.Sight`); their rates are known at its ends.
Between two nodes on the same side of zero, a value may still cross zero twice. The extremum between the nodes
is bounded by two straight lines, through the neighbouring nodes or along the rates at the ends. The bounds
are valid if the slope changes in only one direction. The bounds are also valid if the slope changes no faster
near the extremum than between the preceding nodes.

If the lines intersect on the other side of zero, the step is shortened to the intersection and examined
again. Intersections beyond zero by less than a small depth are ignored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp, lax
from . import crossing
from .problem import Cursor, Settings, Trial

DEPTH = 1e-9
"""Depth [SI unit of the watched value] below which a double crossing of zero within one step may be missed.
The depth `DEPTH_PART` also applies.
"""
DEPTH_PART = 2.0**-40
"""Relative depth, about 1e-12, below which a double crossing of zero may be missed. The depth is a fraction
of the largest number in the state or of the watched value, and some thousand times the rounding error of that
number.
"""

STANDING_PART = 2.0**-48
"""Tolerance of zero for a watched value, as a fraction of the largest number in the state: about ten
roundings.

If a watch begins within this tolerance, the value counts as zero at the beginning. If the value begins
further below zero, a later rise counts as an event. Within this tolerance an event also occurs if rounding
keeps the value from following its rate.
"""


STOPPED = 2.0**-40
"""Fraction, about 1e-12, of the change of a value in a step that counts as zero. The fraction applies to the
predicted change in another such step, and to the remaining distance from zero.
"""


STEPS_AWAY = 4.0, 16.0
"""Distances beyond which a value is far from zero, as multiples of its change.

The first number applies to the change in the whole step. The second number applies to the shortest interval
between two nodes. This number covers the steepest possible lines of `_meeting`.
"""


class Found(NamedTuple):
    """Events found in an attempted step.

    - hit (condition, *cases): true if the condition is met at the end of the step.
    - passed (*cases): true if an event occurred, or may have occurred, before the end of the step.
    - fraction (*cases): fraction of the step at the first event that was passed; inf if there is none.
    - shift (*cases) [s]: small time from the end of the step to the first condition in `hit`.
    - stands (condition, *cases): true if the value is zero when its watch begins. Such a value counts as a
      rise only if the condition may be met at once (`Settings.at_once`).
    """

    hit: jax.Array
    passed: jax.Array
    fraction: jax.Array
    shift: jax.Array
    stands: jax.Array


def look(settings: Settings, armed, cursor: Cursor, tried: Trial) -> Found:
    """Return the events of an attempted step, whether or not error control accepts the step.

    armed (condition, *cases): conditions that are waiting.
    """
    h, idle, value, rate = tried.h, tried.idle, tried.value, tried.rate
    tolerance = settings.near(cursor.t)
    close = jnp.abs(value) <= tolerance * jnp.abs(rate)
    at_once = column(settings.at_once, value) > 0
    c0, s0, s1 = cursor.value, cursor.rate * h, rate * h
    size = jnp.max(jnp.abs(cursor.x), 0)
    rounding = STANDING_PART * size
    stands = (
        armed & idle & ~at_once & (c0 == jnp.inf) & (jnp.abs(value) <= tolerance * jnp.abs(rate) + rounding)
    )
    met = armed & ((close & (rate > 0) & ~stands) | (idle & at_once & (value >= 0)))
    period = column(settings.period, value)
    wrapped = jnp.abs(value - c0) > 0.5 * period
    # A jump at an event takes a value past zero at once, unless it stood there already.
    apart = c0 < -tolerance * jnp.abs(cursor.rate)
    met = met | (armed & idle & apart & (value >= 0) & ~wrapped)
    at_rest = _at_rest(tried, c0, s1, rounding)
    met = met | (armed & ~idle & (_in_rounding(cursor, tried, c0, rounding) | (at_rest & (c0 < 0))))
    watching = armed & ~idle & ~met & ~at_rest
    candidate = watching & ~wrapped & crossing.may_rise(c0, s0, value, s1)
    fraction = lax.cond(
        jnp.any(candidate),
        lambda: jnp.where(candidate, crossing.first_rise(c0, s0, value, s1), jnp.inf),
        lambda: jnp.full_like(value, jnp.inf),
    )
    # By less than half a rounding of the state the end would not move.
    among = jnp.isfinite(fraction) & (jnp.abs(value) <= rounding) & (s1 > 0)
    least = 1 - 0.5 * jnp.finfo(value.dtype).eps * size / jnp.where(among, s1, 1.0)
    fraction = jnp.where(among, jnp.minimum(fraction, least), fraction)
    # A rise within the tolerance is the event, whatever the slope at the end.
    brief = jnp.isfinite(fraction) & (h <= tolerance)
    met, fraction = met | brief, jnp.where(brief, jnp.inf, fraction)
    fraction = _with_inside(settings, watching & ~brief & (h > 2 * tolerance), cursor, tried, fraction)
    if settings.wraps:
        # More than half a turn in a step: which way round, and how often past zero, cannot be determined.
        turn = jnp.maximum(jnp.abs(s0), jnp.abs(s1)) / period
        fraction = jnp.where(watching & (turn > 0.5), jnp.minimum(fraction, 0.25 / turn), fraction)
    if any(settings.judged):
        crossed = _may_cross(settings, cursor, tried, size)
        met, fraction = met & crossed, jnp.where(crossed, fraction, jnp.inf)
    first = jnp.min(fraction, 0, initial=jnp.inf)
    passed = jnp.isfinite(first)
    soonest = crossing.soonest_rise(met & close & (rate > 0), value, rate)
    shift = jnp.where(jnp.isfinite(soonest), soonest, 0.0)
    if any(settings.yields):
        yields = column(settings.yields, value)
        met = met & (yields == jnp.min(jnp.where(met, yields, max(settings.yields)), 0))
    return Found(met & ~passed, passed, first, shift, stands)


def beyond_rounding(settings: Settings, cursor: Cursor, sight):
    """Return which values have fallen below zero by more than their rounding error (condition, *cases).

    Also return the largest rounding error since the watch began (condition, *cases); see `Cursor`.
    """
    if not any(settings.judged):
        return cursor.clear, cursor.rounding
    rounding = _rounding(settings, cursor, sight)
    return cursor.clear | (jnp.minimum(cursor.value, sight.values[-1]) < -rounding), rounding


def _rounding(settings: Settings, cursor: Cursor, sight):
    """How far rounding of the state may move each value (condition, *cases), at the start of a step or since
    its watch began: at some attitudes what rounding does may cancel."""
    change = sight.shaken - cursor.value
    if settings.wraps:
        period = column(settings.period, change)
        turn = np.where(np.isfinite(period), period, 1.0)
        change = jnp.where(np.isfinite(period), change - turn * jnp.round(change / turn), change)
    # Values that are not finite do not move by rounding.
    return jnp.maximum(cursor.rounding, jnp.where(jnp.isfinite(change), jnp.abs(change), 0.0))


def _may_cross(settings: Settings, cursor: Cursor, tried: Trial, size):
    """Which conditions (condition, *cases) may be met at all: a value that has never been further below zero
    than its own rounding since the watch began has crossed nothing.

    Inside a step the cubic through its ends counts, not the nodes: stages are not on the constraints, and
    values that these keep at zero differ from it there by more than rounding. In an attempt of zero length,
    which sees no rounding, what stood further below before counts as well."""
    judged = column(settings.judged, tried.value) > 0
    inside = crossing.lowest(cursor.value, cursor.rate * tried.h, tried.value, tried.rate * tried.h)
    bound = jnp.where(tried.idle, DEPTH_PART * size, _rounding(settings, cursor, tried.sight))
    return ~judged | cursor.clear | (jnp.where(tried.idle, cursor.value, inside) < -bound)


def far_from_any(settings: Settings, armed, cursor: Cursor, x, t, sight):
    """Return true for cases in which no condition can be met in the step to its end (t, x), (*cases).

    For these cases `look` would find nothing, at a much higher cost. Not valid for values that wrap around.
    sight: watched values along the step.
    """
    h = t - cursor.t + settings.near(t)
    gaps = np.diff(column(sight.nodes, sight.values), axis=0)
    inside = jnp.abs(jnp.diff(sight.values, axis=0)) / gaps
    ends = h * jnp.maximum(jnp.abs(cursor.rate), jnp.abs(sight.rate))
    speed = jnp.maximum(jnp.max(inside, 0), ends)
    one, over = STEPS_AWAY
    size = jnp.maximum(jnp.max(jnp.abs(cursor.x), 0), jnp.max(jnp.abs(x), 0))
    reach = (one + over / float(np.min(gaps))) * speed + 2 * STANDING_PART * size
    low, high = jnp.min(sight.values, 0), jnp.max(sight.values, 0)
    return jnp.all(~armed | (high < -reach) | (low > reach), 0)


def has_stopped(before, value, onward):
    """Return whether a value has moved towards zero and stopped, like the burned propellant at the end of a
    thrust decay.

    before, value: value at the start and at the end of the step. onward: predicted change in another step at
    the final rate.
    """
    moved = jnp.abs(value - before)
    return (moved > jnp.abs(value)) & (moved < jnp.inf) & (jnp.abs(onward) <= STOPPED * moved)


def _at_rest(tried: Trial, c0, s1, rounding):
    """Which values (condition, *cases) have come to zero and stopped there: rounding may leave them on either
    side, and no rate reports when."""
    small = jnp.maximum(rounding, STOPPED * jnp.abs(tried.value - c0))
    inside = jnp.where(c0 < 0, 1.0, -1.0) * tried.sight.values
    return has_stopped(c0, tried.value, s1) & (jnp.abs(tried.value) <= small) & jnp.all(inside <= small, 0)


def _in_rounding(cursor: Cursor, tried: Trial, c0, rounding):
    """Which values (condition, *cases) are as near to zero as possible: among the roundings of the state,
    where a step moves them much less than their rates. A shorter one would move the time alone."""
    expected = tried.rate * tried.h
    astray = (expected > 0) & (jnp.abs(tried.value - c0 - expected) > 0.5 * expected)
    return (c0 < 0) & (c0 >= -rounding) & (jnp.abs(tried.value) <= rounding) & astray


def _with_inside(settings: Settings, watching, cursor: Cursor, tried: Trial, fraction):
    """Part of the step after which each condition (condition, *cases) may first be met: `fraction`, the guess
    of the cubic through the ends, improved by the nodes inside."""
    values, h = tried.sight.values, tried.h
    nodes = column(tried.sight.nodes, values)
    steps = jnp.diff(values, axis=0)
    if settings.wraps:
        period = column(settings.period, tried.value)
        turns = jnp.where(np.isfinite(period), steps / period, 0.0)
        steps = steps - jnp.where(np.isfinite(period), period, 0.0) * jnp.round(turns)
        values = jnp.concatenate([values[:1], values[:1] + jnp.cumsum(steps, 0)])
    gaps = np.diff(nodes, axis=0)
    slopes = jnp.concatenate([cursor.rate[None] * h, steps / gaps, tried.rate[None] * h])
    rises = watching & (values[:-1] < 0) & (values[1:] >= 0)
    turns = watching & (slopes[2:] * slopes[:-2] <= 0) & (slopes[2:] != slopes[:-2])

    def look_inside():
        size = jnp.maximum(jnp.max(jnp.abs(cursor.x), 0), jnp.abs(values[0]))
        # The cubic's guess is the better one where it agrees with the nodes.
        agrees = (fraction >= nodes[:-1]) & (fraction <= nodes[1:])
        straight = nodes[:-1] - gaps * values[:-1] / jnp.where(rises, steps, 1.0)
        depth = DEPTH + DEPTH_PART * size
        rise = jnp.where(rises & (steps > depth), jnp.where(agrees, fraction, straight), jnp.inf)
        turn = jnp.where(turns & ~tried.is_refused, _meeting(nodes, values, slopes, depth), jnp.inf)
        first = jnp.min(jnp.minimum(rise, turn), 0)
        # The cubic may see a rise that is less deep.
        return jnp.where(jnp.isfinite(first), first, fraction)

    return lax.cond(jnp.any(rises) | jnp.any(turns), look_inside, lambda: fraction)


def _meeting(nodes, values, slopes, depth):
    """Parts of the step at which, between two nodes, the lines through their neighbours meet, if they do so
    beyond zero; inf elsewhere, (node but the last, ...).

    slopes: of the start, between the nodes, and of the end. Where they grow towards the two nodes, lines are
    as steep as they would become. At the ends of the step, without further data, they grow as beyond."""
    side = jnp.where(values[:-1] < 0, 1.0, -1.0)
    at, peak = highest(nodes, values, slopes, side)
    begin, end = side * values[:-1], side * values[1:]
    beyond = (peak >= 0) & (peak - jnp.maximum(begin, end) > depth) & (end <= 0)
    return jnp.where(beyond, nodes[:-1] + at, jnp.inf)


def highest(nodes, values, slopes, side):
    """Bound an extremum between two adjacent nodes by two lines through the neighbouring nodes. Return
    location and height of their intersection.

    - nodes, values, slopes: fractions of the step, watched values there, and slopes per step as in
      `_meeting`.
    - side: 1 for a maximum, -1 for a minimum; the height has the opposite sign for -1.

    The location is the distance from the first of the two nodes. Shape: (node except the last, ...). The
    height is -inf if the lines do not rise before and fall after the intersection.
    """
    gap = np.diff(nodes, axis=0)
    places = np.concatenate([nodes[:1], nodes[:-1] + gap / 2, nodes[-1:]])
    growth = jnp.diff(slopes, axis=0) / np.diff(places, axis=0)
    early = jnp.concatenate([-growth[2:3] if growth.shape[0] > 2 else 0 * growth[:1], growth[:-2]])
    late = jnp.concatenate([growth[2:], -growth[-3:-2] if growth.shape[0] > 2 else 0 * growth[:1]])
    begin, end = side * values[:-1], side * values[1:]
    before = side * slopes[:-2] + jnp.maximum(side * early, 0.0) * (nodes[1:] - places[:-2])
    after = side * slopes[2:] - jnp.maximum(side * late, 0.0) * (places[2:] - nodes[:-1])
    apart = (before > 0) & (after < 0)
    at = (end - begin - after * gap) / jnp.where(apart, before - after, 1.0)
    return at, jnp.where(apart & (at > 0) & (at < gap), begin + before * at, -jnp.inf)


def column(values, like):
    """Return values of conditions or nodes (n,) as (n, 1, ...), to be combined with the array `like` (n,
    ...).
    """
    return np.asarray(values).reshape((-1,) + (1,) * (like.ndim - 1))
