"""Locate kinks of the rates in steps that the error control rejected, so that the next step ends on the
kink.

A Runge-Kutta method of high order loses its order in a step across a kink, for example at a point of a
linear table. Error control alone would reduce the step many times. If a step ends on the kink, the order is
kept on both sides.

The error estimate detects a kink in the interior of a step. It does not detect a kink next to an end of the
step. If a fraction p of the step lies beyond the kink, the final state has an error proportional to p, not
to p^2. Therefore a step that ends slightly beyond a kink is rejected (`overshot`). A kink shortly after the
end of a step is crossed by a separate short step (`ahead`)."""

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
    """Return the fraction of a rejected step after the first kink or event (*cases); inf if there is none.

    Also inf if the step was accepted. Events are included, because rates may change at events and steps
    must end there. The location of an event in a step that is far too long is inaccurate. Therefore an
    event is ignored if a step that was shortened for it finds it at nearly the same location. Events at the
    very beginning of a step are ignored, because the steps would become too small."""
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
    """Return the time [s] to cross a kink shortly after the end of a step (*cases).

    The time is inf if the first part of the next step has no kink."""
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
