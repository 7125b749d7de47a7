"""Locate kinks of the rates in steps that the error control rejected, so that the next step ends on the
kink.

A Runge-Kutta method of high order loses its order in a step across a kink, for example at a point of a
linear table. Error control alone would reduce the step many times. If a step ends on the kink, the order is
preserved on both sides.

The error estimate detects a kink in the interior of a step. The error estimate does not detect a kink next to
an end of the step. If a fraction p of the step is beyond the kink, the final state has an error proportional
to p, not to p^2. Therefore a step that ends slightly beyond a kink is rejected (`overshot`). A kink shortly
after the end of a step is crossed by a separate short step (`ahead`)."""

from __future__ import annotations

from ..maths.arrays import jnp, lax
from . import crossing
from .detection import Found
from .problem import Cursor, Trial

NOISE = 1e-6
"""Distance from a kink, as a fraction of an interval of the table, within which a position counts as on the
kink. A position that stays within this distance does not cross the kink. An example is a sideslip angle of
zero with rounding errors.
"""
LEAST = 1e-3
"""Fraction of a step. A kink in the part of the step before this fraction causes no significant error."""
SHORT = 1e-5
"""Fraction by which a step ends before a kink. This fraction exceeds the error of the cubic estimate. A step
beyond a jump of the flow would be rejected again.
"""
HARMLESS = 1e-9
"""Largest fraction of a step beyond a kink that changes its end by less than the tightest tolerance."""
SPOILT = 100.0
"""Error ratio above which kinks at the very beginning of a step are also considered. If the rates jump at the
beginning, the jump can cause such an error.
"""
AGAIN = 0.9
"""Fraction of a step that was already shortened. An event beyond this fraction does not shorten the step
again. A kink beyond this fraction shortens the step only if the rates at the start already lead to the kink.
"""
HALVINGS = 20
"""Number of bisections. The bisections reduce the bracket far below the error of the cubic estimate."""


def landing(cursor: Cursor, tried: Trial, found: Found):
    """Return the fraction of a rejected step at which the first kink or event occurs (*cases); inf if there
    is none.

    The fraction is also inf if the step was accepted. Events are included, because rates may change at events
    and steps must end there. In a step that is far too long, the location of an event is inaccurate. If a
    step that was shortened for an event finds the event at nearly the same location, the event is ignored.
    Events at the very beginning of a step are ignored, because the steps would become too small.
    """
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
    """Return whether a step ends so shortly after a kink that its error estimate does not show the kink
    (*cases).
    """
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
