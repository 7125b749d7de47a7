"""Where a step that its error estimate refused went over a kink of the flow, so that the next one ends there.

A Runge-Kutta method of high order loses it in a step over a kink, as where straight lines of a table meet;
its controller would shorten steps many times over before one is small enough. One that ends on the kink
keeps the order on both sides.

A kink well inside a step is seen by the error estimate. A kink next to an end is not, and the slope that was
taken there counts as if it held on. A part p of the step beyond a kink bends its end by p times the effect of
the whole kink, not by p^2. So a step that goes so little over a kink is refused (`overshot`), and a kink
shortly ahead is crossed by a step of its own (`ahead`), too short to do harm."""

from __future__ import annotations

from ..maths.arrays import jnp, lax
from . import crossing
from .detection import Found
from .problem import Cursor, Trial

NOISE = 1e-6
"""Nearer to a kink than this part of an interval a place counts as on it: one that stays there, like a
sideslip that is zero but for rounding, does not cross it."""
LEAST = 1e-3
"""Fraction of a step. A kink in an earlier part of the step causes no significant error."""
SHORT = 1e-5
"""Part by which a step ends before a kink: over one at which the flow jumps it would be refused again. More
than the cubic is off."""
HARMLESS = 1e-9
"""Part of a step beyond a kink that bends its end by less than the tightest tolerances ask."""
SPOILT = 100.0
"""Error over the tolerance from which a kink at the very beginning is looked for as well: where the flow
jumps, that is enough to spoil a step."""
AGAIN = 0.9
"""Part of a step that was cut short already beyond which an event in it is not tried again, and a kink only
where it is in sight from the beginning."""
HALVINGS = 20
"""Of a bracket, down to far less than what the cubic is off."""


def landing(cursor: Cursor, tried: Trial, found: Found):
    """Part of a refused step after which the first kink or event is, (*cases); inf where the step was not
    refused, or there is none that is worth a step.

    An event counts because the flow may change at it, and because a step is to end there anyhow. But the
    place of an event in a step that is far too long is a poor estimate. So an event does not count if a step
    that was cut short for it already finds it at nearly the same place. Nor does one at the very beginning,
    as where the stages leave all bounds: steps would creep, or not get on."""
    again = jnp.isfinite(cursor.limit) & (found.fraction > AGAIN)
    event = jnp.where(again | (found.fraction < LEAST), jnp.inf, (1 - SHORT) * found.fraction)
    if not tried.places[0].shape[0]:
        return jnp.where(tried.is_refused, event, jnp.inf)
    first = lax.cond(
        jnp.any(tried.is_refused),
        lambda: jnp.minimum(event, _kink(cursor, tried)),
        lambda: found.fraction,
    )
    return jnp.where(tried.is_refused, first, jnp.inf)


def overshot(cursor: Cursor, tried: Trial):
    """Whether a step went over a kink by so little that its error estimate does not show it, (*cases)."""
    if not tried.places[0].shape[0]:
        return jnp.zeros_like(tried.idle)
    begin, end, rates = _rising(cursor, tried)
    # What stays where it is went over nothing.
    moved = (end - begin > LEAST) & (rates[1] > LEAST)
    beyond = (end - jnp.floor(end)) / jnp.where(moved, rates[1], 1.0)
    return jnp.any(moved & (jnp.floor(end) > begin) & (beyond > HARMLESS) & (beyond < LEAST), 0)


def ahead(tried: Trial, step):
    """Time over a kink shortly ahead of the end of a step, (*cases); inf where there is none in the first
    part of the next step."""
    place, rate = tried.places
    if not place.shape[0]:
        return jnp.full_like(step, jnp.inf)
    left = jnp.where(rate > 0, jnp.floor(place) + 1 - place, place - jnp.ceil(place) + 1)
    speed = jnp.abs(rate)
    # What stays where it is goes over nothing.
    moves = speed * step > LEAST
    time = left / jnp.where(moves, speed, 1.0)
    return jnp.min(jnp.where(moves & (time < LEAST * step), 2 * time, jnp.inf), 0, initial=jnp.inf)


def _rising(cursor: Cursor, tried: Trial):
    """Places at both ends of a step, and their rates by the step, mirrored where places fall, so that all
    rise."""
    (start, before), (stop, after) = cursor.places, tried.places
    upwards = jnp.where(stop > start, 1.0, -1.0)
    rates = upwards * before * tried.h, upwards * after * tried.h
    return upwards * start, upwards * stop, rates


def _kink(cursor: Cursor, tried: Trial):
    """Part of a step after which the next one is to end because of a kink, (*cases); inf for none."""
    begin, end, rates = _rising(cursor, tried)
    inside = _inside(begin, end, rates, jnp.isfinite(cursor.limit))
    return jnp.where(jnp.isfinite(inside), inside, _at_once(begin, end, rates, tried))


def _inside(begin, end, rates, cut):
    """Part of the step at which the first kink inside is crossed. One that was `cut` short already does not
    creep towards a kink that its beginning knows nothing of."""
    at = jnp.floor(begin + LEAST * (end - begin)) + 1
    part = crossing.first_rise(begin - at, rates[0], end - at, rates[1], HALVINGS)
    creeps = cut & (part > AGAIN) & (rates[0] * part < 0.1 * (at - begin))
    part = jnp.where((part > LEAST) & (end - at > NOISE) & ~creeps, part, jnp.inf)
    return (1 - SHORT) * jnp.min(part, 0)


def _at_once(begin, end, rates, tried: Trial):
    """Part of the step in which a jump at its very beginning is left behind: well beyond it, so that the flow
    is the other one at the end, whatever the rounding."""
    at = jnp.floor(begin) + 1
    part = (at - begin) / jnp.where(rates[0] > 0, rates[0], 1.0)
    counts = (rates[0] > 0) & (end - at > NOISE) & (part <= LEAST) & (tried.ratio > SPOILT)
    return 2 * jnp.min(jnp.where(counts, part, jnp.inf), 0)
